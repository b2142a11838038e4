"""One turn of eight steps, in the order of the book (BD-13)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.findings import Facts, Finding
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Die, Field, lay, taken_up
from app.rulesets.battle_dice.heroes import settle_heroes
from app.rulesets.battle_dice.morale import settle_test
from app.rulesets.battle_dice.options import Annihilation, IgnoreExpires
from app.rulesets.battle_dice.orders import Policy
from app.rulesets.battle_dice.points import settle_points
from app.rulesets.battle_dice.shots import settle_shots
from app.rulesets.battle_dice.state import Battle, Ended
from app.rulesets.battle_dice.terms import Cast, End, Kind, Pool, Step

POOL_STEPS: Final = {
    Step.COMMANDERS: Pool.TACTICAL,
    Step.MAGIC: Pool.MAGIC,
    Step.MOVEMENT: Pool.MANOEUVRE,
}


def play_turn(battle: Battle, policies: tuple[Policy, ...], course: Course) -> Battle:
    """Play a whole turn; raises Pause where a player has to be asked first."""
    course.say(Finding("BD-13", "turn_begins", {"turn": battle.turn}))
    field = _roll(lay(battle, policies), course)
    for step in (Step.HEROES, *POOL_STEPS, Step.MISSILE, Step.COMBAT):
        field = _settle(replace(field, step=step), course, step)
        checks = battle.options.annihilation is Annihilation.STEP or step is Step.COMBAT
        if checks and (ended := _annihilated(field, course)):  # BD-2, AMB-BD-21
            return _after(battle, field, course, ended)
    return _after(battle, field, course, _rout(replace(field, step=Step.MORALE), course))


def _roll(field: Field, course: Course) -> Field:
    """Roll all dice of both sides, kind by kind (BD-14)."""
    for place in (0, 1):
        host = field.hosts[place]
        rolled: dict[int, Die] = {}
        for kind in Kind:
            dice = [
                Die(
                    die.id,
                    kind,
                    die.hero,
                    course.face(field, place, Cast.ROLL, kind.sides, kind),
                    die.acts,
                )
                for die in host.of(kind)
            ]
            if not dice:
                continue
            rolled |= {die.id: die for die in dice}
            course.say(
                Finding(
                    "BD-14",
                    "rolled",
                    {
                        "side": host.name,
                        "kind": kind,
                        "faces": tuple(str(die.result) for die in dice),
                        "scoring": sum(map(host.scores, dice)),
                    },
                )
            )
        lying = tuple(rolled.get(die.id, die) for die in host.dice)
        field = field.put(place, replace(host, dice=lying))
    return field


def _settle(field: Field, course: Course, step: Step) -> Field:
    if step is Step.HEROES:
        return settle_heroes(field, course)
    if step in POOL_STEPS:
        return settle_points(field, course, POOL_STEPS[step])
    return settle_shots(field, course, step)


def _annihilated(field: Field, course: Course) -> Ended | None:
    """End the battle where an army is empty; both empty is a draw (BD-2, AMB-BD-21)."""
    left = [host for host in field.hosts if host.dice]
    if len(left) == 2:
        return None
    winner = left[0] if left else None
    facts: Facts = {"winner": winner.name if winner else None}
    course.say(Finding("BD-2", "ended_annihilation", facts, ruling="AMB-BD-21"))
    return Ended(how=End.ANNIHILATION, winner=winner.id if winner else None)


def _rout(field: Field, course: Course) -> Ended | None:
    """End the battle where an army routs; both at once is a draw (BD-2, BD-73)."""
    routed = settle_test(field, course)
    if not routed:
        return None
    winner = field.hosts[1 - routed[0]] if len(routed) == 1 else None
    course.say(Finding("BD-2", "ended_rout", {"winner": winner.name if winner else None}))
    return Ended(how=End.ROUT, winner=winner.id if winner else None)


def _after(battle: Battle, field: Field, course: Course, ended: Ended | None) -> Battle:
    """Give the battle as the turn leaves it."""
    keeps = battle.options.ignore_expires is IgnoreExpires.NEVER  # AMB-BD-5
    sides = []
    for side, host in zip(battle.sides, field.hosts, strict=True):
        after = taken_up(side, host if keeps else replace(host, ignore=0))
        sides.append(after)
        course.say(
            Finding(
                "BD-70",
                "army_after",
                {
                    "side": host.name,
                    "casualties": host.casualties,
                    "units": tuple(
                        f"{kind.upper()} ×{after.count(kind)}" for kind in Kind if after.count(kind)
                    ),
                    "total": after.total,
                },
            )
        )
    if ended is None and battle.turn >= battle.options.turn_cap:
        ended = _capped(field, course)
    return replace(battle, sides=tuple(sides), turn=battle.turn + 1, paused=None, ended=ended)


def _capped(field: Field, course: Course) -> Ended:
    """End the battle at the turn cap: more dice win (AMB-BD-29)."""
    first, second = (len(host.dice) for host in field.hosts)
    winner = None if first == second else field.hosts[0 if first > second else 1]
    facts: Facts = {"winner": winner.name if winner else None, "first": first, "second": second}
    course.say(Finding("AMB-BD-29", "ended_turn_cap", facts, ruling="AMB-BD-29"))
    return Ended(how=End.TURN_CAP, winner=winner.id if winner else None)
