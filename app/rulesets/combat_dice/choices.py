"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.findings import Obstacle
from app.engine.ruleset import GM, Seat
from app.rulesets.combat_dice.actions import actions_open, styled, styles_open
from app.rulesets.combat_dice.arms import check_weapon
from app.rulesets.combat_dice.objections import ANSWERS, awaited_places, check_asked
from app.rulesets.combat_dice.orders import ActionWish, CombatOrders
from app.rulesets.combat_dice.readings import RethrowDice
from app.rulesets.combat_dice.spells import check_spell
from app.rulesets.combat_dice.state import Combat, CombatFighter
from app.rulesets.combat_dice.tables import THROWN_AS
from app.rulesets.combat_dice.terms import (
    Action,
    Gladiator,
    Skill,
    Specialty,
    Spell,
    Stage,
    TwoWeapon,
    Weapon,
    When,
)

# CD-A20: the list of the rule document, offered ready-made.
READY_MADE = (
    ActionWish(action=Action.RETREAT, when=When.IF_HIT_TURNS_TO_MISS),
    ActionWish(action=Action.SHIELD_BASH, when=When.IF_MISS_TURNS_TO_HIT),
    ActionWish(action=Action.POMMEL_STRIKE, when=When.IF_MISS_TURNS_TO_HIT),
    ActionWish(action=Action.PARRY, when=When.IF_REDUCES_DAMAGE),
)
# CD-G2: advice for whoever carries a Net, not a rule.
AGAINST_A_FREE_FOE = CombatOrders(
    weapon=Weapon.NET, actions=(ActionWish(action=Action.RETREAT, when=When.IF_HIT_TURNS_TO_MISS),)
)
AGAINST_A_HELD_FOE = CombatOrders(
    weapon=Weapon.TRIDENT, actions=(ActionWish(action=Action.GRAPPLE),)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatChoices:
    """What one seat may decide now.

    ``orders`` names the kinds of orders; ``weapons``, ``spells`` and ``adrenaline`` are for sealed
    orders, ``ready_made`` a list of actions and ``advice`` whole orders to take or leave.
    ``styles`` and ``actions`` answer a pause over dice that lie; ``to_choose`` counts specialty
    dice whose kinds are open; ``rethrow_dice`` those of which some may be chosen.
    """

    seat: Seat
    orders: tuple[str, ...]
    obstacles: tuple[Obstacle, ...] = ()
    ranged: bool = False
    weapons: tuple[Weapon, ...] = ()
    spells: tuple[Spell, ...] = ()
    adrenaline: int = 0
    two_weapon: bool = False
    keeps: bool = False
    ready_made: tuple[ActionWish, ...] = ()
    advice: CombatOrders | None = None
    styles: tuple[TwoWeapon, ...] = ()
    actions: tuple[Action, ...] = ()
    rethrow_dice: int = 0
    to_choose: int = 0
    specialties: tuple[Specialty, ...] = ()


def choices(combat: Combat, seat: Seat) -> CombatChoices:
    """List what a seat may decide now."""
    place = combat.place_of(seat)
    if combat.stage is Stage.ENDED:
        return CombatChoices(seat=seat, orders=())
    if place is None:
        return CombatChoices(seat=seat, orders=_of_master(combat) if seat == GM else ())
    ending = ("resign",) if seat in combat.draws else ("resign", "draw")
    replaces = combat.stage is Stage.ORDERS
    if place not in awaited_places(combat) and not replaces:
        return CombatChoices(seat=seat, orders=ending, obstacles=tuple(check_asked(combat, place)))
    orders = (str(ANSWERS[combat.stage].__dict__["kind"]), *ending)
    return _offered(
        combat, place, CombatChoices(seat=seat, orders=orders, ranged=combat.ranged > 0)
    )


def _offered(combat: Combat, place: int, base: CombatChoices) -> CombatChoices:
    who = combat.fighters[place]
    match combat.stage:
        case Stage.ORDERS:
            return _for_orders(combat, place, base)
        case Stage.FINISH:
            return replace(
                base,
                to_choose=who.rolled or 0,
                specialties=tuple(Specialty),
                spells=tuple(one for one in Spell if one not in who.spells),
            )
        case Stage.RETHROW:
            some = combat.options.rethrow_dice is RethrowDice.SUBSET
            dice = len(combat.playing().sides[place].dice)
            return replace(base, rethrow_dice=dice if some else 0)
        case Stage.ACT:
            orders = combat.playing().sides[place].orders
            asked = orders.two_weapon is TwoWeapon.ASK
            return replace(
                base,
                styles=styles_open(combat, place) if asked else (),
                actions=actions_open(styled(combat, place), place) if orders.ask_action else (),
            )
        case _:
            return base


def _for_orders(combat: Combat, place: int, base: CombatChoices) -> CombatChoices:
    who, foe = combat.fighters[place], combat.fighters[1 - place]
    skilled = who.has(Skill.ADRENALINE_RUSH)
    most = min(combat.options.adrenaline_per_turn, who.hp - 1) if skilled else 0
    return replace(
        base,
        weapons=_weapons(who),
        spells=tuple(
            one for one in who.spells if not list(check_spell(combat, who, _casting(one)))
        ),
        adrenaline=max(0, most),
        two_weapon=who.has(Skill.TWO_WEAPON_STYLE),
        keeps=combat.options.rethrow_dice is RethrowDice.SUBSET,
        ready_made=READY_MADE,
        advice=_advice(who, held=foe.conditions.held),
    )


def _weapons(who: CombatFighter) -> tuple[Weapon, ...]:
    forms = dict.fromkeys(
        form for one in who.weapons for form in (one, THROWN_AS.get(one)) if form is not None
    )
    ready = (one for one in forms if not list(check_weapon(who, CombatOrders(weapon=one))))
    return (*ready, Weapon.UNARMED)


def _casting(spell: Spell) -> CombatOrders:
    return CombatOrders(spell=spell, aid_type=Specialty.STRENGTH if spell is Spell.AID else None)


def _advice(who: CombatFighter, *, held: bool) -> CombatOrders | None:
    """Offer the Retiarius' plan to whoever carries a Net (CD-G2); it is advice, not a rule."""
    if who.sheet.gladiator is not Gladiator.RETIARIUS and Weapon.NET not in who.weapons:
        return None
    plan = AGAINST_A_HELD_FOE if held else AGAINST_A_FREE_FOE
    return plan if plan.weapon in _weapons(who) else None


def _of_master(combat: Combat) -> tuple[str, ...]:
    if combat.stage in (Stage.BUILD, Stage.FINISH):
        return ("close",)
    if combat.stage is Stage.ORDERS:
        return ("deadline", "close", "set_value")
    return ("deadline", "close", "open") if combat.stage is Stage.OPEN else ("deadline", "close")
