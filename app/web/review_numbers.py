"""The numbers of a turn that a Master may mark, in words: figures, dice, and what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.http.language import Language
from app.posts.phrases import find, say
from app.services.called import name_in
from app.services.desk_shapes import Mark, ReviewRead
from app.services.entry_shapes import EntryRead
from app.services.shapes import SceneRead
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


def numbers_of(
    scene: SceneRead, entry: EntryRead, found: ReviewRead, language: Language
) -> tuple[Numbered, ...]:
    """List what may be marked of a turn: the player's own figures, every die, every finding."""
    return (
        *_figures(entry, found, language),
        *_dice(scene, entry, language),
        *_findings(entry, language),
    )


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


def _dice(scene: SceneRead, entry: EntryRead, language: Language) -> Iterable[Numbered]:
    """Name each die by whose it is, where several threw, and by its place among its like."""
    faces = {roll.address: roll for roll in entry.rolls or ()}
    several = len({asked.actor for asked in entry.asked}) > 1
    names = [_die(scene, asked, language, several=several) for asked in entry.asked]
    many, before = Counter(names), Counter[str]()
    for place, (asked, name) in enumerate(zip(entry.asked, names, strict=True), 1):
        roll = faces.get(asked.address)
        before[name] += 1
        yield Numbered(
            on=f"die.{place}",
            name=f"{name} ({before[name]})" if many[name] > 1 else name,
            computed="" if roll is None else str(roll.face),
            came="" if roll is None or not entry.provenance else entry.provenance,
        )


def _die(scene: SceneRead, asked: Asked, language: Language, *, several: bool) -> str:
    known = find(language, scene.ruleset, "actions", asked.action)
    what = say(language, scene.ruleset, "actions", asked.action) if known else ""
    who = asked.actor if scene.view is None else name_in(scene.view, asked.actor)
    said = (who, what) if several or not what else (what,)
    return " · ".join((*filter(None, said), f"1d{asked.sides}"))


def _findings(entry: EntryRead, language: Language) -> Iterable[Numbered]:
    for place, one in enumerate(entry.findings, 1):
        yield Numbered(
            on=f"finding.{place}",
            name=say(language, entry.ruleset, "findings", one.key, one.facts),
            rule=one.rule,
            finding=one,
        )
