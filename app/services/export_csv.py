"""A scene as tables for spreadsheets: what was found, line by line, or each die.

Tables have commas, quotes and line ends as RFC 4180 has them, in UTF-8. Their heads are codes that
stay; sentences are in the reader's language.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final

from app.engine.numbers import spelled
from app.engine.ruleset import Asked
from app.posts.phrases import say
from app.posts.write import layout_of
from app.services.cells import inert
from app.services.entry_shapes import EntryRead
from app.services.export import SceneExport


class Table(StrEnum):
    """Which table: the lines of what was found, register included, or the dice."""

    LINES = "lines"
    DICE = "dice"


LINES: Final = (
    *("entry", "at", "seat", "act", "status", "taken_back_by", "part"),
    *("rule", "ruling", "key", "text"),
)
DICE: Final = (
    *("entry", "at", "taken_back_by", "place", "actor", "action", "targets", "items"),
    *("sides", "face", "modifier", "total", "counts", "provenance", "ledger_line"),
)


def write_csv(exported: SceneExport, table: Table, language: str) -> str:
    """Write one of the tables, with its head."""
    head, rows = (
        (LINES, _lines(exported.entries, language))
        if table is Table.LINES
        else (DICE, _dice(exported.entries))
    )
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows(tuple(inert(cell) for cell in row) for row in rows)
    return written.getvalue()


def _lines(entries: Iterable[EntryRead], language: str) -> Iterator[tuple[str, ...]]:
    """Go through what was found; an entry in which nothing was has one line without it."""
    for entry in entries:
        begins = (
            *(str(entry.number), entry.at.isoformat(), entry.seat, entry.act or entry.kind.value),
            *(entry.status.value, _number(entry.voided_by)),
        )
        is_header = layout_of(entry.ruleset).is_header
        for found in entry.findings:
            text = say(language, entry.ruleset, "findings", found.key, found.facts)
            part = "register" if is_header(found) else "story"
            yield (*begins, part, found.rule, found.ruling or "", found.key, text)
        if not entry.findings:
            yield (*begins, "", "", "", "", entry.reason)


def _dice(entries: Iterable[EntryRead]) -> Iterator[tuple[str, ...]]:
    """Go through the dice that fell; one that an amended turn needs no more does not count."""
    for entry in entries:
        asked = {die.address: die for die in entry.asked}
        for roll in entry.rolls or ():
            die = asked.get(roll.address)
            modifier = None if die is None else die.tally.total
            counts = die is not None and entry.voided_by is None
            yield (
                *(str(entry.number), entry.at.isoformat(), _number(entry.voided_by)),
                f"{roll.address.place}.{roll.address.index}",
                *_named(die),
                *(str(roll.sides), str(roll.face)),
                "" if modifier is None else spelled(modifier),
                "" if modifier is None else spelled(roll.face + modifier),
                "yes" if counts else "no",
                entry.provenance,
                "" if entry.proof is None else str(entry.proof.line),
            )


def _named(die: Asked | None) -> tuple[str, ...]:
    if die is None:
        return ("", "", "", "")
    return (die.actor, die.action, "; ".join(die.targets), "; ".join(die.items))


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
