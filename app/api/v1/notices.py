"""Notices: what the caller was told, what they want to hear, and the addresses of feeds."""

from __future__ import annotations

from typing import Annotated, Final, TypeAlias

from fastapi import Query
from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, BoardId, Limit
from app.api.parts import part
from app.api.v1.bodies import NewWishes, ReadNotices
from app.api.v1.notice_answers import FeedLink, MarkedRead
from app.persistence.tables import FIRST_BOARD
from app.services import inbox
from app.services.inbox import Inbox, Wishes, WishesRead

router: Final = part("notices")
BeforeNotice: TypeAlias = Annotated[str | None, Query(alias="before", pattern=r"^[0-9a-f]{64}$")]


@router.get("/notices")
@operation(Inbox, refuses=("not_found",))
async def list_notices(
    here: Here, unread: bool = False, before: BeforeNotice = None, limit: Limit = 50
) -> Response:
    """List what the caller was told, newest first."""
    found = await here.run(
        inbox.read_inbox,
        here.principal,
        FIRST_BOARD,
        here.language,
        unread=unread,
        before=before,
        limit=limit,
    )
    return answer(found)


@router.post("/notices/read", dependencies=[KEYED])
@operation(MarkedRead, body=ReadNotices, refuses=("not_found",))
async def mark_notices_read(here: Here) -> Response:
    """Note that the caller has read notices, or all of them."""
    new = await here.read(ReadNotices)
    count = await here.run(inbox.mark_read, here.world, here.principal, new.ids)
    return answer(MarkedRead(marked=count))


@router.get("/notices/settings")
@operation(WishesRead, refuses=("not_found",))
async def read_notice_settings(here: Here) -> Response:
    """Read which notices reach the caller by which ways."""
    return answer(await here.run(inbox.read_wishes, here.principal, here.shared.settings))


@router.put("/notices/settings", dependencies=[KEYED])
@operation(WishesRead, body=NewWishes, refuses=("not_found", "mail_too_soon"))
async def set_notice_settings(here: Here) -> Response:
    """Change which notices reach the caller, and to which address mails go."""
    new = await here.read(NewWishes)
    settings = here.shared.settings
    if new.address is not None:
        await here.run(
            inbox.set_address, here.world, here.principal, settings, new.address, here.language
        )
    await here.run(inbox.change_wishes, here.principal, Wishes(muted=new.muted))
    return answer(await here.run(inbox.read_wishes, here.principal, settings))


@router.post("/notices/feed", status_code=201, dependencies=[KEYED])
@operation(FeedLink, status=201, refuses=("not_found",))
async def make_feed(here: Here) -> Response:
    """Make a new address for the caller's feed."""
    token = await here.run(inbox.new_feed, here.world, here.principal, FIRST_BOARD)
    return answer(_feed_link(here, token), 201)


@router.delete("/notices/feed", status_code=204, dependencies=[KEYED])
@operation(None, status=204, refuses=("not_found",))
async def revoke_feed(here: Here) -> Response:
    """Let the address of the caller's feed lead nowhere any more."""
    await here.run(inbox.revoke_feed, here.world, here.principal, FIRST_BOARD)
    return Response(status_code=204)


@router.post("/boards/{board_id}/feed", status_code=201, dependencies=[KEYED])
@operation(FeedLink, status=201, refuses=("not_found",))
async def make_board_feed(here: Here, board_id: BoardId) -> Response:
    """Make a new address for the board's feed, as its owner."""
    token = await here.run(inbox.new_board_feed, here.world, here.principal, board_id)
    return answer(_feed_link(here, token), 201)


@router.delete("/boards/{board_id}/feed", status_code=204, dependencies=[KEYED])
@operation(None, status=204, refuses=("not_found",))
async def revoke_board_feed(here: Here, board_id: BoardId) -> Response:
    """Let the address of the board's feed lead nowhere any more, as its owner."""
    await here.run(inbox.revoke_board_feed, here.world, here.principal, board_id)
    return Response(status_code=204)


def _feed_link(here: Here, token: str) -> FeedLink:
    return FeedLink(address=f"{here.shared.settings.base_url}/feeds/{token}.atom")
