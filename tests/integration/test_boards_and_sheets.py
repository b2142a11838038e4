"""The board's settings, stored sheets, and opening scenes from both."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.persistence.codec import encode
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    Doubling,
)
from app.services import boards, scenes, sheets
from app.services.access import ANONYMOUS, Principal
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.shapes import (
    BoardChanges,
    Language,
    OpenedScene,
    Openers,
    OpenScene,
    Roller,
)
from tests.support.fights import HOLLOW, QUINCY, duel
from tests.support.table import Table, let_open, owner_of
from tests.support.world import FixedWorld


def mistakes(error: Malformed) -> dict[str, str]:
    """Give the code of each field."""
    return {one.field: one.code for one in error.mistakes}


def json_duel(**changes: Any) -> dict[str, Any]:
    """Give the set-up of a duel as a client sends it."""
    data: dict[str, Any] = encode(duel())
    del data["options"], data["regulation"]
    return {**data, **changes}


def open_by(
    table: Table, who: Principal, setup: object, key: str = "", **changes: Any
) -> OpenedScene:
    """Open another scene."""
    opening = OpenScene(**{"title": "Altra", "setup": setup, **changes})
    return scenes.open_scene(table.db, table.world, who, FIRST_BOARD, opening, key or table.key())


# ------------------------------------------------------------------------------------ the board


def test_the_first_migration_brings_a_board(db: Database) -> None:
    boards.ensure_board(db)
    board = boards.read_board(db, FIRST_BOARD)
    assert (board.language, board.dialect, board.dice) == ("it", "guida", "service")
    assert board.openers is Openers.OWNER
    assert board.options["guida"] == Options()


def test_only_the_owner_changes_the_board(table: Table) -> None:
    for who in (ANONYMOUS, table.gm, table.players["hollow"]):
        with pytest.raises(NotFound):
            boards.change_board(table.db, table.world, who, FIRST_BOARD, BoardChanges(name="Mio"))


def test_what_is_not_named_stays(db: Database, world: FixedWorld) -> None:
    owner = owner_of(db, world)
    options = {"guida": {"critical_multiplies": "power"}}
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(options=options))
    more = BoardChanges(language=Language.ENGLISH, options={"guida": {"riders_on_tie": True}})
    board = boards.change_board(db, world, owner, FIRST_BOARD, more)
    assert board == boards.read_board(db, FIRST_BOARD)
    assert board.language is Language.ENGLISH
    assert board.options["guida"] == Options(critical_multiplies=Doubling.POWER, riders_on_tie=True)


def test_every_mistake_in_the_settings_is_named(db: Database, world: FixedWorld) -> None:
    changes = BoardChanges(
        dialect="phpbb9",
        options={"guida": {"rounding_mode": "up", "luck": 1}, "chess": {}},
        regulation={"guida": {"range_ladder_m": []}},
    )
    with pytest.raises(Malformed) as caught:
        boards.change_board(db, world, owner_of(db, world), FIRST_BOARD, changes)
    assert mistakes(caught.value) == {
        "dialect": "unknown_choice",
        "options.guida.rounding_mode": "unknown_choice",
        "options.guida.luck": "unknown_field",
        "options.chess": "unknown_field",
        "regulation.guida.range_ladder_m": "too_short",
    }


# ----------------------------------------------------------------------------- opening a scene


def test_a_scene_copies_the_board_and_keeps_its_copy(table: Table) -> None:
    changes = BoardChanges(
        dice=Roller.FORUM,
        dialect="plain",
        options={"guida": {"riders_on_tie": True}},
        regulation={"guida": {"range_ladder_m": [7, 70]}},
    )
    boards.change_board(table.db, table.world, table.owner, FIRST_BOARD, changes)
    new = open_by(table, table.owner, json_duel())
    scene = scenes.read_scene(table.db, ANONYMOUS, new.scene_id)
    old = scenes.read_scene(table.db, ANONYMOUS, table.id)
    assert (scene.dice, scene.dialect, scene.language) == ("forum", "plain", "it")
    assert (old.dice, old.dialect) == ("service", "guida")
    table.opened = new
    assert table.state().options.riders_on_tie
    assert table.state().regulation.range_ladder_m == (7, 70)


def test_a_scene_may_differ_from_the_board_in_language_dialect_and_dice(table: Table) -> None:
    changes = {"language": Language.ENGLISH, "dialect": "plain", "dice": Roller.FORUM}
    new = open_by(table, table.owner, json_duel(), **changes)
    scene = scenes.read_scene(table.db, ANONYMOUS, new.scene_id)
    assert (scene.language, scene.dialect, scene.dice) == ("en", "plain", "forum")


def test_who_opens_a_scene_does_not_choose_the_options(table: Table) -> None:
    setup = json_duel(options={"riders_on_tie": True}, entrants=[])
    with pytest.raises(Malformed) as caught:
        open_by(table, table.owner, setup)
    assert mistakes(caught.value) == {
        "setup.options": "unknown_field",
        "setup.entrants": "too_short",
    }


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"ruleset": "chess"}, "ruleset", "unknown_choice"),
        ({"dialect": "phpbb9"}, "dialect", "unknown_choice"),
        ({"setup": []}, "setup", "wrong_type"),
        ({"setup": {}}, "setup.entrants", "missing"),
    ],
)
def test_an_opening_that_is_not_understood(
    table: Table, changes: dict[str, Any], field: str, code: str
) -> None:
    with pytest.raises(Malformed) as caught:
        open_by(table, table.owner, **{"setup": json_duel(), **changes})
    assert mistakes(caught.value) == {field: code}
    assert len(scenes.list_scenes(table.db, table.owner, FIRST_BOARD)) == 1


def test_a_set_up_that_the_rules_forbid_is_refused(table: Table) -> None:
    with pytest.raises(Refused):
        open_by(table, table.owner, json_duel(distances=[]))
    assert len(scenes.list_scenes(table.db, table.owner, FIRST_BOARD)) == 1


@pytest.mark.parametrize("seat", ["gm", "spectator"])
def test_no_combatant_is_called_like_the_master(table: Table, seat: str) -> None:
    setup = json_duel()
    setup["entrants"][0]["id"] = seat
    setup["distances"][0]["a"] = setup["first"] = seat
    with pytest.raises(Refused):
        open_by(table, table.owner, setup)


@pytest.mark.parametrize(
    ("openers", "owner", "gm", "anybody"),
    [
        (Openers.OWNER, True, False, False),
        (Openers.GMS, True, True, False),
        (Openers.ANYONE, True, True, True),
    ],
)
def test_the_owner_says_who_opens_scenes(
    table: Table, openers: Openers, owner: bool, gm: bool, anybody: bool
) -> None:
    let_open(table.db, table.world, table.owner, openers)
    for who, may in ((table.owner, owner), (table.gm, gm), (ANONYMOUS, anybody)):
        if may:
            open_by(table, who, json_duel())
        else:
            # A Master is told who may; to anybody else there is nothing.
            with pytest.raises(Conflict if who is table.gm else NotFound):
                open_by(table, who, json_duel())
    assert len(scenes.list_scenes(table.db, table.owner, FIRST_BOARD)) == 1 + owner + gm + anybody


def test_an_opening_repeated_gives_the_same_scene_and_the_same_links(table: Table) -> None:
    key = table.key()
    first = open_by(table, table.owner, json_duel(), key)
    assert open_by(table, table.owner, json_duel(), key) == first
    assert len(scenes.list_scenes(table.db, table.owner, FIRST_BOARD)) == 2
    with pytest.raises(KeyReused):
        open_by(table, table.owner, json_duel(), key, title="Terza")
    again = open_by(table, table.owner, json_duel())
    assert again.gm_secret != first.gm_secret


# --------------------------------------------------------------------------------------- sheets


def test_masters_keep_sheets(table: Table) -> None:
    kept = sheets.add_sheet(
        table.db, table.world, table.gm, FIRST_BOARD, encode(QUINCY), table.key()
    )
    other = sheets.add_sheet(table.db, table.world, table.owner, FIRST_BOARD, HOLLOW, table.key())
    assert [line.name for line in sheets.list_sheets(table.db, table.gm, FIRST_BOARD)] == [
        "Hollow",
        "Quincy",
    ]
    assert sheets.read_sheet(table.db, table.owner, kept.id).sheet == QUINCY
    assert other.version == 1


def test_players_and_strangers_keep_none(table: Table) -> None:
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, table.key())
    for who in (ANONYMOUS, table.players["quincy"]):
        for act in (
            lambda who=who: sheets.list_sheets(table.db, who, FIRST_BOARD),
            lambda who=who: sheets.read_sheet(table.db, who, kept.id),
            lambda who=who: sheets.add_sheet(
                table.db, table.world, who, FIRST_BOARD, HOLLOW, table.key()
            ),
            lambda who=who: sheets.save_sheet(table.db, table.world, who, kept.id, HOLLOW, 1),
        ):
            with pytest.raises(NotFound):
                act()


def test_a_sheet_is_saved_over_the_version_that_was_seen(table: Table) -> None:
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, table.key())
    saved = sheets.save_sheet(table.db, table.world, table.owner, kept.id, HOLLOW, 1)
    assert (saved.version, saved.name) == (2, "Hollow")
    with pytest.raises(Stale) as caught:
        sheets.save_sheet(table.db, table.world, table.gm, kept.id, QUINCY, 1)
    assert caught.value.version == 2
    assert sheets.read_sheet(table.db, table.gm, kept.id).sheet == HOLLOW


def test_a_sheet_added_twice_under_one_key_is_one_sheet(table: Table) -> None:
    key = table.key()
    first = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, key)
    assert sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, key) == first
    with pytest.raises(KeyReused):
        sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, key)
    assert len(sheets.list_sheets(table.db, table.gm, FIRST_BOARD)) == 1


@pytest.mark.parametrize("sheet_id", ["", "nowhere", "nul\0", "\ud800"], ids=ascii)
def test_a_sheet_that_is_not_there_is_not_found(table: Table, sheet_id: str) -> None:
    with pytest.raises(NotFound):
        sheets.read_sheet(table.db, table.gm, sheet_id)
    with pytest.raises(NotFound):
        sheets.save_sheet(table.db, table.world, table.gm, sheet_id, HOLLOW, 1)


def test_a_sheet_that_is_not_understood_is_not_kept(table: Table) -> None:
    with pytest.raises(Malformed) as caught:
        sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, {"name": "A"}, table.key())
    assert mistakes(caught.value) == {
        f"sheet.{name}": "missing" for name in ("max_hp", "max_ep", "stats")
    }
    with pytest.raises(Malformed):
        sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key(), "chess")


def test_a_scene_copies_the_stored_sheets_it_names(table: Table) -> None:
    archer = replace(QUINCY, name="Arciere")
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, archer, table.key())
    setup = json_duel()
    setup["entrants"][0]["sheet"] = kept.id
    table.opened = open_by(table, table.owner, setup)
    sheets.save_sheet(table.db, table.world, table.gm, kept.id, HOLLOW, 1)
    assert table.state().who("hollow").sheet == archer


def test_an_unknown_sheet_is_a_mistake_of_its_entrant(table: Table) -> None:
    let_open(table.db, table.world, table.owner, Openers.ANYONE)
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, table.key())
    for who, sheet in ((table.owner, "nowhere"), (ANONYMOUS, kept.id)):
        setup = json_duel()
        setup["entrants"][1]["sheet"] = sheet
        with pytest.raises(Malformed) as caught:
            open_by(table, who, setup)
        assert mistakes(caught.value) == {"setup.entrants[1].sheet": "missing"}


def test_numbers_of_a_sheet_are_kept_exactly(table: Table) -> None:
    tool = {"id": "t", "name": "T", "potential": "10/3", "stat_bonus": "0.1"}
    sheet = {**encode(HOLLOW), "tools": [tool]}
    kept = sheets.add_sheet(
        table.db, table.world, table.gm, FIRST_BOARD, sheet, table.key()
    ).sheet.tools[0]
    assert (kept.potential, kept.stat_bonus) == (Fraction(10, 3), Fraction(1, 10))
