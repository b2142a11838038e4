"""Going on with turns whose dice waited for salts or for a beacon, once they can be thrown."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from app.persistence.database import Database
from app.persistence.errors import ArbitroError
from app.services.run import run
from app.services.sealing import go_on_everywhere
from app.services.world import World

LOG: Final = logging.getLogger("arbitro")
EVERY: Final = 20.0
"""How many seconds pass between two looks; a beacon has a round every 30."""


async def keep_going(db: Database, world: World, every: float = EVERY) -> None:
    """Look again and again, until cancelled; a look that fails is noted and the next one comes.

    Several processes may look at once: each scene is locked while it goes on.
    """
    while True:
        try:
            for scene_id, why in await run(db, go_on_everywhere, world):
                LOG.warning("scene %s cannot go on: %s", scene_id, why.code)
        except ArbitroError as error:
            LOG.warning("cannot look for turns that wait: %s", error)
        await asyncio.sleep(every)
