"""A whole fight adjudicated on the spot, for those who keep their scenes elsewhere."""

from __future__ import annotations

from typing import Any

from app.engine.dice import ChanceDice, Dice, DrawnDice, RecordedDice, draw
from app.engine.ruleset import GM
from app.services.errors import Malformed, Mistake
from app.services.faces import FacesInOrder, read_rolls
from app.services.games import Game, known_game, read_order
from app.services.naming import check_newcomer
from app.services.setups import sound_setup
from app.services.shapes import (
    Adjudged,
    Adjudicated,
    Adjudication,
    Step,
)
from app.services.world import World


def adjudicate(world: World, adjudication: Adjudication) -> Adjudicated:
    """Play the steps of a fight one after the other; nothing is stored."""
    ruleset = known_game(adjudication.ruleset, "ruleset")
    setup = sound_setup(ruleset, adjudication.setup, "setup")
    orders = _orders(ruleset, adjudication.steps)
    state = ruleset.start(setup)
    steps: list[Adjudged] = []
    for index, (order, step) in enumerate(zip(orders, adjudication.steps, strict=True)):
        state, adjudged = _step(world, ruleset, state, order, step, f"steps[{index}].")
        steps.append(adjudged)
        if adjudged.obstacles:
            break
    return Adjudicated(
        steps=tuple(steps), view=ruleset.view(state, GM), awaited=ruleset.awaits(state)
    )


def _orders(ruleset: Game, steps: tuple[Step, ...]) -> list[Any]:
    """Read all orders before the first is played, so that every mistake is said at once."""
    orders: list[Any] = []
    mistakes: list[Mistake] = []
    for index, step in enumerate(steps):
        field = f"steps[{index}].order"
        try:
            order = read_order(ruleset, step.order, field)
        except Malformed as error:
            mistakes += error.mistakes
            continue
        if not order.by:
            mistakes.append(Mistake(f"{field}.by", "missing"))
        orders.append(order)
    if mistakes:
        raise Malformed(*mistakes)
    return orders


def _step(
    world: World, ruleset: Game, state: Any, order: Any, step: Step, at: str
) -> tuple[Any, Adjudged]:
    check_newcomer(ruleset, state, order, f"{at}order")
    if obstacles := ruleset.check(state, order):
        adjudged = Adjudged(seat=order.by, obstacles=obstacles, asked=(), rolls=(), findings=())
        return state, adjudged
    plan = ruleset.plan(state, order)
    if plan.draws:
        return _drawn(world, ruleset, state, order, step, at)
    asked = plan.asked
    if step.faces is None:
        dice = draw([(die.address, die.sides) for die in asked], world.randbelow)
    else:
        dice = RecordedDice(read_rolls(asked, step.faces, step.modifiers, at))
        if obstacles := ruleset.check_dice(state, order, dice.rolls):
            return state, Adjudged(
                seat=order.by, obstacles=obstacles, asked=asked, rolls=dice.rolls, findings=()
            )
    resolution = ruleset.resolve(state, order, dice)
    return resolution.state, Adjudged(
        seat=order.by,
        obstacles=(),
        asked=asked,
        rolls=dice.rolls,
        findings=resolution.findings,
    )


def _drawn(
    world: World, ruleset: Game, state: Any, order: Any, step: Step, at: str
) -> tuple[Any, Adjudged]:
    """Play a step whose dice fall one after the other; given faces are in that order."""
    given = None if step.faces is None else FacesInOrder(step.faces, at)
    source: Dice = ChanceDice(world.randbelow) if given is None else given
    dice = DrawnDice(lambda: source)
    resolution = ruleset.resolve(state, order, dice)
    if given is not None:
        given.check_used()
    return resolution.state, Adjudged(
        seat=order.by,
        obstacles=(),
        asked=resolution.drawn,
        rolls=tuple(dice.rolls),
        findings=resolution.findings,
    )
