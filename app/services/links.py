"""Secret links: opened once in a browser, or sent with each call by a plugin."""

from __future__ import annotations

from app.engine.ruleset import Seat
from app.persistence.database import Database
from app.services.access import Principal, Role
from app.services.shapes import LinkLine, Opened
from app.services.world import World


def open_link(db: Database, world: World, secret: str, cookie: str | None = None) -> Opened:
    """Give a browser what a secret grants, beside what its cookie had; the cookie changes."""
    raise NotImplementedError


def principal_of_cookie(db: Database, world: World, cookie: str) -> Principal | None:
    """Tell who a browser is; None for a cookie that is unknown, forgotten or too old."""
    raise NotImplementedError


def principal_of_secret(db: Database, world: World, secret: str) -> Principal | None:
    """Tell who a Bearer secret is; None for one that is unknown or revoked."""
    raise NotImplementedError


def list_links(db: Database, principal: Principal, scene_id: str) -> tuple[LinkLine, ...]:
    """List the links of a scene that are in force, as its Master."""
    raise NotImplementedError


def reissue(
    db: Database, world: World, principal: Principal, scene_id: str, role: Role, seat: Seat | None
) -> str:
    """Make a new secret for the Master or a seat of a scene, and revoke the one before."""
    raise NotImplementedError


def revoke(
    db: Database, world: World, principal: Principal, scene_id: str, role: Role, seat: Seat | None
) -> None:
    """Revoke the secret of the Master or a seat of a scene, at once."""
    raise NotImplementedError


def forget(db: Database, cookie: str) -> None:
    """Log a browser out; its cookie opens nothing any more."""
    raise NotImplementedError
