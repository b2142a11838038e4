"""Precedents of the board, and how it reads the doubtful points of its book."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import (
    BeforeNumber,
    BoardId,
    GameQuery,
    InForce,
    Key,
    Limit,
    Precedent,
    QuestionCode,
    SceneId,
    Words,
)
from app.api.parts import part
from app.api.v1.bodies import PublicReason
from app.api.v1.precedent_answers import (
    AmbiguityList,
    PrecedentList,
    PrecedentTold,
    SuggestionList,
    precedent_told,
    suggested_told,
)
from app.services import precedents, readings

router: Final = part("precedents")


@router.get("/boards/{board_id}/precedents")
@operation(PrecedentList)
async def list_precedents(
    here: Here,
    board_id: BoardId,
    q: Words = "",
    code: QuestionCode = None,
    in_force: InForce = None,
    before: BeforeNumber = None,
    limit: Limit = 50,
) -> Response:
    """List the precedents, newest first, or those that hold every word of a search."""
    found = await here.run(
        precedents.list_precedents,
        here.principal,
        board_id,
        query=q,
        code=code,
        in_force=in_force,
        before=before,
        limit=limit + 1,
    )
    more = len(found) > limit
    told = tuple(precedent_told(one, here.language) for one in found[:limit])
    return answer(PrecedentList(precedents=told, next=told[-1].precedent.number if more else None))


@router.get("/boards/{board_id}/precedents/{precedent}")
@operation(PrecedentTold)
async def read_precedent(here: Here, board_id: BoardId, precedent: Precedent) -> Response:
    """Read a precedent, in force or not."""
    found = await here.run(precedents.read_precedent, here.principal, board_id, precedent)
    return answer(precedent_told(found, here.language))


@router.post("/boards/{board_id}/precedents/{precedent}/retire")
@operation(PrecedentTold, body=PublicReason, refuses=("key_reused", "already_retired"))
async def retire_precedent(
    here: Here, board_id: BoardId, precedent: Precedent, key: Key
) -> Response:
    """Let a precedent no longer hold; it stays readable."""
    reason = (await here.read(PublicReason)).reason
    done = await here.run(
        precedents.retire_precedent, here.world, here.principal, board_id, precedent, reason, key
    )
    replayed = {"Idempotency-Replayed": "true"} if done.replayed else {}
    return answer(precedent_told(done.precedent, here.language), headers=replayed)


@router.get("/scenes/{scene_id}/suggestions")
@operation(SuggestionList)
async def list_suggestions(here: Here, scene_id: SceneId) -> Response:
    """Suggest precedents for the open questions of a scene, as its Master."""
    found = await here.run(precedents.suggest, here.principal, scene_id)
    return answer(
        SuggestionList(questions=tuple(suggested_told(one, here.language) for one in found))
    )


@router.get("/boards/{board_id}/options")
@operation(AmbiguityList, refuses=("not_found",))
async def list_ambiguities(here: Here, board_id: BoardId, game: GameQuery = "") -> Response:
    """List the doubtful points of a book, their readings, and which of them the board plays."""
    found = await here.run(readings.ambiguities, board_id, game or readings.GUIDA)
    return answer(AmbiguityList(ambiguities=found))


@router.get("/scenes/{scene_id}/options")
@operation(readings.PinnedOptions)
async def read_scene_options(here: Here, scene_id: SceneId) -> Response:
    """Read which options a scene was opened with, and which the board has changed since."""
    return answer(await here.run(readings.scene_options, scene_id))
