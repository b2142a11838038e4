"""The inbox: what one was told, and by which ways one wants to be told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from fastapi import APIRouter
from starlette.responses import Response

from app.services import inbox
from app.services.channels import Channel, Mute
from app.services.errors import Conflict, Malformed
from app.services.inbox import OWN_WAYS, Wishes
from app.services.notices import Telling
from app.services.run import run
from app.web.back import FIRST, own_path
from app.web.forms import Nested, text_at, ticks_at
from app.web.pages import page, see
from app.web.texts import marked, translated
from app.web.troubles import troubles_of
from app.web.visit import Here, Visit

K = TypeVar("K")
router = APIRouter()
KINDS = {
    Telling.YOUR_TURN: marked("It is your turn"),
    Telling.QUESTION: marked("A question for the Master"),
    Telling.APPROVED: marked("A turn of yours was approved"),
    Telling.RETURNED: marked("A turn of yours comes back to you"),
    Telling.DEADLINE_NEAR: marked("A deadline is near"),
    Telling.DEADLINE_PASSED: marked("A deadline has passed"),
    Telling.CLOCK: marked("The clock was stopped or goes on"),
    Telling.ENDED: marked("A scene is over"),
    Telling.RULED: marked("The Master decided something"),
    Telling.TAKEN_BACK: marked("An entry was taken back"),
    Telling.APPROVAL_LOST: marked("An approved turn is to be looked over again"),
    Telling.AWAY: marked("A player is away, or back"),
    Telling.ROLE_CHANGED: marked("Your role on a board was changed"),
    Telling.PIECE_PROPOSED: marked("A piece of the book was proposed"),
    Telling.PIECE_DECIDED: marked("A proposal of yours for the book was decided"),
}
WAYS = {
    Channel.INBOX: marked("Inbox"),
    Channel.FEED: marked("Feed"),
    Channel.MAIL: marked("E-mail"),
    Channel.HOOK: marked("Webhook"),
}


def is_uid(text: str) -> bool:
    """Say whether a text could name a notice."""
    return len(text) == 64 and all(one in "0123456789abcdef" for one in text)


@router.get("/inbox")
async def show(here: Here) -> Response:
    """Show what the visitor was told; whoever has opened no link learns where notices come from."""
    asked = here.request.query_params
    before = asked.get("before", "")
    found = None
    if inbox.keys_of(here.principal):
        found = await run(
            here.db,
            inbox.read_inbox,
            here.principal,
            here.board,
            here.language,
            unread="unread" in asked,
            before=before if is_uid(before) else None,
        )
    return page(here, "inbox/index.html", inbox=found, unread_only="unread" in asked)


@router.post("/inbox/read")
async def read(here: Here) -> Response:
    """Mark one notice as read, or all; who opened the one goes on to what it is about."""
    form = await here.form()
    one = text_at(form, "id")
    ids = [one] if is_uid(one) else None
    await run(here.db, inbox.mark_read, here.world, here.principal, ids)
    about = own_path(text_at(form, "about"))
    return see("/inbox" if about == FIRST else about)


@router.get("/inbox/settings")
async def settings(here: Here) -> Response:
    """Show by which ways the visitor wants to be told what."""
    return await _settings(here, saved="saved" in here.request.query_params)


@router.post("/inbox/settings")
async def change(here: Here) -> Response:
    """Keep what the visitor wants to be told by which way."""
    wishes = Wishes(muted=muted_in(await here.form(), ways_of(here)))
    await run(here.db, inbox.change_wishes, here.principal, wishes)
    return see("/inbox/settings?saved")


@router.post("/inbox/feed")
async def feed(here: Here) -> Response:
    """Make a new address for the visitor's feed, or let the one that there is go."""
    if text_at(await here.form(), "do") == "revoke":
        await run(here.db, inbox.revoke_feed, here.world, here.principal, here.board)
        return see("/inbox/settings?saved")
    token = await run(here.db, inbox.new_feed, here.world, here.principal, here.board)
    return await _settings(here, address=f"{here.settings.base_url}/feeds/{token}.atom")


@router.post("/inbox/mail")
async def mail(here: Here) -> Response:
    """Let notices go to an address, once it was confirmed; empty takes it away."""
    form = await here.form()
    address = text_at(form, "address")
    settings, language = here.settings, here.language
    try:
        await run(
            here.db, inbox.set_address, here.world, here.principal, settings, address, language
        )
    except (Malformed, Conflict) as error:
        status = 422 if isinstance(error, Malformed) else 409
        troubles = troubles_of(error, here.request)
        return await _settings(here, status, data=form, failing="mail-", troubles=troubles)
    return see("/inbox/settings?saved")


async def _settings(here: Visit, status: int = 200, **context: Any) -> Response:
    wishes = await run(here.db, inbox.read_wishes, here.principal, here.settings)
    return page(
        here,
        "inbox/settings.html",
        status,
        **{
            "wishes": wishes,
            "muted": {(one.channel, one.kind) for one in wishes.muted},
            "kinds": said(here, KINDS),
            "ways": said(here, {way: WAYS[way] for way in ways_of(here)}),
            "saved": False,
            "address": "",
            **context,
        },
    )


def ways_of(here: Visit) -> tuple[Channel, ...]:
    """List the ways by which this service can tell one visitor something."""
    return tuple(way for way in OWN_WAYS if way is not Channel.MAIL or here.settings.smtp_host)


def said(here: Visit, words: Mapping[K, str]) -> dict[K, str]:
    """Say words in the reader's language."""
    return {code: translated(here.language, word) for code, word in words.items()}


def muted_in(form: Nested, ways: tuple[Channel, ...]) -> tuple[Mute, ...]:
    """Read what is not wanted from the boxes that were left without a tick."""
    return tuple(
        Mute(channel=way, kind=kind)
        for way in ways
        for kind in KINDS
        if kind.value not in ticks_at(form, way)
    )


# -------------------------------------------------------------- the links in mails


@router.get("/mail/{token}")
async def look(here: Here) -> Response:
    """Show the button that confirms an address; a preview of the link learns nothing."""
    return page(here, "inbox/mail.html", what="confirm")


@router.post("/mail/{token}")
async def confirm(here: Here, token: str) -> Response:
    """Confirm an address."""
    await run(here.db, inbox.confirm_address, here.world, token)
    return page(here, "inbox/mail.html", what="confirmed")


@router.get("/mail/{token}/stop")
async def look_at_stop(here: Here) -> Response:
    """Show the button that ends the mails; a preview of the link learns nothing."""
    return page(here, "inbox/mail.html", what="stop")


@router.post("/mail/{token}/stop")
async def stop(here: Here, token: str) -> Response:
    """Send no more mails; also what a mail program does with one click (RFC 8058)."""
    await run(here.db, inbox.stop_mails, token)
    return page(here, "inbox/mail.html", what="stopped")
