"""Luck against every throw there is, and against what is known of great numbers of dice."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from fractions import Fraction
from math import comb, sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.luck import FaceCounts, luck, throws_up_to

HALF = Fraction(1, 2)
FEW_DICE = st.lists(st.integers(1, 8), max_size=5).flatmap(
    lambda sizes: st.tuples(*(st.tuples(st.just(sides), st.integers(1, sides)) for sides in sizes))
)
MANY_DICE = st.lists(
    st.sampled_from([2, 6, 10, 20, 100]).flatmap(
        lambda sides: st.tuples(st.just(sides), st.integers(1, sides))
    ),
    min_size=1,
    max_size=15,
)


def every_sum(sizes: list[int]) -> list[int]:
    """Throw dice in every way there is."""
    return [sum(faces) for faces in itertools.product(*(range(1, one + 1) for one in sizes))]


def added_up(sizes: list[int]) -> list[int]:
    """Count the throws that show each sum, from 0 on, by adding die after die."""
    ways = [1]
    for sides in sizes:
        after = [0] * (len(ways) + sides)
        for place, count in enumerate(ways):
            for face in range(1, sides + 1):
                after[place + face] += count
        ways = after
    return ways


@given(FEW_DICE)
def test_luck_is_what_counting_every_throw_gives(rolls: tuple[tuple[int, int], ...]) -> None:
    sums = every_sum([sides for sides, _ in rolls])
    shown = sum(face for _, face in rolls)
    found = luck(rolls)
    mean = Fraction(sum(sums), len(sums))
    assert (found.count, found.sum, found.mean) == (len(rolls), shown, mean)
    assert found.below == Fraction(sum(one < shown for one in sums), len(sums))
    assert found.up_to == Fraction(sum(one <= shown for one in sums), len(sums))
    assert found.above == Fraction(sum(one > shown for one in sums), len(sums))
    variance = sum((one - mean) ** 2 for one in sums) / len(sums)
    assert abs(float(found.deviation) - sqrt(variance)) <= 0.005 + 1e-9


@given(st.lists(st.integers(1, 8), max_size=5))
def test_every_sum_is_counted_right_also_those_that_cannot_be(sizes: list[int]) -> None:
    sums = every_sum(sizes)
    for total in range(-2, sum(sizes) + 3):
        counted = sum(one < total for one in sums), sum(one <= total for one in sums)
        assert throws_up_to(Counter(sizes), total) == counted


@given(MANY_DICE)
def test_luck_is_what_adding_die_after_die_gives(rolls: list[tuple[int, int]]) -> None:
    ways = added_up([sides for sides, _ in rolls])
    found = luck(rolls)
    assert found.below == Fraction(sum(ways[: found.sum]), sum(ways))
    assert found.up_to == Fraction(sum(ways[: found.sum + 1]), sum(ways))


@given(MANY_DICE)
def test_turned_over_good_luck_is_bad_luck(rolls: list[tuple[int, int]]) -> None:
    found = luck(rolls)
    turned = luck([(sides, sides + 1 - face) for sides, face in rolls])
    assert (turned.below, turned.up_to) == (found.above, 1 - found.below)
    assert turned.percentile == 1 - found.percentile


@given(MANY_DICE, st.randoms(use_true_random=False))
def test_luck_does_not_depend_on_the_order_of_the_dice(
    rolls: list[tuple[int, int]], order: Random
) -> None:
    shuffled = list(rolls)
    order.shuffle(shuffled)
    assert luck(shuffled) == luck(rolls)


@given(MANY_DICE)
def test_a_higher_face_is_never_worse_luck(rolls: list[tuple[int, int]]) -> None:
    (sides, face), *others = rolls
    if face < sides:
        assert luck([(sides, face + 1), *others]).percentile > luck(rolls).percentile


def test_coins_follow_the_triangle_of_pascal() -> None:
    found = luck([(2, 2)] * 60 + [(2, 1)] * 40)
    assert found.below == Fraction(sum(comb(100, heads) for heads in range(60)), 2**100)
    assert found.up_to == Fraction(sum(comb(100, heads) for heads in range(61)), 2**100)
    assert found.mean == 150
    assert found.deviation == 5


def test_without_dice_nobody_is_lucky_or_unlucky() -> None:
    found = luck([])
    assert (found.count, found.sum, found.mean, found.deviation) == (0, 0, 0, 0)
    assert (found.below, found.up_to, found.percentile) == (0, 1, HALF)
    assert found.faces == ()


def test_the_best_and_the_worst_throw_stand_at_the_ends() -> None:
    worst, best = luck([(20, 1)] * 3), luck([(20, 20)] * 3)
    assert (worst.below, worst.up_to) == (0, Fraction(1, 8000))
    assert (best.below, best.up_to) == (Fraction(7999, 8000), 1)


def test_faces_are_counted_by_the_size_of_their_die() -> None:
    found = luck([(6, 1), (4, 4), (6, 6), (6, 1)])
    assert found.faces == (FaceCounts(4, (0, 0, 0, 1)), FaceCounts(6, (2, 0, 0, 0, 0, 1)))


@pytest.mark.parametrize("face", [0, 7, -1])
def test_a_face_that_a_die_does_not_have_is_refused(face: int) -> None:
    with pytest.raises(ValueError, match="a die of 6 cannot show"):
        luck([(6, face)])


@pytest.mark.parametrize(
    "rolls",
    [
        [(100, 50)] * 2000,
        [(20, 10)] * 1000 + [(100, 50)] * 1000,
        [(4, 2), (6, 3), (8, 4), (10, 5), (12, 6), (20, 10), (100, 50)] * 285,
    ],
    ids=["one size", "two sizes", "seven sizes"],
)
def test_two_thousand_dice_are_near_the_normal_law_and_soon_counted(
    rolls: list[tuple[int, int]],
) -> None:
    began = time.process_time()
    found = luck(rolls)
    assert time.process_time() - began < 10  # a table of all sums would take minutes
    assert found.below < found.percentile < found.up_to < HALF
    near = NormalDist(float(found.mean), float(found.deviation)).cdf(found.sum)
    assert abs(float(found.percentile) - near) < 1e-4
