"""Whether a database is of the revision that this code needs, without loading Alembic."""

from __future__ import annotations

from sqlalchemy import inspect, text

from app.persistence.database import Database
from app.persistence.errors import ArbitroError
from app.persistence.tables import REVISION


class WrongRevision(ArbitroError):
    """The database is not of the revision that this version of the code needs."""

    code = "wrong_revision"

    def __init__(self, found: str | None) -> None:
        super().__init__(
            f"the database is of revision {found or 'none'}, this version of Arbitro needs "
            f"{REVISION}: run `arbitro migrate`"
        )


def revision_of(db: Database) -> str | None:
    """Name the revision that a database is of; None if nothing was made in it yet."""
    with db.read() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def check_revision(db: Database) -> None:
    """Raise WrongRevision unless the database is of the revision that this code needs."""
    found = revision_of(db)
    if found != REVISION:
        raise WrongRevision(found)
