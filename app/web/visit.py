"""One visit: who asks for a page, in which language, and with what the application shares."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from fastapi import Depends, Path
from python_multipart.multipart import parse_options_header
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.config import Settings
from app.http.context import shared
from app.http.language import Language, language_of
from app.http.principal import principal_of, visitor_of
from app.http.zone import zone_of
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services.access import Principal
from app.services.errors import Malformed, Mistake, NotFound
from app.services.heading import Heading
from app.services.world import World
from app.web.forms import DEEPEST, TOKEN, Nested, TooDeep, is_token, nest, text_at, whole_of

MOST_FIELDS = 5_000  # a sheet of sixty techniques with all their effects has fewer


@dataclass(frozen=True, slots=True)
class Visit:
    """What every page needs to know about the request it answers."""

    request: Request
    language: Language
    principal: Principal
    settings: Settings
    db: Database
    world: World
    of_board: str = ""
    """The board of what the page is about, where its address does not name one."""
    heading: Heading = field(default_factory=Heading)

    async def form(self) -> dict[str, Nested]:
        """Read the form that was sent as a tree of texts; files are not for us and are left out."""
        async with sent_form(self.request, fields=MOST_FIELDS) as form:
            texts = [(name, text) for name, text in form.multi_items() if isinstance(text, str)]
        try:
            return nest(texts)
        except TooDeep:
            raise Malformed(Mistake("", "too_deep", {"most": DEEPEST})) from None

    @property
    def board(self) -> str:
        """Name the board that the page is about, or the one that its reader has to do with."""
        if self.of_board:
            return self.of_board
        named = self.request.path_params.get("board_id") or self.request.query_params.get("board")
        if named is not None and is_token(named):
            return str(named)
        return next(iter(self.principal.boards()), FIRST_BOARD)

    @property
    def at_board(self) -> str:
        """Spell where the pages of the board are."""
        return f"/boards/{self.board}"

    @property
    def zone(self) -> str:
        """Name the zone in which times are shown."""
        return zone_of(self.request)

    @property
    def partly(self) -> bool:
        """Say whether only a part of the page is wanted, to be put into the one that is shown."""
        return is_partly(self.request)

    def link(self, secret: str) -> str:
        """Spell the address at which a secret is opened."""
        return f"{self.settings.base_url}/k/{secret}"


async def visit(request: Request) -> Visit:
    """Find out who is here; a cookie that opens nothing any more is a stranger's.

    Raises NotFound for the address of a board that no board can have.
    """
    if not is_token(request.path_params.get("board_id", FIRST_BOARD)):
        raise NotFound
    common = shared(request)
    heading = Heading()
    if is_partly(request):
        principal = await principal_of(request)
    else:
        principal, heading = await visitor_of(request)
    return Visit(
        request=request,
        language=language_of(request),
        principal=principal,
        settings=common.settings,
        db=common.database,
        world=common.world,
        heading=heading,
    )


def is_partly(request: Request) -> bool:
    """Say whether only a part of a page is wanted, to be put into the one that is shown."""
    return request.headers.get("hx-request") == "true"


@asynccontextmanager
async def sent_form(request: Request, *, fields: int, files: int = 0) -> AsyncIterator[FormData]:
    """Read the form that was sent.

    Raises Malformed for one in another encoding than that of our pages, with more fields or files
    than any of them sends, or that is broken off.
    """
    _check_charset(request)
    try:
        form = await request.form(max_files=files, max_fields=fields)
    except HTTPException as error:
        facts = {"fields": fields, "files": files}
        raise Malformed(Mistake("", "form_unreadable", facts)) from error
    try:
        yield form
    finally:
        await form.close()


def _check_charset(request: Request) -> None:
    _, options = parse_options_header(request.headers.get("content-type", ""))
    if options.get(b"charset", b"utf-8").lower() not in (b"utf-8", b"utf8"):
        raise Malformed(Mistake("", "charset_unsupported"))


def version_in(form: Nested) -> int:
    """Read which version a form was made for; what is no number fits no version."""
    return whole_of(text_at(form, "version")) or 0


def choice_in(form: Nested, path: str, choices: tuple[str, ...]) -> str:
    """Read which of some buttons or options was chosen; raise Malformed for anything else."""
    text = text_at(form, path)
    if text not in choices:
        raise Malformed(Mistake(path, "unknown_choice", {"choices": choices}))
    return text


def id_in(form: Nested, path: str) -> str:
    """Read an id that a form names; what cannot be one is not found."""
    text = text_at(form, path)
    if not is_token(text):
        raise NotFound
    return text


Here: TypeAlias = Annotated[Visit, Depends(visit)]
# What no object can be called is not found before any database is asked.
Id: TypeAlias = Annotated[str, Path(pattern=f"^{TOKEN}$")]
SeatId: TypeAlias = Annotated[str, Path(max_length=40, pattern=r"^[^\x00-\x1f\x7f-\x9f]+$")]
Number: TypeAlias = Annotated[int, Path(ge=1, le=999_999_999)]
