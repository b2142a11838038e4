"""Forms of everything that is decided beside a turn: what each becomes as an order."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import quote, unquote

from app.rulesets.guida.orders import ORDERS, Adequacy, Behind, Distance, Manual, Place
from app.web.forms import WAS, Json, Nested, at, lift, rows_at, text_at, ticks_at
from app.web.turn_form import Written

KINDS: Final[dict[str, Any]] = {order.kind: order for order in ORDERS}  # type: ignore[attr-defined]
NOT_OF_THE_ORDER: Final = ("version", "key", "within", "before", f"behind{WAS}")


def write_order(form: dict[str, Nested]) -> Written:
    """Make the order that a form describes; what fits no kind stays for the service to refuse."""
    kind = text_at(form, "kind")
    tree = {name: part for name, part in form.items() if name not in NOT_OF_THE_ORDER}
    if kind == Place.kind:
        return _write_place(form, tree)
    if kind == Manual.kind:
        tree = _without_idle(tree)
    if kind == Adequacy.kind:
        attack, _, defence = text_at(tree, "met").partition("/")
        tree = {**tree, "attack": attack, "defence": defence}
        tree.pop("met", None)
    order: Any = lift(KINDS[kind], tree) if kind in KINDS else tree
    return Written({**order, "kind": kind})


def pair(who: str, whom: str) -> str:
    """Name one who stands behind another in a form."""
    return f"{quote(who, safe='')}/{quote(whom, safe='')}"


def _without_idle(tree: dict[str, Nested]) -> dict[str, Nested]:
    """Leave out the stat or the condition that the chosen change does not speak of."""
    idle = {"points": ("stack",), "stacks": ("stat",)}.get(
        text_at(tree, "change"), ("stat", "stack")
    )
    return {name: part for name, part in tree.items() if name not in idle}


def _write_place(form: dict[str, Nested], tree: dict[str, Nested]) -> Written:
    """Correct the distances that were changed, and who is behind whom if any tick was."""
    origins: dict[str, str] = {}
    distances: list[Json] = []
    for index in rows_at(form, "distances"):
        row = f"distances.{index}"
        if text_at(form, f"{row}.metres") == text_at(form, f"{row}.metres{WAS}"):
            continue
        origins[f"distances.{len(distances)}"] = f"{row}.metres"
        read = at(form, row)
        names: Any = read if isinstance(read, dict) else {}
        typed = {name: names.get(name, "") for name in ("a", "b", "metres")}
        distances.append(lift(Distance, typed))
    order: dict[str, Json] = {
        "kind": Place.kind,
        "by": text_at(form, "by"),
        "reason": text_at(form, "reason"),
        "distances": distances,
    }
    ticked = sorted(ticks_at(tree, "behind"))
    if ",".join(ticked) != text_at(form, f"behind{WAS}"):
        pairs = [one.partition("/") for one in ticked]
        order["behind"] = [
            lift(Behind, {"who": unquote(who), "whom": unquote(whom)}) for who, _, whom in pairs
        ]
    return Written(order, origins)
