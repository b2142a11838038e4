"""The checker of posts: dice against their labels, and what a post lacks (GC-1.1, GC-4.87)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from fastapi import APIRouter
from starlette.responses import Response

from app.engine.numbers import spelled
from app.http.language import Language
from app.posts import lint
from app.posts.dice_tag import DiceTag
from app.posts.lint import BEFORE_UNREAD, LONGEST, lint_post, lint_tag, say_issue, vitals_of
from app.web.forms import text_at
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
    """A tag as the page shows it."""

    title: str
    quoted: bool
    factors: tuple[tuple[str, Fraction], ...]
    sum: str
    declared: str
    issues: tuple[Issue, ...]


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
    read = lint_post(text, before=before)
    checked = [_shown(one.tag, here.language, quoted=one.quoted) for one in read.tags]
    around = [_told(issue, here.language) for issue in read.issues if issue.tag is None]
    if before is None and written.strip():
        around.append(_told(BEFORE_UNREAD, here.language))
    whole = "\n" in text.strip()  # a single tag lacks nothing that a post must have
    return page(here, "tags/check.html", data=form, checked=checked, around=around, whole=whole)


def _shown(tag: DiceTag, language: Language, *, quoted: bool) -> Checked:
    declared = tag.declared_modifier
    targets = ", ".join(tag.targets)
    dice = f"{tag.count}d{tag.faces}" if tag.faces else ""
    who = f"({tag.actor} vs {targets})" if tag.actor or targets else ""
    return Checked(
        title=" ".join(part for part in (dice, tag.action_name, who) if part) or "—",
        quoted=quoted,
        factors=tuple((factor.source, factor.value) for factor in tag.factors),
        sum=spelled(tag.listed_modifier, sign=True),
        declared="–" if declared is None else spelled(declared, sign=True),
        issues=tuple(_told(issue, language) for issue in lint_tag(tag)),
    )


def _told(issue: lint.Issue, language: Language) -> Issue:
    return Issue(say_issue(language, issue), issue.rule, issue.hint)
