"""What the commands share: the language of the terminal, and the database of the settings."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.persistence.database import Database


def language() -> str:
    """Choose Italian, unless the terminal speaks English."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LANG") if os.environ.get(name)), "")
    return "en" if spoken.lower().startswith("en") else "it"


@contextmanager
def open_database() -> Iterator[Database]:
    """Open the database that the settings name."""
    from app.config import Settings
    from app.persistence.database import Database

    database = Database(Settings().database_url)
    try:
        yield database
    finally:
        database.close()
