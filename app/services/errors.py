"""The ways in which a use case says no: the class gives the HTTP status, the code the words."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from app.engine.findings import Obstacle
from app.persistence.errors import MISTAKES, ArbitroError, Busy, Malformed, Mistake

__all__ = [
    "CONFLICTS",
    "MISTAKES",
    "STATUS",
    "ArbitroError",
    "Busy",
    "Conflict",
    "KeyReused",
    "Malformed",
    "Mistake",
    "NotFound",
    "Refused",
    "Stale",
]

CONFLICTS: Final = (
    "already_retired",
    "dice_awaited",
    "dice_between",
    "dice_not_awaited",
    "nothing_to_void",
    "not_the_last_turn",
    "other_dice_needed",
    "other_edition",
)
"""Every code of ``Conflict``.

already_retired: the precedent no longer holds, and was retired with a reason before ·
dice_awaited: a declared entry waits for its dice, nothing else is accepted meanwhile ·
dice_between: where the forum rolls, only the last of several orders may need dice ·
dice_not_awaited: dice were given for an entry that does not wait for any ·
nothing_to_void: no entry is in effect · not_the_last_turn: only the last turn in effect can be
amended · other_dice_needed: after the amendment the turn would need dice that never fell ·
other_edition: the scene began under rules that have changed since; it can be read only.
"""


class Refused(ArbitroError):
    """Understood, but not allowed: everything that stands in the way, violations and questions.

    ``entry`` is set where it stands in the way of an earlier decision, which an amendment would
    make illegal.
    """

    code = "refused"

    def __init__(self, obstacles: Iterable[Obstacle], entry: int | None = None) -> None:
        self.obstacles = tuple(obstacles)
        self.entry = entry
        super().__init__(", ".join(obstacle.code for obstacle in self.obstacles))


class Conflict(ArbitroError):
    """Understood, but not at this point of the scene; ``code`` is one of ``CONFLICTS``."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code  # type: ignore[misc]  # one class for a handful of codes


class Stale(ArbitroError):
    """Somebody moved first; ``version`` is the one that holds now."""

    code = "stale"

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version} holds now")
        self.version = version


class NotFound(ArbitroError):
    """Not there, or not yours: nobody can tell which."""

    code = "not_found"


class KeyReused(ArbitroError):
    """An Idempotency-Key came back with other content."""

    code = "key_reused"


STATUS: Final = MappingProxyType(
    {
        Malformed: 422,
        Refused: 409,
        Conflict: 409,
        Stale: 412,
        NotFound: 404,
        KeyReused: 422,
        Busy: 503,
    }
)
"""The HTTP status of each error."""
