"""Precedents as they are read, and as they are suggested for a question."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from app.services.access import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstance:
    """One thing that a question was about; nobody is named in it."""

    key: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing in which a question differs from that of a precedent; an empty one is not there."""

    key: str
    here: str
    there: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PrecedentRead:
    """A precedent of the board: to which question, about what, which answer, and why.

    ``name`` is how it is cited. ``kept_by`` is who gave the answer: a scene's Master, or the owner.
    It is ``in_force`` until it is retired, or the answer taken back by entry ``taken_back_by``.
    """

    number: int
    name: str
    ruleset: str
    rule: str
    code: str
    choice: str
    reason: str
    situation: tuple[Circumstance, ...]
    scene_id: str
    scene_title: str
    entry: int
    at: datetime
    kept_by: Role
    in_force: bool
    retired_at: datetime | None
    retired_reason: str
    taken_back_by: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Retired:
    """A precedent that no longer holds.

    ``replayed`` says that the call was answered before and nothing was done again.
    """

    precedent: PrecedentRead
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A precedent that may fit a question, with why: what is alike, and what is not."""

    precedent: PrecedentRead
    alike: tuple[Circumstance, ...]
    different: tuple[Difference, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggested:
    """What may fit an open question, the most alike first; and what the question is about."""

    question: str
    code: str
    situation: tuple[Circumstance, ...]
    suggestions: tuple[Suggestion, ...]
