"""An order of any game from a form whose fields are called as those of the order."""

from __future__ import annotations

from typing import Any, Final

from app.web.forms import Json, Nested, lift, plain, text_at
from app.web.written import Written

NOT_OF_THE_ORDER: Final = ("version", "head", "key", "within", "do", "narration", "before")


def plain_order(form: dict[str, Nested], orders: tuple[type, ...]) -> Written:
    """Read the order that a form names by its kind; what fits none is for the service to refuse."""
    kind = text_at(form, "kind")
    known: dict[str, Any] = {getattr(one, "kind", ""): one for one in orders}
    tree: dict[str, Nested] = {
        name: part for name, part in form.items() if name not in NOT_OF_THE_ORDER
    }
    read: Json = lift(known[kind], tree) if kind in known else plain(tree)
    return Written({**(read if isinstance(read, dict) else {}), "kind": kind})
