"""Packs: the pieces of a book as a JSON document or a table, read with the line of each mistake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from app.persistence.codec import decode, encode, json_schema, read_json
from app.persistence.json_lines import line_of_fault, lines_of
from app.persistence.json_text import MOST_BYTES
from app.services.book_csv import Row, column_of, read_table
from app.services.book_pieces import id_of, id_path
from app.services.book_shapes import LONGEST_PACK, Pack, PackFormat, Piece
from app.services.errors import Malformed, Mistake

JSON: Final = "json"
CSV: Final = "csv"
FORMATS: Final = (JSON, CSV)


@dataclass(frozen=True, slots=True)
class Brought:
    """One piece of a pack: where it stands, itself, and what is wrong with it.

    ``at`` is its path in a document, and nothing in a table; the mistakes have lines already.
    """

    line: int
    at: str
    piece: Piece | None
    mistakes: tuple[Mistake, ...]


def write_pack(pieces: Iterable[Piece]) -> dict[str, Any]:
    """Write pieces as a document."""
    written: dict[str, Any] = encode(Pack(format=PackFormat.FIRST, pieces=tuple(pieces)))
    return written


def pack_schema() -> dict[str, Any]:
    """Describe a document of pieces as JSON Schema."""
    schema = json_schema(Pack)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Pack", **schema}


def format_of(raw: bytes) -> str:
    """Tell a document from a table by how it begins."""
    return JSON if raw.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else CSV


def read_pack(raw: bytes, kind: str) -> tuple[Brought, ...]:
    """Read the pieces of a pack; raise Malformed for one that cannot be read at all."""
    if len(raw) > MOST_BYTES:
        raise Malformed(Mistake("", "too_long", {"most": MOST_BYTES}))
    brought = list(_of_document(raw) if kind == JSON else _of_table(raw))
    return tuple(_alone(brought))


def lined(mistake: Mistake, line: int) -> Mistake:
    """Let a mistake say in which line it is, before its field."""
    return replace(mistake, field=f"lines[{line}].{mistake.field}".rstrip("."))


def _of_document(raw: bytes) -> Iterator[Brought]:
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    try:
        data = read_json(raw)
    except Malformed as error:
        if any(one.code in ("not_json", "too_deep") for one in error.mistakes):
            line = line_of_fault(raw)
            raise Malformed(*(lined(one, line) for one in error.mistakes)) from None
        lines = lines_of(raw.decode("utf-8"))
        raise Malformed(*(_found(one, lines) for one in error.mistakes)) from None
    lines = lines_of(raw.decode("utf-8"))
    yield from _pieces_of(_frame(data, lines), lines)


def _frame(data: object, lines: Mapping[str, int]) -> list[Any]:
    """Check the document around its pieces, and give them as they are."""
    whole = isinstance(data, dict)
    rest = {**data, "pieces": []} if isinstance(data, dict) and "pieces" in data else data
    try:
        decode(Pack, rest)
    except Malformed as error:
        raise Malformed(*(_found(one, lines) for one in error.mistakes)) from None
    pieces = data["pieces"] if whole and isinstance(data, dict) else None
    if not isinstance(pieces, list):
        wrong = Mistake("pieces", "wrong_type", {"expected": "list"})
        raise Malformed(_found(wrong, lines))
    if len(pieces) > LONGEST_PACK:
        raise Malformed(_found(Mistake("pieces", "too_long", {"most": LONGEST_PACK}), lines))
    return pieces


def _pieces_of(pieces: list[Any], lines: Mapping[str, int]) -> Iterator[Brought]:
    for index, data in enumerate(pieces):
        at = f"pieces[{index}]"
        try:
            yield Brought(lines.get(at, 1), at, decode(Piece, data, at), ())
        except Malformed as error:
            told = tuple(_found(one, lines) for one in error.mistakes)
            yield Brought(lines.get(at, 1), at, None, told)


def _found(mistake: Mistake, lines: Mapping[str, int]) -> Mistake:
    """Find the line of the innermost value that a mistake is about."""
    path = mistake.field
    while path and path not in lines:
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return lined(mistake, lines.get(path, 1))


def _of_table(raw: bytes) -> Iterator[Brought]:
    for row in read_table(_text_of(raw)):
        yield _brought(row)


def _text_of(raw: bytes) -> str:
    """Read what spreadsheets write: UTF-8, UTF-16 with its mark, or the old Western code page."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return raw.decode("utf-16", "replace")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace")


def _brought(row: Row) -> Brought:
    piece, wrong = None, list(row.mistakes)
    if row.data is not None:
        try:
            piece = decode(Piece, row.data)
        except Malformed as error:
            wrong += (replace(one, field=column_of(one.field)) for one in error.mistakes)
    told = {(one.field, one.code): lined(one, row.line) for one in wrong}
    return Brought(row.line, "", None if wrong else piece, tuple(told.values()))


def _alone(brought: Iterable[Brought]) -> Iterator[Brought]:
    """Refuse the second of two pieces that have the same id."""
    seen: set[str] = set()
    for one in brought:
        if one.piece is not None and id_of(one.piece) in seen:
            path = id_path(one.piece)
            field = f"{one.at}.{path}" if one.at else column_of(path)
            wrong = (lined(Mistake(field, "duplicate"), one.line),)
            yield replace(one, piece=None, mistakes=wrong)
        else:
            if one.piece is not None:
                seen.add(id_of(one.piece))
            yield one
