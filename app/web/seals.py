"""What a browser gives to the dice of a scene by itself: a sealed salt for each of its seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from app.services import sealing
from app.services.dice_shapes import DiceRead
from app.services.errors import Conflict
from app.services.run import run
from app.web.forms import text_at
from app.web.pages import see
from app.web.visit import Here, Id, Visit

router = APIRouter()


@router.get("/scenes/{scene_id}/seals.json")
async def show(here: Here, scene_id: Id) -> Response:
    """Say what the seats have given, and whether salts are shown now."""
    return await _state(here, scene_id)


@router.post("/scenes/{scene_id}/seal")
async def seal(here: Here, scene_id: Id) -> Response:
    """Take the seal of a seat."""
    return await _given(here, scene_id, sealing.seal, "seal")


@router.post("/scenes/{scene_id}/salt")
async def salt(here: Here, scene_id: Id) -> Response:
    """Take the salt of a seat."""
    return await _given(here, scene_id, sealing.show, "salt")


@router.post("/scenes/{scene_id}/waive")
async def waive(here: Here, scene_id: Id) -> Response:
    """Let a seat play without a salt: for browsers without scripts."""
    seat = text_at(await here.form(), "seat")
    await run(here.db, sealing.waive, here.world, here.principal, scene_id, seat)
    return see(f"/scenes/{scene_id}")


async def _given(here: Visit, scene_id: str, take: Callable[..., DiceRead], name: str) -> Response:
    form = await here.form()
    seat, text = text_at(form, "seat"), text_at(form, name)
    try:
        dice = await run(here.db, take, here.world, here.principal, scene_id, seat, text)
    except Conflict:
        # Another browser was faster. The script looks at where things stand and goes on from there.
        return await _state(here, scene_id)
    return _told(dice)


async def _state(here: Visit, scene_id: str) -> Response:
    return _told(await run(here.db, sealing.read_dice, here.principal, scene_id))


def _told(dice: DiceRead) -> Response:
    seats: list[dict[str, Any]] = [
        {"seat": one.seat, "mine": one.mine, "seal": one.seal, "salt": one.salt}
        for one in dice.seats
    ]
    told = {"open": dice.open, "anchor": dice.anchor, "reveal": dice.reveal, "seats": seats}
    return JSONResponse(told)
