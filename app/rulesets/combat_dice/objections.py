"""What stands in the way of an order, all of it at once."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.findings import Fact, Obstacle, Violation
from app.engine.ruleset import GM, Awaited, Seat
from app.rulesets.combat_dice.actions import check_act
from app.rulesets.combat_dice.arms import check_weapon
from app.rulesets.combat_dice.correcting import check_hit_points
from app.rulesets.combat_dice.orders import (
    AnswerAction,
    AnswerRange,
    AnswerRethrow,
    BuildFighter,
    CloseCombat,
    CombatDeadline,
    CombatOrder,
    CombatOrders,
    FinishFighter,
    OfferCombatDraw,
    OpenCombat,
    ResignCombat,
    SetHitPoints,
)
from app.rulesets.combat_dice.readings import RethrowDice
from app.rulesets.combat_dice.setup import check_finish
from app.rulesets.combat_dice.spells import check_spell
from app.rulesets.combat_dice.state import PLACES, Combat, CombatFighter
from app.rulesets.combat_dice.terms import Skill, Stage, TwoWeapon

# Which order answers which stage.
ANSWERS: dict[Stage, type] = {
    Stage.BUILD: BuildFighter,
    Stage.FINISH: FinishFighter,
    Stage.OPEN: OpenCombat,
    Stage.ORDERS: CombatOrders,
    Stage.RETHROW: AnswerRethrow,
    Stage.ACT: AnswerAction,
    Stage.STAY: AnswerRange,
}


def awaited_places(combat: Combat) -> tuple[int, ...]:
    """List the places of those who may decide now."""
    match combat.stage:
        case Stage.BUILD:
            return tuple(
                place
                for place in PLACES
                if not combat.fighters[place].finished and combat.fighters[place].rolled is None
            )
        case Stage.FINISH:
            return tuple(place for place in PLACES if not combat.fighters[place].finished)
        case Stage.OPEN:
            return PLACES  # either of them
        case Stage.ORDERS:
            return tuple(place for place in PLACES if combat.posted[place] is None)
        case Stage.RETHROW | Stage.ACT | Stage.STAY:
            return combat.playing().asked
        case Stage.ENDED:
            return ()


def awaits(combat: Combat) -> Awaited:
    """Say whose decision is next; orders stay sealed until both are in (CD-69c)."""
    seats = tuple(combat.fighters[place].id for place in awaited_places(combat))
    sealed = combat.stage in (Stage.ORDERS, Stage.STAY) or (
        combat.stage is Stage.ACT and combat.playing().first is None  # AMB-CD-24
    )
    return Awaited(seats=seats, sealed=sealed, ended=combat.stage is Stage.ENDED)


def awaits_for(combat: Combat, _seat: Seat) -> Awaited:
    """Say the same to everybody: who has posted is no secret."""
    return awaits(combat)


def awaiting(combat: Combat) -> str:
    """Name what is awaited; two who post sealed orders share one deadline (CD-A21)."""
    name = f"{combat.stage} {combat.turn} {combat.ranged}"
    if combat.stage is not Stage.RETHROW:
        return name
    return f"{name} {combat.playing().asked}"  # one after the other


def lapsing(combat: Combat, reason: str) -> CombatDeadline | None:
    """Give the order that a passed deadline comes to; nobody builds a fighter by default."""
    if combat.stage in (Stage.BUILD, Stage.FINISH):
        return None
    return CombatDeadline(by=GM, reason=reason)


def check(combat: Combat, order: CombatOrder) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of an order."""
    return tuple(_check(combat, order))


def _check(combat: Combat, order: CombatOrder) -> Iterator[Violation]:
    if combat.stage is Stage.ENDED:
        yield Violation("CD-24", "combat_over", "", {})
        return
    if isinstance(order, CombatDeadline | CloseCombat | SetHitPoints):
        yield from _check_master(combat, order)
        return
    place = combat.place_of(order.by)
    if isinstance(order, OpenCombat) and order.by == GM and combat.stage is Stage.OPEN:
        return  # CD-80: nobody chooses anything in it
    if place is None:
        yield Violation("CD-1", "not_in_combat", "by", {"by": order.by})
        return
    who = combat.fighters[place]
    if isinstance(order, ResignCombat):
        return
    if isinstance(order, OfferCombatDraw):
        if order.by in combat.draws:
            yield Violation("CD-A21", "draw_already_offered", "", {"name": who.name})
        return
    yield from _check_answer(combat, place, order)


def _check_master(
    combat: Combat, order: CombatDeadline | CloseCombat | SetHitPoints
) -> Iterator[Violation]:
    if order.by != GM:
        yield Violation("CD-A21", "only_the_master", "by", {"by": order.by})
    if isinstance(order, CombatDeadline) and combat.stage in (Stage.BUILD, Stage.FINISH):
        yield Violation("CD-A21", "no_default_here", "", {"stage": combat.stage})
    if isinstance(order, SetHitPoints):
        yield from check_hit_points(combat, order)


def _check_answer(combat: Combat, place: int, order: CombatOrder) -> Iterator[Violation]:
    who = combat.fighters[place]
    facts: dict[str, Fact] = {"name": who.name, "stage": combat.stage}
    waits = list(check_asked(combat, place))
    if waits:
        yield from waits
        return
    if not isinstance(order, ANSWERS[combat.stage]):
        yield Violation("CD-2", "not_now", "", facts)
        return
    match order:
        case CombatOrders():
            yield from _check_orders(combat, who, order)
        case FinishFighter():
            yield from check_finish(who, order)
        case AnswerRethrow():
            yield from _check_again(combat, place, order)
        case AnswerAction():
            yield from check_act(combat, place, order)
        case _:
            return


def check_asked(combat: Combat, place: int) -> Iterator[Violation]:
    """Say if nothing is asked of a fighter now; sealed orders may be replaced until both are in."""
    if place in awaited_places(combat) or combat.stage is Stage.ORDERS:
        return
    who = combat.fighters[place]
    facts: dict[str, Fact] = {"name": who.name, "stage": combat.stage}
    if not who.finished:
        yield Violation("CD-38", "already_rolled", "", facts)
    else:
        yield Violation("CD-2", "not_asked", "", facts)


def _check_orders(combat: Combat, who: CombatFighter, orders: CombatOrders) -> Iterator[Violation]:
    """List what is wrong with sealed orders (CD-5, CD-51, CD-56, CD-69)."""
    name: dict[str, Fact] = {"name": who.name}
    yield from check_weapon(who, orders)
    yield from check_spell(combat, who, orders)
    if orders.adrenaline:
        most = combat.options.adrenaline_per_turn  # AMB-CD-22
        if not who.has(Skill.ADRENALINE_RUSH):
            yield Violation("CD-56", "no_adrenaline", "adrenaline", name)
        elif orders.adrenaline > most:
            yield Violation("CD-56", "adrenaline_too_often", "adrenaline", {**name, "most": most})
        elif who.hp <= orders.adrenaline:
            yield Violation(
                "CD-56", "too_weak_for_adrenaline", "adrenaline", {**name, "hp": who.hp}
            )
    if orders.two_weapon not in (None, TwoWeapon.NONE) and not who.has(Skill.TWO_WEAPON_STYLE):
        yield Violation("CD-51", "no_two_weapon_style", "two_weapon", name)
    if orders.keep and combat.options.rethrow_dice is RethrowDice.ALL:  # AMB-CD-3
        yield Violation("CD-14", "all_dice_are_rethrown", "keep", name)
    if orders.actions and orders.ask_action:
        yield Violation("CD-60", "listed_and_asked", "ask_action", name)
    if len(set(orders.uses)) < len(orders.uses):
        yield Violation("CD-60", "use_twice", "uses", name)


def _check_again(combat: Combat, place: int, order: AnswerRethrow) -> Iterator[Violation]:
    name: dict[str, Fact] = {"name": combat.fighters[place].name}
    if not order.dice:
        return
    dice = len(combat.playing().sides[place].dice)
    if not order.rethrow or combat.options.rethrow_dice is RethrowDice.ALL:
        yield Violation("CD-14", "dice_not_chosen", "dice", name)
    elif len(set(order.dice)) < len(order.dice) or max(order.dice) >= dice:
        yield Violation("CD-14", "no_such_dice", "dice", {**name, "dice": dice})
