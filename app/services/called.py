"""How the seats of a scene are called by those who look at it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection

from app.engine.ruleset import GM, Seat
from app.persistence.queries import scene_states
from app.services.games import Game, game, read_kept


def name_in(view: Any, seat: Seat) -> str:
    """Name a seat as a view of the scene does; by its id where that shows no name of it."""
    for slot in getattr(type(view), "__dataclass_fields__", ()):
        listed = getattr(view, slot)
        for one in listed if isinstance(listed, tuple) else ():
            name = getattr(one, "name", None)
            if getattr(one, "id", None) == seat and isinstance(name, str) and name:
                return name
    return seat


def names_in(ruleset: Game, state: Any, seats: Iterable[Seat]) -> tuple[str, ...]:
    """Name seats as the Master of their scene sees them."""
    view = ruleset.view(state, GM)
    return tuple(name_in(view, seat) for seat in seats)


def names_of(
    connection: Connection, held: Collection[tuple[str | None, Seat | None]]
) -> Mapping[tuple[str | None, Seat | None], str]:
    """Name seats of several scenes, each as it sees itself; none of a scene nobody can read now."""
    names: dict[tuple[str | None, Seat | None], str] = {}
    states = {
        one.id: one for one in scene_states(connection, {scene for scene, _ in held if scene})
    }
    for scene, seat in held:
        now = states.get(scene or "")
        if now is None or seat is None:
            continue
        ruleset = game(now.ruleset)
        state = read_kept(ruleset, ruleset.state, now.state, now.edition)
        if state is not None:
            names[scene, seat] = name_in(ruleset.view(state, seat), seat)
    return names
