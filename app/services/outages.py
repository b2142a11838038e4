"""Nobody is timed out by our own downtime: deadlines that it touched are moved by as long as it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from app.persistence import queries
from app.persistence import queries_time as times
from app.persistence.database import Database
from app.services.ticking import clock_of, grace_of, note_line, plan_alarms
from app.services.world import World

LEAST: Final = timedelta(minutes=5)
"""A silence shorter than this is a restart; nobody loses a turn by it."""
AFTER: Final = timedelta(hours=12)
"""How long after an outage a deadline is moved as well: who comes back needs time to answer."""


LONGEST_GRACE: Final = timedelta(days=14)


def beat(db: Database, world: World) -> int:
    """Say that the service is there; move what its absence touched, and count those scenes.

    A clock that was turned back makes no outage.
    """
    now = world.now()
    with db.write() as connection:
        before = times.last_beat(connection, lock=True)
        times.beat(connection, now)
        if before is None or now - before < LEAST:
            return 0
        times.add_outage(connection, before, now)
        due = times.scenes_due(connection, before - LONGEST_GRACE, now + AFTER)
        return sum(_move(connection, scene_id, before, now) for scene_id in due)


def is_silent(db: Database, world: World) -> bool:
    """Say whether the service has not been there for longer than a restart takes."""
    with db.read() as connection:
        before = times.last_beat(connection)
    return before is not None and world.now() - before >= LEAST


def _move(connection: Connection, scene_id: str, began: datetime, ended: datetime) -> bool:
    scene = queries.scene_now(connection, scene_id, lock=True)
    if scene is None or scene.answer_by is None:
        return False
    clock = clock_of(connection, scene_id)
    if scene.answer_by + grace_of(clock) < began:
        return False  # it had passed with its grace while people could still have answered
    at = scene.answer_by + (ended - began)
    queries.set_deadline(connection, scene_id, answer_by=at)
    plan_alarms(connection, scene_id, clock, at, ended)
    facts = {"began": began.isoformat(), "ended": ended.isoformat(), "until": at.isoformat()}
    note_line(connection, scene, "outage", ended, **facts)
    return True
