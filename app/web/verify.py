"""The page on which a visitor's own browser checks a ledger; the service is sent nothing."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.seal import SCHEME
from app.http.language import Language
from app.posts.phrases import SERVICE, sections
from app.rulesets import RULESETS
from app.services.errors import NotFound
from app.services.run import run
from app.services.scenes import read_scene
from app.web.pages import page
from app.web.visit import Here, Visit

router = APIRouter()


@router.get("/verify")
async def ask(here: Here) -> Response:
    """Show the form, the sentences that its script fills in, and what is promised.

    With ``?scene=`` the form is about that scene, whose ledger its script fetches.
    """
    said = sections(here.language, SERVICE)
    scene_id = here.request.query_params.get("scene", "")
    return page(
        here,
        "verify/index.html",
        faults=said["ledger_faults"],
        words=said["ledger"],
        phases=_terms(here.language, "phases"),
        actions=_terms(here.language, "actions"),
        scene_id=scene_id,
        scene_title=await _title(here, scene_id) if scene_id else "",
    )


def _terms(language: Language, part: str) -> dict[str, str]:
    """Say what the phases or the actions are called by which a ledger labels its rolls."""
    return {
        code: text
        for ruleset in reversed(tuple(RULESETS))  # what several have is said as by the first
        for code, text in sections(language, ruleset).get(part, {}).items()
        if isinstance(text, str)
    }


async def _title(here: Visit, scene_id: str) -> str:
    """Name a scene; one without a ledger cannot be asked for here."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.scheme != SCHEME:
        raise NotFound
    return scene.title
