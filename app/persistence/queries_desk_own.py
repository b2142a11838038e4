"""What the holder of a key keeps on the desk for themselves: looks, views and notes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ColumnElement, Connection, delete, select, update
from sqlmodel import col

from app.persistence.queries_jobs import put
from app.persistence.tables_desk import DeskLookRow, DeskNoteRow, DeskSeenRow


def put_look(connection: Connection, key_id: str, board: str, at: datetime) -> None:
    """Keep when somebody last looked over a desk."""
    put(connection, DeskLookRow, {"key_id": key_id, "board": board}, {"at": at})


def put_seen(
    connection: Connection, key_id: str, scene: str, entry: int, at: datetime | None
) -> None:
    """Keep that a turn was viewed, or with None that it was not."""
    if at is not None:
        mine = {"key_id": key_id, "scene": scene, "entry": entry}
        put(connection, DeskSeenRow, mine, {"at": at})
        return
    connection.execute(
        delete(DeskSeenRow).where(
            col(DeskSeenRow.key_id) == key_id,
            col(DeskSeenRow.scene) == scene,
            col(DeskSeenRow.entry) == entry,
        )
    )


def note_of(connection: Connection, key_id: str, board: str, scene: str) -> str:
    """Read somebody's own note; there may be none."""
    found = connection.execute(select(col(DeskNoteRow.text)).where(*_note(key_id, board, scene)))
    return found.scalar() or ""


def put_note(
    connection: Connection, key_id: str, board: str, scene: str, text: str, at: datetime
) -> None:
    """Keep somebody's own note in the place of the one before; an empty one is none."""
    if text:
        mine = {"key_id": key_id, "board": board, "scene": scene}
        put(connection, DeskNoteRow, mine, {"text": text, "at": at})
        return
    connection.execute(delete(DeskNoteRow).where(*_note(key_id, board, scene)))


def hand_over(connection: Connection, old: str, new: str) -> None:
    """Let what somebody kept under one key of theirs be under another, which has nothing yet."""
    for table in (DeskLookRow, DeskSeenRow, DeskNoteRow):
        connection.execute(update(table).where(col(table.key_id) == old).values(key_id=new))


def _note(key_id: str, board: str, scene: str) -> tuple[ColumnElement[bool], ...]:
    return (
        col(DeskNoteRow.key_id) == key_id,
        col(DeskNoteRow.board) == board,
        col(DeskNoteRow.scene) == scene,
    )
