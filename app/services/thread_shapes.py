"""Old threads as they are sent in and read out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias

from app.engine.text import Length
from app.posts.lint import LONGEST
from app.posts.thread import MOST_POSTS, Character, PostInThread
from app.posts.thread_drafts import EntrantDraft

MOST_CHARACTERS: Final = 120_000
"""Of all posts of a thread together: a form with them fits into one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPost:
    """A post from before; ``who`` names its character where its dice and first line do not."""

    text: Annotated[str, Length(1, LONGEST, lines=True)]
    who: Annotated[str, Length(0, 80)] = ""


OldPosts: TypeAlias = Annotated[tuple[OldPost, ...], Length(0, MOST_POSTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadToRead:
    """The posts of an old thread, in their order."""

    posts: Annotated[tuple[OldPost, ...], Length(1, MOST_POSTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadFound:
    """A thread as it was read: its posts, how everybody stands, and the entrants that makes."""

    posts: tuple[PostInThread, ...]
    people: tuple[Character, ...]
    entrants: tuple[EntrantDraft, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPostLine:
    """A post of an old thread in a list: whose it is, and how it begins."""

    number: int
    who: str
    beginning: str
