"""One turn on the desk: the post, every number with its reason, and what a Master may do."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.posts.write import write_blocks
from app.rulesets import RULESETS
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.terms import Change
from app.services.amending import amend, preview_amendment
from app.services.desk import DeskFilter, beside, read_desk, read_note
from app.services.desk_shapes import Mark, Reviewing, ReviewRead, TurnPlace, Verdict
from app.services.entry_shapes import EntryRead, Submission, TakeBack
from app.services.errors import (
    STATUS,
    Conflict,
    KeyReused,
    Malformed,
    NotFound,
    Refused,
    Stale,
)
from app.services.luck import scene_luck
from app.services.offered import choices
from app.services.reviews import read_review, review
from app.services.run import run
from app.services.scenes import read_entry, read_scene
from app.services.shapes import EntryLine, SceneRead
from app.services.turns import decide, void_last
from app.web.desk import DESK, ON_DESK, desk_of
from app.web.entries import source_of
from app.web.forms import TICKED, Nested, rows_at, text_at, whole_of
from app.web.games import PAGES
from app.web.games.orders import plain_order
from app.web.gm import RULED_ON, met_attacks, suggested_in
from app.web.luck import by_seat
from app.web.odds import percent
from app.web.order_form import write_order
from app.web.pages import page, see, word_of
from app.web.review_numbers import marks_told, numbers_of, path_told
from app.web.stage import stage_of
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Id, Number, Visit, choice_in, version_in
from app.web.written import Written

router = APIRouter()
TURN: Final = f"{DESK}/{{scene_id}}/{{number}}"
REFUSALS: Final = (Malformed, Refused, Conflict, Stale, KeyReused)
BEFORE: Final = "before"  # an override in front of the turn, and everything after it played anew
LAST_TURNS: Final = 4
SETS: Final = (Change.HP, Change.EP)  # of the Guida; a game says its own
OF_THE_PAGE: Final = ("do", "when", "last", "reviewed")
"""Fields that serve the page, and are no part of an order."""


@dataclass(frozen=True, slots=True)
class Since:
    """What happened while a page was open whose form came too late.

    ``kept`` says that the form came from the page of the turn, which shows again what was written.
    """

    decisions: tuple[Any, ...]
    entries: tuple[EntryLine, ...]
    kept: bool


@router.get(TURN)
async def show(here: Here, scene_id: Id, number: Number) -> Response:
    """Show a turn to whoever may decide about it."""
    return await review_page(here, scene_id, number)


@router.post(TURN, dependencies=[ON_DESK])
async def verdict(here: Here, scene_id: Id, number: Number) -> Response:
    """Approve the turn and go on to the next, or return it with marks and a note."""
    form = await here.form()
    approves = choice_in(form, "do", ("approve", "return")) == "approve"
    wanted = Reviewing(
        verdict=Verdict.APPROVED if approves else Verdict.RETURNED,
        marks=() if approves else _marks(form),
        note=text_at(form, "note"),
        version=version_in(form),
        key=text_at(form, "key"),
    )
    try:
        done = await run(here.db, review, here.world, here.principal, scene_id, number, wanted)
    except REFUSALS as error:
        return await _back(here, scene_id, number, form, error, "verdict-")
    told = f"done={done.state}&was={number}&in={scene_id}"
    if text_at(form, "from") == "desk":
        kept = text_at(form, "here")
        return see(f"{desk_of(here)}?{kept}{'&' if kept else ''}{told}#queue")
    if done.next is None:
        return see(f"{desk_of(here)}?{told}")
    return see(f"{desk_of(here)}/{done.next.scene_id}/{done.next.number}?{told}")


@router.post(f"{TURN}/void", dependencies=[ON_DESK])
async def void(here: Here, scene_id: Id, number: Number) -> Response:
    """Take back the last decision in effect."""
    form = await here.form()
    back = TakeBack(
        reason=text_at(form, "reason"), version=version_in(form), key=text_at(form, "key")
    )
    try:
        done = await run(here.db, void_last, here.world, here.principal, scene_id, back)
    except REFUSALS as error:
        return await _back(here, scene_id, number, form, error, "void-")
    return see(f"{desk_of(here)}/{scene_id}/{number}?ordered={done.number}")


@router.post(f"{TURN}/order")
async def order(here: Here, scene_id: Id, number: Number) -> Response:
    """Override now or in front of this turn, or show first what that would change."""
    form = await here.form()
    within = text_at(form, "within", "override-")
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if not scene.is_gm or scene.board != here.board:
        raise NotFound
    written = Written({})
    try:
        written = _written(scene, form)
        given = Submission(
            order=written.order,
            version=version_in(form),
            key=text_at(form, "key"),
            head=text_at(form, "head"),
            keep=text_at(form, "keep_as_precedent") == TICKED,
        )
        where = (here.db, here.world, here.principal, scene_id)
        if text_at(form, "do") == "preview":
            return await _preview(here, scene, number, form, written)
        if text_at(form, "when") == BEFORE:
            done = await run(where[0], amend, *where[1:], number, given)
        else:
            done = await run(where[0], decide, *where[1:], given)
    except REFUSALS as error:
        return await _back(here, scene_id, number, form, error, within, written)
    kept = "" if done.precedent is None else f"&kept={done.precedent}"
    return see(f"{desk_of(here)}/{scene_id}/{number}?ordered={done.number}{kept}")


async def review_page(
    here: Visit, scene_id: str, number: int, status: int = 200, **context: Any
) -> Response:
    """Fill the page of a turn; ``context`` brings back a form of it that was refused."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if not scene.is_gm or scene.board != here.board:
        raise NotFound
    entry = await run(here.db, read_entry, here.principal, scene_id, number)
    found = await run(here.db, read_review, here.principal, scene_id, number)
    place = TurnPlace(scene_id=scene_id, number=number)
    before, after = await run(here.db, beside, here.principal, here.board, place)
    desk = await run(here.db, read_desk, here.principal, here.board, DeskFilter(), limit=1)
    note = await run(here.db, read_note, here.principal, here.board, scene_id)
    orders = ()
    if scene.current and scene.view is not None:
        orders = (await run(here.db, choices, here.principal, scene_id, GM)).orders
    asked = here.request.query_params
    numbers = numbers_of(scene, entry, found, here.language)
    return page(
        here,
        "desk/review.html",
        status,
        **{
            "desk": desk_of(here),
            "scene": scene,
            "entry": entry,
            "found": found,
            "read": desk,
            "stage": stage_of(scene, here.language),
            "blocks": write_blocks(source_of(entry, scene)),
            "numbers": numbers,
            "before": before,
            "after": after,
            "note": note.text,
            "orders": orders,
            "overrides": "set_value" in orders,
            "sets": PAGES[scene.ruleset].sets if scene.ruleset in PAGES else SETS,
            "registers": scene.ruleset not in PAGES,
            "met": _met(entry),
            "answers": RULED_ON,
            "suggested": await suggested_in(here, scene),
            "luck": await _luck(here, scene, found),
            "turns": _last_turns(scene, found),
            "told_marks": partial(marks_told, numbers),
            "word_in": partial(word_of, here.language),
            "done": asked.get("done", ""),
            "was": asked.get("was", ""),
            "in": asked.get("in", ""),
            "ordered": asked.get("ordered", ""),
            "precedent": asked.get("kept", ""),
            "new_key": here.world.token,
            "seat": GM,
            "since": None,
            "refused_at": None,
            **context,
        },
    )


async def _preview(
    here: Visit, scene: SceneRead, number: int, form: dict[str, Nested], written: Written
) -> Response:
    found = await run(
        here.db, preview_amendment, here.world, here.principal, scene.id, number, written.order
    )
    return page(
        here,
        "desk/preview.html",
        desk=desk_of(here),
        scene=scene,
        number=number,
        found=found,
        stage=stage_of(scene, here.language),
        kept=list(_flat(form)),
        named=partial(path_told, scene.ruleset, here.language),
        new_key=here.world.token,
    )


async def _back(
    here: Visit,
    scene_id: str,
    number: int,
    form: dict[str, Nested],
    error: Exception,
    within: str,
    written: Written | None = None,
) -> Response:
    """Show the page again with what is wrong, and what others did since it was opened."""
    assert isinstance(error, REFUSALS)
    since = None
    if isinstance(error, Stale):
        since = await _since(here, scene_id, number, form)
    rename = Written({}).rename if written is None else written.rename
    troubles: Troubles = troubles_of(error, here.request, rename)
    return await review_page(
        here,
        scene_id,
        number,
        STATUS[type(error)],
        data=form,
        troubles=troubles,
        failing=within,
        since=since,
        refused_at=_entry_of(error),
    )


def _entry_of(error: Exception) -> int | None:
    """Name the entry at which an amendment failed, where it is not the amendment itself."""
    return error.entry if isinstance(error, Refused) else None


async def _since(here: Visit, scene_id: str, number: int, form: dict[str, Nested]) -> Since:
    """Gather what was decided after the page was made that a form came from."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    found = await run(here.db, read_review, here.principal, scene_id, number)
    reviewed = _count(form, "reviewed")
    kept = (
        "last" in form
    )  # a row of the list shows no scene, so that only its turn can have changed
    last = _count(form, "last") if kept else len(scene.entries)
    return Since(
        decisions=tuple(one for one in found.decisions if one.version > reviewed),
        entries=tuple(one for one in scene.entries if one.number > last),
        kept=kept,
    )


def _count(form: dict[str, Nested], name: str) -> int:
    return whole_of(text_at(form, name)) or 0


def _written(scene: SceneRead, form: dict[str, Nested]) -> Written:
    form = {name: part for name, part in form.items() if name not in OF_THE_PAGE}
    if scene.ruleset in PAGES:
        return plain_order(form, RULESETS[scene.ruleset].orders)
    return write_order(form)


def _marks(form: dict[str, Nested]) -> tuple[Mark, ...]:
    """Read which numbers were ticked; a reason beside one ticks it as well."""
    marks: list[Mark] = []
    for index in rows_at(form, "marks"):
        at = f"marks.{index}"
        why = text_at(form, f"{at}.why").strip()
        if text_at(form, f"{at}.ticked") == TICKED or why:
            marks.append(Mark(on=text_at(form, f"{at}.on"), why=why))
    return tuple(marks)


def _flat(form: Nested, path: str = "") -> Any:
    """Spell a form as the fields that it came from, to be sent again from a page in between."""
    if isinstance(form, dict):
        for name, part in form.items():
            if not path and name in ("do", "key", "when"):
                continue
            yield from _flat(part, f"{path}.{name}" if path else name)
    elif isinstance(form, list):
        for index, part in enumerate(form):
            leaf = path if isinstance(part, str) else f"{path}.{index}"
            yield from _flat(part, leaf)
    else:
        yield path, form


def _met(entry: EntryRead) -> tuple[Any, ...]:
    """List the attacks that a turn of the Guida met, to rule on the defence."""
    return met_attacks(entry) if isinstance(entry.order, Turn) and not entry.voided_by else ()


async def _luck(here: Visit, scene: SceneRead, found: ReviewRead) -> tuple[int, str] | None:
    """Tell how lucky the dice of the author were so far: how many, and better than how many."""
    luck = await run(here.db, scene_luck, here.principal, found.scene_id)
    author = found.seat if by_seat(scene) else found.who
    for one in luck.actors:
        if one.actor == author and one.thrown.counting.count:
            dice = one.thrown.counting
            return dice.count, percent(dice.percentile, here.language)
    return None


def _last_turns(scene: SceneRead, found: ReviewRead) -> tuple[EntryLine, ...]:
    """List the turns of the same seat before this one, the newest first."""
    mine = [
        one
        for one in scene.entries
        if one.seat == found.seat and one.number < found.number and one.act == found.act
    ]
    return tuple(reversed(mine[-LAST_TURNS:]))
