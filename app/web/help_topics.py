"""What people ask, topic by topic, and from which part of the site each is asked."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from app.http.language import Language

TOPICS: Final = Path(__file__).with_name("help.toml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A page of ours that a topic leads to; ``{board}`` in it stands for those of the board.

    ``who`` names those who may follow it, where not everybody may.
    """

    address: str
    it: str
    en: str
    who: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic in both languages, and the parts of the site to which it belongs."""

    id: str
    sections: tuple[str, ...]
    title: dict[Language, str]
    text: dict[Language, list[str]]
    see: tuple[Link, ...]


@cache
def topics() -> tuple[Topic, ...]:
    """Read the topics in their order."""
    read = tomllib.loads(TOPICS.read_text(encoding="utf-8"))
    return tuple(
        Topic(
            id=id,
            sections=tuple(row["sections"]),
            title=row["title"],
            text=row["text"],
            see=tuple(Link(**one) for one in row["see"]),
        )
        for id, row in read.items()
    )


def topic_of(section: str) -> str:
    """Name the topic that answers what somebody asks in a part of the site; the first elsewhere."""
    found = (one.id for one in topics() if section in one.sections)
    return next(found, topics()[0].id)
