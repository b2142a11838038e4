"""The turn form of a seat: what is legal now, a live preview that never rolls, and sending it."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.rulesets.guida.offers import Choices
from app.rulesets.guida.orders import (
    Turn,
)
from app.services.entry_shapes import (
    Narration,
    Submission,
)
from app.services.errors import (
    ArbitroError,
    Conflict,
    KeyReused,
    Malformed,
    NotFound,
    Refused,
    Stale,
)
from app.services.offered import choices
from app.services.run import run
from app.services.scenes import read_entry, read_scene
from app.services.shapes import (
    SceneRead,
)
from app.services.turns import decide
from app.web.forms import Nested, text_at, whole_of
from app.web.games import PAGES
from app.web.games.deciding import deciding_page, preview_decision, send_decision
from app.web.narration import narration_in
from app.web.pages import page, see
from app.web.preview import previewed
from app.web.stage import stage_of
from app.web.strip import strip_of
from app.web.troubles import Troubles, renew_key, troubles_of
from app.web.turn_blow import main_blow, pick
from app.web.turn_bound import hanging, whole
from app.web.turn_cards import cards, plans, targets
from app.web.turn_fill import carried_over, first_texts, shown_turn
from app.web.turn_form import write_turn
from app.web.visit import Here, Id, SeatId, Visit, version_in
from app.web.written import Written

router = APIRouter()


@router.get("/scenes/{scene_id}/turn/{seat}")
async def write(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Show the form, filled in from the scene, or from a turn that is to be written again."""
    scene, now = await _read(here, scene_id, seat)
    if pages := PAGES.get(scene.ruleset):
        return await deciding_page(here, pages, scene, seat, now)
    again = here.request.query_params.get("again", "")
    if again:
        data = await _written_before(here, scene, whole(now), again)
        return await _form_page(here, scene, now, data, posted=True)
    return await _form_page(here, scene, now, first_texts(whole(now), scene.view))


@router.post("/scenes/{scene_id}/turn/{seat}")
async def send(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Decide the turn; where it is refused, show the form as it was filled in."""
    form = await here.form()
    scene, now = await _read(here, scene_id, seat)
    if pages := PAGES.get(scene.ruleset):
        return await send_decision(here, pages, scene, seat, now, form)
    if text_at(form, "do") == "preview":  # where scripts do not run
        return await _form_page(here, scene, now, form, posted=True)
    written = write_turn(form, seat, whole(now))
    try:
        submission = Submission(
            order=written.order,
            version=version_in(form),
            key=text_at(form, "key"),
            narration=narration_in(form),
            head=text_at(form, "head"),
        )
        decided = await run(here.db, decide, here.world, here.principal, scene_id, submission)
    except (Malformed, Refused, Conflict, Stale, KeyReused) as error:
        return await _refused(here, scene, now, form, written, error)
    return see(f"/scenes/{scene_id}/entries/{decided.number}?sent")


@router.post("/scenes/{scene_id}/turn/{seat}/preview")
async def look(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Say what the turn would meet and how its post would look; no die falls, nothing is kept."""
    form = await here.form()
    scene, now = await _read(here, scene_id, seat)
    if pages := PAGES.get(scene.ruleset):
        return await preview_decision(here, pages, scene, seat, now, form)
    written = write_turn(form, seat, whole(now))
    context = await previewed(here, scene, form, written)
    return page(here, "turns/_preview.html", **context)


async def _read(here: Visit, scene_id: str, seat: str) -> tuple[SceneRead, Any]:
    """Read the scene through the eyes of a seat, and what that seat may decide in its game."""
    scene = await run(here.db, read_scene, here.principal, scene_id, seat)
    now = await run(here.db, choices, here.principal, scene_id, seat)
    if scene.view is None or seat not in scene.seats:
        raise NotFound
    return scene, now


async def _written_before(
    here: Visit, scene: SceneRead, offered: Choices, number: str
) -> dict[str, Nested]:
    """Fill the form with a turn of this seat that was taken back, as far as it fits the scene."""
    known = whole_of(number)
    if known is None:
        raise NotFound
    entry = await run(here.db, read_entry, here.principal, scene.id, known)
    if not isinstance(entry.order, Turn) or entry.seat != offered.seat:
        raise NotFound
    turn = replace(entry.order, figures=None)
    told = {field.name: getattr(entry.narration, field.name) for field in fields(Narration)}
    shown = shown_turn(turn, offered, scene.view)
    return {**carried_over(shown, offered, scene.view), "narration": told}


async def _refused(
    here: Visit,
    scene: SceneRead,
    now: Choices,
    form: dict[str, Nested],
    written: Written,
    error: ArbitroError,
) -> Response:
    """Show the form again: all that is wrong with it at once, and nothing of it lost."""
    status = {Refused: 409, Conflict: 409, Stale: 412}.get(type(error), 422)
    if isinstance(error, Stale):
        data = carried_over(form, whole(now), scene.view)
        return await _form_page(here, scene, now, data, status, stale=True, posted=True)
    renew_key(form, error, here.world)
    troubles = list(troubles_of(error, here.request, written.rename))
    if isinstance(error, Malformed):  # the rules could not look at it yet: what do they say?
        context = await previewed(here, scene, form, written)
        troubles += context["troubles"]
    return await _form_page(
        here, scene, now, form, status, troubles=Troubles(troubles), posted=True, refused=True
    )


async def _form_page(
    here: Visit,
    scene: SceneRead,
    now: Choices,
    data: dict[str, Nested],
    status: int = 200,
    **context: Any,
) -> Response:
    """Fill the page of the form, with the preview of what it holds."""
    offered = whole(now)
    written = write_turn(data, offered.seat, offered)
    seen = await previewed(here, scene, data, written) if not offered.obstacles else {}
    return page(
        here,
        "turns/form.html",
        status,
        **{
            **seen,
            "scene": scene,
            "stage": stage_of(scene, here.language),
            "strip": strip_of(scene.view, (offered.seat,), seat=offered.seat),
            "offered": offered,
            "cards": cards(offered),
            "targets": targets(offered),
            "blow": main_blow(offered),
            "plans": plans(offered),
            "areas": {area.id: area for area in offered.areas},
            "hanging": (held := hanging(now)),
            "can_move": held.moves or not now.stays,
            "pick": pick,
            "who": next(one for one in scene.view.combatants if one.id == offered.seat),
            "key": text_at(data, "key") or here.world.token(),
            "data": data,
            "stale": False,
            "posted": False,
            "refused": False,
            "blocked": troubles_of(Refused(offered.obstacles), here.request),
            **context,
        },
    )
