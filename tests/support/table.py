"""People around one scene: a board with its owner, a Master, and two players."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import amending, boards, links, scenes, turns
from app.services.access import Principal
from app.services.entry_shapes import (
    Decided,
    GivenDice,
    Narration,
    Submission,
    TakeBack,
)
from app.services.shapes import (
    BoardChanges,
    OpenedScene,
    OpenScene,
    Roller,
)
from app.services.thread_shapes import OldPost
from tests.support.fights import defend, duel
from tests.support.world import FixedWorld


@dataclass
class Table:
    """A scene with everybody at it; orders are submitted as short as tests want to write them."""

    db: Database
    world: FixedWorld
    owner: Principal
    gm: Principal
    players: dict[str, Principal]
    opened: OpenedScene
    _keys: Any = field(default_factory=lambda: count(1))

    @property
    def id(self) -> str:
        """Give the id of the scene."""
        return self.opened.scene_id

    @property
    def board(self) -> str:
        """Give the board that the scene belongs to."""
        return FIRST_BOARD

    @property
    def version(self) -> int:
        """Give the scene's version now."""
        return scenes.read_scene(self.db, self.gm, self.id).version

    def key(self) -> str:
        """Make a new key."""
        return f"key-{next(self._keys):08}"

    def decide(self, who: str, order: Any, **more: Any) -> Decided:
        """Submit an order as a player or as the Master."""
        principal = self.gm if who == "gm" else self.players[who]
        submission = self.submission(order, **more)
        return turns.decide(self.db, self.world, principal, self.id, submission)

    def submission(
        self,
        order: Any,
        *,
        version: int | None = None,
        key: str | None = None,
        narration: Narration | None = None,
    ) -> Submission:
        """Make a submission for the scene as it stands."""
        return Submission(
            order=order,
            version=self.version if version is None else version,
            key=key or self.key(),
            narration=narration or Narration(),
        )

    def give(self, who: str, number: int, *faces: int, **more: Any) -> Decided:
        """Tell what the forum rolled."""
        principal = self.gm if who == "gm" else self.players[who]
        given = GivenDice(
            faces=faces,
            modifiers=more.get("modifiers", ()),
            version=more.get("version", self.version),
            key=more.get("key") or self.key(),
        )
        return turns.give_dice(self.db, self.world, principal, self.id, number, given)

    def void(self, reason: str = "Era un errore.", who: Principal | None = None) -> Decided:
        """Take back the last decision."""
        back = TakeBack(reason=reason, version=self.version, key=self.key())
        return turns.void_last(self.db, self.world, who or self.gm, self.id, back)

    def amend(self, before: int, order: Any, **more: Any) -> Decided:
        """Put an order of the Master in front of a turn."""
        submission = self.submission(order, **more)
        return amending.amend(self.db, self.world, self.gm, self.id, before, submission)

    def dodge(self, who: str = "quincy", **more: Any) -> Decided:
        """Dodge whatever is coming at somebody."""
        coming = [one.id for one in self.state().incoming if one.target == who]
        return self.decide(who, defend(*coming), **more)

    def state(self) -> Any:
        """Read the snapshot."""
        from app.persistence import queries
        from app.persistence.codec import load
        from app.services.games import game

        with self.db.read() as connection:
            scene = queries.scene_now(connection, self.id)
        assert scene is not None
        return load(game(scene.ruleset).state, scene.state)


def owner_of(db: Database, world: FixedWorld) -> Principal:
    """Make the owner of a board, by a new link."""
    return known(links.principal_of_secret(db, world, boards.owner_link(db, world, FIRST_BOARD)))


def set_table(
    db: Database,
    world: FixedWorld,
    *,
    dice: Roller = Roller.SERVICE,
    setup: object = None,
    ruleset: str = "guida",
    title: str = "Duello",
    owner: Principal | None = None,
    seal_hours: int = 0,
    thread: tuple[OldPost, ...] = (),
    answer_within: int | None = None,
) -> Table:
    """Open a scene on a migrated database, and open its links."""
    owner = owner or owner_of(db, world)
    opening = OpenScene(
        title=title,
        setup=setup or duel(),
        dice=dice,
        ruleset=ruleset,
        seal_hours=seal_hours,
        thread=thread,
        answer_within=answer_within,
    )
    opened = scenes.open_scene(db, world, owner, FIRST_BOARD, opening, f"open-{world.token()}")
    players = {
        seat: known(links.principal_of_secret(db, world, secret))
        for seat, secret in opened.seat_secrets.items()
    }
    gm = known(links.principal_of_secret(db, world, opened.gm_secret))
    return Table(db, world, owner, gm, players, opened)


def let_open(db: Database, world: FixedWorld, owner: Principal, openers: Any) -> None:
    """Say who may open scenes."""
    boards.change_board(db, world, owner, FIRST_BOARD, BoardChanges(openers=openers))


def known(principal: Principal | None) -> Principal:
    """Insist that somebody is known."""
    assert principal is not None
    return principal
