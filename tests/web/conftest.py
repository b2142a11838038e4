"""A service that answers on a port of its own, for a browser, and people who open their links."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from playwright.sync_api import Browser, BrowserContext, Page
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.persistence.codec import encode
from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.terms import Claim
from app.services.access import Principal
from app.services.boards import owner_link
from app.services.entry_shapes import (
    Submission,
)
from app.services.links import principal_of_secret
from app.services.scenes import open_scene, read_scene
from app.services.shapes import (
    OpenScene,
    Roller,
)
from app.services.sheets import add_sheet
from app.services.turns import decide
from tests.support.fights import HOLLOW, QUINCY, duel
from tests.support.serving import a_door, address_of, serving
from tests.support.world import FixedWorld
from tests.web.town import Town, build


@dataclass
class Duel:
    """An opened scene: its address and the secrets of everybody in it."""

    id: str
    gm: str
    seats: dict[str, str]

    @property
    def path(self) -> str:
        """Give the address of the scene."""
        return f"/scenes/{self.id}"

    def turn(self, seat: str) -> str:
        """Give the address of a seat's turn form."""
        return f"{self.path}/turn/{seat}"


@dataclass
class Site:
    """A running service, and the owner who set it up."""

    base: str
    app: FastAPI
    world: FixedWorld
    owner: str

    @property
    def db(self) -> Database:
        """Give its database."""
        return self.app.state.shared.database

    @property
    def principal(self) -> Principal:
        """Give the owner as the services know them."""
        found = principal_of_secret(self.db, self.world, self.owner)
        assert found is not None
        return found

    def open_duel(
        self, dice: Roller | None = Roller.SERVICE, seal_hours: int = 0, **changes: Any
    ) -> Duel:
        """Open a scene of two, straight through the services; nobody is waited for."""
        opening = OpenScene(
            title="Duello al ponte", setup=duel(**changes), dice=dice, seal_hours=seal_hours
        )
        opened = open_scene(
            self.db, self.world, self.principal, FIRST_BOARD, opening, self.world.token()
        )
        return Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))

    def decide(self, duel: Duel, order: Any, *, keep: bool = False) -> None:
        """Let the owner decide an order for anybody, straight through the services."""
        version = read_scene(self.db, self.principal, duel.id).version
        submission = Submission(order=order, version=version, key=self.world.token(), keep=keep)
        decide(self.db, self.world, self.principal, duel.id, submission)

    def keep_precedent(self, reason: str = "Lo aspettava.") -> Duel:
        """Answer a claim of surprise in a scene of its own, and keep the answer."""
        duel = self.open_duel()
        claim = Attack(target="quincy", tool="claws", claims=(Claim.SURPRISE,))
        self.decide(duel, Turn(by="hollow", main=claim))
        answer = {"kind": "answer", "by": "gm", "question": "q-a1-surprise"}
        self.decide(duel, {**answer, "choice": "deny", "reason": reason}, keep=True)
        return duel

    def view(self, duel: Duel) -> Any:
        """Look at a scene as its Master."""
        return read_scene(self.db, self.principal, duel.id).view

    def keep_sheets(self) -> None:
        """Store the sheets of the two fighters."""
        for sheet in (HOLLOW, QUINCY):
            add_sheet(
                self.db, self.world, self.principal, FIRST_BOARD, encode(sheet), self.world.token()
            )


Visitor = Callable[..., Page]


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the tables once; each test gets a copy of the file."""
    path = tmp_path_factory.mktemp("empty") / "arbitro.sqlite3"
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


def _application(empty: Path, path: Path, base: str) -> tuple[FastAPI, FixedWorld]:
    shutil.copy(empty, path)
    world = FixedWorld()
    return create_app(Settings(database_url=f"sqlite:///{path}", base_url=base), world), world


@pytest.fixture(scope="session")
def town(empty_database: Path, tmp_path_factory: pytest.TempPathFactory) -> Town:
    """Build both boards once; each test asks a copy."""
    return build(empty_database, tmp_path_factory.mktemp("town") / "town.sqlite3")


@pytest.fixture
def site(empty_database: Path, tmp_path: Path) -> Iterator[Site]:
    """Run the service on a free port, in a thread of its own."""
    door = a_door()
    app, world = _application(empty_database, tmp_path / "arbitro.sqlite3", address_of(door))
    with serving(app, door) as base:
        yield Site(base, app, world, owner_link(app.state.shared.database, world, FIRST_BOARD))


@pytest.fixture
def visitor(
    site: Site, browser: Browser, browser_context_args: dict[str, Any]
) -> Iterator[Visitor]:
    """Open a browser of somebody's own, in which some links were opened already."""
    contexts: list[BrowserContext] = []

    def enter(*secrets: str, **options: Any) -> Page:
        context = browser.new_context(**{**browser_context_args, "base_url": site.base, **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        # The first reader of the worked cases waits until all have run.
        page.set_default_navigation_timeout(60_000)
        for secret in secrets:
            page.goto(f"/k/{secret}")
            if options.get("java_script_enabled", True) is False:
                page.get_by_role("button", name="Entra").click()
            page.wait_for_url(lambda url: "/k/" not in url)
        return page

    yield enter
    for context in contexts:
        context.close()


@dataclass
class Client:
    """A visitor without a browser: sends forms and reads what comes back."""

    site: Site
    http: TestClient

    def enter(self, secret: str) -> Any:
        """Open a link and follow it to the clean address."""
        return self.post(f"/k/{secret}")

    def post(self, path: str, data: dict[str, Any] | None = None, **more: Any) -> Any:
        """Send a form as a browser does from a page of ours."""
        headers = {"Sec-Fetch-Site": "same-origin", **more.pop("headers", {})}
        return self.http.post(path, data=data or {}, headers=headers, **more)


@pytest.fixture
def client(empty_database: Path, tmp_path: Path) -> Iterator[Client]:
    """Run the application without a port."""
    base = "https://arbitro.example"
    app, world = _application(empty_database, tmp_path / "arbitro.sqlite3", base)
    with TestClient(app, base_url=base, raise_server_exceptions=False) as http:
        site = Site(base, app, world, owner_link(app.state.shared.database, world, FIRST_BOARD))
        http.headers["Accept-Language"] = "it"
        yield Client(site, http)
