"""What of a scene's history a reader may know: nothing of anybody hidden from all their seats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.engine.findings import Finding
from app.engine.ruleset import GM, SPECTATOR, Plan, Seat, Veil
from app.persistence.codec import load, store
from app.services.access import InScene, Principal
from app.services.entry_shapes import (
    EntryRead,
    Narration,
)
from app.services.shapes import (
    EntryLine,
)


def eyes_of(principal: Principal, scene: InScene) -> tuple[Seat, ...]:
    """List the seats through which somebody sees a scene: the Master's, their own, or none."""
    if principal.is_gm(scene):
        return (GM,)
    return principal.seats(scene.id) or (SPECTATOR,)


def kept(veils: tuple[Veil, ...]) -> str | None:
    """Write veils as they are stored: nothing where everybody may know everything."""
    return store(veils, tuple[Veil, ...]) if veils else None


def veils_in(text: str | None) -> tuple[Veil, ...]:
    """Read stored veils."""
    return () if text is None else load(tuple[Veil, ...], text)


def veil_over(veils: Iterable[Veil], eyes: tuple[Seat, ...]) -> Veil | None:
    """Give what is withheld from every one of these seats; None where one knows everything."""
    by_seat = {veil.seat: veil for veil in veils}
    worn = [by_seat[seat] for seat in eyes if seat in by_seat]
    if not worn or len(worn) < len(eyes):
        return None
    first, *others = worn
    for other in others:
        first = replace(
            first,
            author=first.author and other.author,
            story=first.story and other.story,
            findings=tuple(place for place in first.findings if place in other.findings),
            dice=tuple(at for at in first.dice if at in other.dice),
        )
    return first


def of_void(veils: Iterable[Veil]) -> tuple[Veil, ...]:
    """Give what is withheld of an entry that takes another back: why, where that was secret."""
    return tuple(Veil(seat=veil.seat, story=True) for veil in veils if veil.story)


def of_correction(veils: Iterable[Veil]) -> tuple[Veil, ...]:
    """Give what is withheld of other words for a story: who told it, and what they told."""
    return tuple(
        Veil(seat=veil.seat, author=veil.author, story=veil.story)
        for veil in veils
        if veil.author or veil.story
    )


def line_seen(line: EntryLine, veil: Veil | None) -> EntryLine:
    """Show a line of the history as far as a reader may know it."""
    if veil is None:
        return line
    if veil.author:
        line = replace(line, seat="", act="", provenance="")
    return replace(line, reason="") if veil.story else line


def findings_seen(findings: tuple[Finding, ...], veil: Veil | None) -> tuple[Finding, ...]:
    """Leave out the findings that a reader may not know."""
    if veil is None:
        return findings
    return tuple(one for place, one in enumerate(findings) if place not in veil.findings)


def plan_seen(plan: Plan, veil: Veil | None) -> Plan:
    """Leave out of a plan what a reader may not know."""
    return plan if veil is None else replace(plan, findings=findings_seen(plan.findings, veil))


def entry_seen(entry: EntryRead, veil: Veil | None) -> EntryRead:
    """Show an entry as far as a reader may know it; its findings are sifted already."""
    if veil is None:
        return entry
    entry = replace(
        entry,
        asked=tuple(die for die in entry.asked if die.address not in veil.dice),
        rolls=entry.rolls and tuple(roll for roll in entry.rolls if roll.address not in veil.dice),
    )
    if veil.dice or veil.author:
        entry = replace(entry, dice_remarks=())  # they name the dice
    if veil.story:
        entry = replace(entry, order=None, narration=Narration(), wordings=(), reason="")
    if veil.author:
        entry = replace(entry, seat="", act="", provenance="", dice_by=None, dice_at=None)
    return entry
