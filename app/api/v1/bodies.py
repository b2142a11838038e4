"""What is sent to the API, where a use case does not name the whole of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from app.engine.ruleset import Seat
from app.engine.text import Between, Length, Name, Reason
from app.posts.template import Template
from app.services.book_shapes import Sources
from app.services.desk_shapes import MOST_MARKS, Mark, NoteText, PrivateNote, Verdict
from app.services.dice_shapes import Told
from app.services.entry_shapes import (
    Narration,
)
from app.services.entry_shapes import PostText as Pasted
from app.services.inbox import Wishes
from app.services.shapes import (
    AnswerWithin,
    Modifiers,
)

LONGEST_POST = 200_000  # characters; forums stop at a third of it


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSheet:
    """A sheet to store, of the ruleset it belongs to; a ``model`` goes to the stable.

    With a ``template`` of its own the character posts in that one instead of the board's.
    ``sources`` say which of its parts are copies of pieces of the board's book.
    """

    sheet: object
    ruleset: str = "guida"
    model: bool = False
    template: Template | None = None
    sources: Sources = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSheet:
    """What a stored sheet is to be from now on; null leaves it a model, or none.

    Without a ``template`` it keeps its own; one with an empty text takes it away. Without
    ``sources`` it keeps those of the parts that it still has.
    """

    sheet: object
    model: bool | None = None
    template: Template | None = None
    sources: Sources | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBeing:
    """A being to enter the campaign of a game, by its sheet; ``name`` instead of the sheet's."""

    sheet: object
    ruleset: str = "warrior_dice"
    name: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NextBeing:
    """A being to enter in the place of a banished one: worth 300 points, with one trait."""

    sheet: object
    name: Name | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewDeadline:
    """How many hours whoever is awaited has from now on; null for as long as they like."""

    answer_within: AnswerWithin | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrder:
    """An order, with the story that the player tells in each phase of the post.

    ``keep_as_precedent`` keeps the answer to a question as a precedent of the board.
    """

    order: object
    narration: Narration = field(default_factory=Narration)
    keep_as_precedent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWords:
    """The whole story of an entry in other words; ``wording`` is the one that is corrected."""

    narration: Narration
    wording: Annotated[int, Between(1, 9999)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentOrder(NewOrder):
    """An order to decide; ``head`` quotes the head of the ledger that its author has seen."""

    head: Annotated[str, Length(0, 64)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrders:
    """Several orders in a row; each says in ``by`` whose it is.

    ``head`` quotes the head of the ledger that their author has seen.
    """

    orders: Annotated[tuple[NewOrder, ...], Length(1, 12)]
    head: Annotated[str, Length(0, 64)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The natural faces of an entry's dice, in the order in which it asked for them.

    ``modifiers`` are those that the tags were thrown with; null, or no list, stands for those of
    the labels.
    """

    faces: Annotated[tuple[Annotated[int, Between(1, 10_000)], ...], Length(1, 200)]
    modifiers: Modifiers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PastedPost:
    """A post as the forum shows it, with the results of its dice."""

    text: Pasted


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnReason:
    """Why one's own turn is withdrawn, for everybody to read; left empty, a sentence says so."""

    reason: Annotated[str, Length(0, 500, lines=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicReason:
    """Why something is done, for everybody to read."""

    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PostText:
    """A post as it was written, with its dice tags."""

    text: Annotated[str, Length(0, LONGEST_POST, lines=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeat:
    """A seat of the caller's own."""

    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSeal:
    """The seal of the salt that a seat keeps to itself, 64 hexadecimal digits."""

    seat: Seat
    seal: Annotated[str, Length(64, 64)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSalt:
    """The salt that a seat had sealed, 32 hexadecimal digits."""

    seat: Seat
    salt: Annotated[str, Length(32, 32)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPromise:
    """A declaration to seal; ``seat`` is the caller's own, or "gm"."""

    seat: Seat
    text: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceToThrow:
    """Dice beside any order, and what they are for; ``hidden`` until the Master tells them."""

    label: Name
    sides: Annotated[int, Between(2, 10_000)]
    count: Annotated[int, Between(1, 100)] = 1
    hidden: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNotices:
    """The notices that were read, by their ``uid``; null for all of them."""

    ids: Annotated[tuple[Annotated[str, Length(64, 64)], ...], Length(0, 200)] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWishes(Wishes):
    """What is not wanted by which way; ``address`` null stays, empty goes, another is confirmed."""

    address: Annotated[str, Length(0, 200)] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewReview:
    """What a Master says of a turn: approved, or returned with marks, a note, or both."""

    verdict: Verdict
    marks: Annotated[tuple[Mark, ...], Length(0, MOST_MARKS)] = ()
    note: NoteText = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSeen:
    """Whether one has viewed a turn."""

    seen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNote:
    """A note to oneself, about a scene, or with null about the board."""

    text: PrivateNote
    scene_id: Annotated[str, Length(1, 64)] | None = None
