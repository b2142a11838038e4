"""`arbitro replay --check`: what is stored is what the decisions lead to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from app import cli
from app.persistence.codec import store
from app.persistence.database import Database
from app.rulesets import RULESETS
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.rulings import (
    SetValue,
)
from app.rulesets.guida.terms import Change
from app.services.replay import check_scenes
from tests.support.fights import attack
from tests.support.table import Table, set_table


@pytest.fixture
def corrected(table: Table) -> Table:
    """Play a scene with everything in it that a replay must understand."""
    table.world.throw([9, 2, 11, 3])
    table.decide("hollow", attack())
    table.dodge()
    change = SetValue(combatant="quincy", change=Change.HP, value=60, reason="Era ferito.")
    table.amend(2, change)
    table.decide("hollow", attack(tool="flame"))
    table.void()
    return table


def run(table: Table, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run the command on a table's database."""
    url = table.db.url.render_as_string(hide_password=False)
    monkeypatch.setenv("ARBITRO_DATABASE_URL", url)
    return CliRunner().invoke(cli.app, ["replay", "--check"])


def spoil(db: Database, statement: str, **values: object) -> None:
    """Change a row behind everybody's back."""
    with db.write() as connection:
        connection.execute(text(statement), values)


def test_a_scene_with_voids_and_amendments_replays_to_its_snapshot(
    corrected: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = set_table(corrected.db, corrected.world, owner=corrected.owner)
    done = run(corrected, monkeypatch)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("2 ")
    assert set(check_scenes(corrected.db).equal) == {corrected.id, other.id}


def test_a_scene_whose_dice_are_awaited_replays_to_its_snapshot(forum_table: Table) -> None:
    forum_table.decide("hollow", attack())
    assert check_scenes(forum_table.db).equal == (forum_table.id,)


def test_a_snapshot_that_was_touched_is_found(
    corrected: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = corrected.state()
    hurt = replace(state.who("quincy"), hp=state.who("quincy").hp - 1)
    spoil(corrected.db, "UPDATE scenes SET state = :state", state=store(state.put(hurt)))
    done = run(corrected, monkeypatch)
    assert done.exit_code == 1
    assert corrected.id in done.output
    assert check_scenes(corrected.db).different == (corrected.id,)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET rolls = replace(rolls, '9', '1') WHERE number = 1",
        "UPDATE entries SET voids = NULL, kind = 'order' WHERE number = 5",
        "UPDATE entries SET before = NULL WHERE number = 3",
        "DELETE FROM entries WHERE number = 5",
        "UPDATE scenes SET awaited = replace(awaited, 'hollow', 'quincy')",
    ],
)
def test_a_log_that_was_touched_is_found(corrected: Table, statement: str) -> None:
    spoil(corrected.db, statement)
    assert check_scenes(corrected.db).different == (corrected.id,)


def test_scenes_of_another_edition_are_listed_and_not_compared(
    corrected: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RULESETS, "guida", replace(GUIDA, edition="next"))
    done = run(corrected, monkeypatch)
    assert done.exit_code == 0
    assert corrected.id in done.output
    report = check_scenes(corrected.db)
    assert (report.equal, report.other_edition) == ((), (corrected.id,))


def test_without_the_option_nothing_is_done(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    url = table.db.url.render_as_string(hide_password=False)
    monkeypatch.setenv("ARBITRO_DATABASE_URL", url)
    done = CliRunner().invoke(cli.app, ["replay"])
    assert (done.exit_code, "--check" in done.output) == (2, True)


def test_an_empty_database_has_nothing_different(db: Database) -> None:
    report = check_scenes(db)
    assert (report.equal, report.different, report.other_edition) == ((), (), ())
