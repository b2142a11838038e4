"""The board's template of posts, to its owner: written here or taken from the gallery, and seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.posts.bbcode import TAGS, tokenise
from app.posts.dialects import DIALECTS
from app.posts.gallery import designs
from app.posts.slots import SLOTS, takes
from app.posts.template import Template, Written
from app.services.boards import change_board, read_board
from app.services.errors import Malformed, NotFound
from app.services.run import run
from app.services.shapes import BoardChanges
from app.web.forms import Nested, text_at
from app.web.look import look
from app.web.pages import page, see
from app.web.slot_texts import SLOT_TEXTS
from app.web.texts import translated
from app.web.troubles import Troubles, troubles_of
from app.web.visit import Here, Visit

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Shown:
    """A design in the gallery; ``tags`` are those that its forum must take."""

    key: str
    markup: str
    name: str
    about: str
    tags: str


@router.get("/boards/{board_id}/template")
async def show(here: Here) -> Response:
    """Show the template to the owner, or a design of the gallery in its place."""
    board = await run(here.db, read_board, here.board)
    template, chosen = _asked_for(here, board.template)
    data: dict[str, Nested] = {"template": {"markup": template.markup.value, "text": template.text}}
    saved = "saved" in here.request.query_params
    return await _form_page(here, data, saved=saved, chosen=chosen)


def _asked_for(here: Visit, own: Template) -> tuple[Template, str]:
    """Give the design of the gallery that is asked for, with its name, else the board's own."""
    asked = here.request.query_params
    for design in designs():
        if design.key == asked.get("design"):
            markup = Written.HTML if asked.get("markup") == Written.HTML else Written.BBCODE
            return design.templates[markup], design.name[here.language]
    return own, ""


@router.post("/boards/{board_id}/template")
async def change(here: Here) -> Response:
    """Keep a template that serves; an empty one takes the board's own away."""
    form = await here.form()
    try:
        changes = BoardChanges(template=template_in(form))
        await run(here.db, change_board, here.world, here.principal, here.board, changes)
    except Malformed as error:
        return await _form_page(here, form, 422, troubles=troubles_of(error, here.request))
    return see(f"{here.at_board}/template?saved")


@router.get("/boards/{board_id}/template/look")
async def seen_first(here: Here) -> Response:
    """Show the sample turn in the board's template, or in a design of the gallery."""
    if not here.principal.is_owner(here.board):
        raise NotFound
    board = await run(here.db, read_board, here.board)
    template, _ = _asked_for(here, board.template)
    return look(here, template, board.dialect, board.language)


@router.post("/boards/{board_id}/template/look")
async def seen(here: Here) -> Response:
    """Show the sample turn in what is written by now; nothing is kept."""
    if not here.principal.is_any_gm(
        here.board
    ):  # the owner, and Masters for the sheets of characters
        raise NotFound
    board = await run(here.db, read_board, here.board)
    return look(here, template_in(await here.form()), board.dialect, board.language)


def template_in(form: dict[str, Nested]) -> Template:
    """Read a template from a form; raise Malformed for one out of bounds."""
    data = {name: text_at(form, f"template.{name}") for name in ("markup", "text")}
    return decode(Template, {name: text for name, text in data.items() if text}, "template")


async def _form_page(
    here: Visit,
    data: dict[str, Nested],
    status: int = 200,
    *,
    saved: bool = False,
    chosen: str = "",
    troubles: Troubles | None = None,
) -> Response:
    if not here.principal.is_owner(here.board):
        raise NotFound
    board = await run(here.db, read_board, here.board)
    dialect = DIALECTS[board.dialect]
    markups = [one for one in Written if takes(dialect, one)]
    return page(
        here,
        "board/template.html",
        status,
        data=data,
        saved=saved,
        chosen=chosen,
        first="" if troubles else str(here.request.query_params),
        troubles=troubles or Troubles(),
        dialect=board.dialect,
        markups=[one.value for one in markups],
        own=bool(board.template.text),
        bbcode=dialect.markup is not None and dialect.markup.brackets,
        gallery=list(_gallery(here, markups)),
        slots=[(slot, translated(here.language, SLOT_TEXTS[slot])) for slot in SLOTS],
    )


def _gallery(here: Visit, markups: list[Written]) -> Any:
    for design in designs():
        for markup in markups:
            text = design.templates[markup].text
            used = sorted({tag.name for tag in tokenise(text) if tag.name in TAGS})
            yield Shown(
                key=design.key,
                markup=markup.value,
                name=design.name[here.language],
                about=design.about[here.language],
                tags=" ".join(f"[{tag}]" for tag in used) if markup is Written.BBCODE else "",
            )
