"""Every order: what stands in its way, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from app.engine.dice import Dice
from app.engine.findings import Facts, Finding, Obstacle, Violation
from app.engine.ruleset import GM, Resolution
from app.rulesets.warrior_dice.aftermath import (
    check_reforming,
    check_spending,
    reform,
    reform_by_default,
    spend,
)
from app.rulesets.warrior_dice.correcting import check_hits, set_hits
from app.rulesets.warrior_dice.endings import end
from app.rulesets.warrior_dice.opening import accept
from app.rulesets.warrior_dice.orders import (
    ChangeStanding,
    CloseDuel,
    DuelAnswer,
    DuelOrder,
    DuelTurn,
    HaltDuel,
    LapseOfTime,
    OfferDraw,
    PlayerOrder,
    ReadyForDuel,
    ReformBeing,
    ResignDuel,
    ResumeDuel,
    SetHits,
    SpendXp,
)
from app.rulesets.warrior_dice.posts import go_on, play_post
from app.rulesets.warrior_dice.reforging import may_reforge
from app.rulesets.warrior_dice.state import Duel
from app.rulesets.warrior_dice.terms import Ending, Stage
from app.rulesets.warrior_dice.waiting import asking, awaits, up_next


def check(duel: Duel, order: DuelOrder) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of an order."""
    return tuple(_obstacles(duel, order))


def resolve(duel: Duel, order: DuelOrder, dice: Dice) -> Resolution[Duel]:
    """Decide an order that ``check`` found nothing against."""
    match order:
        case DuelTurn():
            return _after_turn(duel, order.by, play_post(duel, dice, order.reforge))
        case DuelAnswer():
            return go_on(duel, dice, order.choice)
        case ReadyForDuel():
            return accept(duel, order.by, dice)
        case ChangeStanding():
            fighter = replace(duel.who(order.by), standing=order.standing)
            changed = Finding("WD-A9", "standing_changed", {"name": fighter.name})
            return Resolution(duel.put(fighter), (changed,))
        case ResignDuel():  # WD-A8
            return end(duel, Ending.RESIGNATION, duel.other(order.by).id)
        case OfferDraw():
            return _draw(duel, order.by)
        case SpendXp():
            return spend(duel, order)
        case ReformBeing():
            return reform(duel, order)
        case LapseOfTime():
            return lapse(duel, order, dice)
        case HaltDuel():
            halted = Finding("WD-9", "duel_paused", {"reason": order.reason})
            return Resolution(replace(duel, paused=True), (halted,))
        case ResumeDuel():
            resumed = Finding("WD-9", "duel_resumed", {"reason": order.reason})
            return Resolution(replace(duel, paused=False), (resumed,))
        case CloseDuel():
            return _closed(duel, order.reason)
        case SetHits():
            return set_hits(duel, order)
        case _:
            assert_never(order)


def lapse(duel: Duel, order: LapseOfTime, dice: Dice) -> Resolution[Duel]:
    """Decide what is awaited as its default says, whether or not a deadline ran (WD-A7)."""
    seat = order.combatant or awaits(duel).seats[0]
    late = Finding("WD-A7", "deadline_passed", {"name": duel.who(seat).name})
    asked = asking(duel)
    if asked is not None:
        decided = go_on(duel, dice, asked.default)
    elif duel.stage is Stage.OPENING:
        decided = accept(duel, seat, dice)
    elif duel.stage is Stage.FIGHT:
        decided = _after_turn(duel, seat, play_post(duel, dice, reforge=False))
    elif duel.who(seat).reform_due:
        decided = reform_by_default(duel, duel.who(seat))
    else:
        decided = spend(duel, SpendXp(by=seat))
    return Resolution(decided.state, (late, *decided.findings), decided.drawn)


def _after_turn(duel: Duel, seat: str, played: Resolution[Duel]) -> Resolution[Duel]:
    """Let an offered draw lapse that the other has answered by fighting on."""
    if duel.draw_offered and duel.draw_offered != seat:
        after = replace(played.state, draw_offered="")
        return Resolution(after, played.findings, played.drawn)
    return played


def _draw(duel: Duel, seat: str) -> Resolution[Duel]:
    """Offer a draw, or agree to the one that is offered: it needs both (WD-A8)."""
    if duel.draw_offered:
        return end(duel, Ending.AGREED_DRAW, "")
    offered = Finding("WD-A8", "draw_offered", {"name": duel.who(seat).name})
    return Resolution(replace(duel, draw_offered=seat), (offered,))


def _closed(duel: Duel, reason: str) -> Resolution[Duel]:
    closed = Finding("WD-9", "duel_closed", {"reason": reason})
    if duel.stage is Stage.AFTERMATH:
        fighters = tuple(replace(one, xp_due=False, reform_due=False) for one in duel.fighters)
        over = replace(duel, fighters=fighters, stage=Stage.OVER)
        return Resolution(over, (closed,))
    ended = end(replace(duel, paused=False), Ending.CLOSED, "")
    return Resolution(ended.state, (closed, *ended.findings))


def _obstacles(duel: Duel, order: DuelOrder) -> Iterator[Violation]:
    if duel.stage is Stage.OVER:
        yield Violation("WD-6", "duel_is_over")
    elif isinstance(order, HaltDuel | ResumeDuel | CloseDuel | LapseOfTime | SetHits):
        yield from _check_master(duel, order)
    elif not duel.has(order.by):
        yield Violation("WD-1", "not_a_duellist", "by", {"seat": order.by})
    elif duel.paused:
        yield Violation("WD-9", "duel_rests")
    else:
        yield from _check_player(duel, order)


def _check_player(duel: Duel, order: PlayerOrder) -> Iterator[Violation]:
    match order:
        case DuelTurn():
            yield from _check_turn(duel, order)
        case DuelAnswer():
            yield from _check_answer(duel, order)
        case ReadyForDuel():
            if duel.stage is not Stage.OPENING or duel.who(order.by).ready:
                yield Violation("WD-A3", "already_accepted", "by")
        case ResignDuel() | OfferDraw():
            if duel.stage is not Stage.FIGHT:
                yield Violation("WD-A8", "not_fighting")
            elif isinstance(order, OfferDraw) and duel.draw_offered == order.by:
                yield Violation("WD-A8", "draw_offered_already", "by")
        case SpendXp():
            yield from check_spending(duel, order)
        case ReformBeing():
            yield from check_reforming(duel, order)
        case ChangeStanding():
            pass
        case _:
            assert_never(order)


def _check_master(
    duel: Duel, order: HaltDuel | ResumeDuel | CloseDuel | LapseOfTime | SetHits
) -> Iterator[Violation]:
    if order.by != GM:
        yield Violation("WD-9", "only_the_master", "by")
    if isinstance(order, SetHits):
        yield from check_hits(duel, order)
    elif isinstance(order, ResumeDuel):
        if not duel.paused:
            yield Violation("WD-9", "duel_does_not_rest")
    elif duel.paused and not isinstance(order, CloseDuel):
        yield Violation("WD-9", "duel_rests")
    elif isinstance(order, LapseOfTime) and order.combatant is not None:
        yield from _check_late(duel, order.combatant)


def _check_late(duel: Duel, seat: str) -> Iterator[Violation]:
    """Say if nothing is awaited from somebody for whom the Master would not wait (WD-A7)."""
    if seat not in awaits(duel).seats:
        facts: Facts = {"name": duel.who(seat).name if duel.has(seat) else seat}
        yield Violation("WD-A7", "not_awaited", "combatant", facts)


def _check_turn(duel: Duel, order: DuelTurn) -> Iterator[Violation]:
    if duel.stage is not Stage.FIGHT:
        yield Violation("WD-9", "not_fighting")
        return
    asked = asking(duel)
    if asked is not None:
        facts: Facts = {"name": duel.who(asked.seat).name}
        yield Violation("WD-9", "answer_is_awaited", "", facts)
    elif up_next(duel) != order.by:
        facts = {"name": duel.who(up_next(duel)).name}
        yield Violation("WD-9", "not_your_turn", "by", facts)
    yield from check_reforge(duel, order)


def check_reforge(duel: Duel, order: DuelTurn) -> Iterator[Violation]:
    """List why Narsil cannot be reforged before a turn (WD-37, AMB-WD-14)."""
    fighter = duel.who(order.by)
    # By the time of a turn with an attack, the missed ones are over.
    if order.reforge and not may_reforge(replace(fighter, skip=0)):
        yield Violation("WD-37", "cannot_reforge", "reforge", {"name": fighter.name})


def _check_answer(duel: Duel, order: DuelAnswer) -> Iterator[Violation]:
    asked = asking(duel)
    if asked is None:
        yield Violation("WD-A7", "nothing_is_asked")
        return
    if asked.seat != order.by:
        facts: Facts = {"name": duel.who(asked.seat).name}
        yield Violation("WD-A7", "another_is_asked", "by", facts)
    if order.choice not in asked.choices:
        yield Violation("WD-A7", "no_such_choice", "choice", {"choices": asked.choices})
