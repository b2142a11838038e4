"""How lucky dice were: where their sum stands among all the sums that such dice can show, exactly.

Of N dice, n of each size k, the throws of at most a sum are counted by the coefficients of
G(x) = prod (1 - x^k)^n / (1 - x)^(N + 1), with faces counted from 0. From x G'(x) / G(x) follows a
recurrence, m G_m = (N + 1) (G_(m-1) + ... + G_0) - sum over k of n k (G_(m-k) + G_(m-2k) + ...),
which needs a few whole numbers for each m, and neither a table of sums nor a fraction.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, prod


@dataclass(frozen=True, slots=True)
class FaceCounts:
    """How often each face of the dice of one size fell, from the 1 on."""

    sides: int
    fell: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """What dice showed, and among all throws of such dice how many show less, or no more.

    ``deviation`` is the standard deviation of the sum, to the hundredth.
    """

    count: int
    sum: int
    mean: Fraction
    deviation: Fraction
    below: Fraction
    up_to: Fraction
    faces: tuple[FaceCounts, ...]

    @property
    def above(self) -> Fraction:
        """Give how many of all throws show more."""
        return 1 - self.up_to

    @property
    def percentile(self) -> Fraction:
        """Give one number, from 0 to 1: half of the throws that show the same count as less."""
        return (self.below + self.up_to) / 2


def luck(rolls: Iterable[tuple[int, int]]) -> Luck:
    """Hold dice, each as sides and face, against all throws of such dice.

    Raises ValueError for a face that its die does not have. Two thousand dice of a hundred sides
    take less than a second.
    """
    fell = Counter(rolls)
    for sides, face in fell:
        if not 1 <= face <= sides:
            raise ValueError(f"a die of {sides} cannot show {face}")
    sizes: Counter[int] = Counter()
    for (sides, _), times in fell.items():
        sizes[sides] += times
    total = sum(face * times for (_, face), times in fell.items())
    below, up_to = throws_up_to(sizes, total)
    throws = prod(sides**count for sides, count in sizes.items())
    variance = sum(Fraction(count * (sides**2 - 1), 12) for sides, count in sizes.items())
    return Luck(
        count=sizes.total(),
        sum=total,
        mean=Fraction(sum(count * (sides + 1) for sides, count in sizes.items()), 2),
        deviation=Fraction((isqrt(int(40_000 * variance)) + 1) // 2, 100),
        below=Fraction(below, throws),
        up_to=Fraction(up_to, throws),
        faces=tuple(
            FaceCounts(sides, tuple(fell[sides, face] for face in range(1, sides + 1)))
            for sides in sorted(sizes)
        ),
    )


def throws_up_to(sizes: Mapping[int, int], total: int) -> tuple[int, int]:
    """Count the throws of so many dice of each size that show less than a sum, and no more."""
    count = sum(sizes.values())
    least_and_most = count + sum(sides * times for sides, times in sizes.items())
    if 2 * total > least_and_most:
        # Turned over, k + 1 - face, dice have the same law: the nearer end is counted.
        throws = prod(sides**times for sides, times in sizes.items())
        less, no_more = throws_up_to(sizes, least_and_most - total)
        return throws - no_more, throws - less
    if total < count:
        return 0, 0
    last, ways, all_ways = 0, 1, 1
    # For each size: its weight, and the running sums G_m + G_(m-k) + ... of its last k steps.
    running = [
        (sides * times, deque([0] * (sides - 1) + [1], maxlen=sides))
        for sides, times in sizes.items()
    ]
    for step in range(1, total - count + 1):
        sums = [steps[0] for _, steps in running]
        weighted = sum(weight * one for (weight, _), one in zip(running, sums, strict=True))
        last, ways = ways, ((count + 1) * all_ways - weighted) // step
        all_ways += ways
        for (_, steps), one in zip(running, sums, strict=True):
            steps.append(one + ways)
    return last, ways
