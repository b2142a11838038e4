"""What the pages of a scene show beside its view: names, effects and pending lines in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from app.engine.findings import Finding
from app.http.language import Language
from app.rulesets.guida.combatants import (
    Line,
    Running,
)
from app.rulesets.guida.effects import amount_of, subject_of
from app.rulesets.guida.senses import SOMEBODY
from app.rulesets.guida.terms import Stack, Stat
from app.rulesets.guida.view import CombatantView, SceneView
from app.services.entry_shapes import (
    EntryRead,
)
from app.services.run import run
from app.services.scenes import read_entries
from app.services.shapes import (
    SceneRead,
)
from app.web.games import PAGES
from app.web.texts import marked, translated
from app.web.visit import Visit

A_PAGE: Final = 20
WORDS: Final[Mapping[str, tuple[str, ...]]] = {"stat": tuple(Stat), "stack": tuple(Stack)}


@dataclass(frozen=True, slots=True)
class EffectLine:
    """An effect in force, in short."""

    name: str
    subject: str
    amount: Fraction
    note: str


@dataclass(frozen=True, slots=True)
class PendingLine:
    """A register line that is not recorded yet, and what it waits for."""

    finding: Finding
    note: str


@dataclass(frozen=True, slots=True)
class Stage:
    """Names and words for the pages of one scene."""

    names: Mapping[str, str]
    turns: Mapping[str, int]
    effects: Mapping[str, tuple[EffectLine, ...]]
    lines: Mapping[str, tuple[PendingLine, ...]]
    words: Mapping[str, tuple[str, ...]]


def stage_of(scene: SceneRead, language: Language) -> Stage:
    """Gather what a scene's pages say; a scene that can no longer be shown has no names."""
    if pages := PAGES.get(scene.ruleset):
        names = {} if scene.view is None else pages.names(scene.view)
        return Stage(names=names, turns={}, effects={}, lines={}, words=WORDS)
    view: SceneView | None = scene.view
    combatants = view.combatants if view is not None else ()
    names = {one.id: one.name for one in combatants}
    return Stage(
        names=names,
        turns={one.id: one.turn for one in combatants},
        effects={
            one.id: tuple(_effect(one, running, language) for running in one.effects)
            for one in combatants
        },
        lines={
            one.id: tuple(_line(line, names, language) for line in one.lines) for one in combatants
        },
        words=WORDS,
    )


async def history(
    here: Visit, scene: SceneRead, before: int | None = None
) -> tuple[list[EntryRead], int]:
    """Read a page of entries, newest first, and where the earlier ones end (0: there are none)."""
    last = len(scene.entries) if before is None else max(0, min(before - 1, len(scene.entries)))
    first = max(0, last - A_PAGE)
    entries = await run(
        here.db, read_entries, here.principal, scene.id, after=first, limit=last - first
    )
    return list(reversed(entries)), first + 1 if first else 0


def _effect(bearer: CombatantView, running: Running, language: Language) -> EffectLine:
    note = ""
    if running.since > bearer.turn:
        note = translated(language, marked("from the next turn"))
    elif running.until is not None:
        left = running.until - bearer.turn
        note = translated(language, marked("turns left: %s")) % max(0, left)
    return EffectLine(
        name=running.name,
        subject=subject_of(running.effect),
        amount=Fraction(amount_of(running.effect)),
        note=note,
    )


def _line(line: Line, names: Mapping[str, str], language: Language) -> PendingLine:
    facts: dict[str, Any] = {
        "change": line.change,
        "amount": Fraction(line.amount) if line.figure is None else line.figure,
        "name": line.name,
        "subject": line.stat or line.stack or line.subject,
        "working": line.working,
        "reason": line.reason,
        "by_hand": line.by_hand,
    }
    if not line.confirmed:
        proposed = {**facts, "by": line.by_hand, "bearer": line.by_hand}
        return PendingLine(Finding(line.rule, "line_proposed", proposed), "")
    note = ""
    if not line.posted:
        poster = names.get(line.poster or "", SOMEBODY)
        note = translated(language, marked("%s has to post the calculation")) % poster
    return PendingLine(Finding(line.rule, f"line_{line.key}", facts), note)
