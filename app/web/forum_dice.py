"""Dice that the forum rolled: typed in, or read from its post; and a turn withdrawn before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.persistence.codec import decode
from app.services.entry_shapes import GivenDice, PostedDice, TakeBack
from app.services.errors import STATUS, Malformed
from app.services.posted_dice import give_posted_dice, read_posted_dice
from app.services.run import run
from app.services.taking_back import withdraw
from app.services.turns import give_dice
from app.web.entries import entry_page
from app.web.forms import TICKED, lift, rows_at, text_at
from app.web.orders import REFUSALS
from app.web.pages import see
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Number, version_in

router = APIRouter()


@router.post("/scenes/{scene_id}/entries/{number}/dice")
async def dice(here: Here, scene_id: Id, number: Number) -> Response:
    """Take the natural dice that the forum rolled, and resolve the turn with them."""
    form = await here.form()
    data: dict[str, Any] = {
        name: [lift(kind, text_at(form, f"{name}.{index}")) for index in rows_at(form, name)]
        for name, kind in (("faces", int), ("modifiers", Fraction | None))
    }
    data |= {"version": version_in(form), "key": text_at(form, "key")}
    try:
        given = decode(GivenDice, data)
        await run(here.db, give_dice, here.world, here.principal, scene_id, number, given)
    except REFUSALS as error:
        troubles = troubles_of(error, here.request)
        return await entry_page(
            here, scene_id, number, STATUS[type(error)], data=form, troubles=troubles
        )
    return see(f"/scenes/{scene_id}/entries/{number}?sent")


@router.post("/scenes/{scene_id}/entries/{number}/dice/post")
async def post(here: Here, scene_id: Id, number: Number) -> Response:
    """Show what a pasted post shows of the dice that are awaited, or take them as they were shown.

    They are read again when they are taken: what a form says of numbers proves nothing.
    """
    form = await here.form()
    sent = {"text": text_at(form, "text"), "version": version_in(form), "key": text_at(form, "key")}
    pasted = None
    try:
        posted = decode(PostedDice, sent)
        read = (here.principal, scene_id, number, posted.text)
        pasted = await run(here.db, read_posted_dice, *read)
        if pasted.mistakes:
            raise Malformed(*pasted.mistakes)
        if text_at(form, "seen") == TICKED:
            given = (here.principal, scene_id, number, posted)
            await run(here.db, give_posted_dice, here.world, *given)
            return see(f"/scenes/{scene_id}/entries/{number}?sent")
    except REFUSALS as error:
        refused = {"data": form, "failing": "paste-", "troubles": troubles_of(error, here.request)}
        status = STATUS[type(error)]
        return await entry_page(here, scene_id, number, status, pasted=pasted, **refused)
    return await entry_page(here, scene_id, number, data=form, failing="paste-", pasted=pasted)


@router.post("/scenes/{scene_id}/entries/{number}/withdraw")
async def take_back(here: Here, scene_id: Id, number: Number) -> Response:
    """Withdraw a declared turn of one's own whose dice have not fallen."""
    form = await here.form()
    try:
        taken = TakeBack(
            reason=text_at(form, "reason"), version=version_in(form), key=text_at(form, "key")
        )
        await run(here.db, withdraw, here.world, here.principal, scene_id, number, taken)
    except REFUSALS as error:
        refused = {"data": form, "failing": "back-", "troubles": troubles_of(error, here.request)}
        return await entry_page(here, scene_id, number, STATUS[type(error)], **refused)
    return see(f"/scenes/{scene_id}/entries/{number}?withdrawn")
