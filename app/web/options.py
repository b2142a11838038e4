"""How the board reads doubtful points, for everybody to see: each with its readings and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.numbers import spelled
from app.http.language import LANGUAGES, Language
from app.services import readings
from app.services.lookup import LONGEST_QUERY, fold
from app.services.readings import Ambiguity, OptionRead, PinnedOption, Reading
from app.services.run import run
from app.web.board_form import word
from app.web.board_texts import LABELS
from app.web.pages import page
from app.web.texts import marked, translated
from app.web.visit import Here

router = APIRouter()
NUMBERS: Final = {
    "stat_bonus_source": marked("Stat bonus"),
    "potential_by_category": marked("Potential by category"),
    "potential_bonus_by_category": marked("Potential bonus by category"),
    "range_ladder_m": marked("Bounds of the ranges, in metres"),
}
_ID: Final = re.compile(r"\b(?:AMB-[0-9]+|GC-[0-9]+\.[0-9]+)\b", re.IGNORECASE)
OPEN_ENDED: Final = ("number", "list", "table")  # readings that do not tell the value itself


@dataclass(frozen=True, slots=True)
class ReadingShown:
    """One reading: what it is called, what follows from it; an open one does not tell the value."""

    name: str
    reading: Reading

    @property
    def is_open(self) -> bool:
        """Say whether any number, list or table may stand there."""
        return self.reading.value in OPEN_ENDED


@dataclass(frozen=True, slots=True)
class TurnedShown:
    """One change of an option, in words."""

    before: str
    after: str
    at: datetime


@dataclass(frozen=True, slots=True)
class OptionShown:
    """An option with its readings; its value and our default where a reading does not tell that."""

    option: OptionRead
    title: str
    value: str
    default: str
    readings: tuple[ReadingShown, ...]
    changes: tuple[TurnedShown, ...]


@dataclass(frozen=True, slots=True)
class PinnedShown:
    """An option that a scene reads otherwise than the board does by now, in words."""

    pinned: PinnedOption
    title: str
    scene: str
    board: str


@router.get("/board/options")
async def show(here: Here) -> Response:
    """Show every doubtful point, or those that hold every word of a search."""
    query = here.request.query_params.get("q", "").strip()[:LONGEST_QUERY]
    ids = frozenset(id.upper() for id in _ID.findall(query))
    words = fold(_ID.sub(" ", query)).split()
    found = [one for one in await run(here.db, readings.ambiguities) if _holds(one, ids, words)]
    return page(
        here,
        "board/options.html",
        query=query,
        points=[(one, [_shown(here.language, option) for option in one.options]) for one in found],
    )


def pinned_shown(language: Language, differing: Iterable[PinnedOption]) -> list[PinnedShown]:
    """Tell in words where a scene and the board differ."""
    return [
        PinnedShown(
            pinned=one,
            title=title_of(language, one.option),
            scene=spoken(language, one.option, one.scene),
            board=spoken(language, one.option, one.board),
        )
        for one in differing
    ]


def title_of(language: Language, option: str) -> str:
    """Name an option."""
    return translated(language, LABELS.get(option) or NUMBERS.get(option, option))


def spoken(language: Language, option: str, value: Any) -> str:
    """Say what an option is set to."""
    match value:
        case bool():
            return translated(language, marked("yes") if value else marked("no"))
        case None | []:
            return translated(language, marked("nothing"))
        case list():
            return ", ".join(spoken(language, option, one) for one in value)
        case Mapping():
            return " · ".join(
                f"{key} {spoken(language, option, one)}" for key, one in value.items()
            )
        case int():
            return spelled(value)
        case _:
            return word(language, option, str(value))


def _shown(language: Language, one: OptionRead) -> OptionShown:
    return OptionShown(
        option=one,
        title=title_of(language, one.option),
        value=spoken(language, one.option, one.value),
        default=spoken(language, one.option, one.default),
        readings=tuple(
            ReadingShown(_name(language, one.option, reading.value), reading)
            for reading in one.readings
        ),
        changes=tuple(
            TurnedShown(
                before=spoken(language, one.option, change.before),
                after=spoken(language, one.option, change.after),
                at=change.at,
            )
            for change in one.changes
        ),
    )


def _name(language: Language, option: str, key: str) -> str:
    """Name a reading by its value."""
    if key in ("true", "false"):
        return spoken(language, option, key == "true")
    if key in OPEN_ENDED:
        names = {"number": marked("a number"), "list": marked("a list"), "table": marked("a table")}
        return translated(language, names[key])
    return word(language, option, key)


def _holds(one: Ambiguity, ids: frozenset[str], words: list[str]) -> bool:
    """Say whether a point has these numbers, and words that begin so, in any language."""
    if not ids <= {one.id, *one.rules}:
        return False
    texts: list[str] = []
    for language in LANGUAGES:
        texts += [one.title[language], one.statement[language]]
        for option in one.options:
            texts += [option.option.replace("_", " "), title_of(language, option.option)]
            texts += [reading.text[language] for reading in option.readings]
    told = fold(" ".join(texts))
    return all(f" {word}" in told for word in words)
