"""Random battles from the muster to the end, by seeded dice that hold the rules to their word."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from app.engine.dice import Address, Roll, Tagged
from app.engine.findings import Finding
from app.engine.ruleset import GM, Asked
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import (
    Army,
    Choose,
    Counts,
    CustomRow,
    CustomTable,
    Deadline,
    Muster,
    Order,
    Policy,
    SetTroop,
    Turn,
)
from app.rulesets.battle_dice.policies import SHOTS
from app.rulesets.battle_dice.state import Battle, Entrant, Setup
from app.rulesets.battle_dice.tables import HERO_POWERS
from app.rulesets.battle_dice.terms import Hero, Kind, Manoeuvre

SEATS = ("ada", "bo")


@dataclass
class StrictDice:
    """Dice of a seeded chance: no address twice, one size a place, indices without a gap."""

    chance: random.Random
    rolls: list[Roll] = field(default_factory=list)

    def face(self, address: Address, sides: int) -> int:
        """Throw a die."""
        here = [roll for roll in self.rolls if roll.address.place == address.place]
        assert address.index == len(here)
        assert all(roll.sides == sides for roll in here)
        self.rolls.append(Roll(address, sides, self.chance.randint(1, sides)))
        return self.rolls[-1].face

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that there are none."""
        return {}


@dataclass(frozen=True)
class Step:
    """One decision of a battle, with the dice it drew and the states around it."""

    order: Order
    rolls: tuple[Roll, ...]
    before: Battle
    after: Battle
    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...]


def random_options(chance: random.Random) -> Options:
    """Choose a reading of every point at random."""
    chosen: dict[str, Any] = {}
    for option in dataclasses.fields(Options):
        if isinstance(option.default, bool):
            chosen[option.name] = chance.random() < 0.5
        elif isinstance(option.default, StrEnum):
            chosen[option.name] = chance.choice(list(type(option.default)))
    return Options(**chosen, turn_cap=chance.choice([2, 50]))


def random_army(chance: random.Random, options: Options) -> Army:
    """Make twenty dice of any kinds, with heroes of a printed table or of an own one."""
    numbers = [0] * len(Kind)
    for _ in range(20):
        numbers[chance.randrange(len(Kind))] += 1
    units = Counts(**dict(zip(Kind, numbers, strict=True)))
    if options.custom_heroes and chance.random() < 0.3:
        powers = sorted(HERO_POWERS)
        rows = tuple(
            CustomRow(low=face, high=face, name=f"Row {face}", power=chance.choice(powers))
            for face in range(1, 5)
        )
        return Army(units=units, custom=CustomTable(name="Own", die=Kind.D4, rows=rows))
    return Army(units=units, heroes=(chance.choice(list(Hero)),))


def random_policy(chance: random.Random) -> Policy:
    """Make any sound orders."""

    def kinds() -> tuple[Kind, ...]:
        return tuple(chance.sample(list(Kind), chance.randrange(len(Kind))))

    return Policy(
        casualties=kinds(),
        spare_pending=chance.choice([None, True, False]),
        target=kinds(),
        control=kinds(),
        set_to_one=kinds(),
        restore=kinds(),
        summon=chance.choice([None, Kind.D8]),
        free_choice=chance.choice([None, *Manoeuvre]),
        initiative_step=chance.choice([None, *SHOTS]),
    )


def begin(options: Options, **army: Army) -> Battle:
    """Open a battle; armies that are not given have to be mustered."""
    entrants = tuple(Entrant(id=seat, army=army.get(seat)) for seat in SEATS)
    setup = Setup(entrants=entrants, options=options)
    assert BATTLE_DICE.check_setup(setup) == ()
    return BATTLE_DICE.start(setup)


def play(battle: Battle, order: Order, chance: random.Random) -> Step:
    """Play an order that nothing stands in the way of."""
    assert BATTLE_DICE.check(battle, order) == ()
    dice = StrictDice(chance)
    plan = BATTLE_DICE.plan(battle, order)
    done = BATTLE_DICE.resolve(battle, order, dice)
    assert [one.address for one in done.drawn] == [roll.address for roll in dice.rolls]
    assert done.drawn[: len(plan.asked)] == plan.asked
    assert plan.draws or not dice.rolls
    return Step(order, tuple(dice.rolls), battle, done.state, done.findings, done.drawn)


def battle_of(seed: int, options: Options | None = None, *, corrected: bool = False) -> list[Step]:
    """Play a whole battle at random, from the muster to its end.

    Where it is ``corrected`` the Master puts an army right now and then.
    """
    chance, aside = random.Random(seed), random.Random(-seed)
    chosen = options or random_options(chance)
    battle = begin(chosen)
    steps = []
    for seat in SEATS:
        steps.append(play(battle, Muster(by=seat, army=random_army(chance, chosen)), chance))
        battle = steps[-1].after
    while battle.ended is None:
        correction = _correction(battle, aside) if corrected else None
        steps.append(play(battle, correction or _next(battle, chance), chance))
        battle = steps[-1].after
    return steps


def _correction(battle: Battle, aside: random.Random) -> Order | None:
    """Set how many dice are left of a kind, where the Master may; by a chance of its own."""
    if aside.random() < 0.8 or "set_value" not in BATTLE_DICE.choices(battle, GM).orders:
        return None
    side, kind = aside.choice(battle.sides), aside.choice(list(Kind)[:-1])
    value = aside.choice([one for one in range(1, 12) if one != side.count(kind)])
    return SetTroop(by=GM, combatant=side.id, change=kind, value=value, reason="Miscounted.")


def _next(battle: Battle, chance: random.Random) -> Order:
    if chance.random() < 0.05:
        return Deadline(by=GM)
    seat = chance.choice(BATTLE_DICE.awaits(battle).seats)
    if battle.paused is None:
        return Turn(by=seat, policy=random_policy(chance), keep=chance.random() < 0.2)
    decision = BATTLE_DICE.choices(battle, seat).decisions[0]
    picks = chance.sample([pick.id for pick in decision.picks], decision.count)
    return Choose(by=seat, decision=decision.id, picks=tuple(picks))
