"""The clock of a scene: its settings, its stops, who is away, and what was done to it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import Seat
from app.persistence.codec import decode
from app.posts.phrases import SERVICE, say
from app.services import clock
from app.services.clock_shapes import ClockLineRead, ClockRead, ClockSettings, NewVacation
from app.services.errors import Conflict, Malformed
from app.services.run import run
from app.services.scenes import read_scene
from app.web.forms import Nested, lift, text_at, ticks_at
from app.web.moments import instant_in
from app.web.pages import page, see
from app.web.stage import stage_of
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number, Visit

router = APIRouter()
HOURS: Final = ("remind_hours", "grace_hours")
STATUS: Final = {Malformed: 422, Conflict: 409}


@router.get("/scenes/{scene_id}/clock")
async def show(here: Here, scene_id: Id) -> Response:
    """Show the clock of a scene to whoever has its address."""
    return await clock_page(here, scene_id)


@router.post("/scenes/{scene_id}/clock")
async def change(here: Here, scene_id: Id) -> Response:
    """Change what the clock does, as the Master."""
    form = await here.form()
    hours: dict[str, Nested] = {name: text_at(form, name) for name in HOURS}
    read: Any = lift(ClockSettings, hours)
    read["automatic"] = bool(ticks_at(form, "automatic"))

    async def act() -> ClockRead:
        wanted = decode(ClockSettings, read)
        return await run(here.db, clock.set_clock, here.world, here.principal, scene_id, wanted)

    return await _done(here, scene_id, form, "settings-", act())


@router.post("/scenes/{scene_id}/clock/stop")
async def stop(here: Here, scene_id: Id) -> Response:
    """Stop the clock, as the Master, for a public reason."""
    form = await here.form()
    why = text_at(form, "reason")
    act = run(here.db, clock.stop_clock, here.world, here.principal, scene_id, why)
    return await _done(here, scene_id, form, "stop-", act)


@router.post("/scenes/{scene_id}/clock/go-on")
async def go_on(here: Here, scene_id: Id) -> Response:
    """Let the clock go on, as the Master."""
    act = run(here.db, clock.go_on, here.world, here.principal, scene_id)
    return await _done(here, scene_id, await here.form(), "go-", act)


@router.post("/scenes/{scene_id}/vacations")
async def say_away(here: Here, scene_id: Id) -> Response:
    """Say that a seat is away, from one time of the reader's zone to another."""
    form = await here.form()

    async def act() -> ClockRead:
        new = NewVacation(
            seat=decode(Seat, text_at(form, "seat"), "seat"),
            begins=instant_in(form, "begins", here.zone),
            ends=instant_in(form, "ends", here.zone),
        )
        return await run(here.db, clock.say_away, here.world, here.principal, scene_id, new)

    return await _done(here, scene_id, form, "away-", act())


@router.post("/scenes/{scene_id}/vacations/{number}/end")
async def come_back(here: Here, scene_id: Id, number: Number) -> Response:
    """Say that a seat is back."""
    act = run(here.db, clock.come_back, here.world, here.principal, scene_id, number)
    return await _done(here, scene_id, await here.form(), "back-", act)


async def _done(
    here: Visit, scene_id: str, form: Any, failing: str, act: Awaitable[ClockRead]
) -> Response:
    try:
        await act
    except (Malformed, Conflict) as error:
        troubles = troubles_of(error, here.request)
        more = {"data": form, "failing": failing, "troubles": troubles}
        return await clock_page(here, scene_id, STATUS[type(error)], **more)
    return see(f"/scenes/{scene_id}/clock?saved")


async def clock_page(here: Visit, scene_id: str, status: int = 200, **context: Any) -> Response:
    """Fill the page of a clock; ``context`` brings back a form of it that was refused."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    found = await run(here.db, clock.clock_of_scene, here.world, scene)
    stage = stage_of(scene, here.language)
    return page(
        here,
        "scenes/clock.html",
        status,
        scene=scene,
        stage=stage,
        clock=found,
        told=[(one, _said(here, one, stage.names)) for one in found.lines],
        zone_name=here.zone,
        saved="saved" in here.request.query_params,
        **context,
    )


def _said(here: Visit, line: ClockLineRead, names: Any) -> str:
    seat = str(line.facts.get("seat", ""))
    facts = {**line.facts, "who": names.get(seat, seat)}
    return say(here.language, SERVICE, "clock", line.what, facts)
