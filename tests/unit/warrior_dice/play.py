"""Random duels: any set-up, any orders, until nobody has anything left to decide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from app.engine.dice import Address, RecordedDice, Roll
from app.engine.findings import Finding
from app.engine.ruleset import GM, Asked
from app.rulesets.warrior_dice import orders
from app.rulesets.warrior_dice.choices import DuelChoices
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import DuelOrder, StandingOrders
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import (
    Buy,
    FaceOrder,
    Keep,
    Kind,
    Pace,
    ReforgeOrder,
    Stage,
    TradeOrder,
    YieldOrder,
)

SEATS = ("anna", "bruno")


@dataclass(slots=True)
class RandomDice:
    """Dice of a seed; no address may be asked for twice in a decision."""

    chance: Random
    rolls: list[Roll] = field(default_factory=list)

    def face(self, address: Address, sides: int) -> int:
        """Throw a die."""
        assert address not in {roll.address for roll in self.rolls}, address
        self.rolls.append(Roll(address, sides, self.chance.randint(1, sides)))
        return self.rolls[-1].face

    def tags(self) -> dict[Address, Any]:
        """Say that nothing was thrown with a modifier."""
        return {}


@dataclass(frozen=True, slots=True)
class Step:
    """A decision: the state before it, the order, its dice, what came of it."""

    before: Duel
    order: DuelOrder
    rolls: tuple[Roll, ...]
    after: Duel
    findings: tuple[Finding, ...]
    drawn: tuple[Asked, ...]


def any_setup(chance: Random) -> DuelSetup:
    """Draw a set-up: two printed warriors under any options and standing orders."""
    options: dict[str, Any] = {}
    for name, one in DuelOptions.__dataclass_fields__.items():
        if isinstance(one.default, bool):
            options[name] = chance.random() < 0.5
        elif hasattr(type(one.default), "__members__"):
            options[name] = chance.choice(list(type(one.default)))
    options["battlefield"] = chance.choice([None, *range(1, 11)])
    return DuelSetup(
        entrants=tuple(any_duellist(chance, seat) for seat in SEATS),
        options=DuelOptions(**options),
        first=chance.choice([None, *SEATS]),
        pace=chance.choice(list(Pace)),
        turns_per_post=chance.choice([1, 1, 4]),
    )


def any_duellist(chance: Random, seat: str) -> Duellist:
    """Draw a printed warrior, or one that has bought an option in its campaign."""
    id, xp, standing = chance.choice(list(PRINTED)), chance.choice([0, 5, 25]), any_standing(chance)
    if chance.random() < 0.7:
        return Duellist(id=seat, sheet=PrintedWarrior(warrior=id, xp=xp), standing=standing)
    kind = chance.choice([Kind.ATTACK, Kind.DEFENCE])
    bought = FaceOption(face=chance.randint(1, 10), name="Bought", kind=kind, force=10)
    printed = PRINTED[id].sheet
    sheet = replace(printed, xp=xp, options=(*printed.options, bought))
    return Duellist(id=seat, sheet=sheet, standing=standing, grown=True)


def any_standing(chance: Random) -> StandingOrders:
    """Draw standing orders."""
    return StandingOrders(
        doubler=chance.choice(list(Keep)),
        faces=chance.choice(list(FaceOrder)),
        reforge=chance.choice(list(ReforgeOrder)),
        reforge_at=chance.choice([0, 50]),
        surrender=chance.choice(list(YieldOrder)),
        trade=chance.choice(list(TradeOrder)),
    )


def any_duel(seed: int, most: int = 3000, *, corrected: bool = False) -> Iterator[Step]:
    """Play a random duel from its set-up to its end; the Master may correct hits now and then."""
    chance, aside = Random(seed), Random(-seed)
    setup = any_setup(chance)
    assert WARRIOR_DICE.check_setup(setup) == ()
    duel = WARRIOR_DICE.start(setup)
    for _ in range(most):
        awaited = WARRIOR_DICE.awaits(duel)
        if awaited.ended:
            return
        order = _correction(aside, duel) if corrected else None
        if order is None:
            order = _any_order(chance, duel, chance.choice(awaited.seats))
        assert WARRIOR_DICE.check(duel, order) == (), order
        dice = RandomDice(chance)
        done = WARRIOR_DICE.resolve(duel, order, dice)
        yield Step(duel, order, tuple(dice.rolls), done.state, done.findings, done.drawn)
        duel = done.state
    raise AssertionError("the duel has no end")


def replayed(step: Step) -> Duel:
    """Decide the same once more, from what is on record."""
    return WARRIOR_DICE.resolve(step.before, step.order, RecordedDice(step.rolls)).state


def _correction(aside: Random, duel: Duel) -> DuelOrder | None:
    """Set hits, where the Master may; by a chance of its own, so that all else falls as it does."""
    if aside.random() < 0.8 or "set_value" not in WARRIOR_DICE.choices(duel, GM).orders:
        return None
    who = duel.who(aside.choice(SEATS))
    values = [one for one in range(1, who.start_hits + 1) if one != who.hits]
    value = aside.choice(values)
    return orders.SetHits(by=GM, combatant=who.id, value=value, reason="Miscounted.")


def _any_order(chance: Random, duel: Duel, seat: str) -> DuelOrder:
    rare = chance.random()
    offered: DuelChoices = WARRIOR_DICE.choices(duel, seat)
    if rare < 0.02:
        return orders.LapseOfTime(by=GM)
    if rare < 0.03 and duel.stage is Stage.FIGHT:
        return orders.ResignDuel(by=seat)
    if "draw" in offered.orders and rare < (0.3 if duel.draw_offered else 0.05):
        return orders.OfferDraw(by=seat)
    if rare < 0.07:
        return orders.ChangeStanding(by=seat, standing=any_standing(chance))
    if "ready" in offered.orders:
        return orders.ReadyForDuel(by=seat)
    if offered.asking is not None:
        return orders.DuelAnswer(by=seat, choice=chance.choice(offered.asking.choices))
    if "spend" in offered.orders:
        return orders.SpendXp(by=seat, purchases=tuple(_purchases(chance, offered)))
    if "reform" in offered.orders:
        cut = chance.choice([*offered.cuts, *([None] if offered.cut_hits else [])])
        if cut is None:
            return orders.ReformBeing(by=seat)
        return orders.ReformBeing(by=seat, face=cut.face, option=cut.option)
    reforge = offered.reforge and chance.random() < 0.5
    return orders.DuelTurn(by=seat, reforge=reforge)


def _purchases(chance: Random, offered: DuelChoices) -> Iterator[orders.Purchase]:
    absorbed = False
    for _ in range(chance.randint(0, offered.purchases)):
        what = chance.choice(offered.buys)
        if what is Buy.RAISE:
            one = chance.choice(offered.raises)
            yield orders.Purchase(what=what, face=one.face, option=one.option)
        elif what is Buy.HITS:
            yield orders.Purchase(what=what)
        else:
            fitting = [one for one in offered.traits if what == f"new_{one.kind}" and not absorbed]
            absorbs = fitting[0].name if fitting else ""
            absorbed |= bool(fitting)
            face = chance.randint(1, 10)
            yield orders.Purchase(what=what, face=face, name="New", absorbs=absorbs)


def without_standing(duel: Duel, seat: str) -> Duel:
    """Give the state with other standing orders of one seat."""
    other = StandingOrders(doubler=Keep.SECOND, surrender=YieldOrder.ALWAYS)
    return duel.put(replace(duel.who(seat), standing=other))
