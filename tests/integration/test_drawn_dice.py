"""Dice that fall one after the other, as the rules ask for them: sealed like any others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.engine.dice import Address, DiceError, DrawnDice, Roll, ScriptedDice
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets import RULESETS
from app.services import adjudicate, boards, replay, scenes
from app.services.errors import Malformed
from app.services.shapes import Adjudication, BoardChanges, OpenScene, Roller, Status, Step
from tests.support.checked import (
    give_salts,
    kinds_of,
    of_kind,
    set_sealed_table,
    verified,
)
from tests.support.table import Table, set_table
from tests.support.toy import TOY, Chase, Give, Throw, toy_setup
from tests.support.world import FixedWorld

AT_ONCE = {"setup": toy_setup("ann", "ben", target=18), "ruleset": "toy"}


@pytest.fixture
def drawing(toy: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Play the toy as a game whose dice may follow one another."""
    monkeypatch.setitem(RULESETS, "toy", replace(TOY, draws=True))


@pytest.fixture
def toys(drawing: None, db: Database, world: FixedWorld) -> Table:
    """Set a table for two throwers."""
    return set_table(db, world, **AT_ONCE)


@pytest.fixture
def sealed(drawing: None, sqlite: Database) -> Table:
    """Set a table with sealed dice, whose seats have not given their salts yet."""
    return set_sealed_table(sqlite, **AT_ONCE)


def faces_of(table: Table, number: int) -> list[tuple[Address, int]]:
    """Read the dice of an entry."""
    entry = scenes.read_entry(table.db, table.gm, table.id, number)
    assert entry.rolls is not None
    assert [one.address for one in entry.asked] == [roll.address for roll in entry.rolls]
    return [(roll.address, roll.face) for roll in entry.rolls]


def test_as_many_fall_as_the_rules_ask_for(toys: Table) -> None:
    toys.world.throw([4, 2, 1])
    made = toys.decide("ann", Chase())
    assert faces_of(toys, made.number) == [
        (Address(2, 0), 4),
        (Address(2, 1), 2),
        (Address(2, 2), 1),
    ]
    assert toys.state().sums == (7, 0)
    assert replay.check_scenes(toys.db).equal == (toys.id,)


def test_the_ledger_tells_them_in_one_place_and_verifies(sealed: Table) -> None:
    give_salts(sealed)
    for who in ("ann", "ben", "ann"):
        sealed.decide(who, Chase())
    report = verified(sealed)
    assert report.rolls == 3
    for number, line in enumerate(of_kind(sealed, "roll"), 1):
        assert [one["count"] for one in line["dice"][:2]] == [0, 0]
        (chain,) = line["dice"][2:]
        faces = [face for _, face in faces_of(sealed, line["entry"])]
        assert chain["faces"] == faces
        assert chain["faces"][-1] == 1 not in chain["faces"][:-1]
        assert line["r"] == number
    assert replay.check_scenes(sealed.db).equal == (sealed.id,)


def test_no_seed_is_spent_where_no_die_fell(sealed: Table) -> None:
    give_salts(sealed)
    sealed.decide("ann", Chase(nothing=True))
    sealed.decide("ben", Chase())
    assert kinds_of(sealed)[-2:] == ["order", "roll"]
    assert of_kind(sealed, "roll")[0]["r"] == 1
    verified(sealed)


def test_they_wait_for_the_salts_and_fall_then(sealed: Table) -> None:
    made = sealed.decide("ann", Chase())
    assert made.status is Status.DECLARED
    give_salts(sealed)
    entry = scenes.read_entry(sealed.db, sealed.gm, sealed.id, made.number)
    assert entry.status is Status.RESOLVED
    assert [face for _, face in faces_of(sealed, made.number)][-1] == 1
    assert kinds_of(sealed)[-1] == "roll"
    verified(sealed)


def test_an_amendment_keeps_them(toys: Table) -> None:
    toys.world.throw([3, 1])
    made = toys.decide("ann", Chase())
    toys.amend(made.number, Give(by="gm", points=0, reason="Niente."))  # not its turn, a throw
    toys.world.throw([2])
    throw = toys.decide("ben", Throw())
    toys.amend(throw.number, Give(by="gm", points=1, reason="Un punto."))
    assert toys.state().sums == (4, 3)


def test_no_forum_can_roll_them(drawing: None, db: Database, world: FixedWorld) -> None:
    with pytest.raises(Malformed) as caught:
        set_table(db, world, dice=Roller.FORUM, **AT_ONCE)
    assert [(one.field, one.code) for one in caught.value.mistakes] == [
        ("dice", "dice_follow_dice")
    ]


def test_a_board_whose_forum_rolls_lets_the_service_roll_here(toys: Table) -> None:
    boards.change_board(
        toys.db, toys.world, toys.owner, FIRST_BOARD, BoardChanges(dice=Roller.FORUM)
    )
    opening = OpenScene(title="Due", ruleset="toy", setup=toy_setup("ann", "ben"))
    opened = scenes.open_scene(toys.db, toys.world, toys.owner, FIRST_BOARD, opening, toys.key())
    assert scenes.read_scene(toys.db, toys.owner, opened.scene_id).dice is Roller.SERVICE


@pytest.mark.parametrize(
    ("faces", "wrong"),
    [
        ((3, 1), None),
        (None, None),
        ((3, 2), ("steps[0].faces", "too_short")),
        ((3, 1, 5), ("steps[0].faces", "too_long")),
        ((3, 7, 1), ("steps[0].faces[1]", "out_of_range")),
    ],
)
def test_given_faces_are_taken_in_the_order_in_which_they_fall(
    drawing: None, world: FixedWorld, faces: Any, wrong: Any
) -> None:
    adjudication = Adjudication(
        ruleset="toy",
        setup=toy_setup("ann", "ben", target=18),
        steps=(Step(order=Chase(by="ann"), faces=faces),),
    )
    if wrong is not None:
        with pytest.raises(Malformed) as caught:
            adjudicate.adjudicate(world, adjudication)
        assert [(one.field, one.code) for one in caught.value.mistakes] == [wrong]
        return
    world.throw([5, 1])
    (step,) = adjudicate.adjudicate(world, adjudication).steps
    assert tuple(roll.face for roll in step.rolls) == (faces or (5, 1))
    assert [one.address for one in step.asked] == [roll.address for roll in step.rolls]


def test_no_die_falls_twice() -> None:
    dice = DrawnDice(lambda: ScriptedDice.of((0, 6, 3)))
    assert dice.face(Address(0), 6) == 3
    with pytest.raises(DiceError):
        dice.face(Address(0), 6)
    assert dice.rolls == [Roll(Address(0), 6, 3)]
