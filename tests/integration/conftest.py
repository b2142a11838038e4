"""What the integration tests share: a migrated database of each kind, and a table set on it."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.services.shapes import (
    Roller,
)
from tests.support.further import registered
from tests.support.table import Table, set_table
from tests.support.toy import GAME
from tests.support.world import FixedWorld


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Migrate one SQLite file, for tests to copy: most of a test's time would go into that."""
    path = tmp_path_factory.mktemp("migrated") / "arbitro.sqlite3"
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


@pytest.fixture(scope="session")
def migrated_template(postgres_server: Any) -> str:
    """Migrate one PostgreSQL database, for tests to copy."""
    name = f"template_{secrets.token_hex(8)}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    database = Database(postgres_server.get_uri(database=name, driver="psycopg"))
    upgrade(database)
    database.close()
    return name


@pytest.fixture
def postgres_url(postgres_server: Any, migrated_template: str) -> Iterator[str]:
    """Copy the migrated PostgreSQL database, and drop the copy with whoever is connected to it."""
    name = f"test_{secrets.token_hex(8)}"
    postgres_server.psql(f"CREATE DATABASE {name} TEMPLATE {migrated_template};")
    yield postgres_server.get_uri(database=name, driver="psycopg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE);")


@pytest.fixture
def db(database_url: str, migrated_file: Path) -> Iterator[Database]:
    """Give a migrated database, once of each kind."""
    database = Database(database_url)
    if database.is_sqlite:
        shutil.copy(migrated_file, str(database.url.database))
    yield database
    database.close()


@pytest.fixture
def sqlite(sqlite_url: str, migrated_file: Path) -> Iterator[Database]:
    """Give a migrated SQLite file, for what does not depend on the database."""
    database = Database(sqlite_url)
    shutil.copy(migrated_file, str(database.url.database))
    yield database
    database.close()


@pytest.fixture
def world() -> FixedWorld:
    """Give a world whose dice all show 7, or their highest side."""
    return FixedWorld()


@pytest.fixture
def table(db: Database, world: FixedWorld) -> Table:
    """Set a table at which the service rolls."""
    return set_table(db, world)


@pytest.fixture
def forum_table(db: Database, world: FixedWorld) -> Table:
    """Set a table at which the forum rolls."""
    return set_table(db, world, dice=Roller.FORUM)


@pytest.fixture
def toy() -> Iterator[None]:
    """Let the toy game be played too."""
    with registered(GAME):
        yield
