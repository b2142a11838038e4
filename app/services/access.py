"""Who is asking: a principal is the set of secret links that somebody has opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, Protocol

from app.engine.ruleset import GM, SPECTATOR, Played, Seat


class Role(StrEnum):
    """What a secret link, or the membership of a person, lets its holder be.

    Of a board: its owner, a Master of all its scenes, a player or a spectator. Of a scene: its
    Master or one of its seats. Of a being: its keeper.
    """

    OWNER = "owner"
    GM = "gm"
    PLAYER = "player"
    SPECTATOR = "spectator"
    SEAT = "seat"
    BEING = "being"


class InScene(Protocol):
    """A scene, as far as roles are concerned: its id and the board that it belongs to."""

    @property
    def id(self) -> str:
        """Give the id of the scene."""

    @property
    def board(self) -> str:
        """Give the id of the board."""


@dataclass(frozen=True, slots=True)
class ScenePlace:
    """A scene that was not read, of which a row told where it is."""

    id: str
    board: str


@dataclass(frozen=True, slots=True)
class Grant:
    """What one key gives: a role on a board, a scene as its Master, one of its seats, or a being.

    ``secret_id`` names the key: a link, or the membership of a person. ``seat`` of a being's is its
    id; ``through`` is the seat whose holder plays this one too, as that of a subordinate.
    """

    secret_id: str
    role: Role
    board: str
    scene_id: str | None = None
    seat: Seat | None = None
    through: Seat | None = None
    kept: bool = False
    """Whether it is the account's own, not a link's that was opened."""


@dataclass(frozen=True, slots=True)
class PersonHere:
    """Somebody who has logged in; ``is_admin`` looks after the whole service."""

    id: str
    name: str
    is_admin: bool = False


@dataclass(frozen=True, slots=True)
class Principal:
    """Everything that somebody may be; a Bearer secret gives one grant, a browser several.

    ``person`` is set for somebody who has logged in to an account.
    """

    grants: tuple[Grant, ...] = ()
    person: PersonHere | None = None

    def is_owner(self, board: str) -> bool:
        """Say whether a board is theirs."""
        return any(grant.role is Role.OWNER and grant.board == board for grant in self.grants)

    def is_any_gm(self, board: str) -> bool:
        """Say whether they are the Master of some scene of a board, or of all, or its owner."""
        return any(
            grant.role in (Role.OWNER, Role.GM) and grant.board == board for grant in self.grants
        )

    def has_role(self, board: str) -> bool:
        """Say whether they have anything to do with a board."""
        return any(grant.board == board for grant in self.grants)

    def role_on(self, board: str) -> Role | None:
        """Give the highest role that they have on a board, not merely in a scene of it."""
        found = (g.role for g in self.grants if g.board == board and _is_of_board(g))
        return min(found, key=OF_BOARDS.index, default=None)

    def member_of(self) -> tuple[str, ...]:
        """List the boards on which they have a role, not merely a scene or a seat."""
        own = (grant.board for grant in self.grants if _is_of_board(grant))
        return tuple(dict.fromkeys(own))

    def boards(self) -> tuple[str, ...]:
        """List the boards with which they have anything to do."""
        return tuple(dict.fromkeys(grant.board for grant in self.grants))

    def oversees(self, board: str) -> bool:
        """Say whether they are the Master of every scene of a board: by that role, or its owner."""
        return self._overseer(board) is not None

    def is_gm(self, scene: InScene) -> bool:
        """Say whether they are the Master of this scene; who oversees its board is one."""
        return self.oversees(scene.board) or any(
            grant.role is Role.GM and grant.scene_id == scene.id for grant in self.grants
        )

    def _overseer(self, board: str) -> Grant | None:
        found = (
            grant
            for grant in self.grants
            if grant.role in (Role.OWNER, Role.GM) and grant.board == board and _is_of_board(grant)
        )
        return min(found, key=_precedence, default=None)

    def seats(self, scene_id: str) -> tuple[Seat, ...]:
        """List the seats they play in a scene: those they hold, then those of subordinates."""
        held = (self.held(scene_id), self._seats(scene_id, through=True))
        return tuple(dict.fromkeys(seat for seats in held for seat in seats))

    def is_keeper(self, being_id: str, board: str) -> bool:
        """Say whether a being of the campaign is theirs to look after: its owner, or a Master."""
        return self.is_any_gm(board) or being_id in self.beings()

    def beings(self) -> tuple[str, ...]:
        """List the beings whose links they have opened."""
        return tuple(
            grant.seat
            for grant in self.grants
            if grant.role is Role.BEING and grant.seat is not None
        )

    def held(self, scene_id: str) -> tuple[Seat, ...]:
        """List the seats of a scene whose links they have opened."""
        return self._seats(scene_id, through=False)

    def _seats(self, scene_id: str, *, through: bool) -> tuple[Seat, ...]:
        return tuple(
            grant.seat
            for grant in self.grants
            if grant.role is Role.SEAT
            and grant.scene_id == scene_id
            and grant.seat is not None
            and (grant.through is not None) is through
        )

    def commanding(self, scene_id: str, roster: Iterable[Played]) -> Principal:
        """Give them the seats too whose holders are those of seats they hold."""
        keys = {
            grant.seat: grant
            for grant in self.grants
            if grant.role is Role.SEAT and grant.scene_id == scene_id
        }
        more = tuple(
            replace(keys[one.by], seat=one.seat, through=one.by)
            for one in roster
            if one.by in keys and one.seat not in keys
        )
        return replace(self, grants=(*self.grants, *more)) if more else self

    def may_act(self, scene: InScene, seat: Seat) -> bool:
        """Say whether they may decide as this seat: a player their own, the Master "gm" and any."""
        return self.is_gm(scene) or seat in self.seats(scene.id)

    def sees_as(self, scene: InScene) -> Seat:
        """Give the seat through whose eyes they see a scene: the Master's, their first, or none."""
        if self.is_gm(scene):
            return GM
        return next(iter(self.seats(scene.id)), SPECTATOR)

    def scene_ids(self) -> tuple[str, ...]:
        """List the scenes they have anything to do with."""
        ids = (grant.scene_id for grant in self.grants)
        return tuple(dict.fromkeys(scene_id for scene_id in ids if scene_id is not None))

    def secrets(self) -> frozenset[str]:
        """List the keys that they have opened, of whatever kind."""
        return frozenset(grant.secret_id for grant in self.grants)

    def any_secret(self, board: str) -> str | None:
        """Name the key by which they act on a board, if they have any there at all."""
        found = (grant for grant in self.grants if grant.board == board)
        first = min(found, key=_precedence, default=None)
        return None if first is None else first.secret_id

    def secret_for(self, scene: InScene) -> str | None:
        """Name the key by which they act in a scene, if they have one there."""
        found = [grant for grant in self.grants if grant.scene_id == scene.id]
        overseer = self._overseer(scene.board)
        first = min([*([overseer] if overseer else []), *found], key=_precedence, default=None)
        return None if first is None else first.secret_id

    def own_key(self, board: str) -> str | None:
        """Name the key on which hangs what they keep for themselves of a board and its scenes.

        It is the account's whatever it gives: a link may have been opened by others as well.
        """
        found = (grant for grant in self.grants if grant.board == board)
        first = min(found, key=_closeness, default=None)
        return None if first is None else first.secret_id

    def callers(self, board: str) -> tuple[str, ...]:
        """List the names under which they may have made a call of a board, from that of now on.

        A call may give a browser another key: when it is repeated it comes from the same caller.
        """
        if self.person is not None:
            return (f"person {self.person.id}",)
        first = self.any_secret(board)
        keys = [grant.secret_id for grant in self.grants if grant.board == board]
        return tuple(dict.fromkeys([first or NOBODY, *keys]))


def _is_of_board(grant: Grant) -> bool:
    """Say whether a grant is a role on a board; a Master may be that of one scene only."""
    return grant.role in OF_BOARDS and grant.scene_id is None


def _precedence(grant: Grant) -> tuple[int, bool]:
    """Put what gives most first, and of equals the account's own: others may have opened a link.

    Of several alike the first one stays, which is the oldest.
    """
    return (list(Role).index(grant.role), not grant.kept)


def _closeness(grant: Grant) -> tuple[bool, bool, int]:
    return (not grant.kept, not _is_of_board(grant), list(Role).index(grant.role))


OF_BOARDS: Final = (Role.OWNER, Role.GM, Role.PLAYER, Role.SPECTATOR)
"""The roles that a person can have on a board, from the one that may do most on."""
NOBODY: Final = "anonymous"
"""What a caller without any key is called."""
ANONYMOUS: Final = Principal()
"""Somebody who opened no link: a spectator of the scenes whose address they have."""
