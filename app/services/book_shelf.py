"""A board's book inside one transaction: its pieces, and each thing that may be done to one."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from app.persistence import queries_access
from app.persistence import queries_books as queries
from app.persistence.codec import store, write_json
from app.persistence.queries_books import PieceNow, PieceVersion
from app.services.board_notices import BoardTelling
from app.services.book_access import Actor
from app.services.book_names import Names
from app.services.book_pieces import (
    check_id,
    content,
    family_of,
    fields_told,
    id_of,
    id_path,
    kept,
    kind_of_piece,
    part_at,
    read_piece_data,
)
from app.services.book_shapes import Piece, PieceAct, SheetPiece, SourceOfPart
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.notices import Telling
from app.services.world import World

MOST_PIECES: Final = 2000
MOST_WAITING: Final = 20
"""How many proposals of one person wait at once; whoever decides on them may make as many more."""
RULESET: Final = "guida"
"""The game whose sheets have pieces; in the others a whole warrior or army is one."""


@dataclass
class Shelf:
    """A book that somebody holds: the board is locked, so that nobody else changes it meanwhile."""

    connection: Connection
    board: str
    actor: Actor
    world: World
    now: datetime
    rows: dict[str, PieceNow] = field(default_factory=dict)

    @classmethod
    def take(cls, connection: Connection, board: str, actor: Actor, world: World) -> Shelf:
        """Lock the board and read which pieces there are."""
        queries_access.board_now(connection, board, lock=True)
        rows = {row.id: row for row in queries.pieces(connection, board)}
        shelf = cls(connection, board, actor, world, world.now(), rows)
        shelf.names = Names(rows.values())
        return shelf

    names: Names = field(default_factory=lambda: Names(()))

    def row(self, id: str) -> PieceNow:
        """Find a piece; raise NotFound where there is none."""
        if id not in self.rows:
            raise NotFound
        return self.rows[id]

    def check(self, piece: Piece, at: str) -> tuple[Mistake, ...]:
        """List what keeps a piece from being proposed here, whatever is well-formed about it."""
        wrong = list(check_id(piece, at))
        id, kind, name = id_of(piece), kind_of_piece(piece), piece.data.name
        old = self.rows.get(id)
        if old is None and len(self.rows) >= MOST_PIECES:
            wrong.append(Mistake(at, "book_full", {"most": MOST_PIECES}))
        if old is not None and family_of(old.kind) != family_of(kind):
            facts = {"other": old.name}
            wrong.append(Mistake(f"{at}.{id_path(piece)}", "piece_other_kind", facts))
        if (other := self.names.taken_by(id, kind, name)) is not None:
            wrong.append(Mistake(f"{at}.data.name", "piece_name_taken", {"other": other}))
        if isinstance(piece, SheetPiece):
            wrong += self.check_sources(piece, at)
        return tuple(wrong)

    def check_sources(self, piece: SheetPiece, at: str) -> list[Mistake]:
        """List the sources of a sheet that lead nowhere: no such part, or no such piece."""
        wrong, seen = [], set()
        for index, source in enumerate(piece.sources):
            where = f"{at}.sources[{index}]"
            if source.place in seen:
                wrong.append(Mistake(f"{where}.place", "duplicate"))
            seen.add(source.place)
            if part_at(piece.data, source.place) is None:
                wrong.append(Mistake(f"{where}.place", "part_unknown"))
            row = self.rows.get(source.piece)
            if row is None or row.kind == SheetPiece.kind or row.last < source.version:
                wrong.append(Mistake(f"{where}.piece", "piece_unknown"))
        return wrong

    def propose(self, piece: Piece, note: str, at: str = "piece") -> PieceNow:
        """Put a version of a piece on the table; raise Malformed for one that cannot stand here.

        Raises Conflict where as many of the same person wait as may.
        """
        if wrong := self.check(piece, at):
            raise Malformed(*wrong)
        id, kind, name = id_of(piece), kind_of_piece(piece), piece.data.name
        self._check_waiting(id)
        old = self.rows.get(id)
        number = 1 if old is None else old.last + 1
        if old is None:
            place = 1 + max((row.place for row in self.rows.values()), default=0)
            queries.add_piece(
                self.connection,
                board=self.board,
                id=id,
                kind=kind.value,
                name=name,
                place=place,
                last=number,
                approved=None,
                proposed=number,
                proposed_name=name,
                version=1,
                sheet=None,
                retired_at=None,
                created_at=self.now,
            )
        else:
            if old.proposed is not None:
                self._tell_decided(self._version(id, old.proposed), "superseded", note)
            # While another version is in use, the piece is called and filed as that one is.
            fresh = {} if old.approved is not None else {"name": name, "kind": kind.value}
            open_now = {"last": number, "proposed": number, "proposed_name": name}
            queries.change_piece(self.connection, self.board, id, {**open_now, **fresh})
        queries.add_version(
            self.connection,
            board=self.board,
            piece=id,
            number=number,
            name=name,
            data=kept(piece),
            note=note,
            by_role=self.actor.role,
            by_name=self.actor.name,
            key_id=self.actor.key_id,
            at=self.now,
        )
        self._note(id, number, PieceAct.PROPOSED, note)
        return self._again(id)

    def _check_waiting(self, id: str) -> None:
        if self.actor.decides:
            return
        waiting = queries.proposed_by(self.connection, self.board, self.actor.keys, but=id)
        if waiting >= MOST_WAITING:
            raise Conflict("proposals_waiting", {"most": MOST_WAITING})

    def approve(self, id: str, reason: str) -> PieceNow:
        """Let the open proposal of a piece be the version in use from now on."""
        row = self._proposed(id)
        number = row.proposed or 0
        version = self._version(id, number)
        piece = read_piece_data(version.data)
        values: dict[str, object] = {
            "approved": number,
            "proposed": None,
            "proposed_name": None,
            "name": piece.data.name,
            "kind": kind_of_piece(piece).value,
            "retired_at": None,
        }
        if isinstance(piece, SheetPiece):
            values["sheet"] = self._store(row, piece)
        queries.change_piece(self.connection, self.board, id, values)
        self._note(id, number, PieceAct.APPROVED, reason)
        self._tell_decided(version, PieceAct.APPROVED, reason)
        return self._again(id)

    def send_back(self, id: str, reason: str, marks: tuple[str, ...]) -> PieceNow:
        """Return the open proposal of a piece to whoever made it; what is in use stays so.

        Raises Malformed for a mark on a field that the proposal does not have.
        """
        row = self._proposed(id)
        version = self._version(id, row.proposed or 0)
        fields = tuple(one.field for one in fields_told(read_piece_data(version.data)))
        if not set(marks) <= set(fields):
            raise Malformed(Mistake("marks", "unknown_choice", {"choices": fields}))
        queries.change_piece(
            self.connection, self.board, id, {"proposed": None, "proposed_name": None}
        )
        self._note(id, row.proposed or 0, PieceAct.RETURNED, reason, marks)
        self._tell_decided(version, PieceAct.RETURNED, reason)
        return self._again(id)

    def retire(self, id: str, reason: str) -> PieceNow:
        """Let a piece be used no more, and its open proposal with it."""
        row = self.row(id)
        if row.approved is None:
            raise Conflict("piece_not_in_use")
        values: dict[str, object] = dict.fromkeys(("approved", "proposed", "proposed_name"))
        queries.change_piece(self.connection, self.board, id, {**values, "retired_at": self.now})
        self._note(id, row.approved, PieceAct.RETIRED, reason)
        gone = (self._version(id, one) for one in (row.proposed, row.approved) if one is not None)
        for version in {version.key_id: version for version in gone}.values():
            self._tell_decided(version, PieceAct.RETIRED, reason)
        return self._again(id)

    def piece(self, id: str, number: int) -> Piece:
        """Read one version of a piece."""
        return read_piece_data(self._version(id, number).data)

    def tell_proposed(self, row: PieceNow, note: str) -> None:
        """Tell the Masters that a proposal waits for them."""
        name = row.proposed_name or row.name
        facts = {"piece": row.id, "name": name, "reason": note}
        telling = self._telling(Telling.PIECE_PROPOSED, row.proposed, facts)
        telling.to_deciders(unless=self.actor.keys)

    def _tell_decided(self, version: PieceVersion, act: str, reason: str) -> None:
        """Tell whoever proposed a version what became of it, unless it is their own doing."""
        if version.key_id is None or version.key_id in self.actor.keys:
            return
        facts = {"act": act, "piece": version.piece, "name": version.name, "reason": reason}
        telling = self._telling(Telling.PIECE_DECIDED, version.number, facts)
        telling.to_holder(version.key_id)

    def _telling(self, kind: Telling, number: int | None, facts: dict[str, str]) -> BoardTelling:
        return BoardTelling(
            connection=self.connection,
            board=self.board,
            kind=kind,
            now=self.now,
            about=f"piece {facts['piece']} {number}",
            facts=facts,
        )

    def _version(self, id: str, number: int) -> PieceVersion:
        found = {one.number: one for one in queries.versions(self.connection, self.board, id)}
        return found[number]

    def _proposed(self, id: str) -> PieceNow:
        row = self.row(id)
        if row.proposed is None:
            raise Conflict("nothing_proposed")
        return row

    def _store(self, row: PieceNow, piece: SheetPiece) -> str:
        """Keep an approved sheet among the stored ones, where scenes find it."""
        values = {"name": piece.data.name, "data": store(piece.data), "updated_at": self.now}
        stored_as = row.sheet or self._same_sheet(str(values["data"]))
        before = None
        if stored_as is not None:
            before = queries_access.sheet_now(self.connection, stored_as)
        if before is None:
            id = self.world.scene_id()
            queries_access.add_sheet(
                self.connection,
                id=id,
                board=self.board,
                ruleset=RULESET,
                model=False,
                version=1,
                **values,
            )
        else:
            id = before.id
            queries_access.change_sheet(self.connection, id, before.version, dict(values))
        queries.set_sources(
            self.connection,
            self.board,
            id,
            ((one.place, one.piece, one.version) for one in piece.sources),
        )
        return id

    def _same_sheet(self, data: str) -> str | None:
        """Find the stored sheet that is the approved one already, so that there are not two."""
        outside = queries.sheets_outside(self.connection, self.board, RULESET)
        return next((id for id, _, its in outside if its == data), None)

    def _note(
        self, id: str, number: int, act: PieceAct, reason: str, marks: tuple[str, ...] = ()
    ) -> None:
        queries.add_event(
            self.connection,
            self.board,
            piece=id,
            version=number,
            act=act.value,
            reason=reason,
            marks=write_json(list(marks)),
            by_role=self.actor.role,
            by_name=self.actor.name,
            key_id=self.actor.key_id,
            at=self.now,
        )

    def _again(self, id: str) -> PieceNow:
        row = queries.piece_now(self.connection, self.board, id)
        assert row is not None  # it was just written
        self.rows[id] = row
        self.names.put(row)
        return row


def sources_here(shelf: Shelf, piece: SheetPiece) -> SheetPiece:
    """Let the sources of a sheet from elsewhere name the versions that are the same ones here."""
    told = []
    for source in piece.sources:
        part, row = part_at(piece.data, source.place), shelf.rows.get(source.piece)
        version = source.version
        if part is not None and row is not None and row.kind != SheetPiece.kind:
            found = queries.versions(shelf.connection, shelf.board, row.id)
            same = [
                one.number
                for one in found
                if content(read_piece_data(one.data).data) == content(part)
            ]
            version = same[-1] if same else min(version, row.last)
        told.append(SourceOfPart(place=source.place, piece=source.piece, version=version))
    return SheetPiece(id=piece.id, data=piece.data, sources=tuple(told))
