"""A summary in a few lines to paste: for forums with BBCode, with Markdown, or with HTML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.posts.blocks import Line, Piece, SheetLink, Style
from app.posts.dialects import DIALECTS
from app.posts.dialects.bbcode_forum import ENTITIES, NARROW
from app.posts.dialects.html import as_html
from app.posts.dialects.markdown import MARKDOWN
from app.posts.dialects.markup import Markup, write_post
from app.posts.phrases import SERVICE, say
from app.services.summaries import SummaryRead

MARKUPS: Final[Mapping[str, Markup]] = {
    "bbcode": NARROW,
    "markdown": MARKDOWN,
    "html": as_html(ENTITIES),
}


def snippets(summary: SummaryRead, address: str, dialect: str = "") -> Mapping[str, str]:
    """Write title, result and link of a summary in each markup; no name in it becomes markup.

    BBCode is written as the dialect of the scene writes it, if it does: that forum may hold
    characters which not every one can.
    """
    told = Line((Piece(summary.title, Style.BOLD), Piece(f" – {result(summary)}")))
    link = SheetLink(say(summary.language, SERVICE, "summary", "link", {}), address)
    own = DIALECTS[dialect].markup if dialect in DIALECTS else None
    markups = {**MARKUPS, "bbcode": own} if own is not None and own.brackets else MARKUPS
    return {
        name: write_post([told, link], summary.language, markup) for name, markup in markups.items()
    }


def result(summary: SummaryRead) -> str:
    """Say in a line how a fight stands or went, with everybody's figures."""
    figures = "; ".join(
        f"{one.name} {told}" if told else one.name
        for one in summary.timeline.people
        for told in [_figures(summary, one.id)]
    )
    return " ".join(part for part in (outcome(summary), figures) if part)


def outcome(summary: SummaryRead) -> str:
    """Say who has won, or who still stands, and whether the fight goes on."""
    people = {one.id: one for one in summary.timeline.people}
    winners = [people[id].name for id in summary.timeline.winners if id in people]
    up = [one.name for one in people.values() if not one.out]
    if winners:
        return f"{_say(summary, 'won', ', '.join(winners))}."
    state = say(
        summary.language, SERVICE, "summary", "running" if summary.ended_at is None else "ended", {}
    )
    if summary.ended_at is None or not up or len(up) == len(people):
        return state
    return f"{state} {_say(summary, 'standing', ', '.join(up))}."


def _say(summary: SummaryRead, key: str, names: str) -> str:
    return say(summary.language, SERVICE, "summary", key, {"names": names})


def _figures(summary: SummaryRead, id: str) -> str:
    """Write the figures of somebody as they were last seen: ``68/200 PV, 100/100 PE``."""
    person = next(one for one in summary.timeline.people if one.id == id)
    told = []
    for figure in person.figures:
        seen = [value for value in figure.values if value is not None]
        word = say(summary.language, summary.ruleset, "figures", figure.key, {})
        told.append(f"{seen[-1]}/{figure.most} {word}")
    return ", ".join(told)
