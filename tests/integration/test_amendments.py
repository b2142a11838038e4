"""Amendments: the Master corrects what came before the last turn, and the same dice meet it."""

from __future__ import annotations

import pytest

from app.rulesets.guida.rulings import (
    Close,
    SetValue,
)
from app.rulesets.guida.terms import Change
from app.services import scenes
from app.services.access import ANONYMOUS
from app.services.entry_shapes import (
    EntryRead,
)
from app.services.errors import Conflict, Malformed, Refused, Stale
from tests.support.fights import attack
from tests.support.table import Table, set_table
from tests.support.toy import Give, Stop, Throw, toy_setup
from tests.support.world import FixedWorld


def entry(table: Table, number: int) -> EntryRead:
    """Read an entry."""
    return scenes.read_entry(table.db, ANONYMOUS, table.id, number)


def hurt(hp: int) -> SetValue:
    """Set the hit points of the Quincy."""
    return SetValue(combatant="quincy", change=Change.HP, value=hp, reason="Era già ferito.")


@pytest.fixture
def fought(table: Table) -> Table:
    """Let two turns be posted."""
    table.decide("hollow", attack())
    table.dodge()
    return table


@pytest.fixture
def thrown(toy: None, table: Table) -> Table:
    """Let one throw be made in the toy game."""
    world = FixedWorld(2, seed="toy")
    toys = set_table(
        table.db, world, ruleset="toy", setup=toy_setup("a", "b", target=99), owner=table.owner
    )
    toys.decide("a", Throw())
    return toys


def test_the_turn_is_played_anew_with_the_dice_it_had(fought: Table) -> None:
    first = entry(fought, 2)
    thrown = list(fought.world.thrown)
    decided = fought.amend(2, hurt(50))
    again = entry(fought, 2)
    assert decided.number == 3
    assert fought.world.thrown == thrown
    assert again.rolls == first.rolls
    assert again.amended_by == (3,)
    assert again.first_findings == first.findings != again.findings
    assert fought.state().who("quincy").hp_now < 50 + 1
    assert entry(fought, 3).before == 2
    assert entry(fought, 3).reason == "Era già ferito."
    assert entry(fought, 3).seat == "gm"


def test_several_amendments_take_effect_in_their_order(fought: Table) -> None:
    fought.amend(2, hurt(50))
    once = entry(fought, 2).findings
    fought.amend(2, hurt(70))
    assert entry(fought, 2).amended_by == (3, 4)
    assert entry(fought, 2).findings != once
    fought.void()
    assert entry(fought, 2).amended_by == (3,)
    assert entry(fought, 2).findings == once


def test_an_amendment_taken_back_leaves_everything_as_it_was(fought: Table) -> None:
    state, findings = fought.state(), entry(fought, 2).findings
    fought.amend(2, hurt(50))
    fought.void()
    assert fought.state() == state
    again = entry(fought, 2)
    assert (again.findings, again.first_findings, again.amended_by) == (findings, None, ())


def test_what_the_master_decided_after_the_turn_is_played_anew_too(fought: Table) -> None:
    fought.decide("gm", hurt(20))
    fought.amend(2, hurt(50))
    assert entry(fought, 3).first_findings is not None
    assert fought.state().who("quincy").hp_now == 20


def test_only_the_last_turn_in_effect_can_be_amended(fought: Table) -> None:
    with pytest.raises(Conflict) as caught:
        fought.amend(1, hurt(50))
    assert caught.value.code == "not_the_last_turn"
    fought.void()
    with pytest.raises(Conflict):
        fought.amend(2, hurt(50))
    assert fought.amend(1, hurt(50)).number == 4


def test_an_amendment_is_checked_like_any_other_order(fought: Table) -> None:
    wrong = SetValue(combatant="nobody", change=Change.HP, value=1, reason="Chi?")
    with pytest.raises(Refused) as refused:
        fought.amend(2, wrong)
    assert refused.value.entry is None
    with pytest.raises(Malformed):
        fought.amend(2, {"kind": "set_value"})
    with pytest.raises(Stale):
        fought.amend(2, hurt(50), version=1)
    assert len(scenes.read_scene(fought.db, ANONYMOUS, fought.id).entries) == 2


def test_an_amendment_that_makes_the_turn_illegal_is_refused_and_names_it(fought: Table) -> None:
    state = fought.state()
    with pytest.raises(Refused) as refused:
        fought.amend(2, Close(reason="Era già finita."))
    assert refused.value.entry == 2
    assert fought.state() == state


def test_the_same_call_amends_once(fought: Table) -> None:
    key, version = fought.key(), fought.version
    first = fought.amend(2, hurt(50), key=key, version=version)
    assert fought.amend(2, hurt(50), key=key, version=version) == first
    assert fought.version == version + 1


def test_dice_that_never_fell_cannot_be_needed(thrown: Table) -> None:
    with pytest.raises(Conflict) as caught:
        thrown.amend(1, Give(points=60, reason="Bonus."))
    assert caught.value.code == "other_dice_needed"
    thrown.amend(1, Give(points=40, reason="Bonus."))
    assert thrown.state().sums[0] == 42


def test_any_game_is_amended_and_replayed_the_same_way(thrown: Table) -> None:
    thrown.decide("b", Throw(times=2))
    thrown.amend(2, Give(points=5, reason="Bonus."))
    assert thrown.state().sums == (2, 5 + 6 + 6)
    with pytest.raises(Refused):
        thrown.amend(2, Stop(reason="Prima."))
