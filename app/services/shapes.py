"""What goes into the use cases and what comes out: plain values for pages and API alike.

Where a field says ``object``, JSON data goes in (as ``read_json`` gives it) or a value of the
ruleset's own types; the use case decodes it, since only the scene knows its ruleset. ``Any`` in
what comes out is a value of the ruleset's own types, to be read by its fields or by ``encode``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any, Final, TypeAlias

from app.engine.dice import Roll
from app.engine.findings import Finding, Obstacle
from app.engine.ruleset import Asked, Awaited, Seat
from app.engine.text import Between, Length, Name
from app.persistence.codec import INNER
from app.posts.template import SceneTemplates, Template
from app.services.access import Role
from app.services.book_shapes import Sources
from app.services.thread_shapes import OldPosts

VERSION: Final = Between(0, 2**31 - 1)
SealHours: TypeAlias = Annotated[int, Between(0, 24 * 14)]
AnswerWithin: TypeAlias = Annotated[int, Between(1, 24 * 60)]


class Language(StrEnum):
    """The languages in which posts are written."""

    ITALIAN = "it"
    ENGLISH = "en"


class Roller(StrEnum):
    """Who throws the dice of a scene."""

    SERVICE = "service"
    FORUM = "forum"


class Provenance(StrEnum):
    """How dice came here: thrown by the service, or by the forum and told in one of three ways.

    They were read from the post, typed in by hand, or sent by a plugin with the board's own key.
    """

    SERVICE = "service"
    FORUM = "forum"
    TYPED = "typed"
    PLUGIN = "plugin"


class Openers(StrEnum):
    """Who may open scenes: the owner, whoever is the Master of some scene too, or anybody."""

    OWNER = "owner"
    GMS = "gms"
    ANYONE = "anyone"


class Joining(StrEnum):
    """How people become players of a board: somebody invites them, or they join by themselves."""

    INVITED = "invited"
    OPEN = "open"


class EntryKind(StrEnum):
    """Whether an entry decides something, takes a decision back, or corrects its story."""

    ORDER = "order"
    VOID = "void"
    CORRECTION = "correction"


class Status(StrEnum):
    """How far an entry has come: its dice are awaited, or it is decided."""

    DECLARED = "declared"
    RESOLVED = "resolved"


# --------------------------------------------------------------------------------- the board


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRead:
    """The settings that new scenes copy; options and regulation hold one object a ruleset.

    ``template`` is the one that posts are written with; an empty text stands for none.
    """

    id: str
    name: str
    language: Language
    dialect: str
    dice: Roller
    openers: Openers
    joining: Joining
    seal_hours: int
    options: Mapping[str, Any]
    regulation: Mapping[str, Any]
    template: Template
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChanges:
    """What to change of the board; None leaves a setting as it is.

    A ``template`` with an empty text takes the board's own away.
    """

    name: Name | None = None
    language: Language | None = None
    dialect: str | None = None
    dice: Roller | None = None
    openers: Openers | None = None
    joining: Joining | None = None
    seal_hours: SealHours | None = None
    options: Mapping[str, object] | None = None
    regulation: Mapping[str, object] | None = None
    template: Template | None = None


# ------------------------------------------------------------------------------------ sheets


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """A stored sheet in a list; a ``model`` is one to copy several combatants from."""

    id: str
    ruleset: str
    name: str
    model: bool
    version: int
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRead:
    """A stored sheet; its version is what a change must name.

    A ``model`` is kept in the stable, to copy several combatants of the Master's from. With a
    ``template`` of its own the character posts in that one instead of the board's. ``sources`` say
    which of its parts are copies of pieces of the board's book.

    ``replayed`` says that the call was answered before and nothing was added again.
    """

    id: str
    board: str
    ruleset: str
    name: str
    sheet: Any
    model: bool
    template: Template
    version: int
    updated_at: datetime
    sources: Sources = ()
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


# ------------------------------------------------------------------------------------ scenes


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenScene:
    """A scene to open: the ruleset's set-up without options and regulation, which the board gives.

    An entrant's ``sheet`` may be the id of a stored sheet instead of a sheet. What is None is
    taken from the board. ``seal_hours`` is how long the first turn that needs dice waits for the
    salts of all seats; with ``beacon`` each roll waits for a round of the public beacon. ``thread``
    are the posts from before that the scene goes on from, to be kept with it. ``answer_within`` is
    how many hours whoever is awaited has to answer; None is no deadline.
    """

    title: Name
    setup: object
    ruleset: str = "guida"
    language: Language | None = None
    dialect: str | None = None
    dice: Roller | None = None
    seal_hours: SealHours | None = None
    beacon: bool = False
    thread: OldPosts = ()
    answer_within: AnswerWithin | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedScene:
    """A new scene with its secrets, which are shown this once.

    ``replayed`` says that the call was answered before and no second scene was made.
    """

    scene_id: str
    gm_secret: str
    seat_secrets: Mapping[Seat, str]
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneLine:
    """A scene in a list; ``waiting`` is the entry whose dice are awaited.

    ``answer_by`` is until when whoever is awaited may answer.
    """

    id: str
    board: str
    title: str
    ruleset: str
    version: int
    awaited: Awaited
    waiting: int | None
    created_at: datetime
    ended_at: datetime | None
    answer_by: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadlineRead:
    """How long the awaited have in a scene, and until when, in UTC; None where no deadline runs.

    ``has_default``: once it has passed, anybody who acts in the scene may let the game decide what
    is awaited by default; otherwise it is only shown.
    """

    answer_within: int | None = None
    answer_by: datetime | None = None
    has_default: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """An entry in the history of a scene.

    ``act`` is the kind of its order, empty where it has none. ``voids`` is the entry it takes back,
    ``before`` the turn in front of which it takes effect, ``corrects`` the one to whose story it
    gives new words; ``voided_by``, ``amended_by`` and ``corrected_by`` are the entries that did so
    to this one. ``provenance`` is how its dice came here, empty where it has none, or none yet.
    """

    number: int
    kind: EntryKind
    seat: Seat
    act: str
    status: Status
    voids: int | None
    before: int | None
    corrects: int | None
    voided_by: int | None
    amended_by: tuple[int, ...]
    corrected_by: tuple[int, ...]
    reason: str
    at: datetime
    provenance: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRead:
    """A scene as ``seat`` sees it.

    ``seats`` are all seats of the scene, ``mine`` those that the reader holds. ``view`` is None
    only where a scene of another edition can no longer be shown; ``current`` says whether the
    scene is of this edition and can go on. ``scheme`` is how its dice are thrown: ``pbf1``, or
    ``system`` in a scene from before that they could be checked; ``head`` is that of its ledger.
    ``templates`` are those that its posts are written with; ``deadline`` is until when whoever is
    awaited may answer.
    """

    id: str
    board: str
    title: str
    ruleset: str
    edition: str
    current: bool
    language: Language
    dialect: str
    dice: Roller
    scheme: str
    head: str
    version: int
    seat: Seat
    is_gm: bool
    mine: tuple[Seat, ...]
    seats: tuple[Seat, ...]
    view: Any
    awaited: Awaited
    waiting: int | None
    entries: tuple[EntryLine, ...]
    created_at: datetime
    ended_at: datetime | None
    deadline: DeadlineRead = field(default_factory=DeadlineRead)
    templates: SceneTemplates = field(default_factory=SceneTemplates, metadata=INNER)

    @property
    def last_in_effect(self) -> EntryLine | None:
        """Give the last decision that nobody has taken back: what the Master would take back."""
        standing = (
            one for one in self.entries if one.kind is EntryKind.ORDER and one.voided_by is None
        )
        return max(standing, key=lambda one: one.number, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLine:
    """A secret link that is in force: whose it is and how its secret begins."""

    role: Role
    seat: Seat | None
    prefix: str
    created_at: datetime
    used_at: datetime | None


# ------------------------------------------------------------------------------------- turns


# ------------------------------------------------------------------------------- adjudication


Modifiers = Annotated[tuple[Annotated[Fraction, Between(-9999, 9999)] | None, ...], Length(0, 200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One order of a fight to adjudicate; without ``faces`` the service throws its dice.

    ``modifiers`` are those that tags were thrown with, where they are not those of the labels.
    """

    order: object
    faces: Annotated[tuple[Annotated[int, Between(1, 10_000)], ...], Length(0, 200)] | None = None
    modifiers: Modifiers = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudication:
    """A whole fight to adjudicate without storing anything; the set-up may hold options."""

    setup: object
    steps: Annotated[tuple[Step, ...], Length(0, 100)] = ()
    ruleset: str = "guida"


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudged:
    """What came of one step; an order that is refused has obstacles, and the fight stops there.

    So do dice that are refused; they are told with what was asked for.
    """

    seat: Seat
    obstacles: tuple[Obstacle, ...]
    asked: tuple[Asked, ...]
    rolls: tuple[Roll, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicated:
    """What came of a fight: its steps, and the Master's view of where it stands."""

    steps: tuple[Adjudged, ...]
    view: Any
    awaited: Awaited


# ------------------------------------------------------------------------------------- access


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """An opened link: the cookie's new value, and where to go."""

    cookie: str
    role: Role
    board: str
    scene_id: str | None
    seat: Seat | None
