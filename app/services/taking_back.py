"""Taking a decision back: the Master the last one, a player their own whose dice nobody knows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.history import Decision
from app.engine.ruleset import GM, Seat, Veil
from app.engine.text import Reason
from app.persistence import queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries import EntryFull, LoggedOrder
from app.persistence.queries_reviews import set_reviews
from app.posts.phrases import SERVICE, say
from app.services import beacons
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.changes import changed_by
from app.services.entry_shapes import Decided, TakeBack
from app.services.errors import Conflict, NotFound
from app.services.log import course_of, decisions_of, state_after
from app.services.reviews import reopen
from app.services.shapes import Roller
from app.services.sight import of_void, veils_in
from app.services.stage import Stage
from app.services.throwing import ready_to_fall
from app.services.world import World


def withdraw(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    take_back: TakeBack,
) -> Decided:
    """Take back a declared entry whose dice have not fallen, as the seat that declared it.

    Raises Conflict once nothing is awaited any more, or the dice are settled already: whoever could
    know them would choose among them.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        unsaid = say(stage.scene.language, SERVICE, "withdrawn", "reason")
        reason: str = checked(Reason, take_back.reason.strip() or unsaid, "reason")
        this = stage.call(take_back.key, "withdraw", number, reason)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_version(take_back.version)
        entry = queries.entry_full(connection, scene_id, number)
        if entry is None or not stage.principal.may_act(stage.scene, entry.seat):
            raise NotFound
        if stage.scene.waiting != number:
            raise Conflict("nothing_to_withdraw")
        if _is_settled(stage):
            raise Conflict("dice_settled")
        mine = entry.seat in stage.principal.seats(scene_id)
        veils = veils_in(entry.veils)
        decided = take_back_entry(
            stage,
            number,
            reason,
            seat=entry.seat if mine else GM,
            veils=_own(veils) if mine else of_void(veils),
        )
        remember(connection, this, decided, stage.now)
    return decided


def take_back_entry(
    stage: Stage,
    number: int,
    reason: str,
    *,
    seat: Seat,
    veils: tuple[Veil, ...],
    log: tuple[LoggedOrder, ...] | None = None,
) -> Decided:
    """Write the entry that takes another back, and put the scene where it stands without."""
    if log is None:
        log = queries.logged_orders(stage.connection, stage.scene.id)
    stage.add(None, voids=number, veils=veils, reason=reason, seat=seat)
    set_reviews(stage.connection, stage.scene.id, {number: "dropped"})
    if stage.scene.waiting is not None and stage.cup is not None:
        stage.cup.move(beacon_round=None)  # nothing waits for that round any more
    void: Decision[Any] = Decision(number=stage.number, order=None, voids=number)
    decisions = decisions_of(stage.ruleset, log)
    setup = stage.setup()
    if any(one.number == number and one.before is not None for one in log):
        was = course_of(stage.ruleset, setup, decisions)
        now = course_of(stage.ruleset, setup, (*decisions, void))
        reopen(stage, changed_by(stage, was, now), stage.number)
    return stage.move(state_after(stage.ruleset, setup, (*decisions, void)))


def voided_veils(entry: EntryFull | None) -> tuple[Veil, ...]:
    """Give what is withheld of the Master's taking an entry back."""
    return of_void(veils_in(entry.veils if entry is not None else None))


def _is_settled(stage: Stage) -> bool:
    """Say whether the service could tell the dice of the declared turn, or anybody a part of them.

    The round of a beacon is out from its moment on, whether or not it was fetched yet.
    """
    if stage.scene.dice == Roller.FORUM or stage.cup is None:
        return False
    return ready_to_fall(stage) or beacons.is_due(stage.cup)


def _own(veils: tuple[Veil, ...]) -> tuple[Veil, ...]:
    """Give what is withheld of a withdrawal: why, and who where that is not known either."""
    return tuple(
        Veil(seat=one.seat, author=one.author, story=one.story or one.author)
        for one in veils
        if one.story or one.author
    )
