"""The numbers of a turn that a Master may mark, in words: figures, dice, and what was found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.engine.findings import Finding
from app.http.language import Language
from app.posts.phrases import find, say
from app.services.desk_shapes import Mark, ReviewRead
from app.services.entry_shapes import EntryRead
from app.web.texts import marked, translated

NOW: Final = "_now"
"""Ends the name of a value that counts what is not in the header of a post yet."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """One number: what it is marked by, what it is called, as claimed (if at all) and as computed.

    ``rule`` asks for it, ``finding`` explains it; ``came`` is where a die came from.
    """

    on: str
    name: str
    claimed: str = ""
    computed: str = ""
    rule: str = ""
    finding: Finding | None = None
    came: str = ""

    @property
    def differs(self) -> bool:
        """Say whether the player wrote another number than was computed."""
        return bool(self.claimed) and self.claimed != self.computed


def numbers_of(entry: EntryRead, found: ReviewRead, language: Language) -> tuple[Numbered, ...]:
    """List what may be marked of a turn: the player's own figures, every die, every finding."""
    return (*_figures(entry, found, language), *_dice(entry, language), *_findings(entry, language))


def marks_told(numbers: Iterable[Numbered], marks: Iterable[Mark]) -> tuple[tuple[str, str], ...]:
    """Say marks in words: which number, and why; one that is no longer there by its code."""
    names = {one.on: one.name for one in numbers}
    return tuple((names.get(mark.on, mark.on), mark.why) for mark in marks)


def path_told(ruleset: str, language: Language, path: str) -> str:
    """Say where a number stands, if its game has words for every part of the way; else nothing."""
    words: list[str] = []
    for part in path.split("."):
        code = part.removesuffix(NOW)
        if not find(language, ruleset, "words", code):
            return ""
        word = say(language, ruleset, "words", code)
        words.append(word if code == part else translated(language, marked("%s by now")) % word)
    return " · ".join(words)


def _figures(entry: EntryRead, found: ReviewRead, language: Language) -> Iterable[Numbered]:
    for figure in found.figures:
        yield Numbered(
            on=f"figure.{figure.word}",
            name=say(language, entry.ruleset, "words", figure.word),
            claimed=str(figure.claimed),
            computed=str(figure.computed),
        )


def _dice(entry: EntryRead, language: Language) -> Iterable[Numbered]:
    faces = {roll.address: roll for roll in entry.rolls or ()}
    for place, asked in enumerate(entry.asked, 1):
        roll = faces.get(asked.address)
        known = find(language, entry.ruleset, "actions", asked.action)
        name = say(language, entry.ruleset, "actions", asked.action) if known else asked.actor
        yield Numbered(
            on=f"die.{place}",
            name=f"{name} · 1d{asked.sides}",
            computed="" if roll is None else str(roll.face),
            came="" if roll is None or not entry.provenance else entry.provenance,
        )


def _findings(entry: EntryRead, language: Language) -> Iterable[Numbered]:
    for place, one in enumerate(entry.findings, 1):
        yield Numbered(
            on=f"finding.{place}",
            name=say(language, entry.ruleset, "findings", one.key, one.facts),
            rule=one.rule,
            finding=one,
        )
