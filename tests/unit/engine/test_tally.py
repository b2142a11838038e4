"""A sum cannot part from its addends."""

from fractions import Fraction

import pytest

from app.engine.tally import Tally, Term

LEVEL = Tally((Term("GC-1.3", "base_level", Fraction(7)), Term("GC-1.3", "points", Fraction(-2))))


def test_the_total_is_the_sum_of_the_terms() -> None:
    assert Tally().total == 0
    assert LEVEL.total == 5
    assert Tally((Term("GC-3.6", "potential", Fraction(1, 3)),)).total == Fraction(1, 3)


def test_the_parts_of_a_term_must_add_up_to_it() -> None:
    assert Term("GC-4.33", "dexterity", Fraction(5), parts=LEVEL).parts == LEVEL
    with pytest.raises(ValueError, match="parts of dexterity make 5, not 6"):
        Term("GC-4.33", "dexterity", Fraction(6), parts=LEVEL)


def test_parts_of_parts_must_add_up_too() -> None:
    inner = Term("GC-4.33", "dexterity", Fraction(5), parts=LEVEL)
    outer = Tally((inner, Term("GC-4.47", "guard_bonus", Fraction(2))))
    assert Term("GC-4.2", "score", Fraction(7), parts=outer).value == 7
    with pytest.raises(ValueError, match="make 7, not 5"):
        Term("GC-4.2", "score", Fraction(5), parts=outer)


def test_a_whole_number_becomes_a_fraction_in_a_term() -> None:
    assert isinstance(Term("GC-4.6", "distance", 2).value, Fraction)


def test_a_factor_that_does_not_apply_leaves_no_term() -> None:
    more = LEVEL.plus(None, Term("GC-11.7", "stun", Fraction(-1)), None)
    assert [term.key for term in more.terms] == ["base_level", "points", "stun"]
    assert more.total == 4
    assert LEVEL.total == 5


def test_dropping_a_key_drops_each_term_of_it_and_its_value() -> None:
    twice = LEVEL.plus(Term("GC-1.3", "points", Fraction(1)))
    assert twice.without("points").total == 7
    assert twice.without("surprise") == twice


def test_the_rules_of_a_tally_include_those_of_its_parts_once_each_in_order() -> None:
    tally = Tally(
        (
            Term("GC-4.6", "distance", Fraction(2)),
            Term("GC-4.33", "dexterity", Fraction(5), parts=LEVEL),
            Term("GC-4.6", "distance", Fraction(0)),
        )
    )
    assert tally.rules() == ("GC-4.6", "GC-4.33", "GC-1.3")
