"""The pages of a campaign: its beings, what each duel made of them, and a duel for two of them."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.http.session import keep_session, session_cookie
from app.persistence.codec import decode
from app.services.being_shapes import BeingState, EnteredBeing
from app.services.beings import (
    add_being,
    add_successor,
    list_beings,
    read_being,
    reissue_being_link,
    retire_being,
)
from app.services.boards import may_open, read_board
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.links import open_link
from app.services.run import run
from app.services.scenes import open_scene, read_scene
from app.services.shapes import OpenedScene, OpenScene
from app.web.being_form import (
    FACE_NUMBERS,
    FORCED,
    RESULTS,
    WARRIORS,
    first_texts,
    name_in,
    write_sheet,
)
from app.web.forms import TICKED, Nested, lift, text_at
from app.web.pages import page, see
from app.web.stage import stage_of
from app.web.troubles import renew_key, troubles_of
from app.web.visit import Here, Id, Visit, version_in
from app.web.written import Written

router = APIRouter()
GAME: Final = "warrior_dice"
REFUSALS = (Malformed, Refused, Conflict, KeyReused, Stale)
LONGEST_SEAT: Final = 40
STATUS = {Malformed: 422, Refused: 409, Conflict: 409, KeyReused: 422, Stale: 412}


@router.get("/boards/{board_id}/beings")
async def index(here: Here) -> Response:
    """List the beings to those who look after them."""
    return await _index(here)


@router.get("/boards/{board_id}/beings/new")
async def new(here: Here) -> Response:
    """Show the form by which a being enters."""
    if not here.principal.is_any_gm(here.board):
        raise NotFound
    return _form_page(here, f"{here.at_board}/beings/new", first_texts(here.world.token()))


@router.post("/boards/{board_id}/beings/new")
async def add(here: Here) -> Response:
    """Let a being enter, and show its link this once."""
    data = await here.form()
    written, key = write_sheet(data), text_at(data, "key")
    try:
        made = await run(
            here.db,
            add_being,
            here.world,
            here.principal,
            here.board,
            written.order,
            key,
            name=name_in(data),
        )
    except REFUSALS as error:
        return _refused(here, f"{here.at_board}/beings/new", data, written, error)
    return _link_page(here, made)


@router.post("/boards/{board_id}/beings/duel")
async def duel(here: Here) -> Response:
    """Open a Shadow duel for two beings."""
    data = await here.form()
    names = {
        one.id: one.name for one in await run(here.db, list_beings, here.principal, here.board)
    }
    first, second = text_at(data, "first"), text_at(data, "second")
    read: Any = lift(OpenScene, {name: text_at(data, name) for name in ("title", "answer_within")})
    entrants: list[Any] = [
        {"id": names.get(one, place)[:LONGEST_SEAT], "sheet": {"being": one}}
        for place, one in (("a", first), ("b", second))
    ]
    setup = {"entrants": entrants, "shadow": text_at(data, "shadow") == TICKED}
    written = Written({"entrants": entrants}, {"entrants.0": "first", "entrants.1": "second"})
    key = text_at(data, "key")
    try:
        opening = decode(OpenScene, {**read, "ruleset": GAME, "setup": setup})
        opened = await run(
            here.db, open_scene, here.world, here.principal, here.board, opening, key
        )
    except REFUSALS as error:
        troubles = troubles_of(error, here.request, written.rename)
        return await _index(here, STATUS[type(error)], data=data, troubles=troubles)
    return await _opened(here, text_at(data, "title"), opened)


@router.get("/beings/{being_id}")
async def show(here: Here, being_id: Id) -> Response:
    """Show a being and all that it was."""
    return await _being_page(here, being_id)


@router.get("/beings/{being_id}/successor")
async def next_one(here: Here, being_id: Id) -> Response:
    """Show the form by which another being enters in the place of a banished one."""
    old = await run(here.db, read_being, here.principal, being_id)
    if old.state is not BeingState.BANISHED or old.successor is not None:
        raise NotFound
    address = f"/beings/{being_id}/successor"
    return _form_page(here, address, first_texts(here.world.token()), follows=old.name)


@router.post("/beings/{being_id}/successor")
async def add_next(here: Here, being_id: Id) -> Response:
    """Let another being enter in the place of a banished one, and show its link this once."""
    old = await run(here.db, read_being, here.principal, being_id)
    data = await here.form()
    written, key = write_sheet(data), text_at(data, "key")
    try:
        made = await run(
            here.db,
            add_successor,
            here.world,
            here.principal,
            being_id,
            written.order,
            key,
            name=name_in(data),
        )
    except REFUSALS as error:
        address = f"/beings/{being_id}/successor"
        return _refused(here, address, data, written, error, follows=old.name)
    return _link_page(here, made)


@router.post("/beings/{being_id}/retire")
async def retire(here: Here, being_id: Id) -> Response:
    """Let a being go."""
    version = version_in(await here.form())
    try:
        await run(here.db, retire_being, here.world, here.principal, being_id, version)
    except REFUSALS as error:
        troubles = troubles_of(error, here.request)
        return await _being_page(here, being_id, STATUS[type(error)], troubles=troubles)
    return see(f"/beings/{being_id}")


@router.post("/beings/{being_id}/link")
async def link(here: Here, being_id: Id) -> Response:
    """Make a new link for the owner of a being, and show it this once."""
    secret = await run(here.db, reissue_being_link, here.world, here.principal, being_id)
    return _link_page(here, EnteredBeing(being_id=being_id, secret=secret), anew=True)


async def _index(here: Visit, status: int = 200, **context: Any) -> Response:
    beings = await run(here.db, list_beings, here.principal, here.board)
    free = [(one.id, one.name) for one in beings if one.state is BeingState.ACTIVE]
    board = await run(here.db, read_board, here.board)
    return page(
        here,
        "beings/index.html",
        status,
        ruleset=GAME,
        beings=beings,
        free=free,
        may_enter=here.principal.is_any_gm(here.board),
        may_open=may_open(board, here.principal) and len(free) > 1,
        new_key=here.world.token,
        **context,
    )


async def _being_page(here: Visit, being_id: str, status: int = 200, **context: Any) -> Response:
    being = await run(here.db, read_being, here.principal, being_id)
    return page(here, "beings/show.html", status, ruleset=GAME, being=being, **context)


def _form_page(
    here: Visit, address: str, data: dict[str, Nested], status: int = 200, **context: Any
) -> Response:
    return page(
        here,
        "beings/new.html",
        status,
        ruleset=GAME,
        address=address,
        data=data,
        faces=FACE_NUMBERS,
        results=tuple(RESULTS),
        forced=FORCED,
        warriors=WARRIORS,
        **{"follows": "", **context},
    )


def _refused(
    here: Visit,
    address: str,
    data: dict[str, Nested],
    written: Written,
    error: Malformed | Refused | Conflict | KeyReused | Stale,
    **context: Any,
) -> Response:
    renew_key(data, error, here.world)
    troubles = troubles_of(error, here.request, written.rename)
    return _form_page(here, address, data, STATUS[type(error)], troubles=troubles, **context)


def _link_page(here: Visit, made: EnteredBeing, *, anew: bool = False) -> Response:
    return page(
        here,
        "beings/link.html",
        201,
        ruleset=GAME,
        being_id=made.being_id,
        link=here.link(made.secret),
        anew=anew,
    )


async def _opened(here: Visit, title: str, opened: OpenedScene) -> Response:
    """Show each secret of the new duel once; the browser that opened it is its Master's."""
    scene = await run(here.db, read_scene, here.principal, opened.scene_id)
    secrets = {GM: opened.gm_secret, **opened.seat_secrets}
    answer = page(
        here,
        "scenes/links.html",
        201,
        ruleset=GAME,
        scene_id=opened.scene_id,
        title=title,
        names=stage_of(scene, here.language).names,
        links={seat: here.link(secret) for seat, secret in secrets.items()},
        anew=False,
    )
    cookie = session_cookie(here.request)
    entered = await run(here.db, open_link, here.world, opened.gm_secret, cookie)
    keep_session(here.request, answer, entered.cookie)
    return answer
