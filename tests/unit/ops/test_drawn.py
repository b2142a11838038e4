"""Dice of a case are served in drawing order, and none is wrong, missing or left over unseen."""

import pytest

from app.engine.dice import Address, DiceError
from app.ops.drawn import QueueDice
from app.ops.given import CaseError, Given


def queue(*dice: object) -> QueueDice:
    """Read a list of dice as a case gives them."""
    return QueueDice.read(Given({"dice": list(dice)}))


def test_they_come_in_the_order_of_the_list_wherever_they_are_asked_for() -> None:
    dice = queue(["d10", 7], ["d3", 2])
    assert (dice.face(Address(4, 1), 10), dice.face(Address(0), 3)) == (7, 2)
    dice.finish()


def test_a_die_of_another_size_a_missing_one_and_one_left_over_are_faults() -> None:
    dice = queue(["d10", 7], ["d10", 1])
    with pytest.raises(DiceError, match="is a d10, but a d6 is drawn"):
        dice.face(Address(0), 6)
    dice.face(Address(1), 10)
    with pytest.raises(DiceError, match="1 of 2 dice are left over"):
        dice.finish()
    dice.face(Address(2), 10)
    with pytest.raises(DiceError, match="missing after 2 dice"):
        dice.face(Address(3), 10)


def test_an_address_is_asked_for_once_in_a_decision() -> None:
    dice = queue(["d10", 7], ["d10", 1], ["d10", 2])
    dice.face(Address(0), 10)
    with pytest.raises(DiceError, match="twice"):
        dice.face(Address(0), 10)
    assert dice.decision().face(Address(0), 10) == 1


@pytest.mark.parametrize("die", [["d10", 11], ["d10", 0], ["10", 3], ["d10", True], ["d10"], 7])
def test_what_is_no_die_is_refused(die: object) -> None:
    with pytest.raises(CaseError, match="is not a die"):
        queue(die)
