"""Combat Dice on the pages."""

from __future__ import annotations

from typing import Final

from app.rulesets.combat_dice.terms import CombatValue
from app.web.games.combat_dice_glance import glance, names
from app.web.games.combat_dice_orders import order_context, told, write_order
from app.web.games.combat_dice_setup import first_setup, setup_context, write_setup
from app.web.games.combat_dice_words import KEY
from app.web.games.frame import Deed, GamePages, no_wait
from app.web.texts import marked

NOT_WAITED_FOR: Final = marked(
    "The default orders are played in their place, and an open question is answered as they "
    "say. What the other has sealed counts."
)

COMBAT_DICE: Final = GamePages(
    key=KEY,
    name=marked("Combat Dice"),
    setup_template="games/combat_dice/setup.html",
    first_setup=first_setup,
    setup_rows={},
    setup_context=setup_context,
    write_setup=write_setup,
    names=names,
    glance_template="games/combat_dice/glance.html",
    glance=glance,
    order_template="games/combat_dice/orders.html",
    order_context=order_context,
    write_order=write_order,
    told=told,
    sets=tuple(CombatValue),
    deeds={
        "deadline": no_wait(NOT_WAITED_FOR),
        "open": Deed(
            marked("Roll for the distance"),
            marked(
                "A die says for how many turns they stay at range. A player may roll it as well."
            ),
        ),
    },
)
