"""The Master's desk: the queue of turns over all scenes, who is waited for, notes to oneself."""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import partial
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.rulesets import RULESETS
from app.services.desk import (
    DeskFilter,
    look,
    read_desk,
    read_waiting,
    see,
    write_note,
)
from app.services.desk_errors import read_errors
from app.services.desk_shapes import AskingLine, DeskRead, Review, TurnPlace
from app.services.errors import Malformed, NotFound
from app.services.run import run
from app.services.scenes import read_scene
from app.web.forms import TICKED, Nested, is_token, text_at, whole_of
from app.web.pages import page, word_of
from app.web.pages import see as go
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number, Visit

router = APIRouter()
DESK: Final = "/boards/{board_id}/desk"
"""Where the desk is; whoever moves it moves all of its pages."""
QUESTIONS: Final = "questions"
FILTERS: Final = ("state", "scene", "seat", "act", "game", "differs", "fresh")
SHOWN: Final = (Review.OPEN, Review.RETURNED, Review.DICE, Review.APPROVED)
DAY: Final = 24 * 60 * 60  # seconds
HOUR: Final = 60 * 60


def desk_of(here: Visit) -> str:
    """Spell where the desk of the visit's board is."""
    return f"{here.at_board}/desk"


@router.get(DESK)
async def show(here: Here) -> Response:
    """Show the queue, or to htmx its rows alone where anything in them is new."""
    return await desk_page(here)


async def desk_page(here: Visit, status: int = 200, **context: Any) -> Response:
    """Fill the page of the desk; ``context`` brings back a form of it that was refused."""
    asked = here.request.query_params
    state = asked.get("state", Review.OPEN.value)
    wanted = _filter(here)
    after = asked.get("after") or None
    read = await run(here.db, read_desk, here.principal, here.board, wanted, after=after)
    asking: tuple[AskingLine, ...] = ()
    if state == QUESTIONS:
        asking = await run(here.db, read_waiting, here.principal, here.board, only_questions=True)
    mark = _mark(read, asking)
    if here.partly and asked.get("mark") == mark:
        return Response(status_code=204)
    kept = [(name, text) for name, text in asked.multi_items() if name in FILTERS]
    shown: dict[str, Any] = {
        "desk": desk_of(here),
        "read": read,
        "asking": asking,
        "wanted": wanted,
        "state": state,
        "states": SHOWN,
        "mark": mark,
        "new_key": here.world.token,
        "here": urlencode(kept),
        "is_all": wanted == DeskFilter(),
        "done": asked.get("done", ""),
        "was": asked.get("was", ""),
        "in": asked.get("in", ""),
        "without": lambda *names: urlencode([(n, t) for n, t in kept if n not in names]),
        "noted": "",
        "live": here.partly,
        "games": tuple(RULESETS),
        "word_in": partial(word_of, here.language),
        "age": partial(age, here.world.now()),
        **context,
    }
    if here.partly:
        return page(here, "desk/_live.html", **shown)
    return page(here, "desk/index.html", status, **{"note": read.note, **shown})


@router.get(f"{DESK}/scenes")
async def scenes(here: Here) -> Response:
    """Show whom every scene waits for and how long, and what goes wrong how often."""
    waiting = await run(here.db, read_waiting, here.principal, here.board)
    errors = await run(here.db, read_errors, here.principal, here.board)
    return page(
        here,
        "desk/scenes.html",
        desk=desk_of(here),
        waiting=waiting,
        errors=errors,
        word_in=partial(word_of, here.language),
        age=partial(age, here.world.now()),
    )


@router.post(f"{DESK}/looked")
async def looked(here: Here) -> Response:
    """Note that everything here was looked over."""
    form = await here.form()
    await run(here.db, look, here.world, here.principal, here.board)
    return go(f"{desk_of(here)}{_filtered(form)}")


@router.post(f"{DESK}/note")
async def note(here: Here) -> Response:
    """Keep a note to oneself, about a scene or about the board."""
    form = await here.form()
    scene = text_at(form, "scene")
    if scene and not is_token(scene):
        raise NotFound
    text = text_at(form, "text")
    try:
        await run(here.db, write_note, here.world, here.principal, here.board, scene, text)
    except Malformed as error:
        troubles = troubles_of(error, here.request)
        return await desk_page(
            here, 422, note=text, noted=scene, data=form, troubles=troubles, failing="note-"
        )
    number = whole_of(text_at(form, "number"))
    turn = f"/{scene}/{number}" if scene and number else _filtered(form)
    return go(f"{desk_of(here)}{turn}#note")


def _filtered(form: dict[str, Nested]) -> str:
    """Spell the filters that a form of the desk was sent from, whatever else it names left out."""
    sent = parse_qsl(text_at(form, "here"))
    kept = urlencode([(name, text) for name, text in sent if name in FILTERS])
    return f"?{kept}" if kept else ""


async def on_desk(here: Here, scene_id: Id) -> None:
    """Raise NotFound unless the scene lies on the desk of the board in the address."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if not scene.is_gm or scene.board != here.board:
        raise NotFound


ON_DESK: Final = Depends(on_desk)


@router.post(f"{DESK}/{{scene_id}}/{{number}}/seen", dependencies=[ON_DESK])
async def seen(here: Here, scene_id: Id, number: Number) -> Response:
    """Mark a turn as viewed, or take the mark away."""
    form = await here.form()
    place = TurnPlace(scene_id=scene_id, number=number)
    wanted = text_at(form, "seen") == TICKED
    await run(here.db, see, here.world, here.principal, place, seen=wanted)
    if text_at(form, "from") == "desk":
        return go(f"{desk_of(here)}?{text_at(form, 'here')}#turn-{scene_id}-{number}")
    return go(f"{desk_of(here)}/{scene_id}/{number}")


def age(now: datetime, since: datetime | None) -> tuple[str, int]:
    """Tell how long ago something was, in the greatest unit that fits: days, hours or minutes."""
    seconds = 0 if since is None else max(0, int((now - since).total_seconds()))
    if seconds >= 2 * DAY:
        return "d", seconds // DAY
    if seconds >= HOUR:
        return "h", seconds // HOUR
    return "m", seconds // 60


def _filter(here: Visit) -> DeskFilter:
    """Read which turns an address asks for; what is not known there asks for nothing."""
    asked = here.request.query_params
    state = asked.get("state", "")
    known = {one.value for one in SHOWN}
    return DeskFilter(
        state=Review(state) if state in known else Review.OPEN,
        scene_id=_plain(asked.get("scene", "")),
        seat=_plain(asked.get("seat", "")),
        act=_plain(asked.get("act", "")),
        ruleset=_plain(asked.get("game", "")),
        differs=asked.get("differs") == TICKED,
        fresh=asked.get("fresh") == TICKED,
    )


def _plain(text: str) -> str:
    return text if text.isprintable() and len(text) <= 64 else ""


def _mark(read: DeskRead, asking: object) -> str:
    """Name what a page shows, so that a poll that finds the same is answered with nothing."""
    return hashlib.sha256(repr((read, asking)).encode()).hexdigest()[:16]
