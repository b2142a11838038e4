"""What a decision would meet, before it is sent: what is wrong, its post, and the odds."""

from __future__ import annotations

from typing import Any

from app.posts.templates import write_text
from app.posts.write import PostSource, write_blocks
from app.services.entry_shapes import Narration, Preview
from app.services.errors import Conflict, Malformed, Refused
from app.services.places import check_places
from app.services.run import run
from app.services.shapes import Roller, SceneRead
from app.services.turns import preview
from app.web.forms import Nested
from app.web.narration import narration_in
from app.web.odds import laws_of
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Visit
from app.web.written import Written


async def previewed(
    here: Visit, scene: SceneRead, form: Nested, written: Written
) -> dict[str, Any]:
    """Gather what the preview shows: what is wrong, or else the post as it will be and the odds."""
    troubles: list[Any] = []
    narration = Narration()
    found: Preview | None = None
    try:
        narration = narration_in(form)
    except Malformed as error:
        troubles += troubles_of(error, here.request)
    try:
        found = await run(here.db, preview, here.principal, scene.id, written.order)
    except (Malformed, Refused, Conflict) as error:
        troubles += troubles_of(error, here.request, written.rename)
    if found is not None and found.obstacles:
        troubles += troubles_of(Refused(found.obstacles), here.request, written.rename)
    source: PostSource | None = None
    if found is not None and found.plan is not None:
        try:
            check_places(scene.ruleset, narration, found.plan.asked)
        except Malformed as error:
            troubles += troubles_of(error, here.request)
        source = PostSource(
            ruleset=scene.ruleset,
            language=scene.language,
            findings=found.plan.findings,
            asked=found.plan.asked,
            rolls=None,
            narration=narration,
            provenance="service" if scene.dice is Roller.SERVICE else "",
            numbered=found.plan.asked,
            template=scene.templates.of(found.seat),
        )
    return {
        "troubles": Troubles(troubles),
        "blocks": write_blocks(source) if source else (),
        "text": write_text(source, scene.dialect) if source else "",
        "laws": laws_of(found.forecast, here.language) if found is not None else (),
        "rolled_here": scene.dice is Roller.SERVICE,
    }
