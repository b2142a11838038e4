"""Notices of a board that are about no scene: what somebody is there, and pieces of its book."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from app.persistence import queries_notices as queries
from app.persistence.queries_notices import HolderKey
from app.services.access import Role
from app.services.jobs import Kind, plan
from app.services.notices import Telling, row_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardTelling:
    """Something that is told of a board; ``about`` tells one time that it happens from another."""

    connection: Connection
    board: str
    kind: Telling
    now: datetime
    about: str
    facts: Mapping[str, str | int]

    def to_person(self, person: str) -> None:
        """Tell somebody with an account, by whichever key reaches them now."""
        self._to(queries.keys_of_person(self.connection, person))

    def to_holder(self, key_id: str) -> None:
        """Tell whoever did something by a key, though they may have another by now."""
        self._to(queries.keys_of_holder(self.connection, key_id))

    def to_deciders(self, *, unless: Collection[str]) -> None:
        """Tell whoever decides on the board, each person once, but not those who hold some keys."""
        found: dict[str, list[HolderKey]] = {}
        for key in queries.deciders(self.connection, self.board):
            if key.id not in unless:
                found.setdefault(key.person or key.id, []).append(key)
        for held in found.values():
            self._to(held)

    def _to(self, keys: Iterable[HolderKey]) -> None:
        key = _reaching(keys)
        if key is None:
            return
        row = row_of(self.board, key.id, None, "", self.kind, self.about, self.facts, self.now)
        queries.add_notices(self.connection, (row,))
        if key.mailed is not None:
            plan(self.connection, Kind.MAIL, row["uid"], self.now)


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
