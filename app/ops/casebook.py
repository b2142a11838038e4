"""The worked cases that come with Arbitro: numbered, run when somebody asks, kept as they went."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

from app import catalogue
from app.catalogue import HOMES
from app.config import CASES
from app.ops.cases import Case, files_under, read_cases
from app.ops.results import digest_of, keep_results, read_results
from app.ops.runner import Outcome, outcome_of

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

    game: str = ""
    chapter: int | None = None
    op: str = ""
    rule: str = ""
    passed: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How many rules of a chapter are proved; ``chapter`` None is the whole book.

    Without a ``game`` it is all books together.

    A rule is proved by a case that names it and passes, if none that names it fails. Rules that
    are left to people count neither way; ``unproved`` are all the others.
    """

    game: str
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
    digest: str = ""
    _outcomes: dict[str, Outcome] = field(default_factory=dict)
    _passed: dict[str, bool] = field(default_factory=dict)
    _has_read: bool = False

    def outcome(self, case: Numbered) -> Outcome:
        """Run a case, or remember how it went."""
        found = self._outcomes.get(case.id)
        if found is None:
            found = self._outcomes[case.id] = outcome_of(case.case)
            self._passed[case.id] = not found.wrong
        return found

    def passes(self, case: Numbered) -> bool:
        """Say whether a case passes, as it went now or by this very code before."""
        self._read_kept()
        if case.id not in self._passed:
            self.outcome(case)
        return self._passed[case.id]

    def run_all(self) -> None:
        """Run every case of which it is not known how it goes, and keep how they all went."""
        self._read_kept()
        due = [one for one in self.cases if one.id not in self._passed]
        for one in due:
            self.outcome(one)
        if due and self.digest:
            keep_results(self.digest, self._passed)

    def keep(self, went: Mapping[str, bool]) -> None:
        """Keep how the cases went elsewhere by this very code, if they all ran."""
        if self.digest and went.keys() >= self.by_id.keys():
            keep_results(self.digest, went)

    def _read_kept(self) -> None:
        if self.digest and not self._has_read:
            self._passed = {**read_results(self.digest), **self._passed}
        self._has_read = True

    def find(self, wanted: Filter) -> tuple[Numbered, ...]:
        """List the cases that are asked for; only a wish for a result makes them run."""
        if wanted.passed is not None:
            self.run_all()
        pool = self.by_rule.get(wanted.rule, ()) if wanted.rule else self.cases
        return tuple(
            one
            for one in pool
            if (not wanted.game or one.case.game == wanted.game)
            and (wanted.chapter is None or (one.case.chapter or 0) == wanted.chapter)
            and (not wanted.op or one.case.op == wanted.op)
            and (wanted.passed is None or self.passes(one) == wanted.passed)
        )

    def coverage(self, game: str = "") -> tuple[Coverage, ...]:
        """Tell chapter by chapter which rules of a game (or of all) are proved; the sum is last."""
        self.run_all()
        named: dict[bool, set[str]] = {True: set(), False: set()}
        for one in self.cases:
            named[self.passes(one)].update(one.case.rules)
        proved = named[True] - named[False]
        rules = [one for one in catalogue.rules().values() if game in ("", one.ruleset)]
        parts = [
            _coverage(book, chapter, found, proved)
            for (book, chapter), found in groupby(rules, lambda one: (one.ruleset, one.chapter))
        ]
        return (*parts, _coverage(game, None, rules, proved))


def casebook(folder: Path = CASES) -> Casebook:
    """Give the cases of a folder; they are read again when a file has changed.

    Ours are followed by those that further games brought along. A deployment without the folder
    has none.
    """
    brought = [home / "cases" for home in HOMES.values()] if folder == CASES else []
    files = {
        file: file.relative_to(one).as_posix()
        for one in (folder, *brought)
        if one.exists()
        for file in files_under(one)
    }
    state = tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    kept = _BOOKS.get(folder)
    if kept is None or kept[0] != state:
        kept = _BOOKS[folder] = (state, _read(files, digest_of(files) if folder == CASES else ""))
    return kept[1]


_State = tuple[tuple[Path, int, int], ...]
_BOOKS: Final[dict[Path, tuple[_State, Casebook]]] = {}


def _read(files: Mapping[Path, str], digest: str) -> Casebook:
    found: list[Numbered] = []
    by_rule: dict[str, list[Numbered]] = {}
    for file, name in files.items():
        for case in read_cases(file, named=False):
            one = Numbered(len(found) + 1, name, case)
            found.append(one)
            for rule in dict.fromkeys(case.rules):
                by_rule.setdefault(rule, []).append(one)
    return Casebook(
        cases=tuple(found),
        by_id={one.id: one for one in reversed(found)},
        by_rule={rule: tuple(cases) for rule, cases in by_rule.items()},
        digest=digest,
    )


def _coverage(
    game: str, chapter: int | None, rules: Iterable[catalogue.RuleText], proved: set[str]
) -> Coverage:
    rows = list(rules)
    left = tuple(rule.id for rule in rows if rule.status in LEFT_TO_PEOPLE)
    due = [rule.id for rule in rows if rule.status not in LEFT_TO_PEOPLE]
    unproved = tuple(id for id in due if id not in proved)
    return Coverage(
        game=game,
        chapter=chapter,
        rules=len(due),
        proved=len(due) - len(unproved),
        unproved=unproved,
        left_to_people=left,
    )
