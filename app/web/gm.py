"""The Master's page of a scene: what to review and answer, every ruling with its reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.persistence.json_text import is_broken
from app.rulesets.guida.legality import DEFENCES
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.state import launched_as
from app.rulesets.guida.terms import Action, Category
from app.services.access import Role
from app.services.claims import list_claims, revoke_claim
from app.services.entry_shapes import (
    EntryRead,
)
from app.services.errors import NotFound
from app.services.figures import OwnFigure, figures_of
from app.services.links import list_links, reissue, revoke
from app.services.offered import choices
from app.services.precedent_shapes import Suggestion
from app.services.precedents import suggest
from app.services.run import run
from app.services.scenes import read_scene
from app.services.shapes import (
    SceneRead,
)
from app.services.sheets import list_sheets
from app.web.forms import text_at
from app.web.games import PAGES
from app.web.games.gm import game_gm_page
from app.web.order_form import pair
from app.web.pages import page, see
from app.web.rows import unused_id
from app.web.several import in_a_row
from app.web.stage import history, stage_of
from app.web.visit import Here, Id, Visit, id_in

router = APIRouter()
# One finding for each attack that was met, whatever came of it.
MEETINGS: Final = ("speed_", "null_defence", "defence_auto_failed", "cover_spent")
NO_RULING: Final = (Action.NULL_DEFENCE, Action.GENERIC_COUNTERATTACK)
RULED_ON: Final = tuple(action for action in DEFENCES if action not in NO_RULING)


@dataclass(frozen=True, slots=True)
class Review:
    """One turn to look over."""

    entry: EntryRead
    figures: tuple[OwnFigure, ...]

    @property
    def differs(self) -> bool:
        """Say whether anything that was written is not what was computed."""
        return any(figure.claimed != figure.computed for figure in self.figures)


@dataclass(frozen=True, slots=True)
class Met:
    """An attack that a defence met."""

    id: str
    action: Action
    attacker: str
    name: str


@router.get("/scenes/{scene_id}/gm")
async def show(here: Here, scene_id: Id) -> Response:
    """Show the Master's page to the Master."""
    return await gm_page(here, scene_id, done=here.request.query_params.get("done", ""))


@router.post("/scenes/{scene_id}/links")
async def links(here: Here, scene_id: Id) -> Response:
    """Make a new link for a seat or the Master, which revokes the old one, or only revoke."""
    form = await here.form()
    seat = text_at(form, "seat") or None
    if seat is not None and is_broken(seat):
        raise NotFound
    role = Role.SEAT if seat else Role.GM
    if text_at(form, "do") == "revoke":
        await run(here.db, revoke, here.world, here.principal, scene_id, role, seat)
        return see(f"/scenes/{scene_id}/gm#links-title")
    secret = await run(here.db, reissue, here.world, here.principal, scene_id, role, seat)
    scene = await run(here.db, read_scene, here.principal, scene_id)
    found = {seat or GM: here.link(secret)}
    return page(
        here,
        "scenes/links.html",
        scene_id=scene_id,
        title=scene.title,
        names=stage_of(scene, here.language).names,
        links=found,
        anew=True,
    )


@router.post("/scenes/{scene_id}/claims/revoke")
async def take_away(here: Here, scene_id: Id) -> Response:
    """Take a seat away from an account that keeps it."""
    key = id_in(await here.form(), "key")
    await run(here.db, revoke_claim, here.world, here.principal, scene_id, key)
    return see(f"/scenes/{scene_id}/gm#links-title")


async def suggested_in(here: Visit, scene: SceneRead) -> dict[str, tuple[Suggestion, ...]]:
    """Find the precedents that may fit the open questions of a scene, by question."""
    if not scene.awaited.questions:
        return {}
    found = await run(here.db, suggest, here.principal, scene.id)
    return {one.question: one.suggestions for one in found}


async def gm_page(here: Visit, scene_id: str, status: int = 200, **context: Any) -> Response:
    """Fill the Master's page; ``context`` brings back a form of it that was refused."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if not scene.is_gm:
        raise NotFound
    if pages := PAGES.get(scene.ruleset):
        return await game_gm_page(here, pages, scene, status, **context)
    offered = await run(here.db, choices, here.principal, scene_id, GM)
    entries, _ = await history(here, scene)
    return page(
        here,
        "gm/show.html",
        status,
        **{
            "scene": scene,
            "stage": stage_of(scene, here.language),
            "orders": offered.orders,
            "row": in_a_row(scene),
            "reviews": [review for entry in entries if (review := _review(entry)) is not None],
            "last": (last := _last_turn(scene, entries)),
            "decided": [one for one in entries if str(one.number) == context.get("done", "")],
            "met": met_attacks(last) if last else (),
            "links": await run(here.db, list_links, here.principal, scene_id),
            "claims": await run(here.db, list_claims, here.principal, scene_id),
            "sheets": await run(here.db, list_sheets, here.principal, scene.board),
            "answers": RULED_ON,
            "categories": tuple(Category),
            "suggested": await suggested_in(here, scene),
            "kept": here.request.query_params.get("kept", ""),
            "pair": pair,
            "places": places_of(scene),
            "newcomer": unused_id([{"id": seat} for seat in scene.seats], "p"),
            "new_key": here.world.token,
            "seat": GM,
            "done": "",
            **context,
        },
    )


def places_of(scene: SceneRead) -> dict[str, str]:
    """Name all between which there is a distance: combatants, and the centres of areas."""
    if scene.view is None:
        return {}
    return {one.id: one.name for one in (*scene.view.combatants, *scene.view.areas)}


def _review(entry: EntryRead) -> Review | None:
    """Hold what a player wrote against what was computed; None where there is nothing to review."""
    if not isinstance(entry.order, Turn) or entry.voided_by is not None:
        return None
    return Review(entry, figures_of(entry.order, entry.findings))


def met_attacks(entry: EntryRead) -> tuple[Met, ...]:
    """List the attacks that a turn met with a defence, by the names in its findings."""
    turn: Turn = entry.order
    declared = {
        attack: one.action
        for one in turn.defences
        for attack in one.against
        if one.action is not Action.GENERIC_COUNTERATTACK
    }
    ids = sorted(declared, key=launched_as)  # the order of the story
    found = [one.facts for one in entry.findings if one.key.startswith(MEETINGS)]
    return tuple(
        Met(id, declared[id], str(facts["attacker"]), str(facts["name"]))
        for id, facts in zip(ids, found, strict=False)
        if declared[id] is not Action.NULL_DEFENCE
    )


def _last_turn(scene: SceneRead, entries: list[EntryRead]) -> EntryRead | None:
    """Give the last decision in effect, if it is a turn that can still be amended."""
    for entry in entries:
        if entry.voided_by is not None or entry.voids is not None or entry.before is not None:
            continue
        return entry if isinstance(entry.order, Turn) and scene.current else None
    return None
