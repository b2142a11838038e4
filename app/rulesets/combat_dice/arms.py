"""Weapons that are drawn, thrown or lying about (AMB-CD-20, CD-A14, CD-A18)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Violation
from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.state import CombatFighter
from app.rulesets.combat_dice.tables import HELD_AS, MISSILES, THROWN_AS
from app.rulesets.combat_dice.terms import Weapon


def held_form(weapon: Weapon) -> Weapon:
    """Give a weapon as it is carried: a thrown spear is a spear (AMB-CD-20)."""
    return HELD_AS.get(weapon, weapon)


def at_hand(who: CombatFighter) -> tuple[Weapon, ...]:
    """List what a fighter may take in hand besides a struck weapon: nothing on the ground."""
    ground = Counter(held_form(one) for one in who.conditions.dropped)
    if who.conditions.disarmed:
        ground[held_form(who.weapon)] += 1
    found: list[Weapon] = []
    # The copies on the ground are the first of their kind: which of two equals lies there is
    # nobody's business.
    for one in who.weapons:
        if ground[held_form(one)]:
            ground[held_form(one)] -= 1
        else:
            found.append(one)
    return tuple(found)


def is_ready(who: CombatFighter, weapon: Weapon) -> bool:
    """Say whether a weapon is at hand in the form that is named (AMB-CD-20)."""
    return any(
        weapon in (one, held_form(one), THROWN_AS.get(held_form(one))) for one in at_hand(who)
    )


def check_weapon(who: CombatFighter, orders: CombatOrders) -> Iterator[Violation]:
    """List what is wrong with the weapon that is declared (AMB-CD-20, CD-A14)."""
    weapon = orders.weapon
    if weapon is None or weapon is Weapon.UNARMED:
        return
    same = held_form(weapon) is held_form(who.weapon)
    if is_ready(who, weapon) or (same and who.weapon is not Weapon.UNARMED and _goes_on(who)):
        return
    carried = any(held_form(one) is held_form(weapon) for one in who.weapons)
    facts = {"name": who.name, "weapon": weapon}
    if carried:
        yield Violation("CD-D5", "weapon_on_the_ground", "weapon", facts)
    else:
        yield Violation("CD-5", "weapon_not_carried", "weapon", facts)


def take_up(who: CombatFighter, weapon: Weapon | None) -> tuple[CombatFighter, bool]:
    """Take the declared weapon in hand; say whether it is a spare that ends a Disarm (CD-A14)."""
    if weapon is None:
        return who, False
    have = who.conditions
    if have.disarmed and weapon is not Weapon.UNARMED and is_ready(who, weapon):
        on_ground = (*have.dropped, held_form(who.weapon))
        freed = replace(have, disarmed=False, dropped=on_ground)
        return replace(who, weapon=weapon, conditions=freed), True
    if have.disarmed and weapon is Weapon.UNARMED:
        # Whoever gives the struck weapon up fights with bare hands, and it stays where it lies.
        on_ground = (*have.dropped, held_form(who.weapon))
        freed = replace(have, disarmed=False, dropped=on_ground)
        return replace(who, weapon=weapon, conditions=freed), False
    return replace(who, weapon=weapon), False


def lose_thrown(who: CombatFighter) -> CombatFighter:
    """Let a thrown weapon leave the hand; the first one at hand takes its place (CD-A18)."""
    left = list(who.weapons)
    gone = next(one for one in left if held_form(one) is held_form(who.weapon))
    left.remove(gone)
    rest = replace(who, weapons=tuple(left), weapon=Weapon.UNARMED)
    return replace(rest, weapon=next(iter(at_hand(rest)), Weapon.UNARMED))


def can_shoot(who: CombatFighter) -> bool:
    """Say whether a bow, a thrown weapon, a spear or a dagger is ready (CD-A17)."""
    ready = at_hand(who)
    if who.conditions.disarmed and who.weapon is Weapon.BOW:
        ready = (*ready, Weapon.BOW)
    return any(one in MISSILES or one in THROWN_AS for one in ready)


def _goes_on(who: CombatFighter) -> bool:
    """Say whether a fighter may go on with a weapon in use, even a struck one (AMB-CD-15)."""
    return any(held_form(one) is held_form(who.weapon) for one in who.weapons)
