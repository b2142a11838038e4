"""Every code that Arbitro can answer with, in both languages, on one page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from string import Formatter
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app.catalogue import books
from app.http.language import LANGUAGES
from app.http.problem import kinds
from app.posts.phrases import SERVICE, Phrase, sections
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()
SECTIONS: Final = {"violations": 409, "questions": 409, "mistakes": 422, "tag_issues": 200}


@dataclass(frozen=True, slots=True)
class Row:
    """One code with its status and its sentences, and the game that says them so.

    ``first`` is the row to which the address of the code leads.
    """

    code: str
    game: str
    first: bool
    status: int
    it: str
    en: str


@router.get("/docs/errors")
async def errors(here: Here) -> Response:
    """List every code."""
    return page(here, "docs/errors.html", groups=groups())


def groups() -> dict[str, list[Row]]:
    """Gather the codes of the service and those of every game, by kind."""
    told: set[str] = set()
    whole = [
        _row(told, kind.code, "", kind.status, kind.detail["it"], kind.detail["en"])
        for kind in kinds().values()
    ]
    by_section = {name: list(_rows(told, name, status)) for name, status in SECTIONS.items()}
    return {"service": whole, **by_section}


def _rows(told: set[str], section: str, status: int) -> Iterator[Row]:
    """Tell a section code by code, each game's sentence in the order of the games."""
    names = {SERVICE: "", **{game: book.name for game, book in books().items()}}
    found = sorted(
        (code, place, file)
        for place, file in enumerate(names)
        for code in sections(LANGUAGES[0], file).get(section, {})
    )
    for code, _place, file in found:
        it, en = (_text(sections(language, file)[section][code]) for language in LANGUAGES)
        yield _row(told, code, names[file], status, it, en)


def _row(told: set[str], code: str, game: str, status: int, it: str, en: str) -> Row:
    first = code not in told
    told.add(code)
    return Row(code, game, first, status, it, en)


def _text(phrase: Phrase) -> str:
    """Give a phrase with places for its facts; of one that depends on a fact, every choice."""
    if isinstance(phrase, str):
        parts = Formatter().parse(phrase)
        return "".join(f"{said}{{{fact}}}" if fact else said for said, fact, _, _ in parts)
    return " / ".join(_text(part) for key, part in phrase.items() if key != "by")
