"""A post as it stands on the forum, beside what was computed for its entry."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter
from starlette.responses import Response

from app.http.language import Language
from app.persistence.codec import decode
from app.posts.compared import Compared, say_number, say_reason, say_value
from app.posts.read import Claim, say_claim
from app.services.comparing import PostCompared, PostToCompare, compare_post
from app.services.errors import Conflict, Malformed, NotFound
from app.services.run import run
from app.services.scenes import read_entry, read_scene
from app.web.forms import text_at
from app.web.games import PAGES
from app.web.pages import page
from app.web.stage import stage_of
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number, Visit

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Place:
    """Where the post says something, and what stands there."""

    line: int
    excerpt: str
    said: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One number as the page shows it."""

    name: str
    claimed: str
    computed: str
    place: Place | None
    reasons: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The differences, what agrees, and what was not understood."""

    edited: bool
    differences: tuple[Row, ...]
    same: tuple[Row, ...]
    unread: tuple[Place, ...]


@router.get("/scenes/{scene_id}/entries/{number}/compare")
async def ask(here: Here, scene_id: Id, number: Number) -> Response:
    """Ask for the post as it stands on the forum."""
    return await _page(here, scene_id, number)


@router.post("/scenes/{scene_id}/entries/{number}/compare")
async def compare(here: Here, scene_id: Id, number: Number) -> Response:
    """Compare the pasted post with its entry, number by number; nothing is kept."""
    form = await here.form()
    try:
        post = decode(PostToCompare, {"text": text_at(form, "text"), "entry": number})
        found = await run(here.db, compare_post, here.principal, scene_id, post)
    except (Malformed, Conflict) as error:
        status = 409 if isinstance(error, Conflict) else 422
        troubles = troubles_of(error, here.request)
        return await _page(here, scene_id, number, status, data=form, troubles=troubles)
    return await _page(here, scene_id, number, data=form, table=_table(found, here.language))


async def _page(
    here: Visit, scene_id: str, number: int, status: int = 200, **context: object
) -> Response:
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.ruleset in PAGES:  # the digest of the post says all that it can differ in
        raise NotFound
    entry = await run(here.db, read_entry, here.principal, scene_id, number)
    shown = {"table": None, **context}
    return page(
        here,
        "entries/compare.html",
        status,
        scene=scene,
        entry=entry,
        stage=stage_of(scene, here.language),
        **shown,
    )


def _table(found: PostCompared, language: Language) -> Table:
    rows = [(one.same, _row(one, language)) for one in found.numbers]
    return Table(
        edited=found.edited,
        differences=tuple(row for same, row in rows if not same),
        same=tuple(row for same, row in rows if same),
        unread=tuple(_place(claim, say_claim(language, claim)) for claim in found.unread),
    )


def _row(one: Compared, language: Language) -> Row:
    return Row(
        name=say_number(language, one),
        claimed=say_value(language, one.kind, one.claimed),
        computed=say_value(language, one.kind, one.computed),
        place=None if one.claim is None else _place(one.claim),
        reasons=tuple((say_reason(language, why), why.rule) for why in one.because),
    )


def _place(claim: Claim, said: str = "") -> Place:
    cause = claim.facts.get("cause")
    words = [*claim.text.split(), *(f"· {cause}".split() if cause else ())]
    return Place(claim.line, " ".join(words), said)
