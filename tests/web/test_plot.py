"""Lines that are drawn: round grids, names apart, and no line told by its colour alone."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest

from app.web.plot import LEFT, NAME, RIGHT, TOP, Plot, Series, plot_of, shortened


def drawn(*values: tuple[int | None, ...], **more: bool) -> Plot:
    """Draw some lines over as many entries as they have values."""
    series = [Series(f"Nome {place}", line) for place, line in enumerate(values)]
    return plot_of(range(len(values[0])), series, **more)


def test_lines_of_up_to_sixteen_differ_without_their_colour() -> None:
    curves = drawn(*[(1, 2)] * 16).curves
    assert len({(one.dash, one.mark) for one in curves}) == 16


@pytest.mark.parametrize("count", [2, 5, 16, 40])
def test_names_at_one_place_stand_apart_and_within_the_drawing(count: int) -> None:
    plot = drawn(*[(100, 50)] * count)
    labels = sorted(one.label for one in plot.curves)
    assert all(second - first >= NAME - 1e-9 for first, second in pairwise(labels))
    assert labels[0] >= TOP - 1e-9
    assert labels[-1] <= plot.height


def test_a_line_changes_at_an_entry_and_has_a_mark_there() -> None:
    (curve,) = drawn((100, 100, 40, 40)).curves
    assert curve.path.startswith(f"M{LEFT:.1f} ")
    assert curve.path.count("H") == 3
    assert curve.end[0] == RIGHT
    assert len(curve.marks) == 3  # the beginning, the change, the end
    (straight,) = drawn((100, 40), stepped=False).curves
    assert "L" in straight.path


def test_a_line_is_broken_where_there_is_nothing_to_see() -> None:
    (curve,) = drawn((100, None, None, 60, 60)).curves
    assert curve.path.count("M") == 2
    nothing = drawn((None, None))
    assert nothing.curves == ()


@pytest.mark.parametrize(
    ("values", "grid"),
    [
        ((0, 200), ["0", "50", "100", "150", "200"]),
        ((0, 7), ["0", "2", "4", "6", "8"]),
        ((-12, 5), ["-15", "-10", "-5", "0", "5"]),
        ((0, 0), ["0", "1"]),
    ],
)
def test_the_grid_has_few_round_lines_and_holds_every_value(
    values: tuple[int, int], grid: list[str]
) -> None:
    assert [one.text for one in drawn(values).across] == grid


def test_half_points_are_drawn_where_they_are() -> None:
    plot = plot_of([1, 2], [Series("A", (Fraction(1, 2), Fraction(-1, 2)))])
    (curve,) = plot.curves
    zero = next(one.at for one in plot.across if one.text == "0")
    assert curve.marks[0][1] < zero < curve.end[1]


def test_a_drawing_of_one_entry_or_of_none_is_one() -> None:
    assert [one.text for one in drawn((5,)).along] == ["0"]
    assert plot_of([], []).curves == ()


def test_a_long_name_is_cut() -> None:
    assert shortened("Bartolomeo il Grande") == "Bartolomeo…"
    assert shortened("Akane — la Volpe") == "Akane — la…"
    assert shortened("W" * 99) == "WWWWWW…"
    assert shortened("Bo") == "Bo"
