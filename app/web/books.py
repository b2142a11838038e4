"""The pages of a board's book: a list, each piece with its versions, and the form of proposals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.services import book_reading, books
from app.services.boards import read_board
from app.services.book_access import check_of_board, decides, is_of_board, rules
from app.services.book_pieces import fields_told
from app.services.book_shapes import (
    PieceKind,
    PieceRead,
    PieceState,
    SheetPiece,
    VersionState,
)
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Stale
from app.services.lookup import LONGEST_QUERY
from app.services.run import run
from app.services.sheets import read_sheet
from app.web.book_form import (
    KINDS,
    family_in,
    field_of_form,
    first_texts,
    piece_in,
    texts_of,
    told_field,
    told_value,
    told_who,
)
from app.web.forms import TICKED, Nested, at, is_token, text_at, ticks_at, whole_of
from app.web.pages import page, see
from app.web.picking import VERBS, pick, picker
from app.web.rows import change_rows
from app.web.sheet_form import CHOICES, ROWS, effect_groups, effect_kinds
from app.web.texts import translated
from app.web.troubles import Troubles, renew_key, troubles_of
from app.web.visit import Here, Id, Visit, version_in

router = APIRouter()
BASE: Final = "/boards/{board_id}/books"
A_PAGE: Final = 50
REFUSALS = (Malformed, Conflict, KeyReused, Stale)
STATUS = {Malformed: 422, Conflict: 409, KeyReused: 422, Stale: 412}
DECISIONS: Final[dict[str, Callable[..., PieceRead]]] = {
    "approve": books.approve_piece,
    "return": books.return_piece,
    "retire": books.retire_piece,
}


def book_at(here: Visit) -> str:
    """Spell where the book of the visit's board is."""
    return f"{here.at_board}/books"


@router.get(BASE)
async def index(here: Here) -> Response:
    """List the book, or what a search finds in it."""
    return await _index(here)


@router.post(f"{BASE}/settings")
async def settle(here: Here) -> Response:
    """Change what the board's scenes take."""
    wanted = text_at(await here.form(), "takes")
    await run(here.db, books.change_book, here.principal, here.board, wanted)
    return see(f"{book_at(here)}?saved#settings")


@router.get(f"{BASE}/trail")
async def trail(here: Here) -> Response:
    """Show who did what with the book."""
    before = here.request.query_params.get("before", "")
    last = whole_of(before)
    found = await run(
        here.db, book_reading.read_trail, here.principal, here.board, before=last, limit=A_PAGE
    )
    more = found[-1].number if len(found) == A_PAGE else 0
    return book_page(here, "books/trail.html", trail=found, more=more)


@router.get(f"{BASE}/new")
async def new(here: Here) -> Response:
    """Show an empty proposal; of a stored sheet, what it says."""
    check_of_board(here.principal, here.board)
    asked = here.request.query_params
    family = family_in(asked.get("kind", ""))
    data: dict[str, Nested] = first_texts(family)
    stored = asked.get("sheet", "")
    if family == SheetPiece.kind and is_token(stored):
        kept = await run(here.db, read_sheet, here.principal, stored)
        data = texts_of(SheetPiece(id="sheet", data=kept.sheet, sources=kept.sources))
    return await _form(here, {**data, "key": here.world.token()}, family)


@router.post(f"{BASE}/new")
async def propose(here: Here) -> Response:
    """Propose a new piece, or change a row of the form."""
    check_of_board(here.principal, here.board)
    data = await here.form()
    family = family_in(here.request.query_params.get("kind", ""))
    return await _sent(here, data, family, None)


@router.get(f"{BASE}/pieces/{{piece_id}}")
async def show(here: Here, piece_id: Id) -> Response:
    """Show a piece with its versions."""
    return await _piece(here, piece_id)


@router.get(f"{BASE}/pieces/{{piece_id}}/edit")
async def edit(here: Here, piece_id: Id) -> Response:
    """Show the form by which another version is proposed."""
    found = await run(here.db, book_reading.read_piece, here.principal, here.board, piece_id)
    newest = next((one.piece for one in reversed(found.versions) if one.piece is not None), None)
    if newest is None:
        raise NotFound
    data = {**texts_of(newest), "version": str(found.version)}
    return await _form(here, data, family_in(found.kind), found)


@router.post(f"{BASE}/pieces/{{piece_id}}/edit")
async def propose_version(here: Here, piece_id: Id) -> Response:
    """Propose another version, or change a row of the form."""
    data = await here.form()
    found = await run(here.db, book_reading.read_piece, here.principal, here.board, piece_id)
    return await _sent(here, data, family_in(found.kind), found)


@router.post(f"{BASE}/pieces/{{piece_id}}/{{what}}")
async def decide(here: Here, piece_id: Id, what: str) -> Response:
    """Approve or return a proposal, or retire what is in use."""
    if what not in DECISIONS:
        raise NotFound
    data = await here.form()
    how: dict[str, Any] = {"reason": text_at(data, "reason")}
    if what == "return":
        how["marks"] = ticks_at(data, "marks")
    try:
        await run(
            here.db,
            DECISIONS[what],
            here.world,
            here.principal,
            here.board,
            piece_id,
            version_in(data),
            **how,
        )
    except REFUSALS as error:
        troubles = troubles_of(error, here.request)
        status = STATUS[type(error)]
        return await _piece(
            here, piece_id, status, data=data, failing=f"{what}-", troubles=troubles
        )
    return see(f"{book_at(here)}/pieces/{piece_id}")


# ---------------------------------------------------------------------------------------- pages


def book_page(here: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """Answer with a page of the book, with the words in which it tells pieces."""
    language = here.language
    told = {
        "base": book_at(here),
        "may_decide": decides(here.principal, here.board),
        "may_rule": rules(here.principal, here.board),
        "kinds": {kind: translated(language, text) for kind, text in KINDS.items()},
        "told_field": partial(told_field, language),
        "told_value": partial(told_value, language),
        "told_who": partial(told_who, language),
    }
    return page(here, template, status, **told, **context)


async def _index(here: Visit) -> Response:
    if not is_of_board(here.principal, here.board):
        await run(here.db, read_board, here.board)  # of a board that there is not, nothing is told
        return book_page(here, "books/index.html", book=None)
    asked = here.request.query_params
    kind, state = asked.get("kind", ""), asked.get("state", "")
    query, after = asked.get("q", "").strip()[:LONGEST_QUERY], asked.get("after", "")
    found = await run(
        here.db,
        book_reading.list_pieces,
        here.principal,
        here.board,
        query=query,
        kind=PieceKind(kind) if kind in set(PieceKind) else None,
        state=PieceState(state) if state in set(PieceState) else None,
        waiting=state == "waiting",
        after=after if is_token(after) else None,
        limit=A_PAGE,
    )
    return book_page(
        here,
        "books/index.html",
        book=await run(here.db, book_reading.read_book, here.principal, here.board),
        pieces=found,
        asked={"q": query, "kind": kind, "state": state},
        more=found[-1].id if len(found) == A_PAGE else "",
        saved="saved" in asked,
    )


async def _piece(here: Visit, piece_id: str, status: int = 200, **context: Any) -> Response:
    found = await run(here.db, book_reading.read_piece, here.principal, here.board, piece_id)
    last = found.versions[-1]
    waiting = next((one for one in found.versions if one.state is VersionState.PROPOSED), None)
    shown_one = waiting or next(
        (one for one in found.versions if one.number == found.approved), last
    )
    returned = next((one for one in found.trail if one.version == last.number), None)
    return book_page(
        here,
        "books/show.html",
        status,
        piece=found,
        shown=shown_one,
        waiting=waiting,
        fields=() if shown_one.piece is None else fields_told(shown_one.piece),
        changed={one.field for one in shown_one.changes},
        returned=returned if last.state is VersionState.RETURNED else None,
        may_propose=last.piece is not None
        and (waiting is None or waiting.mine or decides(here.principal, here.board)),
        **context,
    )


async def _sent(
    here: Visit, data: dict[str, Nested], family: str, old: PieceRead | None
) -> Response:
    """Do what the pressed button says, and show the form again where anything is to mend."""
    what = text_at(data, "do", "save")
    tree = at(data, "data")
    if what.partition(":")[0] in VERBS and isinstance(tree, dict):
        fresh = await pick(here, tree, what, "data.")
        return await _form(here, data, family, old, fresh=fresh, what=what)
    if what != "save":
        return await _form(here, data, family, old, fresh=change_rows(data, what, ROWS))
    how: dict[str, Any] = {
        "note": text_at(data, "note"),
        "approve": text_at(data, "approve") == TICKED,
    }
    common = (here.db, here.world, here.principal, here.board)
    try:
        if old is None:
            piece, key = piece_in(data, family), text_at(data, "key")
            found = await run(common[0], books.propose_piece, *common[1:], piece, key, **how)
        else:
            piece = piece_in(data, family, old.id)
            found = await run(
                common[0],
                books.propose_version,
                *common[1:],
                old.id,
                piece,
                version_in(data),
                **how,
            )
    except REFUSALS as error:
        if isinstance(error, Stale):
            data["version"] = str(error.version)
        renew_key(data, error, here.world)
        troubles = troubles_of(error, here.request, field_of_form)
        return await _form(here, data, family, old, STATUS[type(error)], troubles=troubles)
    return see(f"{book_at(here)}/pieces/{found.id}")


async def _form(
    here: Visit,
    data: dict[str, Nested],
    family: str,
    old: PieceRead | None = None,
    status: int = 200,
    *,
    fresh: str = "",
    what: str = "",
    troubles: Troubles | None = None,
) -> Response:
    tree = at(data, "data") or {}
    returned = old.trail[0] if old is not None and old.trail[0].act == "returned" else None
    return book_page(
        here,
        "books/_form.html" if here.partly else "books/edit.html",
        status,
        address=f"{book_at(here)}/new?kind={family}"
        if old is None
        else f"{book_at(here)}/pieces/{old.id}/edit",
        data=data,
        family=family,
        old=old,
        returned=returned,
        fresh=fresh,
        troubles=troubles or Troubles(),
        choices=CHOICES,
        effect_kinds=effect_kinds(here.language),
        effect_groups=effect_groups(here.language),
        **await picker(here, tree, what, "data.", shut=family != SheetPiece.kind),
    )
