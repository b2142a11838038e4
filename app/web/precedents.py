"""The precedents of the board: listed and searched by everybody, retired by who may."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.posts.phrases import sections
from app.services import precedents
from app.services.access import ScenePlace
from app.services.errors import Conflict, KeyReused, Malformed
from app.services.lookup import LONGEST_QUERY
from app.services.run import run
from app.web.forms import text_at, whole_of
from app.web.pages import RULESET, page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Number, Visit

router = APIRouter()
STATES: Final = {"": None, "in_force": True, "retired": False}


@router.get("/boards/{board_id}/precedents")
async def show(here: Here) -> Response:
    """Show the precedents, or those that a search finds."""
    return await _listed(here)


@router.post("/boards/{board_id}/precedents/{number}/retire")
async def retire(here: Here, number: Number) -> Response:
    """Let a precedent no longer hold."""
    form = await here.form()
    reason, key = text_at(form, "reason"), text_at(form, "key")
    try:
        await run(
            here.db,
            precedents.retire_precedent,
            here.world,
            here.principal,
            here.board,
            number,
            reason,
            key,
        )
    except (Malformed, Conflict, KeyReused) as error:
        return await _listed(
            here,
            409 if isinstance(error, Conflict) else 422,
            data=form,
            failing=f"retire-{number}-",
            troubles=troubles_of(error, here.request),
        )
    return see(f"{here.at_board}/precedents#P{number}")


async def _listed(here: Visit, status: int = 200, **context: Any) -> Response:
    asked = here.request.query_params
    query = asked.get("q", "").strip()[:LONGEST_QUERY]
    code, state = asked.get("code", ""), asked.get("state", "")
    before = asked.get("before", "")
    last = whole_of(before)
    found = await run(
        here.db,
        precedents.list_precedents,
        here.principal,
        here.board,
        query=query,
        code=code or None,
        in_force=STATES.get(state),
        before=last,
    )
    return page(
        here,
        "precedents/index.html",
        status,
        **{
            "precedents": found,
            "asked": {"q": query, "code": code, "state": state},
            "kinds": sections(here.language, RULESET)["question_kinds"],
            "more": found[-1].number if len(found) == precedents.MOST_LISTED else 0,
            "ruled": {
                one.scene_id
                for one in found
                if here.principal.is_gm(ScenePlace(one.scene_id, here.board))
            },
            "new_key": here.world.token,
            **context,
        },
    )
