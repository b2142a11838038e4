"""An application that runs, who sits around its scenes, and calls as a plugin makes them."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from app.api.openapi import examples_of
from app.config import Settings
from app.engine.dice import Dice
from app.engine.seal import SealedDice
from app.http.session import SECURE_COOKIE
from app.integrations.beacon import Beacon
from app.main import create_app
from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.services.access import Role
from app.services.boards import owner_link
from app.services.keyring import Keyring
from app.services.members import give_role
from app.services.people import sign_up
from app.services.people_shapes import NewAccount
from tests.support.world import KEYS

BASE = "https://arbitro.example"
V1 = "/api/v1"


@dataclass
class FixedWorld:
    """A world in which nothing is left to chance, so that a test sees the same twice."""

    keys: Keyring = KEYS
    moment: datetime = datetime(2025, 3, 29, 13, 0, tzinfo=UTC)
    beacon: Beacon | None = None
    chance: random.Random = field(default_factory=lambda: random.Random(7))
    count: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def now(self) -> datetime:
        """Give one moment, until a test turns the clock."""
        return self.moment

    def token(self) -> str:
        """Make the next token, as long as a real one."""
        return f"token-{next(self.count):037}"

    def scene_id(self) -> str:
        """Make the next id, as long as a real one."""
        return f"scene-{next(self.count):016}"

    def randbelow(self, bound: int) -> int:
        """Draw the next number."""
        return self.chance.randrange(bound)

    def noise(self) -> bytes:
        """Draw the next 32 bytes."""
        return self.chance.randbytes(32)

    def dice(self, key: bytes) -> Dice:
        """Give the dice of a key, as in production."""
        return SealedDice(key)


@dataclass
class Api:
    """A plugin: it knows the addresses, makes its keys, and sends secrets in a header."""

    client: TestClient
    owner: str
    world: FixedWorld
    keys: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __call__(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        secret: str | None = None,
        version: int | None = None,
        key: str | None = "",
        **headers: str,
    ) -> Any:
        """Call an operation; an empty key makes a new one, None sends none."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if secret is not None:
            sent["Authorization"] = f"Bearer {secret}"
        if version is not None:
            sent["If-Match"] = f'"{version}"'
        if method not in ("GET", "HEAD") and key is not None:
            sent["Idempotency-Key"] = key or f"key-{next(self.keys):08}"
        content = None
        if isinstance(body, bytes):
            content = body
        elif body is not None:
            content = json.dumps(body, ensure_ascii=False).encode()
        if content is not None:
            sent.setdefault("Content-Type", "application/json")
        return self.client.request(method, V1 + path, content=content, headers=sent)

    def open_scene(self, title: str = "Dall'inizio", **changes: Any) -> Table:
        """Open the scene of an example, as the owner; nobody is waited for."""
        opening = {**examples_of("open_scene")[title], "seal_hours": 0, **changes}
        answer = self("POST", "/boards/board/scenes", opening, secret=self.owner)
        assert answer.status_code == 201, answer.text
        opened = answer.json()
        seats = {seat: link["secret"] for seat, link in opened["seats"].items()}
        return Table(self, opened["scene_id"], opened["gm"]["secret"], seats)


DUEL: dict[str, Any] = {
    "ruleset": "warrior_dice",
    "setup": {
        "entrants": [
            {"id": seat, "sheet": {"kind": "printed", "warrior": warrior}}
            for seat, warrior in (("hollow", "guerriero"), ("quincy", "ladro"))
        ],
        "first": "hollow",
    },
}
"""A duel of Warrior Dice with the seats of the examples, in which a passed deadline decides."""


@dataclass
class Browser:
    """Somebody with an account, who calls from a page of ours with the cookie of a log-in."""

    api: Api
    cookie: str
    person: str

    def how(self) -> dict[str, Any]:
        """Give what the next call is sent with: the newest cookie, and whence it comes."""
        jar = self.api.client.cookies
        self.cookie = jar.get(SECURE_COOKIE) or self.cookie
        jar.clear()
        return {"Cookie": f"{SECURE_COOKIE}={self.cookie}", "Sec_Fetch_Site": "same-origin"}

    def __call__(self, method: str, path: str, body: object = None) -> Any:
        """Call an operation, and keep the cookie that comes back."""
        answer = self.api(method, path, body, **self.how())
        self.how()
        return answer


def signed_up(api: Api, name: str, *, is_admin: bool = False) -> Browser:
    """Make an account, straight through the services."""
    db = api.client.app.state.shared.database
    new = NewAccount(name=name, password="quattro parole qualunque")
    done = sign_up(db, api.world, new, is_admin=is_admin)
    return Browser(api, done.cookie, done.person)


def give(api: Api, person: str, role: Role, board: str = FIRST_BOARD) -> None:
    """Let somebody be something on a board."""
    db = api.client.app.state.shared.database
    with db.write() as connection:
        give_role(connection, api.world, board, person, role)


@dataclass
class Table:
    """A scene and the secrets of those who play it."""

    api: Api
    id: str
    gm: str
    seats: dict[str, str]

    @property
    def version(self) -> int:
        """Ask for the version that holds now."""
        answer = self.api("GET", f"/scenes/{self.id}")
        return int(answer.headers["etag"].strip('"'))

    def decide(self, secret: str, order: dict[str, Any], **narration: str) -> Any:
        """Send an order, made for the version that holds now."""
        body = {"order": order, "narration": narration}
        return self.api(
            "POST", f"/scenes/{self.id}/orders", body, secret=secret, version=self.version
        )


def enter_being(api: Api, example: int = 0) -> tuple[str, str]:
    """Let a being of the examples enter; give its id and the secret of its owner."""
    body = list(examples_of("add_being").values())[example]
    entered = api("POST", "/boards/board/beings", body, secret=api.owner).json()
    return entered["being_id"], entered["owner"]["secret"]


def banish(api: Api, being_id: str) -> None:
    """Let a being be killed in a campaign in which nobody survives that."""
    options = {"options": {"warrior_dice": {"banish_below": 300}}}
    assert api("PATCH", "/boards/board", options, secret=api.owner).status_code == 200
    killer = {"id": "quincy", "sheet": {"kind": "printed", "warrior": "jasmine"}}
    killed = {"id": "hollow", "sheet": {"being": being_id}}
    setup = {"entrants": [killed, killer], "shadow": True, "first": "hollow"}
    table = api.open_scene(ruleset="warrior_dice", setup=setup)
    assert table.decide(table.seats["hollow"], {"kind": "resign"}).status_code == 201


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make the tables once; each test gets a copy of the file."""
    path = tmp_path_factory.mktemp("empty") / "arbitro.sqlite3"
    database = Database(f"sqlite:///{path}")
    upgrade(database)
    database.close()
    return path


@pytest.fixture
def world() -> FixedWorld:
    """Fix the world."""
    return FixedWorld()


@pytest.fixture
def app(empty_database: Path, tmp_path: Path, world: FixedWorld) -> FastAPI:
    """Put an application together, with a database of its own."""
    path = tmp_path / "arbitro.sqlite3"
    shutil.copy(empty_database, path)
    return create_app(Settings(database_url=f"sqlite:///{path}", base_url=BASE), world)


@pytest.fixture
def api(app: FastAPI, world: FixedWorld) -> Iterator[Api]:
    """Run the application."""
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        yield Api(client, owner_link(app.state.shared.database, world, FIRST_BOARD), world)


@pytest.fixture
def table(api: Api) -> Table:
    """Open a scene in which the service rolls."""
    return api.open_scene()
