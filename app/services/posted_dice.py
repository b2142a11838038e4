"""Dice that the forum rolled, read from the post in which it shows them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from sqlalchemy import Connection

from app.engine.ruleset import Asked
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries import EntryFull, SceneNow
from app.posts.brought import Brought, Wrong, bring
from app.posts.dialects import DIALECTS
from app.posts.digest import turn_name
from app.posts.label import write_label
from app.posts.matching import Wanted
from app.posts.phrases import LANGUAGES
from app.services.access import Principal
from app.services.answers import remember, remembered
from app.services.casting import as_cast
from app.services.entry_shapes import Decided, PastedDice, PostedDice, PostedDie
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.faces import read_rolls
from app.services.given_dice import awaited_of, complete, way_of
from app.services.patterns import shows_here
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.shapes import Provenance, Roller
from app.services.stage import Stage
from app.services.world import World


@takes_long
def read_posted_dice(
    db: Database, principal: Principal, scene_id: str, number: int, text: str
) -> PastedDice:
    """Say what a pasted post shows of the dice that an entry waits for; nothing is stored."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        entry = queries.entry_full(connection, scene_id, number)
        if entry is None or not as_cast(principal, scene).may_act(scene, entry.seat):
            raise NotFound
        if scene.waiting != number or scene.dice != Roller.FORUM:
            raise Conflict("dice_not_awaited")
        asked, brought = _brought(connection, scene, entry, text)
    return PastedDice(
        ready=not brought.wrong,
        dice=tuple(
            PostedDie(
                title=wanted.title,
                sides=wanted.sides,
                listed=wanted.modifier,
                line=None if die is None else die.line,
                text="" if die is None else die.text,
                face=None if die is None else die.face,
                modifier=None if die is None else die.modifier,
                total=None if die is None else die.total,
            )
            for wanted, die in zip(_wanted(scene, asked), brought.dice, strict=True)
        ),
        mistakes=tuple(map(_mistake, brought.wrong)),
        remarks=brought.remarks,
    )


def give_posted_dice(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    posted: PostedDice,
    *,
    by_plugin: bool = False,
) -> Decided:
    """Resolve a declared entry with the dice that a pasted post shows.

    Whatever is wrong with any of them is said at once, and then the entry goes on waiting.
    ``by_plugin`` says that they came through the API.
    """
    with db.write() as connection:
        stage = Stage.locked(connection, world, principal, scene_id)
        this = stage.call(posted.key, "give_posted_dice", number, posted.text)
        if (done := remembered(connection, this)) is not None:
            return replace(load(Decided, done), replayed=True)
        stage.check_version(posted.version)
        entry = awaited_of(stage, number)
        asked, brought = _brought(connection, stage.scene, entry, posted.text)
        if brought.wrong:
            raise Malformed(*map(_mistake, brought.wrong))
        dice = [die for die in brought.dice if die is not None]
        faces = tuple(die.face for die in dice)
        modifiers: tuple[Fraction | None, ...] = tuple(die.modifier for die in dice)
        decided = complete(
            stage,
            entry,
            asked,
            read_rolls(asked, faces, modifiers),
            provenance=way_of(stage, Provenance.FORUM, by_plugin=by_plugin),
            remarks=brought.remarks,
        )
        remember(connection, this, decided, stage.now)
    return decided


def _brought(
    connection: Connection, scene: SceneNow, entry: EntryFull, text: str
) -> tuple[tuple[Asked, ...], Brought]:
    asked = load(tuple[Asked, ...], entry.asked)
    shows = shows_here(connection, scene.board, dialect=scene.dialect)
    turn = turn_name(scene.id, entry.number)
    nameless = DIALECTS[scene.dialect].tag is None
    return asked, bring(text, _wanted(scene, asked), shows, turn, nameless=nameless)


def _wanted(scene: SceneNow, asked: tuple[Asked, ...]) -> tuple[Wanted, ...]:
    """Describe the dice by the labels that they have in the post, whose language comes first."""
    languages = dict.fromkeys((scene.language, *LANGUAGES))
    return tuple(
        Wanted(
            sides=one.sides,
            modifier=Fraction(one.tally.total),
            labels=tuple(write_label(language, scene.ruleset, one) for language in languages),
        )
        for one in asked
    )


def _mistake(wrong: Wrong) -> Mistake:
    return Mistake("text", wrong.code, wrong.facts)
