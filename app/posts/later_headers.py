"""Where one text has the headers of several posts: each place, and whether it is sure to be one.

A header is hit points, energy and stats or the link to a sheet, near each other. It surely begins
another post where it begins a paragraph, where the first one stands at the top of the text, and
where something was told in between: a familiar's header stands right below that of its master,
and what a turn came to may stand at the foot of a post.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from app.posts.header_words import stats, vital
from app.posts.paste import heading
from app.posts.traced import Line
from app.posts.vitals import begins_field
from app.posts.words import phase_names, plain, words_for

NEAR: Final = 3  # lines that are not empty, between two parts of one header
_CORE: Final = frozenset({"hp", "ep"})
_NAME: Final = re.compile(r"[^\W\d_][\w'’. -]{0,39}(?<![.!?…])")
_LINK: Final = re.compile(r"\W*\[([^\[\]\n]{1,80})\]\(")  # of Markdown
_MOST_NAMES: Final = 3  # lines above the fields of a header


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterHeader:
    """The header of another post: ``fields`` is its first line, ``begins`` that of its post."""

    fields: int
    begins: int
    certain: bool


@dataclass(slots=True)
class _Group:
    """Parts of a header that stand near each other, by the places of their lines."""

    first: int
    last: int
    parts: set[str] = field(default_factory=set)

    @property
    def is_header(self) -> bool:
        return self.parts >= _CORE and bool(self.parts & {"stats", "link"})

    def is_over(self, parts: set[str]) -> bool:
        """Say whether parts behind something else belong to the next header: by their order."""
        ended = "register" in self.parts and parts != {"register"}
        return bool(self.parts & parts) or (self.parts >= _CORE and (ended or "link" in parts))


def later_headers(lines: Sequence[Line]) -> tuple[LaterHeader, ...]:
    """Find the headers behind the first one."""
    told = [at for at, line in enumerate(lines) if line.text]
    groups = [one for one in _groups(lines, told) if one.is_header]
    if len(groups) < 2:
        return ()
    top, sure = _begins(lines, groups[0].first)
    above = [at for at in told if at < top]
    sure = sure and not above
    found: list[LaterHeader] = []
    for before, one in pairwise(groups):
        begins, alone = _begins(lines, one.first)
        between = any(lines[at].text for at in range(before.last + 1, begins))
        found.append(
            LaterHeader(fields=one.first, begins=begins, certain=sure and alone and between)
        )
    return tuple(found)


def _groups(lines: Sequence[Line], told: Sequence[int]) -> Iterator[_Group]:
    """Put the parts together that stand near each other, as long as none comes twice."""
    group: _Group | None = None
    since = 0  # lines without a part
    for at in told:
        parts = _parts(lines[at].text)
        if not parts:
            since += 1
            continue
        if group is None or since > NEAR or (since and group.is_over(parts)):
            if group is not None:
                yield group
            group = _Group(at, at)
        group.last, since = at, 0
        group.parts |= parts
    if group is not None:
        yield group


def _parts(line: str) -> set[str]:
    """Tell which parts of a header a line has."""
    parts = {
        unit
        for unit in _CORE
        if any(begins_field(line, found) for found in vital(unit).finditer(line))
    }
    if any(found[4] or found[6] for found in stats().finditer(line)):
        parts.add("stats")
    linked = _LINK.match(line)
    head = plain(heading(linked[1] if linked else line.partition(":")[0]))
    if head in words_for("sheet_link"):
        parts.add("link")
    if head in words_for("register"):
        parts.add("register")
    return parts


def _begins(lines: Sequence[Line], fields: int) -> tuple[int, bool]:
    """Find where the post of a header begins, with a name above; and whether it begins there."""
    at = fields
    while at and fields - at < _MOST_NAMES and _is_name(lines[at - 1].text):
        at -= 1
    if at and lines[at - 1].text:
        return at, False
    if at < fields:
        return at, True
    above = at
    while above and not lines[above - 1].text:
        above -= 1
    # A name that is a paragraph of its own.
    if above and _is_name(lines[above - 1].text) and (above < 2 or not lines[above - 2].text):
        return above - 1, True
    return at, True


def _is_name(line: str) -> bool:
    text = heading(line)
    return bool(_NAME.fullmatch(text)) and len(text.split()) < 5 and plain(text) not in _others()


def _others() -> frozenset[str]:
    return phase_names() | words_for("register", "nothing_changed")
