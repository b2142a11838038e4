"""The rulebook as pages: a list, and one for each rule and each reading of a doubtful point."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from itertools import groupby
from typing import Final

from fastapi import APIRouter
from starlette.responses import Response

from app import catalogue
from app.config import CASES
from app.engine.numbers import exact, written
from app.ops.cases import Case, files_under, read_cases
from app.services.errors import NotFound
from app.web.pages import page
from app.web.texts import marked, translated
from app.web.visit import Here

router = APIRouter()
MOST_EXAMPLES: Final = 6  # of a rule: enough to see both sides of its thresholds
STATUS = {
    "implemented": marked("applied by this edition"),
    "planned": marked("not applied yet"),
    "narrative": marked("told in the story, decided by nobody's dice"),
    "external": marked("left to other regulations of the forum"),
}


@router.get("/rules")
async def index(here: Here) -> Response:
    """List the rules by chapter, and the readings."""
    rules = catalogue.rules().values()
    chapters = [
        (chapter, list(found)) for chapter, found in groupby(rules, lambda rule: _chapter(rule.id))
    ]
    rulings = list(catalogue.rulings().values())
    return page(here, "rules/index.html", chapters=chapters, rulings=rulings)


@router.get("/rules/{rule_id}")
async def show(here: Here, rule_id: str) -> Response:
    """Show a rule with how its doubts are read, or such a reading with the rules it settles."""
    rule = catalogue.rules().get(rule_id)
    if rule is not None:
        status = translated(here.language, STATUS.get(rule.status, rule.status))
        rulings = [one for one in map(catalogue.rulings().get, rule.rulings) if one is not None]
        examples = _examples().get(rule_id, ())
        return page(
            here,
            "rules/show.html",
            found=rule,
            is_rule=True,
            state=status,
            rulings=rulings,
            examples=examples[:MOST_EXAMPLES],
            more=max(0, len(examples) - MOST_EXAMPLES),
        )
    ruling = catalogue.rulings().get(rule_id)
    if ruling is None:
        raise NotFound
    used_by = [rule for rule in catalogue.rules().values() if rule_id in rule.rulings]
    return page(
        here,
        "rules/show.html",
        found=ruling,
        is_rule=False,
        rulings=[],
        examples=(),
        more=0,
        used_by=used_by,
    )


@dataclass(frozen=True, slots=True)
class Example:
    """A worked case of a rule, as the page shows it."""

    id: str
    title: str
    op: str
    given: str
    expect: str


@cache
def _examples() -> Mapping[str, tuple[Example, ...]]:
    """Read the worked cases once, by the rules they prove; the shortest come first."""
    cases = [case for path in files_under(CASES) for case in read_cases(path, named=False)]
    found: dict[str, list[Example]] = {}
    for case in sorted(cases, key=lambda case: len(str(case.given))):
        for rule in case.rules:
            found.setdefault(rule, []).append(_example(case))
    return {rule: tuple(examples) for rule, examples in found.items()}


def _example(case: Case) -> Example:
    return Example(case.id, case.title, case.op, _told(case.given), _told(case.expect))


def _told(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, default=_number)


def _number(value: object) -> int | float | str:
    if isinstance(value, Decimal):
        return written(exact(value))
    raise TypeError(f"{value!r} has no place in a case")


def _chapter(rule_id: str) -> str:
    """Give the chapter of a rule: ``GC-5.3`` is of chapter 5."""
    return rule_id.partition("-")[2].partition(".")[0]
