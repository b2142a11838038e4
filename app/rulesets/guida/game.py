"""The Guida al Combattimento as one record of functions."""

from __future__ import annotations

from typing import Final

from app.engine.dice import Dice, Roll
from app.engine.findings import Obstacle
from app.engine.ruleset import Forecast, Plan, Resolution, Ruleset
from app.rulesets.guida import master, objections, tags, turn
from app.rulesets.guida.choices import choices
from app.rulesets.guida.forecast import forecast as forecast_turn
from app.rulesets.guida.orders import (
    ORDERS,
    Order,
    Turn,
)
from app.rulesets.guida.setup import check_setup, start
from app.rulesets.guida.situations import situation
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.veil import veils
from app.rulesets.guida.view import glance, view
from app.rulesets.guida.waiting import awaiting, awaits, awaits_for, in_turn, roster

EDITION: Final = "2"


def check(scene: Scene, order: Order) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of an order."""
    return turn.check(scene, order) if isinstance(order, Turn) else objections.check(scene, order)


def plan(scene: Scene, order: Order) -> Plan:
    """Declare the dice of an order; only turns have any (GC-4.83)."""
    return turn.plan(scene, order) if isinstance(order, Turn) else Plan(asked=(), findings=())


def check_dice(scene: Scene, order: Order, rolls: tuple[Roll, ...]) -> tuple[Obstacle, ...]:
    """List each die whose tag the board refuses (GC-4.87)."""
    return tuple(tags.check_rolls(scene.options, plan(scene, order).asked, rolls))


def resolve(scene: Scene, order: Order, dice: Dice) -> Resolution[Scene]:
    """Decide an order that ``check`` found nothing against."""
    if isinstance(order, Turn):
        return turn.resolve(scene, order, dice)
    return master.resolve(scene, order)


def forecast(scene: Scene, order: Order) -> Forecast:
    """Give the exact odds of a turn; nothing else is left to chance."""
    return forecast_turn(scene, order) if isinstance(order, Turn) else Forecast(())


GUIDA: Final[Ruleset[Setup, Scene, Order]] = Ruleset(
    key="guida",
    edition=EDITION,
    setup=Setup,
    state=Scene,
    orders=ORDERS,
    check_setup=check_setup,
    start=start,
    awaits=awaits,
    awaits_for=awaits_for,
    choices=choices,
    check=check,
    plan=plan,
    resolve=resolve,
    view=view,
    glance=glance,
    veils=veils,
    forecast=forecast,
    check_dice=check_dice,
    roster=roster,
    in_turn=in_turn,
    situation=situation,
    awaiting=awaiting,
)
