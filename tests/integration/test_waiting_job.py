"""What the service does by itself: turns that waited go on without anybody asking."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest

from app.jobs.waiting import keep_going
from app.persistence.database import Database
from app.persistence.errors import Busy
from app.services import sealing
from app.services.sealing import read_dice
from app.services.world import World
from tests.support.fights import attack
from tests.support.table import set_table
from tests.support.world import FixedWorld


async def looks(
    db: Database, world: World, times: int, until: Callable[[], bool] = lambda: True
) -> None:
    """Let the service look for turns that wait, so many times at least and until it is so."""
    task = asyncio.create_task(keep_going(db, world, 0.01))
    for look in range(1_000):
        await asyncio.sleep(0.02)
        if look >= times and until():
            break
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_turn_goes_on_when_the_limit_has_passed_and_nobody_looks(db: Database) -> None:
    table = set_table(db, FixedWorld(), seal_hours=24)
    table.decide("hollow", attack())
    asyncio.run(looks(db, table.world, 3))
    assert read_dice(db, table.gm, table.id).waits == "seals"
    table.world.wait(timedelta(hours=24))
    asyncio.run(looks(db, table.world, 3, lambda: read_dice(db, table.gm, table.id).rolls == 1))
    assert read_dice(db, table.gm, table.id).rolls == 1


def test_a_look_that_fails_is_noted_and_the_next_one_comes(
    db: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = set_table(db, FixedWorld(), seal_hours=1)
    table.decide("hollow", attack())
    table.world.wait(timedelta(hours=1))
    failures = iter([Busy("locked")])
    go_on = sealing.go_on_everywhere

    def stumbling(db: Database, world: World) -> object:
        for failure in failures:
            raise failure
        return go_on(db, world)

    monkeypatch.setattr("app.jobs.waiting.go_on_everywhere", stumbling)
    asyncio.run(looks(db, table.world, 5, lambda: read_dice(db, table.gm, table.id).rolls == 1))
    assert "cannot look for turns that wait: locked" in caplog.text
    assert read_dice(db, table.gm, table.id).rolls == 1


def test_a_scene_that_cannot_go_on_holds_up_no_other(db: Database) -> None:
    world = FixedWorld()
    first = set_table(db, world, seal_hours=1)
    second = set_table(db, world, seal_hours=1, owner=first.owner)
    for table in (first, second):
        table.decide("hollow", attack())
    world.wait(timedelta(hours=1))
    with db.write() as connection:
        connection.exec_driver_sql(
            f"UPDATE scene_dice SET key_name = 'lost' WHERE scene = '{first.id}'"  # ours
        )
    failed = sealing.go_on_everywhere(db, world)
    assert [(scene, error.code) for scene, error in failed] == [(first.id, "dice_key_lost")]
    assert read_dice(db, second.gm, second.id).rolls == 1
    assert read_dice(db, first.gm, first.id).waits
