"""What the API answers about notices, where a use case does not name the whole of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedLink:
    """The address of an Atom feed, shown this once; whoever has it can read the feed."""

    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedRead:
    """How many notices were unread before."""

    marked: int
