"""Deciding about a turn on the desk: approved, returned with marks, or back because it changed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from app.persistence import queries, queries_desk, queries_reviews
from app.persistence.codec import checked, load, store
from app.persistence.database import Database
from app.persistence.queries_desk import OnDesk, Place
from app.persistence.queries_reviews import ReviewNow
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.casting import as_cast
from app.services.desk import mine_of, turn_place
from app.services.desk_shapes import (
    Mark,
    Review,
    Reviewed,
    Reviewing,
    ReviewRead,
    ReviewTold,
    Verdict,
)
from app.services.entries import Around, entry_read
from app.services.errors import Conflict, Malformed, Mistake, NotFound, Stale
from app.services.figures import figures_of
from app.services.games import game
from app.services.notices import tell_reviewed
from app.services.scene_found import found
from app.services.sight import eyes_of, veil_over, veils_in
from app.services.stage import Stage
from app.services.world import World


def review(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    reviewing: Reviewing,
) -> Reviewed:
    """Approve a turn or return it, as the Master; what was decided before stays on record.

    Raises Stale where somebody else decided first, and Conflict for a turn whose dice are awaited
    or that was taken back.
    """
    wanted: Reviewing = checked(Reviewing, reviewing, "")
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        this = stage.call(wanted.key, "review", number, wanted.verdict, wanted.marks, wanted.note)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Reviewed, done), replayed=True)
        row = queries_desk.desk_entry(connection, scene_id, number)
        if row is None:
            raise NotFound
        _check(row, wanted)
        if wanted.marks:
            _check_marks(stage, number, wanted.marks)
        _write(stage, {number: row.reviewed}, Review(wanted.verdict), wanted.marks, wanted.note)
        moment = f"review {number} {row.reviewed + 1}"
        approved = wanted.verdict is Verdict.APPROVED
        why = "; ".join(one for one in (wanted.note, *(mark.why for mark in wanted.marks)) if one)
        tell_reviewed(
            stage.teller(stage.state(), moment), row.seat, number, approved=approved, reason=why
        )
        mine = mine_of(stage.principal, stage.scene.board)
        _, after = queries_desk.beside(connection, mine, Place(row.at, scene_id, number))
        decided = Reviewed(
            number=number,
            state=Review(wanted.verdict),
            version=row.reviewed + 1,
            next=turn_place(after),
        )
        remember(connection, this, decided, stage.now)
    return decided


def _check_marks(stage: Stage, number: int, marks: tuple[Mark, ...]) -> None:
    """Raise Malformed for a mark on a number that the turn does not have."""
    scene = stage.scene
    entry = queries.entry_full(stage.connection, scene.id, number)
    if entry is None:
        raise NotFound
    around = Around.of(stage.connection, scene.id, (entry,))
    read = entry_read(game(scene.ruleset), scene, entry, around, eyes_of(stage.principal, scene))
    there = {
        *(f"figure.{word}" for word in ("hp", "ep")),
        *(f"figure.{one.word}" for one in figures_of(read.order, read.findings)),
        *(f"die.{place}" for place in range(1, len(read.asked) + 1)),
        *(f"finding.{place}" for place in range(1, len(read.findings) + 1)),
    }
    wrong = [place for place, one in enumerate(marks) if one.on not in there]
    if wrong:
        raise Malformed(*(Mistake(f"marks.{place}.on", "mark_on_nothing") for place in wrong))


def read_review(db: Database, principal: Principal, scene_id: str, number: int) -> ReviewRead:
    """Read how a turn stands on the desk, as its Master or as somebody who acts in its scene.

    Whoever may not know who wrote it finds nothing; who may not know all of it, no note or mark.
    """
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        if principal.secret_for(scene) is None:
            raise NotFound
        row = queries_desk.desk_entry(connection, scene_id, number)
        entry = queries.entry_full(connection, scene_id, number)
        if row is None or entry is None:
            raise NotFound
        around = Around.of(connection, scene_id, (entry,))
        decisions = queries_reviews.reviews_of(connection, scene_id, number)
    eyes = eyes_of(as_cast(principal, scene), scene)
    read = entry_read(game(scene.ruleset), scene, entry, around, eyes)
    if not read.seat:
        raise NotFound
    knows = veil_over(veils_in(entry.veils), eyes) is None
    return ReviewRead(
        scene_id=scene_id,
        number=number,
        seat=read.seat,
        who=row.who or row.seat,
        act=read.act,
        state=Review(row.review),
        version=row.reviewed,
        figures=figures_of(read.order, read.findings),
        decisions=tuple(told(one, knows=knows) for one in decisions),
    )


def read_returned(
    db: Database, principal: Principal, scene_id: str
) -> tuple[tuple[int, ReviewTold], ...]:
    """List the turns of one's own seats that were returned, each with why, for its author."""
    with db.read() as connection:
        scene = queries.scene_now(connection, scene_id)
        if scene is None or not principal.held(scene_id):
            return ()
        mine = as_cast(principal, scene).seats(scene_id)
        numbers = queries_reviews.returned_of(connection, scene_id, mine)
        last = {one.entry: one for one in queries_reviews.reviews_of(connection, scene_id)}
    return tuple((one, told(last[one])) for one in numbers if one in last)


def told(row: ReviewNow, *, knows: bool = True) -> ReviewTold:
    """Tell a decision; whoever does not know the whole turn is told neither marks nor note."""
    return ReviewTold(
        version=row.number,
        state=Review(row.state),
        marks=load(tuple[Mark, ...], row.marks) if knows else (),
        note=row.note if knows else "",
        by=row.role or "",
        who=row.who or "",
        cause=row.cause,
        at=row.at,
    )


def approved_of(stage: Stage, numbers: Iterable[int]) -> tuple[int, ...]:
    """List which of some turns are approved."""
    states = queries_reviews.review_states(stage.connection, stage.scene.id)
    return tuple(one for one in numbers if states.get(one, ("", 0))[0] == Review.APPROVED)


def reopen(
    stage: Stage, numbers: Iterable[int], cause: int, *, of: Review = Review.APPROVED
) -> None:
    """Put turns of the scene back onto the desk, since what they come to has changed."""
    states = queries_reviews.review_states(stage.connection, stage.scene.id)
    changed = {one: states[one][1] for one in numbers if states.get(one, ("",))[0] == of}
    _write(stage, changed, Review.OPEN, cause=cause)
    if of is Review.APPROVED:
        stage.lost = tuple(changed)


def _write(
    stage: Stage,
    entries: dict[int, int],
    state: Review,
    marks: tuple[Mark, ...] = (),
    note: str = "",
    cause: int | None = None,
) -> None:
    """Write one decision about each of some turns, given how many there were before."""
    if not entries:
        return
    states = dict.fromkeys(entries, state.value)
    queries_reviews.set_reviews(stage.connection, stage.scene.id, states)
    queries_reviews.add_reviews(
        stage.connection,
        [
            {
                "scene": stage.scene.id,
                "entry": entry,
                "number": before + 1,
                "state": state.value,
                "marks": store(marks, tuple[Mark, ...]),
                "note": note,
                "cause": cause,
                "at": stage.now,
                "key_id": stage.secret_id or None,
            }
            for entry, before in entries.items()
        ],
    )


def _check(row: OnDesk, wanted: Reviewing) -> None:
    if wanted.version != row.reviewed:
        raise Stale(row.reviewed)
    if row.review == Review.DICE:
        raise Conflict("dice_awaited")
    if row.review == Review.DROPPED:
        raise Conflict("not_in_effect", {"entry": row.number})
    if wanted.verdict is Verdict.RETURNED and not (wanted.marks or wanted.note.strip()):
        raise Malformed(Mistake("note", "nothing_marked"))
