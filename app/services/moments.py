"""What people remember of a fight: the hardest blow, the best die, who fell, what was overruled."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from app.engine.dice import Address
from app.engine.ruleset import GM
from app.posts.write import layout_of
from app.services.entry_shapes import EntryRead
from app.services.shapes import EntryKind
from app.services.timeline import Timeline

BY_HAND: Final = ("set_value",)
"""Orders that put a figure right; one that tells of damage by hand is a blow like any other."""


class MomentKind(StrEnum):
    """What happened: a fall of the figure that decides a fight, a die, a defeat, a ruling."""

    BLOW = "blow"
    ROLL = "roll"
    DEFEAT = "defeat"
    TAKEN_BACK = "taken_back"
    AMENDED = "amended"
    RULING = "ruling"


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """One of them, at an entry; what a kind has no use for is empty.

    ``who`` is a name: who was struck or fell, whose die it was. ``figure`` fell by ``amount`` from
    ``before``; a die showed ``amount`` of ``sides``. ``about`` is the entry that was overruled.
    """

    kind: MomentKind
    entry: int
    who: str = ""
    figure: str = ""
    before: int = 0
    amount: int = 0
    sides: int = 0
    about: int | None = None
    reason: str = ""


def moments_of(timeline: Timeline, entries: Sequence[EntryRead]) -> tuple[Moment, ...]:
    """Pick the moments of a scene from what a reader may see of it, in the order of the entries."""
    found = [
        *_hardest(timeline, {one.number for one in entries if _corrects(one)}),
        *_best_die(entries),
        *_defeats(timeline),
        *_rulings(entries),
    ]
    return tuple(sorted(found, key=lambda one: one.entry))


def _corrects(entry: EntryRead) -> bool:
    """Say whether an entry puts a figure right by hand, or takes something back: nobody's blow."""
    return entry.kind is EntryKind.VOID or entry.before is not None or entry.act in BY_HAND


def _hardest(timeline: Timeline, corrections: Collection[int]) -> Iterator[Moment]:
    """Find the greatest fall of the first figure of anybody, from one step to the next."""
    falls = [
        Moment(
            kind=MomentKind.BLOW,
            entry=step.entry,
            who=person.name,
            figure=figure.key,
            before=before,
            amount=before - after,
        )
        for person in timeline.people
        for figure in person.figures[:1]
        for step, (before, after) in zip(timeline.steps[1:], pairwise(figure.values), strict=True)
        if before is not None and after is not None and after < before
        if step.entry not in corrections
    ]
    if falls:
        yield max(falls, key=lambda one: (one.amount, -one.entry))


def _best_die(entries: Sequence[EntryRead]) -> Iterator[Moment]:
    """Find the die that showed the most of its faces; of equals the one with most.

    Only dice that decided something are compared, and only of a game whose posts label each of
    them: where a game tells its dice by itself, a face is a thing and no height.
    """
    thrown = [
        Moment(
            kind=MomentKind.ROLL,
            entry=entry.number,
            who=actors[roll.address],
            amount=roll.face,
            sides=roll.sides,
        )
        for entry in entries
        if entry.rolls and entry.voided_by is None
        for actors in [_deciding(entry)]
        for roll in entry.rolls
        if roll.address in actors
    ]
    if thrown:
        yield max(thrown, key=lambda one: (one.amount / one.sides, one.sides, -one.entry))


def _deciding(entry: EntryRead) -> Mapping[Address, str]:
    """Tell whose the dice of an entry are, by name, without those that count for nothing."""
    layout = layout_of(entry.ruleset)
    if layout.tell is not None:
        return {}
    unused = layout.unused(entry.findings, entry.asked, entry.rolls or ())
    return {die.address: die.actor for die in entry.asked if die.address not in unused}


def _defeats(timeline: Timeline) -> Iterator[Moment]:
    for person in timeline.people:
        for entry in person.fell:
            yield Moment(kind=MomentKind.DEFEAT, entry=entry, who=person.name)


def _rulings(entries: Sequence[EntryRead]) -> Iterator[Moment]:
    """Go through what the Master took back, amended, or decided with a public reason."""
    for entry in entries:
        if entry.voided_by is not None:
            continue
        if entry.kind is EntryKind.VOID:
            kind, about = MomentKind.TAKEN_BACK, entry.voids
        elif entry.before is not None:
            kind, about = MomentKind.AMENDED, entry.before
        elif entry.kind is EntryKind.ORDER and entry.seat == GM and entry.reason:
            kind, about = MomentKind.RULING, None
        else:
            continue
        yield Moment(kind=kind, entry=entry.number, about=about, reason=entry.reason)
