"""From the entries of a scene to where they lead, with corrections counted in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.dice import MissingDie, RecordedDice, Roll
from app.engine.findings import Finding
from app.engine.history import Decision, replay, standing
from app.engine.ruleset import Asked, Said, Veil
from app.persistence.codec import load, union_of
from app.persistence.queries import Correction, LoggedOrder
from app.services.errors import Conflict, Refused
from app.services.games import Game
from app.services.shapes import (
    Status,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restated:
    """What an entry comes to after an amendment, with the dice it always had."""

    number: int
    asked: tuple[Asked, ...]
    findings: tuple[Finding, ...]
    veils: tuple[Veil, ...] = ()


@dataclass(frozen=True, slots=True)
class Corrections:
    """Which entries were taken back, amended or put into other words, by which others."""

    voided_by: Mapping[int, int]
    amended_by: Mapping[int, tuple[int, ...]]
    restated: Mapping[int, Restated]
    corrected_by: Mapping[int, tuple[int, ...]]

    @classmethod
    def of(cls, rows: Iterable[Correction]) -> Corrections:
        """Gather what voids, amendments and corrections of a scene say, in their order."""
        rows = tuple(rows)
        voided_by = {row.voids: row.number for row in rows if row.voids is not None}
        amended_by: dict[int, tuple[int, ...]] = {}
        restated: dict[int, Restated] = {}
        corrected_by: dict[int, tuple[int, ...]] = {}
        for row in rows:
            if row.corrects is not None:
                corrected_by[row.corrects] = (*corrected_by.get(row.corrects, ()), row.number)
            if row.before is None or row.number in voided_by:
                continue
            amended_by[row.before] = (*amended_by.get(row.before, ()), row.number)
            for one in load(tuple[Restated, ...], row.restated or "[]"):
                restated[one.number] = one
        return cls(voided_by, amended_by, restated, corrected_by)


def decisions_of(ruleset: Game, log: Iterable[LoggedOrder]) -> tuple[Decision[Any], ...]:
    """Read the decisions of a scene; a declared entry decides nothing yet."""
    return tuple(
        Decision(
            number=entry.number,
            order=None if entry.order is None else read_stored_order(ruleset, entry.order),
            rolls=() if entry.rolls is None else load(tuple[Roll, ...], entry.rolls),
            voids=entry.voids,
            before=entry.before,
        )
        for entry in log
        if entry.status == Status.RESOLVED
    )


def read_stored_order(ruleset: Game, text: str) -> Any:
    """Read an order that was stored."""
    return load(union_of(ruleset.orders), text)


def last_in_effect(log: Iterable[LoggedOrder]) -> int | None:
    """Name the last entry that nobody has taken back, if there is one."""
    entries = tuple(log)
    voided = {entry.voids for entry in entries}
    numbers = [
        entry.number for entry in entries if entry.order is not None and entry.number not in voided
    ]
    return max(numbers, default=None)


def can_be_amended(log: Iterable[LoggedOrder], number: int) -> bool:
    """Say whether an order can be put in front of an entry: a decision of its own, in effect."""
    entries = tuple(log)
    voided = {entry.voids for entry in entries}
    return any(
        entry.number == number
        and entry.order is not None
        and entry.before is None
        and entry.status == Status.RESOLVED
        and number not in voided
        for entry in entries
    )


def state_after(ruleset: Game, setup: Any, decisions: Iterable[Decision[Any]]) -> Any:
    """Give the state to which decisions lead."""
    return replay(ruleset, setup, decisions).state


def state_before(
    ruleset: Game, setup: Any, decisions: Iterable[Decision[Any]], amendment: Decision[Any]
) -> Any:
    """Give the state that an amendment meets."""
    state = ruleset.start(setup)
    for decision in standing((*decisions, amendment)):
        if decision is amendment:
            break
        state = ruleset.resolve(state, decision.order, RecordedDice(decision.rolls)).state
    return state


@dataclass(frozen=True, slots=True)
class Course:
    """How a scene goes: where it leads, and what each decision came to on the way.

    ``states`` has the state after each decision, ``restated`` what those came to that were checked.
    """

    state: Any
    states: Mapping[int, Any]
    findings: Mapping[int, tuple[Finding, ...]]
    restated: tuple[Restated, ...] = ()


def course_of(
    ruleset: Game,
    setup: Any,
    decisions: Iterable[Decision[Any]],
    amendment: Decision[Any] | None = None,
) -> Course:
    """Play a scene, with an amendment in it or as it stands; all turns keep their dice.

    From the amendment on every decision is checked anew. Raises Refused where the amendment, or a
    decision after it, is not legal then, and Conflict where one would need dice that never fell.
    """
    state = ruleset.start(setup)
    restated: list[Restated] = []
    states: dict[int, Any] = {}
    findings: dict[int, tuple[Finding, ...]] = {}
    reached = False
    for decision in standing(decisions if amendment is None else (*decisions, amendment)):
        reached = reached or decision is amendment
        asked: tuple[Asked, ...] = ()
        if reached:
            asked = _still_legal(ruleset, state, decision, amendment)
        try:
            resolution = ruleset.resolve(state, decision.order, RecordedDice(decision.rolls))
        except MissingDie as error:
            raise Conflict("other_dice_needed", {"entry": decision.number}) from error
        if reached and decision.order is not None:
            asked = resolution.drawn or asked
            said = Said(asked, resolution.findings)
            restated.append(
                Restated(
                    number=decision.number,
                    asked=asked,
                    findings=resolution.findings,
                    veils=ruleset.veils(state, resolution.state, decision.order.by, said),
                )
            )
        state = resolution.state
        states[decision.number] = state
        findings[decision.number] = resolution.findings
    return Course(state, states, findings, tuple(restated))


def _still_legal(
    ruleset: Game, state: Any, decision: Decision[Any], amendment: Decision[Any] | None
) -> tuple[Asked, ...]:
    if obstacles := ruleset.check(state, decision.order):
        raise Refused(obstacles, None if decision is amendment else decision.number)
    plan = ruleset.plan(state, decision.order)
    asked = plan.asked
    fallen = {(roll.address, roll.sides) for roll in decision.rolls}
    if not plan.draws and any((die.address, die.sides) not in fallen for die in asked):
        raise Conflict("other_dice_needed", {"entry": decision.number})
    return asked
