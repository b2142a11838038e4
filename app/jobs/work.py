"""Doing jobs: those of clocks in one transaction, those that leave the house before it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from app.persistence.database import Database
from app.persistence.errors import ArbitroError
from app.services import alarms, jobs, outages, sending
from app.services.jobs import OF_CLOCKS, SENT, Job, Kind, LeaseLost, NotYet
from app.services.run import run
from app.services.sending import Couriers
from app.services.world import World

LOG: Final = logging.getLogger("arbitro")
A_DAY: Final = timedelta(days=1)
MOST_ROUNDS: Final = 50
"""How often one look takes more jobs before it makes way for requests."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Somebody who does jobs, under a name that no other worker has."""

    db: Database
    world: World
    couriers: Couriers
    name: str

    async def look(self, kinds: tuple[Kind, ...] = tuple(Kind)) -> int:
        """Do what is due, until nothing is; count what was done or has failed."""
        count = 0
        for _ in range(MOST_ROUNDS):
            taken = await run(self.db, jobs.take, self.world, self.name, kinds)
            for job in taken:
                await self._one(job)
            count += len(taken)
            if not taken:
                break
        return count

    async def _one(self, job: Job) -> None:
        try:
            if job.kind in OF_CLOCKS:
                await run(self.db, jobs.do, self.world, job, alarms.ring)
                return
            await self._send(job)
        except NotYet as later:
            await run(self.db, jobs.put_off, self.world, job, later.pause)
        except LeaseLost:
            LOG.warning("job %s %s took too long: somebody else does it", job.kind, job.subject)
        except Exception as error:  # whatever it is, the others must be done
            why = f"{type(error).__name__}: {error}"
            over = await run(self.db, jobs.failed, self.world, job, why)
            said = "is given up" if over else "will be tried again"
            LOG.warning("job %s %s failed and %s: %s", job.kind, job.subject, said, why)

    async def _send(self, job: Job) -> None:
        """Send something and note it: after a crash between the two it is sent a second time."""
        send: Callable[[], None] | None = await run(self.db, sending.prepare, job, self.couriers)
        if send is not None:
            await asyncio.to_thread(send)
        await run(self.db, jobs.do, self.world, job, _nothing)


def _nothing(_connection: object, _world: World, _job: Job) -> None:
    """Do nothing more: it was sent."""


async def keep_working(worker: Worker, every: float, *, does_jobs: bool) -> None:
    """Say that the service is there and do what is due, again and again, until cancelled.

    That the service was away is settled first: nobody may be timed out by it.
    """
    swept = worker.world.now()
    while True:
        try:
            moved = await run(worker.db, outages.beat, worker.world)
            if moved:
                LOG.warning("the service was away: %d deadlines were moved", moved)
            if does_jobs:
                await worker.look()
                if worker.world.now() - swept > A_DAY:
                    await run(worker.db, jobs.sweep, worker.world)
                    swept = worker.world.now()
        except ArbitroError as error:
            LOG.warning("cannot look for jobs: %s", error)
        await asyncio.sleep(every)


async def look_once(worker: Worker) -> int:
    """Do what is due, for the command line; while the service is away no deadline is acted on."""
    silent = await run(worker.db, outages.is_silent, worker.world)
    return await worker.look(SENT if silent else tuple(Kind))
