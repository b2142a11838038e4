"""Every statement about the posts of an old thread."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Connection, func, insert, select
from sqlmodel import col

from app.persistence.tables_thread import ImportedPostRow


class ImportedPost(NamedTuple):
    """A post of an old thread, or how it begins."""

    number: int
    who: str
    text: str


def add_imported(connection: Connection, scene: str, posts: Iterable[tuple[str, str]]) -> None:
    """Keep the posts of an old thread with their scene, in their order: author and text."""
    rows = [
        {"scene": scene, "number": number, "who": who, "text": text}
        for number, (who, text) in enumerate(posts, 1)
    ]
    if rows:
        connection.execute(insert(ImportedPostRow), rows)


def imported_posts(
    connection: Connection, scene: str, *, beginning: int | None = None
) -> tuple[ImportedPost, ...]:
    """Read the posts of an old thread in their order, each whole or only its beginning."""
    whole = col(ImportedPostRow.text)
    text = whole if beginning is None else func.substr(whole, 1, beginning)
    found = connection.execute(
        select(col(ImportedPostRow.number), col(ImportedPostRow.who), text)
        .where(col(ImportedPostRow.scene) == scene)
        .order_by(col(ImportedPostRow.number))
    )
    return tuple(ImportedPost(*row) for row in found)
