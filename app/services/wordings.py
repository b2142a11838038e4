"""Other words for a story that was told: a new wording beside the old ones, and nothing decided."""

from __future__ import annotations

from dataclasses import replace

from app.engine.ruleset import GM, Asked
from app.persistence import queries
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries import EntryFull
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.desk_shapes import Review
from app.services.entries import Around
from app.services.entry_shapes import Narration, Reworded, Rewording
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.places import check_places
from app.services.reviews import reopen
from app.services.shapes import EntryKind
from app.services.sight import of_correction, veils_in
from app.services.stage import Stage
from app.services.world import World


def correct(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    rewording: Rewording,
) -> Reworded:
    """Give an entry's story other words, as its author or the Master, at any time.

    The order, its dice and what was found stay. Neither the state nor the version of the scene
    moves, so that nobody who writes meanwhile has to begin again; two who correct the same story
    are kept apart by the wording they have seen.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        narration = checked(Narration, rewording.narration, "narration")
        this = stage.call(rewording.key, "correct", number, narration, rewording.wording)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Reworded, done), replayed=True)
        entry = queries.entry_full(connection, scene_id, number)
        if entry is None or not stage.principal.may_act(stage.scene, entry.seat):
            raise NotFound
        around = Around.of(connection, scene_id, (entry,))
        wording = len(around.wordings.get(number, ())) + 1
        _check(entry, around, rewording.wording, wording)
        if narration == _now(entry, around):
            raise Malformed(Mistake("narration", "same_words"))
        restated = around.corrections.restated.get(number)
        if entry.places:
            asked = load(tuple[Asked, ...], entry.asked) if restated is None else restated.asked
            check_places(stage.ruleset.key, narration, asked)
        veils = veils_in(entry.veils) if restated is None else restated.veils
        stage.add(
            None,
            narration,
            corrects=number,
            seat=entry.seat if entry.seat in stage.principal.seats(scene_id) else GM,
            veils=of_correction(veils),
        )
        if entry.review == Review.RETURNED and entry.seat in stage.principal.seats(scene_id):
            reopen(stage, [number], stage.number, of=Review.RETURNED)
        made = Reworded(number=stage.number, corrects=number, wording=wording + 1)
        stage.note()
        remember(connection, this, made, stage.now)
    return made


def _check(entry: EntryFull, around: Around, seen: int, wording: int) -> None:
    if entry.kind != EntryKind.ORDER:
        raise Conflict("no_story")
    if entry.number in around.corrections.voided_by:
        raise Conflict("story_taken_back")
    if seen != wording:
        raise Conflict("other_wording")


def _now(entry: EntryFull, around: Around) -> Narration:
    rows = around.wordings.get(entry.number, ())
    text = rows[-1].narration if rows else entry.narration
    return Narration() if text is None else load(Narration, text)
