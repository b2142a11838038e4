"""The pages of the sheets: a list, and an editor that also works without scripts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode, encode
from app.rulesets.guida.sheet import Sheet
from app.services.boards import read_board
from app.services.book_shapes import Sources
from app.services.errors import KeyReused, Malformed, NotFound, Refused, Stale
from app.services.run import run
from app.services.sheets import add_sheet, list_sheets, read_sheet, save_sheet
from app.web.book_form import note_sources, sources_in
from app.web.forms import TICKED, Nested, lift, shown, text_at
from app.web.pages import page, see
from app.web.picking import VERBS, pick, picker
from app.web.rows import blank, change_rows
from app.web.sheet_form import CHOICES, ROWS, effect_groups, effect_kinds
from app.web.template import template_in
from app.web.troubles import Troubles, renew_key, troubles_of
from app.web.visit import Here, Id, Visit, version_in

router = APIRouter()
NOT_OF_THE_SHEET = ("do", "version", "key", "reason", "model", "template")


@router.get("/boards/{board_id}/sheets")
async def index(here: Here) -> Response:
    """List the stored sheets to those who keep them."""
    keeps = here.principal.is_any_gm(here.board)
    await run(here.db, read_board, here.board)  # of a board that there is not, nothing is told
    sheets = await run(here.db, list_sheets, here.principal, here.board) if keeps else ()
    return page(here, "sheets/index.html", sheets=sheets, may_write=keeps)


@router.get("/boards/{board_id}/sheets/new")
async def new(here: Here) -> Response:
    """Show an empty sheet."""
    if not here.principal.is_any_gm(here.board):
        raise NotFound
    data = blank(Sheet, key=here.world.token())
    return await stored_editor(here, f"{here.at_board}/sheets/new", data)


@router.post("/boards/{board_id}/sheets/new")
async def add(here: Here) -> Response:
    """Store a new sheet, or add a row to the form."""
    return await _edited(here, f"{here.at_board}/sheets/new", None)


@router.get("/sheets/{sheet_id}")
async def edit(here: Here, sheet_id: Id) -> Response:
    """Show a stored sheet."""
    found = await run(here.db, read_sheet, here.principal, sheet_id)
    here = replace(here, of_board=found.board)
    texts = shown(encode(found.sheet))
    data: dict[str, Nested] = texts if isinstance(texts, dict) else {}
    data["version"] = str(found.version)
    data["model"] = TICKED if found.model else ""
    note_sources(data, ((one.place, one.piece, one.version) for one in found.sources))
    data["template"] = {"markup": found.template.markup.value, "text": found.template.text}
    saved = "saved" in here.request.query_params
    return await stored_editor(here, f"/sheets/{sheet_id}", data, saved=saved)


@router.post("/sheets/{sheet_id}")
async def save(here: Here, sheet_id: Id) -> Response:
    """Replace a stored sheet, or add a row to the form."""
    found = await run(here.db, read_sheet, here.principal, sheet_id)
    here = replace(here, of_board=found.board)
    return await _edited(here, f"/sheets/{sheet_id}", sheet_id)


async def _edited(here: Visit, address: str, sheet_id: str | None) -> Response:
    """Do what the pressed button says, and show the form again where anything is to mend."""
    data = await here.form()
    what = text_at(data, "do", "save")
    if what.partition(":")[0] in VERBS:
        fresh = await pick(here, data, what)
        return await stored_editor(here, address, data, fresh=fresh, what=what)
    if what != "save":
        return await stored_editor(here, address, data, fresh=change_rows(data, what, ROWS))
    sheet = lift(Sheet, sheet_in(data))
    model = text_at(data, "model") == TICKED
    try:
        template = template_in(data)
        sources = decode(Sources, sources_in(data), "sources")
        if sheet_id is None:
            key = text_at(data, "key")
            found = await run(
                here.db,
                add_sheet,
                here.world,
                here.principal,
                here.board,
                sheet,
                key,
                model=model,
                template=template if template.text.strip() else None,
                sources=sources,
            )
        else:
            found = await run(
                here.db,
                save_sheet,
                here.world,
                here.principal,
                sheet_id,
                sheet,
                version_in(data),
                model=model,
                template=template,
                sources=sources,
            )
    except (Malformed, Refused, KeyReused) as error:
        renew_key(data, error, here.world)
        troubles = troubles_of(error, here.request)
        return await stored_editor(here, address, data, 422, troubles=troubles)
    except Stale as error:
        data["version"] = str(error.version)
        troubles = troubles_of(error, here.request)
        return await stored_editor(here, address, data, 412, troubles=troubles)
    return see(f"/sheets/{found.id}?saved")


def sheet_in(data: dict[str, Nested]) -> dict[str, Nested]:
    """Pick what is of the sheet itself out of a form."""
    return {name: part for name, part in data.items() if name not in NOT_OF_THE_SHEET}


async def stored_editor(
    here: Visit,
    address: str,
    data: dict[str, Nested],
    status: int = 200,
    *,
    what: str = "",
    **more: Any,
) -> Response:
    """Show the editor of a stored sheet, which may take pieces from the board's book."""
    return editor(here, address, data, status, book=await picker(here, data, what), **more)


def editor(
    here: Visit,
    address: str,
    data: dict[str, Nested],
    status: int = 200,
    *,
    fresh: str = "",
    saved: bool = False,
    troubles: Troubles | None = None,
    back: str = "",
    book: dict[str, Any] | None = None,
) -> Response:
    """Show the editor: the whole page, or to htmx the form alone."""
    context: dict[str, Any] = {
        "address": address,
        "data": data,
        "fresh": fresh,
        "saved": saved,
        "back": back or f"{here.at_board}/sheets",
        "in_scene": bool(back),
        "troubles": troubles or Troubles(),
        "choices": CHOICES,
        "effect_kinds": effect_kinds(here.language),
        "effect_groups": effect_groups(here.language),
        **(book or {}),
    }
    return page(here, "sheets/_form.html" if here.partly else "sheets/edit.html", status, **context)
