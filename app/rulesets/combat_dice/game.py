"""Combat Dice as one record of functions."""

from __future__ import annotations

from typing import Final

from app.engine.ruleset import Ruleset
from app.rulesets.combat_dice.autoplay import AUTOPLAY
from app.rulesets.combat_dice.choices import choices
from app.rulesets.combat_dice.decide import plan, resolve
from app.rulesets.combat_dice.forecast import forecast
from app.rulesets.combat_dice.objections import awaiting, awaits, awaits_for, check, lapsing
from app.rulesets.combat_dice.orders import ORDERS, CombatOrder
from app.rulesets.combat_dice.setup import check_setup, start
from app.rulesets.combat_dice.state import Combat, CombatSetup
from app.rulesets.combat_dice.view import glance, lifts, veils, view

EDITION: Final = "1"

COMBAT_DICE: Final[Ruleset[CombatSetup, Combat, CombatOrder]] = Ruleset(
    key="combat_dice",
    edition=EDITION,
    setup=CombatSetup,
    state=Combat,
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
