"""Deciding: every order of a player or of the Master, its dice, and taking it back."""

from __future__ import annotations

from typing import Final, TypeVar

from starlette.responses import Response

from app.api.call import Call, Here, about, answer, tag
from app.api.operations import operation
from app.api.parameters import Key, Number, SceneId, Version
from app.api.parts import part
from app.api.v1.answers import OrderPreview
from app.api.v1.bodies import Faces, NewOrder, NewOrders, PublicReason, SentOrder
from app.api.v1.telling import preview_told
from app.persistence.codec import decode
from app.services import amending, scenes, turns
from app.services.entry_shapes import (
    Decided,
    DecidedSeries,
    GivenDice,
    Ordered,
    Series,
    Submission,
    TakeBack,
)
from app.services.errors import Malformed
from app.services.games import game, read_order
from app.services.places import check_places

router: Final = part("turns")

N = TypeVar("N", bound=NewOrder)
AT_THIS_POINT: Final = (
    *("key_reused", "dice_awaited", "other_edition", "head_unknown"),
    *("dice_key_lost", "dice_used_up", "beacon_missing"),
)


async def read_new_order(here: Call, scene_id: str, wanted: type[N]) -> N:
    """Read an order with its story; raise Malformed with what is wrong in either."""
    data = await here.json()
    try:
        return decode(wanted, data)
    except Malformed as error:
        # Only the scene knows which orders there are, so the rest of the body is read without it.
        found = error.mistakes
    if isinstance(data, dict) and "order" in data:
        scene = await here.run(scenes.read_scene, here.principal, scene_id)
        try:
            read_order(game(scene.ruleset), data["order"])
        except Malformed as error:
            found += error.mistakes
    raise Malformed(*found)


def _submission(new: SentOrder, version: int, key: str) -> Submission:
    return Submission(
        order=new.order,
        narration=new.narration,
        version=version,
        key=key,
        keep=new.keep_as_precedent,
        head=new.head,
    )


def decided(scene_id: str, done: Decided) -> Response:
    """Answer a decision with its new version, and where its entry is to be read."""
    where = {"Location": f"/api/v1/scenes/{scene_id}/entries/{done.number}"}
    return answer(done, 201, {**tag(done.version), **where})


@router.post("/scenes/{scene_id}/preview")
@operation(OrderPreview, body=NewOrder, refuses=("other_edition",))
async def preview_order(here: Here, scene_id: SceneId) -> Response:
    """Say what an order would meet, without dice and without storing anything."""
    new = await read_new_order(here, scene_id, NewOrder)
    found = await here.run(turns.preview, here.principal, scene_id, new.order)
    scene = await here.run(scenes.read_scene, here.principal, scene_id)
    if found.plan is not None:
        check_places(scene.ruleset, new.narration, found.plan.asked)
    return answer(preview_told(found, scene, new.narration, here.language))


@router.post("/scenes/{scene_id}/orders", status_code=201)
@operation(Decided, body=SentOrder, status=201, refuses=("refused", *AT_THIS_POINT))
async def submit_order(here: Here, scene_id: SceneId, version: Version, key: Key) -> Response:
    """Decide: a player's turn, or anything else that a player or the Master orders."""
    new = await read_new_order(here, scene_id, SentOrder)
    submission = _submission(new, version, key)
    with about("order"):
        done = await here.run(turns.decide, here.world, here.principal, scene_id, submission)
    return decided(scene_id, done)


@router.post("/scenes/{scene_id}/series", status_code=201)
@operation(
    DecidedSeries,
    body=NewOrders,
    status=201,
    refuses=("refused", "dice_between", *AT_THIS_POINT),
)
async def submit_series(here: Here, scene_id: SceneId, version: Version, key: Key) -> Response:
    """Decide several orders in a row, all of them or none."""
    new = await here.read(NewOrders)
    orders = tuple(
        Ordered(order=one.order, narration=one.narration, keep=one.keep_as_precedent)
        for one in new.orders
    )
    series = Series(orders=orders, version=version, key=key, head=new.head)
    with about("orders"):
        done = await here.run(turns.decide_several, here.world, here.principal, scene_id, series)
    first, last = done.entries[0].number, done.entries[-1].number
    where = f"/api/v1/scenes/{scene_id}/joint-post/{first}/{last}"
    return answer(done, 201, {**tag(done.version), "Location": where})


@router.post("/scenes/{scene_id}/entries/{number}/dice", status_code=201)
@operation(
    Decided,
    body=Faces,
    status=201,
    refuses=("refused", "key_reused", "dice_not_awaited", "other_edition"),
)
async def give_dice(
    here: Here, scene_id: SceneId, number: Number, version: Version, key: Key
) -> Response:
    """Give the dice that the forum rolled for a declared entry."""
    told = await here.read(Faces)
    given = GivenDice(faces=told.faces, modifiers=told.modifiers, version=version, key=key)
    done = await here.run(
        turns.give_dice,
        here.world,
        here.principal,
        scene_id,
        number,
        given,
        by_plugin=here.has_key,
    )
    return decided(scene_id, done)


@router.post("/scenes/{scene_id}/entries/{number}/amend", status_code=201)
@operation(
    Decided,
    body=NewOrder,
    status=201,
    refuses=("refused", "not_in_effect", "other_dice_needed", *AT_THIS_POINT),
)
async def amend_turn(
    here: Here, scene_id: SceneId, number: Number, version: Version, key: Key
) -> Response:
    """Put an order of the Master in front of any decision in effect; the same dice meet it."""
    new = await read_new_order(here, scene_id, SentOrder)
    submission = _submission(new, version, key)
    with about("order"):
        done = await here.run(
            amending.amend, here.world, here.principal, scene_id, number, submission
        )
    return decided(scene_id, done)


@router.post("/scenes/{scene_id}/void", status_code=201)
@operation(
    Decided,
    body=PublicReason,
    status=201,
    refuses=("key_reused", "nothing_to_void", "other_edition"),
)
async def void_decision(here: Here, scene_id: SceneId, version: Version, key: Key) -> Response:
    """Take back the last decision in effect, as the Master."""
    reason = (await here.read(PublicReason)).reason
    take_back = TakeBack(reason=reason, version=version, key=key)
    done = await here.run(turns.void_last, here.world, here.principal, scene_id, take_back)
    return decided(scene_id, done)
