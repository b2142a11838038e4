"""What a forum's page puts around a post and people copy along: taken out, and edits noticed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.posts.header_words import vital
from app.posts.traced import Line

LONGEST_LINE: Final = 200  # of what a page says

_DATE: Final = r"[0-9]{1,2}/[0-9]{1,2}/[0-9]{2,4}(?:,? [0-9]{1,2}:[0-9]{2})?"
# Whole lines only: in a sentence each of these words is the author's.
_NOISE: Final = re.compile(
    r"« ?older newer ?»|« ?older|newer ?»|share|\.|[0-9]{1,4}\.|\+1 ?[-−]1|\+1|[-−]1|top"
    r"|(?:un|dis)?like|avatar|(?:group|posts|reputation|stima|location|status)(?: ?: ?\S.{0,60})?"
    r"|(?:posts|reputation|stima) ?[-+]?[0-9.,]{1,9}"
    rf"|(?:view post ?)?posted on {_DATE}|view post|codice|code:?"
    r"|spoiler(?: \(clicca per visualizzare\))?"
    # The name of an uploaded picture: letters and digits, with nothing in between.
    r"|(?=[a-z]{0,31}[0-9])(?=[0-9]{0,31}[a-z])[a-z0-9]{12,32}(?:\.(?:png|jpe?g|gif|webp))?",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"citazione(?: ?[(@].{0,120})?", re.IGNORECASE)
_EDITED: Final = re.compile(
    rf"(?:edited by|modificato da) (?P<who>.{{1,60}}?) ?- ?(?P<when>{_DATE}.{{0,20}})"
    r"|\(?questo messaggio è stato modificato l['’]ultima volta il: ?(?P<on>.{1,40}?)"
    r" da (?P<by>[^).]{1,60})\.?\)?"
    r"|\(?this (?:message|post) was last (?:edited|modified) by (?P<user>[^),]{1,60}?)"
    r"(?:,? (?:at|on|:) ?(?P<time>[^)]{1,60}))?\.?\)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Edited:
    """A mark that the forum puts under a post which was changed."""

    line: Line
    who: str
    when: str


@dataclass(frozen=True, slots=True)
class Stripped:
    """The lines of a post without those of the page; ``quoted`` are quotations that it showed.

    ``quotes`` says that the post itself is one: it begins with the heading of a quotation.
    """

    lines: tuple[Line, ...]
    edits: tuple[Edited, ...]
    quoted: tuple[Line, ...]
    quotes: bool


def strip_noise(lines: Sequence[Line]) -> Stripped:
    """Take out what belongs to the page; of a line that goes, the gap it leaves stays."""
    kept: list[Line] = []
    edits: list[Edited] = []
    quoted: list[Line] = []
    whole = inside = False
    for line in lines:
        text = line.text
        edit = _EDITED.fullmatch(text) if len(text) <= LONGEST_LINE else None
        if edit is not None:
            who = edit["who"] or edit["by"] or edit["user"]
            when = edit["when"] or edit["on"] or edit["time"] or ""
            edits.append(Edited(line, who.strip(), when.strip()))
        elif _QUOTED.fullmatch(text):
            # Where it ends cannot be seen once the page is gone: with its paragraph, at the latest.
            whole = whole or not any(one.text for one in kept)
            inside = not whole
        elif inside:
            quoted.append(line)
            inside = bool(text)
        elif not _is_noise(text):
            kept.append(line)
            continue
        if kept and kept[-1].text:
            kept.append(Line(line.at, ""))
    return Stripped(tuple(kept), tuple(edits), tuple(one for one in quoted if one.text), whole)


def _is_noise(text: str) -> bool:
    if not text or len(text) > LONGEST_LINE or not _NOISE.fullmatch(text):
        return False
    # "Status: PV 85/100" is somebody's header.
    return not any(vital(unit).search(text) for unit in ("hp", "ep"))
