"""P22 and P23: games through the rules against loops written by hand; printed, never a failure."""

from __future__ import annotations

from random import Random

from app.engine.odds import Odds
from app.engine.simulate import simulate
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.orders import Army, Counts
from app.rulesets.battle_dice.state import Entrant, Setup
from app.rulesets.battle_dice.terms import Hero
from app.rulesets.combat_dice.exact import solve
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.readings import DamageDice
from app.rulesets.combat_dice.sheet import FighterSheet
from app.rulesets.combat_dice.state import CombatEntrant, CombatSetup
from tests.bench.naive_battle import battle
from tests.bench.ratios import compare

DRAGONS = Army(units=Counts(d4=2, d6=4, d8=4, d10=4, d12=2, d20=4), heroes=(Hero.DRAGON,))
MAGES = Army(units=Counts(d4=1, d6=5, d8=6, d12=6, d20=2), heroes=(Hero.ARCHMAGE,))
BATTLE = Setup(
    entrants=(Entrant(id="a", army=DRAGONS), Entrant(id="b", army=MAGES)),
)
DUEL = CombatSetup(
    entrants=tuple(CombatEntrant(id=id, sheet=FighterSheet(name=id)) for id in "ab"),
    options=CombatOptions(damage_dice=DamageDice.OFF),
)
BATTLES = 100
DUELS = 20


def duel(rng: Random) -> tuple[int | None, int]:
    """Play a basic duel without damage dice as one would by hand; give the winner and turns."""
    points = [10, 10]
    for turn in range(1, 151):
        rolls = [_roll(rng), _roll(rng)]
        one, two = rolls[0][4], rolls[1][4]
        first = None if one == two else int(one < two)
        if first is not None:
            mine, theirs = rolls[first], rolls[1 - first]
            if mine[5] > theirs[5] and (mine[0] <= theirs[1] or mine[2] <= theirs[3]):
                rolls[first] = _roll(rng)
        for place in (0, 1) if first is None else (first, 1 - first):
            mine, theirs = rolls[place], rolls[1 - place]
            stands = first is None or points[place] > 0
            if stands and mine[0] > theirs[1] and mine[2] > theirs[3]:
                points[1 - place] -= mine[2] - theirs[3]
        if min(points) <= 0:
            return (None if max(points) <= 0 else int(points[0] <= 0)), turn
    return (None if points[0] == points[1] else int(points[0] < points[1])), 150


def _roll(rng: Random) -> list[int]:
    shown = [0] * 6
    for _ in range(6):
        shown[rng.randrange(6)] += 1
    return shown


def battles(seed: int, runs: int) -> Odds:
    """Play battles through the rules."""
    draw = Random(seed).random
    return simulate(BATTLE_DICE, BATTLE, lambda n: int(draw() * n), runs=runs, work=10**9)


def test_the_peers_play_the_same_games() -> None:
    rng = Random(1)
    odds = battles(1, 1_000)
    share = sum(battle(rng)[0] == 0 for _ in range(4_000)) / 4_000
    error = odds.of("a").error
    assert error is not None
    assert abs(odds.of("a").value - share) < 4 * error
    exact = solve(DUEL)
    assert exact is not None
    turns = [duel(rng)[1] for _ in range(2_000)]
    assert abs(sum(turns) / len(turns) - exact.turns.value) < 4 * 38 / len(turns) ** 0.5


def test_the_ratios_of_the_odds_are_printed() -> None:
    rng = Random(2)

    def by_hand() -> None:
        for _ in range(BATTLES):
            battle(rng)

    def duels() -> None:
        for _ in range(DUELS):
            duel(rng)

    def exactly() -> None:
        for _ in range(2):
            solve(DUEL)

    simulated = compare(
        f"P22 {BATTLES} battles through the rules / by hand",
        lambda: battles(2, BATTLES),
        by_hand,
        "<= 10",
    )
    solved = compare("P23 a basic duel solved exactly / played by hand", exactly, duels, "<= 60")
    ratio = solved.ours / 2 / (solved.other / DUELS)
    print()
    print(simulated)
    print(
        f"{solved.name}: {solved.ours / 2 * 1e3:.3f} ms / {solved.other / DUELS * 1e3:.3f} ms "
        f"= {ratio:.1f} (goal {solved.goal})"
    )
