"""What a seat may decide now, as data: the form and the API offer exactly this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.engine.ruleset import GM, Seat
from app.rulesets.warrior_dice.aftermath import absorbable
from app.rulesets.warrior_dice.campaign import may_cut_force, may_cut_hits, purchases_in
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.reforging import may_reforge
from app.rulesets.warrior_dice.sheet import FaceOption
from app.rulesets.warrior_dice.state import Asking, Duel, Fighter
from app.rulesets.warrior_dice.terms import Buy, Kind, Stage
from app.rulesets.warrior_dice.waiting import asking, awaits


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedOption:
    """An option as orders name it: face, and number among the options of that face."""

    face: int
    option: int
    name: str
    kind: Kind
    force: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DuelChoices:
    """What a seat may decide: the kinds of order, and what each of them may say.

    ``reforge`` may go with a turn; ``asking`` is put to this seat; ``purchases`` counts what its
    XP pay for, ``raises`` are options that can be raised, ``traits`` those that can be absorbed,
    ``cuts`` options that a reforming being may weaken, ``cut_hits`` whether it may lose hits.
    """

    seat: Seat
    orders: tuple[str, ...]
    reforge: bool = False
    asking: Asking | None = None
    standing: StandingOrders | None = None
    purchases: int = 0
    buys: tuple[Buy, ...] = ()
    raises: tuple[NumberedOption, ...] = ()
    traits: tuple[FaceOption, ...] = ()
    cuts: tuple[NumberedOption, ...] = ()
    cut_hits: bool = False


def choices(duel: Duel, seat: Seat) -> DuelChoices:
    """List what a seat may decide now."""
    if seat == GM:
        return DuelChoices(seat=seat, orders=tuple(_of_master(duel)))
    if not duel.has(seat) or duel.stage is Stage.OVER or duel.paused:
        return DuelChoices(seat=seat, orders=())
    one = duel.who(seat)
    up = seat in awaits(duel).seats
    asked = asking(duel)
    spends, reforms = up and one.xp_due, up and one.reform_due
    return DuelChoices(
        seat=seat,
        orders=tuple(_of_player(duel, one, up=up)),
        reforge=up and duel.stage is Stage.FIGHT and asked is None and may_reforge(one),
        asking=asked if up else None,
        standing=one.standing,
        purchases=purchases_in(one.warrior.xp) if spends else 0,
        buys=tuple(Buy) if spends else (),
        raises=tuple(_numbered(one)) if spends else (),
        traits=absorbable(duel, one) if spends else (),
        cuts=tuple(cut for cut in _numbered(one) if may_cut_force(cut.force)) if reforms else (),
        cut_hits=reforms and may_cut_hits(one.warrior.hits),
    )


def _of_master(duel: Duel) -> Iterator[str]:
    if duel.stage is Stage.OVER:
        return
    yield from ("resume",) if duel.paused else ("pause", "lapse")
    yield "close"
    if duel.stage is Stage.FIGHT and asking(duel) is None:
        yield "set_value"


def _of_player(duel: Duel, one: Fighter, *, up: bool) -> Iterator[str]:
    if up and duel.stage is Stage.OPENING:
        yield "ready"
    if duel.stage is Stage.FIGHT:
        if up:
            yield "turn" if asking(duel) is None else "choose"
        yield "resign"
        if duel.draw_offered != one.id:
            yield "draw"
    if up and one.xp_due:
        yield "spend"
    if up and one.reform_due:
        yield "reform"
    yield "standing"


def _numbered(one: Fighter) -> Iterator[NumberedOption]:
    counts: dict[int, int] = {}
    for option in one.warrior.options:
        counts[option.face] = counts.get(option.face, 0) + 1
        if option.force is not None:
            yield NumberedOption(
                face=option.face,
                option=counts[option.face],
                name=option.name,
                kind=option.kind,
                force=option.force,
            )
