"""What a forum's tag really rolled: kept with its die, refused without loss, replayed the same."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import Tagged
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    TagMismatch,
)
from app.rulesets.guida.rulings import (
    ReplaceSheet,
)
from app.rulesets.guida.sheet import ExtraStat
from app.services import boards, scenes
from app.services.access import ANONYMOUS
from app.services.adjudicate import adjudicate
from app.services.errors import KeyReused, Malformed, Refused
from app.services.replay import check_scenes
from app.services.shapes import (
    Adjudication,
    BoardChanges,
    Roller,
    Step,
)
from tests.support.fights import HOLLOW, attack, duel
from tests.support.table import Table, owner_of, set_table
from tests.support.world import FixedWorld

LISTED = 10  # the claws at their best range, +2 of the weapon, +6 of Dexterity


def seated(db: Database, world: FixedWorld, options: dict[str, Any]) -> Table:
    """Open a scene whose dice the forum rolls, on a board with these options."""
    owner = owner_of(db, world)
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(options={"guida": options}))
    return set_table(db, world, dice=Roller.FORUM, owner=owner)


@pytest.mark.parametrize(
    ("setting", "score"), [("warn_use_factors", 4 + 10), ("warn_use_modifier", 4 + 7)]
)
def test_a_tag_with_another_modifier_is_kept_and_decides_as_the_board_reads_it(
    db: Database, world: FixedWorld, setting: str, score: int
) -> None:
    table = seated(db, world, {"dice_tag_mismatch": setting})
    table.decide("hollow", attack())
    table.give("hollow", 1, 4, modifiers=(Fraction(7),))
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, 1)
    (roll,) = entry.rolls or ()
    assert (roll.face, roll.tagged) == (4, Tagged(Fraction(7), Fraction(LISTED)))
    assert "modifier_mismatch" in {finding.key for finding in entry.findings}
    assert table.state().incoming[0].hit_score == score
    assert check_scenes(table.db).equal == (table.id,)


@pytest.mark.parametrize("modifiers", [(), (None,), (Fraction(LISTED),)])
def test_a_tag_with_the_modifier_of_its_label_leaves_nothing_behind(
    db: Database, world: FixedWorld, modifiers: tuple[Fraction | None, ...]
) -> None:
    table = seated(db, world, {"dice_tag_mismatch": "reject"})
    table.decide("hollow", attack())
    table.give("hollow", 1, 4, modifiers=modifiers)
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, 1)
    assert [roll.tagged for roll in entry.rolls or ()] == [None]
    assert "modifier_mismatch" not in {finding.key for finding in entry.findings}


def test_refused_dice_leave_the_turn_waiting_for_better_ones(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world, {"dice_tag_mismatch": "reject"})
    table.decide("hollow", attack())
    before = scenes.read_scene(table.db, ANONYMOUS, table.id)
    with pytest.raises(Refused) as caught:
        table.give("hollow", 1, 4, modifiers=(Fraction(7),))
    assert [one.code for one in caught.value.obstacles] == ["modifier_mismatch"]
    assert scenes.read_scene(table.db, ANONYMOUS, table.id) == before
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, 1).rolls is None
    table.give("hollow", 1, 4, modifiers=(Fraction(LISTED),))
    assert table.state().incoming[0].hit_score == 4 + LISTED
    assert check_scenes(table.db).equal == (table.id,)


def test_the_same_key_with_another_modifier_is_not_the_same_call(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world, {})
    table.decide("hollow", attack())
    first = table.give("hollow", 1, 4, modifiers=(Fraction(7),), key="given-once", version=2)
    again = table.give("hollow", 1, 4, modifiers=(Fraction(7),), key="given-once", version=2)
    assert (again, again.replayed) == (first, True)
    with pytest.raises(KeyReused):
        table.give("hollow", 1, 4, modifiers=(Fraction(8),), key="given-once", version=2)


def test_an_amendment_keeps_what_a_tag_left_out_and_nothing_more(
    db: Database, world: FixedWorld
) -> None:
    table = seated(db, world, {"dice_tag_mismatch": "warn_use_modifier"})
    table.decide("hollow", attack())
    table.give("hollow", 1, 4, modifiers=(Fraction(7),))
    # A quicker sheet makes two more; what the tag lacks against the label it had is still three.
    quicker = replace(HOLLOW, stats=replace(HOLLOW.stats, dexterity=8))
    table.amend(1, ReplaceSheet(combatant="hollow", sheet=quicker, reason="Era una svista."))
    assert table.state().incoming[0].hit_score == 4 + LISTED + 2 - 3
    assert check_scenes(table.db).equal == (table.id,)


def test_modifiers_are_as_many_as_the_dice(db: Database, world: FixedWorld) -> None:
    table = seated(db, world, {})
    table.decide("hollow", attack())
    with pytest.raises(Malformed) as caught:
        table.give("hollow", 1, 4, modifiers=(None, Fraction(7)))
    assert [(one.field, one.code) for one in caught.value.mistakes] == [("modifiers", "too_long")]


@pytest.mark.parametrize(
    ("setting", "codes", "scores"),
    [("warn_use_modifier", [[]], [11]), ("reject", [["modifier_mismatch"]], [])],
)
def test_a_fight_adjudicated_on_the_spot_reads_tags_alike(
    world: FixedWorld, setting: str, codes: list[list[str]], scores: list[int]
) -> None:
    setup = replace(duel(), options=Options(dice_tag_mismatch=TagMismatch(setting)))
    step = Step(order=attack(by="hollow"), faces=(4,), modifiers=(Fraction(7),))
    done = adjudicate(world, Adjudication(setup=setup, steps=(step,)))
    assert [[one.code for one in told.obstacles] for told in done.steps] == codes
    found = [one for told in done.steps for one in told.findings if one.key == "attack_launched"]
    assert [one.facts["hit_score"] for one in found] == scores


def test_a_board_keeps_or_refuses_a_fifth_stat(db: Database, world: FixedWorld) -> None:
    more = replace(HOLLOW, stats=replace(HOLLOW.stats, extra=(ExtraStat(name="Reiryoku"),)))
    entrants = (replace(duel().entrants[0], sheet=more), duel().entrants[1])
    setup = duel(entrants=entrants)
    owner = owner_of(db, world)
    table = set_table(db, world, setup=setup, owner=owner)
    assert table.state().who("hollow").sheet.stats.extra[0].name == "Reiryoku"
    table.decide("hollow", attack())
    assert check_scenes(db).equal == (table.id,)
    boards.change_board(
        db, world, owner, FIRST_BOARD, BoardChanges(options={"guida": {"extra_stats": "reject"}})
    )
    with pytest.raises(Refused) as caught:
        set_table(db, world, setup=setup, owner=owner)
    assert [one.code for one in caught.value.obstacles] == ["extra_stat"]
