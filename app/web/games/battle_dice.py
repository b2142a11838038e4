"""Battle Dice (Guerra dos Dados) on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.posts.layouts.battle_names import RULESET
from app.rulesets.battle_dice.terms import Kind
from app.rulesets.battle_dice.view import View
from app.web.games.battle_glance import glance
from app.web.games.battle_orders import order_context, write_order
from app.web.games.battle_setup import first_setup, setup_context, write_setup
from app.web.games.frame import GamePages, no_wait
from app.web.texts import marked


def names(view: View) -> Mapping[str, str]:
    """Name both players."""
    return {side.id: side.name for side in view.sides}


NOT_WAITED_FOR: Final = marked(
    "Their standing orders are played, and the default ones where they left none; a choice is "
    "made as these say. What the other has sealed counts."
)

BATTLE_DICE: Final = GamePages(
    key=RULESET,
    name=marked("Battle Dice (Guerra dos Dados)"),
    setup_template="games/battle_dice/setup.html",
    first_setup=first_setup,
    setup_rows={},
    setup_context=setup_context,
    write_setup=write_setup,
    names=names,
    glance_template="games/battle_dice/glance.html",
    glance=glance,
    order_template="games/battle_dice/orders.html",
    order_context=order_context,
    write_order=write_order,
    sets=tuple(kind for kind in Kind if kind is not Kind.D20),
    deeds={"deadline": no_wait(NOT_WAITED_FOR)},
)
