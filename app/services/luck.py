"""How lucky the dice of a scene were: each combatant's, and all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from app.engine.dice import Address
from app.engine.luck import FaceCounts, luck
from app.engine.ruleset import Asked, Seat
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries import EntryFull
from app.services.access import Principal
from app.services.casting import as_cast
from app.services.entries import Around, entry_read
from app.services.entry_shapes import EntryRead
from app.services.games import game
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.scenes import MOST_LISTED
from app.services.shapes import Provenance, Roller
from app.services.sight import eyes_of, veil_over, veils_in

FINEST: Final = 10_000
"""Shares are told in parts of this: an exact one has more digits than anybody reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceLuck:
    """What some dice showed, against all throws of just such dice.

    ``worse``, ``same`` and ``better`` are the shares of those throws with a lower sum, this one and
    a higher one, ``percentile`` is ``worse`` with half of ``same``; each to the ten-thousandth, and
    0 or 1 only where it is exactly that. ``deviation`` is the standard deviation of the sum.
    """

    count: int
    sum: int
    mean: Fraction
    deviation: Fraction
    worse: Fraction
    same: Fraction
    better: Fraction
    percentile: Fraction
    faces: tuple[FaceCounts, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrownLuck:
    """The luck of dice that count, and of all that fell, with what was taken back.

    ``service`` and ``forum`` are how many of those that count each of them rolled.
    """

    counting: DiceLuck
    fallen: DiceLuck
    service: int
    forum: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckPoint:
    """How many dice somebody had thrown with an entry, their sum, and the one to be expected."""

    entry: int
    count: int
    sum: int
    expected: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class ActorLuck:
    """The luck of somebody's dice, by the name that their labels have, and how it came about.

    ``course`` has a point for each entry with dice of theirs that count.
    """

    actor: str
    thrown: ThrownLuck
    course: tuple[LuckPoint, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneLuck:
    """The luck of everybody, in the order of their first dice, and of the whole scene."""

    actors: tuple[ActorLuck, ...]
    whole: ThrownLuck


# Dice of the forum, however they were told; where nothing is told they are the scene's own.
_ROLLERS: Final[Mapping[str, Roller]] = {
    Provenance.SERVICE: Roller.SERVICE,
    **dict.fromkeys((Provenance.FORUM, Provenance.TYPED, Provenance.PLUGIN), Roller.FORUM),
}


class _Die(NamedTuple):
    entry: int
    actor: str
    sides: int
    face: int
    roller: str
    counts: bool


@takes_long
def scene_luck(db: Database, principal: Principal, scene_id: str) -> SceneLuck:
    """Tell how lucky the dice of a scene were, of which those hidden from the reader are none."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        rows: list[EntryFull] = []
        while page := queries.entries_full(
            connection, scene_id, rows[-1].number if rows else 0, MOST_LISTED
        ):
            rows += page
        around = Around.of(connection, scene_id, rows)
    ruleset = game(scene.ruleset)
    eyes = eyes_of(as_cast(principal, scene), scene)
    dice: list[_Die] = []
    for row in rows:
        if row.rolls is not None:
            entry = entry_read(ruleset, scene, row, around, eyes)
            dice += _dice(entry, _first_actors(row, eyes), scene.dice)
    return SceneLuck(
        actors=tuple(
            _of(actor, [die for die in dice if die.actor == actor])
            for actor in dict.fromkeys(die.actor for die in dice)
        ),
        whole=_thrown(dice),
    )


def _first_actors(row: EntryFull, eyes: tuple[Seat, ...]) -> Mapping[Address, str]:
    """Tell whose dice an entry asked for when it was decided, as far as these eyes see."""
    veil = veil_over(veils_in(row.veils), eyes)
    hidden = () if veil is None else veil.dice
    asked = load(tuple[Asked, ...], row.asked)
    return {one.address: one.actor for one in asked if one.address not in hidden}


def _dice(entry: EntryRead, first: Mapping[Address, str], roller: str) -> Iterator[_Die]:
    """Go through the dice of an entry, unless they were rolled by somebody in the fight.

    A die that the entry no longer asks for, since it was amended, did fall but does not count.
    """
    # Where the reader may not know the author, who rolled is kept back with the name.
    rolled_by = _ROLLERS.get(entry.provenance or roller)
    now = {one.address: one.actor for one in entry.asked}
    actors = {**first, **now}
    for roll in entry.rolls or ():
        if rolled_by is not None and roll.address in actors:
            yield _Die(
                entry=entry.number,
                actor=actors[roll.address],
                sides=roll.sides,
                face=roll.face,
                roller=rolled_by,
                counts=entry.voided_by is None and roll.address in now,
            )


def _of(actor: str, dice: list[_Die]) -> ActorLuck:
    return ActorLuck(actor=actor, thrown=_thrown(dice), course=tuple(_course(dice)))


def _course(dice: Iterable[_Die]) -> Iterator[LuckPoint]:
    """Add up the dice that count, entry by entry."""
    count = total = 0
    expected = Fraction(0)
    counting = (die for die in dice if die.counts)
    for entry, thrown in groupby(counting, key=lambda die: die.entry):
        for die in thrown:
            count += 1
            total += die.face
            expected += Fraction(die.sides + 1, 2)
        yield LuckPoint(entry=entry, count=count, sum=total, expected=expected)


def _thrown(dice: list[_Die]) -> ThrownLuck:
    counting = [die for die in dice if die.counts]
    fallen = _told(dice)
    return ThrownLuck(
        counting=fallen if len(counting) == len(dice) else _told(counting),
        fallen=fallen,
        service=sum(die.roller == Roller.SERVICE for die in counting),
        forum=sum(die.roller == Roller.FORUM for die in counting),
    )


def _told(dice: Iterable[_Die]) -> DiceLuck:
    found = luck((die.sides, die.face) for die in dice)
    return DiceLuck(
        count=found.count,
        sum=found.sum,
        mean=found.mean,
        deviation=found.deviation,
        worse=_share(found.below),
        same=_share(found.up_to - found.below),
        better=_share(found.above),
        percentile=_share(found.percentile),
        faces=found.faces,
    )


def _share(exact: Fraction) -> Fraction:
    """Round a share, but what may happen never to 0, and what may not happen never to 1."""
    if exact in (0, 1):
        return exact
    return Fraction(min(max(round(exact * FINEST), 1), FINEST - 1), FINEST)
