"""Decisions are the truth: a state is what comes of folding them, voids and all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic

from app.engine.dice import RecordedDice, Roll
from app.engine.ruleset import Order, Resolution, Ruleset, Setup, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Generic[Order]):
    """One accepted order with its dice.

    ``voids`` names the decision this one takes back (it has no order then); ``before`` names the
    decision in front of which a Master's order takes effect, so that the same dice meet a
    corrected state.
    """

    number: int
    order: Order | None
    rolls: tuple[Roll, ...] = ()
    voids: int | None = None
    before: int | None = None


def standing(decisions: Iterable[Decision[Order]]) -> tuple[Decision[Order], ...]:
    """Put decisions in the order in which they take effect, without those that were taken back."""
    log = tuple(decisions)
    void = {decision.voids for decision in log}
    kept = [one for one in log if one.order is not None and one.number not in void]
    lines: list[Decision[Order]] = []
    for decision in kept:
        if decision.before is None:
            lines += [one for one in kept if one.before == decision.number]
            lines.append(decision)
    return tuple(lines)


def replay(
    ruleset: Ruleset[Setup, State, Order], setup: Setup, decisions: Iterable[Decision[Order]]
) -> Resolution[State]:
    """Fold a scene from its set-up; the findings are those of the last decision in effect."""
    result = Resolution(ruleset.start(setup), ())
    for decision in standing(decisions):
        if decision.order is not None:
            dice = RecordedDice(decision.rolls)
            result = ruleset.resolve(result.state, decision.order, dice)
    return result
