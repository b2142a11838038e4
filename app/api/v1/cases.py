"""The worked cases: what they say, whether they pass now, and which rules they prove."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import CHECKED, answer
from app.api.operations import operation
from app.api.parameters import (
    AfterNumber,
    CaseId,
    Chapter,
    GameQuery,
    Limit,
    OpName,
    Result,
    RuleQuery,
)
from app.api.parts import part
from app.api.v1.answers import CaseLine, CaseList, CaseRead, CoverageList, CoverageTold
from app.http.aside import aside
from app.ops.casebook import Casebook, Coverage, Filter, Numbered, casebook
from app.services.errors import NotFound

router: Final = part("reference", dependencies=[CHECKED])


@router.get("/cases")
@operation(CaseList)
async def list_cases(
    game: GameQuery = "",
    chapter: Chapter = None,
    op: OpName = None,
    result: Result = None,
    rule: RuleQuery = None,
    after: AfterNumber = 0,
    limit: Limit = 50,
) -> Response:
    """List the cases in their order, or those that are asked for."""
    passed = None if result is None else result == "passed"
    wanted = Filter(game=game, chapter=chapter, op=op or "", rule=rule or "", passed=passed)
    return answer(await aside(_listed, wanted, after, limit))


@router.get("/cases/{case_id}")
@operation(CaseRead)
async def read_case(case_id: CaseId) -> Response:
    """Run a case, or remember how it went."""
    book = casebook()
    one = book.by_id.get(case_id)
    if one is None:
        raise NotFound
    outcome = await aside(book.outcome, one)
    return answer(
        CaseRead(
            case=_line(book, one),
            note=one.case.note,
            given=one.case.given,
            expect=one.case.expect,
            got=outcome.got,
            wrong=outcome.wrong,
        )
    )


@router.get("/coverage")
@operation(CoverageList)
async def read_coverage(game: GameQuery = "") -> Response:
    """Tell which rules the cases prove."""
    *chapters, total = await aside(casebook().coverage, game)
    return answer(CoverageList(chapters=tuple(map(_told, chapters)), total=_told(total)))


def _listed(wanted: Filter, after: int, limit: int) -> CaseList:
    book = casebook()
    found = book.find(wanted)
    passed = sum(map(book.passes, found))
    rest = [one for one in found if one.number > after]
    return CaseList(
        cases=tuple(_line(book, one) for one in rest[:limit]),
        passed=passed,
        failed=len(found) - passed,
        next=rest[limit - 1].number if len(rest) > limit else None,
    )


def _line(book: Casebook, one: Numbered) -> CaseLine:
    return CaseLine(
        number=one.number,
        id=one.id,
        title=one.case.title,
        game=one.case.game,
        op=one.case.op,
        chapter=one.case.chapter,
        rules=one.case.rules,
        passed=book.passes(one),
    )


def _told(part: Coverage) -> CoverageTold:
    return CoverageTold(
        game=part.game or None,
        chapter=part.chapter,
        rules=part.rules,
        proved=part.proved,
        share=part.share,
        unproved=part.unproved,
        left_to_people=part.left_to_people,
    )
