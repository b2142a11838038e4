"""The worked cases that come with Arbitro: numbered, run when somebody asks, kept as they went."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app import catalogue
from app.config import CASES
from app.ops.cases import Case, files_under, read_cases
from app.ops.runner import Outcome, outcome_of

_CHAPTER: Final = re.compile(r"[A-Z]+-([0-9]+)\.")
LEFT_TO_PEOPLE: Final = ("narrative", "external")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A case with its number in the catalogue and the file it stands in."""

    number: int
    file: str
    case: Case

    @property
    def id(self) -> str:
        """Give the case's own id."""
        return self.case.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which cases are asked for; what is None or empty does not narrow them down.

    Chapter 0 are the cases that belong to none, such as whole fights.
    """

    chapter: int | None = None
    op: str = ""
    rule: str = ""
    passed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many rules of a chapter are proved; ``chapter`` None is the whole book.

    A rule is proved by a case that names it and passes, if none that names it fails. Rules that
    are left to people count neither way; ``unproved`` are all the others.
    """

    chapter: int | None
    rules: int
    proved: int
    unproved: tuple[str, ...]
    left_to_people: tuple[str, ...]

    @property
    def share(self) -> int:
        """Give the share in whole per cent, rounded down: 100 means all."""
        return 100 * self.proved // self.rules if self.rules else 100


@dataclass(slots=True)
class Casebook:
    """All cases in their order, and how those that were asked for went."""

    cases: tuple[Numbered, ...]
    by_id: Mapping[str, Numbered]
    by_rule: Mapping[str, tuple[Numbered, ...]]
    _outcomes: dict[str, Outcome] = field(default_factory=dict)

    def outcome(self, case: Numbered) -> Outcome:
        """Run a case, or remember how it went."""
        found = self._outcomes.get(case.id)
        if found is None:
            found = self._outcomes[case.id] = outcome_of(case.case)
        return found

    def passes(self, case: Numbered) -> bool:
        """Say whether a case passes."""
        return not self.outcome(case).wrong

    def find(self, wanted: Filter) -> tuple[Numbered, ...]:
        """List the cases that are asked for; only a wish for a result makes them run."""
        pool = self.by_rule.get(wanted.rule, ()) if wanted.rule else self.cases
        return tuple(
            one
            for one in pool
            if (wanted.chapter is None or (one.case.chapter or 0) == wanted.chapter)
            and (not wanted.op or one.case.op == wanted.op)
            and (wanted.passed is None or self.passes(one) == wanted.passed)
        )

    def coverage(self) -> tuple[Coverage, ...]:
        """Tell chapter by chapter which rules are proved, and of the whole book at the end."""
        named: dict[bool, set[str]] = {True: set(), False: set()}
        for one in self.cases:
            named[self.passes(one)].update(one.case.rules)
        proved = named[True] - named[False]
        chapters: dict[int, list[catalogue.RuleText]] = {}
        for rule in catalogue.rules().values():
            chapters.setdefault(chapter_of(rule.id), []).append(rule)
        parts = [_coverage(chapter, rules, proved) for chapter, rules in chapters.items()]
        return (*parts, _coverage(None, catalogue.rules().values(), proved))


def chapter_of(rule: str) -> int:
    """Give the chapter of a rule: ``GC-5.3`` is of chapter 5, ``WD-5`` of none, which is 0."""
    chapter = _CHAPTER.match(rule)
    return int(chapter[1]) if chapter else 0


def casebook(folder: Path = CASES) -> Casebook:
    """Give the cases of a folder; they are read again when a file has changed.

    A deployment without that folder has none.
    """
    files = tuple(files_under(folder)) if folder.exists() else ()
    state = tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    kept = _BOOKS.get(folder)
    if kept is None or kept[0] != state:
        kept = _BOOKS[folder] = (state, _read(folder, files))
    return kept[1]


_State = tuple[tuple[Path, int, int], ...]
_BOOKS: Final[dict[Path, tuple[_State, Casebook]]] = {}


def _read(folder: Path, files: Iterable[Path]) -> Casebook:
    found: list[Numbered] = []
    by_rule: dict[str, list[Numbered]] = {}
    for file in files:
        for case in read_cases(file, named=False):
            one = Numbered(len(found) + 1, file.relative_to(folder).as_posix(), case)
            found.append(one)
            for rule in dict.fromkeys(case.rules):
                by_rule.setdefault(rule, []).append(one)
    return Casebook(
        cases=tuple(found),
        by_id={one.id: one for one in reversed(found)},
        by_rule={rule: tuple(cases) for rule, cases in by_rule.items()},
    )


def _coverage(
    chapter: int | None, rules: Iterable[catalogue.RuleText], proved: set[str]
) -> Coverage:
    rows = list(rules)
    left = tuple(rule.id for rule in rows if rule.status in LEFT_TO_PEOPLE)
    due = [rule.id for rule in rows if rule.status not in LEFT_TO_PEOPLE]
    unproved = tuple(id for id in due if id not in proved)
    return Coverage(
        chapter=chapter,
        rules=len(due),
        proved=len(due) - len(unproved),
        unproved=unproved,
        left_to_people=left,
    )
