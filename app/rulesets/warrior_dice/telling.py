"""A turn as it is played: its dice, its points of decision, and all that was found on the way.

A turn that has to wait for an answer is played anew from its beginning, with the dice that have
fallen and the answers that were given; so no rule has to know where it was interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.rulesets.warrior_dice.state import Asking, Midway
from app.rulesets.warrior_dice.terms import Phase

SIDES: Final = 10  # WD-1
_RULES: Final = {
    "doubler": "WD-A9",
    "face_option": "WD-39",
    "unholy_trade": "WD-76",
    "yield": "WD-61",
}
PLACES: Final = {Phase.BYSTANDERS: 0, Phase.ATTACK: 1, Phase.DEFENCE: 2}


class Paused(Exception):
    """The turn cannot go on without an answer."""

    def __init__(self, asking: Asking) -> None:
        super().__init__(asking.code)
        self.asking = asking


def place_of(turn: int, phase: Phase) -> int:
    """Give the place of a chain: each turn of a decision has three, the first is turn 0."""
    return len(PLACES) * turn + PLACES[phase]


def question(asking: Asking) -> Finding:
    """Tell what a turn waits for."""
    return Finding(_RULES[asking.code], "waits", {"code": asking.code, **dict(asking.facts)})


def answer(asking: Asking, choice: str, turn: int) -> Finding:
    """Tell what was answered, with which the turn goes on."""
    facts: Facts = {"turn": turn, "code": asking.code, "choice": choice, **dict(asking.facts)}
    return Finding(_RULES[asking.code], "answered", facts)


def asked(at: Address, phase: str, actor: str, targets: tuple[str, ...] = ()) -> Asked:
    """Describe a die as it is told: what it is thrown for, by whom and against whom."""
    return Asked(
        address=at,
        sides=SIDES,
        phase=phase,
        action=phase,
        actor=actor,
        targets=targets,
        items=(),
        tally=Tally(),
    )


@dataclass(slots=True)
class Telling:
    """What is told of one turn while it is played.

    ``turn`` counts the turns of the decision before it; ``asks`` is false where a duel runs to its
    end without asking anybody.
    """

    turn: int
    dice: Dice
    midway: Midway
    asks: bool = True
    faces: list[int] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    decided: list[tuple[int, str]] = field(default_factory=list)
    drawn: list[Asked] = field(default_factory=list)
    _counts: dict[Phase, int] = field(default_factory=dict)
    _points: int = 0

    def roll(self, phase: Phase, actor: str, target: str = "") -> tuple[int, Address | None]:
        """Throw the next die of a chain, or remember how it fell before the turn was paused.

        A die that fell before is no die of this decision, and has no address in it.
        """
        self._counts[phase] = self._counts.get(phase, 0) + 1
        known, thrown = self.midway.faces, len(self.faces)
        if thrown < len(known):
            self.faces.append(known[thrown])
            return known[thrown], None
        place = place_of(self.turn, phase)
        at = Address(place, sum(one.address.place == place for one in self.drawn))
        face = self.dice.face(at, SIDES)
        self.faces.append(face)
        self.drawn.append(asked(at, phase, actor, (target,) if target else ()))
        return face, at

    def thrown(self, phase: Phase) -> int:
        """Count the dice of a chain."""
        return self._counts.get(phase, 0)

    def tell(self, finding: Finding) -> None:
        """Note what was found."""
        self.findings.append(finding)

    def decide(
        self,
        seat: str,
        code: str,
        choices: Sequence[str],
        default: str,
        facts: tuple[tuple[str, str], ...],
        *,
        asks: bool,
    ) -> str:
        """Give what was answered at this point of the turn, or what the standing order says.

        Where it says ``ask`` and nobody has answered yet, the turn pauses. What was decided before
        stays decided, whatever standing orders are changed in the meantime.
        """
        point = self._points
        self._points += 1
        decided = dict(self.midway.answers)
        if point in decided or not (asks and self.asks):
            choice = decided.get(point, default)
            self.decided.append((point, choice))
            return choice
        raise Paused(
            Asking(
                point=point,
                seat=seat,
                code=code,
                choices=tuple(choices),
                default=default,
                facts=facts,
            )
        )
