"""What goes into and comes out of the use cases about people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeAlias

from app.engine.ruleset import Seat
from app.engine.text import Between, Length, Name
from app.services.access import Role
from app.services.shapes import Language

Password: TypeAlias = Annotated[str, Length(10, 200)]
Email: TypeAlias = Annotated[str, Length(0, 200)]
Uses: TypeAlias = Annotated[int, Between(1, 100)]
Days: TypeAlias = Annotated[int, Between(1, 90)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    """An account to make; an address is needed only for e-mails, and to log in by."""

    name: Name
    password: Password
    email: Email = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogIn:
    """The name or the e-mail address of an account, and its password."""

    name: Annotated[str, Length(1, 200)]
    password: Annotated[str, Length(1, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedIn:
    """A browser in which somebody has just logged in: the cookie's new value."""

    cookie: str
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyRead:
    """Something that a person is or holds: a role on a board, a scene as its Master, or a seat.

    ``seat_name`` is the seat as it is called in its scene.
    """

    id: str
    role: Role
    board: str
    board_name: str
    scene: str | None
    scene_title: str | None
    seat: Seat | None
    seat_name: str | None
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserRead:
    """A browser in which a person is logged in; ``here`` is the one that asks."""

    since: datetime
    seen: datetime
    here: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonRead:
    """An account as its owner sees it."""

    id: str
    name: str
    email: str
    has_password: bool
    is_admin: bool
    created_at: datetime
    keys: tuple[KeyRead, ...]
    browsers: tuple[BrowserRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBoard:
    """A board to make; everything else is settled on its own page."""

    name: Name
    language: Language = Language.ITALIAN


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardLine:
    """A board in a list, with the role that whoever asks has there, if not only scenes or seats."""

    id: str
    name: str
    role: Role | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimRead:
    """A seat of a scene, or its Master's place, that somebody keeps in their account."""

    key: str
    person: str
    name: str
    role: Role
    seat: Seat | None
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberRead:
    """Somebody with a role on a board."""

    person: str
    name: str
    role: Role
    since: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInvitation:
    """An invitation to a board: with which role, for how many people, for how many days."""

    role: Role = Role.PLAYER
    uses: Uses = 1
    days: Days = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationRead:
    """An invitation that holds; its secret was shown once."""

    id: str
    role: Role
    prefix: str
    uses: int
    created_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """To what an invitation invites, for whoever has opened it; without a board, to an account."""

    board: str | None
    board_name: str
    role: Role
