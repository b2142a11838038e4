"""Deciding: every order of every game goes through stage, dice and all, in one transaction."""

from __future__ import annotations

from dataclasses import replace

from app.engine.ruleset import GM, Asked, Said
from app.engine.text import Reason
from app.persistence import queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.book_rule import check_order
from app.services.casting import as_cast
from app.services.citing import check_kept
from app.services.entry_shapes import (
    Decided,
    DecidedSeries,
    EntryMade,
    GivenDice,
    Narration,
    Preview,
    Series,
    Submission,
    TakeBack,
)
from app.services.errors import Conflict, Malformed, NotFound, Refused
from app.services.faces import read_rolls
from app.services.games import game, signed
from app.services.given_dice import awaited_of, complete, way_of
from app.services.log import (
    last_in_effect,
)
from app.services.naming import check_newcomer
from app.services.play import in_series, of_series, play, read_series
from app.services.run import takes_long
from app.services.shapes import Provenance
from app.services.sight import eyes_of, plan_seen, veil_over
from app.services.stage import Stage, check_edition, check_no_dice_awaited
from app.services.stored import read_given
from app.services.taking_back import take_back_entry, voided_veils
from app.services.throwing import ready_to_fall, throw_declared
from app.services.world import World


def decide(
    db: Database, world: World, principal: Principal, scene_id: str, submission: Submission
) -> Decided:
    """Accept an order: throw its dice and resolve it, or declare it where the forum rolls.

    An order's ``by`` names its seat, or "gm"; left empty it is the principal's one seat, else the
    Master. The same key with the same content gives the first answer again.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        order = signed(stage.read(submission.order), stage.principal, stage.scene)
        narration = checked(Narration, submission.narration, "narration")
        check_kept(order, keep=submission.keep)
        kept_too = (submission.keep,) if submission.keep else ()
        this = stage.call(submission.key, "decide", order, narration, *kept_too)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_free(submission.version, submission.head)
        decided = play(stage, order, narration, keep=submission.keep)
        remember(connection, this, decided, stage.now)
    return decided


def decide_several(
    db: Database, world: World, principal: Principal, scene_id: str, series: Series
) -> DecidedSeries:
    """Accept several orders in a row, each an entry of its own that meets what the one before left.

    All of them or none: what stands in the way of one names its place. Where the forum rolls only
    the last may need dice.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        orders = read_series(stage, series.orders)
        parts = (part for *one, keep in orders for part in (*one, *((keep,) if keep else ())))
        this = stage.call(series.key, "decide_several", *parts)
        if (done := remembered(connection, this)) is not None:
            return replace(load(DecidedSeries, done), replayed=True)
        stage.check_free(series.version, series.head)
        entries: list[EntryMade] = []
        for place, (order, narration, keep) in enumerate(orders):
            if stage.scene.waiting is not None:
                raise Conflict("dice_between")
            try:
                made = play(stage, order, narration, keep=keep)
            except Refused as refused:
                raise Refused(in_series(refused.obstacles, place)) from refused
            except Malformed as malformed:
                raise Malformed(*of_series(malformed.mistakes, place)) from malformed
            entries.append(
                EntryMade(number=made.number, status=made.status, precedent=made.precedent)
            )
        decided = DecidedSeries(entries=tuple(entries), version=stage.scene.version)
        remember(connection, this, decided, stage.now)
    return decided


@takes_long
def preview(
    db: Database, principal: Principal, scene_id: str, order: object, *, odds: bool = True
) -> Preview:
    """Say what an order would meet, without storing anything and without a die.

    Without ``odds`` there is no forecast, which takes far longer than all the rest.
    """
    with db.read() as connection:
        scene = queries.scene_now(connection, scene_id)
        if scene is None or principal.secret_for(scene) is None:
            raise NotFound
        principal = as_cast(principal, scene)
        ruleset = game(scene.ruleset)
        given = read_given(connection, principal, scene.board, ruleset, order)
        read = signed(given, principal, scene)
        check_order(connection, scene.board, read)
    check_edition(ruleset, scene)
    check_no_dice_awaited(scene)
    state = load(ruleset.state, scene.state)
    check_newcomer(ruleset, state, read)
    if obstacles := ruleset.check(state, read):
        return Preview(seat=read.by, obstacles=obstacles, plan=None, forecast=None)
    plan = ruleset.plan(state, read)
    veils = ruleset.veils(state, state, read.by, Said(plan.asked, plan.findings))
    return Preview(
        seat=read.by,
        obstacles=(),
        plan=plan_seen(plan, veil_over(veils, eyes_of(principal, scene))),
        forecast=ruleset.forecast(state, read) if odds else None,
    )


def give_dice(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    given: GivenDice,
    *,
    by_plugin: bool = False,
) -> Decided:
    """Resolve a declared entry with the natural faces that the forum rolled.

    What a die's tag added, where it differs from the label, is recorded with the die; a ruleset may
    refuse it, and then the entry goes on waiting. ``by_plugin`` says that they came through the
    API.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        this = stage.call(given.key, "give_dice", number, given.faces, given.modifiers)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_version(given.version)
        entry = awaited_of(stage, number)
        asked = load(tuple[Asked, ...], entry.asked)
        decided = complete(
            stage,
            entry,
            asked,
            read_rolls(asked, given.faces, given.modifiers),
            provenance=way_of(stage, Provenance.TYPED, by_plugin=by_plugin),
        )
        remember(connection, this, decided, stage.now)
    return decided


def void_last(
    db: Database, world: World, principal: Principal, scene_id: str, take_back: TakeBack
) -> Decided:
    """Take back the last decision in effect, as the Master."""
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id, as_gm=True)
        reason: str = checked(Reason, take_back.reason, "reason")
        this = stage.call(take_back.key, "void_last", reason)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_version(take_back.version)
        if ready_to_fall(stage):  # a turn that is taken back keeps its roll, for all to see
            throw_declared(stage)
        log = queries.logged_orders(connection, scene_id)
        last = last_in_effect(log)
        if last is None:
            raise Conflict("nothing_to_void")
        veils = voided_veils(queries.entry_full(connection, scene_id, last))
        decided = take_back_entry(stage, last, reason, seat=GM, veils=veils, log=log)
        remember(connection, this, decided, stage.now)
    return decided
