"""Warrior Dice on the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.http.language import Language
from app.rulesets.warrior_dice.choices import DuelChoices
from app.rulesets.warrior_dice.orders import ORDERS
from app.rulesets.warrior_dice.view import DuelView
from app.web.games.frame import Context, Form, GamePages
from app.web.games.orders import plain_order
from app.web.texts import marked
from app.web.written import Written


def first_setup() -> Form:
    """Fill a new form with two warriors."""
    return {"entrants": [{"id": "a", "sheet": {"warrior": "guerriero"}}, {"id": "b"}]}


def write_setup(form: Form) -> Written:
    """Make the set-up of a form."""
    return Written(
        {
            "entrants": [
                {"id": "a", "sheet": {"kind": "printed", "warrior": "cavaliere"}},
                {"id": "b", "sheet": {"kind": "printed", "warrior": "chierico"}},
            ]
        }
    )


def setup_context(_form: Form, _language: Language) -> Context:
    """Give what the form offers."""
    return {}


def names(view: DuelView) -> Mapping[str, str]:
    """Name both."""
    return {one.id: one.name for one in view.fighters}


def glance(view: DuelView, _language: Language) -> Context:
    """Show where both stand."""
    return {"view": view}


def order_context(_offered: DuelChoices, _view: DuelView, _language: Language) -> Context:
    """Give what the forms offer."""
    return {}


def write_order(form: Form, _seat: str, _offered: DuelChoices) -> Written:
    """Make the order of a form."""
    return plain_order(form, ORDERS)


WARRIOR_DICE: Final = GamePages(
    key="warrior_dice",
    name=marked("Warrior Dice"),
    setup_template="games/warrior_dice/setup.html",
    first_setup=first_setup,
    setup_rows={},
    setup_context=setup_context,
    write_setup=write_setup,
    names=names,
    glance_template="games/warrior_dice/glance.html",
    glance=glance,
    order_template="games/warrior_dice/orders.html",
    order_context=order_context,
    write_order=write_order,
)
