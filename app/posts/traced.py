"""A text that was altered to be read, and still knows where each character came from."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

Cut = tuple[int, int, str]  # from, to, and what stands there instead


class Line(NamedTuple):
    """A line and where its first character stands in the text it was taken from."""

    at: int
    text: str

    def part(self, start: int, end: int | None = None) -> Line:
        """Take a piece of the line, without the blanks around it."""
        piece = self.text[start:end]
        bare = piece.lstrip()
        return Line(self.at + start + len(piece) - len(bare), bare.rstrip())


@dataclass(frozen=True, slots=True)
class Traced:
    """A text, and for each of its characters from where to where it stands in the source."""

    text: str
    starts: array[int]
    ends: array[int]

    @classmethod
    def of(cls, text: str) -> Traced:
        """Begin with a source as it is."""
        return cls(text, array("I", range(len(text))), array("I", range(1, len(text) + 1)))

    def replaced(self, cuts: Iterable[Cut]) -> Traced:
        """Put other text where cuts say; they come in order, and none reaches into the next."""
        parts: list[str] = []
        starts, ends = array("I"), array("I")
        at = 0
        for start, end, instead in cuts:
            parts += [self.text[at:start], instead]
            starts += self.starts[at:start]
            ends += self.ends[at:start]
            if instead:
                first, last = self.place(start, end)
                starts.extend([first] * len(instead))
                ends.extend([last] * len(instead))
            at = end
        parts.append(self.text[at:])
        starts += self.starts[at:]
        ends += self.ends[at:]
        return Traced("".join(parts), starts, ends)

    def sub(self, pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]) -> Traced:
        """Replace every match of a pattern."""
        cuts = [(*found.span(), instead(found)) for found in pattern.finditer(self.text)]
        return self.replaced(cuts) if cuts else self

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Say where a piece of the text stands in the source."""
        if not self.text:
            return 0, 0
        if start >= len(self.text):
            return self.ends[-1], self.ends[-1]
        if end <= start:
            return self.starts[start], self.starts[start]
        return self.starts[start], self.ends[end - 1]

    def lines(self) -> Iterator[Line]:
        """Give each line with its place."""
        at = 0
        for line in self.text.split("\n"):
            yield Line(at, line)
            at += len(line) + 1
