"""The ledger of a scene: lines that are only ever added, and what they seal (app/LEDGER.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.engine.seal import next_head, sealed_digest
from app.persistence import queries_ledger as queries
from app.persistence.codec import write_json
from app.persistence.queries_ledger import LedgerLine, SealedLine


@dataclass(slots=True)
class Ledger:
    """The end of a scene's ledger, in the transaction that adds to it."""

    connection: Connection
    scene_id: str
    now: datetime
    number: int = 0
    head: str = ""

    @classmethod
    def of(cls, connection: Connection, scene_id: str, now: datetime) -> Ledger:
        """Find where the ledger of a scene goes on."""
        return cls.after(connection, scene_id, now, queries.last_line(connection, scene_id))

    @classmethod
    def after(
        cls, connection: Connection, scene_id: str, now: datetime, last: LedgerLine | None
    ) -> Ledger:
        """Go on after the newest line of a ledger; None where there is none yet."""
        if last is None:
            return cls(connection, scene_id, now)
        return cls(connection, scene_id, now, last.number + 1, last.head)

    def add(self, kind: str, entry: int | None = None, **fields: object) -> int:
        """Add a line and give its number; a field that is None is left out."""
        given = {name: value for name, value in fields.items() if value is not None}
        if entry is not None:
            given["entry"] = entry
        stamp = self.now.astimezone(UTC).isoformat(timespec="seconds")
        line = write_json({"kind": kind, "at": stamp, **given}).encode()
        self.head = next_head(self.head, line)
        queries.add_line(
            self.connection,
            scene=self.scene_id,
            number=self.number,
            entry=entry,
            line=line,
            head=self.head,
        )
        self.number += 1
        return self.number - 1

    def add_sealed(
        self,
        kind: str,
        payload: str,
        nonce: bytes,
        *,
        seat: Seat,
        entry: int | None = None,
        secret: str | None = None,
        told: Mapping[str, object] | None = None,
    ) -> int:
        """Add a line that commits to a text without telling it, and keep the text.

        ``seat`` is who may read it before it is told, ``secret`` that of the hidden roll that it is
        about; what is ``told`` stands in the line in the open.
        """
        sealed = sealed_digest(self.scene_id, nonce, payload)
        number = self.add(kind, entry, sealed=sealed, **(told or {}))
        queries.add_sealed(
            self.connection,
            self.scene_id,
            SealedLine(number, kind, seat, nonce.hex(), payload, secret, None),
        )
        return number

    def open(self, sealed: SealedLine) -> int:
        """Add the line that tells what another has sealed, with the secret of a hidden roll."""
        number = self.add(
            "opened",
            of=sealed.line,
            nonce=sealed.nonce,
            payload=sealed.payload,
            secret=sealed.secret,
        )
        queries.mark_opened(self.connection, self.scene_id, sealed.line, number)
        return number
