"""How the secret of a link is made, derived and kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import Final

from app.engine.ruleset import Seat
from app.services.access import Role
from app.services.answers import digest
from app.services.world import World

MARK: Final = "arb_"
"""How every secret begins, so that one that got out can be recognised."""
SHOWN: Final = len(MARK) + 6


def new_secret(token: str) -> str:
    """Make a secret of a token of 256 bits."""
    return MARK + token


def derived_secret(salt: str, key: str, role: Role, seat: Seat | None) -> str:
    """Make a secret that the same salt and the client's key make again.

    So a lost answer can be given once more, although nothing that opens a scene is stored.
    """
    message = f"{salt}\0{role}\0{seat or ''}".encode("utf-8", "surrogatepass")
    made = hmac.new(key.encode(), message, hashlib.sha256).digest()
    return new_secret(base64.urlsafe_b64encode(made).rstrip(b"=").decode())


def secret_row(
    world: World,
    secret: str,
    role: Role,
    board: str,
    scene: str | None = None,
    seat: Seat | None = None,
    person: str | None = None,
) -> dict[str, object]:
    """Give the row that remembers a secret without containing it."""
    return {
        "id": world.scene_id(),
        "role": role.value,
        "board": board,
        "person": person,
        "scene": scene,
        "seat": seat,
        "digest": digest(secret),
        "prefix": secret[:SHOWN],
        "created_at": world.now(),
        "used_at": None,
        "revoked_at": None,
    }
