"""Throwing the dice of an order by the way of its scene, at once or after what it waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.dice import RecordedDice, Roll, draw
from app.engine.findings import Finding
from app.engine.ruleset import Asked, Said
from app.persistence import queries
from app.persistence.codec import load, store
from app.persistence.queries import EntryFull
from app.services import beacons, salts
from app.services.cup import Thrown
from app.services.entering import Entering, dice_told, hide, hides, in_ledger, open_last, seal
from app.services.entry_shapes import Decided
from app.services.errors import Conflict
from app.services.log import read_stored_order
from app.services.shapes import Provenance, Roller, Status
from app.services.sight import kept, veils_in
from app.services.stage import Stage, check_edition


def throw(stage: Stage, asked: Sequence[Asked], *, hidden: bool) -> Thrown:
    """Throw the dice of an order: none, those of the next seed, or hidden ones.

    A scene from before that dice could be checked goes on as it began, by the system's chance.
    """
    if stage.cup is None:
        drawn = draw([(die.address, die.sides) for die in asked], stage.world.randbelow)
        return Thrown(rolls=drawn.rolls, fields={})
    wanted = [(in_ledger(die.address), die.sides) for die in asked]
    if hidden:
        thrown = stage.cup.throw_hidden(wanted)
    elif wanted:
        thrown = stage.cup.throw(wanted, *beacons.told(stage.cup))
    else:
        thrown = Thrown(rolls=(), fields={})
    fallen = zip(asked, thrown.rolls, strict=True)
    return replace(thrown, rolls=tuple(replace(roll, address=die.address) for die, roll in fallen))


def enter_forum_dice(
    stage: Stage,
    entry: EntryFull,
    asked: Sequence[Asked],
    rolls: tuple[Roll, ...],
    provenance: Provenance,
) -> None:
    """Note in the ledger what the forum rolled for a declared entry, for those who may know."""
    if stage.cup is None:
        return
    told = {"seat": entry.seat, "dice": dice_told(asked, rolls), "how": provenance.value}
    if veils_in(entry.veils):
        seal(stage.cup, "forum", told, {}, entry=entry.number)
    else:
        stage.cup.ledger.add("forum", entry.number, **told)


def ready_to_fall(stage: Stage) -> bool:
    """Say whether a turn is declared whose dice the service can throw now."""
    cup = stage.cup
    if cup is None or stage.scene.waiting is None or stage.scene.dice == Roller.FORUM:
        return False
    check_edition(stage.ruleset, stage.scene)
    return salts.settle(cup) and beacons.is_out(cup)


def throw_declared(stage: Stage) -> Decided:
    """Throw the dice that the declared turn has waited for, and decide it."""
    cup, number = stage.cup, stage.scene.waiting
    entry = None
    if number is not None:
        entry = queries.entry_full(stage.connection, stage.scene.id, number)
    if cup is None or entry is None or entry.order is None:
        raise Conflict("dice_not_awaited")
    asked = load(tuple[Asked, ...], entry.asked)
    order = read_stored_order(stage.ruleset, entry.order)
    state = stage.state()
    hidden = hides(veils_in(entry.veils))
    thrown = throw(stage, asked, hidden=hidden)
    resolution = stage.ruleset.resolve(state, order, RecordedDice(thrown.rolls))
    veils = stage.ruleset.veils(state, resolution.state, order.by, Said(asked, resolution.findings))
    dice = dice_told(asked, thrown.rolls)
    if thrown.secret is not None:
        declared = Entering(
            number=entry.number,
            order=entry.order,
            narration=entry.narration,
            seat=entry.seat,
            act=entry.act,
        )
        hide(cup, {**declared.told(cup), "dice": dice}, thrown, entry.number)
        if not veils:
            open_last(cup)
    elif thrown.fields:
        cup.ledger.add("roll", entry.number, **thrown.fields, dice=dice)
    cup.move(beacon_round=None)
    queries.complete_entry(
        stage.connection,
        stage.scene.id,
        entry.number,
        rolls=store(thrown.rolls),
        provenance=Provenance.SERVICE.value if thrown.rolls else "",
        dice_by=None,
        dice_at=stage.now,
        dice_remarks=None,
        findings=store(resolution.findings, tuple[Finding, ...]),
        veils=kept(veils),
        status=Status.RESOLVED.value,
    )
    stage.number = entry.number
    return stage.move(resolution.state)
