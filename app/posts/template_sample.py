"""A sample turn, with something in every part of it: templates are tried and shown with it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from app.engine.dice import Address, Roll
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Asked
from app.engine.seal import SCHEME
from app.engine.tally import Tally, Term
from app.posts.phrases import SERVICE, say
from app.posts.write import PostSource
from app.rulesets.guida.terms import Action, Phase, Stack, Stat

RULESET: Final = "guida"
_WHO: Final = "Kaito Arashi"
_WHOM: Final = "Nera di Valle"
_STATS: Final = dict(zip(Stat, ((14, 2), (12, 0), (9, -1), (11, 3)), strict=True))


@dataclass(frozen=True, slots=True)
class Story:
    """The story of the sample."""

    initial: str
    defensive: str
    offensive: str


def sample(language: str, *, live: bool) -> PostSource:
    """Give the sample in a language, its dice ``live`` for the forum to roll, or fallen."""

    def told(key: str) -> str:
        return say(language, SERVICE, "sample", key)

    asked = (
        _asked(1, Phase.DEFENSIVE, Action.DODGE, told("dash"), Fraction(7)),
        _asked(2, Phase.OFFENSIVE, Action.ATTACK, told("blade"), Fraction(9)),
    )
    rolls = (Roll(asked[0].address, 12, 11), Roll(asked[1].address, 12, 8))
    return PostSource(
        ruleset=RULESET,
        language=language,
        findings=tuple(_findings(told("dash"), told("blade"))),
        asked=asked,
        rolls=None if live else rolls,
        narration=Story(told("initial"), told("defensive"), told("offensive")),
        provenance="forum" if live else "service",
        proof=None
        if live
        else {"scheme": SCHEME, "roll": 3, "line": 17, "head": "5f0c" * 16, "seed": "a1b2" * 16},
        numbered=asked,
    )


def _asked(place: int, phase: Phase, action: Action, item: str, bonus: Fraction) -> Asked:
    return Asked(
        address=Address(place),
        sides=12,
        phase=phase,
        action=action,
        actor=_WHO,
        targets=(_WHOM,),
        items=(item,),
        tally=Tally(
            (
                Term("GC-4.6", "distance", Fraction(2), name="0–5 m"),
                Term("GC-4.33", "dexterity", bonus - 2),
            )
        ),
    )


def _findings(dash: str, blade: str) -> list[Finding]:
    vitals: Facts = {
        "bearer": _WHO,
        "link": "https://forum.example/?t=1024",
        "turn": 3,
        "hp": 72,
        "max_hp": 100,
        "ep": 41,
        "max_ep": 60,
    }
    return [
        Finding("GC-1.2", "vitals", vitals),
        *(
            Finding("GC-1.3", "stat", {"stat": stat, "base": base, "points": points})
            for stat, (base, points) in _STATS.items()
        ),
        Finding("GC-1.4", "line_damage", {"name": blade, "amount": -12}),
        Finding("GC-1.4", "line_expense", {"name": dash, "amount": -5}),
        Finding(
            "GC-11.4",
            "stacks_end",
            {"bearer": _WHO, "amount": 2, "stack": Stack.STUN},
            phase=Phase.INITIAL,
        ),
        Finding(
            "GC-4.48",
            "attack_avoided",
            {"target": _WHO, "name": blade, "attacker": _WHOM},
            phase=Phase.DEFENSIVE,
            die=Address(1),
        ),
        Finding(
            "GC-10.1",
            "moved",
            {"who": _WHO, "other": _WHOM, "before": 8, "metres": 3},
            phase=Phase.OFFENSIVE,
            die=Address(2),
        ),
    ]
