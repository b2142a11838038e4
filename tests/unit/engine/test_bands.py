"""Printed bands and staircases: every gap and every overlap is found, and nothing else is."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.bands import (
    Band,
    Fault,
    UnreadableBand,
    faults_of_bands,
    faults_of_steps,
    read_band,
    read_steps,
)


def bands(
    *printed: str, first: int = 0, last: int | None = None, whole: bool = False, unit: str = ""
) -> list[str]:
    """Name the faults of bands as a list of known ones does."""
    found = faults_of_bands(
        [read_band(one, unit) for one in printed],
        first=Fraction(first),
        last=None if last is None else Fraction(last),
        whole=whole,
    )
    return [f"{defect.fault} {defect.at}" for defect in found]


def steps(*rows: tuple[object, object], first: int = 1) -> list[str]:
    """Name the faults of steps."""
    found = faults_of_steps(read_steps(rows), first=Fraction(first))
    return [f"{defect.fault} {defect.at}" for defect in found]


@pytest.mark.parametrize(
    ("printed", "low", "high"),
    [
        *(("0-25", 0, 25), ("0–25", 0, 25), ("26 — 60", 26, 60), ("1,5-2.5", "3/2", "5/2")),
        *(("100+", 100, None), ("da 100", 100, None), ("from 100", 100, None), ("≥ 3", 3, None)),
        *(("fino a 5", None, 5), ("Up to 5", None, 5), ("≤5", None, 5), ("1000", 1000, 1000)),
    ],
)
def test_a_band_is_read_as_it_is_printed(printed: str, low: object, high: object) -> None:
    band = read_band(printed)
    bounds = [None if one is None else Fraction(str(one)) for one in (low, high)]
    assert [band.low, band.high] == bounds
    assert (band.low_open, band.high_open) == (False, False)


@pytest.mark.parametrize("printed", ["oltre 100", "over 100", "> 100", "Oltre 100"])
def test_over_a_value_does_not_hold_it(printed: str) -> None:
    assert read_band(printed) == Band(printed, Fraction(100), None, low_open=True)


@pytest.mark.parametrize("printed", ["sotto 5", "under 5", "<5"])
def test_under_a_value_does_not_hold_it(printed: str) -> None:
    assert read_band(printed) == Band(printed, None, Fraction(5), high_open=True)


@pytest.mark.parametrize("printed", ["", "many", "1-", "-5", "1-2-3", "٣", "1e3"])
def test_what_is_no_band_is_refused(printed: str) -> None:
    with pytest.raises(UnreadableBand):
        read_band(printed)


def test_a_unit_may_stand_beside_the_numbers() -> None:
    assert bands("0-25m", "26-60 m", "60-100m", "100+ m", unit="m") == [
        "overlap 60",
        "overlap 100",
        "gap >25 … <26",
    ]


def test_the_bands_of_the_blind_attack_overlap_and_leave_a_gap() -> None:
    printed = ("0–25", "26–60", "60–100", "over 100")
    assert bands(*printed) == ["overlap 60", "gap >25 … <26"]
    assert bands(*printed, whole=True) == ["overlap 60"]  # there is no metre between 25 and 26


def test_the_volley_classes_leave_three_gaps() -> None:
    assert bands("1–5", "20–100", "1000", first=1, whole=True) == [
        *("gap 6–19", "gap 101–999", "gap >1000"),
    ]


@pytest.mark.parametrize(
    "printed",
    [
        *(("0-25", "over 25"), ("under 10", "10+"), ("0-5", "over 5"), ("up to 3", "> 3")),
        ("0-1", "1-2"),
    ],
)
def test_bands_that_touch_are_told_apart_by_their_open_ends(printed: tuple[str, ...]) -> None:
    found = bands(*printed)
    assert found == (["overlap 1", "gap >2"] if "1-2" in printed else [])


@pytest.mark.parametrize(
    ("printed", "options", "found"),
    [
        (("1-5", "6-10", "11+"), {"first": 1, "whole": True}, []),
        (("1-5", "7-10", "11+"), {"first": 1, "whole": True}, ["gap 6"]),
        (("1-6", "6-10", "11+"), {"first": 1, "whole": True}, ["overlap 6"]),
        (("1-8", "6-10", "11+"), {"first": 1, "whole": True}, ["overlap 6–8"]),
        (("2-5", "6+"), {"first": 1, "whole": True}, ["gap 1"]),
        (("1-5", "6-9"), {"first": 1, "last": 9, "whole": True}, []),
        (("1-5", "6-9"), {"first": 1, "last": 12, "whole": True}, ["gap 10–12"]),
        (("1-5", "6-9"), {"first": 1, "whole": True}, ["gap >9"]),
        (("1-5", "5-9"), {"first": 1, "last": 12}, ["overlap 5", "gap >9 … 12"]),
        (("under 5", "over 5"), {}, ["gap 5"]),
        (("5+",), {"first": 2}, ["gap 2 … <5"]),
        (("under 5",), {}, ["gap ≥5"]),
        ((), {}, ["gap ≥0"]),
        (("1-9", "3-4", "10+"), {"first": 1, "whole": True}, ["overlap 3–4"]),
        (("1-9", "3+"), {"first": 1, "whole": True}, ["overlap 3–9"]),
        (("1+", "5+"), {"first": 1, "whole": True}, ["overlap 5+"]),
        (("up to 9", "up to 4", "10+"), {"whole": True}, ["overlap …–4"]),
        (("6-10", "1-5", "11+"), {"first": 1, "whole": True}, ["disorder 1-5"]),
        (("9-6", "1-5", "6+"), {"first": 1, "whole": True}, ["empty 9-6"]),
    ],
)
def test_a_seeded_fault_is_found(
    printed: tuple[str, ...], options: dict[str, object], found: list[str]
) -> None:
    assert bands(*printed, **options) == found


@given(st.lists(st.integers(1, 9), min_size=1, max_size=8), st.integers(0, 7), st.integers(1, 3))
def test_whole_bands_that_follow_each_other_are_whole_until_one_is_moved(
    widths: list[int], index: int, moved: int
) -> None:
    lows = [1]
    for width in widths:
        lows.append(lows[-1] + width)
    printed = [f"{low}-{high - 1}" for low, high in pairwise(lows)]
    last = f"{lows[-1]}+"
    assert bands(*printed, last, first=1, whole=True) == []
    index %= len(printed)
    low, high = lows[index], lows[index + 1] - 1
    printed[index] = f"{low}-{high + moved}"
    found = bands(*printed, last, first=1, whole=True)
    assert any(one.startswith("overlap") and str(high + 1) in one for one in found)
    printed[index] = f"{low + moved}-{high + moved}" if index == 0 else f"{low}-{high - 1}"
    assert [one for one in bands(*printed, last, first=1, whole=True) if one.startswith("gap")]


def test_a_staircase_without_a_fault() -> None:
    assert steps((1, -1), (3, -2), (6, -4), (10, -6)) == []
    assert steps((0, 0), (2, "1/2"), (4, 1), first=0) == []


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        (((2, 1), (3, 2)), ["gap 1 … <2"]),
        (((1, 1), (3, 2), (3, 4)), ["repeated 3"]),
        (((1, 1), (6, 2), (3, 4)), ["disorder 3"]),
        (((1, 1), (3, 4), (6, 2)), ["turn 6"]),
        (((1, -1), (3, -4), (6, -2)), ["turn 6"]),
        (((1, 1), (3, 2), (6, 2)), ["turn 6"]),
    ],
)
def test_a_seeded_fault_of_a_staircase_is_found(
    rows: tuple[tuple[int, int], ...], found: list[str]
) -> None:
    assert steps(*rows) == found


def test_a_step_that_is_no_number_is_refused() -> None:
    with pytest.raises(UnreadableBand):
        read_steps([("many", 1)])


def test_every_fault_names_the_rows_it_is_in() -> None:
    rows = [read_band(one) for one in ("0-25", "26-60", "60-100")]
    found = list(faults_of_bands(rows, first=Fraction(0), last=Fraction(100), whole=False))
    assert [(one.fault, one.rows) for one in found] == [
        (Fault.OVERLAP, ("26-60", "60-100")),
        (Fault.GAP, ("0-25", "26-60")),
    ]
