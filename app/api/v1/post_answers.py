"""What the API answers about a post that was pasted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.findings import Fact, Facts
from app.engine.ruleset import Seat
from app.posts.dice_tag import DiceTag
from app.posts.header import Header
from app.posts.thread import Character
from app.posts.thread_drafts import EntrantDraft
from app.services.posts import Vitals


@dataclass(frozen=True, slots=True, kw_only=True)
class PostIssue:
    """One thing to mend in a post, or one to look at: by which rule, with what facts."""

    rule: str
    code: str
    facts: Facts
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostTag:
    """A dice tag of a post, or a die shown as fallen, with what is wrong with it.

    A ``quoted`` one stands in a quotation or in code: a forum does not roll it, and nothing is
    asked of it.
    """

    source: str
    quoted: bool
    tag: DiceTag
    issues: tuple[PostIssue, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostRetold:
    """Which entry a post tells, by its digest.

    ``state`` is ``this``, ``older``, ``altered`` (the digest is right, the words above it are not),
    ``other``, ``unknown``, ``withheld`` (only who may know more of the entry can tell) or ``none``;
    ``wording`` counts the wordings of the entry from 1.
    """

    state: str
    wording: int | None
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChecked:
    """A post as it was read, with what is wrong with it.

    ``valid`` says that there is nothing to mend, neither in ``issues`` nor in those of a tag;
    ``hints`` are only to be looked at, the first twenty of a kind. ``before`` are the vitals that
    the register was added up from, null where it was not. ``retold`` says whether the post tells
    the entry that was named, null where none was.
    """

    valid: bool
    header: Header
    before: Vitals | None
    tags: tuple[PostTag, ...]
    issues: tuple[PostIssue, ...]
    hints: tuple[PostIssue, ...]
    retold: PostRetold | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostClaim:
    """What a post says at a place, or what could not be understood there.

    The place is ``start`` to ``end`` in characters of the text that was sent, in its ``line``
    counted from 1; ``text`` is what stands there, the first 200 characters of it.
    """

    kind: str
    start: int
    end: int
    line: int
    text: str
    facts: Facts
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostClaims:
    """A pasted post as claims, each with its place; ``checked`` is what is wrong with them.

    ``paste`` is how it was copied: ``raw``, ``html``, ``rendered`` or ``quoted``; ``edited`` that
    the forum marks it as changed. Of ``claims`` and ``unread`` the first 300 are listed each;
    ``left_out`` counts the others.
    """

    paste: str
    edited: bool
    claims: tuple[PostClaim, ...]
    unread: tuple[PostClaim, ...]
    left_out: int
    checked: PostChecked


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceReason:
    """Why a number of a post is another one, by which rule, and how to mend it."""

    rule: str
    code: str
    facts: Facts
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberCompared:
    """One number of a post beside the computed one; null where one of them is not there.

    ``name`` says which number it is, in the language of the answer; ``about`` holds what of.
    ``place`` is where the post says it, null where it does not.
    """

    kind: str
    name: str
    about: Facts
    rule: str
    claimed: Fact
    computed: Fact
    same: bool
    place: PostClaim | None
    because: tuple[DifferenceReason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostNumbers:
    """A pasted post held against the entry that it tells, number by number.

    ``same`` says that every number agrees. ``unread`` is what was not understood of the post.
    """

    entry: int
    seat: Seat
    same: bool
    edited: bool
    numbers: tuple[NumberCompared, ...]
    unread: tuple[PostClaim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadTrouble:
    """Something in an old post that is wrong or was not understood; null is the whole post."""

    line: int | None
    rule: str
    code: str
    facts: Facts
    hint: bool
    message: str
    messages: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class OldPostTold:
    """A post from before, as it was pasted and as it was read.

    ``who`` is empty where nobody can tell whose it is. Its ``dice`` are those of its forum: nobody
    has verified them, and no ledger has them.
    """

    number: int
    who: str
    text: str
    edited: bool
    dice: int
    header: Header
    troubles: tuple[ThreadTrouble, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadTold:
    """An old thread as it was read, and how everybody stands at its end.

    ``entrants`` are those of a set-up as far as the posts tell, null where they do not: complete
    them and open the scene with the same posts in ``thread``.
    """

    posts: tuple[OldPostTold, ...]
    people: tuple[Character, ...]
    entrants: tuple[EntrantDraft, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OldThread:
    """The posts from before a scene, in their order."""

    posts: tuple[OldPostTold, ...]
