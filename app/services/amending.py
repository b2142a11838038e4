"""Amending: the Master's order in front of any decision in effect, and all after it played anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.engine.history import Decision
from app.persistence import queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries import EntryHead, LoggedOrder
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.book_rule import check_order
from app.services.changes import changed_by, number_changes
from app.services.citing import asked_in, check_cited, check_kept, is_answer
from app.services.desk_shapes import AmendmentPreview, EntryChange
from app.services.entry_shapes import Decided, Narration, Submission
from app.services.errors import Conflict, NotFound
from app.services.games import signed
from app.services.log import (
    Course,
    can_be_amended,
    course_of,
    decisions_of,
    state_before,
)
from app.services.naming import check_newcomer
from app.services.places import check_places
from app.services.reviews import approved_of, reopen
from app.services.run import takes_long
from app.services.stage import Stage
from app.services.world import World


def amend(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    before: int,
    submission: Submission,
) -> Decided:
    """Put an order of the Master in front of a decision in effect; the same dice meet it.

    Everything after it is played anew with its own dice. Whatever comes to something else then and
    was approved lies on the desk again.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        order = signed(stage.read(submission.order), principal, stage.scene, as_gm=True)
        narration = checked(Narration, submission.narration, "narration")
        check_kept(order, keep=submission.keep)
        kept_too = (submission.keep,) if submission.keep else ()
        this = stage.call(submission.key, "amend", before, order, narration, *kept_too)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_free(submission.version, submission.head)
        was, now, amendment = _played(stage, before, order)
        decisions = decisions_of(stage.ruleset, queries.logged_orders(connection, scene_id))
        question, asking = None, None
        if is_answer(order):
            asking = state_before(stage.ruleset, stage.setup(), decisions, amendment)
            question = asked_in(stage.ruleset, asking, order)
            check_cited(
                connection, stage.principal, stage.scene.board, stage.ruleset, question, order
            )
        check_places(stage.ruleset.key, narration, ())
        own, *later = now.restated
        stage.add(
            order,
            narration,
            findings=own.findings,
            veils=own.veils,
            before=before,
            restated=tuple(later),
        )
        reopen(stage, changed_by(stage, was, now), stage.number)
        decided = stage.move(now.state)
        if submission.keep:
            decided = replace(decided, precedent=stage.keep(asking, question, order))
        remember(connection, this, decided, stage.now)
    return decided


@takes_long
def preview_amendment(
    db: Database, world: World, principal: Principal, scene_id: str, before: int, order: object
) -> AmendmentPreview:
    """Say what an amendment would change from its entry to now, without storing anything."""
    with db.read() as connection:
        scene = queries.scene_now(connection, scene_id)
        secret_id = None if scene is None else principal.secret_for(scene)
        if scene is None or secret_id is None or not principal.is_gm(scene):
            raise NotFound
        stage = Stage.of(connection, world, scene, principal, secret_id)
        read = signed(stage.read(order), principal, scene, as_gm=True)
        stage.check_free(scene.version)
        was, now, _ = _played(stage, before, read)
        heads = {one.number: one for one in queries.entry_heads(connection, scene_id)}
        changed = changed_by(stage, was, now)
        approved = approved_of(stage, changed)
    return AmendmentPreview(
        entry=before,
        findings=now.restated[0].findings,
        numbers=tuple(number_changes(stage.ruleset, was.state, now.state)),
        entries=tuple(_change(heads[one], was, now, reopens=one in approved) for one in changed),
    )


def _played(stage: Stage, before: int, order: Any) -> tuple[Course, Course, Decision[Any]]:
    """Play the scene as it stands and as it would be, with an order in front of an entry."""
    log: tuple[LoggedOrder, ...] = queries.logged_orders(stage.connection, stage.scene.id)
    if before not in {entry.number for entry in log}:
        raise NotFound
    if not can_be_amended(log, before):
        raise Conflict("not_in_effect", {"entry": before})
    amendment: Decision[Any] = Decision(number=stage.number, order=order, before=before)
    decisions = decisions_of(stage.ruleset, log)
    check_newcomer(stage.ruleset, stage.state(), order)
    check_order(stage.connection, stage.scene.board, order)
    now = course_of(stage.ruleset, stage.setup(), decisions, amendment)
    return course_of(stage.ruleset, stage.setup(), decisions), now, amendment


def _change(head: EntryHead, was: Course, now: Course, *, reopens: bool) -> EntryChange:
    return EntryChange(
        number=head.number,
        seat=head.seat,
        act=head.act,
        before=was.findings[head.number],
        after=now.findings[head.number],
        reopens=reopens,
    )
