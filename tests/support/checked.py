"""Tables whose dice are those of production, and their ledgers held against both checkers."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import re
import tempfile
from datetime import timedelta
from types import ModuleType
from typing import Any

from app.config import STATIC
from app.engine.seal import seal_of
from app.persistence.database import Database
from app.services import proofs, sealing
from app.services.access import Principal
from app.services.dice_shapes import DiceRead
from app.services.ledger_check import LedgerReport, check_ledger
from tests.support.table import Table, set_table
from tests.support.world import SealedWorld

LIMIT = timedelta(hours=24)


def load_script() -> ModuleType:
    """Import the script that players download."""
    path = STATIC / "verify" / "pbf1_verify.py"
    spec = importlib.util.spec_from_file_location("pbf1_verify_in_process", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load_script()


def set_sealed_table(db: Database, *, seed: str = "world", **more: Any) -> Table:
    """Set a table that waits a day for salts, in a world whose dice a key fixes."""
    return set_table(db, SealedWorld(seed=seed), **{"seal_hours": 24, **more})


def file_of(table: Table) -> tuple[bytes, str]:
    """Download the ledger; give the file and its head."""
    read = proofs.read_ledger(table.db, table.id)
    return proofs.ledger_file(read), read.head


def lines_of(table: Table) -> list[dict[str, Any]]:
    """Read the lines of a ledger."""
    return [json.loads(line) for line in file_of(table)[0].splitlines()]


def kinds_of(table: Table) -> list[str]:
    """List the kinds of the lines."""
    return [line["kind"] for line in lines_of(table)]


def of_kind(table: Table, kind: str) -> list[dict[str, Any]]:
    """Give the lines of one kind."""
    return [line for line in lines_of(table) if line["kind"] == kind]


def verified(table: Table) -> LedgerReport:
    """Insist that both checkers find nothing in the file; give what the fuller one counted."""
    data, head = file_of(table)
    report = check_ledger(data, head)
    assert report.faults == ()
    rederived(data, head)
    return report


def rederived(data: bytes, head: str) -> int:
    """Throw the dice of a file again with the short script; give how many rolls it counted."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        said = script.check(file.name, head)
    return int(re.match(r"OK: (\d+) rolls", said)[1])


def salt_for(seat: str, device: int = 0) -> str:
    """Make the salt of a seat, another one for each of its devices."""
    return hashlib.sha256(f"{seat} {device}".encode()).hexdigest()[:32]


def seal(table: Table, seat: str, device: int = 0, *, by: Principal | None = None) -> DiceRead:
    """Let a seat seal the salt of a device."""
    text = seal_of(table.id, seat, salt_for(seat, device))
    return sealing.seal(table.db, table.world, by or table.players[seat], table.id, seat, text)


def show(table: Table, seat: str, device: int = 0, *, by: Principal | None = None) -> DiceRead:
    """Let a seat show the salt of a device."""
    who = by or table.players[seat]
    return sealing.show(table.db, table.world, who, table.id, seat, salt_for(seat, device))


def waive(table: Table, seat: str) -> DiceRead:
    """Let a seat play without a salt."""
    return sealing.waive(table.db, table.world, table.players[seat], table.id, seat)


def give_salts(table: Table) -> None:
    """Let all seats seal and show."""
    for seat in table.players:
        seal(table, seat)
    for seat in table.players:
        show(table, seat)


def go_on(table: Table) -> list[Any]:
    """Do what the service does of its own accord from time to time."""
    return sealing.go_on_everywhere(table.db, table.world)
