"""What is known of a forum: how it takes a post, how it is told to roll, and what it shows then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from app.posts.dialects.markup import Markup, Write, WriteTag
from app.posts.dialects.shown import ShownDie

Read: TypeAlias = Callable[[str], tuple[ShownDie, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One forum software, with one way of rolling.

    ``verified`` says that what it shows of a roll is known from its pages or its source; where it
    is not, ``read`` finds only our own results, and a pattern made from a sample finds the rest.
    ``tag`` writes what the forum rolls when it is pasted, or is None where a roll begins with a
    button; ``has_tags`` says that it is a tag which the checker of posts reads. ``markup`` is how
    it writes what is no die, None where it has no markup at all.
    """

    key: str
    family: str
    verified: bool
    has_tags: bool
    write: Write
    markup: Markup | None
    tag: WriteTag | None
    read: Read
