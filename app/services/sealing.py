"""Salts: a seat seals one, shows it once all have sealed, and a turn that waited goes on."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.engine.seal import seal_of
from app.persistence import queries
from app.persistence import queries_ledger as ledgers
from app.persistence.database import Database
from app.persistence.queries import SceneNow
from app.persistence.queries_ledger import Salt
from app.services import beacons, salts
from app.services.access import ANONYMOUS, Principal
from app.services.cup import Cup
from app.services.dice_shapes import DiceRead, SeatSalt
from app.services.errors import ArbitroError, Conflict, Malformed, Mistake, NotFound
from app.services.scene_found import found
from app.services.shapes import Roller
from app.services.stage import Stage, check_edition
from app.services.throwing import ready_to_fall, throw_declared
from app.services.world import World

_SEAL: Final = re.compile(r"[0-9a-f]{64}\Z", re.ASCII)
_SALT: Final = re.compile(r"[0-9a-f]{32}\Z", re.ASCII)
SYSTEM: Final = "system"


def read_dice(db: Database, principal: Principal, scene_id: str) -> DiceRead:
    """Tell where the dice of a scene stand; anybody may know."""
    with db.read() as connection:
        return _read(connection, principal, found(queries.scene_now(connection, scene_id)))


def seal(
    db: Database, world: World, principal: Principal, scene_id: str, seat: Seat, text: str
) -> DiceRead:
    """Take the seal of a seat's salt; another one takes its place as long as it may.

    A seat that seals anew after salts were shown could choose by them, so that all begin anew.
    """
    if not _SEAL.match(text):
        raise Malformed(Mistake("seal", "not_hex", {"digits": 64}))

    def give(cup: Cup, row: Salt) -> None:
        if row.seal == text or row.missing:
            return
        if any(one.salt for one in cup.salts):
            if cup.row.redone:
                raise Conflict("salts_shown")
            salts.begin_anew(cup, "other_device")
        cup.ledger.add("seal", seat=seat, seal=text)
        cup.set_salts([Salt(seat, text, None, "")])

    return _given(db, world, principal, scene_id, seat, give)


def show(
    db: Database, world: World, principal: Principal, scene_id: str, seat: Seat, text: str
) -> DiceRead:
    """Take the salt of a seat, which has to fit its seal, once every seat has sealed."""
    if not _SALT.match(text):
        raise Malformed(Mistake("salt", "not_hex", {"digits": 32}))

    def give(cup: Cup, row: Salt) -> None:
        if row.salt == text or row.missing:
            return
        if not salts.may_show(cup.salts):
            raise Conflict("seals_awaited")
        if seal_of(cup.match, seat, text) != row.seal:
            raise Malformed(Mistake("salt", "salt_differs"))
        cup.ledger.add("salt", seat=seat, salt=text)
        cup.set_salts([row._replace(salt=text)])

    return _given(db, world, principal, scene_id, seat, give)


def waive(db: Database, world: World, principal: Principal, scene_id: str, seat: Seat) -> DiceRead:
    """Let a seat play with an empty salt of its own will, so that nobody waits for it."""

    def give(cup: Cup, row: Salt) -> None:
        if row.salt is not None:
            return
        if row.seal and not cup.row.redone and any(one.salt for one in cup.salts):
            # Whoever has seen the others' salts could choose between its own and none.
            salts.begin_anew(cup, "unrevealed")
        salts.go_without(cup, [row], "waived")

    return _given(db, world, principal, scene_id, seat, give)


def go_on(db: Database, world: World, scene_id: str) -> bool:
    """Throw the dice that a scene's declared turn waits for, if they can be; say whether."""
    with db.write() as connection:
        scene = queries.scene_now(connection, scene_id, lock=True)
        if scene is None:
            return False
        stage = Stage.of(connection, world, scene, ANONYMOUS, "")
        return _go_on(stage)


def go_on_everywhere(db: Database, world: World) -> list[tuple[str, ArbitroError]]:
    """Go on with every scene that waits; give those which cannot, and why."""
    with db.read() as connection:
        waiting = ledgers.scenes_that_wait(connection)
    failed: list[tuple[str, ArbitroError]] = []
    for scene_id in waiting:
        try:
            go_on(db, world, scene_id)
        except ArbitroError as error:  # one that cannot go on must not hold up the others
            failed.append((scene_id, error))
    return failed


def give_up_beacon(
    db: Database, world: World, principal: Principal, scene_id: str, reason: str
) -> DiceRead:
    """Let the Master throw without the beacon a day after its round was due, in public."""
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        cup = stage.cup
        beacon = None if cup is None else beacons.beacon_of(cup)
        if cup is None or beacon is None or cup.row.beacon_round is None:
            raise Conflict("beacon_not_awaited")
        if not beacons.is_late(cup):
            raise Conflict("beacon_not_late")
        cup.ledger.add("fallback", stage.scene.waiting, round=cup.row.beacon_round, reason=reason)
        cup.move(beacon_round=None)
        _go_on(stage)
        return _read(connection, principal, stage.scene)


def _given(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    seat: Seat,
    give: Callable[[Cup, Salt], None],
) -> DiceRead:
    """Let a seat give what it has for the dice, and go on with the turn that waits for it."""
    if seat not in principal.held(scene_id):
        raise NotFound
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        check_edition(stage.ruleset, stage.scene)
        cup = stage.cup
        if cup is not None and not cup.row.frozen:
            row = next((one for one in cup.salts if one.seat == seat), None)
            if row is not None:
                give(cup, row)
        _go_on(stage)
        return _read(connection, principal, stage.scene)


def _go_on(stage: Stage) -> bool:
    """Decide the declared turn once its dice can be thrown."""
    if not ready_to_fall(stage):
        return False
    throw_declared(stage)
    return True


def _read(connection: Connection, principal: Principal, scene: SceneNow) -> DiceRead:
    last, dice, rows = ledgers.standing(connection, scene.id)
    if dice is None or last is None:
        raise Conflict("dice_uncheckable")
    mine = principal.held(scene.id)
    waits = ""
    if scene.waiting is not None:
        waits = "forum" if scene.dice == Roller.FORUM else "beacon"
        if scene.dice != Roller.FORUM and salts.waited_for(rows) and not dice.frozen:
            waits = "seals"
    return DiceRead(
        scheme=scene.scheme,
        match=scene.id,
        anchor=dice.anchor,
        key=dice.key_name,
        head=last.head,
        lines=last.number + 1,
        rolls=dice.rolls,
        hidden=dice.hidden,
        checks=dice.checks,
        open=not dice.frozen and scene.dice != Roller.FORUM,
        reveal=not dice.frozen and salts.may_show(rows),
        seats=tuple(
            SeatSalt(
                seat=row.seat,
                mine=row.seat in mine,
                seal=row.seal,
                salt=row.salt,
                missing=row.missing,
            )
            for row in rows
        ),
        wait_hours=dice.wait_hours,
        waits=waits,
        until=None
        if dice.since is None or waits != "seals"
        else dice.since + timedelta(hours=dice.wait_hours),
        beacon=dice.beacon,
        beacon_round=dice.beacon_round,
    )
