"""Laws are exact: they sum to 1, and what is equal is counted once."""

from fractions import Fraction

import pytest

from app.engine.chances import certain, die, merged, then


@pytest.mark.parametrize("sides", [1, 2, 8, 12, 24])
def test_a_die_is_fair_and_shows_each_face(sides: int) -> None:
    law = die(sides)
    assert sorted(law) == list(range(1, sides + 1))
    assert set(law.values()) == {Fraction(1, sides)}
    assert sum(law.values()) == 1


def test_what_is_certain_has_probability_one() -> None:
    assert certain("hit") == {"hit": 1}


def test_equal_values_are_merged() -> None:
    assert merged([("a", Fraction(1, 3)), ("b", Fraction(1, 3)), ("a", Fraction(1, 3))]) == {
        "a": Fraction(2, 3),
        "b": Fraction(1, 3),
    }


def test_the_sum_of_two_dice_has_its_known_law() -> None:
    law = then(die(6), lambda first: {first + face: chance for face, chance in die(6).items()})
    assert law[7] == Fraction(6, 36)
    assert law[2] == law[12] == Fraction(1, 36)
    assert sum(law.values()) == 1


def test_what_follows_may_hang_on_what_came_before() -> None:
    law = then({"high": Fraction(1, 4), "low": Fraction(3, 4)}, lambda at: certain(at == "high"))
    assert law == {True: Fraction(1, 4), False: Fraction(3, 4)}
