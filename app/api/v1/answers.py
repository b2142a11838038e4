"""What the API answers, where a use case does not name the whole of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.catalogue import Book, RuleText, RulingText, TermText
from app.engine.dice import Roll
from app.engine.findings import Finding
from app.engine.odds import Method
from app.engine.ruleset import Asked, Awaited, Forecast, Plan, Seat
from app.posts.dice_tag import DiceTag
from app.services.being_shapes import BeingLine
from app.services.dice_shapes import Extra
from app.services.duel_shapes import Matchup, WarriorLine
from app.services.entry_shapes import (
    EntryRead,
    PostedDie,
)
from app.services.odds import Figure, SeatOdds
from app.services.shapes import (
    LinkLine,
    SceneLine,
    SheetLine,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """Something that stands in the way: where, by which rule, and how to mend it."""

    field: str
    code: str
    rule: str | None
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetList:
    """The stored sheets, by name."""

    sheets: tuple[SheetLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretLink:
    """A secret, shown this once: to send as a Bearer token, or to open in a browser."""

    secret: str
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingList:
    """Beings of the campaign, by name."""

    beings: tuple[BeingLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeingEntered:
    """A new being, with a secret link for its owner."""

    being_id: str
    owner: SecretLink
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneOpened:
    """A new scene: its public address, and a secret link for the Master and for each seat."""

    scene_id: str
    address: str
    gm: SecretLink
    seats: Mapping[Seat, SecretLink]
    replayed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneList:
    """A page of scenes, newest first; ``next`` is what to ask the following page after."""

    scenes: tuple[SceneLine, ...]
    next: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraList:
    """The Master's own rolls and the sealed declarations, newest first."""

    extras: tuple[Extra, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkList:
    """The secret links of a scene that are in force."""

    links: tuple[LinkLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChoices:
    """What a seat may decide now, as its ruleset describes it."""

    seat: Seat
    choices: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderPreview:
    """What an order would meet; no die is thrown and nothing is stored.

    ``texts`` are the findings as sentences, ``posts`` the post in the scene's dialect, the Guida's
    and plain text, with its dice still open; where anything stands in the way there are only
    ``obstacles``.
    """

    seat: Seat
    obstacles: tuple[Sentence, ...]
    plan: Plan | None
    forecast: Forecast | None
    texts: tuple[str, ...]
    posts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryTold:
    """An entry, its findings as sentences, and its post.

    ``remarks`` say what was noticed in the post that its dice were read from. ``posts`` has the
    entry in the scene's dialect, the Guida's and plain text.
    """

    entry: EntryRead
    texts: tuple[str, ...]
    remarks: tuple[str, ...]
    posts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostedDiceRead:
    """What a pasted post shows of the dice that an entry waits for, in the order it asked for them.

    ``ready`` says that they can be given so; else ``mistakes`` say what is wrong with which die.
    ``remarks`` say what was noticed besides, and how the dice were read where that is unverified.
    """

    ready: bool
    dice: tuple[PostedDie, ...]
    mistakes: tuple[Sentence, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryList:
    """A page of entries in their order; ``next`` is what to ask the following page after."""

    entries: tuple[EntryTold, ...]
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JointPost:
    """The posts of several entries as one text, one after the other.

    ``posts`` has it in the scene's dialect, the Guida's and plain text; ``entries`` are those
    that it tells: what was taken back or cannot be seen has no post in it.
    """

    entries: tuple[int, ...]
    posts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTold:
    """What came of one step; an order that is refused has obstacles, and the fight stops there."""

    seat: Seat
    obstacles: tuple[Sentence, ...]
    asked: tuple[Asked, ...]
    rolls: tuple[Roll, ...]
    findings: tuple[Finding, ...]
    texts: tuple[str, ...]
    posts: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class FightTold:
    """What came of a whole fight, and the Master's view of where it stands."""

    steps: tuple[StepTold, ...]
    view: Any
    awaited: Awaited


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeTold:
    """What the players of a set-up should know; ``offers`` are options that would mend it."""

    code: str
    message: str
    messages: Mapping[str, str]
    offers: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OddsTold:
    """The odds of a set-up: shares from 0 to 1, each with its standard error, null where exact.

    ``capped`` games reach the turn cap, and count as wins or draws besides. ``runs`` tells how
    many games were simulated; it may be less than was asked for where games are long.
    """

    ruleset: str
    method: Method
    runs: int
    seats: tuple[SeatOdds, ...]
    draws: Figure
    capped: Figure
    turns: Figure
    warnings: tuple[NoticeTold, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """One thing that is wrong with a dice tag."""

    code: str
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class TagChecked:
    """A dice tag where it stands in the text, as it was read, with what is wrong with it.

    A ``quoted`` one stands in a quotation or in code, where a forum does not roll it.
    """

    start: int
    end: int
    source: str
    quoted: bool
    tag: DiceTag
    issues: tuple[Issue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TagsChecked:
    """Every dice tag of a text; ``sound`` says that nothing is wrong with any of them."""

    sound: bool
    tags: tuple[TagChecked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundIn:
    """Where the words of a search were found: in which texts, and by which words of the glossary.

    ``fields`` are id, title, statement, reason (each with its language), option or glossary.
    """

    id: str
    fields: tuple[str, ...]
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleList:
    """The rules of every book in their order, and our rulings on what they leave open.

    Of a search, only what was found; ``found`` says where, the best first.
    """

    rules: tuple[RuleText, ...]
    rulings: tuple[RulingText, ...]
    found: tuple[FoundIn, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BookList:
    """The books of the games, each with its chapters."""

    books: tuple[Book, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TermList:
    """The words of the games: what they are called, also in the book's language, and mean."""

    terms: tuple[TermText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseLine:
    """A worked case in the list: what it is about, and whether it passes now."""

    number: int
    id: str
    title: str
    game: str
    op: str
    chapter: int | None
    rules: tuple[str, ...]
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseList:
    """A page of the worked cases; ``next`` is what to ask the following page after.

    ``passed`` and ``failed`` count all that were asked for, on whichever page.
    """

    cases: tuple[CaseLine, ...]
    passed: int
    failed: int
    next: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseRead:
    """A worked case: what is given, what is expected, what came out, and what is wrong with that.

    ``got`` is null where nothing came out.
    """

    case: CaseLine
    note: str
    given: Any
    expect: Any
    got: Any
    wrong: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageTold:
    """How many rules of a chapter the cases prove; ``chapter`` null is the whole book.

    ``game`` null are all books together.

    ``share`` is in whole per cent of the rules that are not left to people.
    """

    game: str | None
    chapter: int | None
    rules: int
    proved: int
    share: int
    unproved: tuple[str, ...]
    left_to_people: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageList:
    """Chapter by chapter which rules are proved, and the same of the whole book."""

    chapters: tuple[CoverageTold, ...]
    total: CoverageTold


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorText:
    """A code that a refusal can carry.

    ``section`` is problem (the whole refusal), mistakes, violations or questions (one entry of
    ``errors``); ``messages`` are the sentences it can have, with the names of their facts.
    """

    code: str
    section: str
    status: int
    title: Mapping[str, str]
    messages: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorList:
    """Every code."""

    errors: tuple[ErrorText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WarriorList:
    """The printed warriors of Warrior Dice, in the order of their tables."""

    warriors: tuple[WarriorLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupList:
    """A warrior against every printed one, the easiest first, and what it costs."""

    points: int
    matchups: tuple[Matchup, ...]
