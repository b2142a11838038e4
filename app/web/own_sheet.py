"""The sheet of a combatant inside a scene: its player may correct it before the first turn."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import encode
from app.rulesets.guida.rulings import (
    ReplaceSheet,
)
from app.rulesets.guida.sheet import Sheet
from app.rulesets.guida.view import CombatantView
from app.services.entry_shapes import (
    Submission,
)
from app.services.errors import (
    STATUS,
    Conflict,
    KeyReused,
    Malformed,
    NotFound,
    Refused,
    Stale,
)
from app.services.run import run
from app.services.scenes import read_scene
from app.services.turns import decide
from app.web.forms import Nested, form_name, lift, shown, text_at
from app.web.games import PAGES
from app.web.pages import see
from app.web.rows import change_rows
from app.web.sheet_form import ROWS
from app.web.sheets import editor, sheet_in
from app.web.troubles import renew_key, troubles_of
from app.web.visit import Here, Id, SeatId, Visit, version_in

router = APIRouter()
REFUSALS = (Malformed, Refused, Conflict, Stale, KeyReused)


@router.get("/scenes/{scene_id}/sheet/{seat}")
async def edit(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Show the sheet that a combatant has in the scene."""
    scene = await run(here.db, read_scene, here.principal, scene_id, seat)
    if scene.ruleset in PAGES:  # what their set-up says of a sheet stands
        raise NotFound
    combatant = _find(scene.view.combatants if scene.view is not None else (), seat)
    texts = shown(encode(combatant.sheet))
    data: dict[str, Nested] = texts if isinstance(texts, dict) else {}
    data |= {"version": str(scene.version), "key": here.world.token()}
    return _editor(here, scene_id, seat, data)


@router.post("/scenes/{scene_id}/sheet/{seat}")
async def put_in(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Put the corrected sheet into the scene, or add a row to the form."""
    data = await here.form()
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.ruleset in PAGES:
        raise NotFound
    what = text_at(data, "do", "save")
    if what != "save":
        return _editor(here, scene_id, seat, data, fresh=change_rows(data, what, ROWS))
    order = {
        "kind": ReplaceSheet.kind,
        "by": seat,
        "combatant": seat,
        "sheet": lift(Sheet, sheet_in(data)),
        "reason": text_at(data, "reason"),
    }
    submission = Submission(
        order=order, version=version_in(data), key=text_at(data, "key"), head=text_at(data, "head")
    )
    try:
        decided = await run(here.db, decide, here.world, here.principal, scene_id, submission)
    except REFUSALS as error:
        if isinstance(error, Stale):
            data["version"] = str(error.version)
        renew_key(data, error, here.world)
        return _editor(here, scene_id, seat, data, error=error)
    return see(f"/scenes/{scene_id}#entry-{decided.number}")


def _editor(
    here: Visit,
    scene_id: str,
    seat: str,
    data: dict[str, Nested],
    *,
    fresh: str = "",
    error: Malformed | Refused | Conflict | Stale | KeyReused | None = None,
) -> Response:
    status = STATUS[type(error)] if error else 200
    troubles = troubles_of(error, here.request, _rename) if error else None
    address = f"/scenes/{scene_id}/sheet/{seat}"
    return editor(
        here, address, data, status, fresh=fresh, troubles=troubles, back=f"/scenes/{scene_id}"
    )


def _rename(path: str) -> str:
    """Lead from ``sheet.tools.0.name`` in the order to the field of the form."""
    return form_name(path).removeprefix("sheet.")


def _find(combatants: tuple[CombatantView, ...], seat: str) -> CombatantView:
    for combatant in combatants:
        if combatant.id == seat:
            return combatant
    raise NotFound
