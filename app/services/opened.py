"""Telling what lines of a ledger had sealed, at the end of the scene at the latest."""

from __future__ import annotations

from app.persistence import queries_ledger as queries
from app.services.cup import Cup


def open_all(cup: Cup) -> None:
    """Tell everything that is still sealed."""
    for sealed in queries.sealed(cup.connection, cup.match, closed=True):
        cup.ledger.open(sealed)
