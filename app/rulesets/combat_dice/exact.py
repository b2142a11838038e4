"""Exact odds of a plain combat (CD-22 to CD-24, AMB-CD-6, AMB-CD-25).

Where every turn is plain its law is the same until the end, so that the turns without any damage
can be counted apart: what comes of the first, second, third … turn with damage is followed state
by state, and how many such turns there are by turn t is binomial. No more than 19 of them fit into
two times 10 hit points, which bounds the work whatever the turn cap.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from app.engine.odds import Estimate, Method, Odds
from app.rulesets.combat_dice.blows import strikes_back
from app.rulesets.combat_dice.endings import by_share, coming_of, who_wins
from app.rulesets.combat_dice.law import Exchange, law_of
from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.readings import DamageDice, Stalemate
from app.rulesets.combat_dice.scores import attack_kind
from app.rulesets.combat_dice.setup import start
from app.rulesets.combat_dice.state import (
    PLACES,
    Combat,
    CombatFighter,
    CombatRound,
    CombatSetup,
    CombatSide,
)
from app.rulesets.combat_dice.terms import Attack, Skill, Stage

Points: TypeAlias = "tuple[int, int]"
"""The hit points of both."""
_Step: TypeAlias = "tuple[Mapping[Points, float], Mapping[str | None, float]]"
"""What a turn with damage leaves while both stand, and who wins where one does not."""


def solve(setup: CombatSetup) -> Odds | None:
    """Give the exact odds of a combat by default policies; None where not every turn is plain."""
    combat = start(setup)
    if not is_plain(combat):
        return None
    law: defaultdict[Exchange, float] = defaultdict(float)
    for (goes, mine, theirs), chance in law_of(combat).items():
        # Who goes first makes no difference unless both blows deal damage.
        law[goes if mine and theirs else None, mine, theirs] += chance
    quiet = law.pop((None, 0, 0), 0.0)
    eventful = 1 - quiet
    course = _Course(combat, {one: chance / eventful for one, chance in law.items()})
    course.follow()
    return _told(combat, course, eventful)


def is_plain(combat: Combat) -> bool:
    """Say whether a combat is plain from its first turn to its last.

    The damage table would bring conditions, ranged rounds other weapons, a Net holds, an escalated
    stalemate counts turns, and Two Weapon Style decides by the dice as they lie.
    """
    options = combat.options
    if combat.stage is not Stage.ORDERS or options.damage_dice is not DamageDice.OFF:
        return False
    if options.stalemate is not Stalemate.CAP:
        return False
    side = CombatSide(orders=CombatOrders())
    ready = replace(combat, round=CombatRound(sides=(side, side)))
    return all(
        attack_kind(ready, place) is Attack.WEAPON
        and not combat.fighters[place].has(Skill.TWO_WEAPON_STYLE)
        and coming_of(ready, place) == combat.fighters[place].conditions
        for place in PLACES
    )


@dataclass(slots=True)
class _Course:
    """What comes of a combat, turn with damage by turn with damage.

    ``law`` is that of such a turn. ``left[k]`` are the chances of the hit points after k of them
    while both stand, ``ended[k]`` those of each winner that the k-th one makes.
    """

    combat: Combat
    law: Mapping[Exchange, float]
    left: list[dict[Points, float]] = field(default_factory=list)
    ended: list[dict[str | None, float]] = field(default_factory=list)
    winners: dict[Points, str | None] = field(default_factory=dict)

    def follow(self) -> None:
        """Follow all turns with damage until nobody is left to strike."""
        first, second = (one.hp for one in self.combat.fighters)
        steps: dict[Points, _Step] = {}
        now: dict[Points, float] = {(first, second): 1.0}
        ended: dict[str | None, float] = {}
        while now:
            self.left.append(now)
            self.ended.append(ended)
            then: defaultdict[Points, float] = defaultdict(float)
            over: defaultdict[str | None, float] = defaultdict(float)
            for points, chance in now.items():
                if points not in steps:
                    steps[points] = self._step(points)
                left, won = steps[points]
                for after, share in left.items():
                    then[after] += chance * share
                for winner, share in won.items():
                    over[winner] += chance * share
            now, ended = then, over
        self.left.append({})
        self.ended.append(ended)

    def _step(self, points: Points) -> _Step:
        """Carry out both blows in their order (CD-18, AMB-CD-5), and see who is left standing."""
        left: defaultdict[Points, float] = defaultdict(float)
        over: defaultdict[Points, float] = defaultdict(float)
        dying = strikes_back(self.combat, tie=False)
        for (first, mine, theirs), chance in self.law.items():
            one, two = points[0] - theirs, points[1] - mine
            if first == 0 and two <= 0 and not dying:
                one = points[0]
            elif first == 1 and one <= 0 and not dying:
                two = points[1]
            (left if one > 0 and two > 0 else over)[one, two] += chance
        won: defaultdict[str | None, float] = defaultdict(float)
        for after, share in over.items():
            won[self._winner(after)] += share
        return left, won

    def _winner(self, points: Points) -> str | None:
        if points not in self.winners:
            self.winners[points] = who_wins(self.combat.options, _at(self.combat, points))
        return self.winners[points]


def _at(combat: Combat, points: Points) -> tuple[CombatFighter, CombatFighter]:
    first, second = combat.fighters
    return replace(first, hp=points[0]), replace(second, hp=points[1])


def _told(combat: Combat, course: _Course, eventful: float) -> Odds:
    """Sum up by how many turns with damage there are within the cap, each with this chance."""
    cap = combat.options.turn_cap
    wins: defaultdict[str | None, float] = defaultdict(float)
    most = len(course.left) - 1
    # counts[k]: the chance that so many of the turns so far had damage, the last meaning any more.
    counts = [1.0] + [0.0] * most
    standing = [sum(left.values()) for left in course.left]
    turns = 0.0
    for _ in range(cap):
        turns += sum(chance * share for chance, share in zip(counts, standing, strict=True))
        for number in range(most, 0, -1):
            kept = counts[number] * (1 - eventful) if number < most else counts[number]
            counts[number] = kept + counts[number - 1] * eventful
        counts[0] *= 1 - eventful
    reached = 0.0
    for number in range(most, 0, -1):
        reached += counts[number]
        for winner, share in course.ended[number].items():
            wins[winner] += reached * share
    capped: defaultdict[Points, float] = defaultdict(float)
    for chance, left in zip(counts, course.left, strict=True):
        for points, share in left.items():
            capped[points] += chance * share
    for points, share in capped.items():
        wins[by_share(_at(combat, points))] += share
    return Odds(
        method=Method.EXACT,
        wins=tuple((one.id, Estimate(wins[one.id])) for one in combat.fighters),
        draws=Estimate(wins[None]),
        capped=Estimate(sum(capped.values())),
        turns=Estimate(turns),
    )
