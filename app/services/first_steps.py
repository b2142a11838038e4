"""The first steps of a new board: what is done of what leads to its first adjudicated turn."""

from __future__ import annotations

from dataclasses import dataclass

from app.persistence import queries_access as access
from app.persistence import queries_people as people
from app.persistence.database import Database
from app.persistence.queries_steps import steps_of
from app.services.access import Principal
from app.services.errors import NotFound


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSteps:
    """What was done on a board so far; ``scene`` is its newest one."""

    has_piece: bool
    has_sheet: bool
    scene: str | None
    has_turn: bool
    has_people: bool

    @property
    def left(self) -> int:
        """Count what is left to do; a board may well do without a book."""
        done = (self.has_sheet, self.scene is not None, self.has_turn, self.has_people)
        return done.count(False)


def first_steps(db: Database, principal: Principal, board: str) -> FirstSteps:
    """Tell whoever looks after a board what is done of its first steps."""
    if not principal.oversees(board):
        raise NotFound
    with db.read() as connection:
        if access.board_now(connection, board) is None:
            raise NotFound
        done = steps_of(connection, board)
        members = people.members(connection, board)
    return FirstSteps(
        has_piece=done.has_piece,
        has_sheet=done.has_sheet,
        scene=done.scene,
        has_turn=done.has_turn,
        has_people=len({one.person for one in members}) > 1 or done.has_guests,
    )
