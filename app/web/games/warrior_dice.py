"""Warrior Dice on the pages: where a duel stands, and the forms of all that is decided in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from app import catalogue
from app.http.language import Language
from app.rulesets.warrior_dice.campaign import yield_threshold
from app.rulesets.warrior_dice.choices import DuelChoices
from app.rulesets.warrior_dice.orders import ORDERS, Purchase, ReformBeing, SpendXp
from app.rulesets.warrior_dice.sheet import FACES
from app.rulesets.warrior_dice.terms import Battlefield, Buy, DuelValue, Stage
from app.rulesets.warrior_dice.view import DuelView, FighterView
from app.web.forms import Json, Nested, lift, rows_at, text_at
from app.web.games.frame import Context, Form, GamePages, no_wait
from app.web.games.orders import plain_order
from app.web.games.warrior_setup import (
    POLICIES,
    SETUP_ROWS,
    first_setup,
    press_setup,
    setup_context,
    write_setup,
)
from app.web.texts import marked
from app.web.written import Written

KEY: Final = "warrior_dice"
ABSORBS: Final = "absorb"


def names(view: DuelView) -> Mapping[str, str]:
    """Name both."""
    return {one.id: one.name for one in view.fighters}


def glance(view: DuelView, language: Language) -> Context:
    """Show where both stand, and what the battlefield does."""
    ground = None if view.battlefield is None else catalogue.term(view.battlefield, KEY)
    return {
        "view": view,
        "ground": "" if ground is None else ground.meaning[language],
        "names": names(view),
        "yields_at": {one.id: yield_threshold(one.start_hits) for one in view.fighters},
        "policies": POLICIES,
    }


def order_context(offered: DuelChoices, view: DuelView, _language: Language) -> Context:
    """Give what the forms offer."""
    me = next((one for one in view.fighters if one.id == offered.seat), None)
    other = next((one for one in view.fighters if one.id != offered.seat), None)
    return {
        "me": me,
        "other": other,
        "policies": POLICIES,
        "idle": tuple(_idle(view, me)),
        "ten_faces": tuple((face, face % 10) for face in range(1, FACES + 1)),
        "may_give_up": me is not None and me.hits <= yield_threshold(me.start_hits),
    }


def _idle(view: DuelView, me: FighterView | None) -> Iterator[str]:
    """List the standing orders that can come to nothing in this duel."""
    if me is not None and not me.warrior.reforges:
        yield "reforge"
    if not view.shadow:
        yield "surrender"
    if view.stage is not Stage.OPENING and view.battlefield is not Battlefield.UNHOLY_SITE:
        yield "trade"


def write_order(form: Form, _seat: str, offered: DuelChoices) -> Written:
    """Make the order of a form."""
    kind = text_at(form, "kind")
    if kind == SpendXp.kind:
        return _spend(form, offered)
    if kind == ReformBeing.kind:
        face, _, option = text_at(form, "~cut").partition(".")
        typed = {**form, "face": face, "option": option}
        return Written(plain_order(typed, ORDERS).order, {"face": "~cut", "option": "~cut"})
    return plain_order(form, ORDERS)


def _spend(form: Form, offered: DuelChoices) -> Written:
    """Write the purchases: each row names what it buys, and where a new option is to stand."""
    written = Written({"kind": SpendXp.kind, "by": text_at(form, "by")})
    purchases: list[Json] = []
    for place in rows_at(form, "purchases"):
        row = f"purchases.{place}"
        what, _, about = text_at(form, f"{row}.~what").partition(":")
        if not what:
            continue
        bought: dict[str, Nested] = {"what": what, "face": text_at(form, f"{row}.face")}
        bought["name"] = text_at(form, f"{row}.name")
        if what == Buy.RAISE:
            face, _, option = about.partition(".")
            bought = {"what": what, "face": face, "option": option}
        elif what == ABSORBS:
            trait = next((one for one in offered.traits if one.name == about), None)
            bought["what"] = f"new_{trait.kind}" if trait else Buy.NEW_ATTACK
            bought["absorbs"] = about
        elif what == Buy.HITS:
            bought = {"what": what}
        here = f"purchases.{len(purchases)}"
        written.origins.update(
            {
                here: f"{row}.~what",
                f"{here}.face": f"{row}.face",
                f"{here}.name": f"{row}.name",
            }
        )
        purchases.append(lift(Purchase, bought))
    written.order["purchases"] = purchases
    return written


NOT_WAITED_FOR: Final = marked(
    "It is decided as it stands: the terms are accepted, the attack follows the standing "
    "orders, the better die counts, nobody yields or trades, XP are kept, and a being that "
    "reforms pays in starting hits."
)

WARRIOR_DICE: Final = GamePages(
    key=KEY,
    name=marked("Warrior Dice"),
    setup_template="games/warrior_dice/setup.html",
    first_setup=first_setup,
    setup_rows=SETUP_ROWS,
    setup_context=setup_context,
    write_setup=write_setup,
    press_setup=press_setup,
    names=names,
    glance_template="games/warrior_dice/glance.html",
    glance=glance,
    order_template="games/warrior_dice/orders.html",
    order_context=order_context,
    write_order=write_order,
    sets=tuple(DuelValue),
    deeds={"lapse": no_wait(NOT_WAITED_FOR)},
)
