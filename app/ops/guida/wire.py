"""Scenes and orders as cases write them: the wire format, or a shorter form with defaults."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from app.ops.given import CaseError, Given
from app.ops.guida.scenes import Post, begin, post, read_rules
from app.persistence.codec import Malformed, decode, union_of
from app.rulesets.guida.orders import (
    ORDERS,
    Order,
)
from app.rulesets.guida.state import (
    Scene,
    Setup,
)

ENTRANT = {"team", "hp", "ep", "armour_down", "bound", "master", "npc"}
SHEET = {"name", "link", "max_hp", "max_ep", "stats", "armour", "modifiers", "size", "talents"}


def read_setup(given: Given) -> Setup:
    """Read ``setup`` as the service reads it, or the short form ``scene`` with ``ruleset``.

    The short form keys fighters and techniques by id; it gives a name, a team, vitals of 100, the
    category B and a distance of ``metres`` (5) where a case does not.
    """
    if given.has("setup"):
        return _decoded(Setup, given.raw("setup"), "setup")
    short = given.part("scene")
    fighters = short.part("entrants")
    ids = fighters.names()
    rules = read_rules(given)
    metres = short.part("distances")
    data = {
        "entrants": [_entrant(id, fighters.part(id)) for id in ids],
        "distances": [
            {"a": one, "b": other, "metres": _metres(metres, short, one, other)}
            for one, other in combinations(ids, 2)
        ],
        "behind": [
            dict(zip(("who", "whom"), str(pair).split(), strict=True))
            for pair in short.items("behind")
        ],
        "hidden": [
            dict(zip(("who", "observer"), str(pair).split(), strict=True))
            for pair in short.items("hidden")
        ],
        "underway": short.items("underway"),
        "first": short.raw("first"),
    }
    setup = _decoded(Setup, data, "scene")
    return Setup(
        entrants=setup.entrants,
        distances=setup.distances,
        behind=setup.behind,
        hidden=setup.hidden,
        underway=setup.underway,
        first=setup.first,
        options=rules.options,
        regulation=rules.regulation,
    )


def read_order(scene: Scene, data: object) -> Order:
    """Read an order as the service reads it; raise Malformed.

    ``@blade`` stands for the id of the action under way with that technique, ``@movement`` for
    that of a movement, ``@defeat`` for the id of the open question of that code.
    """
    ids = {f"@{attack.tool.id}": attack.id for attack in scene.incoming}
    ids |= {f"@{one.tool.id if one.tool else one.action}": one.id for one in scene.pending}
    ids |= {f"@{question.code}": question.id for question in scene.questions}
    order: Order = decode(union_of(ORDERS), _named(data, ids))
    return order


def play(given: Given) -> tuple[Scene, list[Post]]:
    """Start the scene of a case and play its ``posts``, each an order with its natural dice.

    ``modifiers`` are those of the dice tags, where they are not those of the labels.
    """
    scene = begin(read_setup(given))
    played = []
    for part in given.parts("posts"):
        try:
            order = read_order(scene, part.raw("order"))
        except Malformed as wrong:
            raise CaseError(f"an order: {wrong}") from None
        made = post(scene, order, part.wholes("dice"), part.numbers("modifiers"))
        scene = made.after
        played.append(made)
    return scene, played


def _entrant(id: str, given: Given) -> dict[str, object]:
    fields = {key: given.raw(key) for key in given.names() if given.has(key)}
    sheet: dict[str, object] = {"name": id, "max_hp": 100, "max_ep": 100, "stats": {}}
    sheet |= {key: value for key, value in fields.items() if key in SHEET}
    tools, stacks, uses = given.part("tools"), given.part("stacks"), given.part("uses")
    sheet["tools"] = [_tool(name, tools.raw(name)) for name in tools.names()]
    entrant: dict[str, object] = {"id": id, "team": id, "sheet": sheet}
    entrant |= {key: value for key, value in fields.items() if key in ENTRANT}
    entrant["stacks"] = [{"stack": name, "count": stacks.whole(name)} for name in stacks.names()]
    entrant["uses"] = [{"tool": name, "count": uses.whole(name)} for name in uses.names()]
    known = ENTRANT | SHEET | {"tools", "stacks", "uses"}
    if unknown := sorted(set(fields) - known):
        raise CaseError(f"a fighter has no {', '.join(unknown)}")
    return entrant


def _tool(id: str, data: object) -> dict[str, object]:
    if not isinstance(data, dict):
        raise CaseError(f"{id} is not an object")
    return {"id": id, "name": id, "category": "B", **data}


def _named(data: object, ids: Mapping[str, str]) -> object:
    """Put ids in the place of names, wherever they stand in an order."""
    if isinstance(data, dict):
        return {key: _named(value, ids) for key, value in data.items()}
    if isinstance(data, list):
        return [_named(value, ids) for value in data]
    return ids.get(data, data) if isinstance(data, str) else data


def _metres(distances: Given, scene: Given, one: str, other: str) -> int:
    """Read the distance of a pair, named in either order, or the distance of all pairs."""
    for pair in (f"{one} {other}", f"{other} {one}"):
        if distances.has(pair):
            return distances.whole(pair)
    return scene.whole("metres", 5)


def _decoded(wanted: type[Setup], data: object, at: str) -> Setup:
    try:
        return decode(wanted, data)
    except Malformed as wrong:
        raise CaseError(f"{at}: {wrong}") from None
