"""How the board reads doubtful points, for everybody to see: each with its readings and dates."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.catalogue import books, rules, rulings
from app.http.language import LANGUAGES, Language
from app.services import readings
from app.services.errors import NotFound
from app.services.lookup import LONGEST_QUERY, fold
from app.services.readings import Ambiguity, OptionRead, PinnedOption, Reading
from app.services.run import run
from app.web.board_form import title, word
from app.web.numbers import shown
from app.web.pages import RULESET, page
from app.web.texts import marked, translated
from app.web.visit import Here

router = APIRouter()
_ID: Final = re.compile(r"\b[A-Z]{2,5}(?:-[A-Z0-9]+){1,2}(?:\.[0-9]+)?\b", re.IGNORECASE)
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


@router.get("/boards/{board_id}/options")
async def show(here: Here) -> Response:
    """Show every doubtful point of a game, or those of any that hold every word of a search."""
    asked = here.request.query_params
    query = asked.get("q", "").strip()[:LONGEST_QUERY]
    game = asked.get("game", "") or ("" if query else RULESET)
    if game not in ("", *books()):
        raise NotFound
    ids = frozenset(id.upper() for id in _ID.findall(query)) & _known()
    words = fold(_ID.sub(lambda id: " " if id[0].upper() in ids else id[0], query)).split()
    found = [
        (book, one)
        for book in ([game] if game else books())
        for one in await run(here.db, readings.ambiguities, here.board, book)
        if _holds(book, one, ids, words)
    ]
    return page(
        here,
        "board/options.html",
        ruleset=game,
        game=game,
        books=books(),
        query=query,
        points=[
            (book, one, [_shown(here.language, book, option) for option in one.options])
            for book, one in found
        ],
    )


def _known() -> frozenset[str]:
    """List the numbers of all rules and doubts."""
    return frozenset(id.upper() for id in (*rules(), *rulings()))


def pinned_shown(
    language: Language, ruleset: str, differing: Iterable[PinnedOption]
) -> list[PinnedShown]:
    """Tell in words where a scene of a game and the board differ."""
    return [
        PinnedShown(
            pinned=one,
            title=title(language, ruleset, one.option),
            scene=spoken(language, ruleset, one.option, one.scene),
            board=spoken(language, ruleset, one.option, one.board),
        )
        for one in differing
    ]


def spoken(language: Language, ruleset: str, option: str, value: Any) -> str:
    """Say what an option is set to."""
    match value:
        case bool():
            return translated(language, marked("yes") if value else marked("no"))
        case None if ruleset != RULESET:
            return word(language, ruleset, option, "none")
        case None | []:
            return translated(language, marked("nothing"))
        case list():
            return ", ".join(spoken(language, ruleset, option, one) for one in value)
        case Mapping():
            return " · ".join(
                f"{key} {spoken(language, ruleset, option, one)}" for key, one in value.items()
            )
        case int():
            return shown(language, value)
        case _:
            return word(language, ruleset, option, str(value))


def _shown(language: Language, ruleset: str, one: OptionRead) -> OptionShown:
    return OptionShown(
        option=one,
        title=title(language, ruleset, one.option),
        value=spoken(language, ruleset, one.option, one.value),
        default=spoken(language, ruleset, one.option, one.default),
        readings=tuple(
            ReadingShown(_name(language, ruleset, one.option, reading.value), reading)
            for reading in one.readings
        ),
        changes=tuple(
            TurnedShown(
                before=spoken(language, ruleset, one.option, change.before),
                after=spoken(language, ruleset, one.option, change.after),
                at=change.at,
            )
            for change in one.changes
        ),
    )


def _name(language: Language, ruleset: str, option: str, key: str) -> str:
    """Name a reading by its value."""
    if key in ("true", "false"):
        return spoken(language, ruleset, option, key == "true")
    if key in OPEN_ENDED:
        names = {"number": marked("a number"), "list": marked("a list"), "table": marked("a table")}
        return translated(language, names[key])
    return word(language, ruleset, option, key)


def _holds(ruleset: str, one: Ambiguity, ids: frozenset[str], words: list[str]) -> bool:
    """Say whether a point has these numbers, and words that begin so, in any language."""
    if not ids <= {one.id, *one.rules}:
        return False
    texts: list[str] = []
    for language in LANGUAGES:
        texts += [one.title[language], one.statement[language]]
        for option in one.options:
            texts += [option.option.replace("_", " "), title(language, ruleset, option.option)]
            texts += [reading.text[language] for reading in option.readings]
    told = fold(" ".join(texts))
    return all(f" {word}" in told for word in words)
