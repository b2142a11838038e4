"""Where somebody is to post from, with what on offer, and the changes of place that are legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor
from random import Random
from typing import Any, TypeVar

from app.rulesets.guida.initial import open_turn
from app.rulesets.guida.offers import Choices, DefenceChoice
from app.rulesets.guida.orders import Suspended, Turn
from app.rulesets.guida.places import Move, Reach
from app.rulesets.guida.state import Scene
from app.rulesets.guida.uses import is_known

T = TypeVar("T")


@dataclass(frozen=True)
class Stand:
    """Who is to post, from where, with what on offer."""

    pick: Random
    scene: Scene
    offered: Choices
    suspended: tuple[Suspended, ...] = ()

    @property
    def seat(self) -> str:
        """Name who is to post."""
        return self.offered.seat

    def often(self, of_ten: int) -> bool:
        """Say yes in so many of ten cases."""
        return self.pick.randint(1, 10) <= of_ten

    def some(self, things: Sequence[T], most: int = 2) -> tuple[T, ...]:
        """Pick a few things, mostly none."""
        count = self.pick.choice((0, 0, 1, most))
        return tuple(self.pick.sample(list(things), min(count, len(things))))

    def freed(self) -> Stand:
        """Give the same after an attempt to break free."""
        return replace(self, offered=self.offered.if_freed or self.offered)


def stands(pick: Random, scene: Scene, offered: Choices) -> list[Stand]:
    """List what may be decided about suspended actions, with what is on offer then."""
    seat = offered.seat
    assert offered.obstacles == (), offered.obstacles
    if not offered.suspended:
        opened = open_turn(scene, Turn(by=seat)).scene
        return [Stand(pick, opened, offered)]
    made = []
    for confirm, then in ((False, offered), (True, offered.if_confirmed)):
        if then is not None:
            chosen = tuple(Suspended(action=one.id, confirm=confirm) for one in offered.suspended)
            opened = open_turn(scene, Turn(by=seat, suspended=chosen)).scene
            made.append(Stand(pick, opened, then, chosen))
    return made


def a_move(stand: Stand, reach: Any = None, *, leaves: bool = False) -> Move | None:
    """Pick a change of place within a reach, within limits, and inside areas one cannot leave."""
    offered, scene = stand.offered, stand.scene
    if offered.stays:
        return None
    # Once it is answered, what came at one gives nobody away any more.
    scene = replace(scene, incoming=tuple(o for o in scene.incoming if o.target != stand.seat))
    who = scene.who(stand.seat)
    limits = {one.user: floor(one.metres) for one in offered.limits}
    known = [
        one.id for one in scene.combatants if one.id != who.id and is_known(scene, who, one.id)
    ]
    areas = {one.id: one for one in offered.areas}
    steps = []
    for id in (*known, *areas):
        now = scene.metres(who.id, id)
        most = 25 if reach is None else reach
        low, high = max(0, ceil(now - most)), min(floor(now + most), limits.get(id, 99999))
        area = areas.get(id)
        if area and area.inside and not leaves and not offered.moves_leave_areas:
            high = min(high, area.radius_m)
        if low <= high and stand.often(6):
            steps.append(Reach(to=id, metres=stand.pick.randint(low, high)))
    behind = tuple(one.to for one in steps if one.to in known and stand.often(1))
    return Move(distances=tuple(steps), behind=behind) if steps else None


def between(stand: Stand, choice: DefenceChoice, covered: Sequence[str]) -> Move | None:
    """Step onto attacker and ally, as near as constraints and areas let one."""
    met = [one.attack for one in stand.offered.at_allies if one.attack.id in covered]
    if choice.reach_m is not None:  # with an ally: not away from anybody
        here = floor(stand.scene.metres(stand.seat, met[0].attacker))
        return Move(distances=(Reach(to=met[0].attacker, metres=here),))
    places = dict.fromkeys(place for one in met for place in (one.attacker, one.target))
    return Move(distances=tuple(Reach(to=place, metres=0) for place in places))
