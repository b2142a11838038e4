"""The rulebook as pages: a list, and one for each rule and each reading of a doubtful point."""

from __future__ import annotations

from itertools import groupby

from fastapi import APIRouter
from starlette.responses import Response

from app import catalogue
from app.services.errors import NotFound
from app.web.pages import page
from app.web.texts import marked, translated
from app.web.visit import Here

router = APIRouter()
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
        return page(
            here, "rules/show.html", found=rule, is_rule=True, state=status, rulings=rulings
        )
    ruling = catalogue.rulings().get(rule_id)
    if ruling is None:
        raise NotFound
    used_by = [rule for rule in catalogue.rules().values() if rule_id in rule.rulings]
    return page(here, "rules/show.html", found=ruling, is_rule=False, rulings=[], used_by=used_by)


def _chapter(rule_id: str) -> str:
    """Give the chapter of a rule: ``GC-5.3`` is of chapter 5."""
    return rule_id.partition("-")[2].partition(".")[0]
