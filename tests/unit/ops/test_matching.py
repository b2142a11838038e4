"""What counts as the expected outcome of a case, and what does not."""

from decimal import Decimal
from fractions import Fraction

import pytest

from app.ops.matching import Row, compared, differences, shown


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ({"a": 1}, {"a": 1, "b": 2}),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 3}, "d": 4}),
        ({}, {}),
        ([], ()),
        ([{"a": 1}], ({"a": 1, "b": 2},)),
        (Decimal("17.5"), Fraction(35, 2)),
        (Decimal("0.1"), Fraction(1, 10)),
        ("8/3", Fraction(8, 3)),
        ("4/2", 2),
        (2, Decimal("2.0")),
        (None, None),
        (True, True),
        ("body", "body"),
        ("8/3", "16/6"),
    ],
)
def test_equal_by_value_or_in_part_is_a_match(expected: object, got: object) -> None:
    assert list(differences(expected, got)) == []


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ({"a": 1}, {"b": 1}),
        ({"a": None}, {}),
        ({}, {"a": 1}),
        ({}, None),
        ({}, []),
        ([], {}),
        ([1], [1, 2]),
        ([1, 2], [2, 1]),
        ([{}], [{"a": 1}]),
        (True, 1),
        (1, True),
        (False, 0),
        (None, 0),
        (0, None),
        (None, False),
        ("7", 7),
        (7, "7"),
        ("a", "b"),
        (Decimal("0.3"), 0.1 + 0.2),
        ("8/3", Decimal("2.6667")),
        ("1/0", 1),
    ],
)
def test_whatever_differs_is_told(expected: object, got: object) -> None:
    assert list(differences(expected, got))


def test_every_difference_is_told_with_its_place() -> None:
    expected = {"a": {"b": [1, 2]}, "c": True, "d": 5}
    got = {"a": {"b": [1, 3]}, "c": 1}
    assert list(differences(expected, got)) == [
        "a.b[1]: expected 2, got 3",
        "c: expected true, got 1",
        "d: expected 5, got nothing",
    ]


def test_numbers_are_shown_as_a_case_writes_them() -> None:
    value = {"a": [Fraction(5, 2), Fraction(8, 3), None, False, "x"]}
    assert shown(value) == '{"a": [2.5, "8/3", null, false, "x"]}'


def test_what_is_expected_stands_beside_what_came_out() -> None:
    expected = {"a": {"b": [1, Decimal("2.5")]}, "c": [1], "d": 5, "e": {}, "f": []}
    got = {"a": {"b": [1, Fraction(5, 2)]}, "c": [1, 2], "e": {"x": 1}, "f": (), "more": 1}
    assert list(compared(expected, got)) == [
        Row("a.b[0]", "1", "1", matches=True),
        Row("a.b[1]", "2.5", "2.5", matches=True),
        Row("c", "[1]", "[1, 2]", matches=False),
        Row("d", "5", None, matches=False),
        Row("e", "{}", '{"x": 1}', matches=False),
        Row("f", "[]", "[]", matches=True),
    ]


@pytest.mark.parametrize(("expected", "got"), [(1, 1), (1, True), ({"a": 1}, [1]), ([1], None)])
def test_side_by_side_says_the_same_as_the_differences(expected: object, got: object) -> None:
    (row,) = compared(expected, got)
    assert row.at == ""
    assert row.matches == (list(differences(expected, got)) == [])
