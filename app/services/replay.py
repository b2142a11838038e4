"""Checking that what is stored is what the decisions lead to."""

from __future__ import annotations

from app.persistence.database import Database
from app.services.shapes import ReplayReport


def check_scenes(db: Database) -> ReplayReport:
    """Replay every scene of the current edition and compare it with its snapshot."""
    raise NotImplementedError
