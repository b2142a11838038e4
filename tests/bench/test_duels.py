"""P19 to P21 and P24: duels solved against a library and a loop by hand; never a failure."""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.solver.course import run
from app.rulesets.warrior_dice.solver.graph import Graph, turns_in, turns_of
from app.rulesets.warrior_dice.solver.ladder import Ladder
from app.rulesets.warrior_dice.solver.laws import Book
from app.rulesets.warrior_dice.solver.limit import Limit
from app.rulesets.warrior_dice.solver.odds import win_chance
from app.rulesets.warrior_dice.solver.policy import best_choices
from app.services.duels import solve_matrix
from tests.bench.naive_duel import Option, attacking, defending, play, sheet
from tests.bench.ratios import Row
from tests.unit.warrior_dice.solving import PAIRS as ALL_PAIRS
from tests.unit.warrior_dice.solving import SlimDuel, duel_of, standard_errors

# The figures take minutes: they are for `make bench`, which installs the peer.
pytest.importorskip("icepool", reason="make bench installs it")

# The peer knows no specials: two warriors without any, and one with an All Out.
PAIRS = (("guerriero", "elfo"), ("guerriero", "nano"), ("cavaliere", "guerriero"))
DEEP = 4  # dice of a chain that the peer follows; more make its numbers, and its time, longer
DUELS = 20
THROWN = 20_000


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Do something once, and give the seconds of this process that it took."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def chain(icepool: Any, faces: list[Option], phase: str, rank: Any, deep: int) -> Any:
    """Give the peer's law of a roll: what kind is left, and with which Force."""
    single = icepool.Die(faces)
    kept = single.map(lambda one: single.map(lambda two: two if rank(two) > rank(one) else one))

    def after(left: int) -> Any:
        def final(option: Option, dice: int = left) -> Any:
            kind, force, special = option
            if kind in ("adder", "doubler") or (special == "all_out" and kind == phase):
                if not dice:
                    return ("lost", 0)
                if kind == "doubler":
                    return kept.map(lambda one: final(one, dice - 1), star=False)
                raised = after(dice - 1)
                if kind == "adder":
                    return raised.map(lambda one, more: (one, more + 10))
                return raised.map(lambda one, more: (one, 2 * more if one == phase else more))
            return (kind, force)

        return single.map(final, star=False)

    return after(deep)


def by_the_peer(icepool: Any, first: str, second: str) -> float:
    """Solve a plain duel with the peer: the chance of the first, which begins."""
    tables = [[face[0] for face in sheet(id)] for id in (first, second)]

    def turn(own: list[Option], theirs: list[Option]) -> Any:
        laws: dict[int, Any] = {}

        def damage(kind: str, force: int) -> Any:
            if kind != "attack":
                return 0
            met = min(force, 60)
            if met not in laws:
                laws[met] = chain(
                    icepool, theirs, "defence", lambda o: defending(o, met, False, 0), DEEP
                )
            return laws[met].map(
                lambda one, stop: min(100, max(0, force - (stop if one == "defence" else 0)))
            )

        return chain(icepool, own, "attack", lambda o: attacking(o, 0), DEEP).map(damage)

    turns = (turn(tables[0], tables[1]), turn(tables[1], tables[0]))

    def step(state: tuple[int, int, int]) -> Any:
        up, one, other = state
        if not one or not other:
            return state
        if up == 0:
            return turns[0].map(lambda lost: (1, one, max(0, other - lost)))
        return turns[1].map(lambda lost: (0, max(0, one - lost), other))

    ends = icepool.Die([(0, 100, 100)]).map(step, star=False, repeat="inf")
    return float(ends.map(lambda state: not state[2], star=False).probability(True))


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_ratios_of_one_pair_against_the_peer_are_printed(first: str, second: str) -> None:
    icepool = pytest.importorskip("icepool", reason="make bench installs it")
    duel = duel_of(first, second)
    book = Book(DuelOptions(), ground_of(None))
    cold, chance = timed(lambda: win_chance(duel, book))
    warm = min(timed(lambda: win_chance(duel, book))[0] for _ in range(7))
    other, theirs = timed(lambda: by_the_peer(icepool, first, second))
    assert abs(theirs - chance) < 0.01  # the peer cuts its chains short
    turns = turns_of(duel)
    best, better = timed(lambda: best_choices(duel, turns, (True, False)))
    assert better >= chance
    print()
    name = f"{first} / {second}"
    print(Row(f"P19 {name}: exact, laws of rolls known / icepool", warm, other, "≤ 0.002"))
    print(Row(f"P19 {name}: exact from nothing / icepool", cold, other, "–"))
    print(Row(f"P24 {name}: best choices of one / icepool, fixed", best, other, "≤ 0.4"))


@pytest.mark.slow
def test_the_ratio_of_the_whole_matrix_is_printed() -> None:
    rng = Random(1)
    ids = list(PRINTED)

    def naive() -> None:
        for one in ids:
            for other in ids:
                for _ in range(DUELS):
                    play(rng, one, other)

    ours, _ = timed(solve_matrix)
    other, _ = timed(naive)
    print()
    print(Row(f"P20 51 × 51 exact / {DUELS} duels a pair by hand", ours, other, "≤ 4"))


@pytest.mark.slow
def test_how_exact_it_is_is_printed() -> None:
    gap = worst = 0.0
    for number, (first, second) in enumerate(ALL_PAIRS):
        duel = duel_of(first, second, DuelOptions(turn_cap=1000))
        graph = Graph(duel, turns_in(Book(duel.options, ground_of(None)), duel))
        chances = [Limit(graph).wins(0), run(graph).wins[0], Ladder(duel, graph.turns).wins(0)]
        gap = max(gap, max(chances) - min(chances))
        slim = SlimDuel(duel, number)
        won = sum(slim.play() == 0 for _ in range(THROWN))
        worst = max(worst, standard_errors(won / THROWN, chances[0], THROWN))
    print()
    print(f"P21 three methods differ by at most {gap:.1e} (goal ≤ 1e-9)")
    print(f"P21 {THROWN} duels a pair: {worst:.1f} standard errors at most (goal ≤ 4)")
