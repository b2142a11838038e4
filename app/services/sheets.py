"""Stored sheets: kept by the owner and the Masters, copied into scenes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from app.persistence import queries_access as queries
from app.persistence.codec import checked, decode, load, store
from app.persistence.database import Database
from app.persistence.queries_access import BoardNow, SheetNow
from app.posts.template import Template
from app.services import templates
from app.services.access import Principal
from app.services.answers import call, remember, remembered
from app.services.book_copies import keep_sources, sources_of
from app.services.book_shapes import SourceOfPart
from app.services.errors import Malformed, Mistake, NotFound, Stale
from app.services.games import known_game, sheet_type
from app.services.shapes import (
    SheetLine,
    SheetRead,
)
from app.services.world import World


def list_sheets(db: Database, principal: Principal, board: str) -> tuple[SheetLine, ...]:
    """List the stored sheets by name."""
    _check_keeper(principal, board)
    with db.read() as connection:
        rows = queries.sheets(connection, board)
    return tuple(
        SheetLine(
            id=row.id,
            ruleset=row.ruleset,
            name=row.name,
            model=row.model,
            version=row.version,
            updated_at=row.updated_at,
        )
        for row in rows
    )


def read_sheet(db: Database, principal: Principal, sheet_id: str) -> SheetRead:
    """Read one stored sheet."""
    with db.read() as connection:
        return _read(connection, _kept(connection, principal, sheet_id))


def add_sheet(
    db: Database,
    world: World,
    principal: Principal,
    board_id: str,
    sheet: object,
    key: str,
    ruleset: str = "guida",
    *,
    model: bool = False,
    template: Template | None = None,
    sources: tuple[SourceOfPart, ...] = (),
) -> SheetRead:
    """Store a new sheet; the same key gives the same sheet again, as it is by then.

    A ``model`` goes to the stable, to copy several combatants from. With a ``template`` of its own
    the character posts in that one. ``sources`` say which parts are copies of the board's book.
    """
    _check_keeper(principal, board_id)
    value = _decoded(ruleset, sheet)
    own = (template,) if template is not None else ()
    copies = (sources,) if sources else ()
    whose = principal.callers(board_id)
    this = call(whose, key, "add_sheet", board_id, ruleset, value, model, *own, *copies)
    with db.write() as connection:
        board = queries.board_now(connection, board_id, lock=True)
        done = remembered(connection, this)
        if done is not None:
            return replace(
                _read(connection, queries.sheet_now(connection, load(str, done))), replayed=True
            )
        now = world.now()
        sheet_id = world.scene_id()
        queries.add_sheet(
            connection,
            id=sheet_id,
            board=board_id,
            ruleset=ruleset,
            name=value.name,
            data=store(value),
            model=model,
            template=_tried(template, board),
            version=1,
            updated_at=now,
        )
        keep_sources(connection, board_id, sheet_id, value, sources)
        remember(connection, this, sheet_id, now)
        return _read(connection, queries.sheet_now(connection, sheet_id))


def save_sheet(
    db: Database,
    world: World,
    principal: Principal,
    sheet_id: str,
    sheet: object,
    version: int,
    *,
    model: bool | None = None,
    template: Template | None = None,
    sources: tuple[SourceOfPart, ...] | None = None,
) -> SheetRead:
    """Replace a stored sheet, if nobody else has changed it since ``version``.

    Without ``model`` it stays what it is, and without ``template`` it keeps its own; what was
    copied from it is not touched. Without ``sources`` it keeps those of the parts it still has.
    """
    with db.write() as connection:
        board_id = _kept(connection, principal, sheet_id).board
        board = queries.board_now(connection, board_id, lock=True)
        old = _kept(connection, principal, sheet_id)
        value = _decoded(old.ruleset, sheet)
        if old.version != version:
            raise Stale(old.version)
        new: dict[str, object] = {
            "name": value.name,
            "data": store(value),
            "model": old.model if model is None else model,
            "updated_at": world.now(),
        }
        if template is not None:
            new["template"] = _tried(template, board)
        queries.change_sheet(connection, sheet_id, version, new)
        keep_sources(connection, board_id, sheet_id, value, sources)
        return _read(connection, queries.sheet_now(connection, sheet_id))


def _check_keeper(principal: Principal, board: str) -> None:
    if not principal.is_any_gm(board):
        raise NotFound


def _kept(connection: Connection, principal: Principal, sheet_id: str) -> SheetNow:
    """Find a sheet that the principal keeps; raise NotFound for any other."""
    row = queries.sheet_now(connection, sheet_id)
    if row is None or not principal.is_any_gm(row.board):
        raise NotFound
    return row


def _tried(template: Template | None, board: BoardNow | None) -> str | None:
    """Try a character's template in the format of the board, and write it as it is stored."""
    if template is None or board is None:
        return None
    checked(Template, template, "template")
    templates.check(template, board.dialect, board.language)
    return templates.kept(template)


def _decoded(ruleset: str, sheet: object) -> Any:
    wanted = sheet_type(known_game(ruleset, "ruleset").key)
    if wanted is None:
        raise Malformed(Mistake("sheet", "unknown_field"))
    if isinstance(sheet, wanted):
        return checked(wanted, sheet, "sheet")
    return decode(wanted, sheet, "sheet")


def _read(connection: Connection, row: SheetNow | None) -> SheetRead:
    if row is None:
        raise NotFound
    return SheetRead(
        id=row.id,
        board=row.board,
        ruleset=row.ruleset,
        name=row.name,
        sheet=load(sheet_type(row.ruleset), row.data),
        model=row.model,
        template=templates.read(row.template),
        version=row.version,
        updated_at=row.updated_at,
        sources=sources_of(connection, row.id),
    )
