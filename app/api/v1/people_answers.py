"""What is sent and answered about people, where a use case does not name the whole of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from app.engine.text import Length
from app.services.access import Role
from app.services.people_shapes import BoardLine, ClaimRead, InvitationRead, MemberRead


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """The secret of a link."""

    secret: Annotated[str, Length(1, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRole:
    """What somebody is to be on a board."""

    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardList:
    """Boards, by name."""

    boards: tuple[BoardLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMade:
    """A new board, and the address of its page."""

    board_id: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberList:
    """The people of a board, by name."""

    members: tuple[MemberRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationList:
    """The invitations to a board that hold, newest first."""

    invitations: tuple[InvitationRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationMade:
    """The secret of an invitation, shown this once, and the address to send."""

    secret: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimList:
    """Who keeps what of a scene in their account."""

    claims: tuple[ClaimRead, ...]
