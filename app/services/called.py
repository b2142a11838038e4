"""How the seats of a scene are called by those who look at it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.engine.ruleset import GM, Seat
from app.services.games import Game


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
