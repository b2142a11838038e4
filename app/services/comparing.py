"""A pasted post beside the entry that it tells: every number, as far as its reader may know it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from app.engine.ruleset import Seat
from app.engine.text import Between, Id, Length
from app.persistence import queries
from app.persistence.database import Database
from app.persistence.queries import EntryHead
from app.posts.compare import compare_post as compare
from app.posts.compare import unexplained
from app.posts.compared import Compared, Other
from app.posts.dialects import WITH_TAGS
from app.posts.lint import LONGEST
from app.posts.read import Claim
from app.posts.read import read_post as read
from app.posts.write import PostSource
from app.services.access import Principal
from app.services.casting import as_cast
from app.services.entries import Around, entry_lines, entry_read
from app.services.entry_shapes import EntryRead
from app.services.errors import Conflict, NotFound
from app.services.games import game
from app.services.patterns import shows_here
from app.services.proofs import proofs_of
from app.services.retold import source_of
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.shapes import EntryKind, Roller
from app.services.sight import eyes_of

MOST_OTHERS = 6  # entries of the same seat from which a post may have been copied
TURN = "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostToCompare:
    """A post as it stands on the forum, and the entry that it tells.

    Without ``entry`` it is the last turn in effect, of ``seat`` if one is named.
    """

    text: Annotated[str, Length(1, LONGEST, lines=True)]
    entry: Annotated[int, Between(1, 2**31 - 1)] | None = None
    seat: Id | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostCompared:
    """Every number of a post beside the computed one, and what was not understood of it."""

    entry: int
    seat: Seat
    same: bool
    edited: bool
    numbers: tuple[Compared, ...]
    unread: tuple[Claim, ...]


@takes_long
def compare_post(
    db: Database, principal: Principal, scene_id: str, post: PostToCompare
) -> PostCompared:
    """Compare a post with its entry; nothing is stored.

    Only what the principal may know of the entry is compared. Raises NotFound where there is no
    such entry, and Conflict where it has no post of a turn that the principal can see.
    """
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        eyes = eyes_of(as_cast(principal, scene), scene)
        heads = queries.entry_heads(connection, scene_id)
        number = _last_turn(heads, eyes, post.seat) if post.entry is None else post.entry
        if number not in {head.number for head in heads}:
            raise NotFound
        near = _near(heads, eyes, number)
        rows = [queries.entry_full(connection, scene_id, one) for one in (number, *near)]
        kept = [row for row in rows if row is not None]
        around = Around.of(connection, scene_id, kept)
        shows = shows_here(connection, scene.board)
        proofs = proofs_of(connection, scene, (number,))
        entries = {
            row.number: entry_read(
                game(scene.ruleset), scene, row, around, eyes, proofs.get(row.number)
            )
            for row in kept
        }
    entry = entries.pop(number)
    if entry.kind is not EntryKind.ORDER or not entry.seat or not (entry.findings or entry.asked):
        raise Conflict("nothing_to_compare")
    reading = read(post.text, shows=shows)
    source = _source(entry, scene.dice)
    numbers = compare(
        reading,
        source,
        others=[_other(one) for one in entries.values()],
        has_dice=_has_dice(entry, scene.dice),
    )
    return PostCompared(
        entry=entry.number,
        seat=entry.seat,
        same=all(one.same for one in numbers),
        numbers=numbers,
        edited=reading.edited,
        unread=unexplained(reading, source),
    )


def _last_turn(heads: Sequence[EntryHead], eyes: tuple[Seat, ...], seat: Seat | None) -> int:
    """Find the last turn in effect that these eyes see, of a seat or of anybody; else 0."""
    turns = _turns(heads, eyes)
    return next((number for number, of in reversed(turns) if seat in (None, of)), 0)


def _near(heads: Sequence[EntryHead], eyes: tuple[Seat, ...], number: int) -> tuple[int, ...]:
    """List other turns of the same seat, the nearest first."""
    turns = _turns(heads, eyes)
    mine = next((of for one, of in turns if one == number), None)
    others = [one for one, of in turns if of == mine and one != number]
    return tuple(sorted(others, key=lambda one: (abs(one - number), one)))[:MOST_OTHERS]


def _turns(heads: Sequence[EntryHead], eyes: tuple[Seat, ...]) -> list[tuple[int, Seat]]:
    lines = entry_lines(heads, eyes)
    return [(one.number, one.seat) for one in lines if one.act == TURN and one.voided_by is None]


def _source(entry: EntryRead, dice: str) -> PostSource:
    provenance = entry.provenance or ("service" if dice == Roller.SERVICE else "")
    return replace(source_of(entry), provenance=provenance)


def _has_dice(entry: EntryRead, dice: str) -> bool:
    """Say whether dice stand in the post: fallen, or as tags where the forum rolls by tags."""
    if entry.rolls is not None:
        return True
    return dice == Roller.FORUM and entry.dialect in WITH_TAGS


def _other(entry: EntryRead) -> Other:
    return Other(
        number=entry.number,
        findings=entry.findings,
        asked=entry.asked,
        rolls=entry.rolls or (),
    )
