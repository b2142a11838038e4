"""Case files: rules with worked examples, read exactly."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from app.ops.given import CaseError

_CHAPTERS: Final = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One worked example: what is given, and what must come of it."""

    id: str
    title: str
    game: str
    op: str
    rules: tuple[str, ...]
    chapter: int | None
    given: Mapping[str, object]
    expect: object
    note: str = ""


@dataclass(frozen=True, slots=True)
class Chapters:
    """The chapters a run is limited to, both ends included."""

    first: int
    last: int

    @classmethod
    def read(cls, text: str) -> Chapters:
        """Read ``4`` or ``1-4``; raise CaseError for anything else."""
        match = _CHAPTERS.fullmatch(text.strip())
        if match is None:
            raise CaseError(f"chapters are written 4 or 1-4, not {text!r}")
        chapters = cls(int(match[1]), int(match[2] or match[1]))
        if chapters.first > chapters.last:
            raise CaseError(f"chapters {text} run backwards")
        return chapters

    def hold(self, case: Case) -> bool:
        """Say whether a case belongs to the run; one without a chapter always does."""
        return case.chapter is None or self.first <= case.chapter <= self.last


def files_under(path: Path) -> Iterator[Path]:
    """Give a file itself, or the JSON files of a folder and of the folders in it, by name."""
    if not path.exists():
        raise CaseError("there is no such file or folder")
    yield from sorted(path.rglob("*.json")) if path.is_dir() else (path,)


def read_cases(path: Path, *, named: bool) -> tuple[Case, ...]:
    """Read the cases of a file; raise CaseError.

    A file that holds no cases at all is wrong only if it was ``named``: among the files of a
    folder there may be others.
    """
    try:
        data = json.loads(
            path.read_text(encoding="utf-8"),
            parse_float=Decimal,
            parse_constant=_no_number,
            object_pairs_hook=_object,
        )
    except OSError as broken:
        raise CaseError(f"it cannot be read: {broken.strerror}") from None
    except (ValueError, RecursionError) as broken:
        raise CaseError(f"it is not JSON: {broken}") from None
    if not isinstance(data, list) or not any(
        isinstance(one, dict) and "given" in one for one in data
    ):
        if named:
            raise CaseError("it holds no cases")
        return ()
    return tuple(_case(row, index) for index, row in enumerate(data))


def _case(row: object, index: int) -> Case:
    if not isinstance(row, dict):
        raise CaseError(f"entry {index} is not a case")
    id = row.get("id") or f"entry {index}"
    given, expect = row.get("given"), row.get("expect")
    if not isinstance(given, dict) or "expect" not in row:
        raise CaseError(f"{id} lacks given or expect")
    # The dice games name their op inside `given`, where it is no field for the op to read.
    op = row.get("op") or given.get("kind")
    if not isinstance(op, str):
        raise CaseError(f"{id} names no op")
    if "op" not in row:
        given = {key: value for key, value in given.items() if key != "kind"}
    chapter = _NUMBER.match(str(row.get("chapter", "")))
    return Case(
        id=str(id),
        title=str(row.get("title", "")),
        game=str(row.get("game", "guida")),
        op=op,
        rules=tuple(str(rule) for rule in row.get("rules", ())),
        chapter=int(chapter[0]) if chapter else None,
        given=given,
        expect=expect,
        note=str(row.get("note", "")),
    )


def _object(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key!r} stands twice in one object")
        found[key] = value
    return found


def _no_number(text: str) -> object:
    raise ValueError(f"{text} is not a number")
