"""The rolls of a scene as its ledger tells them, which is alike to everybody who reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from app.persistence import queries
from app.persistence import queries_ledger as ledgers
from app.persistence.database import Database
from app.services.scene_found import found

THROWN: Final = ("roll", "forum", "hidden", "check")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The dice of one place of a roll, and what they are for."""

    label: str
    count: int
    sides: int
    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollTold:
    """A roll in the ledger; ``number`` counts those of its own kind, and the forum's have none.

    ``entry`` is None for a roll of the Master's alone. ``seed`` is that of the roll, or the secret
    of a hidden one once it is told; ``how`` says in what way dice of the forum came here.
    ``closed`` says that a line has sealed its faces so far; ``voided_by`` is the entry that took
    the roll's one back.
    """

    line: int
    kind: str
    entry: int | None
    number: int | None
    seed: str
    beacon: str
    dice: tuple[Place, ...]
    closed: bool
    voided_by: int | None
    how: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RollsRead:
    """All rolls of a scene, newest first; ``redone`` is why its dice began anew, if they did."""

    rolls: tuple[RollTold, ...]
    redone: str


def read_rolls(db: Database, scene_id: str) -> RollsRead:
    """List the rolls of a scene's ledger; anybody may, for it says nothing that is sealed."""
    with db.read() as connection:
        found(queries.scene_now(connection, scene_id))
        lines = [json.loads(one.line) for one in ledgers.ledger(connection, scene_id)]
    redone = next((line["why"] for line in lines if line["kind"] == "redo"), "")
    return RollsRead(rolls=tuple(reversed(tuple(_rolls(lines)))), redone=redone)


def _rolls(lines: Iterable[Mapping[str, Any]]) -> Iterator[RollTold]:
    lines = tuple(lines)
    opened = {line["of"]: line for line in lines if line["kind"] == "opened"}
    voided = {line["voids"]: line["entry"] for line in lines if line["kind"] == "void"}
    for number, line in enumerate(lines):
        if line["kind"] not in THROWN:
            continue
        telling = opened.get(number, {})
        told = line if "dice" in line else json.loads(telling.get("payload", "{}"))
        yield RollTold(
            line=number,
            kind=line["kind"],
            entry=line.get("entry"),
            number=line.get("r", line.get("q")),
            seed=line.get("seed", telling.get("secret", "")),
            beacon=line.get("beacon", ""),
            dice=tuple(_places(told)),
            closed="dice" not in told,
            voided_by=voided.get(line.get("entry")),
            # Before there was a choice, every face of the forum's was typed.
            how=told.get("how", "typed") if line["kind"] == "forum" and "dice" in told else "",
            at=datetime.fromisoformat(line["at"]),
        )


def _places(told: Mapping[str, Any]) -> Iterator[Place]:
    for place in told.get("dice", ()):
        if place["count"]:  # a place that was left free has neither label nor sides
            yield Place(
                label=place.get("label", ""),
                count=place["count"],
                sides=place["sides"],
                faces=tuple(place["faces"]),
            )
