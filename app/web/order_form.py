"""Forms of everything that is decided beside a turn: what each becomes as an order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import quote, unquote

from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import (
    ORDERS,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Join,
    Manual,
    Place,
    TurnOrder,
)
from app.services.copies import MOST, numbered
from app.services.errors import Malformed, Mistake
from app.web.forms import WAS, Json, Nested, at, lift, rows_at, text_at, ticks_at
from app.web.written import Written

KINDS: Final[dict[str, Any]] = {order.kind: order for order in ORDERS}  # type: ignore[attr-defined]  # each has one
LAST_PLACE: Final = 999  # gaps leave room for somebody between two
NOT_OF_THE_ORDER: Final = (
    *("version", "head", "key", "within", "before", "keep_as_precedent"),
    *(f"behind{WAS}", f"hidden{WAS}"),
)


def write_order(form: dict[str, Nested]) -> Written:
    """Make the order that a form describes; what fits no kind stays for the service to refuse.

    Raises Malformed where the form says something that no order can say.
    """
    kind = text_at(form, "kind")
    tree = {name: part for name, part in form.items() if name not in NOT_OF_THE_ORDER}
    if kind == Place.kind:
        return _write_place(form, tree)
    if kind == Join.kind:
        return _write_join(form)
    if kind == TurnOrder.kind:
        tree = {**tree, "sequence": _sequence(form)}
        tree.pop("places", None)
    if kind == Answer.kind and text_at(tree, "precedent") and not text_at(tree, "reason").strip():
        tree.pop("reason", None)  # the precedent gives its own
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
    for name, record, other in (("behind", Behind, "whom"), ("hidden", Unseen, "observer")):
        ticked = sorted(ticks_at(tree, name))
        if ",".join(ticked) != text_at(form, f"{name}{WAS}"):
            pairs = [one.partition("/") for one in ticked]
            order[name] = [
                lift(record, {"who": unquote(who), other: unquote(whom)}) for who, _, whom in pairs
            ]
    return Written(order, origins)


def _write_join(form: dict[str, Nested]) -> Written:
    """Let somebody enter, so far from each of those who are there; the sheet is put in later."""
    new = text_at(form, "entrant.id")
    typed = at(form, "entrant")
    entrant: Any = lift(Entrant, typed if isinstance(typed, dict) else {})
    entrant["id"] = new
    origins = {"entrant.sheet": "stored", "entrant": "entrant.team"}
    origins |= {f"entrant.{name}": f"entrant.{name}" for name in ("team", "master", "npc")}
    distances: list[Json] = []
    for index in rows_at(form, "places"):
        row = f"places.{index}"
        origins[f"distances.{len(distances)}"] = f"{row}.metres"
        far: dict[str, Nested] = {"a": new, "b": text_at(form, f"{row}.to")}
        distances.append(lift(Distance, {**far, "metres": text_at(form, f"{row}.metres")}))
    order: dict[str, Json] = {
        "kind": Join.kind,
        "by": text_at(form, "by"),
        "reason": text_at(form, "reason"),
        "entrant": entrant,
        "distances": distances,
        "after": text_at(form, "after") or None,
    }
    return Written(order, origins)


def copies_at(form: Nested, path: str) -> Json:
    """Read how many of one are meant, one where nothing is said; a text that is no number stays."""
    text = text_at(form, path).strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 4 else text or 1


def write_joins(form: Nested, written: Written, names: Iterable[str]) -> list[Written]:
    """Make as many entries of one as the form says, numbered on from ``names`` in the scene.

    Each follows the one before, and stands so far from it as the form says. Raises Malformed where
    nobody could tell how many are meant.
    """
    count = copies_at(form, "copies")
    if not isinstance(count, int) or not 1 <= count <= MOST:
        raise Malformed(Mistake("copies", "out_of_range", {"least": 1, "most": MOST}))
    entrant: Any = written.order["entrant"]
    sheet = entrant.get("sheet")
    name = sheet.get("name", "") if isinstance(sheet, dict) else ""
    known = [one.removeprefix(f"{name} ") for one in names if one.startswith(f"{name} ")]
    numbers = [int(one) for one in known if one.isascii() and one.isdecimal()]
    made: list[Written] = []
    ids: list[str] = []
    for copy in numbered(entrant, count, max(numbers, default=0) + 1):
        order = {**written.order, "entrant": copy}
        far: Any = written.order["distances"]
        distances: list[Json] = [{**row, "a": copy["id"]} for row in far]
        for other in ids:
            apart: dict[str, Nested] = {"a": copy["id"], "b": other}
            distances.append(lift(Distance, {**apart, "metres": text_at(form, "~apart")}))
        if ids and order["after"] is not None:
            order["after"] = ids[-1]
        origins = {f"distances.{len(far) + place}": "~apart" for place in range(len(ids))}
        made.append(Written({**order, "distances": distances}, {**written.origins, **origins}))
        ids.append(copy["id"])
    return made


def _sequence(form: Nested) -> list[Nested]:
    """Put everybody in the order of the numbers that were written beside them.

    Raises Malformed where a number is none, or two have the same: nobody could tell who is first.
    """
    placed: dict[int, str] = {}
    mistakes: list[Mistake] = []
    for index in rows_at(form, "places"):
        field = f"places.{index}.at"
        place = lift(int, text_at(form, field).strip())
        if place == "":
            mistakes.append(Mistake(field, "missing"))
        elif not isinstance(place, int):
            mistakes.append(Mistake(field, "not_a_number"))
        elif not 1 <= place <= LAST_PLACE:
            facts = {"least": 1, "most": LAST_PLACE}
            mistakes.append(Mistake(field, "out_of_range", facts))
        elif place in placed:
            mistakes.append(Mistake(field, "duplicate"))
        else:
            placed[place] = text_at(form, f"places.{index}.who")
    if mistakes:
        raise Malformed(*mistakes)
    return [placed[place] for place in sorted(placed)]
