"""The dice of a scene: salts, ledger, the Master's own rolls, and what is sealed until later."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Here, answer
from app.api.operations import operation
from app.api.parameters import KEYED, Key, Line, SceneId
from app.api.parts import part
from app.api.v1.answers import ExtraList
from app.api.v1.bodies import DiceToThrow, NewPromise, OwnSalt, OwnSeal, OwnSeat, PublicReason
from app.services import extras, proofs, sealing
from app.services.dice_shapes import DiceRead, LedgerRead, Made, NewCheck

router: Final = part("dice")

NO_LEDGER: Final = ("dice_uncheckable",)
NO_DICE: Final = ("dice_key_lost", "dice_uncheckable", "other_edition")


@router.get("/scenes/{scene_id}/dice")
@operation(DiceRead, refuses=NO_LEDGER)
async def read_dice(here: Here, scene_id: SceneId) -> Response:
    """Say where the dice of a scene stand."""
    return answer(await here.run(sealing.read_dice, here.principal, scene_id))


@router.get("/scenes/{scene_id}/ledger")
@operation(LedgerRead)
async def read_ledger(here: Here, scene_id: SceneId) -> Response:
    """Read the whole ledger, line by line."""
    return answer(await here.run(proofs.read_ledger, scene_id))


@router.post("/scenes/{scene_id}/seals", dependencies=[KEYED])
@operation(DiceRead, body=OwnSeal, refuses=("salts_shown", *NO_DICE))
async def seal_salt(here: Here, scene_id: SceneId) -> Response:
    """Seal the salt of a seat."""
    own = await here.read(OwnSeal)
    args = (here.world, here.principal, scene_id, own.seat, own.seal)
    return answer(await here.run(sealing.seal, *args))


@router.post("/scenes/{scene_id}/salts", dependencies=[KEYED])
@operation(DiceRead, body=OwnSalt, refuses=("seals_awaited", *NO_DICE))
async def show_salt(here: Here, scene_id: SceneId) -> Response:
    """Show the salt that a seat had sealed."""
    own = await here.read(OwnSalt)
    args = (here.world, here.principal, scene_id, own.seat, own.salt)
    return answer(await here.run(sealing.show, *args))


@router.post("/scenes/{scene_id}/waivers", dependencies=[KEYED])
@operation(DiceRead, body=OwnSeat, refuses=NO_DICE)
async def waive_salt(here: Here, scene_id: SceneId) -> Response:
    """Let a seat play without a salt."""
    own = await here.read(OwnSeat)
    args = (here.world, here.principal, scene_id, own.seat)
    return answer(await here.run(sealing.waive, *args))


@router.post("/scenes/{scene_id}/beacon-fallback", dependencies=[KEYED])
@operation(
    DiceRead,
    body=PublicReason,
    refuses=("beacon_missing", "beacon_not_awaited", "beacon_not_late", *NO_DICE),
)
async def give_up_beacon(here: Here, scene_id: SceneId) -> Response:
    """Throw without the beacon, as the Master, a day after its round was due."""
    why = await here.read(PublicReason)
    args = (here.world, here.principal, scene_id, why.reason)
    return answer(await here.run(sealing.give_up_beacon, *args))


@router.get("/scenes/{scene_id}/extras")
@operation(ExtraList)
async def list_extras(here: Here, scene_id: SceneId) -> Response:
    """List the Master's own rolls and the sealed declarations."""
    found = await here.run(extras.read_extras, here.principal, scene_id)
    return answer(ExtraList(extras=found))


@router.post("/scenes/{scene_id}/checks", status_code=201)
@operation(
    Made,
    body=DiceToThrow,
    status=201,
    refuses=("key_reused", "salts_awaited", "dice_used_up", "dice_key_lost", "dice_uncheckable"),
)
async def roll_check(here: Here, scene_id: SceneId, key: Key) -> Response:
    """Throw dice beside any order, as the Master: in the open or hidden."""
    new = await here.read(DiceToThrow)
    check = NewCheck(label=new.label, sides=new.sides, count=new.count, hidden=new.hidden, key=key)
    args = (here.world, here.principal, scene_id, check)
    return answer(await here.run(extras.roll_check, *args), 201)


@router.post("/scenes/{scene_id}/promises", status_code=201)
@operation(Made, body=NewPromise, status=201, refuses=("key_reused", "dice_uncheckable"))
async def promise(here: Here, scene_id: SceneId, key: Key) -> Response:
    """Seal a declaration, to be told later."""
    new = await here.read(NewPromise)
    args = (here.world, here.principal, scene_id, new.seat, new.text, key)
    return answer(await here.run(extras.promise, *args), 201)


@router.post("/scenes/{scene_id}/ledger/{line}/open", status_code=201)
@operation(
    Made, status=201, refuses=("key_reused", "already_told", "dice_key_lost", "dice_uncheckable")
)
async def tell_sealed(here: Here, scene_id: SceneId, line: Line, key: Key) -> Response:
    """Tell what a line has sealed."""
    args = (here.world, here.principal, scene_id, line, key)
    return answer(await here.run(extras.tell, *args), 201)
