"""Battle Dice as one record of functions."""

from __future__ import annotations

from typing import Final

from app.engine.findings import Obstacle
from app.engine.ruleset import Ruleset
from app.rulesets.battle_dice.armies import check_setup, start
from app.rulesets.battle_dice.autoplay import AUTOPLAY
from app.rulesets.battle_dice.forecast import forecast
from app.rulesets.battle_dice.legality import check_order
from app.rulesets.battle_dice.orders import ORDERS, Order
from app.rulesets.battle_dice.play import plan, resolve
from app.rulesets.battle_dice.state import Battle, Setup
from app.rulesets.battle_dice.view import (
    awaiting,
    awaits,
    awaits_for,
    choices,
    glance,
    lapsing,
    lifts,
    veils,
    view,
)

EDITION: Final = "1"


def check(battle: Battle, order: Order) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of an order."""
    return tuple(check_order(battle, order))


BATTLE_DICE: Final[Ruleset[Setup, Battle, Order]] = Ruleset(
    key="battle_dice",
    edition=EDITION,
    setup=Setup,
    state=Battle,
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
    lifts=lifts,
    draws=True,
    autoplay=AUTOPLAY,
    awaiting=awaiting,
    lapse=lapsing,
)
