"""Clocks: how a board keeps time, and that of a scene with its stops and vacations."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, BoardId, Number, SceneId
from app.api.parts import part
from app.services import board_time, clock
from app.services.board_time import BoardTimeChange, BoardTimeRead
from app.services.clock_shapes import ClockRead, ClockSettings, NewVacation, StopReason

router: Final = part("time")
NO_CLOCK: Final = ("other_edition", "scene_over")


@router.get("/boards/{board_id}/time")
@operation(BoardTimeRead)
async def read_board_time(here: Here, board_id: BoardId) -> Response:
    """Read how the board keeps time."""
    return answer(await here.run(board_time.read_board_time, here.principal, board_id))


@router.put("/boards/{board_id}/time", dependencies=[KEYED])
@operation(BoardTimeRead, body=BoardTimeChange, refuses=("not_found",))
async def set_board_time(here: Here, board_id: BoardId) -> Response:
    """Change how the board keeps time, as its owner."""
    change = await here.read(BoardTimeChange)
    changed = await here.run(board_time.change_board_time, here.principal, board_id, change)
    return answer(changed)


@router.get("/scenes/{scene_id}/clock")
@operation(ClockRead)
async def read_clock(here: Here, scene_id: SceneId) -> Response:
    """Read the clock of a scene."""
    return answer(await here.run(clock.read_clock, here.world, here.principal, scene_id))


@router.put("/scenes/{scene_id}/clock", dependencies=[KEYED])
@operation(ClockRead, body=ClockSettings, refuses=NO_CLOCK)
async def set_clock(here: Here, scene_id: SceneId) -> Response:
    """Change what the clock of a scene does, as its Master."""
    wanted = await here.read(ClockSettings)
    return answer(await here.run(clock.set_clock, here.world, here.principal, scene_id, wanted))


@router.post("/scenes/{scene_id}/clock/stop", dependencies=[KEYED])
@operation(ClockRead, body=StopReason, refuses=("clock_stopped", *NO_CLOCK))
async def stop_clock(here: Here, scene_id: SceneId) -> Response:
    """Stop the clock of a scene, as its Master."""
    new = await here.read(StopReason)
    found = await here.run(clock.stop_clock, here.world, here.principal, scene_id, new.reason)
    return answer(found)


@router.post("/scenes/{scene_id}/clock/go-on", dependencies=[KEYED])
@operation(ClockRead, refuses=("clock_runs", *NO_CLOCK))
async def let_clock_go_on(here: Here, scene_id: SceneId) -> Response:
    """Let the clock of a scene go on, as its Master."""
    return answer(await here.run(clock.go_on, here.world, here.principal, scene_id))


@router.post("/scenes/{scene_id}/vacations", status_code=201, dependencies=[KEYED])
@operation(ClockRead, body=NewVacation, status=201, refuses=("vacations_used_up", *NO_CLOCK))
async def add_vacation(here: Here, scene_id: SceneId) -> Response:
    """Say that a seat is away for a time."""
    new = await here.read(NewVacation)
    return answer(await here.run(clock.say_away, here.world, here.principal, scene_id, new), 201)


@router.post("/scenes/{scene_id}/vacations/{number}/end", dependencies=[KEYED])
@operation(ClockRead, refuses=("vacation_over", *NO_CLOCK))
async def end_vacation(here: Here, scene_id: SceneId, number: Number) -> Response:
    """Say that a seat is back before its vacation was over."""
    found = await here.run(clock.come_back, here.world, here.principal, scene_id, number)
    return answer(found)
