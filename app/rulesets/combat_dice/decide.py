"""Every order decided: sealed orders, answers to pauses, deadlines, and what ends a combat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, assert_never

from app.engine.dice import Dice
from app.engine.findings import Fact, Finding
from app.engine.ruleset import Asked, Plan, Resolution
from app.rulesets.combat_dice.correcting import affordable, set_hit_points
from app.rulesets.combat_dice.endings import finish as end
from app.rulesets.combat_dice.objections import awaited_places
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
from app.rulesets.combat_dice.ranged import open_range
from app.rulesets.combat_dice.readings import DamageDice
from app.rulesets.combat_dice.roll import do_rethrow, kinds_of, rethrown, wants_rethrow
from app.rulesets.combat_dice.scores import tally_dice
from app.rulesets.combat_dice.setup import build, finish
from app.rulesets.combat_dice.state import PLACES, Combat, CombatSide, other
from app.rulesets.combat_dice.terms import Ending, Rethrow, Spell, Stage, TwoWeapon
from app.rulesets.combat_dice.throws import Chain, Throws, asked
from app.rulesets.combat_dice.turn import after_rethrow, are_in, conduct, end_turn, go_on, post

Played = tuple[Combat, list[Finding]]
BEFORE_THE_ROLL: Final[Mapping[Spell | None, tuple[Chain, ...]]] = {
    Spell.HEAL: (Chain.HEAL,),
    Spell.AID: (Chain.AID_DICE, Chain.AID_TURNS),
    Spell.SHIELD: (Chain.SHIELD_TURNS,),
}


def resolve(combat: Combat, order: CombatOrder, dice: Dice) -> Resolution[Combat]:
    """Decide an order that ``check`` found nothing against."""
    throws = Throws(dice, _seats(combat))
    state, findings = _resolve(combat, order, throws)
    # Where an order draws, the service labels every die as it is told here, planned ones included.
    drawn = tuple(throws.fallen) if _draws(combat, order) else ()
    return Resolution(state, tuple(findings), drawn)


def plan(combat: Combat, order: CombatOrder) -> Plan:
    """Declare the dice that an order is certain to need; chains may draw more (CD-10, CD-30).

    An order that waits for the other's draws none, so that it waits for no dice either.
    """
    return Plan(asked=tuple(_asked(combat, order)), findings=(), draws=_draws(combat, order))


def _draws(combat: Combat, order: CombatOrder) -> bool:
    """Say whether an order lets a turn go on, so that dice may follow dice."""
    match order:
        case CombatOrders():
            place = combat.place_of(order.by)
            return place is not None and are_in(post(combat, place, order))
        case AnswerRethrow():
            return True
        case AnswerAction() | AnswerRange():
            return len(awaited_places(combat)) == 1
        case CombatDeadline():
            return combat.stage is not Stage.OPEN
        case _:
            return False


def _seats(combat: Combat) -> tuple[str, str]:
    first, second = combat.fighters
    return first.id, second.id


def _resolve(combat: Combat, order: CombatOrder, throws: Throws) -> Played:
    place = combat.place_of(order.by) or 0
    match order:
        case CombatOrders():
            sealed = Finding("CD-69c", "orders_sealed", {"fighter": combat.fighters[place].name})
            combat, findings = conduct(post(combat, place, order), throws)
            return combat, [sealed, *findings]
        case BuildFighter():
            return build(combat, place, throws)
        case FinishFighter():
            return finish(combat, place, order)
        case OpenCombat():
            return open_range(combat, throws)
        case AnswerRethrow():
            return _again(combat, place, order, throws)
        case AnswerAction():
            return _acted(combat, place, order, throws)
        case AnswerRange():
            return _kept(combat, place, order.ranged, throws)
        case ResignCombat():  # CD-A21: the opponent wins at once
            winner = combat.fighters[other(place)].id
            told = Finding("CD-A21", "resigns", {"fighter": combat.fighters[place].name})
            return end(combat, [told], Ending.RESIGNED, winner)
        case OfferCombatDraw():
            return _draw(combat, place)
        case CombatDeadline():
            return _deadline(combat, throws)
        case CloseCombat():
            closed = Finding("CD-A21", "combat_closed", {"reason": order.reason})
            return end(combat, [closed], Ending.CLOSED, None)
        case SetHitPoints():
            return set_hit_points(combat, order)
        case _:
            assert_never(order)


def _again(combat: Combat, place: int, order: AnswerRethrow, throws: Throws) -> Played:
    combat, findings = do_rethrow(combat, place, throws, again=order.rethrow, chosen=order.dice)
    combat, told = after_rethrow(combat, throws)
    return go_on(combat, throws, [*findings, *told])


def _turn_of(combat: Combat, place: int) -> dict[str, Fact]:
    """Say who decides, and in which turn: what comes of it is told in another post."""
    name = combat.fighters[place].name
    return {"fighter": name, "turn": combat.turn, "ranged": combat.ranged > 0}


def _acted(combat: Combat, place: int, order: AnswerAction, throws: Throws) -> Played:
    """Keep an answer; on a tie it stays sealed until the other's is in (AMB-CD-24)."""
    side = combat.playing().sides[place]
    combat = combat.put_side(place, replace(side, answer=order))
    left = tuple(one for one in combat.playing().asked if one != place)
    combat = replace(combat, round=replace(combat.playing(), asked=left))
    told = [Finding("CD-60", "answered", _turn_of(combat, place))]
    if left:
        return combat, told
    combat, findings = after_rethrow(combat, throws)
    return go_on(combat, throws, [*told, *findings])


def _kept(combat: Combat, place: int, ranged: bool, throws: Throws) -> Played:
    """Keep an answer about the range; it takes both to go on (CD-83)."""
    first, second = combat.stays
    stays = (ranged, second) if place == 0 else (first, ranged)
    left = tuple(one for one in combat.playing().asked if one != place)
    combat = replace(combat, stays=stays, round=replace(combat.playing(), asked=left))
    told = [Finding("CD-83", "answered", _turn_of(combat, place))]
    if left:
        return combat, told
    combat, findings = end_turn(replace(combat, stage=Stage.ORDERS), throws, told)
    return go_on(combat, throws, findings)


def _draw(combat: Combat, place: int) -> Played:
    who = combat.fighters[place]
    told = [Finding("CD-A21", "draw_offered", {"fighter": who.name})]
    offers = (*combat.draws, who.id)
    if len(offers) < len(PLACES):
        return replace(combat, draws=offers), told
    return end(combat, told, Ending.AGREED_DRAW, None)


def _deadline(combat: Combat, throws: Throws) -> Played:
    """Let the defaults fill in for whoever is awaited (CD-A21)."""
    waited = awaited_places(combat)
    findings = [Finding("CD-A21", "default_played", _turn_of(combat, place)) for place in waited]
    match combat.stage:
        case Stage.OPEN:
            combat, told = open_range(combat, throws)
            return combat, told
        case Stage.RETHROW:
            place = waited[0]
            orders = replace(combat.playing().sides[place].orders, rethrow=Rethrow.IF_NO_DAMAGE)
            again = wants_rethrow(combat, place, orders)
            combat, told = do_rethrow(combat, place, throws, again=again)
            combat, more = after_rethrow(combat, throws)
            return go_on(combat, throws, [*findings, *told, *more])
        case Stage.ACT:
            for place in waited:
                combat = combat.put_side(place, _by_default(combat, place))
            combat, told = after_rethrow(combat, throws)
            return go_on(combat, throws, [*findings, *told])
        case Stage.STAY:
            stays = tuple(False if place in waited else combat.stays[place] for place in PLACES)
            combat = replace(combat, stays=(stays[0], stays[1]), stage=Stage.ORDERS)
            combat, told = end_turn(combat, throws, findings)
            return go_on(combat, throws, told)
        case _:
            first, second = (
                CombatOrders(by=combat.fighters[place].id) if place in waited else posted
                for place, posted in enumerate(combat.posted)
            )
            combat, told = conduct(replace(combat, posted=(first, second)), throws)
            return combat, [*findings, *told]


def _by_default(combat: Combat, place: int) -> CombatSide:
    """Take no action, and let Two Weapon Style look after itself (CD-A20, CD-A21)."""
    side = combat.playing().sides[place]
    asked_style = side.orders.two_weapon is TwoWeapon.ASK
    orders = replace(
        side.orders,
        ask_action=False,
        two_weapon=TwoWeapon.AUTO if asked_style else side.orders.two_weapon,
    )
    return replace(side, orders=orders, answer=AnswerAction(by=combat.fighters[place].id))


def _asked(combat: Combat, order: CombatOrder) -> list[Asked]:
    place = combat.place_of(order.by) or 0
    match order:
        case BuildFighter():
            return [
                _die(combat, chain, place) for chain in (Chain.HIT_POINTS, Chain.SPECIALTY_DICE)
            ]
        case OpenCombat():
            return [_die(combat, Chain.RANGE, 0)]
        case AnswerRethrow(rethrow=True):
            dice = order.dice or rethrown(combat, combat.playing().sides[place])
            return [_die(combat, Chain.RETHROW, place, nth) for nth in range(len(dice))]
        case CombatOrders():
            ready = post(combat, place, order)
            return _asked_in_turn(ready) if are_in(ready) else []
        case CombatDeadline() if combat.stage is Stage.OPEN:
            return [_die(combat, Chain.RANGE, 0)]
        case CombatDeadline() if combat.stage is Stage.ORDERS:
            ready = combat
            for one in awaited_places(combat):
                ready = post(ready, one, CombatOrders(by=combat.fighters[one].id))
            return _asked_in_turn(ready)
        case _:
            return []


def _asked_in_turn(combat: Combat) -> list[Asked]:
    """List the dice of a turn that are certain when both orders are in."""
    found: list[Asked] = []
    for place in PLACES:
        chains = BEFORE_THE_ROLL.get(_orders_in(combat, place).spell, ())
        found += [_die(combat, chain, place) for chain in chains]
    for place in PLACES:
        who = combat.fighters[place]
        basic = int(tally_dice(combat.options, who, _orders_in(combat, place).adrenaline).total)
        dice = len(kinds_of(who, basic))
        found += [_die(combat, Chain.COMBAT_ROLL, place, nth) for nth in range(dice)]
        if combat.options.damage_dice is DamageDice.WITH_ROLL:
            found += [_die(combat, Chain.PAIR, place, nth) for nth in (0, 1)]
    return found


def _orders_in(combat: Combat, place: int) -> CombatOrders:
    orders = combat.posted[place]
    if orders is None:
        raise ValueError("dice are declared when both orders are in")
    return affordable(combat.fighters[place], orders)


def _die(combat: Combat, chain: Chain, place: int, nth: int = 0) -> Asked:
    return asked(chain, place, combat.fighters[place].id, nth)
