"""Two worlds that differ only in what is still secret look equal to everybody else (G12).

The same scene is played in two applications that differ in a sealed declaration, in the Master's
hidden rolls, in what somebody hidden does, or in the seeds of all dice to come. Everything that
the others can ask for is compared: every GET of the API and of the pages, as the application's own
routes have them, with its status, its headers and its length, and the words of every refusal.

A commitment is a digest of 64 hexadecimal digits that looks random, whatever it commits to: it
differs between two worlds even if nothing else does. So each is replaced by the order in which it
first appeared to the reader, which keeps that two are the same, or are not.
"""

from __future__ import annotations

import contextlib
import hashlib
import random
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from starlette.testclient import TestClient

from app.config import Settings
from app.engine.seal import seal_of
from app.http.session import SECURE_COOKIE
from app.main import create_app
from app.persistence.tables import FIRST_BOARD
from app.services import extras, sealing
from app.services.access import Role
from app.services.boards import owner_link
from app.services.dice_shapes import DiceRead, Extra
from app.services.keyring import Keyring
from tests.api.conftest import BASE, V1, Api, Browser, FixedWorld, Table, give, signed_up

# Of a ledger, or of a post, whose words include a head of the ledger.
DIGEST = re.compile(r"(?<![0-9a-f])(?:[0-9a-f]{64}|[0-9a-f]{16})(?![0-9a-f])")
PLACE = re.compile(r"\{(\w+)\}")
# Rules, worked cases and documentation: they know of no scene, and some take long.
OF_NO_SCENE = re.compile(r"/(api/(docs|v1/(rules|cases|coverage|errors|openapi))|rules|cases|docs)")
SALT = {"hollow": "00112233445566778899aabbccddeeff", "quincy": "ffeeddccbbaa99887766554433221100"}
EXTRAS = "/extras|/ledger"
Seen: TypeAlias = dict[str, Any]


@dataclass
class Theatre:
    """One of the worlds: an application, a scene in it, and somebody of another scene."""

    api: Api
    table: Table
    stranger: str
    gets: list[str]
    posts: list[tuple[str, str]]
    lines: list[int] = field(default_factory=list)
    shared: str = "none"
    feeds: dict[str, str] = field(default_factory=dict)
    accounts: dict[str, Browser] = field(default_factory=dict)

    def post(self, who: str, path: str, body: object, **more: Any) -> Any:
        """Do something in the scene that has to succeed."""
        answer = self.api(
            "POST", f"/scenes/{self.table.id}/{path}", body, secret=self.secret(who), **more
        )
        assert answer.status_code < 300, answer.text
        return answer.json()

    def order(self, who: str, order: dict[str, Any], story: str = "") -> None:
        """Decide something."""
        body = {"order": order, "narration": {"offensive": story}}
        self.post(who, "orders", body, version=self.table.version)

    def secret(self, who: str) -> str | None:
        """Give what somebody comes with."""
        known = {"gm": self.table.gm, "owner": self.api.owner, "stranger": self.stranger}
        return None if who == "spectator" else {**known, **self.table.seats}[who]

    def headers(self, who: str) -> dict[str, str]:
        """Give what somebody's requests are sent with."""
        if who in ACCOUNTS:
            return {"Cookie": f"{SECURE_COOKIE}={self.accounts[who].cookie}"}
        secret = self.secret(who)
        return {} if secret is None else {"Authorization": f"Bearer {secret}"}

    def let_in(self, who: str) -> None:
        """Let there be somebody with an account who may know no more than anybody, or a seat."""
        one = self.accounts[who] = signed_up(self.api, who)
        roles = {"watcher": Role.SPECTATOR, "member": Role.PLAYER}
        if who in roles:
            give(self.api, one.person, roles[who])
        if who == "chief_elsewhere":
            assert one("POST", "/boards", {"name": "Karakura"}).status_code == 201
        if who == "keeper":
            kept = one("POST", "/me/keys", {"secret": self.table.seats["quincy"]})
            assert kept.status_code == 200

    def make_feeds(self) -> None:
        """Give everybody who hears of the scene a feed of their own, and the board one for all."""
        for who in ("owner", "gm", "hollow", "quincy", "stranger"):
            path = "/boards/board/feed" if who == "owner" else "/notices/feed"
            made = self.api("POST", path, secret=self.secret(who)).json()
            self.feeds[who] = made["address"].rpartition("/")[2].removesuffix(".atom")

    def give_salts(self, *, show: tuple[str, ...] = ("hollow", "quincy")) -> None:
        """Let the seats give their salts, as in any other world."""
        for seat, salt in SALT.items():
            self.post(seat, "seals", {"seat": seat, "seal": seal_of(self.table.id, seat, salt)})
        for seat in show:
            self.post(seat, "salts", {"seat": seat, "salt": SALT[seat]})

    def values(self, who: str) -> dict[str, list[str]]:
        """Say what can stand in an address: every entry, every line, every seat, their feeds."""
        feeds = {self.feeds["owner"], self.feeds.get(who, self.feeds["owner"])}
        last = len(self.api("GET", f"/scenes/{self.table.id}/entries").json()["entries"])
        lines = len(self.api("GET", f"/scenes/{self.table.id}/ledger").json()["lines"])
        return {
            "scene_id": [self.table.id],
            "seat": [*SALT, "gm"],
            "number": [str(number) for number in range(1, last + 2)],
            "line": [str(line) for line in range(lines + 1)],
            "first": ["1"],
            "last": [str(max(last, 1))],
            "sheet_id": ["none"],
            "being_id": ["none"],
            "piece_id": ["none"],
            "board_id": ["board"],
            "person_id": ["none"],
            "invitation_id": ["none"],
            "key_id": ["none"],
            "warrior_id": ["guerriero"],
            "game": ["combat_dice"],
            "secret": ["none"],
            "token": [self.shared, *sorted(feeds)],
            "precedent": ["1"],
            "kind": ["json", "csv", "md"],
        }

    def seen_by(self, who: str) -> Seen:
        """Ask for everything that can be asked for, and try everything that is refused."""
        headers = {"Accept-Language": "it", **self.headers(who)}
        seen: Seen = {}
        digests: dict[str, str] = {}

        def ask(method: str, path: str, **more: Any) -> None:
            sent = {**headers, **more.pop("headers", {})}
            answer = self.api.client.request(
                method, path, headers=sent, follow_redirects=False, **more
            )
            self.api.client.cookies.clear()  # who asks is what the headers say
            told = sorted(answer.headers.multi_items())
            seen[f"{method} {path} {len(seen)}"] = (
                answer.status_code,
                [(name, _numbered(text, digests)) for name, text in told],
                len(answer.content),
                _numbered(answer.text, digests),
            )

        values = self.values(who)
        for path in self.gets:
            for address in _filled(path, values):
                ask("GET", address)
        scene = f"/scenes/{self.table.id}"
        for address in (f"{scene}?lang=en", f"{scene}?before=2", f"{scene}/luck?lang=en"):
            ask("GET", address)
        for more in ("/log?all=1", "/log?after=1", "/export.csv?table=dice", "/timeline?lang=en"):
            ask("GET", f"{scene}{more}")
        for kind in ("csv&table=lines", "csv&table=dice", "md"):
            ask("GET", f"{V1}{scene}/export?format={kind}")
        ask("GET", scene, headers={"HX-Request": "true"})
        for address in (f"{V1}{scene}", f"{V1}{scene}/ledger"):
            ask("HEAD", address)
        unsafe = {"Sec-Fetch-Site": "same-origin", "If-Match": '"1"'}
        for method, path in self.posts:
            for address in _filled(path, values):
                key = f"key-of-{who}-{len(seen):06}"
                ask(method, address, json={}, headers={**unsafe, "Idempotency-Key": key})
        turn = {"order": {"kind": "turn", "by": "quincy", "main": None}}
        ask("POST", f"{V1}{scene}/preview", json=turn)
        return seen


def _filled(path: str, values: dict[str, list[str]]) -> list[str]:
    """Fill in the address of a route, in every way."""
    filled = [path]
    for name in PLACE.findall(path):
        assert name in values, f"say what stands for {name} in {path}"
        filled = [one.replace(f"{{{name}}}", value) for one in filled for value in values[name]]
    return filled


def _numbered(text: str, digests: dict[str, str]) -> str:
    """Put the order of its appearance in the place of each digest, at its length."""
    return DIGEST.sub(lambda one: digests.setdefault(one[0], f"{len(digests):064}"), text)


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """List what the application answers, and how it is asked."""
    for route in iter_route_contexts(app.routes):
        path = getattr(route, "path_format", "")
        if route.methods and not OF_NO_SCENE.match(path):
            yield from ((method, path) for method in sorted(route.methods))


@contextlib.contextmanager
def theatre(folder: Path, empty: Path, world: FixedWorld, **opening: Any) -> Iterator[Theatre]:
    """Open an application of its own, with one scene and one beside it."""
    path = folder / f"{len(list(folder.iterdir()))}.sqlite3"
    shutil.copy(empty, path)
    app = create_app(Settings(database_url=f"sqlite:///{path}", base_url=BASE), world)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        api = Api(client, owner_link(app.state.shared.database, world, FIRST_BOARD), world)
        table = api.open_scene(**opening)
        found = sorted(set(routes(app)))
        gets = [path for method, path in found if method == "GET"]
        # Elsewhere the same would be done in both worlds; with its link the Master's voice is gone.
        posts = [
            (method, path)
            for method, path in found
            if method != "GET" and "{scene_id}" in path and "/links" not in path
        ]
        stranger = api.open_scene().seats["quincy"]
        shared = api("POST", f"/scenes/{table.id}/summary", secret=table.gm).json()["token"]
        one = Theatre(api, table, stranger, gets, posts, shared=shared)
        one.make_feeds()
        yield one


Play = Callable[[Theatre, bool], None]


def attack(**more: Any) -> dict[str, Any]:
    """Let the Hollow attack."""
    main = {"kind": "attack", "target": "quincy", "tool": "artigli", **more}
    return {"kind": "turn", "by": "hollow", "main": main}


def sealed_declaration(one: Theatre, other: bool) -> None:
    """Let the Hollow, and the Master, declare something that differs in all it has."""
    one.give_salts()
    text = "Una trappola sotto la terza tegola. 🎲\n" * 40 if other else "No."
    one.lines.append(one.post("hollow", "promises", {"seat": "hollow", "text": text})["line"])
    one.order("hollow", attack())
    one.order("quincy", {"kind": "turn", "by": "quincy"})


def hidden_rolls(one: Theatre, other: bool) -> None:
    """Let the Master throw in hiding: other dice, as many as may be, for something else.

    What is declared before any salt is there differs too.
    """
    text = "Un'imboscata al quarto turno." if other else "Nulla."
    one.lines.append(one.post("gm", "promises", {"seat": "gm", "text": text})["line"])
    one.give_salts()
    for turn in range(2):
        dice = {"label": "Percezione", "sides": 20, "count": 1}
        if other:
            dice = {"label": "Una porta segreta, e chi la apre", "sides": 100, "count": 99 - turn}
        one.lines.append(one.post("gm", "checks", {**dice, "hidden": True})["line"])
        one.order("hollow" if not turn else "quincy", attack() if not turn else _ANSWER)


_ANSWER: dict[str, Any] = {"kind": "turn", "by": "quincy"}


def hidden_order(one: Theatre, other: bool) -> None:
    """Let the Hollow do one thing or another out of the Quincy's sight."""
    one.give_salts()
    gone = [{"who": "hollow", "observer": "quincy"}]
    one.order("gm", {"kind": "place", "hidden": gone, "reason": "Si è dileguato."})
    if other:
        story = "Nel buio affila gli artigli, e aspetta. " * 9
        one.order("hollow", {**_QUIET, "main": {"kind": "preparation"}}, story)
    else:
        one.order("hollow", _QUIET)


_QUIET: dict[str, Any] = {"kind": "turn", "by": "hollow"}


def future_seeds(one: Theatre, other: bool) -> None:
    """Come to where the last salt would throw the first dice; the worlds themselves differ."""
    one.give_salts(show=("hollow",))
    one.post("hollow", "promises", {"seat": "hollow", "text": "Una trappola."})
    one.order("hollow", attack(), "Un balzo.")


# With accounts: of the board without a seat in the scene, of no board, of another, of one seat.
ACCOUNTS = ("watcher", "member", "somebody", "chief_elsewhere", "keeper")
PLAYERS = ("spectator", "stranger", "hollow", "quincy", *ACCOUNTS)
EVERYBODY = (*PLAYERS, "gm", "owner")
# Who may not know: a few who see different things, and in the long run everybody.
PLAYS: list[tuple[Play, tuple[str, ...], tuple[str, ...]]] = [
    (sealed_declaration, ("spectator", "quincy", "gm"), tuple({*EVERYBODY} - {"hollow"})),
    (hidden_rolls, ("spectator", "quincy"), PLAYERS),
    (hidden_order, ("quincy",), ("spectator", "stranger", "quincy", *ACCOUNTS)),
    (future_seeds, ("spectator", "hollow"), EVERYBODY),
]
OTHER_KEYS = Keyring({"test": hashlib.sha256(b"another key of tests").digest()}, "test")


def other_world() -> FixedWorld:
    """Make a world with another master key and other noise."""
    return FixedWorld(keys=OTHER_KEYS, chance=random.Random(8))


@dataclass
class Stage:
    """Where two worlds are set up, as far apart as a play wants them."""

    folder: Path
    empty: Path

    def compare(self, play: Play, who: tuple[str, ...], *, only: str = "") -> list[str]:
        """Play in two worlds, and name what somebody can tell them apart by.

        With ``only`` no more than the addresses with these words are asked for.
        """
        worlds = FixedWorld(), other_world() if play is future_seeds else FixedWorld()
        seen: list[dict[str, Seen]] = []
        for place, world in enumerate(worlds):
            with theatre(self.folder, self.empty, world, seal_hours=24) as one:
                for role in who:
                    if role in ACCOUNTS:
                        one.let_in(role)
                play(one, place == 1)
                one.gets = [path for path in one.gets if re.search(only, path)]
                one.posts = [path for path in one.posts if re.search(only, path[1])]
                seen.append({role: one.seen_by(role) for role in who})
        first, second = seen
        assert first.keys() == second.keys()
        return [
            f"{role}: {asked}"
            for role in who
            for asked in {**first[role], **second[role]}
            if first[role].get(asked) != second[role].get(asked)
        ]


@pytest.fixture
def stage(tmp_path: Path, empty_database: Path) -> Stage:
    """Prepare a place for two worlds."""
    (tmp_path / "worlds").mkdir()
    return Stage(tmp_path / "worlds", empty_database)


@pytest.mark.parametrize(("play", "few"), [(play, few) for play, few, _ in PLAYS])
def test_nobody_else_can_tell_two_worlds_apart(
    stage: Stage, play: Play, few: tuple[str, ...]
) -> None:
    assert stage.compare(play, few) == []


# What only boards, people and the Master's desk brought; the rest is asked in the long run.
OF_BOARDS = (
    "/(desk|reviews?|audit|notices|inbox|feeds|timeline|export|summar|s/|share|members|books?|log)"
)


@pytest.mark.parametrize(
    ("play", "who"),
    [
        (sealed_declaration, ("member",)),
        (hidden_rolls, ("watcher", "chief_elsewhere")),
        (hidden_order, ("member", "keeper")),
    ],
)
def test_nobody_with_an_account_can_tell_two_worlds_apart(
    stage: Stage, play: Play, who: tuple[str, ...]
) -> None:
    assert stage.compare(play, who, only=OF_BOARDS) == []


@pytest.mark.slow
@pytest.mark.parametrize(("play", "everybody"), [(play, who) for play, _, who in PLAYS])
def test_nobody_at_all_can_tell_two_worlds_apart(
    stage: Stage, play: Play, everybody: tuple[str, ...]
) -> None:
    assert stage.compare(play, tuple(sorted(everybody))) == []


def test_whoever_knows_the_secret_can_tell_them_apart(stage: Stage) -> None:
    """The comparison is not blind: to those who may know, the worlds do differ."""
    for play, role in ((sealed_declaration, "hollow"), (hidden_rolls, "gm")):
        assert stage.compare(play, (role,), only=EXTRAS)
    assert stage.compare(hidden_order, ("hollow",), only="/entries")


def opened(play: Play, teller: str) -> Play:
    """Play on until what was secret is told."""

    def until_told(one: Theatre, other: bool) -> None:
        play(one, other)
        for line in one.lines:
            one.post(teller, f"ledger/{line}/open", None)

    return until_told


def test_once_it_is_told_everybody_can_tell_them_apart(stage: Stage) -> None:
    for play, teller in ((sealed_declaration, "hollow"), (hidden_rolls, "gm")):
        found = stage.compare(opened(play, teller), ("spectator",), only=EXTRAS)
        assert any("/ledger" in one for one in found)
        assert any("/extras" in one for one in found)


# ----------------------------------------------------------- the comparison finds what leaks


def leaky(change: Callable[[Extra, Any], Extra]) -> Callable[..., Extra]:
    """Read an extra as before, and then tell a little of what it keeps back."""
    read = extras._read

    def reading(principal: Any, scene_id: str, data: Any, number: int, kept: Any) -> Extra:
        found = read(principal, scene_id, data, number, kept)
        return found if kept is None else change(found, kept)

    return reading


def test_a_length_that_is_told_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def tell_length(found: Extra, kept: Any) -> Extra:
        return replace(found, sides=found.sides or len(kept.payload))

    monkeypatch.setattr(extras, "_read", leaky(tell_length))
    for play in (sealed_declaration, hidden_rolls):
        assert stage.compare(play, ("spectator",), only=EXTRAS)


def test_a_hint_at_the_seeds_is_found(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    read = sealing._read

    def hinting(*args: Any) -> DiceRead:
        found = read(*args)
        return replace(found, key=found.anchor[:4])

    monkeypatch.setattr(sealing, "_read", hinting)
    assert stage.compare(future_seeds, ("spectator",), only="/dice")


def test_every_route_about_a_scene_is_among_those_compared(stage: Stage) -> None:
    with theatre(stage.folder, stage.empty, FixedWorld()) as one:
        asked = {path for path in one.gets if "{scene_id}" in path}
        assert {"/scenes/{scene_id}", f"{V1}/scenes/{{scene_id}}/ledger"} < asked
        known = {
            getattr(route, "path_format", "")
            for route in iter_route_contexts(one.api.client.app.routes)
            if "GET" in (route.methods or ())
        }
        assert {path for path in known if "{scene_id}" in path} == asked
