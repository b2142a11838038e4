"""The composition root: the one module that knows every other and puts them together."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

from fastapi import FastAPI

from app import api, web
from app.config import LARGEST_BODY, STATIC, Settings
from app.games import register_all
from app.http.access_log import AccessLog, quiet_the_server, speak
from app.http.context import Shared
from app.http.csrf import SameOrigin
from app.http.files import Files
from app.http.head import HeadAsGet
from app.http.headers import SecurityHeaders
from app.http.last_resort import LastResort
from app.http.limits import BodyLimit
from app.http.refusals import answer_refusals
from app.http.same_form import SameForm
from app.integrations.oidc import Provider
from app.jobs.waiting import keep_going
from app.jobs.work import Worker, keep_working
from app.persistence.database import Database
from app.persistence.errors import ArbitroError
from app.services import outages
from app.services.boards import ensure_board
from app.services.run import run
from app.services.sending import couriers_of
from app.services.world import SystemWorld, World, check_world

LOG: Final = logging.getLogger("arbitro")


def create_app(settings: Settings | None = None, world: World | None = None) -> FastAPI:
    """Put one application together; nothing touches the database before it starts."""
    settings = settings or Settings()
    register_all(settings.further_games)
    app = FastAPI(
        title="Arbitro",
        lifespan=_live,
        redirect_slashes=False,
        # Their pages load scripts from elsewhere; app.api has its own.
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    app.state.shared = Shared(
        settings,
        Database(settings.database_url),
        world or SystemWorld(settings),
        web.problem_page,
        _provider(settings),
    )
    # What FastAPI works out of a route stays with it, for every application of the process.
    app.routes.extend((*api.ROUTES, *web.ROUTES))
    app.mount("/static", Files(directory=STATIC), name="static")
    answer_refusals(app)
    _wrap(app, settings)
    return app


def _provider(settings: Settings) -> Provider | None:
    """Describe the provider that may vouch for people, if there is one."""
    if not settings.oidc_issuer:
        return None
    callback = f"{settings.base_url}/login/oidc/callback"
    return Provider(
        settings.oidc_issuer, settings.oidc_client_id, settings.oidc_client_secret, callback
    )


def _wrap(app: FastAPI, settings: Settings) -> None:
    """Put around the application what every request passes, from the inside out."""
    app.add_middleware(SameForm)
    app.add_middleware(BodyLimit, most=LARGEST_BODY)
    app.add_middleware(SameOrigin, origin=settings.origin)
    app.add_middleware(LastResort, debug=settings.debug)
    app.add_middleware(SecurityHeaders, secure=settings.secure)
    app.add_middleware(AccessLog)
    app.add_middleware(HeadAsGet)


@asynccontextmanager
async def _live(app: FastAPI) -> AsyncIterator[None]:
    """Refuse to start on a database of another version; give everything back at the end."""
    speak()
    quiet_the_server()
    database, world = app.state.shared.database, app.state.shared.world
    try:
        ensure_board(database)
        check_world(world)
        # Before anybody may say that a deadline has passed: it may have passed while we were away.
        try:
            await run(database, outages.beat, world)
        except ArbitroError as error:  # it can be read all the same; the next beat comes soon
            LOG.warning("cannot say that the service is there: %s", error)
        settings: Settings = app.state.shared.settings
        worker = Worker(database, world, couriers_of(settings), secrets.token_hex(8))
        tasks = (
            asyncio.create_task(keep_going(database, world)),
            asyncio.create_task(keep_working(worker, settings.jobs_every, does_jobs=settings.jobs)),
        )
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
    finally:
        database.close()
