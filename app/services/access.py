"""Who is asking: a principal is the set of secret links that somebody has opened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from app.engine.ruleset import GM, SPECTATOR, Played, Seat


class Role(StrEnum):
    """What a secret link lets its holder be."""

    OWNER = "owner"
    GM = "gm"
    SEAT = "seat"
    BEING = "being"


@dataclass(frozen=True, slots=True)
class Grant:
    """What one secret gives: the board, a scene as its Master, one seat of a scene, or a being.

    ``seat`` of a being's is its id; ``through`` is the seat whose holder plays this one too, as
    that of a subordinate.
    """

    secret_id: str
    role: Role
    scene_id: str | None = None
    seat: Seat | None = None
    through: Seat | None = None


@dataclass(frozen=True, slots=True)
class Principal:
    """Everything that somebody may be; a Bearer secret gives one grant, a browser several."""

    grants: tuple[Grant, ...] = ()

    @property
    def is_owner(self) -> bool:
        """Say whether the board is theirs."""
        return any(grant.role is Role.OWNER for grant in self.grants)

    @property
    def is_any_gm(self) -> bool:
        """Say whether they are the Master of some scene, or the owner."""
        return any(grant.role in (Role.OWNER, Role.GM) for grant in self.grants)

    def is_gm(self, scene_id: str) -> bool:
        """Say whether they are the Master of this scene; the owner counts as one."""
        return self.is_owner or any(
            grant.role is Role.GM and grant.scene_id == scene_id for grant in self.grants
        )

    def seats(self, scene_id: str) -> tuple[Seat, ...]:
        """List the seats they play in a scene: those they hold, then those of subordinates."""
        held = (self.held(scene_id), self._seats(scene_id, through=True))
        return tuple(dict.fromkeys(seat for seats in held for seat in seats))

    def is_keeper(self, being_id: str) -> bool:
        """Say whether a being of the campaign is theirs to look after: its owner, or a Master."""
        return self.is_any_gm or being_id in self.beings()

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

    def may_act(self, scene_id: str, seat: Seat) -> bool:
        """Say whether they may decide as this seat: a player their own, the Master "gm" and any."""
        return self.is_gm(scene_id) or seat in self.seats(scene_id)

    def sees_as(self, scene_id: str) -> Seat:
        """Give the seat through whose eyes they see a scene: the Master's, their first, or none."""
        if self.is_gm(scene_id):
            return GM
        return next(iter(self.seats(scene_id)), SPECTATOR)

    def scene_ids(self) -> tuple[str, ...]:
        """List the scenes they have anything to do with."""
        ids = (grant.scene_id for grant in self.grants)
        return tuple(dict.fromkeys(scene_id for scene_id in ids if scene_id is not None))

    def any_secret(self) -> str | None:
        """Name the secret by which they act on the board, if they have any at all."""
        return min(self.grants, key=_precedence).secret_id if self.grants else None

    def secret_for(self, scene_id: str) -> str | None:
        """Name the secret by which they act in a scene, if they have one there."""
        fitting = [
            grant for grant in self.grants if grant.role is Role.OWNER or grant.scene_id == scene_id
        ]
        return min(fitting, key=_precedence).secret_id if fitting else None


def _precedence(grant: Grant) -> tuple[int, str]:
    return (list(Role).index(grant.role), grant.secret_id)


ANONYMOUS: Final = Principal()
"""Somebody who opened no link: a spectator of the scenes whose address they have."""
