"""Exact odds agree with every die enumerated, with simulation, and with the figures of RULINGS."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest

from app.engine.dice import Address
from app.engine.odds import Estimate, Method, Odds
from app.engine.simulate import simulate
from app.rulesets.combat_dice.autoplay import AUTOPLAY
from app.rulesets.combat_dice.exact import solve
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.law import law_of
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.readings import DamageDice, DoubleKo, Floor, MissingItems, Stalemate
from app.rulesets.combat_dice.setup import start
from app.rulesets.combat_dice.sheet import FighterSheet, LastingWounds
from app.rulesets.combat_dice.state import Combat, CombatEntrant, CombatSetup
from app.rulesets.combat_dice.terms import (
    Armor,
    Gladiator,
    Shield,
    Spell,
    Training,
    Weapon,
)

PLAIN = CombatOptions(damage_dice=DamageDice.OFF)
BASIC = FighterSheet(name="Basic")
NAKED = FighterSheet(name="Naked", weapons=(), armor=Armor.NONE, shield=None)
TWO_HANDED = FighterSheet(
    name="Two-handed", weapons=(Weapon.SWORD_2H,), shield=Shield.NONE, armor=Armor.MEDIUM
)
SWORD = FighterSheet(name="Sword", armor=Armor.NONE)


def gladiator(one: Gladiator) -> FighterSheet:
    """Give a printed gladiator."""
    return FighterSheet(name=one.value, gladiator=one)


def setup(one: FighterSheet, two: FighterSheet, options: CombatOptions = PLAIN) -> CombatSetup:
    """Set two fighters against each other."""
    entrants = (CombatEntrant(id="ann", sheet=one), CombatEntrant(id="ben", sheet=two))
    ready = CombatSetup(entrants=entrants, options=options)
    assert COMBAT_DICE.check_setup(ready) == ()
    return ready


def exact(ready: CombatSetup) -> Odds:
    """Solve a combat that can be solved."""
    odds = solve(ready)
    assert odds is not None
    assert odds.method is Method.EXACT
    assert sum(share.value for _, share in odds.wins) + odds.draws.value == pytest.approx(1)
    return odds


def simulated(ready: CombatSetup, runs: int) -> Odds:
    """Play a combat so often with seeded dice."""
    draw = Random(7).random
    odds = simulate(COMBAT_DICE, ready, lambda n: int(draw() * n), runs=runs, work=10**9)
    assert odds.runs == runs
    return odds


def agree(odds: Odds, games: Odds) -> None:
    """Hold every figure to four standard errors."""
    pairs = [(odds.of(seat), share) for seat, share in games.wins]
    pairs += [(odds.draws, games.draws), (odds.capped, games.capped), (odds.turns, games.turns)]
    for one, other in pairs:
        assert other.error is not None
        assert abs(one.value - other.value) <= 4 * other.error, (one, other)


@dataclass
class Enumerated:
    """Dice that show what was laid down for them, and a 1 beyond it."""

    laid: tuple[int, ...]
    sides: list[int] = field(default_factory=list)

    def face(self, _address: Address, sides: int) -> int:
        """Show the next face."""
        self.sides.append(sides)
        shown = len(self.sides) - 1
        return self.laid[shown] if shown < len(self.laid) else 1

    def tags(self) -> dict[Address, Any]:
        """Say that nothing was thrown with a modifier."""
        return {}


def every_turn(combat: Combat, laid: tuple[int, ...] = ()) -> Iterator[tuple[Combat, float]]:
    """Play one turn with every way in which its dice may fall, die after die."""
    dice = Enumerated(laid)
    order = AUTOPLAY.lapse(combat)
    assert order is not None
    after = COMBAT_DICE.resolve(combat, order, dice).state
    if len(dice.sides) == len(laid):
        yield after, 6.0 ** -len(laid)
        return
    # The dice before the next decision of the rules fall together; the rest comes after them.
    for face in range(1, 7):
        yield from every_turn(combat, (*laid, face))


def enumerate_and_compare(forgone: int, **options: Any) -> None:
    """Hold the law of a turn with a few dice to every way in which they may fall."""
    few = LastingWounds(blinded=True)  # few dice are left, so that all can be gone through
    spells = tuple(Spell)[3:5]  # those that attack nobody
    ann = FighterSheet(
        name="A", armor=Armor.NONE, forgone=forgone, spells=spells[:forgone], wounds=few
    )
    ben = replace(ann, forgone=1, spells=spells[:1], weapons=(Weapon.SHORT_SWORD,))
    combat = start(setup(ann, ben, replace(PLAIN, wounds_persist=True, **options)))
    played: defaultdict[tuple[int, int], float] = defaultdict(float)
    for after, chance in every_turn(combat):
        first, second = after.fighters
        played[10 - first.hp, 10 - second.hp] += chance
    told: defaultdict[tuple[int, int], float] = defaultdict(float)
    for (_, dealt, suffered), chance in law_of(combat).items():
        told[suffered, dealt] += chance
    assert len(played) >= 2
    assert dict(told) == pytest.approx(dict(played), abs=1e-9)


def test_the_law_of_a_turn_is_that_of_all_its_dice_enumerated() -> None:
    enumerate_and_compare(2)


@pytest.mark.slow
@pytest.mark.parametrize("floor", Floor)
def test_the_law_of_a_turn_is_that_of_four_dice_enumerated(floor: Floor) -> None:
    enumerate_and_compare(1, floor=floor)


def test_a_mirror_is_even_and_its_law_sums_to_one() -> None:
    for sheet in (BASIC, TWO_HANDED, gladiator(Gladiator.MURMILLO)):
        ready = setup(sheet, sheet)
        odds = exact(ready)
        assert odds.of("ann").value == pytest.approx(odds.of("ben").value, abs=1e-9)
        law = law_of(start(ready))
        assert sum(law.values()) == pytest.approx(1, abs=1e-12)
        for (first, dealt, suffered), chance in law.items():
            mirrored = None if first is None else 1 - first
            assert law[mirrored, suffered, dealt] == pytest.approx(chance, abs=1e-12)


MATCHES = [
    (BASIC, BASIC, {}),
    (TWO_HANDED, gladiator(Gladiator.SECUTOR), {}),
    (BASIC, TWO_HANDED, {"floor": Floor.ALL, "dying_blow": True}),
    (SWORD, TWO_HANDED, {"floor": Floor.NONE, "double_ko": DoubleKo.HIGHER_HP}),
    (gladiator(Gladiator.MURMILLO), gladiator(Gladiator.MURMILLO), {"turn_cap": 40}),
    (NAKED, gladiator(Gladiator.THRACIAN), {"missing_item_rows": MissingItems.LISTED_ONLY}),
]


@pytest.mark.parametrize(("one", "two", "options"), MATCHES[1:4:2])
def test_exact_odds_agree_with_a_few_games(
    one: FighterSheet, two: FighterSheet, options: dict[str, Any]
) -> None:
    ready = setup(one, two, replace(PLAIN, **options))
    agree(exact(ready), simulated(ready, 120))


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two", "options"), MATCHES)
def test_exact_odds_agree_with_four_thousand_games(
    one: FighterSheet, two: FighterSheet, options: dict[str, Any]
) -> None:
    ready = setup(one, two, replace(PLAIN, **options))
    agree(exact(ready), simulated(ready, 4_000))


def test_who_never_hurts_anybody_fights_to_the_cap_and_draws() -> None:
    wounds = LastingWounds(hurt_arm=9)
    harmless = FighterSheet(name="Harmless", armor=Armor.HEAVY, wounds=wounds)
    odds = exact(setup(harmless, harmless, replace(PLAIN, wounds_persist=True)))
    assert odds.capped == Estimate(pytest.approx(1))
    assert odds.draws == Estimate(pytest.approx(1))
    assert odds.turns == Estimate(pytest.approx(150))


@pytest.mark.parametrize(
    "ready",
    [
        setup(BASIC, BASIC, CombatOptions()),
        setup(BASIC, BASIC, replace(PLAIN, damage_dice=DamageDice.WITH_ROLL)),
        setup(BASIC, BASIC, replace(PLAIN, stalemate=Stalemate.ESCALATE)),
        setup(BASIC, replace(BASIC, weapons=(Weapon.NET,))),
        setup(BASIC, replace(BASIC, weapons=(Weapon.BOW,))),
        setup(BASIC, gladiator(Gladiator.DIMACHAERI)),
        setup(BASIC, replace(BASIC, training=Training.ADVANCED)),
    ],
)
def test_a_combat_that_is_not_plain_is_left_to_simulation(ready: CombatSetup) -> None:
    assert solve(ready) is None


# RULINGS, CD-A11 and CD-A13: wins in 100 against the basic fighter, and games at the turn cap.
HEAVY = FighterSheet(name="Heavy", armor=Armor.HEAVY, shield=Shield.LARGE)
COMBAT4 = CombatOptions(floor=Floor.COMBAT4)
ESCALATE = CombatOptions(stalemate=Stalemate.ESCALATE)
WINS: list[tuple[FighterSheet, CombatOptions, int]] = [
    (SWORD, CombatOptions(), 12),
    (gladiator(Gladiator.MURMILLO), CombatOptions(), 94),
    (gladiator(Gladiator.SECUTOR), CombatOptions(), 13),
    (gladiator(Gladiator.THRACIAN), CombatOptions(), 4),
    (gladiator(Gladiator.DIMACHAERI), CombatOptions(), 2),
    (gladiator(Gladiator.DIMACHAERI), COMBAT4, 17),
    (TWO_HANDED, CombatOptions(), 57),
    (TWO_HANDED, COMBAT4, 72),
    (TWO_HANDED, CombatOptions(floor=Floor.ALL), 74),
    (replace(TWO_HANDED, armor=Armor.NONE), CombatOptions(), 40),
    (replace(TWO_HANDED, armor=Armor.NONE), COMBAT4, 87),
    (replace(TWO_HANDED, armor=Armor.HEAVY), CombatOptions(floor=Floor.NONE), 84),
    (replace(BASIC, armor=Armor.HEAVY), CombatOptions(), 96),
    (replace(BASIC, shield=Shield.SMALL), CombatOptions(), 22),
    (replace(BASIC, shield=Shield.LARGE), COMBAT4, 79),
]
SAMNITE, SECUTOR, MURMILLO, THRACIAN = (
    gladiator(one)
    for one in (
        Gladiator.SAMNITES,
        Gladiator.SECUTOR,
        Gladiator.MURMILLO,
        Gladiator.THRACIAN,
    )
)
CAPPED: list[tuple[FighterSheet, FighterSheet, CombatOptions, int]] = [
    (SAMNITE, SAMNITE, CombatOptions(), 100),
    (SAMNITE, SAMNITE, ESCALATE, 60),
    (HEAVY, HEAVY, ESCALATE, 59),
    (SAMNITE, SECUTOR, CombatOptions(), 68),
    (SAMNITE, MURMILLO, ESCALATE, 27),
    (SAMNITE, BASIC, CombatOptions(), 67),
    (SAMNITE, BASIC, ESCALATE, 33),
    (SECUTOR, SECUTOR, CombatOptions(), 47),
    (SECUTOR, THRACIAN, CombatOptions(), 2),
    (SECUTOR, THRACIAN, COMBAT4, 34),
    (THRACIAN, THRACIAN, COMBAT4, 19),
    (SAMNITE, THRACIAN, CombatOptions(), 0),
]


def near(share: Estimate, percent: int) -> None:
    """Hold a share to a figure of RULINGS: its own ±1.6 and four of our standard errors."""
    assert share.error is not None
    assert abs(share.value * 100 - percent) <= 1.6 + 400 * share.error, (share, percent)


def test_a_few_games_come_out_as_the_rulings_say() -> None:
    odds = simulated(setup(SWORD, BASIC, CombatOptions()), 100)
    near(odds.of("ann"), 12)
    near(odds.capped, 0)
    near(simulated(setup(SAMNITE, BASIC, CombatOptions()), 30).capped, 67)


@pytest.mark.slow
@pytest.mark.parametrize(("sheet", "options", "percent"), WINS)
def test_wins_are_those_of_the_rulings(
    sheet: FighterSheet, options: CombatOptions, percent: int
) -> None:
    near(simulated(setup(sheet, BASIC, options), 1_000).of("ann"), percent)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two", "options", "percent"), CAPPED)
def test_games_reach_the_turn_cap_as_often_as_the_rulings_say(
    one: FighterSheet, two: FighterSheet, options: CombatOptions, percent: int
) -> None:
    near(simulated(setup(one, two, options), 600).capped, percent)
