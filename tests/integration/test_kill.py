"""kill -9 in the middle of the load: what was acknowledged is there, whole, with its dice."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.persistence.codec import encode, read_json, write_json
from app.persistence.database import Database
from app.rulesets.guida.entrants import Entrant
from app.services import replay, scenes
from app.services.access import ANONYMOUS
from tests.support.fights import HOLLOW, QUINCY, attack, defend, duel
from tests.support.server import PATIENCE, Server
from tests.support.table import Table, set_table
from tests.support.world import system_world

SCENES = 4
# So many hit points that nobody falls before the test ends.
TOUGH = duel(
    entrants=(
        Entrant(id="hollow", team="night", sheet=replace(HOLLOW, max_hp=99_999)),
        Entrant(id="quincy", team="day", sheet=replace(QUINCY, max_hp=99_999)),
    )
)


@dataclass
class Player:
    """Plays both seats of one scene through the API, and remembers what it was told."""

    table: Table
    server: Server
    rng: random.Random
    acknowledged: dict[int, str] = field(default_factory=dict)
    retried: int = 0
    same_faces: int = 0

    def play(self, stop: threading.Event) -> None:
        """Post turn after turn; one whose answer was lost is sent again under its key."""
        with httpx.Client(base_url=f"{self.server.address}/api/v1", timeout=30) as client:
            while not stop.is_set():
                scene = self.ask(client, f"/scenes/{self.table.id}")
                self.post(client, scene)

    def post(self, client: httpx.Client, scene: dict[str, Any]) -> None:
        """Post whoever's turn it is: the Hollow attacks, the Quincy dodges."""
        seat = scene["awaited"]["seats"][0]
        coming = [one["id"] for one in scene["view"]["incoming"] if one["target"] == seat]
        order = attack(by=seat) if seat == "hollow" else defend(*coming, by=seat)
        key = f"key-{self.rng.getrandbits(80):020x}"
        headers = {
            "Authorization": f"Bearer {self.table.opened.seat_secrets[seat]}",
            "Content-Type": "application/json",
            "Idempotency-Key": key,
            "If-Match": f'"{scene["version"]}"',
        }
        content = write_json({"order": encode(order)})
        seen: list[Any] | None = None
        while True:
            try:
                answer = client.post(
                    f"/scenes/{self.table.id}/orders", content=content, headers=headers
                )
                break
            except httpx.TransportError:
                self.retried += 1
                self.server.wait_until_it_serves()
                seen = self.faces(client, scene["version"])
        assert answer.status_code == 201, answer.text
        number = answer.json()["number"]
        assert number not in self.acknowledged
        if seen is not None:  # it had been kept: the retry throws nothing anew
            assert seen == self.faces(client, number)
            self.same_faces += 1
        self.acknowledged[number] = key

    def faces(self, client: httpx.Client, number: int) -> list[Any] | None:
        """Read the dice of an entry, if it is there."""
        found = self.ask(client, f"/scenes/{self.table.id}/entries/{number}", missing=True)
        return None if found is None else found["entry"]["rolls"]

    def ask(self, client: httpx.Client, path: str, *, missing: bool = False) -> Any:
        """Read something, however often the server goes away meanwhile."""
        while True:
            try:
                answer = client.get(path)
            except httpx.TransportError:
                self.server.wait_until_it_serves()
                continue
            if missing and answer.status_code == 404:
                return None
            assert answer.status_code == 200, answer.text
            return read_json(answer.content)


@pytest.fixture
def tables(db: Database) -> list[Table]:
    """Set several tables."""
    world: Any = system_world()
    first = set_table(db, world, setup=TOUGH)
    more = [set_table(db, world, setup=TOUGH, owner=first.owner) for _ in range(SCENES - 1)]
    return [first, *more]


@pytest.fixture
def server(db: Database, tmp_path: Path) -> Iterator[Server]:
    """Start a real server on the database."""
    url = db.url.render_as_string(hide_password=False)
    server = Server(url, tmp_path / "server.log")
    server.start()
    yield server
    server.kill()


def storm(server: Server, tables: list[Table], kills: int) -> list[Player]:
    """Let everybody play while the server is killed again and again."""
    rng = random.Random(9)
    players = [Player(table, server, random.Random(index)) for index, table in enumerate(tables)]
    stop = threading.Event()
    with ThreadPoolExecutor(len(players)) as pool:
        playing = [pool.submit(player.play, stop) for player in players]
        for _ in range(kills):
            wait_for_more(players, playing, rng.randint(8, 30))
            server.kill()
            server.start()
        wait_for_more(players, playing, 8)
        stop.set()
        for one in playing:
            one.result()
    return players


def wait_for_more(players: list[Player], playing: list[Future[None]], more: int) -> None:
    """Wait until so many more turns are acknowledged, however slow the machine is today."""
    wanted = more + sum(len(player.acknowledged) for player in players)
    limit = time.monotonic() + PATIENCE
    while sum(len(player.acknowledged) for player in players) < wanted:
        assert time.monotonic() < limit
        if any(one.done() for one in playing):
            break  # somebody failed, and says so when the result is asked for
        time.sleep(0.002)


def check(db: Database, players: list[Player]) -> None:
    """Hold what is stored against what was acknowledged."""
    for player in players:
        line = scenes.read_scene(db, ANONYMOUS, player.table.id)
        numbers = [entry.number for entry in line.entries]
        assert numbers == list(range(1, len(numbers) + 1))
        assert set(numbers) == set(player.acknowledged)
        assert line.version == len(numbers) + 1
        for number in numbers:
            entry = scenes.read_entry(db, ANONYMOUS, player.table.id, number)
            assert len(entry.rolls or ()) == len(entry.asked)
    assert len(replay.check_scenes(db).equal) == len(players)


def test_no_acknowledged_turn_is_lost_when_the_server_is_killed(
    db: Database, server: Server, tables: list[Table]
) -> None:
    players = storm(server, tables, kills=2 if db.is_sqlite else 1)
    check(db, players)
    assert sum(len(player.acknowledged) for player in players) > 20
    assert sum(player.retried for player in players) > 0


@pytest.mark.slow
def test_nor_when_it_is_killed_twenty_times(
    db: Database, server: Server, tables: list[Table]
) -> None:
    players = storm(server, tables, kills=20)
    check(db, players)
    assert sum(len(player.acknowledged) for player in players) > 200
