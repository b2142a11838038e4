"""The tags of a template's own text: those that are allowed, each closed where it was opened.

What is open when a choice or a loop begins stays open to its end, and what opens in it closes in
it; so whatever a post has in it, no tag of the template is left open around the rest of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from typing import Final

from app.posts.allowed import (
    SHRINKING,
    TAGS,
    VOID,
    bad_attribute,
    colour,
    declarations,
    same_colour,
)
from app.posts.bbcode import DICE_TAGS, Tag, tokenise
from app.posts.bbcode import TAGS as BBCODE
from app.posts.template import Fault

# Those that some forum takes alone, or closes by itself.
_ALONE: Final = """
    * hr br p li img anchor attachment snapback user member mention thread topic post postquote
    nobr media diceresult
"""
_FOLDING: Final = {"heading", "spoil", "collapse", "toggle", "accordion", "details"}
_PAIRED: Final = (BBCODE | _FOLDING) - DICE_TAGS - frozenset(_ALONE.split())
# One spelling only: what browsers make of the others is their business.
_VALUE: Final = r"(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>=`/]++)"
_WELL_WRITTEN: Final = re.compile(
    rf"</?+[A-Za-z][A-Za-z0-9]{{0,11}}+(?:\s++[A-Za-z-]{{1,30}}+\s*+=\s*+{_VALUE})*+\s*+/?+>"
)
_LINK: Final = re.compile(r"<https?://[^\s<>=\"'`]++>")  # an address, as Markdown has it
_BEGUN: Final = re.compile(r"<(?=[A-Za-z/!?]).{0,40}|-->", re.DOTALL)
# They turn what follows around, figures too: 72 would be seen as 27.
_TURNING: Final = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LONGEST: Final = 40


class _Open:
    """A tag that is open: its kind of brackets, and the colours that hold in it."""

    __slots__ = ("back", "fore", "html", "line", "name")

    def __init__(self, name: str, line: int, *, html: bool, fore: str = "", back: str = "") -> None:
        self.name, self.line, self.html = name, line, html
        self.fore, self.back = fore, back


class Tags:
    """Reads a template's own text run by run, and knows what is open."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._floors: list[int] = [0]

    def enter(self) -> None:
        """Begin a part in which what opens has to close."""
        self._floors.append(len(self._open))

    def leave(self) -> Iterator[Fault]:
        """End such a part."""
        floor = self._floors.pop()
        for one in self._open[floor:]:
            yield _unbalanced(one.name, one.line, html=one.html)
        del self._open[floor:]

    def read(self, text: str, line: int) -> Iterator[Fault]:
        """List what is wrong in a run of text without a slot, which begins on a line."""
        turning = _TURNING.search(unescape(text))
        if turning is not None:
            yield _forbidden(f"U+{ord(turning[0]):04X}", line)
            return
        text = _LINK.sub(_blank, text)
        for found in _BEGUN.finditer(_WELL_WRITTEN.sub(_blank, text)):
            yield _forbidden(text[found.start() :], line + text.count("\n", 0, found.start()))
            return
        parser = _Parser()
        parser.feed(text)
        parser.close()
        starts = [0, *(found.end() for found in re.finditer("\n", text))]
        events: list[tuple[int, _Event | Tag]] = [
            *((starts[one.at[0] - 1] + one.at[1], one) for one in parser.events),
            *((one.start, one) for one in tokenise(text)),
        ]
        for place, one in sorted(events, key=lambda event: event[0]):
            here = line + text.count("\n", 0, place)
            if isinstance(one, Tag):
                yield from self._bbcode(one, text, here)
            elif one.closing and one.name in TAGS:
                yield from self._close(one.name, here, html=True)
            else:
                yield from self._html(one, here)

    def _bbcode(self, tag: Tag, text: str, line: int) -> Iterator[Fault]:
        coloured = tag.name in {"color", "bgcolor", "background", "highlight"}
        if coloured and not tag.closing and not colour(tag.value.strip("\"' ")):
            yield _forbidden(text[tag.start : tag.end], line)
        if tag.name not in _PAIRED or is_link(text, tag):
            return
        if tag.closing:
            yield from self._close(tag.name, line, html=False)
        else:
            yield from self._shrinks(tag.name, text[tag.start : tag.end], line)
            self._push(tag.name, line, html=False)

    def _html(self, event: _Event, line: int) -> Iterator[Fault]:
        name = event.name
        if name not in TAGS:
            yield _forbidden(f"</{name}" if event.closing else f"<{name}", line)
            return
        fore = back = ""
        for key, value in event.attributes:
            bad = bad_attribute(name, key, value or "")
            if bad is not None:
                yield _forbidden(bad, line)
            for style, said in declarations(value or "") if key == "style" else [(key, value)]:
                fore = (said or "") if style == "color" else fore
                back = (said or "") if style in {"background", "background-color"} else back
                back = (said or "") if style == "bgcolor" else back
        if name in VOID:
            return
        yield from self._shrinks(name, f"<{name}>", line)
        self._push(name, line, html=True, fore=fore, back=back)
        top = self._open[-1]
        if (fore or back) and same_colour(top.fore, top.back):
            yield _forbidden(f"color:{top.fore}", line)

    def _push(self, name: str, line: int, *, html: bool, fore: str = "", back: str = "") -> None:
        around = self._open[-1] if self._open else None
        fore = fore or (around.fore if around else "")
        back = back or (around.back if around else "")
        self._open.append(_Open(name, line, html=html, fore=fore, back=back))

    def _shrinks(self, name: str, said: str, line: int) -> Iterator[Fault]:
        # Each of them takes a part of the size around it: the second is no longer read.
        if name in SHRINKING and any(one.name in SHRINKING for one in self._open):
            yield _forbidden(said, line)

    def _close(self, name: str, line: int, *, html: bool) -> Iterator[Fault]:
        last = self._open[-1] if len(self._open) > self._floors[-1] else None
        if last is not None and (last.name, last.html) == (name, html):
            self._open.pop()
            return
        yield _unbalanced(f"/{name}", line, html=html)


class _Event:
    __slots__ = ("at", "attributes", "closing", "name")

    def __init__(
        self,
        name: str,
        at: tuple[int, int],
        attributes: list[tuple[str, str | None]],
        *,
        closing: bool,
    ) -> None:
        self.name, self.at, self.attributes, self.closing = name, at, attributes, closing


class _Parser(HTMLParser):
    """Tags as the standard parser finds them; comments and the like were refused before."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.events: list[_Event] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.events.append(_Event(tag, self.getpos(), attrs, closing=False))

    def handle_endtag(self, tag: str) -> None:
        self.events.append(_Event(tag, self.getpos(), [], closing=True))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # A slash closes nothing in HTML.
        self.handle_starttag(tag, attrs)


def is_link(text: str, tag: Tag) -> bool:
    """Say whether what looks like a tag is a link of Markdown: ``[a](https://…)``."""
    return text.startswith(("(http", "(<http"), tag.end)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _forbidden(what: str, line: int) -> Fault:
    said = " ".join(what.split())[:_LONGEST]
    return Fault(code="template_forbidden", facts={"line": line, "what": said})


def _unbalanced(name: str, line: int, *, html: bool) -> Fault:
    said = f"<{name}>" if html else f"[{name}]"
    return Fault(code="template_unbalanced", facts={"line": line, "tag": said})
