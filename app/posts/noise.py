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
    r"(?:,? (?:at|on|:) ?(?P<time>[^)]{1,60}))?\.?\)?"
    r"|\(?this (?:message|post) was last (?:edited|modified)[: ] ?(?P<mybb>[^)]{1,40}?)"
    r" by (?P<mybb_who>[^)]{1,60}?)\.?\)?"
    # SMF, with the date first: « Last Edit: March 02, 2026, 10:12:13 by Rin »
    r"|[«\[]? ?(?:last edit|ultima modifica): ?(?P<smf>[^»\]]{1,60}?)"
    r" (?:by|da) (?P<smf_who>[^»\]]{1,60}?) ?[»\]]?"
    # phpBB and vBulletin, with the name first
    r"|(?:last edited by|ultima modifica di) (?P<php_who>.{1,60}?)"
    r"(?:; ?| (?:on|il|at) )(?P<php>(?=[^;]{0,60}[0-9])[^;]{1,60}?)"
    r"(?:[,;] ?(?:edited|modificato|reason|motivo).{0,80})?\.?"
    # XenForo and Discourse, which name nobody
    rf"|(?:last edited|ultima modifica)(?: il|:| on) ?(?P<xen>.{{0,20}}[0-9].{{0,40}})",
    re.IGNORECASE,
)
_WHO: Final = ("who", "by", "user", "mybb_who", "smf_who", "php_who")
_WHEN: Final = ("when", "on", "time", "mybb", "smf", "php", "xen")


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
            who, when = (
                next((edit[name].strip() for name in names if edit[name]), "")
                for names in (_WHO, _WHEN)
            )
            edits.append(Edited(line, who, when))
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
