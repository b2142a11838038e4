"""Who may do what with the book of a board: the one place that knows about boards and roles."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.services.access import Principal
from app.services.errors import NotFound

OPERATOR: Final = "operator"
"""The role of whoever runs the service, at its command line."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Who does something with a book, as its trail tells it, and the secret they came with.

    ``keys`` are all that they hold, of whom nobody is told what they did themselves; ``decides``
    says that they approve, return and retire.
    """

    role: str
    name: str
    key_id: str | None
    keys: frozenset[str] = frozenset()
    decides: bool = False


def is_of_board(principal: Principal, board: str) -> bool:
    """Say whether the book is theirs to read, and to propose for."""
    return principal.has_role(board)


def decides(principal: Principal, board: str) -> bool:
    """Say whether they approve, return and retire."""
    return principal.is_any_gm(board)


def rules(principal: Principal, board: str) -> bool:
    """Say whether they may change what the board asks of its book."""
    return principal.is_owner(board)


def is_own(principal: Principal, key_id: str | None) -> bool:
    """Say whether something was done by one of the links that they have opened."""
    return any(grant.secret_id == key_id for grant in principal.grants)


def check_of_board(principal: Principal, board: str) -> None:
    """Raise NotFound for somebody who has nothing to do with the board."""
    if not is_of_board(principal, board):
        raise NotFound


def check_decides(principal: Principal, board: str) -> None:
    """Raise NotFound for somebody who does not decide on proposals."""
    if not decides(principal, board):
        raise NotFound


def actor_of(principal: Principal, board: str) -> Actor:
    """Tell by which of their links somebody acts; raise NotFound for one who has none."""
    check_of_board(principal, board)
    secret = principal.any_secret(board)
    grant = next(one for one in principal.grants if one.secret_id == secret)
    person = "" if principal.person is None else principal.person.name
    name = grant.seat or person
    return Actor(
        role=grant.role.value,
        name=name,
        key_id=secret,
        keys=principal.secrets(),
        decides=decides(principal, board),
    )
