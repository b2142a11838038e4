"""Notices of a board that are about no scene: what somebody is there, and pieces of its book."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime

from sqlalchemy import Connection

from app.persistence import queries_notices as queries
from app.persistence.queries_notices import HolderKey
from app.services.access import Role
from app.services.jobs import Kind, plan
from app.services.notices import Telling, row_of


def tell_person(
    connection: Connection,
    board: str,
    kind: Telling,
    person: str,
    now: datetime,
    about: str,
    **facts: str | int,
) -> None:
    """Tell somebody with an account, by whichever key reaches them now."""
    keys = queries.keys_of_person(connection, person)
    _tell(connection, board, kind, _reaching(keys), now, about, facts)


def tell_holder(
    connection: Connection,
    board: str,
    kind: Telling,
    key_id: str,
    now: datetime,
    about: str,
    **facts: str | int,
) -> None:
    """Tell whoever did something by a key, though they may have another by now."""
    keys = queries.keys_of_holder(connection, key_id)
    _tell(connection, board, kind, _reaching(keys), now, about, facts)


def tell_deciders(
    connection: Connection,
    board: str,
    kind: Telling,
    now: datetime,
    about: str,
    *,
    unless: Collection[str],
    **facts: str | int,
) -> None:
    """Tell whoever decides on a board, each person once, but not those who hold some keys."""
    keys = queries.deciders(connection, board)
    doers = {key.person for key in keys if key.id in unless and key.person is not None}
    found: dict[str, list[HolderKey]] = {}
    for key in keys:
        if key.id not in unless and key.person not in doers:
            found.setdefault(key.person or key.id, []).append(key)
    for held in found.values():
        _tell(connection, board, kind, _reaching(held), now, about, facts)


def _reaching(keys: Iterable[HolderKey]) -> HolderKey | None:
    """Choose the key by which its holder reads a notice and gets it by mail, if there is one.

    Notices of a key that holds no more go out by mail only.
    """

    def rank(key: HolderKey) -> tuple[bool, bool, bool, str]:
        of_a_scene = key.role == Role.GM and key.scene is not None  # a role on the board covers it
        return key.revoked_at is not None, of_a_scene, key.mailed is None, key.id

    first = min(keys, key=rank, default=None)
    gone = first is not None and first.revoked_at is not None and first.mailed is None
    return None if gone else first


def _tell(
    connection: Connection,
    board: str,
    kind: Telling,
    key: HolderKey | None,
    now: datetime,
    about: str,
    facts: dict[str, str | int],
) -> None:
    if key is None:
        return
    row = row_of(board, key.id, None, "", kind, about, facts, now)
    queries.add_notices(connection, (row,))
    if key.mailed is not None:
        plan(connection, Kind.MAIL, row["uid"], now)
