"""Beings of a campaign, which every duel changes and the next one begins with."""

from __future__ import annotations

from typing import Final

from starlette.responses import Response

from app.api.call import Call, Here, answer, tag
from app.api.operations import operation
from app.api.parameters import KEYED, BeingId, BoardId, Key, Version
from app.api.parts import part
from app.api.v1.answers import BeingEntered, BeingList, SecretLink
from app.api.v1.bodies import NewBeing, NextBeing
from app.api.v1.scenes import secret_link
from app.services import beings
from app.services.being_shapes import BeingRead, EnteredBeing

router: Final = part("beings")


@router.get("/boards/{board_id}/beings")
@operation(BeingList)
async def list_beings(here: Here, board_id: BoardId) -> Response:
    """List the beings that the caller looks after."""
    found = await here.run(beings.list_beings, here.principal, board_id)
    return answer(BeingList(beings=found))


@router.post("/boards/{board_id}/beings", status_code=201)
@operation(BeingEntered, body=NewBeing, status=201, refuses=("not_found", "refused", "key_reused"))
async def add_being(here: Here, board_id: BoardId, key: Key) -> Response:
    """Let a new being enter, and show its secret this once."""
    new = await here.read(NewBeing)
    made = await here.run(
        beings.add_being,
        here.world,
        here.principal,
        board_id,
        new.sheet,
        key,
        new.ruleset,
        name=new.name,
    )
    return _entered(here, made)


@router.get("/beings/{being_id}")
@operation(BeingRead)
async def read_being(here: Here, being_id: BeingId) -> Response:
    """Read a being with every version of it."""
    being = await here.run(beings.read_being, here.principal, being_id)
    return answer(being, headers=tag(being.version))


@router.post("/beings/{being_id}/successor", status_code=201)
@operation(
    BeingEntered,
    body=NextBeing,
    status=201,
    refuses=("refused", "key_reused", "being_not_banished", "being_has_successor"),
)
async def add_successor(here: Here, being_id: BeingId, key: Key) -> Response:
    """Let another being enter in the place of a banished one."""
    new = await here.read(NextBeing)
    made = await here.run(
        beings.add_successor,
        here.world,
        here.principal,
        being_id,
        new.sheet,
        key,
        name=new.name,
    )
    return _entered(here, made)


@router.post("/beings/{being_id}/retire", dependencies=[KEYED])
@operation(BeingRead, refuses=("being_not_active", "being_is_fighting"))
async def retire_being(here: Here, being_id: BeingId, version: Version) -> Response:
    """Let a being go; what it was can still be read."""
    being = await here.run(beings.retire_being, here.world, here.principal, being_id, version)
    return answer(being, headers=tag(being.version))


@router.post("/beings/{being_id}/link", status_code=201, dependencies=[KEYED])
@operation(SecretLink, status=201)
async def reissue_being_link(here: Here, being_id: BeingId) -> Response:
    """Make a new secret for the owner of a being and revoke the one before."""
    secret = await here.run(beings.reissue_being_link, here.world, here.principal, being_id)
    return answer(secret_link(here, secret), 201)


def _entered(here: Call, made: EnteredBeing) -> Response:
    told = BeingEntered(
        being_id=made.being_id, owner=secret_link(here, made.secret), replayed=made.replayed
    )
    return answer(told, 201, {"Location": f"/api/v1/beings/{made.being_id}"})
