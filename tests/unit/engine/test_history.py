"""A state is what comes of folding the decisions that stand."""

from typing import Any

import pytest

from app.engine.dice import Address, Dice, DiceError, Roll
from app.engine.findings import Finding
from app.engine.history import Decision, replay, standing
from app.engine.ruleset import Awaited, Forecast, Plan, Resolution, Ruleset


def _resolve(state: tuple[str, ...], order: str, dice: Dice) -> Resolution[tuple[str, ...]]:
    """Keep each order in the state, with the face of its die where it asks for one."""
    word = f"{order}{dice.face(Address(0), 12)}" if order.endswith("!") else order
    return Resolution((*state, word), (Finding("T-1", "kept", {"word": word}),))


def _never(*_: Any) -> Any:
    raise AssertionError("a replay only starts and resolves")


LOG: Ruleset[str, tuple[str, ...], str] = Ruleset(
    key="log",
    edition="1",
    setup=str,
    state=tuple,
    orders=(str,),
    check_setup=lambda setup: (),
    start=lambda setup: (setup,),
    awaits=lambda state: Awaited(seats=()),
    awaits_for=_never,
    choices=_never,
    check=_never,
    plan=lambda state, order: Plan(asked=(), findings=()),
    resolve=_resolve,
    view=_never,
    veils=_never,
    forecast=lambda state, order: Forecast(()),
)


def _folded(*decisions: Decision[str]) -> tuple[str, ...]:
    return replay(LOG, "start", decisions).state


def _said(number: int, order: str, **more: Any) -> Decision[str]:
    return Decision(number=number, order=order, **more)


def _void(number: int, of: int) -> Decision[str]:
    return Decision(number=number, order=None, voids=of)


def test_nothing_decided_is_the_start_without_findings() -> None:
    assert replay(LOG, "start", ()) == Resolution(("start",), ())


def test_decisions_take_effect_in_the_order_in_which_they_were_taken() -> None:
    assert _folded(_said(1, "a"), _said(2, "b"), _said(3, "c")) == ("start", "a", "b", "c")


def test_the_findings_are_those_of_the_last_decision_in_effect() -> None:
    result = replay(LOG, "start", (_said(1, "a"), _said(2, "b"), _said(3, "c"), _void(4, 3)))
    assert [finding.facts["word"] for finding in result.findings] == ["b"]


def test_a_voided_decision_has_no_effect_and_the_others_keep_theirs() -> None:
    assert _folded(_said(1, "a"), _said(2, "b"), _void(3, 2), _said(4, "c")) == ("start", "a", "c")


def test_decisions_keep_their_own_dice_when_one_before_them_is_voided() -> None:
    rolls = (Roll(Address(0), 12, 5),), (Roll(Address(0), 12, 9),)
    one, two = _said(1, "x!", rolls=rolls[0]), _said(2, "y!", rolls=rolls[1])
    assert _folded(one, two) == ("start", "x!5", "y!9")
    assert _folded(one, two, _void(3, 1)) == ("start", "y!9")


def test_a_decision_without_its_die_is_a_defect() -> None:
    with pytest.raises(DiceError):
        _folded(_said(1, "x!", rolls=(Roll(Address(0), 24, 5),)))


def test_an_amendment_takes_effect_in_front_of_the_decision_it_names() -> None:
    rolls = (Roll(Address(0), 12, 7),)
    log = (_said(1, "a"), _said(2, "b!", rolls=rolls), _said(3, "fix", before=2))
    assert _folded(*log) == ("start", "a", "fix", "b!7")


def test_several_amendments_keep_their_own_order() -> None:
    log = (_said(1, "a"), _said(2, "fix", before=1), _said(3, "mend", before=1), _said(4, "b"))
    assert _folded(*log) == ("start", "fix", "mend", "a", "b")


def test_a_voided_amendment_has_no_effect() -> None:
    log = (_said(1, "a"), _said(2, "fix", before=1), _void(3, 2), _said(4, "b"))
    assert _folded(*log) == ("start", "a", "b")


def test_one_amendment_of_several_can_be_voided() -> None:
    log = (_said(1, "a"), _said(2, "fix", before=1), _said(3, "mend", before=1), _void(4, 2))
    assert _folded(*log) == ("start", "mend", "a")


def test_an_amendment_goes_with_the_decision_it_was_made_for() -> None:
    log = (_said(1, "a"), _said(2, "b"), _said(3, "fix", before=2), _void(4, 2))
    assert _folded(*log) == ("start", "a")


def test_what_stands_is_every_order_once_and_no_void() -> None:
    log = (
        _said(1, "a"),
        _said(2, "b"),
        _said(3, "fix", before=2),
        _said(4, "c"),
        _void(5, 4),
        _said(6, "d"),
    )
    assert [decision.number for decision in standing(log)] == [1, 3, 2, 6]


def test_a_log_may_be_read_once_only() -> None:
    log = iter((_said(1, "a"), _void(2, 1), _said(3, "b")))
    assert [decision.number for decision in standing(log)] == [3]
