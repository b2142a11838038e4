"""Numbers are read exactly or not at all, and rounded in one place only."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.engine.numbers import (
    LONGEST,
    Arithmetic,
    Rounding,
    Stage,
    exact,
    spelled,
    two_readings,
    written,
)

SMALL = st.fractions(min_value=-9999, max_value=9999, max_denominator=10_000)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", Fraction(7)),
        ("-7", Fraction(-7)),
        ("+7", Fraction(7)),
        ("007", Fraction(7)),
        ("0.1", Fraction(1, 10)),
        ("-2.50", Fraction(-5, 2)),
        ("8/3", Fraction(8, 3)),
        ("-8/3", Fraction(-8, 3)),
        ("4/2", Fraction(2)),
        (" 5 ", Fraction(5)),
        (12, Fraction(12)),
        (Fraction(1, 3), Fraction(1, 3)),
        (Decimal("0.3"), Fraction(3, 10)),
    ],
)
def test_a_number_is_read_exactly(text: object, value: Fraction) -> None:
    read = exact(text)
    assert read == value
    assert isinstance(read, Fraction)


@pytest.mark.parametrize(
    ("text", "whole", "rest"),
    [
        ("1.000", "1000", "1.0"),
        ("-12,500", "-12500", "-12.5"),
        ("999.125", "999125", "999.1250"),
        (" +1.020 ", "+1020", "+1.02"),
    ],
)
def test_a_mark_before_three_digits_can_be_read_in_two_ways(
    text: str, whole: str, rest: str
) -> None:
    both = two_readings(text)
    assert both is not None
    told = (both["whole"], f"{both['units']}.{both['decimals']}")
    assert told == (whole, rest)
    assert not any(two_readings(one) for one in told)


@pytest.mark.parametrize("text", ["1000", "0.125", "1.00", "1.0000", "1234.500", "1.000.000", ""])
def test_whatever_else_can_be_read_in_one_way_or_none(text: str) -> None:
    assert two_readings(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        ".",
        ".5",
        "5.",
        "1e5",
        "1E5",
        "1e-5",
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "0x10",
        "1_000",
        "1,5",
        "1.5/2",
        "1/2/3",
        "1/-2",
        "--1",
        "1 2",
        "1/0",
        "0/0",
        "٣",
        "７",
        "½",
        "Ⅷ",
        "1\u00a02",
        "−3",
        "1\n2",
        "1\x00",
        "9" * 5_000,
        "1/" + "9" * 5_000,
        "0." + "0" * 5_000 + "1",
        "9" * (LONGEST + 1),
        "-123456789012/123456789012",
        "true",
        "seven",
    ],
)
def test_what_is_not_a_plain_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"number|denominator"):
        exact(text)


@pytest.mark.parametrize(
    "value",
    [
        True,
        False,
        0.5,
        float("nan"),
        float("inf"),
        None,
        b"7",
        [],
        1j,
        Decimal("NaN"),
        Decimal("sNaN"),
        Decimal("Infinity"),
        Decimal("1e999999"),
    ],
)
def test_a_float_a_bool_or_no_number_at_all_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="number"):
        exact(value)


@given(st.text(max_size=40))
@example("9" * 16)
@example("1/" + "0" * 12)
def test_any_text_is_a_number_or_a_value_error(text: str) -> None:
    try:
        value = exact(text)
    except ValueError:
        return
    assert value == Fraction(text.strip())
    assert text.strip().isascii()


@given(SMALL)
@example(Fraction(1, 512))
@example(Fraction(1, 10**8))
@example(Fraction(1, 2**20))
def test_what_is_written_reads_back_as_the_same_number(value: Fraction) -> None:
    again = written(value)
    assert exact(Decimal(repr(again)) if isinstance(again, float) else again) == value


@pytest.mark.parametrize(
    ("value", "json"),
    [
        (Fraction(7), 7),
        (3, 3),
        (Fraction(-1, 2), -0.5),
        (Fraction(1, 10), 0.1),
        (Fraction(8, 3), "8/3"),
        (Fraction(-1, 3), "-1/3"),
    ],
)
def test_a_number_is_written_as_integer_decimal_or_quotient(
    value: Fraction | int, json: object
) -> None:
    got = written(value)
    assert got == json
    assert type(got) is type(json)


def test_a_number_is_spelled_for_people_with_its_sign_where_it_is_asked_for() -> None:
    assert [spelled(n) for n in (7, Fraction(-2), Fraction(35, 2), Fraction(8, 3))] == [
        "7",
        "-2",
        "17.5",
        "8/3",
    ]
    assert [spelled(n, sign=True) for n in (3, 0, -3, Fraction(1, 3))] == ["+3", "+0", "-3", "+1/3"]


def test_a_tiny_number_is_spelled_as_people_write_it() -> None:
    # Eight decimals may be typed on a sheet; a reader of a post does not know "1e-05".
    assert spelled(exact("0.00001")) == "0.00001"


@pytest.mark.parametrize(
    ("mode", "whole"),
    [
        (Rounding.FLOOR, (2, 2, 3, -3, -3, 2)),
        (Rounding.CEIL, (3, 3, 4, -2, -2, 2)),
        (Rounding.HALF_UP, (3, 2, 4, -2, -3, 2)),
        (Rounding.HALF_EVEN, (2, 2, 4, -2, -3, 2)),
    ],
)
def test_each_rounding_has_its_own_whole_number(mode: Rounding, whole: tuple[int, ...]) -> None:
    values = (
        Fraction(5, 2),
        Fraction(7, 3),
        Fraction(7, 2),
        Fraction(-5, 2),
        Fraction(-8, 3),
        Fraction(2),
    )
    assert tuple(Arithmetic(mode=mode).whole(value) for value in values) == whole


@given(SMALL, st.sampled_from(Rounding))
def test_rounding_never_goes_a_whole_unit_away(value: Fraction, mode: Rounding) -> None:
    whole = Arithmetic(mode=mode).whole(value)
    assert isinstance(whole, int)
    assert abs(whole - value) < 1
    if mode in (Rounding.HALF_UP, Rounding.HALF_EVEN):
        assert abs(whole - value) <= Fraction(1, 2)


def test_a_division_stays_exact_unless_every_step_rounds() -> None:
    assert Arithmetic().divide(7, 2) == Fraction(7, 2)
    assert Arithmetic(stage=Stage.EACH_STEP).divide(7, 2) == 3
    assert Arithmetic(Rounding.CEIL, Stage.EACH_STEP).divide(7, 2) == 4
    assert Arithmetic(Rounding.HALF_UP, Stage.EACH_STEP).divide(7, 5) == 1


@pytest.mark.parametrize("text", ["-3612.683168398604", "0.123456789012", "1e-9", "12.5"])
def test_a_decimal_that_a_client_sent_is_told_as_it_can_be_sent_again(text: str) -> None:
    """As a quotient it would have more digits than a number may have."""
    told = written(Fraction(text))
    again = Fraction(repr(told)) if isinstance(told, float) else exact(told)
    assert again == Fraction(text)
