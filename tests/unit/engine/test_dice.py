"""A die is asked for by its address, in its own size, and by nothing else."""

from itertools import count

import pytest

from app.engine.dice import Address, DiceError, RecordedDice, Roll, ScriptedDice, draw


def test_scripted_dice_show_what_was_written_down_wherever_they_are_asked_for() -> None:
    dice = ScriptedDice.of((0, 24, 17), (50, 12, 3))
    assert dice.face(Address(50), 12) == 3
    assert dice.face(Address(0), 24) == 17


def test_a_scripted_die_of_another_size_is_refused() -> None:
    with pytest.raises(DiceError, match="no die of 12"):
        ScriptedDice.of((0, 24, 7)).face(Address(0), 12)


def test_a_die_that_was_not_scripted_is_refused() -> None:
    with pytest.raises(DiceError, match="place=1"):
        ScriptedDice.of((0, 24, 7)).face(Address(1), 24)
    with pytest.raises(DiceError, match="index=1"):
        ScriptedDice.of((0, 24, 7)).face(Address(0, 1), 24)


def test_dice_nobody_asked_for_are_left_over() -> None:
    dice = ScriptedDice.of((0, 24, 7), (1, 12, 2), (50, 12, 9))
    dice.face(Address(1), 12)
    assert [roll.address.place for roll in dice.leftovers()] == [0, 50]
    dice.face(Address(0), 24)
    dice.face(Address(50), 12)
    assert dice.leftovers() == ()


@pytest.mark.parametrize(("sides", "face"), [(12, 0), (12, 13), (12, -1), (8, 9)])
def test_a_die_cannot_show_a_face_it_has_not(sides: int, face: int) -> None:
    with pytest.raises(ValueError, match=f"a die of {sides}"):
        Roll(Address(0), sides, face)


def test_recorded_dice_keep_those_that_nobody_asks_for() -> None:
    rolls = (Roll(Address(0), 24, 5), Roll(Address(50), 12, 12))
    assert RecordedDice(rolls).face(Address(50), 12) == 12
    with pytest.raises(DiceError, match="no die of 24"):
        RecordedDice(rolls).face(Address(50), 24)
    with pytest.raises(DiceError, match="place=1"):
        RecordedDice(rolls).face(Address(1), 12)


def test_dropping_a_die_never_moves_another() -> None:
    rolls = (Roll(Address(0), 24, 5), Roll(Address(1), 12, 8))
    assert RecordedDice(rolls[1:]).face(Address(1), 12) == RecordedDice(rolls).face(Address(1), 12)


def test_all_dice_of_a_plan_are_thrown_at_once_each_with_its_own_chance() -> None:
    asked: list[int] = []
    turn = count()

    def randbelow(n: int) -> int:
        asked.append(n)
        return (0, n - 1)[next(turn) % 2]

    dice = draw([(Address(0), 24), (Address(50), 12)], randbelow)
    assert asked == [24, 12]
    assert dice.rolls == (Roll(Address(0), 24, 1), Roll(Address(50), 12, 12))
