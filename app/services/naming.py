"""Who enters a scene has a name that nobody there takes for another's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.engine.alike import alike
from app.services.errors import Malformed, Mistake
from app.services.games import Game

_FIGHTING: Final = "active"  # the standing of one who has not left


def names_taken(setup: Any, at: str = "setup") -> tuple[Mistake, ...]:
    """List the entrants of a set-up whose names look like that of one before them."""
    names = [_name_of(entrant) for entrant in setup.entrants]
    return tuple(_taken(names, at))


def check_names(setup: Any, at: str = "setup") -> None:
    """Raise Malformed for a set-up with two entrants whose names look alike."""
    if mistakes := names_taken(setup, at):
        raise Malformed(*mistakes)


def check_newcomer(ruleset: Game, state: Any, order: Any, at: str = "order") -> None:
    """Raise Malformed for an order that gives somebody a name which looks like another's.

    Whoever has left may come back under the very same name. One whom the author of the order does
    not see is not in the way either: a refusal would tell that they are there.
    """
    entrant = getattr(order, "entrant", None)
    name = _name_of(order if entrant is None else entrant)
    if not name:
        return
    at, own = (at, order.combatant) if entrant is None else (f"{at}.entrant", "")
    others = ruleset.view(state, order.by).combatants
    if any(other.id == own and other.name == name for other in others):
        return  # another sheet under the name that it has
    for other in others:
        back = other.standing != _FIGHTING and other.name == name
        if other.id != own and not back and alike(name, other.name):
            raise Malformed(_mistake(at, other.name))


def _taken(names: list[str], at: str) -> Iterator[Mistake]:
    for place, name in enumerate(names):
        before = (other for other in names[:place] if name and alike(name, other))
        if (other := next(before, None)) is not None:
            yield _mistake(f"{at}.entrants[{place}]", other)


def _name_of(holder: Any) -> str:
    """Give the name on the sheet of an entrant or of an order; nothing where there is none."""
    name = getattr(getattr(holder, "sheet", None), "name", "")
    return name if isinstance(name, str) else ""


def _mistake(at: str, other: str) -> Mistake:
    return Mistake(f"{at}.sheet.name", "name_taken", {"other": other})
