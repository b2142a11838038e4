"""Jobs: planned once, done by whoever holds the lease, tried again, and given up in the end."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from typer.testing import CliRunner

from app import cli
from app.integrations.mail import Mail
from app.integrations.webhook import HookPoster
from app.jobs.work import Worker, keep_working, look_once
from app.persistence import queries_time
from app.persistence.database import Database
from app.services import jobs, outages
from app.services.jobs import FIRST_PAUSE, LEASE, MOST_ATTEMPTS, Job, Kind, LeaseLost
from app.services.sending import Couriers
from tests.support.table import set_table
from tests.support.world import KEYS_TEXT, START, FixedWorld


class Sink:
    """A mailer that keeps what it is given, or fails."""

    def __init__(self, *failures: Exception) -> None:
        self.sent: list[Mail] = []
        self.failures = list(failures)

    def send(self, mail: Mail) -> None:
        """Keep a mail."""
        if self.failures:
            raise self.failures.pop(0)
        self.sent.append(mail)


def worker(db: Database, world: FixedWorld, name: str = "one", mail: Any = None) -> Worker:
    """Make somebody who does jobs."""
    couriers = Couriers("https://arbitro.example", mail or Sink(), HookPoster())
    return Worker(db, world, couriers, name)


def plan(db: Database, *subjects: str, after: timedelta = timedelta()) -> None:
    """Plan jobs that come to nothing, since no scene has these names."""
    with db.write() as connection:
        for subject in subjects:
            jobs.plan(connection, Kind.OVERDUE, subject, START + after, answer_by="never")


def done(db: Database) -> list[str]:
    """List what was done."""
    listed = jobs.list_jobs(db, done=True)
    return [one.subject for one in listed if one.done_at is not None]


def test_the_same_job_is_planned_once(db: Database) -> None:
    plan(db, "a", "b", "a")
    plan(db, "a", after=timedelta(hours=1))
    assert [one.subject for one in jobs.list_jobs(db)] == ["a", "b", "a"]


def test_a_job_is_done_when_it_is_due_and_not_again(db: Database, world: FixedWorld) -> None:
    plan(db, "a", after=timedelta(hours=1))
    assert asyncio.run(worker(db, world).look()) == 0
    world.wait(timedelta(hours=1))
    assert asyncio.run(worker(db, world).look()) == 1
    assert asyncio.run(worker(db, world).look()) == 0
    assert done(db) == ["a"]


def test_several_workers_share_what_there_is(db: Database, world: FixedWorld) -> None:
    plan(db, *"abcde")
    first = jobs.take(db, world, "one", most=3)
    second = jobs.take(db, world, "two", most=3)
    assert [one.subject for one in first] == ["a", "b", "c"]
    assert [one.subject for one in second] == ["d", "e"]
    assert jobs.take(db, world, "three") == ()


def test_what_somebody_is_taking_is_skipped_on_postgresql(postgres_url: str) -> None:
    db, world = Database(postgres_url), FixedWorld()
    plan(db, "a", "b")
    try:
        with db.write() as connection:
            from app.persistence import queries_jobs

            until = START + LEASE
            taken = queries_jobs.take(connection, tuple(Kind), START, until, "one", 1)
            assert [one.subject for one in taken] == ["a"]
            assert [one.subject for one in jobs.take(db, world, "two")] == ["b"]
    finally:
        db.close()


def test_a_lease_that_ran_out_is_somebody_elses_and_nothing_is_done_twice(
    db: Database, world: FixedWorld
) -> None:
    plan(db, "a")
    (slow,) = jobs.take(db, world, "slow")
    assert jobs.take(db, world, "other") == ()
    world.wait(LEASE)
    (other,) = jobs.take(db, world, "other")
    ran: list[str] = []

    def work(_connection: Any, _world: Any, job: Job) -> None:
        ran.append(job.subject)
        with_side_effect = jobs.Kind.OVERDUE
        jobs.plan(_connection, with_side_effect, f"after-{job.row.leased_by}", START)

    jobs.do(db, world, other, work)
    with pytest.raises(LeaseLost):
        jobs.do(db, world, slow, work)
    assert ran == ["a", "a"]
    assert [one.subject for one in jobs.list_jobs(db)] == ["after-other"]  # the other one is undone


def test_what_fails_is_tried_later_and_later_and_then_given_up_with_its_error(
    db: Database, world: FixedWorld
) -> None:
    plan(db, "a")
    for attempt in range(1, MOST_ATTEMPTS + 1):
        (job,) = jobs.take(db, world, "one")
        over = jobs.failed(db, world, job, f"OSError: attempt {attempt}")
        assert over is (attempt == MOST_ATTEMPTS)
        assert jobs.take(db, world, "one") == ()
        world.wait(min(jobs.LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)))
    world.wait(timedelta(days=9))
    assert jobs.take(db, world, "one") == ()
    (dead,) = jobs.list_jobs(db)
    assert dead.dead_at is not None
    assert dead.last_error == f"OSError: attempt {MOST_ATTEMPTS}"


def test_one_that_fails_holds_up_no_other(
    db: Database, world: FixedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    table = set_table(db, world, answer_within=2)
    with db.write() as connection:
        jobs.plan(connection, Kind.REMIND, table.id, START)
        connection.exec_driver_sql("UPDATE jobs SET payload = '[' WHERE kind = 'remind'")
    plan(db, "a")
    assert asyncio.run(worker(db, world).look()) == 2
    assert done(db) == ["a"]
    (bad,) = (one for one in jobs.list_jobs(db) if one.kind == Kind.REMIND)
    assert bad.last_error == "Malformed: (all): not_json"
    assert "failed and will be tried again" in caplog.text


def test_jobs_of_long_ago_are_forgotten(db: Database, world: FixedWorld) -> None:
    plan(db, "a")
    asyncio.run(worker(db, world).look())
    plan(db, "b", after=timedelta(days=90))
    world.wait(jobs.KEPT + timedelta(days=1))
    jobs.sweep(db, world)
    assert [one.subject for one in jobs.list_jobs(db, done=True)] == ["b"]


def test_the_command_lists_jobs_and_does_what_is_due(
    db: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARBITRO_DATABASE_URL", db.url.render_as_string(hide_password=False))
    monkeypatch.setenv("ARBITRO_MASTER_KEYS", KEYS_TEXT)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)

    def said(*words: str) -> str:
        result = CliRunner().invoke(cli.app, ["jobs", *words])
        assert result.exit_code == 0, result.output
        return result.output

    assert said("list").strip() == "Nothing is planned."
    plan(db, "a")
    assert "2025-03-29 14:00 UTC" in said("list")
    assert said("run").startswith("1 ")
    assert "overdue" not in said("list")
    assert "overdue  a" in said("list", "--done")


def test_while_the_service_is_away_the_command_acts_on_no_deadline(
    db: Database, world: FixedWorld
) -> None:
    plan(db, "a")
    outages.beat(db, world)
    world.wait(timedelta(hours=2))
    assert asyncio.run(look_once(worker(db, world))) == 0
    outages.beat(db, world)
    assert asyncio.run(look_once(worker(db, world))) == 1


def test_the_service_says_that_it_is_there_and_works_until_it_is_told_to_stop(
    sqlite: Database, world: FixedWorld
) -> None:
    plan(sqlite, "a")

    async def live() -> None:
        task = asyncio.create_task(keep_working(worker(sqlite, world), 0.01, does_jobs=True))
        for _ in range(500):
            await asyncio.sleep(0.01)
            if done(sqlite):
                break
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(live())
    assert done(sqlite) == ["a"]
    with sqlite.read() as connection:
        assert queries_time.last_beat(connection) == START


def test_without_jobs_it_only_says_that_it_is_there(sqlite: Database, world: FixedWorld) -> None:
    plan(sqlite, "a")

    async def live() -> None:
        task = asyncio.create_task(keep_working(worker(sqlite, world), 0.01, does_jobs=False))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(live())
    assert done(sqlite) == []
