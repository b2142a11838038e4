"""What is sent to the API, where a use case does not name the whole of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from app.engine.text import Between, Length, Reason
from app.services.entry_shapes import (
    Narration,
)
from app.services.shapes import (
    Modifiers,
)

LONGEST_POST = 200_000  # characters; forums stop at a third of it


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSheet:
    """A sheet to store, of the ruleset it belongs to; a ``model`` goes to the stable."""

    sheet: object
    ruleset: str = "guida"
    model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedSheet:
    """What a stored sheet is to be from now on; null leaves it a model, or none."""

    sheet: object
    model: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrder:
    """An order, with the story that the player tells in each phase of the post.

    ``keep_as_precedent`` keeps the answer to a question as a precedent of the board.
    """

    order: object
    narration: Narration = field(default_factory=Narration)
    keep_as_precedent: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NewOrders:
    """Several orders in a row; each says in ``by`` whose it is."""

    orders: Annotated[tuple[NewOrder, ...], Length(1, 12)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Faces:
    """The natural faces of an entry's dice, in the order in which it asked for them.

    ``modifiers`` are those that the tags were thrown with; null, or no list, stands for those of
    the labels.
    """

    faces: Annotated[tuple[Annotated[int, Between(1, 10_000)], ...], Length(1, 200)]
    modifiers: Modifiers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicReason:
    """Why something is done, for everybody to read."""

    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PostText:
    """A post as it was written, with its dice tags."""

    text: Annotated[str, Length(0, LONGEST_POST, lines=True)]
