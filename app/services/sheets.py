"""Stored sheets: kept by the owner and the Masters, copied into scenes."""

from __future__ import annotations

from app.persistence.database import Database
from app.services.access import Principal
from app.services.shapes import SheetLine, SheetRead
from app.services.world import World


def list_sheets(db: Database, principal: Principal) -> tuple[SheetLine, ...]:
    """List the stored sheets by name."""
    raise NotImplementedError


def read_sheet(db: Database, principal: Principal, sheet_id: str) -> SheetRead:
    """Read one stored sheet."""
    raise NotImplementedError


def add_sheet(
    db: Database,
    world: World,
    principal: Principal,
    sheet: object,
    key: str,
    ruleset: str = "guida",
) -> SheetRead:
    """Store a new sheet."""
    raise NotImplementedError


def save_sheet(
    db: Database, world: World, principal: Principal, sheet_id: str, sheet: object, version: int
) -> SheetRead:
    """Replace a stored sheet, if nobody else has changed it since ``version``."""
    raise NotImplementedError
