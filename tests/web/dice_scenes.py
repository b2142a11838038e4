"""Scenes whose dice are those of production, and what the tests of their page do to them."""

from __future__ import annotations

import json
from typing import Any

from app.engine.seal import seal_of
from app.persistence.tables import FIRST_BOARD
from app.services import sealing
from app.services.links import principal_of_secret
from app.services.proofs import read_ledger
from app.services.scenes import open_scene
from app.services.shapes import OpenScene, Roller
from tests.support.fights import duel
from tests.web.conftest import Duel, Site

SALTS = {"hollow": "00112233445566778899aabbccddeeff", "quincy": "ffeeddccbbaa99887766554433221100"}


def opened(site: Site, dice: Roller = Roller.SERVICE, hours: int = 0, **more: Any) -> Duel:
    """Open a scene of two that waits so many hours for the salts."""
    opening = OpenScene(title="Duello al ponte", setup=duel(), dice=dice, seal_hours=hours, **more)
    made = open_scene(site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token())
    return Duel(made.scene_id, made.gm_secret, dict(made.seat_secrets))


def give_salts(site: Site, fight: Duel, *seats: str, show: bool = True) -> None:
    """Let seats seal their salts, and show them afterwards."""
    for act, wanted in ((sealing.seal, True), (sealing.show, show)):
        for seat in seats if wanted else ():
            player = principal_of_secret(site.db, site.world, fight.seats[seat])
            assert player is not None
            salt = SALTS[seat]
            given = seal_of(fight.id, seat, salt) if act is sealing.seal else salt
            act(site.db, site.world, player, fight.id, seat, given)


def ledger_of(site: Site, fight: Duel) -> tuple[list[dict[str, Any]], str]:
    """Read the lines of a scene's ledger, and the head after them."""
    ledger = read_ledger(site.db, fight.id)
    return [json.loads(line) for line in ledger.lines], ledger.head
