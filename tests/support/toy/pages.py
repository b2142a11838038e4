"""The toy on the pages: two or more cups, a throw, and the sums at a glance."""

from __future__ import annotations

from collections.abc import Mapping

from app.http.language import Language
from app.web.forms import Nested
from app.web.games.frame import Context, Form, GamePages
from app.web.games.orders import plain_order
from app.web.rows import Row, Rows, unused_id
from app.web.written import Written
from tests.support.toy.game import TOY, Standing


def first_setup() -> Form:
    """Fill a new form with two throwers."""
    return {"entrants": [{"id": "t1", "sheet": {}}, {"id": "t2", "sheet": {}}]}


def another(_form: Row, rows: list[Nested]) -> Row:
    """Make one more thrower."""
    return {"id": unused_id(rows, "t"), "sheet": {}}


def write_setup(form: Form) -> Written:
    """Make the set-up of a form."""
    rows = form.get("entrants")
    return Written({"entrants": list(rows) if isinstance(rows, list) else []})


def names(view: Standing) -> Mapping[str, str]:
    """Name the throwers by their cups."""
    return {one.id: one.sheet.name for one in view.throwers}


def glance(view: Standing, _language: Language) -> Context:
    """Show the sums."""
    cups = (one.sheet.name for one in view.throwers)
    return {"sums": tuple(zip(cups, view.sums, strict=True))}


PAGES = GamePages(
    key=TOY.key,
    name="Toy",
    setup_template="toy/setup.html",
    first_setup=first_setup,
    setup_rows={"entrants": Rows(4, another)},
    setup_context=lambda _form, _language: {},
    write_setup=write_setup,
    names=names,
    glance_template="toy/glance.html",
    glance=glance,
    order_template="toy/orders.html",
    order_context=lambda _offered, _view, _language: {},
    write_order=lambda form, _seat, _offered: plain_order(form, TOY.orders),
)
