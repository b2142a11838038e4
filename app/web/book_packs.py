"""Packs of a book on pages: looked at before anything is kept, brought in, and taken along."""

from __future__ import annotations

import json
from typing import Any, Final

from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.responses import Response

from app.persistence.codec_types import Choice, Flag, Many, Maybe, Node, Number, Whole
from app.persistence.json_text import MOST_BYTES
from app.services import book_import
from app.services.book_access import check_decides, check_of_board
from app.services.book_csv import COLUMNS, EFFECTS, FIELDS
from app.services.book_packs import CSV, JSON, format_of, pack_schema
from app.services.book_shapes import PackResult
from app.services.errors import KeyReused, Malformed, Mistake
from app.services.run import run
from app.web.books import BASE, book_page
from app.web.forms import TICKED, text_at
from app.web.troubles import Trouble, renew_key, troubles_of
from app.web.visit import Here, Visit, sent_form

router = APIRouter()
FILES: Final = {JSON: "arbitro-book.json", CSV: "arbitro-book.csv"}


@router.get(f"{BASE}/export.json")
async def export_document(here: Here) -> Response:
    """Take the book along as a document; Masters may add the sheets."""
    sheets = "sheets" in here.request.query_params
    whole = await run(here.db, book_import.export_pack, here.principal, here.board, sheets=sheets)
    return _file(book_import.pack_text(whole), JSON)


@router.get(f"{BASE}/export.csv")
async def export_table(here: Here) -> Response:
    """Take the book along as a table."""
    text = await run(here.db, book_import.export_table, here.principal, here.board, here.language)
    return _file(f"\ufeff{text}", CSV)  # without its mark a spreadsheet spoils every accent


@router.get(f"{BASE}/schema.json")
async def schema(here: Here) -> Response:
    """Give the JSON Schema of documents."""
    check_of_board(here.principal, here.board)
    text = json.dumps(pack_schema(), ensure_ascii=False, indent=1)
    return Response(text, media_type="application/schema+json")


@router.get(f"{BASE}/format")
async def explain(here: Here) -> Response:
    """Explain the table column by column."""
    check_of_board(here.principal, here.board)
    own = {kind: tuple(nodes) for kind, nodes in FIELDS.items()}
    nodes = {name: node for one in FIELDS.values() for name, node in one.items()}
    columns = [
        (name, _shape(nodes.get(name)), [kind for kind, names in own.items() if name in names])
        for name in COLUMNS
    ]
    effects = {
        kind: [(name, _shape(node)) for name, node in fields.items()]
        for kind, fields in EFFECTS.items()
    }
    return book_page(here, "books/format.html", columns=columns, effects=effects)


@router.get(f"{BASE}/import")
async def ask(here: Here) -> Response:
    """Ask for a pack."""
    check_decides(here.principal, here.board)
    return _page(here, data={"key": here.world.token(), "approve": TICKED})


@router.post(f"{BASE}/import")
async def bring(here: Here) -> Response:
    """Show what a pack would do, or bring it in."""
    check_decides(here.principal, here.board)
    async with sent_form(here.request, fields=12, files=1) as form:
        pack = await _pack_in(form)
        data: dict[str, Any] = {"key": ""} | {
            name: value
            for name, value in form.multi_items()
            if isinstance(value, str) and name in ("key", "approve", "skip", "do")
        }
    kind = format_of(pack)
    data["text"] = pack.decode("utf-8", "replace").replace("\r\n", "\n")
    common = (here.db, here.world, here.principal, here.board, pack, kind)
    try:
        if not pack.strip():
            raise Malformed(Mistake("text", "too_short", {"least": 1}))
        if data.get("do") == "keep":
            done = await run(
                common[0],
                book_import.import_pack,
                *common[1:],
                text_at(data, "key"),
                approve=data.get("approve") == TICKED,
                skip=data.get("skip") == TICKED,
            )
            return _page(here, done=done, data={"key": here.world.token(), "approve": TICKED})
        found, mistakes = await run(common[0], book_import.try_pack, *common[1:])
    except (Malformed, KeyReused) as error:
        renew_key(data, error, here.world)
        return _page(here, 422, data=data, troubles=_rows(here, error))
    wrong = _rows(here, Malformed(*mistakes)) if mistakes else []
    return _page(here, data=data, tried=found, troubles=wrong)


async def _pack_in(form: FormData) -> bytes:
    """Take the file that was chosen, else the text that was pasted."""
    file = form.get("file")
    if isinstance(file, UploadFile) and file.filename:
        return await file.read(MOST_BYTES + 1)
    text = form.get("text")
    return text.replace("\r\n", "\n").encode() if isinstance(text, str) else b""


def _rows(here: Visit, error: Malformed | KeyReused) -> list[tuple[str, Trouble]]:
    """Tell each mistake with the line that it is in."""
    told = []
    for one in troubles_of(error, here.request, lambda field: field):
        lines, _, rest = one.field.partition(".")
        line, _, field = rest.partition(".")
        is_lined = lines == "lines"
        told.append((line if is_lined else "", Trouble(field if is_lined else "", one.text)))
    return told


def _page(
    here: Visit,
    status: int = 200,
    *,
    data: dict[str, Any],
    tried: PackResult | None = None,
    done: PackResult | None = None,
    troubles: list[tuple[str, Trouble]] | None = None,
) -> Response:
    return book_page(
        here,
        "books/import.html",
        status,
        data=data,
        tried=tried,
        done=done,
        wrong=troubles or [],
    )


def _file(text: str, kind: str) -> Response:
    head = {"Content-Disposition": f'attachment; filename="{FILES[kind]}"'}
    return Response(text, headers=head, media_type=book_import.content_type(kind))


def _shape(node: Node | None) -> tuple[str, tuple[str, ...]]:
    """Tell how a cell is filled in, and with which words."""
    inner = node.inner if isinstance(node, Maybe) else node
    if isinstance(inner, Many) and isinstance(inner.item, Choice):
        return "several", tuple(inner.item.words)
    if isinstance(inner, Choice):
        return "choice", tuple(inner.words)
    if isinstance(inner, Flag):
        return "tick", ()
    return ("number" if isinstance(inner, Whole | Number) else "text"), ()
