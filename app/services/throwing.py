"""Throwing the dice of an order by the way of its scene, at once or after what it waited for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.engine.dice import ChanceDice, Dice, DrawnDice, RecordedDice, Roll, draw
from app.engine.findings import Finding
from app.engine.ruleset import Asked, Plan, Resolution, Said
from app.persistence import queries
from app.persistence.codec import load, store
from app.persistence.queries import EntryFull
from app.services import beacons, salts
from app.services.cup import Begun, Cup, Thrown
from app.services.entering import Entering, dice_told, hide, hides, in_ledger, open_last, seal
from app.services.entry_shapes import Decided
from app.services.errors import Conflict
from app.services.figures import differs
from app.services.log import read_stored_order
from app.services.shapes import Provenance, Roller, Status
from app.services.sight import kept, veils_in
from app.services.stage import Stage, check_edition


def throw(
    stage: Stage, state: Any, order: Any, plan: Plan, *, hidden: bool
) -> tuple[tuple[Asked, ...], Thrown, Resolution[Any]]:
    """Throw the dice of an order and resolve it; give what was asked for, and how it was thrown.

    The dice are none, those of the next seed, or hidden ones. A scene from before that dice could
    be checked goes on as it began, by the system's chance.
    """
    if plan.draws:
        return _draw(stage, state, order, hidden=hidden)
    if stage.cup is None:
        chance = draw([(die.address, die.sides) for die in plan.asked], stage.world.randbelow)
        thrown = Thrown(rolls=chance.rolls, fields={})
    elif hidden or plan.asked:
        thrown = _begin(stage.cup, hidden=hidden).throw(
            [(in_ledger(die.address), die.sides) for die in plan.asked]
        )
    else:
        thrown = Thrown(rolls=(), fields={})
    fallen = zip(plan.asked, thrown.rolls, strict=True)
    rolls = tuple(replace(roll, address=die.address) for die, roll in fallen)
    resolution = stage.ruleset.resolve(state, order, RecordedDice(rolls))
    return plan.asked, replace(thrown, rolls=rolls), resolution


def _draw(
    stage: Stage, state: Any, order: Any, *, hidden: bool
) -> tuple[tuple[Asked, ...], Thrown, Resolution[Any]]:
    """Let dice fall as the rules ask for them; where none is, no seed is spent on it."""
    cup = stage.cup
    begun: list[Begun] = []

    def begin() -> Dice:
        if cup is None:
            return ChanceDice(stage.world.randbelow)
        begun.append(_begin(cup, hidden=hidden))
        return begun[0].dice

    dice = DrawnDice(begin)
    resolution = stage.ruleset.resolve(state, order, dice)
    if hidden and not begun and cup is not None:
        begun.append(_begin(cup, hidden=True))  # nobody sees whether somebody hidden has any
    fields = begun[0].fields if begun else {}
    secret = begun[0].secret if begun else None
    thrown = Thrown(rolls=tuple(dice.rolls), fields=fields, secret=secret, drawn=True)
    return resolution.drawn, thrown, resolution


def _begin(cup: Cup, *, hidden: bool) -> Begun:
    return cup.begin_hidden() if hidden else cup.begin(*beacons.told(cup))


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
    order = read_stored_order(stage.ruleset, entry.order)
    state = stage.state()
    hidden = hides(veils_in(entry.veils))
    plan = replace(stage.ruleset.plan(state, order), asked=load(tuple[Asked, ...], entry.asked))
    asked, thrown, resolution = throw(stage, state, order, plan, hidden=hidden)
    veils = stage.ruleset.veils(state, resolution.state, order.by, Said(asked, resolution.findings))
    dice = dice_told(asked, thrown.rolls, drawn=thrown.drawn)
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
        asked=store(asked),
        rolls=store(thrown.rolls),
        provenance=Provenance.SERVICE.value if thrown.rolls else "",
        dice_by=None,
        dice_at=stage.now,
        dice_remarks=None,
        findings=store(resolution.findings, tuple[Finding, ...]),
        veils=kept(veils),
        status=Status.RESOLVED.value,
        review="open" if entry.review is not None else None,
        differs=differs(order, resolution.findings),
    )
    stage.number = entry.number
    return stage.move(resolution.state)
