"""How Alembic reaches the database: by the connection it is given, else by the settings."""

from alembic import context
from sqlalchemy import Connection

from app.config import Settings
from app.persistence import (
    tables_beings,  # noqa: F401  # its tables belong to the metadata
    tables_books,  # noqa: F401  # and so do these
    tables_desk,  # noqa: F401  # so do these
    tables_ledger,  # noqa: F401  # and so do its own
    tables_notices,  # noqa: F401  # and these
    tables_people,  # noqa: F401  # and people theirs
    tables_summaries,  # noqa: F401  # and so does its one
    tables_thread,  # noqa: F401  # and so does its one
    tables_time,  # noqa: F401  # and these too
)
from app.persistence.database import Database
from app.persistence.tables import Base


def migrate(connection: Connection) -> None:
    """Run the migrations in the transaction that the connection is in."""
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        # SQLite cannot alter most of a table; Alembic copies it instead.
        render_as_batch=connection.dialect.name == "sqlite",
        # SQLite can undo a change of tables like any other; Alembic supposes that it cannot.
        transactional_ddl=True,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    database = Database(Settings().database_url)
    with database.engine.begin() as connection:
        migrate(connection)
    database.close()
