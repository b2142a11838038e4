"""A staircase holds its value until the next threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.steps import Steps

BURN = Steps((1, 1), (3, 2), (6, 4), (10, 6), (15, 9), (21, 12))


@pytest.mark.parametrize(
    ("count", "value"),
    [
        *((-1, 0), (0, 0), (1, 1), (2, 1), (3, 2), (5, 2), (6, 4), (9, 4), (10, 6), (14, 6)),
        *((15, 9), (20, 9), (21, 12), (22, 12), (1000, 12)),
    ],
)
def test_a_value_holds_from_its_threshold_to_the_next(count: int, value: int) -> None:
    assert BURN.at(count) == value


@given(st.integers(-5, 60))
def test_a_staircase_is_its_own_definition(count: int) -> None:
    reached = [value for threshold, value in BURN.rows if threshold <= count]
    assert BURN.at(count) == (reached[-1] if reached else 0)


@pytest.mark.parametrize("rows", [(), ((3, 1), (1, 2)), ((1, 1), (1, 2))])
def test_a_staircase_that_does_not_climb_is_refused(rows: tuple[tuple[int, int], ...]) -> None:
    with pytest.raises(ValueError, match="climbs"):
        Steps(*rows)
