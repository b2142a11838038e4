"""Entries as they are read: with what was said about them since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from app.engine.dice import Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked, Seat, Veil
from app.persistence import queries
from app.persistence.codec import load, read_stored
from app.persistence.queries import Correction, EntryFull, EntryHead, SceneNow, StoredWording
from app.posts.brought import Remark
from app.posts.digest import turn_name
from app.services.dice_shapes import Proof
from app.services.entry_shapes import (
    EntryRead,
    Narration,
    Wording,
)
from app.services.errors import Malformed
from app.services.games import Game
from app.services.log import Corrections, read_stored_order
from app.services.shapes import (
    EntryKind,
    EntryLine,
    Language,
    Status,
)
from app.services.sight import (
    entry_seen,
    findings_seen,
    line_seen,
    of_correction,
    veil_over,
    veils_in,
)
from app.services.templates import read_of_scene


def corrections_of(heads: Iterable[EntryHead]) -> Corrections:
    """Gather from a history which entries were taken back or amended, and what those came to."""
    return Corrections.of(
        Correction(head.number, head.voids, head.before, head.corrects, head.restated)
        for head in heads
        if (head.voids, head.before, head.corrects) != (None, None, None)
    )


@dataclass(frozen=True, slots=True)
class Around:
    """What entries are read with: what was said about them since, and whose stories they correct.

    ``veils`` has those of the corrected entries, ``wordings`` what corrections have given to each.
    """

    corrections: Corrections
    veils: Mapping[int, str | None]
    wordings: Mapping[int, tuple[StoredWording, ...]]

    @classmethod
    def of(cls, connection: Connection, scene_id: str, entries: Iterable[EntryFull]) -> Around:
        """Read what is needed for some entries of a scene."""
        corrections = Corrections.of(queries.corrections(connection, scene_id))
        numbers = [entry.number for entry in entries if entry.number in corrections.corrected_by]
        targets = {entry.corrects for entry in entries if entry.corrects is not None}
        corrected = (queries.entry_full(connection, scene_id, number) for number in targets)
        wordings: dict[int, tuple[StoredWording, ...]] = {}
        for row in queries.wordings(connection, scene_id, numbers) if numbers else ():
            if row.corrects is not None:
                wordings[row.corrects] = (*wordings.get(row.corrects, ()), row)
        veils = {one.number: one.veils for one in corrected if one is not None}
        return cls(corrections, veils, wordings)


def entry_lines(heads: Iterable[EntryHead], eyes: tuple[Seat, ...]) -> tuple[EntryLine, ...]:
    """Read the lines of a history, as far as these eyes see."""
    heads = tuple(heads)
    corrections = corrections_of(heads)
    veils = {head.number: head.veils for head in heads}
    return tuple(_line(head, corrections, veils, eyes) for head in heads)


def _veils(
    number: int, corrects: int | None, corrections: Corrections, stored: Mapping[int, str | None]
) -> tuple[Veil, ...]:
    """Give what is withheld of an entry by now; a correction tells no more than its entry."""
    of = number if corrects is None else corrects
    restated = corrections.restated.get(of)
    veils = veils_in(stored.get(of)) if restated is None else restated.veils
    return veils if corrects is None else of_correction(veils)


def _line(
    head: EntryHead,
    corrections: Corrections,
    stored: Mapping[int, str | None],
    eyes: tuple[Seat, ...],
) -> EntryLine:
    veils = _veils(head.number, head.corrects, corrections, stored)
    line = EntryLine(
        number=head.number,
        kind=EntryKind(head.kind),
        seat=head.seat,
        act=head.act,
        status=Status(head.status),
        voids=head.voids,
        before=head.before,
        corrects=head.corrects,
        voided_by=corrections.voided_by.get(head.number),
        amended_by=corrections.amended_by.get(head.number, ()),
        corrected_by=corrections.corrected_by.get(head.number, ()),
        reason=head.reason,
        at=head.at,
        provenance=head.provenance,
    )
    return line_seen(line, veil_over(veils, eyes))


def entry_read(
    ruleset: Game,
    scene: SceneNow,
    entry: EntryFull,
    around: Around,
    eyes: tuple[Seat, ...],
    proof: Proof | None = None,
) -> EntryRead:
    """Read an entry in full, as it stands after amendments, as far as these eyes see."""
    corrections = around.corrections
    first = load(tuple[Finding, ...], entry.findings)
    asked = load(tuple[Asked, ...], entry.asked)
    restated = corrections.restated.get(entry.number)
    own = veil_over(veils_in(entry.veils), eyes)
    stored = {entry.number: entry.veils, **around.veils}
    veil = veil_over(_veils(entry.number, entry.corrects, corrections, stored), eyes)
    wordings = _wordings(entry, around)
    is_order = entry.kind == EntryKind.ORDER
    read = EntryRead(
        number=entry.number,
        kind=EntryKind(entry.kind),
        seat=entry.seat,
        act=entry.act,
        status=Status(entry.status),
        voids=entry.voids,
        before=entry.before,
        corrects=entry.corrects,
        voided_by=corrections.voided_by.get(entry.number),
        amended_by=corrections.amended_by.get(entry.number, ()),
        corrected_by=corrections.corrected_by.get(entry.number, ()),
        reason=entry.reason,
        at=entry.at,
        order=_order(ruleset, scene, entry),
        narration=wordings[-1].narration,
        asked=asked if restated is None else restated.asked,
        rolls=None if entry.rolls is None else load(tuple[Roll, ...], entry.rolls),
        provenance=entry.provenance,
        dice_by=entry.dice_by,
        dice_at=entry.dice_at,
        dice_remarks=_remarks(entry),
        findings=findings_seen(first if restated is None else restated.findings, veil),
        first_findings=None if restated is None else _first_seen(first, own, veil),
        proof=proof,
        wordings=wordings if len(wordings) > 1 else (),
        turn=turn_name(scene.id, entry.number, len(wordings)) if is_order else "",
        ruleset=scene.ruleset,
        edition=scene.edition,
        language=Language(scene.language),
        dialect=scene.dialect,
        numbered=asked if entry.places else None,
        template=read_of_scene(scene.templates).of(entry.seat),
    )
    return entry_seen(read, veil)


def _remarks(entry: EntryFull) -> tuple[Remark, ...]:
    return () if entry.dice_remarks is None else load(tuple[Remark, ...], entry.dice_remarks)


def _wordings(entry: EntryFull, around: Around) -> tuple[Wording, ...]:
    """List the wordings of a story: that of the entry itself, and what was put in its place."""
    rows = around.wordings.get(entry.number, ())
    told = (
        (entry.number, entry.at, entry.narration),
        *((r.number, r.at, r.narration) for r in rows),
    )
    return tuple(
        Wording(
            entry=number,
            at=at,
            narration=Narration() if text is None else load(Narration, text),
        )
        for number, at, text in told
    )


def _first_seen(
    first: tuple[Finding, ...], own: Veil | None, veil: Veil | None
) -> tuple[Finding, ...]:
    """Show what an amended entry came to first, unless any of it is out of sight since then.

    Its veil counts other findings than these, so that nobody could say which to leave out.
    """
    if veil is not None and (veil.author or veil.findings):
        return ()
    return findings_seen(first, own)


def _order(ruleset: Game, scene: SceneNow, entry: EntryFull) -> Any:
    """Read the order; one of another edition perhaps only as the data it was stored as."""
    if entry.order is None:
        return None
    try:
        return read_stored_order(ruleset, entry.order)
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return read_stored(entry.order)
