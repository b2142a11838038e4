"""Run the worked examples against the rules, and say of each failure what was expected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TextIO, TypeAlias

from app.ops.battle_dice import BATTLE_DICE_OPS
from app.ops.cases import Case, Chapters, files_under, read_cases
from app.ops.combat_dice import COMBAT_DICE_OPS
from app.ops.given import CaseError, Given, InputRefused
from app.ops.guida import GUIDA_OPS
from app.ops.matching import differences
from app.ops.warrior_dice import WARRIOR_DICE_OPS

Op: TypeAlias = Callable[[Given], Mapping[str, object]]

OPS: Final[dict[str, Mapping[str, Op]]] = {
    "guida": GUIDA_OPS,
    "warrior_dice": WARRIOR_DICE_OPS,
    "combat_dice": COMBAT_DICE_OPS,
    "battle_dice": BATTLE_DICE_OPS,
}
"""Game to op to adapter. An op that is not here is not adjudicated by this edition: it fails."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a case, None where nothing did, and what is wrong with it."""

    got: Mapping[str, object] | None
    wrong: tuple[str, ...]


@dataclass(slots=True)
class Report:
    """How a run went so far."""

    passed: int = 0
    failed: int = 0
    went: dict[str, bool] = field(default_factory=dict)


def run_paths(
    paths: Iterable[str | Path],
    chapters: str | None = None,
    out: TextIO | None = None,
    ops: Collection[str] = (),
    went: dict[str, bool] | None = None,
) -> int:
    """Run all cases of files and folders; return the exit status, 1 if anything failed.

    The last line is ``N passed, N failed``; a file that cannot be read counts as one failure.
    With ``ops`` only the cases of these run. In ``went`` it is noted how each one went.
    """
    out = sys.stdout if out is None else out
    report = Report(went={} if went is None else went)
    try:
        wanted = Chapters.read(chapters) if chapters else None
    except CaseError as wrong:
        wanted, report.failed = None, 1
        out.write(f"{wrong}\n")
        paths = ()

    def wants(case: Case) -> bool:
        return (wanted is None or wanted.hold(case)) and (not ops or case.op in ops)

    for path in map(Path, paths):
        _run_path(path, wants, report, out)
    out.write(f"{report.passed} passed, {report.failed} failed\n")
    return 1 if report.failed else 0


def run_case(case: Case) -> tuple[str, ...]:
    """Run one case; list what is wrong with its outcome, or nothing."""
    return outcome_of(case).wrong


def outcome_of(case: Case) -> Outcome:
    """Run one case, and keep what came out beside what is wrong with it."""
    op = OPS.get(case.game, {}).get(case.op)
    if op is None:
        return Outcome(None, (f"unknown op: {case.game}/{case.op}",))
    given = Given(case.given)
    try:
        got = op(given)
    except CaseError as wrong:
        # The dice games' cases may expect a refusal; then nothing else of theirs is checked.
        if not isinstance(case.expect, Mapping) or case.expect.get("error") is not True:
            return Outcome(None, (str(wrong),))
        told = {"error": True, "codes": wrong.codes if isinstance(wrong, InputRefused) else ()}
        due = {key: value for key, value in case.expect.items() if key in told}
        return Outcome(told, tuple(differences(due, told)))
    except Exception as wrong:  # a rule that breaks fails its case, and the others still run
        return Outcome(None, (f"{type(wrong).__name__}: {wrong}",))
    if unread := given.unread():
        return Outcome(got, (f"this edition does not know {', '.join(unread)}",))
    return Outcome(got, tuple(differences(case.expect, got)))


def _run_path(path: Path, wants: Callable[[Case], bool], report: Report, out: TextIO) -> None:
    try:
        files = tuple(files_under(path))
    except CaseError as wrong:
        report.failed += 1
        out.write(f"FAILED {path}\n  {wrong}\n")
        return
    for file in files:
        try:
            cases = read_cases(file, named=file == path)
        except CaseError as wrong:
            report.failed += 1
            out.write(f"FAILED {file}\n  {wrong}\n")
            continue
        for case in cases:
            if wants(case):
                _run_case(case, report, out)


def _run_case(case: Case, report: Report, out: TextIO) -> None:
    wrong = run_case(case)
    report.went[case.id] = not wrong
    if not wrong:
        report.passed += 1
        return
    report.failed += 1
    out.write(f"FAILED {case.id} {case.title}\n")
    out.writelines(f"  {line}\n" for line in wrong)
