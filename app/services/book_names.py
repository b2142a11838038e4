"""The names in a book: no two that a reader takes for one another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

from app.engine.alike import drawn, folded, plain
from app.persistence.queries_books import PieceNow
from app.services.book_shapes import PieceKind

_SEEN: Final = (plain, folded, drawn)
_Key: TypeAlias = tuple[bool, int, str]


class Names:
    """The names that pieces in use and open proposals have; sheets have names of their own."""

    def __init__(self, rows: Iterable[PieceNow]) -> None:
        self._taken: dict[_Key, dict[str, str]] = {}
        self._keys: dict[str, list[_Key]] = {}
        for row in rows:
            self.put(row)

    def put(self, row: PieceNow) -> None:
        """Note the names of a piece, instead of those that it had."""
        for key in self._keys.pop(row.id, ()):
            self._taken[key].pop(row.id, None)
        names = {row.name} if row.approved is not None else set()
        if row.proposed_name is not None:
            names.add(row.proposed_name)
        for name in names:
            for key in _keys(row.kind, name):
                self._taken.setdefault(key, {})[row.id] = name
                self._keys.setdefault(row.id, []).append(key)

    def taken_by(self, id: str, kind: str, name: str) -> str | None:
        """Give the name of another piece for which this one would be taken."""
        for key in _keys(kind, name):
            for other, its in self._taken.get(key, {}).items():
                if other != id:
                    return its
        return None


def _keys(kind: str, name: str) -> list[_Key]:
    is_sheet = kind == PieceKind.SHEET
    return [(is_sheet, way, see(name)) for way, see in enumerate(_SEEN)]
