"""The trail of what Masters do in a scene: who, when and why, for everybody who plays there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from app.engine.ruleset import GM, Seat
from app.persistence import queries, queries_audit, queries_reviews
from app.persistence.database import Database
from app.persistence.queries import EntryHead
from app.persistence.queries_audit import Deed, Doer
from app.persistence.queries_reviews import ReviewNow
from app.services.access import Principal, Role
from app.services.casting import as_cast
from app.services.deeds import DeedKind
from app.services.desk_shapes import Mark
from app.services.entries import entry_lines
from app.services.errors import NotFound
from app.services.reviews import told
from app.services.scene_found import found
from app.services.shapes import EntryKind, EntryLine
from app.services.sight import eyes_of, veil_over, veils_in

MASTERS = (Role.OWNER.value, Role.GM.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditLine:
    """One thing that a Master did, or that the service did for one.

    ``kind``: ``order``, ``amendment``, ``in_place`` (an order in a player's place), ``void``,
    ``correction``, ``approved``, ``returned``, ``open`` (a turn that came back to the desk),
    ``deadline``, ``clock_stopped``, ``clock_went_on``, ``away``, ``back``, ``link``,
    ``link_revoked``, ``summary``, ``summary_revoked``, ``setting``, ``option``. ``by`` is the role
    of whoever did it, empty where the service did, ``who`` the name of their account, if any.
    ``entry`` is the entry that it is, or is about; ``about`` the order's kind, the seat or the
    option, ``change`` what it came to, ``why`` the public reason.
    """

    number: int
    at: datetime
    kind: str
    by: str
    who: str = ""
    entry: int | None = None
    seat: Seat = ""
    about: str = ""
    change: str = ""
    why: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The trail of a scene, in its order; ``total`` is how many lines it has."""

    lines: tuple[AuditLine, ...]
    total: int


def read_audit(
    db: Database, principal: Principal, scene_id: str, *, after: int = 0, limit: int = 100
) -> Audit:
    """Read the lines after one, as somebody who acts in the scene; raise NotFound for others.

    What is withheld of an entry is withheld here as well.
    """
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        if principal.secret_for(scene) is None:
            raise NotFound
        heads = queries.entry_heads(connection, scene_id)
        doers = queries_audit.doers_of_entries(connection, scene_id)
        reviews = queries_reviews.reviews_of(connection, scene_id)
        deeds = queries_audit.deeds_of(connection, scene.board, scene_id, scene.created_at)
    eyes = eyes_of(as_cast(principal, scene), scene)
    lines = [*_entries(heads, doers, eyes), *_reviews(heads, reviews, eyes), *_deeds(deeds)]
    ordered = sorted(enumerate(lines), key=lambda one: (one[1].at, one[0]))
    told = [line for _, line in ordered]
    return Audit(
        lines=tuple(
            replace(line, number=number)
            for number, line in enumerate(told[after : after + limit], after + 1)
        ),
        total=len(told),
    )


def _entries(
    heads: tuple[EntryHead, ...], doers: dict[int, Doer], eyes: tuple[Seat, ...]
) -> Iterator[AuditLine]:
    for head, line in zip(heads, entry_lines(heads, eyes), strict=True):
        role, who = doers.get(line.number, Doer("", None))
        if role not in MASTERS and head.seat != GM:
            continue
        yield AuditLine(
            number=0,
            at=line.at,
            kind=_kind(line),
            by=role if role in MASTERS else "",
            who=(who or "") if role in MASTERS else "",
            entry=line.number,
            seat=line.seat,
            about=line.act,
            change="" if (of := line.voids or line.before or line.corrects) is None else str(of),
            why=line.reason,
        )


def _kind(line: EntryLine) -> str:
    if line.kind is not EntryKind.ORDER:
        return line.kind.value
    if line.before is not None:
        return "amendment"
    return "order" if line.seat in (GM, "") else "in_place"


def _reviews(
    heads: tuple[EntryHead, ...], reviews: tuple[ReviewNow, ...], eyes: tuple[Seat, ...]
) -> Iterator[AuditLine]:
    veils = {head.number: veil_over(veils_in(head.veils), eyes) for head in heads}
    seats = {line.number: line.seat for line in entry_lines(heads, eyes)}
    for row in reviews:
        decision = told(row, knows=veils.get(row.entry) is None)
        yield AuditLine(
            number=0,
            at=row.at,
            kind=row.state,
            by=decision.by if decision.by in MASTERS else "",
            who=decision.who if decision.by in MASTERS else "",
            entry=row.entry,
            seat=seats.get(row.entry, ""),
            change="" if row.cause is None else str(row.cause),
            why=decision.note,
            marks=decision.marks,
        )


def _deeds(deeds: tuple[Deed, ...]) -> Iterator[AuditLine]:
    for deed in deeds:
        yield AuditLine(
            number=0,
            at=deed.at,
            kind=deed.kind,
            by=deed.role or "",
            who=deed.who or "",
            about=deed.about,
            change="" if deed.kind == DeedKind.CLOCK_STOPPED else deed.change,
            why=deed.change if deed.kind == DeedKind.CLOCK_STOPPED else "",
        )
