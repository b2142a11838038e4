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
        running = times.scenes_with_deadlines(connection)
        return sum(_move(connection, scene_id, before, now) for scene_id in running)


def is_silent(db: Database, world: World) -> bool:
    """Say whether the service has not been there for longer than a restart takes."""
    with db.read() as connection:
        before = times.last_beat(connection)
    return before is not None and world.now() - before >= LEAST


def _move(connection: Connection, scene_id: str, began: datetime, ended: datetime) -> bool:
    """Move the deadline of a scene if it was touched; the line is the same where none was.

    Otherwise it would tell that somebody is awaited whom not everybody may know of.
    """
    scene = queries.scene_now(connection, scene_id, lock=True)
    if scene is None:
        return False
    clock, by = clock_of(connection, scene_id), scene.answer_by
    # One that had passed, with its grace, passed while people could still have answered.
    touched = by is not None and by + grace_of(clock) >= began and by < ended + AFTER
    if by is not None and touched:
        at = by + (ended - began)
        queries.set_deadline(connection, scene_id, answer_by=at)
        plan_alarms(connection, scene_id, clock, at, ended)
    facts = {"began": began.isoformat(), "ended": ended.isoformat()}
    note_line(connection, scene, "outage", ended, **facts)
    return touched
