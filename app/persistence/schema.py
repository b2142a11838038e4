"""Bringing a database to another revision, all of the way or not at all."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection

from app.config import ALEMBIC_INI
from app.persistence.database import Database


def upgrade(db: Database, to: str = "head") -> None:
    """Bring a database to a later revision."""
    with db.write() as connection:
        command.upgrade(config(connection), to)


def downgrade(db: Database, to: str) -> None:
    """Bring a database back to an earlier revision."""
    with db.write() as connection:
        command.downgrade(config(connection), to)


def config(connection: Connection | None = None) -> Config:
    """Say where the migrations stand, and over which connection they are to run."""
    settings = Config(ALEMBIC_INI)
    settings.attributes["connection"] = connection
    return settings
