"""Beside the orders: the Master's own rolls, and declarations sealed now and told later."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from typing import Any

from app.engine.dice import Address
from app.engine.ruleset import GM, Seat
from app.persistence import queries
from app.persistence import queries_ledger as ledgers
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_ledger import LedgerLine, SealedLine
from app.services import salts
from app.services.access import InScene, Principal
from app.services.answers import remember, remembered
from app.services.cup import Cup
from app.services.dice_shapes import Extra, Made, NewCheck, Told
from app.services.entering import hide, seal
from app.services.errors import Conflict, NotFound
from app.services.opened import open_all
from app.services.scene_found import found
from app.services.stage import Stage
from app.services.world import World

EXTRAS = ("check", "hidden", "promise")


def roll_check(
    db: Database, world: World, principal: Principal, scene_id: str, new: NewCheck
) -> Made:
    """Throw dice of the Master's alone: of the second chain, or hidden until they are told."""
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        new = checked(NewCheck, new, "")
        this = stage.call(new.key, "roll_check", replace(new, key=""))
        if (done := remembered(connection, this)) is not None:
            return replace(load(Made, done), replayed=True)
        cup = checkable(stage)
        if not salts.settle(cup):
            raise Conflict("salts_awaited")
        wanted = [(Address(0, index), new.sides) for index in range(new.count)]
        thrown = cup.begin_hidden().throw(wanted) if new.hidden else cup.throw_check(wanted)
        faces = [roll.face for roll in thrown.rolls]
        dice = [{"label": new.label, "count": new.count, "sides": new.sides, "faces": faces}]
        if new.hidden:
            hide(cup, {"seat": GM, "label": new.label, "dice": dice}, thrown, None)
        else:
            cup.ledger.add("check", seat=GM, label=new.label, dice=dice, **thrown.fields)
        made = _made(stage, cup, cup.ledger.number - 1)
        remember(connection, this, made, stage.now)
    return made


def promise(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    seat: Seat,
    text: str,
    key: str,
) -> Made:
    """Seal a declaration, such as a trap, that nobody else can read before it is told."""
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        _check_own(stage, seat)
        said: str = checked(Told, text, "text")
        this = stage.call(key, "promise", seat, said)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Made, done), replayed=True)
        cup = checkable(stage)
        line = seal(cup, "promise", {"text": said}, {"seat": seat}, seat=seat)
        made = _made(stage, cup, line)
        remember(connection, this, made, stage.now)
    return made


def tell(
    db: Database, world: World, principal: Principal, scene_id: str, line: int, key: str
) -> Made:
    """Tell what a line has sealed: whoever made a declaration, or the Master a hidden roll."""
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        this = stage.call(key, "tell", line)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Made, done), replayed=True)
        cup = checkable(stage)
        rows = {one.line: one for one in ledgers.sealed(connection, scene_id)}
        sealed = rows.get(line)
        if sealed is None or not _is_extra(connection, scene_id, sealed):
            raise NotFound
        _check_own(stage, sealed.seat)
        if sealed.opened is not None:
            raise Conflict("already_told")
        number = cup.ledger.open(sealed)
        made = Made(line=number, head=cup.ledger.head)
        remember(connection, this, made, stage.now)
    return made


def read_extras(db: Database, principal: Principal, scene_id: str) -> tuple[Extra, ...]:
    """List the Master's rolls and the sealed declarations, told or not, newest first."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        lines = ledgers.ledger(connection, scene_id)
        sealed = {one.line: one for one in ledgers.sealed(connection, scene_id)}
    extras = [
        _read(principal, scene, data, number, sealed.get(number))
        for number, data in ((line.number, json.loads(line.line)) for line in lines)
        if data["kind"] in EXTRAS and "entry" not in data
    ]
    return tuple(reversed(extras))


def checkable(stage: Stage) -> Cup:
    """Give the dice of a scene; raise Conflict for one from before that dice could be checked."""
    if stage.cup is None:
        raise Conflict("dice_uncheckable")
    return stage.cup


def _read(
    principal: Principal, scene: InScene, data: dict[str, Any], number: int, kept: SealedLine | None
) -> Extra:
    seat = kept.seat if kept is not None else data["seat"]
    mine = is_own(principal, scene, seat)
    told = data if kept is None else {}
    if kept is not None and (mine or kept.opened is not None):
        told = json.loads(kept.payload)
    first, *_ = told.get("dice", [{}])
    return Extra(
        line=number,
        kind=data["kind"],
        seat=seat,
        mine=mine,
        text=told.get("text", told.get("label", "")),
        sides=first.get("sides"),
        faces=tuple(first["faces"]) if first else None,
        opened=None if kept is None else kept.opened,
        at=datetime.fromisoformat(data["at"]),
    )


def _made(stage: Stage, cup: Cup, line: int) -> Made:
    """Answer with a line; once the scene has ended nothing stays sealed, so it is told at once."""
    if stage.scene.ended_at is not None:
        open_all(cup)
    return Made(line=line, head=cup.ledger.head)


def is_own(principal: Principal, scene: InScene, seat: Seat) -> bool:
    """Say whether somebody is a seat, not merely may act for it: the Master is only "gm"."""
    if seat == GM:
        return principal.is_gm(scene)
    return seat in principal.held(scene.id)


def _check_own(stage: Stage, seat: Seat) -> None:
    if not is_own(stage.principal, stage.scene, seat):
        raise NotFound


def _is_extra(connection: Any, scene_id: str, sealed: SealedLine) -> bool:
    if sealed.kind not in EXTRAS:
        return False
    line: LedgerLine = ledgers.ledger(connection, scene_id)[sealed.line]
    return line.entry is None
