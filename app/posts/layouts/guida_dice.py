"""Which dice of a turn counted: each finding of a score names the die behind it (GC-2.28)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked

_COUNTERED: Final = ("generic_countered", "generic_not_countered")
_INDEPENDENT: Final = ("independent_in_time", "independent_outpaced")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A score that was found: whose, against whom, with which die; None is not told."""

    phase: str
    action: str | None
    actor: object
    other: object
    item: object
    face: object
    tally: object


def unused(
    findings: Sequence[Finding], asked: Sequence[Asked], rolls: Sequence[Roll]
) -> frozenset[Address]:
    """List the dice that fell for actions which were never carried out.

    A score is looked for with the very sum of the label first: only then with another one, since
    a label may be overtaken (GC-2.29).
    """
    faces = {roll.address: roll.face for roll in rolls}
    left = [die for die in asked if die.address in faces]
    scores = [score for finding in findings for score in _scores(finding)]
    for exactly in (True, False):
        waiting = []
        for die in left:
            found = next(
                (one for one in scores if _is_of(one, die, faces[die.address], exactly=exactly)),
                None,
            )
            if found is None:
                waiting.append(die)
            else:
                scores.remove(found)
        left = waiting
    return frozenset(die.address for die in left)


def launching(finding: Finding, asked: Sequence[Asked]) -> Asked | None:
    """Find the die of the Offensive Phase that an attack was launched with."""
    facts = finding.facts
    for die in asked:
        blow = die.phase == "offensive" and facts["name"] in die.items[:1]
        if blow and facts["target"] in die.targets:
            return die
    return None


def _scores(finding: Finding) -> Iterator[Score]:
    facts = finding.facts
    if finding.key.startswith("speed_"):
        yield Score(
            phase="defensive",
            action=str(facts["action"]),
            actor=facts["target"],
            other=facts["attacker"],
            item=None,
            face=facts["defend_die"],
            tally=facts["defend"],
        )
    elif finding.key in _INDEPENDENT:
        yield Score(
            phase="defensive",
            action="independent_secondary",
            actor=facts["target"],
            other=facts["attacker"],
            item=facts["secondary"],
            face=facts["defend_die"],
            tally=facts["defend"],
        )
    elif finding.key in _COUNTERED:
        yield Score(
            phase="defensive",
            action="generic_counterattack",
            actor=facts["countering"],
            other=facts["bearer"],
            item=None,
            face=facts["counter_die"],
            tally=facts["counter"],
        )
    elif finding.key == "attack_launched":
        yield Score(
            phase="offensive",
            action=None,
            actor=facts["attacker"],
            other=facts["target"],
            item=facts["name"],
            face=facts["hit_die"],
            tally=facts["hit"],
        )
    elif finding.key == "generic_launched":
        yield Score(
            phase="offensive",
            action=str(facts["action"]),
            actor=facts["bearer"],
            other=None,
            item=facts["name"] or None,
            face=facts["success_die"],
            tally=facts["success"],
        )


def _is_of(score: Score, die: Asked, face: int, *, exactly: bool) -> bool:
    return (
        score.phase == die.phase
        and score.action in (None, die.action)
        and score.actor == die.actor
        and (score.other is None or score.other in die.targets)
        and (score.item is None or score.item in die.items[:1])
        and score.face == face
        and (not exactly or score.tally == die.tally)
    )
