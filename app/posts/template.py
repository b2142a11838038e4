"""What a template of posts is, before anything is done with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from app.engine.ruleset import Seat
from app.engine.text import Length

LONGEST_TEMPLATE: Final = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why a text is no template: a code, the line, and the facts of its sentence."""

    code: str
    facts: Mapping[str, str | int]


class Written(StrEnum):
    """In what the text of a template is written."""

    BBCODE = "bbcode"
    HTML = "html"


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """The text that a post is set in, with named slots; an empty one stands for none."""

    markup: Written = Written.BBCODE
    text: Annotated[str, Length(0, LONGEST_TEMPLATE, lines=True)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneTemplates:
    """The templates that a scene took along when it was opened: the board's, and some seats' own.

    Whoever has none of their own posts in the board's.
    """

    board: Template = Template()
    seats: Mapping[Seat, Template] = field(default_factory=dict)

    def of(self, seat: Seat) -> Template:
        """Give the template of a seat; its text is empty where posts are written without one."""
        return self.seats.get(seat, self.board)
