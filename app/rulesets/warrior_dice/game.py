"""Warrior Dice as one record of functions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.ruleset import Forecast, Ruleset
from app.rulesets.warrior_dice.autoplay import AUTOPLAY
from app.rulesets.warrior_dice.beings import CAMPAIGN
from app.rulesets.warrior_dice.choices import choices
from app.rulesets.warrior_dice.deciding import check, resolve
from app.rulesets.warrior_dice.orders import ORDERS, DuelOrder
from app.rulesets.warrior_dice.plan import plan
from app.rulesets.warrior_dice.setup import check_setup, start
from app.rulesets.warrior_dice.solver.whole import solve
from app.rulesets.warrior_dice.state import Duel, DuelSetup
from app.rulesets.warrior_dice.view import glance, roster, veils, view
from app.rulesets.warrior_dice.waiting import awaiting, awaits, awaits_for, lapsing

EDITION: Final = "1"


def forecast(_duel: Duel, _order: DuelOrder) -> Forecast:
    """Foretell nothing: a chain of dice has no bound, and a duel is for its solver."""
    return Forecast(())


WARRIOR_DICE: Final[Ruleset[DuelSetup, Duel, DuelOrder]] = Ruleset(
    key="warrior_dice",
    edition=EDITION,
    setup=DuelSetup,
    state=Duel,
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
    roster=roster,
    draws=True,
    autoplay=replace(AUTOPLAY, solve=solve),
    awaiting=awaiting,
    lapse=lapsing,
    campaign=CAMPAIGN,
)
