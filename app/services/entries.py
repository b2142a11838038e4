"""Entries as they are read: with what was said about them since."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.engine.dice import Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked, Seat, Veil
from app.persistence.codec import load, read_stored
from app.persistence.queries import Correction, EntryFull, EntryHead, SceneNow
from app.posts.brought import Remark
from app.services.dice_shapes import Proof
from app.services.entry_shapes import (
    EntryRead,
    Narration,
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
from app.services.sight import entry_seen, findings_seen, line_seen, veil_over, veils_in


def corrections_of(heads: Iterable[EntryHead]) -> Corrections:
    """Gather from a history which entries were taken back or amended, and what those came to."""
    return Corrections.of(
        Correction(head.number, head.voids, head.before, head.restated)
        for head in heads
        if head.voids is not None or head.before is not None
    )


def entry_line(head: EntryHead, corrections: Corrections, eyes: tuple[Seat, ...]) -> EntryLine:
    """Read one line of a history, as far as these eyes see."""
    restated = corrections.restated.get(head.number)
    veils = veils_in(head.veils) if restated is None else restated.veils
    line = EntryLine(
        number=head.number,
        kind=EntryKind(head.kind),
        seat=head.seat,
        act=head.act,
        status=Status(head.status),
        voids=head.voids,
        before=head.before,
        voided_by=corrections.voided_by.get(head.number),
        amended_by=corrections.amended_by.get(head.number, ()),
        reason=head.reason,
        at=head.at,
        provenance=head.provenance,
    )
    return line_seen(line, veil_over(veils, eyes))


def entry_read(
    ruleset: Game,
    scene: SceneNow,
    entry: EntryFull,
    rows: Iterable[Correction],
    eyes: tuple[Seat, ...],
    proof: Proof | None = None,
) -> EntryRead:
    """Read an entry in full, as it stands after amendments, as far as these eyes see."""
    corrections = Corrections.of(rows)
    first = load(tuple[Finding, ...], entry.findings)
    asked = load(tuple[Asked, ...], entry.asked)
    restated = corrections.restated.get(entry.number)
    own = veil_over(veils_in(entry.veils), eyes)
    veil = own if restated is None else veil_over(restated.veils, eyes)
    read = EntryRead(
        number=entry.number,
        kind=EntryKind(entry.kind),
        seat=entry.seat,
        act=entry.act,
        status=Status(entry.status),
        voids=entry.voids,
        before=entry.before,
        voided_by=corrections.voided_by.get(entry.number),
        amended_by=corrections.amended_by.get(entry.number, ()),
        reason=entry.reason,
        at=entry.at,
        order=_order(ruleset, scene, entry),
        narration=Narration() if entry.narration is None else load(Narration, entry.narration),
        asked=asked if restated is None else restated.asked,
        rolls=None if entry.rolls is None else load(tuple[Roll, ...], entry.rolls),
        provenance=entry.provenance,
        dice_by=entry.dice_by,
        dice_at=entry.dice_at,
        dice_remarks=_remarks(entry),
        findings=findings_seen(first if restated is None else restated.findings, veil),
        first_findings=None if restated is None else _first_seen(first, own, veil),
        proof=proof,
        ruleset=scene.ruleset,
        edition=scene.edition,
        language=Language(scene.language),
        dialect=scene.dialect,
    )
    return entry_seen(read, veil)


def _remarks(entry: EntryFull) -> tuple[Remark, ...]:
    return () if entry.dice_remarks is None else load(tuple[Remark, ...], entry.dice_remarks)


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
