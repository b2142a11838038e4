"""Until when whoever is awaited may answer: set anew whenever something else is awaited."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from app.engine.ruleset import Awaited
from app.persistence.queries import SceneNow
from app.services.games import Game


class Until(NamedTuple):
    """The instant until which an answer is awaited, and the name of what is awaited."""

    answer_by: datetime | None
    answer_for: str | None


NEVER: Final = Until(None, None)


def until(
    ruleset: Game,
    state: Any,
    awaited: Awaited,
    hours: int | None,
    now: datetime,
    before: Until = NEVER,
) -> Until:
    """Give the deadline of what is awaited: the one before, or one from now on.

    None runs while nobody is awaited: the Master has let the scene rest, or is asked first.
    """
    if hours is None or awaited.ended or awaited.paused or not awaited.seats:
        return NEVER
    name = ruleset.awaiting(state) or " ".join(awaited.seats)
    if before.answer_by is not None and before.answer_for == name:
        return before
    return Until(now + timedelta(hours=hours), name)


def before_of(scene: SceneNow) -> Until:
    """Give the deadline that a scene has."""
    return Until(scene.answer_by, scene.answer_for)


def running(scene: SceneNow) -> datetime | None:
    """Give the deadline of a scene that runs; while dice are awaited none does."""
    return scene.answer_by if scene.waiting is None else None
