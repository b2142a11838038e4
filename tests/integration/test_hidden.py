"""Somebody hidden leaves no trace with those who may not know: lists, scenes, entries, previews."""

from __future__ import annotations

from typing import Any

import pytest

from app.persistence.codec import encode, write_json
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import (
    Attack,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Unseen,
)
from app.rulesets.guida.rulings import (
    Manual,
    Place,
)
from app.rulesets.guida.terms import Change
from app.services import offered, scenes, turns
from app.services.access import ANONYMOUS, Principal
from app.services.entry_shapes import (
    Narration,
)
from app.services.errors import Refused
from app.services.shapes import (
    EntryKind,
    Roller,
    Status,
)
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

STORY = Narration(offensive="Nel buio, il Hollow affila gli artigli.")
HIDE = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")


@pytest.fixture
def dark(table: Table) -> Table:
    """Set a table at which the Hollow has slipped out of the Quincy's sight; it is its turn."""
    table.decide("gm", HIDE)
    return table


def said(value: Any) -> str:
    """Write whatever was answered as a client would get it."""
    return write_json(encode(value))


def blind_to(table: Table) -> tuple[Principal, ...]:
    """List the principals who must not know."""
    return (table.players["quincy"], ANONYMOUS)


def seeing(table: Table) -> tuple[Principal, ...]:
    """List the principals who may know."""
    return (table.players["hollow"], table.gm, table.owner)


def test_a_scene_says_nothing_of_the_hidden_but_that_it_takes_part(dark: Table) -> None:
    for principal in blind_to(dark):
        read = scenes.read_scene(dark.db, principal, dark.id)
        assert [one.id for one in read.view.combatants] == ["quincy"]
        assert (read.view.next, read.awaited.seats, read.view.distances) == ("", (), ())
        assert "Artigli" not in said(read)
    for principal in seeing(dark):
        read = scenes.read_scene(dark.db, principal, dark.id)
        assert len(read.view.combatants) == 2
        assert read.awaited.seats == ("hollow",)


def test_a_list_of_scenes_does_not_tell_whose_turn_it_is(dark: Table) -> None:
    (line,) = scenes.list_scenes(dark.db, dark.players["quincy"], FIRST_BOARD)
    assert line.awaited.seats == ()
    for principal in seeing(dark):
        (line,) = scenes.list_scenes(dark.db, principal, FIRST_BOARD)
        assert line.awaited.seats == ("hollow",)


def test_what_the_hidden_posts_is_told_to_those_who_see_it_only(dark: Table) -> None:
    dark.decide("hollow", Turn(main=Preparation()), narration=STORY)
    for principal in blind_to(dark):
        entry = scenes.read_entry(dark.db, principal, dark.id, 2)
        (listed,) = scenes.read_entries(dark.db, principal, dark.id, after=1)
        line = scenes.read_scene(dark.db, principal, dark.id).entries[1]
        assert entry == listed
        assert (entry.seat, entry.act, entry.order, entry.narration) == ("", "", None, Narration())
        assert (entry.findings, entry.asked, entry.rolls, entry.reason) == ((), (), (), "")
        assert (line.seat, line.act, line.kind) == ("", "", EntryKind.ORDER)
        assert "hollow" not in said(entry).lower()
    for principal in seeing(dark):
        entry = scenes.read_entry(dark.db, principal, dark.id, 2)
        assert (entry.seat, entry.narration) == ("hollow", STORY)
        assert entry.findings


def test_a_line_of_its_own_and_the_masters_rulings_are_told_as_little(dark: Table) -> None:
    line = Manual(combatant="hollow", change=Change.HP, amount=-7, reason="si è graffiato")
    dark.decide("hollow", line)
    dark.decide("gm", Manual(combatant="hollow", change=Change.EP, amount=-3, reason="ancora"))
    for principal in blind_to(dark):
        assert scenes.read_scene(dark.db, principal, dark.id).awaited.questions == ()
        for number in (2, 3):
            told = said(scenes.read_entry(dark.db, principal, dark.id, number)).lower()
            assert not any(word in told for word in ("hollow", "graffiato", "ancora"))
    assert len(scenes.read_scene(dark.db, dark.gm, dark.id).awaited.questions) == 1


def test_why_a_secret_turn_was_taken_back_is_secret_too(dark: Table) -> None:
    dark.decide("hollow", Turn(main=Preparation()))
    dark.void("Il Hollow non poteva prepararsi.")
    for principal in blind_to(dark):
        entry = scenes.read_entry(dark.db, principal, dark.id, 3)
        assert (entry.kind, entry.voids, entry.reason) == (EntryKind.VOID, 2, "")
    assert scenes.read_entry(dark.db, dark.gm, dark.id, 3).reason


def test_dice_that_the_forum_has_yet_to_roll_are_no_hint(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world, dice=Roller.FORUM)
    table.decide("gm", HIDE)
    declared = table.decide("hollow", Turn(loose=()), narration=STORY)
    assert declared.status is Status.RESOLVED  # nothing is rolled
    table.decide("quincy", Turn())
    table.decide("hollow", Turn(main=Attack(target="quincy", tool="claws")))
    entry = scenes.read_entry(table.db, table.players["quincy"], table.id, 4)
    assert (entry.status, entry.seat, entry.asked) == (Status.DECLARED, "", ())
    table.give("hollow", 4, 9)
    shown = scenes.read_entry(table.db, table.players["quincy"], table.id, 4)
    assert shown.seat == "hollow"  # by attacking it has shown itself
    assert [roll.face for roll in shown.rolls or ()] == [9]


def test_an_attack_from_hiding_is_told_in_full_to_its_target(dark: Table) -> None:
    dark.world.throw([9])
    dark.decide("hollow", attack(), narration=STORY)
    entry = scenes.read_entry(dark.db, dark.players["quincy"], dark.id, 2)
    assert (entry.seat, entry.narration) == ("hollow", STORY)
    read = scenes.read_scene(dark.db, dark.players["quincy"], dark.id)
    assert [one.id for one in read.view.combatants] == ["hollow", "quincy"]


def test_what_is_offered_and_refused_gives_nothing_away(dark: Table) -> None:
    dark.decide("hollow", Turn())
    quincy = dark.players["quincy"]
    found = offered.choices(dark.db, quincy, dark.id, "quincy")
    assert {(one.target, one.blind) for one in found.attacks} == {("hollow", True)}
    with pytest.raises(Refused) as refused:
        dark.decide("quincy", Turn(main=Attack(target="hollow", tool="bow")))
    assert [one.code for one in refused.value.obstacles] == ["target_hidden"]
    blind = Turn(main=Attack(target="hollow", tool="bow", blind=True))
    found = turns.preview(dark.db, quincy, dark.id, blind)
    assert found.plan is not None
    assert found.forecast is not None
    assert found.forecast.laws == ()
    assert "distance" not in said(found)


def test_a_blind_attack_is_its_authors_own_but_not_what_it_meets(dark: Table) -> None:
    dark.decide("hollow", Turn())
    dark.world.throw([12])
    blind = Turn(main=Attack(target="hollow", tool="bow", blind=True))
    dark.decide("quincy", blind, narration=STORY)
    own = scenes.read_entry(dark.db, dark.players["quincy"], dark.id, 3)
    assert own.order is not None
    assert own.narration == STORY
    assert {"blind_launched", "asked_blind_radius"} <= {one.key for one in own.findings}
    assert "attack_launched" not in {one.key for one in own.findings}
    assert [roll.face for roll in own.rolls or ()] == [12]
    watched = scenes.read_entry(dark.db, ANONYMOUS, dark.id, 3)
    assert (watched.seat, watched.order, watched.narration) == ("quincy", None, Narration())
    assert watched.rolls == ()
    assert "attack_launched" in {
        one.key for one in scenes.read_entry(dark.db, dark.gm, dark.id, 3).findings
    }


def test_an_amendment_keeps_what_it_restates_from_those_who_may_not_know(dark: Table) -> None:
    dark.decide("hollow", Turn(main=Preparation()), narration=STORY)
    dark.amend(2, Manual(combatant="hollow", change=Change.HP, amount=-9, reason="una scheggia"))
    for principal in blind_to(dark):
        for number in (2, 3):
            told = said(scenes.read_entry(dark.db, principal, dark.id, number)).lower()
            assert not any(word in told for word in ("hollow", "scheggia", "artigli"))
        first = scenes.read_entry(dark.db, principal, dark.id, 2).first_findings
        assert first == ()


def test_what_an_amendment_hides_is_hidden_in_the_history_and_wherever_an_entry_is_told(
    table: Table,
) -> None:
    table.decide("hollow", Turn(main=Preparation()), narration=STORY)
    table.amend(1, HIDE)
    for principal in blind_to(table):
        line = scenes.read_scene(table.db, principal, table.id).entries[0]
        entry = scenes.read_entry(table.db, principal, table.id, 1)
        assert (line.seat, line.act) == (entry.seat, entry.act) == ("", "")
        assert entry.first_findings == ()
        assert "hollow" not in said((line, entry)).lower()
    for principal in seeing(table):
        line = scenes.read_scene(table.db, principal, table.id).entries[0]
        entry = scenes.read_entry(table.db, principal, table.id, 1)
        assert (line.seat, entry.seat) == ("hollow", "hollow")
        assert entry.first_findings


def test_what_an_amendment_brings_to_light_is_told_in_the_history_too(dark: Table) -> None:
    dark.decide("hollow", Turn(main=Preparation()), narration=STORY)
    dark.amend(2, Place(hidden=(), reason="era in piena luce"))
    for principal in (*blind_to(dark), *seeing(dark)):
        line = scenes.read_scene(dark.db, principal, dark.id).entries[1]
        entry = scenes.read_entry(dark.db, principal, dark.id, 2)
        assert (line.seat, line.act) == (entry.seat, entry.act) == ("hollow", "turn")
