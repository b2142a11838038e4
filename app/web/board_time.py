"""The board, to its owner: how it keeps time, and what it tells everybody by which way."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.services import inbox
from app.services.board_time import BoardTimeChange, change_board_time, read_board_time, zones
from app.services.channels import Channel
from app.services.errors import Malformed, NotFound
from app.services.notices import OF_THE_BOARD
from app.services.run import run
from app.web.forms import Nested, lift, text_at, ticks_at
from app.web.inbox import KINDS, WAYS, said
from app.web.pages import page, see
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

router = APIRouter()
HERE: Final = "/boards/{board_id}/time"
BOARD_WAYS: Final = (Channel.FEED, Channel.HOOK)
NUMBERS: Final = ("remind_hours", "grace_hours")


@router.get(HERE)
async def show(here: Here) -> Response:
    """Show the owner how the board keeps time."""
    return await _form_page(here, saved="saved" in here.request.query_params)


@router.post(HERE)
async def change(here: Here) -> Response:
    """Change how the board keeps time; an empty webhook stays unless it is to go."""
    form = await here.form()
    texts: dict[str, Nested] = {name: text_at(form, name) for name in NUMBERS}
    read: Any = lift(BoardTimeChange, texts)
    read |= {"zone": text_at(form, "zone"), "automatic": bool(ticks_at(form, "automatic"))}
    typed = text_at(form, "webhook").strip()
    read["webhook"] = typed or ("" if ticks_at(form, "no_webhook") else None)
    read["muted"] = [
        {"channel": way, "kind": kind}
        for way in BOARD_WAYS
        for kind in OF_THE_BOARD
        if kind.value not in ticks_at(form, way)
    ]
    try:
        wanted = decode(BoardTimeChange, read)
        await run(here.db, change_board_time, here.principal, here.board, wanted)
    except Malformed as error:
        troubles = troubles_of(error, here.request)
        return await _form_page(here, 422, data=form, troubles=troubles)
    return see(f"{here.at_board}/time?saved")


@router.post(f"{HERE}/feed")
async def feed(here: Here) -> Response:
    """Make a new address for the board's feed, or let the one that there is go."""
    if text_at(await here.form(), "do") == "revoke":
        await run(here.db, inbox.revoke_board_feed, here.world, here.principal, here.board)
        return see(f"{here.at_board}/time?saved")
    token = await run(here.db, inbox.new_board_feed, here.world, here.principal, here.board)
    return await _form_page(here, address=f"{here.settings.base_url}/feeds/{token}.atom")


async def _form_page(here: Visit, status: int = 200, **context: Any) -> Response:
    if not here.principal.is_owner(here.board):
        raise NotFound
    found = await run(here.db, read_board_time, here.principal, here.board)
    return page(
        here,
        "board/time.html",
        status,
        **{
            "time": found,
            "zones": zones(),
            "muted": {(one.channel, one.kind) for one in found.muted},
            "kinds": said(here, {kind: KINDS[kind] for kind in OF_THE_BOARD}),
            "ways": said(here, {way: WAYS[way] for way in BOARD_WAYS}),
            "saved": False,
            "address": "",
            **context,
        },
    )
