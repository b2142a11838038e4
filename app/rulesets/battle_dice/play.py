"""What an order comes to: sealed until both are in, then the whole turn in one go (BD-12)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Asked, Plan, Resolution
from app.rulesets.battle_dice.armies import reveal
from app.rulesets.battle_dice.correcting import set_troop
from app.rulesets.battle_dice.course import PLACES, Course, Pause, asked_for
from app.rulesets.battle_dice.orders import (
    Choose,
    CloseBattle,
    Concede,
    Deadline,
    Draw,
    Muster,
    Order,
    Policy,
    SetTroop,
    Stand,
    Turn,
)
from app.rulesets.battle_dice.policies import filled
from app.rulesets.battle_dice.state import Battle, Chosen, Ended, Paused
from app.rulesets.battle_dice.terms import Cast, End, Kind, Step
from app.rulesets.battle_dice.turn import play_turn


def plan(battle: Battle, order: Order) -> Plan:
    """Declare the dice that are certain: those of the Roll step, where the turn begins (BD-14).

    What the tables and the morale test need besides is known only as they come up.
    """
    if _begins(battle, order):
        return Plan(asked=tuple(_asked(battle)), findings=(), draws=True)
    return Plan(asked=(), findings=(), draws=_goes_on(battle, order))


def resolve(battle: Battle, order: Order, dice: Dice) -> Resolution[Battle]:
    """Decide an order that ``check`` found nothing against."""
    place = battle.place(order.by)
    match order:
        case Turn():
            return _post(battle, order, place, dice)
        case Muster():
            return _muster(battle, order, place)
        case Choose():
            return _choose(battle, order, dice)
        case Stand():
            side = replace(battle.sides[place], standing=order.policy)
            found = Finding("BD-A3", "standing_orders", {"side": side.name})
            return Resolution(battle.put(place, side), (found,))
        case Concede():
            return _concede(battle, place)
        case Draw():
            return _draw(battle, place)
        case Deadline():
            return _late(battle, dice)
        case CloseBattle():  # BD-A4: at any time, and nobody wins
            closed = Finding("BD-A4", "battle_closed", {"reason": order.reason})
            ended = Ended(how=End.CLOSED)
            return Resolution(replace(battle, ended=ended, paused=None), (closed,))
        case SetTroop():
            return set_troop(battle, order)
        case _:
            assert_never(order)


def _begins(battle: Battle, order: Order) -> bool:
    """Say whether an order is the last that a turn has waited for."""
    if not battle.mustered or battle.paused is not None:
        return False
    if isinstance(order, Deadline):
        return True
    others = (side for side in battle.sides if side.id != order.by)
    return isinstance(order, Turn) and all(side.posted is not None for side in others)


def _goes_on(battle: Battle, order: Order) -> bool:
    """Say whether an order is the last that a paused turn has waited for."""
    paused = battle.paused
    if paused is None:
        return False
    last = len(paused.answers) + 1 == len(paused.awaited)
    return isinstance(order, Deadline) or (isinstance(order, Choose) and last)


def _asked(battle: Battle) -> Iterator[Asked]:
    for place, side in enumerate(battle.sides):
        for kind in Kind:
            at = PLACES[Step.ROLL, place, Cast.ROLL, kind.sides]
            for index in range(side.count(kind)):
                address = Address(at, index)
                yield asked_for(Step.ROLL, side.id, Cast.ROLL, kind.sides, kind, address)


def _muster(battle: Battle, order: Muster, place: int) -> Resolution[Battle]:
    side = battle.sides[place]
    battle = battle.put(place, replace(side, mustered=order.army))
    battle, shown = reveal(battle)
    return Resolution(battle, (Finding("BD-9", "army_mustered", {"side": side.name}), *shown))


def _post(battle: Battle, order: Turn, place: int, dice: Dice) -> Resolution[Battle]:
    side = battle.sides[place]
    standing = filled(order.policy, side.standing) if order.keep else side.standing
    posted = replace(side, posted=order.policy, standing=standing)
    battle = battle.put(place, posted)
    found = (Finding("BD-12", "orders_posted", {"side": side.name}),)
    if any(one.posted is None for one in battle.sides):
        return Resolution(battle, found)
    return _play(battle, found, dice)


def _late(battle: Battle, dice: Dice) -> Resolution[Battle]:
    """Let whoever is late play the standing orders, or the default ones (BD-A3)."""
    paused = battle.paused
    if paused is None:
        late = [side for side in battle.sides if side.posted is None]
        for side in late:
            battle = battle.put(battle.place(side.id), replace(side, posted=Policy()))
        return _play(battle, tuple(_passed(side.name) for side in late), dice)
    answered = {one.decision for one in paused.answers}
    missing = [one for one in paused.awaited if one.id not in answered]
    answers = tuple(Chosen(decision=one.id, picks=one.default) for one in missing)
    names = dict.fromkeys(battle.sides[battle.place(one.seat)].name for one in missing)
    battle = replace(battle, paused=replace(paused, answers=(*paused.answers, *answers)))
    return _go_on(battle, tuple(map(_passed, names)), dice)


def _passed(side: str) -> Finding:
    return Finding("BD-A3", "deadline_passed", {"side": side})


def _choose(battle: Battle, order: Choose, dice: Dice) -> Resolution[Battle]:
    """Note an answer; the turn goes on when all that are due at this moment are in."""
    paused = battle.paused
    assert paused is not None
    answers = (*paused.answers, Chosen(decision=order.decision, picks=order.picks))
    battle = replace(battle, paused=replace(paused, answers=answers))
    side = battle.sides[battle.place(order.by)].name
    found = (Finding("AMB-BD-23", "choice_made", {"side": side}),)
    if len(answers) < len(paused.awaited):
        return Resolution(battle, found)
    return _go_on(battle, found, dice)


def _play(battle: Battle, found: tuple[Finding, ...], dice: Dice) -> Resolution[Battle]:
    policies = tuple(filled(side.posted or Policy(), side.standing) for side in battle.sides)
    paused = Paused(policies=policies, rolls=(), chosen=(), awaited=())
    return _go_on(replace(battle, paused=paused), found, dice)


def _go_on(battle: Battle, found: tuple[Finding, ...], dice: Dice) -> Resolution[Battle]:
    """Play the turn from its beginning, with all that has fallen and been chosen so far."""
    paused = battle.paused
    assert paused is not None
    if paused.rolls:
        resumed: Facts = {"turn": battle.turn, "step": paused.step}
        found = (*found, Finding("AMB-BD-23", "turn_resumed", resumed))
    chosen = (*paused.chosen, *paused.answers)
    course = Course(dice=dice, known=paused.rolls, chosen=chosen)
    try:
        after = play_turn(battle, paused.policies, course)
    except Pause as pause:
        names = {side.id: side.name for side in battle.sides}
        waits = [
            Finding("AMB-BD-23", "choice_asked", {"side": names[one.seat], "ask": one.ask})
            for one in pause.awaited
        ]
        after = replace(
            battle,
            paused=Paused(
                policies=paused.policies,
                rolls=tuple(course.rolls),
                chosen=chosen,
                awaited=pause.awaited,
                told=len(course.said),
                step=pause.table.step,
                table=pause.table.seen(),
            ),
        )
        told = (*found, *course.said[paused.told :], *waits)
        return Resolution(after, told, drawn=tuple(course.asked))
    told = (*found, *course.said[paused.told :])
    return Resolution(after, told, drawn=tuple(course.asked))


def _concede(battle: Battle, place: int) -> Resolution[Battle]:
    """End the battle at once; the opponent wins (BD-A4)."""
    side, winner = battle.sides[place], battle.sides[1 - place]
    found = Finding("BD-A4", "ended_concession", {"side": side.name, "winner": winner.name})
    ended = Ended(how=End.CONCESSION, winner=winner.id)
    return Resolution(replace(battle, ended=ended, paused=None), (found,))


def _draw(battle: Battle, place: int) -> Resolution[Battle]:
    """Offer a draw, or end the battle where the other has offered it (BD-A4)."""
    side = battle.sides[place]
    if battle.sides[1 - place].offers_draw:
        found = Finding("BD-A4", "ended_agreement", {"side": side.name})
        return Resolution(replace(battle, ended=Ended(how=End.AGREEMENT), paused=None), (found,))
    found = Finding("BD-A4", "draw_offered", {"side": side.name})
    return Resolution(battle.put(place, replace(side, offers_draw=True)), (found,))
