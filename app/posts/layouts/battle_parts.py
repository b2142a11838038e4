"""A turn of Battle Dice in its eight steps: to which of them each finding belongs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.engine.findings import Finding
from app.rulesets.battle_dice.tables import STEP_OF_POOL
from app.rulesets.battle_dice.terms import Pool, Step

_AFTER: Final = frozenset(
    {"army_after", "choice_asked", "ended_rout", "ended_annihilation", "ended_turn_cap"}
)


@dataclass(slots=True)
class Parts:
    """What a decision has found: ``before`` any turn, step by step, and how all stands ``after``.

    ``turn`` is 0 where no turn is played; ``resumed`` says that it had begun before.
    """

    turn: int = 0
    resumed: bool = False
    before: list[Finding] = field(default_factory=list)
    steps: dict[Step, list[Finding]] = field(default_factory=dict)
    after: list[Finding] = field(default_factory=list)


def parted(findings: Sequence[Finding]) -> Parts:
    """Deal findings out to the steps, in the order in which they were made."""
    parts = Parts()
    step: Step | None = None
    for one in findings:
        if one.key in ("turn_begins", "turn_resumed"):
            parts.turn = int(str(one.facts["turn"]))
            parts.resumed = one.key == "turn_resumed"
            step = Step(str(one.facts["step"])) if parts.resumed else Step.ROLL
        elif step is None:
            parts.before.append(one)
        elif one.key in _AFTER:
            parts.after.append(one)
        else:
            step = _step_of(one, step)
            parts.steps.setdefault(step, []).append(one)
    return parts


def _step_of(one: Finding, now: Step) -> Step:
    """Say to which step a finding belongs that was made in ``now``, or begins the next."""
    match one.key:
        case "points_compared":
            return STEP_OF_POOL[Pool(str(one.facts["pool"]))]
        case "hits" | "first_cancelled":
            return Step(str(one.facts["step"]))
        case "morale_tested" | "no_morale_test":
            return Step.MORALE
        case "rolled":
            return Step.ROLL
        case _:
            return Step.HEROES if now is Step.ROLL else now
