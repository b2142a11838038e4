"""Whatever is decided beside a turn comes in here, from the players' forms and the Master's."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.ruleset import GM
from app.persistence.codec import encode
from app.rulesets import RULESETS
from app.rulesets.guida.rulings import (
    Join,
    ReplaceSheet,
)
from app.services.amending import amend
from app.services.entry_shapes import Ordered, Series, Submission, TakeBack
from app.services.errors import STATUS, Conflict, KeyReused, Malformed, Refused, Stale
from app.services.run import run
from app.services.scenes import read_scene
from app.services.sheets import read_sheet
from app.services.turns import decide, decide_several, void_last
from app.web.forms import TICKED, Nested, form_name, is_index, text_at
from app.web.games import PAGES
from app.web.games.orders import plain_order
from app.web.gm import gm_page
from app.web.order_form import write_joins, write_order
from app.web.pages import see
from app.web.scenes import scene_page
from app.web.troubles import troubles_of
from app.web.visit import Here, Id, Visit, id_in, version_in
from app.web.written import Written

router = APIRouter()
REFUSALS = (Malformed, Refused, Conflict, Stale, KeyReused)


@router.post("/scenes/{scene_id}/orders")
async def order(here: Here, scene_id: Id) -> Response:
    """Decide an order, or put it in front of the last turn where the form says so."""
    form = await here.form()
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.ruleset in PAGES:
        written = plain_order(form, RULESETS[scene.ruleset].orders)
        return await _decided(here, scene_id, form, written)
    try:
        written = write_order(form)
    except Malformed as error:
        return await _back(here, scene_id, form, error, Written({}))
    if written.order["kind"] in (ReplaceSheet.kind, Join.kind):
        await _put_in(here, id_in(form, "stored"), written)
    if written.order["kind"] == Join.kind:
        return await _let_enter(here, scene_id, form, written)
    return await _decided(here, scene_id, form, written)


async def _decided(
    here: Visit, scene_id: str, form: dict[str, Nested], written: Written
) -> Response:
    submission = Submission(
        order=written.order,
        version=version_in(form),
        key=text_at(form, "key"),
        keep=text_at(form, "keep_as_precedent") == TICKED,
        head=text_at(form, "head"),
    )
    before = text_at(form, "before")
    try:
        if before:
            number = int(before) if is_index(before) else 0
            decided = await run(
                here.db, amend, here.world, here.principal, scene_id, number, submission
            )
        else:
            decided = await run(here.db, decide, here.world, here.principal, scene_id, submission)
    except REFUSALS as error:
        return await _back(here, scene_id, form, error, written)
    if text_at(form, "by") == GM:
        kept = "" if decided.precedent is None else f"&kept={decided.precedent}"
        return see(f"/scenes/{scene_id}/gm?done={decided.number}{kept}")
    return see(f"/scenes/{scene_id}#entry-{decided.number}")


@router.post("/scenes/{scene_id}/void")
async def void(here: Here, scene_id: Id) -> Response:
    """Take back the last decision in effect."""
    form = await here.form()
    back = TakeBack(
        reason=text_at(form, "reason"), version=version_in(form), key=text_at(form, "key")
    )
    try:
        decided = await run(here.db, void_last, here.world, here.principal, scene_id, back)
    except REFUSALS as error:
        return await _back(here, scene_id, form, error, Written({}))
    return see(f"/scenes/{scene_id}/gm?done={decided.number}")


async def _let_enter(
    here: Visit, scene_id: str, form: dict[str, Nested], written: Written
) -> Response:
    """Let somebody enter, or several copies one after the other, all of them or none."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    people = scene.view.combatants if scene.view is not None else ()
    try:
        joins = write_joins(form, written, (one.name for one in people))
    except Malformed as error:
        return await _back(here, scene_id, form, error, written)
    series = Series(
        orders=tuple(Ordered(order=one.order) for one in joins),
        version=version_in(form),
        key=text_at(form, "key"),
        head=text_at(form, "head"),
    )
    try:
        done = await run(here.db, decide_several, here.world, here.principal, scene_id, series)
    except REFUSALS as error:
        told = Written({}, {})
        return await _back(here, scene_id, form, error, told, joins)
    return see(f"/scenes/{scene_id}/gm?done={done.entries[-1].number}")


async def _put_in(here: Visit, sheet_id: str, written: Written) -> None:
    """Put a stored sheet into the order that names it, or into who is to enter by it."""
    found = await run(here.db, read_sheet, here.principal, sheet_id)
    written.order.pop("stored", None)
    entrant = written.order.get("entrant")
    holder = entrant if isinstance(entrant, dict) else written.order
    holder["sheet"] = encode(found.sheet)


async def _back(
    here: Visit,
    scene_id: str,
    form: dict[str, Nested],
    error: Exception,
    written: Written,
    series: Sequence[Written] = (),
) -> Response:
    """Show the page that a refused form came from, with the form as it was filled in.

    What is wrong with one of a ``series`` is shown at the fields that all of it came from.
    """
    assert isinstance(error, REFUSALS)

    def rename(path: str) -> str:
        number, _, rest = form_name(path).removeprefix("orders.").partition(".")
        if not series or not number.isdecimal() or int(number) >= len(series):
            return written.rename(path)
        return series[int(number)].rename(rest.removeprefix("order."))

    again = scene_page if text_at(form, "within").startswith("own-") else gm_page
    return await again(
        here,
        scene_id,
        STATUS[type(error)],
        data=form,
        failing=text_at(form, "within"),
        troubles=troubles_of(error, here.request, rename),
    )
