"""Warrior Dice without a scene: the printed warriors, and the exact odds of their duels."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import CHECKED, Here, answer
from app.api.operations import operation
from app.api.parameters import Format, WarriorId
from app.api.parts import part
from app.api.v1.answers import MatchupList, WarriorList
from app.http.aside import aside, at_length
from app.services import duels
from app.services.duel_shapes import DesignQuestion, DuelMatrix, DuelOdds, DuelQuestion, WarriorLine

router: Final = part("duels", dependencies=[CHECKED])
SOME_CSV: Final = "warrior,guerriero,cavaliere\r\nguerriero,0.50000000,0.35798937\r\n"


@router.get("/warriors")
@operation(WarriorList)
async def list_warriors() -> Response:
    """List the printed warriors with their tables."""
    return answer(WarriorList(warriors=await aside(duels.roster)))


@router.get("/warriors/{warrior_id}")
@operation(WarriorLine)
async def read_warrior(warrior_id: WarriorId) -> Response:
    """Read a printed warrior."""
    return answer(await aside(duels.warrior, warrior_id))


@router.get("/duels/matrix")
@operation(DuelMatrix, besides=(("text/csv", SOME_CSV),))
async def read_duel_matrix(kind: Format = "json") -> Response:
    """Read the chances of every printed warrior against every other."""
    if kind == "csv":
        return Response(await aside(duels.matrix_csv), media_type="text/csv; charset=utf-8")
    return answer(await aside(duels.matrix))


@router.post("/duels/odds")
@operation(DuelOdds, body=DuelQuestion, refuses=("refused",))
async def work_out_duel(here: Here) -> Response:
    """Work out the odds of a duel."""
    return answer(await at_length(duels.duel_odds, await here.read(DuelQuestion)))


@router.post("/duels/matchups")
@operation(MatchupList, body=DesignQuestion, refuses=("refused",))
async def work_out_matchups(here: Here) -> Response:
    """Work out a warrior against every printed one."""
    asked = await here.read(DesignQuestion)
    found = await at_length(duels.matchups, asked)
    return answer(MatchupList(points=duels.points_total(asked.sheet), matchups=found))
