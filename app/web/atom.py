"""Feeds in Atom: the same notices as in the inbox, for readers that come by themselves."""

from __future__ import annotations

import hashlib
import re
from datetime import datetime
from typing import Annotated, Final
from xml.etree import ElementTree as Xml  # only written here; nothing is parsed

from fastapi import APIRouter, Path
from starlette.responses import Response

from app.services.board_time import read_board_time
from app.services.inbox import Feed, read_feed
from app.services.run import run
from app.services.told import Message, said_at
from app.web.visit import Here, Visit

router = APIRouter()
ATOM: Final = "http://www.w3.org/2005/Atom"
_NO_XML: Final = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TYPE: Final = "application/atom+xml; charset=utf-8"


@router.get("/feeds/{token}.atom")
async def show(
    here: Here, token: Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{16,100}$")]
) -> Response:
    """Answer with a feed, or that it has not changed since the reader has seen it."""
    feed = await run(here.db, read_feed, token, here.language)
    time = await run(here.db, read_board_time, here.principal, feed.board)
    body = written(here, feed, f"/feeds/{token}.atom", time.zone)
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache", "Vary": "Accept-Language"}
    seen = [one.strip().removeprefix("W/") for one in _asked(here)]
    if tag in seen or "*" in seen:
        return Response(status_code=304, headers=headers)
    return Response(body, headers=headers, media_type=TYPE)


def _asked(here: Visit) -> list[str]:
    return here.request.headers.get("if-none-match", "")[:2000].split(",")


def written(here: Visit, feed: Feed, path: str, zone: str) -> bytes:
    """Write a feed; what people typed is text in it, whatever it looks like."""
    base = here.settings.base_url
    root = Xml.Element("feed", {"xmlns": ATOM, "xml:lang": here.language})
    updated = max((one.at for one in feed.notices), default=feed.since)
    _add(root, "id", f"urn:sha256:{feed.id}")
    _add(root, "title", f"{feed.name} · Arbitro" if feed.name else "Arbitro")
    _add(root, "updated", _stamp(updated))
    _add(_add(root, "author"), "name", "Arbitro")
    _add(root, "link", rel="self", type="application/atom+xml", href=base + path)
    _add(root, "link", rel="alternate", type="text/html", href=f"{base}/inbox")
    for notice in feed.notices:
        _entry(root, notice, base, zone)
    text: str = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _entry(root: Xml.Element, notice: Message, base: str, zone: str) -> None:
    entry = _add(root, "entry")
    _add(entry, "id", f"urn:sha256:{notice.uid}")
    _add(entry, "title", notice.title)
    _add(entry, "updated", _stamp(notice.at))
    _add(entry, "published", _stamp(notice.at))
    _add(entry, "category", term=notice.kind.value)
    _add(entry, "link", rel="alternate", type="text/html", href=base + notice.path)
    until = "" if notice.until is None else f" ({said_at(notice.until, zone)})"
    _add(entry, "content", notice.text + until, type="text")


def _add(parent: Xml.Element, name: str, text: str | None = None, **more: str) -> Xml.Element:
    child = Xml.SubElement(parent, name, more)
    # A row of long ago may hold what no reader of feeds gets over.
    child.text = None if text is None else _NO_XML.sub("\ufffd", text)
    return child


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
