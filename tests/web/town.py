"""Two boards with everybody on them, in a file, so that each route is asked of a fresh copy."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from app.config import Settings
from app.engine.ruleset import GM
from app.main import create_app
from app.persistence import queries_notices
from app.persistence.codec import encode
from app.persistence.database import Database
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.terms import Claim
from app.services import (
    beings,
    books,
    claims,
    clock,
    extras,
    inbox,
    invitations,
    links,
    people,
    scenes,
    sheets,
    summaries,
    turns,
)
from app.services.access import Role
from app.services.book_shapes import ToolPiece
from app.services.clock_shapes import NewVacation
from app.services.entry_shapes import Submission
from app.services.members import give_role
from app.services.people_shapes import NewInvitation
from app.services.shapes import OpenedScene, OpenScene, Roller
from tests.support.fights import HOLLOW, duel
from tests.support.people import Person, board_of, signed_up
from tests.support.world import FixedWorld

BASE = "https://arbitro.example"
COOKIE = "__Host-arbitro"
ROLES = (
    *("anonymous", "logged_out", "somebody", "admin", "other_owner"),
    *("stranger", "watcher", "member", "player", "opponent", "gm", "overseer", "owner"),
)
"""Nobody; a cookie of before the log-out; an account without anything; who looks after the
service; the owner of another board; a seat of another scene of the board; its members who read and
who play; the two seats of the scene and its Master by their links; the Master of every scene of
the board; and its owner."""


@dataclass(frozen=True)
class Quarter:
    """A board with a scene in which one turn was played, a sheet, a being and a proposed piece.

    The feed is the owner's; the summary of the scene is shared; its player will be away.
    """

    board: str
    scene: OpenedScene
    other_scene: OpenedScene
    sheet: str
    being: str
    piece: str
    feed: str
    summary: str
    sealed: int
    invitation: str
    invitation_secret: str

    def places(self) -> dict[str, str]:
        """Say what can stand in an address."""
        return {
            "board_id": self.board,
            "scene_id": self.scene.scene_id,
            "sheet_id": self.sheet,
            "being_id": self.being,
            "piece_id": self.piece,
            "secret": self.invitation_secret,
        }


@dataclass(frozen=True)
class Town:
    """The file, both boards, the cookie of each role, and what else forms name."""

    path: Path
    here: Quarter
    there: Quarter
    cookies: dict[str, str]
    token: str
    mail: str
    kept: str
    member: str

    @contextmanager
    def copy(self, folder: Path) -> Iterator[TestClient]:
        """Run the service on a copy of the file."""
        path = folder / "copy.sqlite3"
        shutil.copy(self.path, path)
        world = FixedWorld(seed="copy")
        settings = Settings(database_url=f"sqlite:///{path}", base_url=BASE, jobs=False)
        app = create_app(settings, world)
        with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
            yield client

    def ask(self, client: TestClient, role: str, method: str, path: str, form: Any = None) -> Any:
        """Ask as somebody, from a page of ours."""
        headers = {"Sec-Fetch-Site": "same-origin", "Accept-Language": "it"}
        if role in self.cookies:
            headers["Cookie"] = f"{COOKIE}={self.cookies[role]}"
        client.cookies.clear()
        data = form if method == "POST" else None
        return client.request(method, path, data=data, headers=headers, follow_redirects=False)


def build(empty: Path, path: Path) -> Town:
    """Build both boards."""
    shutil.copy(empty, path)
    db, world = Database(f"sqlite:///{path}"), FixedWorld(seed="town")
    names = ("owner", "other_owner", "admin", "somebody", "logged_out")
    crowd = {name: signed_up(db, world, name, is_admin=name == "admin") for name in names}
    here, there = (_quarter(crowd[name], name) for name in ("owner", "other_owner"))
    for name, role in (
        ("overseer", Role.GM),
        ("member", Role.PLAYER),
        ("watcher", Role.SPECTATOR),
    ):
        crowd[name] = signed_up(db, world, name)
        with db.write() as connection:
            give_role(connection, world, here.board, crowd[name].id, role)
    cookies = {name: one.cookie for name, one in crowd.items()}
    by_link = {
        "gm": here.scene.gm_secret,
        "player": here.scene.seat_secrets["hollow"],
        "opponent": here.scene.seat_secrets["quincy"],
        "stranger": here.other_scene.seat_secrets["hollow"],
    }
    cookies |= {name: links.open_link(db, world, secret).cookie for name, secret in by_link.items()}
    links.forget(db, cookies["logged_out"])
    keeping = signed_up(db, world, "Chi tiene")
    claims.claim(db, world, keeping.now, here.scene.seat_secrets["quincy"])
    (kept,) = people.read_me(db, keeping.now).keys
    town = Town(
        mail=_mail_of(crowd["overseer"]),
        path=path,
        here=here,
        there=there,
        cookies=cookies,
        token=people.reset_link(db, world, "Chi tiene"),
        kept=kept.id,
        member=crowd["watcher"].id,
    )
    db.close()
    return town


def _mail_of(person: Person) -> str:
    """Let somebody ask for notices by e-mail; give what the mail that asks back links to."""
    settings, keys = Settings(smtp_host="mail.example"), inbox.keys_of(person.now)
    inbox.set_address(person.db, person.world, person.now, settings, "io@mail.example", "it")
    with person.db.read() as connection:
        (box,) = queries_notices.mailboxes(connection, keys=keys)
    return box.token


def _quarter(owner: Person, name: str) -> Quarter:
    db, world = owner.db, owner.world
    board = board_of(owner, f"Board {name}")
    count = itertools.count(1)

    def key() -> str:
        return f"key-{name}-{next(count):04}"

    def opened() -> OpenedScene:
        opening = OpenScene(title="Duello", setup=duel(), dice=Roller.SERVICE, seal_hours=0)
        return scenes.open_scene(db, world, owner.now, board, opening, key())

    scene, other = opened(), opened()
    turn = Turn(by="hollow", main=Attack(target="quincy", tool="claws"))
    version = scenes.read_scene(db, owner.now, scene.scene_id).version
    submission = Submission(order=turn, version=version, key=key())
    player = links.principal_of_secret(db, world, scene.seat_secrets["hollow"])
    assert player is not None
    turns.decide(db, world, player, scene.scene_id, submission)
    claim = Attack(target="quincy", tool="claws", claims=(Claim.SURPRISE,))
    answer = {"kind": "answer", "by": "gm", "question": "q-a1-surprise", "choice": "deny"}
    for order in (Turn(by="hollow", main=claim), {**answer, "reason": "Lo aspettava."}):
        version = scenes.read_scene(db, owner.now, other.scene_id).version
        kept = Submission(order=order, version=version, key=key(), keep=isinstance(order, dict))
        turns.decide(db, world, owner.now, other.scene_id, kept)
    week = NewVacation(seat="hollow", begins=world.now(), ends=world.now() + timedelta(days=7))
    clock.say_away(db, world, owner.now, scene.scene_id, week)
    piece = ToolPiece(data=replace(HOLLOW.tools[0], id=f"claws-{len(name)}"))
    printed = {"kind": "printed", "warrior": "miranda_thorne"}
    secret = invitations.invite(db, world, owner.now, board, NewInvitation(uses=50))
    listed = invitations.list_invitations(db, world, owner.now, board)
    return Quarter(
        board=board,
        scene=scene,
        other_scene=other,
        sheet=sheets.add_sheet(db, world, owner.now, board, encode(HOLLOW), key()).id,
        sealed=extras.promise(
            db, world, owner.now, scene.scene_id, GM, "Una trappola.", key()
        ).line,
        being=beings.add_being(db, world, owner.now, board, printed, key()).being_id,
        piece=books.propose_piece(db, world, owner.now, board, piece, key()).id,
        feed=inbox.new_feed(db, world, owner.now, board),
        summary=summaries.share(db, world, owner.now, scene.scene_id, key()).token,
        invitation=listed[0].id,
        invitation_secret=secret,
    )
