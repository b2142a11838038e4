"""What goes wrong at the tables of a desk: by kind and by player, as far as anything of it is kept.

A refused attempt is not stored, so that it is counted nowhere: what is told are figures that
differed from the computed ones, turns that were returned and for which numbers, and what was taken
back or put right by the Master.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries_desk_errors import marked, troubled
from app.services.access import Principal
from app.services.desk import mine_of
from app.services.desk_shapes import Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerErrors:
    """How often turns of one player went wrong: of how many, and in which ways."""

    who: str
    scene_id: str
    seat: str
    title: str
    turns: int
    differing: int
    returned: int
    taken_back: int
    amended: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkCount:
    """How often numbers of a kind were marked: ``figure.hp``, ``die``, ``finding``."""

    kind: str
    times: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskErrors:
    """Errors of a desk by player, the worst first, and by the kind of number that was marked."""

    players: tuple[PlayerErrors, ...]
    marks: tuple[MarkCount, ...]


def read_errors(db: Database, principal: Principal, board: str) -> DeskErrors:
    """Count what went wrong on a desk."""
    mine = mine_of(principal, board)
    with db.read() as connection:
        rows = troubled(connection, mine)
        notes = marked(connection, mine)
    kinds = Counter(
        one.on.partition(".")[0] + ("" if not one.on.startswith("figure.") else f".{one.on[7:]}")
        for text in notes
        for one in load(tuple[Mark, ...], text)
    )
    players = [
        PlayerErrors(
            who=row.who or row.seat,
            scene_id=row.scene,
            seat=row.seat,
            title=row.title,
            turns=row.turns,
            differing=row.differing,
            returned=row.returned,
            taken_back=row.taken_back,
            amended=row.amended,
        )
        for row in rows
    ]
    return DeskErrors(
        players=tuple(one for one in players if _wrong(one)),
        marks=tuple(MarkCount(kind=kind, times=times) for kind, times in kinds.most_common()),
    )


def _wrong(one: PlayerErrors) -> int:
    return one.differing + one.returned + one.taken_back + one.amended
