"""A ruling that comes late: put in front of the post it is about, which meets it with its dice."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.dice import Address, Roll
from app.engine.history import Decision, replay
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Order,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Manual,
    Place,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Change, Claim, Stat
from tests.unit.guida.build import (
    by_master,
    coming,
    due,
    entrant,
    guard,
    hit,
    keys,
    main_roll,
    setup,
    turn,
)

SETUP = setup(entrant("ada"), entrant("bo"), underway=(coming(modifier=14),), first="bo")
GUARDED: Decision[Order] = Decision(
    number=1,
    order=turn("bo", guard("a1"), main=hit("ada")),
    rolls=(Roll(Address(0), 24, 20), main_roll(7)),
)


def late(order: type[Any], number: int = 2, before: int = 1, **more: Any) -> Decision[Order]:
    """Have the Master rule in front of a post."""
    return Decision(number=number, order=by_master(order, **more), before=before)


def folded(*decisions: Decision[Order], start: Any = SETUP) -> Scene:
    """Give the scene that comes of decisions."""
    return replay(GUIDA, start, decisions).state


INADEQUATE = late(Adequacy, attack="a1", defence=Action.GUARD, adequate=False)


def test_an_inadequate_guard_found_out_late_fails_with_the_die_it_had() -> None:
    assert due(folded(GUARDED), "bo") == [-10]
    assert len(folded(GUARDED).incoming) == 1
    amended = replay(GUIDA, SETUP, (GUARDED, INADEQUATE))
    assert due(amended.state, "bo") == [-20]
    assert amended.state.incoming == ()
    assert {"defence_inadequate", "offensive_annulled"} <= keys(amended.findings)


def test_taking_the_late_ruling_back_restores_what_was() -> None:
    back: Decision[Order] = Decision(number=3, order=None, voids=2)
    assert folded(GUARDED, INADEQUATE, back) == folded(GUARDED)


def test_voiding_the_post_takes_its_late_ruling_along() -> None:
    void: Decision[Order] = Decision(number=3, order=None, voids=1)
    assert folded(GUARDED, INADEQUATE, void) == GUIDA.start(SETUP)


def test_the_die_of_an_annulled_action_stays_on_record_and_counts_again() -> None:
    lost: Decision[Order] = Decision(
        number=1, order=GUARDED.order, rolls=(Roll(Address(0), 24, 1), main_roll(7))
    )
    assert folded(lost).incoming == ()
    nearer = late(Manual, combatant="bo", change=Change.POINTS, amount=7, stat=Stat.DEXTERITY)
    assert [attack.die for attack in folded(lost, nearer).incoming] == [7]


def test_a_place_corrected_late_changes_the_score_of_the_post_behind_it() -> None:
    far = late(Place, distances=(Distance(a="ada", b="bo", metres=30),))
    assert folded(GUARDED).incoming[0].hit_score == 7 + 2 + 10
    assert folded(GUARDED, far).incoming[0].hit_score == 7 - 4 + 10


@pytest.mark.parametrize(
    "ruling",
    [
        late(Place, 3, distances=(Distance(a="ada", b="bo", metres=30),)),
        late(Adequacy, 3, attack="a1", defence=Action.DODGE, adequate=False),
        late(Manual, 3, combatant="bo", change=Change.HP, amount=-1),
        late(Manual, 3, combatant="bo", change=Change.POINTS, amount=1, stat=Stat.DEXTERITY),
    ],
    ids=lambda ruling: type(ruling.order).__name__,
)
def test_what_was_answered_about_a_post_still_fits_it_after_a_late_ruling(
    ruling: Decision[Order],
) -> None:
    # The ids a post gives out must not move when a line is put in front of it: the answer that
    # was given to its question names them.
    claimed = turn("bo", guard("a1"), main=hit("ada", claims=(Claim.SURPRISE,)))
    post: Decision[Order] = Decision(number=1, order=claimed, rolls=GUARDED.rolls)
    (question,) = folded(post).questions
    denied = by_master(Answer, question=question.id, choice="deny")
    answer: Decision[Order] = Decision(number=2, order=denied)
    assert folded(post, answer).questions == ()
    amended = folded(post, answer, ruling)
    assert amended.questions == ()
    assert [term.key for term in amended.incoming[0].hit.terms].count("surprise") == 0
