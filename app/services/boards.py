"""The board: the one row of settings that every new scene copies."""

from __future__ import annotations

from app.persistence.database import Database
from app.services.access import Principal
from app.services.shapes import BoardChanges, BoardRead
from app.services.world import World


def ensure_board(db: Database) -> None:
    """Refuse to go on unless the database is of this version of the code and has its board."""
    raise NotImplementedError


def owner_link(db: Database, world: World) -> str:
    """Make a new owner's secret and revoke the ones before; whoever runs the service may do so."""
    raise NotImplementedError


def read_board(db: Database) -> BoardRead:
    """Read the settings."""
    raise NotImplementedError


def change_board(
    db: Database, world: World, principal: Principal, changes: BoardChanges
) -> BoardRead:
    """Change settings, as the owner; running scenes keep their own."""
    raise NotImplementedError
