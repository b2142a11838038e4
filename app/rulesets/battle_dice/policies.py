"""Default orders: in which order dice are lost, hit, taken, turned and brought back (BD-A1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Final

from app.rulesets.battle_dice.course import Choice
from app.rulesets.battle_dice.field import Die, Field, Host
from app.rulesets.battle_dice.options import SetToOneBy
from app.rulesets.battle_dice.orders import Policy
from app.rulesets.battle_dice.state import Pick
from app.rulesets.battle_dice.tables import CHOSEN_ROW
from app.rulesets.battle_dice.terms import Ask, Kind, Manoeuvre, Step

EXPENDABLE: Final = (Kind.D6, Kind.D8, Kind.D10, Kind.D12, Kind.D4, Kind.D20)  # BD-A1
PRECIOUS: Final = (Kind.D20, Kind.D12, Kind.D10, Kind.D8, Kind.D4, Kind.D6)  # BD-A1
TO_ONE: Final = (Kind.D8, Kind.D6, Kind.D12, Kind.D10, Kind.D4)  # AMB-BD-1
SHOTS: Final = {Step.MISSILE: Kind.D8, Step.COMBAT: Kind.D6}


def filled(given: Policy, standing: Policy) -> Policy:
    """Let orders be completed by the standing ones (BD-A3)."""
    left_open = {
        one.name: getattr(standing, one.name)
        for one in fields(Policy)
        if getattr(given, one.name) in (None, ())
    }
    return replace(given, **left_open)


def casualties(field: Field, place: int, count: int, of: Iterable[Die] | None = None) -> Choice:
    """Let the owner choose his own losses (BD-11), the most expendable first.

    Dice with a pending success are spared unless the player says otherwise (BD-A1, AMB-BD-22).
    """
    if not count:
        return Choice(place, Ask.CASUALTIES, 0, ())
    host = field.hosts[place]
    spares = host.policy.spare_pending is not False
    kinds = _order(host.policy.casualties, EXPENDABLE)
    dice = sorted(
        host.dice if of is None else of,
        key=lambda die: (
            spares and field.is_pending(place, die),
            kinds.index(die.kind),
            die.result or 0,
        ),
    )
    return Choice(place, Ask.CASUALTIES, min(count, len(dice)), _picks(field, place, dice))


def target(field: Field, place: int, count: int = 1) -> Choice:
    """Let a player choose which enemy die to destroy (BD-M7, BD-H6.1)."""
    enemy = field.hosts[1 - place]
    kinds = _order(field.hosts[place].policy.target, PRECIOUS)
    dice = _best(field, 1 - place, enemy.dice, kinds)
    return Choice(place, Ask.TARGET, min(count, len(dice)), _picks(field, 1 - place, dice))


def control(field: Field, place: int, count: int) -> Choice:
    """Let a player choose which enemy dice to take over (BD-M5)."""
    enemy = field.hosts[1 - place]
    kinds = _order(field.hosts[place].policy.control, PRECIOUS)
    dice = _best(field, 1 - place, enemy.dice, kinds)
    return Choice(place, Ask.CONTROL, min(count, len(dice)), _picks(field, 1 - place, dice))


def to_one(field: Field, place: int, count: int) -> Choice:
    """Choose the enemy results that become 1: the player who does it, or their owner (AMB-BD-1).

    Only results that are yet to be read, no heroes' and none that is 1 already (AMB-BD-2).
    """
    enemy = field.hosts[1 - place]
    dice = [
        die
        for die in enemy.dice
        if die.kind is not Kind.D20 and (die.result or 1) > 1 and not field.is_read(die.kind)
    ]
    if field.options.set_to_one_by is SetToOneBy.OWNER:
        choice = casualties(field, 1 - place, count, dice)
        return replace(choice, ask=Ask.SET_TO_ONE)
    kinds = _order(field.hosts[place].policy.set_to_one, (*TO_ONE, Kind.D20))
    best = _best(field, 1 - place, dice, kinds)
    picks = _picks(field, 1 - place, best)
    return Choice(place, Ask.SET_TO_ONE, min(count, len(best)), picks)


def restored(field: Field, place: int, count: int) -> Choice:
    """Let the owner choose which lost dice come back (AMB-BD-9), never more than were lost."""
    host = field.hosts[place]
    kinds = _order(host.policy.restore, PRECIOUS)
    dice = sorted(host.lost, key=lambda die: kinds.index(die.kind))
    return Choice(place, Ask.RESTORE, min(count, len(dice)), _picks(field, place, dice))


def summoned(field: Field, place: int) -> Choice:
    """Let the caster choose one kind (AMB-BD-12): heroes only of his own type, if at all."""
    host = field.hosts[place]
    heroes = bool(host.hero) and field.options.summon_heroes
    kinds = [kind for kind in Kind if kind is not Kind.D20 or heroes]
    wanted = host.policy.summon if host.policy.summon in kinds else Kind.D6
    kinds.sort(key=lambda kind: kind is not wanted)
    return Choice(place, Ask.SUMMON, 1, tuple(Pick(id=kind) for kind in kinds))


def free_row(field: Field, place: int) -> Choice:
    """Choose one of the four other rows of the manoeuvre table (BD-V5, AMB-BD-19)."""
    wanted = field.hosts[place].policy.free_choice or Manoeuvre.CHARGE
    rows = sorted(CHOSEN_ROW, key=lambda row: row is not wanted)
    return Choice(place, Ask.FREE_CHOICE, 1, tuple(Pick(id=row) for row in rows))


def first_step(field: Field, place: int) -> Choice:
    """Choose the step to go first in: the one with more hits of one's own, or Combat."""
    host = field.hosts[place]
    wanted = host.policy.initiative_step
    if wanted not in SHOTS:
        more = own_hits(field, host, Step.MISSILE) > own_hits(field, host, Step.COMBAT)
        wanted = Step.MISSILE if more else Step.COMBAT
    steps = sorted(SHOTS, key=lambda step: step is not wanted)
    return Choice(place, Ask.INITIATIVE, 1, tuple(Pick(id=step) for step in steps))


def own_hits(field: Field, host: Host, step: Step) -> int:
    """Count what a side hits in a step: its dice that score, and losses due there (AMB-BD-16)."""
    return host.scoring(SHOTS[step]) + due_in(field, host, step)


def due_in(field: Field, host: Host, step: Step) -> int:
    """Add up the delayed losses of a step, those of heroes who are gone too unless ruled out."""
    here = {die.id for die in host.dice}
    needs = field.options.delayed_needs_hero
    return sum(
        due.count for due in host.due if due.step is step and (due.hero in here or not needs)
    )


def _best(field: Field, owner: int, dice: Iterable[Die], kinds: tuple[Kind, ...]) -> list[Die]:
    """Put dice with a pending success first, then by kind, then by the higher result (BD-A1)."""
    return sorted(
        dice,
        key=lambda die: (
            not field.is_pending(owner, die),
            kinds.index(die.kind),
            -(die.result or 0),
        ),
    )


def _order(wanted: tuple[Kind, ...], default: tuple[Kind, ...]) -> tuple[Kind, ...]:
    """Complete a list by the kinds that it leaves out, in default order."""
    return tuple(dict.fromkeys((*wanted, *default)))


def _picks(field: Field, owner: int, dice: Iterable[Die]) -> tuple[Pick, ...]:
    return tuple(
        Pick(
            id=str(die.id),
            kind=die.kind,
            result=die.result,
            hero=die.hero,
            pending=field.is_pending(owner, die),
        )
        for die in dice
    )
