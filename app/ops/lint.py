"""The tables of the rulebooks, held against themselves: what no row covers, and what two do."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, TextIO

from app.catalogue import HOMES, LANGUAGES, read_once
from app.engine.bands import (
    Defect,
    UnreadableBand,
    faults_of_bands,
    faults_of_steps,
    read_band,
    read_steps,
)
from app.engine.numbers import exact

FILE: Final = "bands.toml"


class LintError(Exception):
    """A file of tables cannot be understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A table of a rulebook as it is printed, and the faults it is known to have, by ruling."""

    id: str
    rule: str
    lines: str
    title: Mapping[str, str]
    unit: str
    rows: tuple[tuple[str, str], ...]
    defects: tuple[Defect, ...]
    known: Mapping[str, str]

    @property
    def stale(self) -> tuple[str, ...]:
        """List the faults that are said to be known and are not there."""
        found = {name_of(defect) for defect in self.defects}
        return tuple(fault for fault in self.known if fault not in found)


def name_of(defect: Defect) -> str:
    """Name a fault as a list of known ones does: ``overlap 60``."""
    return f"{defect.fault} {defect.at}"


@read_once
def printed_tables() -> tuple[Printed, ...]:
    """Read the tables of all rulesets once."""
    return tuple(table for path in _files() for table in read_tables(path))


def _files() -> tuple[Path, ...]:
    return tuple(path for home in HOMES.values() if (path := home / FILE).is_file())


def read_tables(path: Path) -> tuple[Printed, ...]:
    """Read and check the tables of a file; raise LintError."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as broken:
        raise LintError(f"it cannot be read: {broken.strerror}") from None
    except ValueError as broken:
        raise LintError(f"it is not TOML: {broken}") from None
    rows = data.get("tables")
    if not isinstance(rows, dict) or not rows:
        raise LintError("it holds no tables")
    return tuple(_table(id, row) for id, row in rows.items())


def lint_paths(paths: Iterable[Path], out: TextIO | None = None) -> int:
    """Tell every fault of every table; return 1 if one is not known, or a known one is gone.

    Without paths the tables of the rulesets are read. The last line counts tables and faults.
    """
    out = sys.stdout if out is None else out
    tables = known = wrong = 0
    for path in tuple(paths) or _files():
        try:
            found = read_tables(path)
        except LintError as broken:
            wrong += 1
            out.write(f"FAILED {path}\n  {broken}\n")
            continue
        tables += len(found)
        for table in found:
            for line, is_wrong in _told(table):
                out.write(f"{line}\n")
                wrong += is_wrong
                known += not is_wrong
    out.write(f"{tables} tables, {known} known faults, {wrong} to mend\n")
    return 1 if wrong else 0


def _told(table: Printed) -> Iterator[tuple[str, bool]]:
    """Give a line for each fault, and whether it has to be mended."""
    for defect in table.defects:
        ruling = table.known.get(name_of(defect))
        unit = f" {table.unit}" if table.unit else ""
        rows = " and ".join(f"“{row}”" for row in defect.rows)
        line = f"{table.rule} {table.id}: {name_of(defect)}{unit}" + (f" ({rows})" if rows else "")
        yield (f"KNOWN  {line}: {ruling}", False) if ruling else (f"FAILED {line}", True)
    for fault in table.stale:
        yield f"FAILED {table.rule} {table.id}: {fault} is listed as known and is not there", True


def _table(id: str, row: Any) -> Printed:
    try:
        rows = [(str(printed), value) for printed, value in row["rows"]]
        if not rows:
            raise LintError(f"{id} has no rows")
        known = {fault: one["ruling"] for one in row.get("known", ()) for fault in one["faults"]}
        return Printed(
            id=id,
            rule=row["rule"],
            lines=row["lines"],
            title={language: row["title"][language] for language in LANGUAGES},
            unit=row.get("unit", ""),
            rows=tuple((printed, str(value)) for printed, value in rows),
            defects=tuple(_defects(row, rows)),
            known=known,
        )
    except UnreadableBand as wrong:
        raise LintError(f"{id}: {wrong} is no band and no step") from None
    except KeyError as missing:
        raise LintError(f"{id} lacks {missing.args[0]}") from None
    except (TypeError, ValueError) as wrong:
        raise LintError(f"{id} is not written as a table: {wrong}") from None


def _defects(row: Mapping[str, Any], rows: list[tuple[str, Any]]) -> Iterator[Defect]:
    first = exact(row["from"])
    if row["kind"] == "steps":
        return faults_of_steps(read_steps(rows), first=first)
    if row["kind"] != "bands":
        raise LintError(f"a table is of bands or of steps, not of {row['kind']}")
    unit = row.get("unit", "")
    last: Fraction | None = exact(row["to"]) if "to" in row else None
    bands = [read_band(printed, unit) for printed, _ in rows]
    return faults_of_bands(bands, first=first, last=last, whole=row["whole"])
