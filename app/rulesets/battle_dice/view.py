"""What a seat may see and decide: sealed lists, orders and choices are their author's alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.glance import Figure, Glance, Shown
from app.engine.ruleset import GM, SPECTATOR, Awaited, Said, Seat, Veil
from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import (
    Army,
    Choose,
    CustomTable,
    Deadline,
    Muster,
    Order,
    Policy,
    Stand,
    Turn,
)
from app.rulesets.battle_dice.state import Battle, Decision, Ended, Seen, Side, Troop
from app.rulesets.battle_dice.terms import Hero, Kind, Manoeuvre, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Sealed:
    """What a player has laid down in secret, for that player's own eyes."""

    army: Army | None
    orders: Policy | None
    standing: Policy
    picks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SideView:
    """One army as everybody sees it; ``ready`` says that its player is not waited for.

    ``own`` is what its player has laid down in secret: None for everybody else.
    """

    id: str
    name: str
    hero: str
    custom: CustomTable | None
    troops: tuple[Troop, ...]
    total: int
    lost: tuple[Troop, ...]
    ignore: int
    carry_manoeuvre: int
    offers_draw: bool
    ready: bool
    own: Sealed | None


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """A battle as a seat sees it; ``step`` and ``table`` are those of a turn that waits.

    The table shows the dice as they lie.
    """

    options: Options
    turn: int
    sides: tuple[SideView, ...]
    step: Step | None
    table: tuple[Seen, ...]
    decisions: tuple[Decision, ...]
    ended: Ended | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a seat may decide now: kinds of orders, and what they may hold."""

    orders: tuple[str, ...]
    decisions: tuple[Decision, ...] = ()
    army_size: int | None = None
    heroes: tuple[Hero, ...] = ()
    summons: tuple[Kind, ...] = ()
    rows: tuple[Manoeuvre, ...] = ()


def awaits(battle: Battle) -> Awaited:
    """Say who is waited for: both at once, and their orders stay sealed until both are in."""
    if battle.ended is not None:
        return Awaited(seats=(), ended=True)
    return Awaited(seats=tuple(side.id for side in battle.sides if _due(battle, side)), sealed=True)


def awaiting(battle: Battle) -> str:
    """Name what is awaited: one deadline a turn for both, and one for each choice (BD-A3)."""
    if not battle.mustered:
        return "muster"
    asked = () if battle.paused is None else tuple(one.id for one in battle.paused.awaited)
    return f"{battle.turn} {' '.join(asked)}"


def lapsing(battle: Battle, reason: str) -> Deadline | None:
    """Give the order that a passed deadline comes to; there is no default army (BD-A3)."""
    return Deadline(by=GM, reason=reason) if battle.mustered else None


def awaits_for(battle: Battle, _seat: Seat) -> Awaited:
    """Say the same to everybody: that orders are awaited is no secret."""
    return awaits(battle)


def view(battle: Battle, seat: Seat) -> View:
    """Show a battle without what others have laid down in secret."""
    paused = battle.paused
    return View(
        options=battle.options,
        turn=battle.turn,
        sides=tuple(_side(battle, side, seat) for side in battle.sides),
        step=paused.step if paused else None,
        table=paused.table if paused else (),
        decisions=tuple(_open(battle, seat)),
        ended=battle.ended,
    )


def glance(seen: View) -> Glance:
    """Count the dice that each army has left of those it came with, once both have mustered."""
    winner = None if seen.ended is None else seen.ended.winner
    return Glance(
        people=tuple(_shown(one) for one in seen.sides),
        winners=() if winner is None else (winner,),
    )


def _shown(side: SideView) -> Shown:
    most = side.total + sum(troop.count for troop in side.lost)
    return Shown(
        id=side.id,
        name=side.name,
        figures=(Figure(key="army", value=side.total, most=most),) if most else (),
        out=most > 0 and side.total == 0,
    )


def choices(battle: Battle, seat: Seat) -> Choices:
    """List what a seat may decide now."""
    if battle.ended is not None:
        return Choices(orders=())
    if seat == GM:
        return Choices(orders=_of_master(battle))
    place = battle.place(seat)
    if place < 0:
        return Choices(orders=())
    side = battle.sides[place]
    turn = ("muster" if not battle.mustered else "choose" if battle.paused else "turn",)
    heroes = battle.options.summon_heroes and bool(side.hero)
    return Choices(
        orders=(*(turn if _due(battle, side) else ()), "stand", "draw", "concede"),
        decisions=tuple(_open(battle, seat)),
        army_size=battle.options.army_size,
        heroes=tuple(Hero),
        summons=tuple(kind for kind in Kind if kind is not Kind.D20 or heroes),
        rows=tuple(Manoeuvre),
    )


def _of_master(battle: Battle) -> tuple[str, ...]:
    if not battle.mustered:
        return ("close",)
    if battle.paused is None:
        return ("deadline", "close", "set_value")
    return ("deadline", "close")


def veils(before: Battle, after: Battle, author: Seat, _said: Said) -> tuple[Veil, ...]:
    """Keep what an order lays down in secret from everybody but its author.

    They come to light as ``lifts`` says.
    """
    place = after.place(author)
    if place < 0 or not _secret(before.sides[place], after.sides[place], before, after):
        return ()
    seats = (*(side.id for side in after.sides), GM, SPECTATOR)
    return tuple(Veil(seat=seat, story=True) for seat in seats if seat != author)


def lifts(battle: Battle, order: Order) -> bool:
    """Say whether what an order laid down in secret has come to light by now.

    A list has as soon as both armies stand, a turn's orders once it is over, a choice once the turn
    goes on; standing orders never do.
    """
    place = battle.place(order.by)
    if place < 0:
        return True
    side = battle.sides[place]
    match order:
        case Muster():
            return bool(side.troops)
        case Turn():
            return not order.keep and (side.posted is None or battle.ended is not None)
        case Choose():
            answers = battle.paused.answers if battle.paused else ()
            return order.decision not in {one.decision for one in answers}
        case _:
            return not isinstance(order, Stand)


def _secret(old: Side, new: Side, before: Battle, after: Battle) -> bool:
    """Say whether an order has laid down something that others do not see yet."""
    answered = after.paused is not None and bool(after.paused.answers)
    laid_down = (new.mustered, new.posted, new.standing)
    return laid_down != (old.mustered, old.posted, old.standing) or (
        answered and before.paused != after.paused
    )


def _due(battle: Battle, side: Side) -> bool:
    """Say whether a side has still to decide something."""
    if not battle.mustered:
        return side.mustered is None and not side.troops
    if battle.paused is None:
        return side.posted is None
    return bool(tuple(_open(battle, side.id)))


def _open(battle: Battle, seat: Seat) -> Iterator[Decision]:
    """Go through the choices that a seat has still to make."""
    paused = battle.paused
    if paused is None:
        return
    answered = {one.decision for one in paused.answers}
    for one in paused.awaited:
        if one.seat == seat and one.id not in answered:
            yield one


def _side(battle: Battle, side: Side, seat: Seat) -> SideView:
    paused = battle.paused
    mine = {one.id for one in paused.awaited if one.seat == seat} if paused else set()
    picks = [
        pick
        for one in (paused.answers if paused else ())
        if one.decision in mine
        for pick in one.picks
    ]
    own = Sealed(army=side.mustered, orders=side.posted, standing=side.standing, picks=tuple(picks))
    return SideView(
        id=side.id,
        name=side.name,
        hero=side.hero,
        custom=side.custom,
        troops=side.troops,
        total=side.total,
        lost=side.lost,
        ignore=side.ignore,
        carry_manoeuvre=side.carry,
        offers_draw=side.offers_draw,
        ready=battle.ended is None and not _due(battle, side),
        own=own if seat == side.id else None,
    )
