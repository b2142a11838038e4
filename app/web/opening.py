"""Opening a scene, and its secret links, which are shown this once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.http.session import keep_session, session_cookie
from app.persistence.codec import decode
from app.posts.dialects import DIALECTS
from app.rulesets.guida.tables import TYPE_1
from app.rulesets.guida.terms import Bind
from app.services.boards import check_may_open, read_board
from app.services.errors import Conflict, KeyReused, Malformed, Refused
from app.services.links import open_link
from app.services.run import run
from app.services.scenes import open_scene
from app.services.shapes import (
    Language,
    OpenedScene,
    OpenScene,
    Roller,
)
from app.services.sheets import list_sheets, read_sheet
from app.web.forms import TICKED, Nested, lift, rows_at, text_at
from app.web.games import PAGES
from app.web.pages import page
from app.web.rows import change_rows
from app.web.setup_form import (
    SETUP_ROWS,
    STORED,
    behind_pairs,
    first_texts,
    hidden_pairs,
    ids_in,
    label_of,
    write_setup,
)
from app.web.sheet_form import CHOICES, effect_groups, effect_kinds
from app.web.stage import WORDS
from app.web.texts import marked, translated
from app.web.troubles import Troubles, renew_key, troubles_of
from app.web.visit import Here, Visit
from app.web.written import Written

router = APIRouter()


@router.get("/boards/{board_id}/scenes/new")
async def new(here: Here) -> Response:
    """Show the form that opens a scene."""
    trial = {"trial": here.request.query_params.get("trial", "")}
    return await _form_page(here, {**first_texts(here.world.token()), **trial})


@router.post("/boards/{board_id}/scenes/new")
async def open_it(here: Here) -> Response:
    """Open the scene and show its links, or add a row to the form."""
    data = await here.form()
    what = text_at(data, "do", "open")
    if what != "open":
        fresh = change_rows(data, what, SETUP_ROWS)
        return await _form_page(here, data, fresh=fresh)
    opened = await opened_from(here, data)
    if isinstance(opened, Failed):
        return await _form_page(here, data, opened.status, troubles=opened.troubles)
    return await links_page(here, data, opened)


@dataclass(frozen=True, slots=True)
class Failed:
    """Why a scene was not opened, for its form to show."""

    status: int
    troubles: Troubles


async def opened_from(
    here: Visit, data: dict[str, Nested], thread: Sequence[Mapping[str, str]] = ()
) -> OpenedScene | Failed:
    """Open the scene that a form describes, with the posts from before it if there are any."""
    since = translated(here.language, marked("From before this scene"))
    written = write_setup(data, await _tools(here, data), since)
    try:
        opening = _opening(data, written, thread)
        return await run(
            here.db,
            open_scene,
            here.world,
            here.principal,
            here.board,
            opening,
            text_at(data, "key"),
        )
    except (Malformed, Refused, Conflict, KeyReused) as error:
        renew_key(data, error, here.world)
        status = 409 if isinstance(error, Refused | Conflict) else 422
        return Failed(status, troubles_of(error, here.request, written.rename))


def _opening(
    data: dict[str, Nested], written: Written, thread: Sequence[Mapping[str, str]]
) -> OpenScene:
    """Gather the opening; what is left to the board stays empty."""
    names = ("title", "language", "dialect", "dice", "seal_hours", "beacon", "answer_within")
    read: Any = lift(OpenScene, {name: text_at(data, name) for name in names})
    told = {
        **read,
        **waits_in(data),
        "setup": written.order,
        "thread": [dict(one) for one in thread],
    }
    return decode(OpenScene, told)


def waits_in(data: dict[str, Nested]) -> dict[str, Any]:
    """Say how long the first dice wait where a form says that the scene is a trial: not at all."""
    return {"seal_hours": 0} if text_at(data, "trial") == TICKED else {}


async def links_page(here: Visit, data: dict[str, Nested], opened: OpenedScene) -> Response:
    """Show each secret once; the browser that opened the scene is let in as its Master."""
    stored = await _stored(here)
    usual = translated(here.language, marked("Combatant"))
    labels = {id: label_of(data, index, stored, usual) for index, id in enumerate(ids_in(data))}
    for id in opened.seat_secrets:
        row, _, number = id.rpartition("-")
        labels.setdefault(id, f"{labels.get(row, usual)} {number}")
    return await shown_once(here, opened, text_at(data, "title"), labels)


async def shown_once(
    here: Visit, opened: OpenedScene, title: str, names: Mapping[str, str], **context: Any
) -> Response:
    """Show the secrets of a new scene, and let the browser that opened it in as its Master."""
    secrets = {GM: opened.gm_secret, **opened.seat_secrets}
    answer = page(
        here,
        "scenes/links.html",
        201,
        scene_id=opened.scene_id,
        title=title,
        names=names,
        links={seat: here.link(secret) for seat, secret in secrets.items()},
        anew=False,
        **context,
    )
    cookie = session_cookie(here.request)
    entered = await run(here.db, open_link, here.world, opened.gm_secret, cookie)
    keep_session(here.request, answer, entered.cookie)
    return answer


async def _form_page(
    here: Visit,
    data: dict[str, Nested],
    status: int = 200,
    *,
    fresh: str = "",
    troubles: Troubles | None = None,
) -> Response:
    """Show the form: the whole page, or to htmx the form alone."""
    return page(
        here,
        "scenes/_new.html" if here.partly else "scenes/new.html",
        status,
        **await form_context(here, data),
        address=f"{here.at_board}/scenes/new",
        games=tuple(PAGES.values()),
        fresh=fresh,
        troubles=troubles or Troubles(),
        thread=(),
    )


async def form_context(here: Visit, data: dict[str, Nested]) -> dict[str, Any]:
    """Gather what the form shows; raise NotFound for those who may open no scene."""
    board = await run(here.db, read_board, here.board)
    check_may_open(board, here.principal)
    stored = await _stored(here)
    usual = translated(here.language, marked("Combatant"))
    ids = ids_in(data)
    return {
        "data": data,
        "board": board,
        "beacon": here.world.beacon is not None,
        "stored": list(stored.items()),
        "ids": ids,
        "labels": {id: label_of(data, index, stored, usual) for index, id in enumerate(ids)},
        "behind": behind_pairs(ids),
        "hidden": hidden_pairs(data),
        "languages": tuple(Language),
        "dialects": tuple(DIALECTS),
        "rollers": tuple(Roller),
        "choices": CHOICES,
        "stacks": WORDS["stack"],
        "transient": TYPE_1,
        "binds": tuple(Bind),
        "effect_kinds": effect_kinds(here.language),
        "effect_groups": effect_groups(here.language),
    }


async def _stored(here: Visit) -> dict[str, str]:
    """Give the names of the stored sheets, to those who may see them."""
    if not here.principal.is_any_gm(here.board):
        return {}
    return {
        sheet.id: sheet.name
        for sheet in await run(here.db, list_sheets, here.principal, here.board)
    }


async def _tools(here: Visit, data: dict[str, Nested]) -> dict[str, dict[str, str]]:
    """Give the ids of techniques by name, for each stored sheet that the form names."""
    found: dict[str, dict[str, str]] = {}
    stored = await _stored(here)
    for index in rows_at(data, "entrants"):
        id = text_at(data, f"entrants.{index}.~sheet")
        if text_at(data, f"entrants.{index}.~from") == STORED and id in stored:
            read = await run(here.db, read_sheet, here.principal, id)
            found[id] = {tool.name.strip().casefold(): tool.id for tool in read.sheet.tools}
    return found
