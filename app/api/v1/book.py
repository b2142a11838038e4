"""The board's book: pieces of sheets, proposed and approved in versions, brought in and out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from starlette.responses import Response

from app.api.call import CHECKED, Call, Here, answer, tag
from app.api.operations import operation
from app.api.parameters import (
    KEYED,
    AfterId,
    BeforeNumber,
    BoardId,
    Format,
    Key,
    Limit,
    PieceId,
    PieceKindQuery,
    PieceStateQuery,
    Version,
    Words,
)
from app.api.parts import part
from app.api.v1.bodies import PublicReason
from app.api.v1.book_bodies import (
    BookSchema,
    BookSettings,
    BookTrail,
    NewPiece,
    NewVersion,
    OptionalReason,
    PackSent,
    PackTold,
    PieceList,
    ReturnedPiece,
)
from app.api.v1.telling import mistakes_told
from app.services import book_import, book_reading, books
from app.services.book_packs import CSV, pack_schema
from app.services.book_shapes import BookRead, Pack, PieceKind, PieceRead, PieceState

router: Final = part("book")
NOT_OF_BOARD: Final = ("not_found",)
SOME_CSV: Final = "id,kind,name,attacks\r\nlama,weapon,Lama,x\r\n"


@router.get("/boards/{board_id}/book")
@operation(BookRead, refuses=NOT_OF_BOARD)
async def read_book(here: Here, board_id: BoardId) -> Response:
    """Read what the board asks of its book."""
    return answer(await here.run(book_reading.read_book, here.principal, board_id))


@router.put("/boards/{board_id}/book", dependencies=[KEYED])
@operation(BookRead, body=BookSettings, refuses=NOT_OF_BOARD)
async def change_book(here: Here, board_id: BoardId) -> Response:
    """Decide what the board's scenes take."""
    wanted = await here.read(BookSettings)
    return answer(await here.run(books.change_book, here.principal, board_id, wanted.takes))


@router.get("/boards/{board_id}/book/pieces")
@operation(PieceList, refuses=NOT_OF_BOARD)
async def list_pieces(
    here: Here,
    board_id: BoardId,
    q: Words = "",
    kind: PieceKindQuery = None,
    state: PieceStateQuery = None,
    waiting: bool = False,
    after: AfterId = None,
    limit: Limit = book_reading.MOST_LISTED,
) -> Response:
    """List and search the pieces of the book."""
    found = await here.run(
        book_reading.list_pieces,
        here.principal,
        board_id,
        query=q,
        kind=None if kind is None else PieceKind(kind),
        state=None if state is None else PieceState(state),
        waiting=waiting,
        after=after,
        limit=limit,
    )
    return answer(PieceList(pieces=found))


@router.post("/boards/{board_id}/book/pieces", status_code=201)
@operation(
    PieceRead, body=NewPiece, status=201, refuses=("not_found", "key_reused", "proposals_waiting")
)
async def propose_piece(here: Here, board_id: BoardId, key: Key) -> Response:
    """Propose a new piece."""
    new = await here.read(NewPiece)
    piece = await here.run(
        books.propose_piece,
        here.world,
        here.principal,
        board_id,
        new.piece,
        key,
        note=new.note,
        approve=new.approve,
    )
    where = {"Location": f"/api/v1/book/pieces/{piece.id}"}
    return answer(piece, 201, {**tag(piece.version), **where})


@router.get("/boards/{board_id}/book/pieces/{piece_id}")
@operation(PieceRead)
async def read_piece(here: Here, board_id: BoardId, piece_id: PieceId) -> Response:
    """Read a piece with all its versions."""
    return _told(await here.run(book_reading.read_piece, here.principal, board_id, piece_id))


@router.post(
    "/boards/{board_id}/book/pieces/{piece_id}/versions", status_code=201, dependencies=[KEYED]
)
@operation(
    PieceRead,
    body=NewVersion,
    status=201,
    refuses=("piece_unchanged", "proposal_open", "proposals_waiting"),
)
async def propose_version(
    here: Here, board_id: BoardId, piece_id: PieceId, version: Version
) -> Response:
    """Propose another version of a piece."""
    new = await here.read(NewVersion)
    piece = await _changed(
        here,
        board_id,
        books.propose_version,
        piece_id,
        new.piece,
        version,
        note=new.note,
        approve=new.approve,
    )
    return answer(piece, 201, tag(piece.version))


@router.post("/boards/{board_id}/book/pieces/{piece_id}/approve", dependencies=[KEYED])
@operation(PieceRead, body=OptionalReason, refuses=("nothing_proposed",))
async def approve_piece(
    here: Here, board_id: BoardId, piece_id: PieceId, version: Version
) -> Response:
    """Let the open proposal be the version in use."""
    why = await here.read(OptionalReason)
    return _told(
        await _changed(here, board_id, books.approve_piece, piece_id, version, reason=why.reason)
    )


@router.post("/boards/{board_id}/book/pieces/{piece_id}/return", dependencies=[KEYED])
@operation(PieceRead, body=ReturnedPiece, refuses=("nothing_proposed",))
async def return_piece(
    here: Here, board_id: BoardId, piece_id: PieceId, version: Version
) -> Response:
    """Send the open proposal back, with a reason and marks on fields."""
    why = await here.read(ReturnedPiece)
    return _told(
        await _changed(
            here,
            board_id,
            books.return_piece,
            piece_id,
            version,
            reason=why.reason,
            marks=why.marks,
        )
    )


@router.post("/boards/{board_id}/book/pieces/{piece_id}/retire", dependencies=[KEYED])
@operation(PieceRead, body=PublicReason, refuses=("piece_not_in_use",))
async def retire_piece(
    here: Here, board_id: BoardId, piece_id: PieceId, version: Version
) -> Response:
    """Let a piece be used no more."""
    why = await here.read(PublicReason)
    return _told(
        await _changed(here, board_id, books.retire_piece, piece_id, version, reason=why.reason)
    )


@router.get("/boards/{board_id}/book/trail")
@operation(BookTrail, refuses=NOT_OF_BOARD)
async def read_book_trail(
    here: Here,
    board_id: BoardId,
    before: BeforeNumber = None,
    limit: Limit = book_reading.MOST_LISTED,
) -> Response:
    """Read who did what with the book, the newest first."""
    trail = await here.run(
        book_reading.read_trail, here.principal, board_id, before=before, limit=limit
    )
    return answer(BookTrail(trail=trail))


@router.get("/book/schema", dependencies=[CHECKED])
@operation(BookSchema)
async def read_book_schema() -> Response:
    """Read the JSON Schema of packs."""
    return answer(BookSchema(schema=pack_schema()))


@router.get("/boards/{board_id}/book/export")
@operation(Pack, refuses=NOT_OF_BOARD, besides=(("text/csv", SOME_CSV),))
async def export_book(
    here: Here, board_id: BoardId, kind: Format = "json", sheets: bool = False
) -> Response:
    """Take the pieces in use along, as a document or as a table."""
    if kind == CSV:
        text = await here.run(book_import.export_table, here.principal, board_id, here.language)
        return Response(text, media_type=book_import.content_type(CSV))
    return answer(await here.run(book_import.export_pack, here.principal, board_id, sheets=sheets))


@router.post("/boards/{board_id}/book/import")
@operation(PackTold, body=PackSent, refuses=("not_found", "key_reused"))
async def import_book(here: Here, board_id: BoardId, key: Key) -> Response:
    """Bring a pack in, or look what it would do."""
    sent = await here.read(PackSent)
    pack = sent.text.encode()
    if sent.dry_run:
        found, mistakes = await here.run(
            book_import.try_pack, here.world, here.principal, board_id, pack, sent.format.value
        )
        told = mistakes_told(mistakes, here.language)
        return answer(PackTold(kept=False, lines=found.lines, mistakes=told))
    found = await here.run(
        book_import.import_pack,
        here.world,
        here.principal,
        board_id,
        pack,
        sent.format.value,
        key,
        approve=sent.approve,
        skip=sent.skip,
    )
    return answer(PackTold(kept=True, lines=found.lines, mistakes=(), replayed=found.replayed))


async def _changed(
    here: Call, board_id: str, use_case: Callable[..., PieceRead], *args: Any, **more: Any
) -> PieceRead:
    return await here.run(use_case, here.world, here.principal, board_id, *args, **more)


def _told(piece: PieceRead) -> Response:
    return answer(piece, headers=tag(piece.version))
