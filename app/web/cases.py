"""The worked cases as pages: a numbered list with how each of them went, and one for each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.datastructures import QueryParams
from starlette.responses import Response

from app import catalogue
from app.http.aside import aside
from app.ops.casebook import Coverage, Filter, Numbered, casebook
from app.ops.matching import Row, compared
from app.persistence.codec import encode
from app.rulesets import RULESETS
from app.services.errors import NotFound
from app.web.forms import whole_of
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()
ON_A_PAGE: Final = 60
NARROWING: Final = ("game", "chapter", "op", "result", "rule")
NONE_OF_THESE: Final = -1  # a chapter that nothing belongs to


@dataclass(frozen=True, slots=True)
class Told:
    """A case as a page shows it; ``raw`` are its three parts as JSON."""

    numbered: Numbered
    passed: bool
    given: Any
    raw: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of the list, with the figures of the whole and of what was asked for."""

    cases: tuple[tuple[Numbered, bool], ...]
    found: int
    pages: int
    passed: int
    failed: tuple[Numbered, ...]
    coverage: tuple[Coverage, ...]
    total: Coverage
    ops: tuple[str, ...]
    chapters: tuple[int, ...]


@router.get("/cases")
async def index(here: Here) -> Response:
    """List the cases that are asked for, and which rules all of them prove."""
    asked = here.request.query_params
    number = max(1, _number(asked.get("page", "1"), 1))
    listed = await aside(_listed, _filter(asked), number)
    narrowed = {name: asked.get(name, "").strip() for name in NARROWING}
    return page(
        here,
        "cases/index.html",
        listed=listed,
        asked=narrowed,
        games=catalogue.books(),
        narrowed=urlencode({name: text for name, text in narrowed.items() if text}),
        number=min(number, listed.pages),
    )


@router.get("/cases/{case_id}")
async def show(here: Here, case_id: str) -> Response:
    """Show a case: what is given, what is expected, and what comes out now."""
    book = casebook()
    one = book.by_id.get(case_id)
    if one is None:
        raise NotFound
    outcome = await aside(book.outcome, one)
    rows: tuple[Row, ...] = (
        () if outcome.got is None else tuple(compared(one.case.expect, outcome.got))
    )
    told = told_case(one, not outcome.wrong, outcome.got)
    around = book.cases[max(0, one.number - 2) : one.number + 1]
    return page(
        here,
        "cases/show.html",
        ruleset=one.case.game,
        game=catalogue.books()[one.case.game],
        told=told,
        one=one,
        rows=rows,
        wrong=outcome.wrong,
        rules=[catalogue.rules()[id] for id in one.case.rules if id in catalogue.rules()],
        before=next((other for other in around if other.number == one.number - 1), None),
        after=next((other for other in around if other.number == one.number + 1), None),
    )


@router.get("/docs/runner")
async def runner(here: Here) -> Response:
    """Say what a runner of cases has to do, so that another engine may be held to them."""
    editions = {book.name: RULESETS[game].edition for game, book in catalogue.books().items()}
    return page(here, "docs/runner.html", editions=editions)


def told_case(one: Numbered, passed: bool, got: object = None) -> Told:
    """Prepare a case for a page."""
    given = encode(one.case.given)
    raw = {"given": _json(given), "expect": _json(encode(one.case.expect))}
    if got is not None:
        raw["got"] = _json(encode(got))
    return Told(one, passed, given, raw)


def _listed(wanted: Filter, number: int) -> Listed:
    book = casebook()
    found = book.find(wanted)
    pages = max(1, -(-len(found) // ON_A_PAGE))
    start = (min(number, pages) - 1) * ON_A_PAGE
    *coverage, total = book.coverage(wanted.game)
    of_game = book.find(Filter(game=wanted.game))
    failed = tuple(one for one in of_game if not book.passes(one))
    return Listed(
        cases=tuple((one, book.passes(one)) for one in found[start : start + ON_A_PAGE]),
        found=len(found),
        pages=pages,
        passed=len(of_game) - len(failed),
        failed=failed,
        coverage=tuple(coverage),
        total=total,
        ops=tuple(sorted({one.case.op for one in of_game})),
        chapters=tuple(sorted({one.case.chapter or 0 for one in of_game})),
    )


def _filter(asked: QueryParams) -> Filter:
    """Read what is asked for; what nothing can be finds nothing."""
    chapter = asked.get("chapter", "")
    return Filter(
        game=asked.get("game", ""),
        chapter=_number(chapter, NONE_OF_THESE) if chapter else None,
        op=asked.get("op", ""),
        rule=asked.get("rule", "").strip().upper(),
        passed={"passed": True, "failed": False}.get(asked.get("result", "")),
    )


def _number(text: str, default: int) -> int:
    number = whole_of(text, 6)
    return default if number is None else number


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)
