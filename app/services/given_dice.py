"""Completing a declared entry with dice that fell elsewhere, however they were told."""

from __future__ import annotations

from app.engine.dice import RecordedDice, Roll
from app.engine.findings import Finding
from app.engine.ruleset import GM, Asked, Said
from app.persistence import queries
from app.persistence.codec import store
from app.persistence.queries import EntryFull
from app.posts.brought import Remark
from app.services.entry_shapes import Decided
from app.services.errors import Conflict, NotFound, Refused
from app.services.figures import differs
from app.services.log import read_stored_order
from app.services.shapes import Provenance, Roller, Status
from app.services.sight import kept
from app.services.stage import Stage
from app.services.throwing import enter_forum_dice


def awaited_of(stage: Stage, number: int) -> EntryFull:
    """Give the entry whose dice the forum rolls, to somebody who may bring them."""
    entry = queries.entry_full(stage.connection, stage.scene.id, number)
    if entry is None or not stage.principal.may_act(stage.scene, entry.seat):
        raise NotFound
    awaited = stage.scene.waiting == number and stage.scene.dice == Roller.FORUM
    if not awaited or entry.order is None:
        raise Conflict("dice_not_awaited")
    return entry


def way_of(stage: Stage, told: Provenance, *, by_plugin: bool) -> Provenance:
    """Say how dice came here: what a program sends with the board's own key, a plugin confirms."""
    own = stage.principal.is_owner(stage.scene.board)
    return Provenance.PLUGIN if by_plugin and own else told


def complete(
    stage: Stage,
    entry: EntryFull,
    asked: tuple[Asked, ...],
    rolls: tuple[Roll, ...],
    *,
    provenance: Provenance,
    remarks: tuple[Remark, ...] = (),
) -> Decided:
    """Resolve a declared entry with these dice; raise Refused where the rules have a say first."""
    order = read_stored_order(stage.ruleset, entry.order or "")
    state = stage.state()
    if obstacles := stage.ruleset.check_dice(state, order, rolls):
        raise Refused(obstacles)
    resolution = stage.ruleset.resolve(state, order, RecordedDice(rolls))
    said = Said(asked, resolution.findings)
    queries.complete_entry(
        stage.connection,
        stage.scene.id,
        entry.number,
        asked=entry.asked,
        rolls=store(rolls),
        provenance=provenance.value,
        dice_by=entry.seat if entry.seat in stage.principal.seats(stage.scene.id) else GM,
        dice_at=stage.now,
        dice_remarks=store(remarks, tuple[Remark, ...]) if remarks else None,
        findings=store(resolution.findings, tuple[Finding, ...]),
        veils=kept(stage.ruleset.veils(state, resolution.state, order.by, said)),
        status=Status.RESOLVED.value,
        review="open" if entry.review is not None else None,
        differs=differs(order, resolution.findings),
    )
    enter_forum_dice(stage, entry, asked, rolls, provenance)
    stage.number = entry.number
    return stage.move(resolution.state)
