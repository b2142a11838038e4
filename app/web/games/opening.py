"""Opening a scene of a game in the frame: its own fields, and those that all scenes have."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.posts.dialects import DIALECTS
from app.services.boards import check_may_open, read_board
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused
from app.services.run import run
from app.services.scenes import open_scene, read_scene
from app.services.shapes import Language, OpenedScene, OpenScene
from app.web.forms import lift, text_at
from app.web.games import PAGES
from app.web.games.foreseen import warnings_of
from app.web.games.frame import Form, GamePages
from app.web.opening import shown_once, waits_in
from app.web.pages import page
from app.web.rows import change_rows
from app.web.stage import stage_of
from app.web.troubles import Troubles, renew_key, troubles_of
from app.web.visit import Here, Id, Visit
from app.web.written import Written

router = APIRouter()
SHARED = ("title", "language", "dialect", "seal_hours", "beacon", "answer_within")


@router.get("/boards/{board_id}/scenes/new/{game}")
async def new(here: Here, game: Id) -> Response:
    """Show the form that opens a scene of a game."""
    pages = _pages(game)
    first = {"key": here.world.token(), "trial": here.request.query_params.get("trial", "")}
    return await _form_page(here, pages, first | pages.first_setup())


@router.post("/boards/{board_id}/scenes/new/{game}")
async def open_it(here: Here, game: Id) -> Response:
    """Open the scene and show its links, or add a row to the form, or fill it in anew."""
    pages = _pages(game)
    data = await here.form()
    what = text_at(data, "do", "open")
    if what != "open":
        change_rows(data, what, pages.setup_rows)
        pages.press_setup(data, what)
        return await _form_page(here, pages, data)
    written = pages.write_setup(data)
    try:
        opened = await run(
            here.db,
            open_scene,
            here.world,
            here.principal,
            here.board,
            _opening(pages, data, written),
            text_at(data, "key"),
        )
    except (Malformed, Refused, Conflict, KeyReused) as error:
        renew_key(data, error, here.world)
        status = 409 if isinstance(error, Refused | Conflict) else 422
        troubles = troubles_of(error, here.request, written.rename)
        return await _form_page(here, pages, data, status, troubles=troubles)
    return await _links_page(here, data, opened)


def _pages(game: str) -> GamePages:
    if game not in PAGES:
        raise NotFound
    return PAGES[game]


def _opening(pages: GamePages, data: Form, written: Written) -> OpenScene:
    """Gather the opening; what is left to the board stays empty."""
    read: Any = lift(OpenScene, {name: text_at(data, name) for name in SHARED})
    return decode(
        OpenScene, {**read, **waits_in(data), "ruleset": pages.key, "setup": written.order}
    )


async def _form_page(
    here: Visit,
    pages: GamePages,
    data: Form,
    status: int = 200,
    *,
    troubles: Troubles | None = None,
) -> Response:
    board = await run(here.db, read_board, here.board)
    check_may_open(board, here.principal)
    return page(
        here,
        "games/new.html",
        status,
        ruleset=pages.key,
        game=pages,
        data=data,
        board=board,
        beacon=here.world.beacon is not None,
        languages=tuple(Language),
        dialects=tuple(DIALECTS),
        troubles=troubles or Troubles(),
        **pages.setup_context(data, here.language),
    )


async def _links_page(here: Visit, data: Form, opened: OpenedScene) -> Response:
    """Show the links of a new scene, with what its players should know beforehand."""
    scene = await run(here.db, read_scene, here.principal, opened.scene_id)
    return await shown_once(
        here,
        opened,
        text_at(data, "title"),
        stage_of(scene, here.language).names,
        ruleset=scene.ruleset,
        warnings=await warnings_of(here, scene),
    )
