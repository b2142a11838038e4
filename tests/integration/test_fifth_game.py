"""A fifth game is one record: services play it without a word about it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import adjudicate, boards, replay, scenes, sheets
from app.services.access import ANONYMOUS
from app.services.errors import Malformed, Refused
from app.services.shapes import (
    Adjudication,
    BoardChanges,
    OpenScene,
    Roller,
    Status,
    Step,
)
from tests.support.table import Table, set_table
from tests.support.toy import Cup, Game, Throw, toy_setup
from tests.support.world import FixedWorld

SERVICES = Path(adjudicate.__file__).parent
SOLVED = ("duels.py", "duel_shapes.py")  # duels are solved, as no other game is


@pytest.fixture
def toys(toy: None, db: Database, world: FixedWorld) -> Table:
    """Set a table for two throwers."""
    return set_table(db, world, ruleset="toy", setup=toy_setup("ann", "ben", target=6))


def test_it_is_played_from_the_first_throw_to_the_last(toys: Table) -> None:
    toys.world.throw([3, 2, 4])
    for who in ("ann", "ben", "ann"):
        toys.decide(who, {"kind": "throw"})
    scene = scenes.read_scene(toys.db, ANONYMOUS, toys.id)
    assert scene.view.winner == "ann"
    assert scene.ended_at is not None
    assert scene.seats == ("ann", "ben")
    with pytest.raises(Refused):
        toys.decide("ben", Throw())
    assert replay.check_scenes(toys.db).equal == (toys.id,)


def test_its_dice_may_come_from_a_forum(toy: None, db: Database, world: FixedWorld) -> None:
    toys = set_table(db, world, ruleset="toy", setup=toy_setup("ann"), dice=Roller.FORUM)
    assert toys.decide("ann", Throw(times=2)).status is Status.DECLARED
    toys.give("ann", 1, 1, 2)
    assert toys.state().sums == (3,)


def test_the_board_gives_it_its_options(toys: Table) -> None:
    changes = BoardChanges(options={"toy": {"target": 9}})
    board = boards.change_board(toys.db, toys.world, toys.owner, FIRST_BOARD, changes)
    assert board.options["toy"].target == 9
    opening = OpenScene(
        title="Due", ruleset="toy", setup={"entrants": [{"id": "a", "sheet": {"name": "Cup"}}]}
    )
    opened = scenes.open_scene(toys.db, toys.world, toys.owner, FIRST_BOARD, opening, toys.key())
    assert scenes.read_scene(toys.db, ANONYMOUS, opened.scene_id).view.house.target == 9
    assert toys.state().house.target == 6


def test_its_sheets_are_kept_and_used(toys: Table) -> None:
    kept = sheets.add_sheet(
        toys.db, toys.world, toys.gm, FIRST_BOARD, {"name": "Big", "sides": 20}, toys.key(), "toy"
    )
    assert kept.sheet == Cup(name="Big", sides=20)
    setup = {"entrants": [{"id": "a", "sheet": kept.id}]}
    opening = OpenScene(title="Uno", ruleset="toy", setup=setup)
    opened = scenes.open_scene(toys.db, toys.world, toys.owner, FIRST_BOARD, opening, toys.key())
    view = scenes.read_scene(toys.db, ANONYMOUS, opened.scene_id).view
    assert view.throwers[0].sheet.sides == 20


def test_a_question_stands_in_the_way_like_a_violation(toys: Table) -> None:
    with pytest.raises(Refused) as caught:
        toys.decide("ann", Throw(times=3))
    assert [obstacle.code for obstacle in caught.value.obstacles] == ["three_dice"]


def test_it_is_adjudicated_without_being_stored(toy: None, world: FixedWorld) -> None:
    done = adjudicate.adjudicate(
        world,
        Adjudication(
            ruleset="toy",
            setup=toy_setup("ann", "ben", target=18),
            steps=(
                Step(order={"kind": "throw", "by": "ann"}, faces=(4,)),
                Step(order=Throw(by="ben")),
                Step(order=Throw(by="ben")),
                Step(order=Throw(by="ann")),
            ),
        ),
    )
    assert [[roll.face for roll in step.rolls] for step in done.steps] == [[4], [6], []]
    assert [one.code for one in done.steps[2].obstacles] == ["not_your_turn"]
    assert done.awaited.seats == ("ann",)


@pytest.mark.parametrize(
    ("steps", "fields"),
    [
        (
            ({"kind": "throw"}, {"kind": "jump", "by": "a"}),
            {"steps[0].order.by", "steps[1].order.kind"},
        ),
        (({"kind": "throw", "by": "ann", "times": 9},), {"steps[0].order.times"}),
    ],
)
def test_every_mistake_of_every_step_is_named(
    toy: None, world: FixedWorld, steps: tuple[object, ...], fields: set[str]
) -> None:
    adjudication = Adjudication(
        ruleset="toy", setup=toy_setup("ann"), steps=tuple(Step(order=order) for order in steps)
    )
    with pytest.raises(Malformed) as caught:
        adjudicate.adjudicate(world, adjudication)
    assert {one.field for one in caught.value.mistakes} == fields


def test_faces_of_a_step_fit_its_dice(toy: None, world: FixedWorld) -> None:
    step = Step(order=Throw(by="ann"), faces=(7,))
    with pytest.raises(Malformed) as caught:
        adjudicate.adjudicate(
            world, Adjudication(ruleset="toy", setup=toy_setup("ann"), steps=(step,))
        )
    assert [one.field for one in caught.value.mistakes] == ["steps[0].faces[0]"]


def test_an_impossible_set_up_is_refused(toy: None, world: FixedWorld) -> None:
    setup = Game(entrants=toy_setup("ann").entrants, options=toy_setup("a", target=99).options)
    with pytest.raises(Refused) as caught:
        adjudicate.adjudicate(world, Adjudication(ruleset="toy", setup=setup))
    assert [one.code for one in caught.value.obstacles] == ["target_too_high"]


# A book holds the pieces of the Guida's sheets; those of further games are sheets of their own.
OF_THE_GUIDA = ("book_", "books")


def test_services_import_no_game_by_name() -> None:
    named = {
        f"{path.name}: {node.module}"
        for path in SERVICES.glob("*.py")
        if path.name not in SOLVED and not path.name.startswith(OF_THE_GUIDA)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("app.rulesets.")
    }
    assert named == set()
