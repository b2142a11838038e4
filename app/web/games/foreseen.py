"""The warnings on the page of a scene that has just been opened."""

from __future__ import annotations

from app.http.aside import at_length
from app.posts.phrases import say
from app.services.errors import Busy
from app.services.foreseen import foreseen
from app.services.shapes import SceneRead
from app.web.visit import Visit


async def warnings_of(here: Visit, scene: SceneRead) -> tuple[str, ...]:
    """Say what whoever plays should know; where too many wait for odds, the page comes without."""
    if scene.entries or scene.awaited.ended:
        return ()
    try:
        notices = await at_length(foreseen, here.db, scene.id)
    except Busy:
        return ()
    return tuple(
        say(here.language, scene.ruleset, "notices", one.code, one.facts) for one in notices
    )
