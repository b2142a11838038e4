"""The checker of posts: what was read, dice against labels, what is lacking (GC-1.1, GC-4.87)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fastapi import APIRouter
from starlette.responses import Response

from app.http.language import Language
from app.posts import lint
from app.posts.brought import REMARKS
from app.posts.dice_tag import FoundTag
from app.posts.lint import (
    BEFORE_UNREAD,
    LONGEST,
    Lint,
    lint_post,
    lint_tag,
    say_issue,
    vitals_of,
)
from app.posts.phrases import SERVICE, say
from app.posts.read import Claim, Reading, ShownRoll, say_claim
from app.posts.words import RULESET
from app.services.patterns import board_shows
from app.services.run import run
from app.web.forms import text_at
from app.web.numbers import shown
from app.web.pages import page
from app.web.visit import Here

router = APIRouter()


@dataclass(frozen=True, slots=True)
class Issue:
    """One thing that is wrong, or only to be looked at (``hint``)."""

    text: str
    rule: str
    hint: bool = False


@dataclass(frozen=True, slots=True)
class Checked:
    """A die as the page shows it; a ``fallen`` one was rolled already, and was read somehow."""

    title: str
    quoted: bool
    fallen: bool
    how: str
    factors: tuple[tuple[str, Fraction], ...]
    sum: str
    declared: str
    issues: tuple[Issue, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A place of the post, and what was read there or why nothing was."""

    line: int
    excerpt: str
    said: str


@dataclass(frozen=True, slots=True)
class Digested:
    """What the digest of a post says about it."""

    state: str
    said: str


@dataclass(frozen=True, slots=True)
class Read:
    """What was read of a post, in its order."""

    paste: str
    edited: bool
    digests: tuple[Digested, ...]
    claims: tuple[Told, ...]
    unread: tuple[Told, ...]
    left_out: int


@router.get("/tags")
async def ask(here: Here) -> Response:
    """Show the empty checker."""
    return page(here, "tags/check.html", checked=None)


@router.post("/tags")
async def check(here: Here) -> Response:
    """Check every tag of a text, and the post around them if there is one; nothing is kept."""
    form = await here.form()
    text = text_at(form, "text")[:LONGEST]
    written = text_at(form, "before")[:LONGEST]
    before = vitals_of(written)
    lint = lint_post(text, before=before, shows=await run(here.db, board_shows, here.board))
    checked = [_shown(lint, place, one, here.language) for place, one in enumerate(lint.tags)]
    around = [_told(issue, here.language) for issue in lint.issues if issue.tag is None]
    if before is None and written.strip():
        around.append(_told(BEFORE_UNREAD, here.language))
    whole = "\n" in text.strip()  # a single tag lacks nothing that a post must have
    return page(
        here,
        "tags/check.html",
        data=form,
        checked=checked,
        around=around,
        whole=whole,
        read=_read(lint.reading, here.language),
    )


def _read(reading: Reading, language: Language) -> Read:
    def told(claims: tuple[Claim, ...]) -> tuple[Told, ...]:
        return tuple(
            Told(claim.line, " ".join(claim.text.split()), say_claim(language, claim))
            for claim in claims
        )

    return Read(
        paste=say(language, RULESET, "pastes", reading.paste),
        edited=reading.edited,
        digests=tuple(
            Digested(str(claim.facts["state"]), say_claim(language, claim))
            for claim in reading.claims
            if claim.kind == "digest"
        ),
        claims=told(reading.claims),
        unread=told(reading.unread),
        left_out=reading.left_out,
    )


def _shown(lint: Lint, place: int, found: FoundTag, language: Language) -> Checked:
    tag = found.tag
    fallen = place >= len(lint.reading.tags)
    declared = tag.declared_modifier
    targets = ", ".join(tag.targets)
    dice = f"{tag.count}d{tag.faces}" if tag.faces else ""
    who = f"({tag.actor} vs {targets})" if tag.actor or targets else ""
    # Nothing is asked of a quoted die, but whoever pastes one wants to know how it adds up.
    issues = [one for one in lint.issues if one.tag == place] or lint_tag(tag)
    return Checked(
        title=" ".join(part for part in (dice, tag.action_name, who) if part) or "—",
        quoted=found.quoted,
        fallen=fallen,
        how=_how(lint.reading.rolls[place - len(lint.reading.tags)], language) if fallen else "",
        factors=tuple((factor.source, factor.value) for factor in tag.factors),
        sum=shown(language, tag.listed_modifier, sign=True),
        declared="–" if declared is None else shown(language, declared, sign=True),
        issues=tuple(_told(issue, language) for issue in issues),
    )


def _how(shown: ShownRoll, language: Language) -> str:
    """Say how a die was read, where that is not verified."""
    code = f"how_{shown.roll.how}"
    return say(language, SERVICE, "post_remarks", code) if code in REMARKS else ""


def _told(issue: lint.Issue, language: Language) -> Issue:
    return Issue(say_issue(language, issue), issue.rule, issue.hint)
