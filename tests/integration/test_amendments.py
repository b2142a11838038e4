"""Amendments: the Master corrects what came before the last turn, and the same dice meet it."""

from __future__ import annotations

import pytest

from app.rulesets.guida.rulings import (
    Close,
    SetValue,
)
from app.rulesets.guida.terms import Change
from app.services import amending, reviews, scenes
from app.services.access import ANONYMOUS
from app.services.desk_shapes import Reviewing, Verdict
from app.services.entry_shapes import (
    EntryRead,
)
from app.services.errors import Conflict, Malformed, NotFound, Refused, Stale
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


def test_any_decision_in_effect_can_be_amended_and_all_after_it_is_played_anew(
    fought: Table,
) -> None:
    fought.decide("hollow", attack())
    fought.dodge()
    first, state = entry(fought, 4), fought.state()
    fought.amend(2, hurt(50))
    assert fought.state() != state
    assert entry(fought, 2).amended_by == (5,)
    again = entry(fought, 4)
    assert again.rolls == first.rolls
    assert again.first_findings == first.findings != again.findings
    fought.void()
    assert (fought.state(), entry(fought, 4).findings) == (state, first.findings)


def test_what_is_not_in_effect_cannot_be_amended(fought: Table) -> None:
    fought.amend(2, hurt(50))
    fought.void()
    fought.void()
    for number in (2, 3, 4, 5):  # taken back, an amendment that was, and what took them back
        with pytest.raises(Conflict) as caught:
            fought.amend(number, hurt(50))
        assert (caught.value.code, caught.value.facts) == ("not_in_effect", {"entry": number})
    with pytest.raises(NotFound):
        fought.amend(9, hurt(50))
    assert fought.amend(1, hurt(50)).number == 6


def test_a_decision_far_behind_that_would_become_illegal_is_named(fought: Table) -> None:
    fought.decide("hollow", attack())
    fought.dodge()
    state = fought.state()
    with pytest.raises(Refused) as refused:
        fought.amend(1, Close(reason="Era già finita."))
    assert refused.value.entry == 1
    with pytest.raises(Refused) as refused:
        fought.amend(4, Close(reason="Era già finita."))
    assert refused.value.entry == 4
    assert fought.state() == state


def approve(table: Table, *numbers: int) -> None:
    """Approve turns."""
    for number in numbers:
        wanted = Reviewing(verdict=Verdict.APPROVED, version=0, key=table.key())
        reviews.review(table.db, table.world, table.gm, table.id, number, wanted)


def states(table: Table, *numbers: int) -> list[str]:
    """Tell how turns stand on the desk."""
    return [
        reviews.read_review(table.db, table.gm, table.id, number).state.value for number in numbers
    ]


def test_exactly_the_approvals_of_turns_that_change_are_collected_anew(fought: Table) -> None:
    fought.decide("hollow", attack())
    fought.dodge()
    approve(fought, 1, 2, 3, 4)
    preview = amending.preview_amendment(fought.db, fought.world, fought.gm, fought.id, 2, hurt(50))
    assert [one.number for one in preview.entries if one.reopens] == [2, 4]
    lost = next(one for one in preview.numbers if one.path.endswith("hp_now"))
    assert (lost.seat, lost.who) == ("quincy", "Quincy")
    assert states(fought, 1, 2, 3, 4) == ["approved"] * 4
    fought.amend(2, hurt(50))
    assert states(fought, 1, 2, 3, 4) == ["approved", "open", "approved", "open"]
    assert str(fought.state().who("quincy").hp_now) == lost.after
    assert reviews.read_review(fought.db, fought.gm, fought.id, 4).decisions[-1].cause == 5
    fought.void()
    assert states(fought, 2, 4) == ["open", "open"]


def test_an_amendment_taken_back_collects_approvals_again(fought: Table) -> None:
    fought.amend(2, hurt(50))
    approve(fought, 1, 2)
    fought.void()
    assert states(fought, 1, 2) == ["approved", "open"]


def test_a_preview_stores_nothing_and_throws_nothing(fought: Table) -> None:
    version, thrown = fought.version, list(fought.world.thrown)
    amending.preview_amendment(fought.db, fought.world, fought.gm, fought.id, 1, hurt(50))
    assert (fought.version, fought.world.thrown) == (version, thrown)
    with pytest.raises(NotFound):
        amending.preview_amendment(
            fought.db, fought.world, fought.players["hollow"], fought.id, 1, hurt(50)
        )
    with pytest.raises(Refused):
        amending.preview_amendment(
            fought.db, fought.world, fought.gm, fought.id, 2, Close(reason="Finita.")
        )


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
    assert (caught.value.code, caught.value.facts) == ("other_dice_needed", {"entry": 1})
    thrown.amend(1, Give(points=40, reason="Bonus."))
    assert thrown.state().sums[0] == 42


def test_any_game_is_amended_and_replayed_the_same_way(thrown: Table) -> None:
    thrown.decide("b", Throw(times=2))
    thrown.amend(2, Give(points=5, reason="Bonus."))
    assert thrown.state().sums == (2, 5 + 6 + 6)
    with pytest.raises(Refused):
        thrown.amend(2, Stop(reason="Prima."))
