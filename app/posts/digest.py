"""A line in each post by which anybody can tell whether its words are still those we wrote.

What is digested is what no forum changes: letters and figures in their order, a sign before a
figure, the separators within one. So the same digest comes out of the text as we wrote it, in any
dialect, of the page that shows it, and of a quotation. It cannot notice what is left out for that:
capital letters, punctuation, emphasis, smileys and characters of four bytes, the targets of links
and addresses, and whatever stands in a line with a die, which is counted here and held against the
ledger elsewhere. A game that tells its own dice has them in the digest: its posts count no line
with a die apart, and where none is counted, no line is left out. Anybody can reckon it: only the
stored entry tells a post that was written anew.

A digest covers as many words before its line as it says, so that what a page puts around a post
does not matter; how many stand outside is told.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from app.posts.phrases import LANGUAGES, SERVICE, find, say
from app.posts.remains import bare_line, dice_lines, flat, words_of
from app.posts.traced import Traced

LENGTH: Final = 16
MOST: Final = 50
STATES: Final = ("unchanged", "edited", "unclear")

_SIXTEEN: Final = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])", re.IGNORECASE)
_GROUPS: Final = {
    "turn": "(?P<turn>[A-Za-z0-9]{1,8}-[0-9]{1,9}(?:[.][0-9]{1,4})?)",
    "words": "(?P<words>[0-9]{1,7})",
    "dice": "(?P<dice>[0-9]{1,5})",
    "digest": "(?P<digest>[0-9a-f]{16})",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """A digest in a text, ``source[start:end]``, and what became of what it covers.

    ``turn`` is the short name of scene and entry, ``wording`` which version of its story. ``dice``
    lines with dice were written, ``shown`` are there. ``outside`` counts the words that no digest
    of the text covers. ``state`` is one of ``STATES``.
    """

    start: int
    end: int
    turn: str
    entry: int
    wording: int
    digest: str
    words: int
    dice: int
    shown: int
    outside: int
    state: str


def turn_name(scene_id: str, entry: int, wording: int = 1) -> str:
    """Name an entry of a scene shortly, and which wording of its story: ``k3Jx90aa-7.2``."""
    short = "".join(sign for sign in scene_id if sign.isalnum())[:8] or "0"
    return f"{short}-{entry}" + (f".{wording}" if wording > 1 else "")


def digest_line(language: str, turn: str, text: str, *, apart: bool = True) -> str:
    """Write the line that belongs at the end of a post, from its text in any dialect.

    The line is a sentence like any other: a dialect makes it inert and sets it. ``apart`` says
    that lines with dice are counted, and not digested.
    """
    read = _read(flat(Traced.of(text)), apart)
    dice = sum(at > 0 for at in read.dice)
    facts = {
        "turn": turn,
        "words": len(read.words),
        "dice": dice,
        "digest": _digest(turn, dice, read.words),
    }
    return say(language, SERVICE, "digest", "line", facts)


def find_digests(source: str) -> tuple[Digest, ...]:
    """Find every digest of a pasted text, reckon it again and say what became of its words."""
    if _SIXTEEN.search(source) is None:
        return ()
    text = flat(Traced.of(source))
    read = _read(text)
    all_in = [int(mark.found["dice"]) == 0 for mark in read.marks]
    whole = _read(text, apart=False) if any(all_in) else read
    outside = {False: _outside(read), True: _outside(whole)}
    return tuple(
        _held(whole if one else read, outside[one], number, read.marks[number].of_die)
        for number, one in enumerate(all_in)
    )


@dataclass(frozen=True, slots=True)
class _Mark:
    """A line of a digest: where it is, how many words and lines with dice come before it."""

    found: re.Match[str]
    place: tuple[int, int]
    end: int
    dice: int
    of_die: bool


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as it is digested; ``dice`` says before which word each line with a die stands."""

    words: list[str] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    marks: list[_Mark] = field(default_factory=list)


def _outside(read: _Read) -> int:
    """Count the words that no digest covers."""
    outside = before = len(read.words)
    for mark in reversed(read.marks):
        first = max(0, mark.end - int(mark.found["words"]))
        outside -= max(0, min(mark.end, before) - first)
        before = min(before, first)
    return outside


def _held(read: _Read, outside: int, number: int, of_die: bool) -> Digest:
    mark = read.marks[number]
    count, dice = int(mark.found["words"]), int(mark.found["dice"])
    turn, digest = mark.found["turn"], mark.found["digest"].lower()
    first = mark.end - count
    shown = sum(at > first for at in read.dice[: mark.dice])
    # Fewer lines with dice are no change: some forums move what fell below the post.
    same = first >= 0 and shown <= dice
    same = same and digest == _digest(turn, dice, read.words[first : mark.end])
    entry, _, wording = turn.rpartition("-")[2].partition(".")
    start, end = mark.place
    return Digest(
        start=start,
        end=end,
        turn=turn,
        entry=int(entry),
        wording=int(wording or 1),
        digest=digest,
        words=count,
        dice=dice,
        shown=shown,
        outside=outside,
        # Where the line stands among dice, line breaks were lost, and with them what it covers.
        state="unchanged" if same else "unclear" if of_die else "edited",
    )


def _digest(turn: str, dice: int, words: list[str]) -> str:
    text = f"{turn}\n{dice}\n{' '.join(words)}"
    return hashlib.sha256(text.encode()).hexdigest()[:LENGTH]


def _read(text: Traced, apart: bool = True) -> _Read:
    lines = list(text.lines())
    bare = [bare_line(line.text) for line in lines]
    of_die, counted = dice_lines(bare) if apart else (set(), set())
    read = _Read()
    for number, line in enumerate(bare):
        if number in counted:
            read.dice.append(len(read.words))
        counts = number not in of_die
        mark = _mark(line) if len(read.marks) < MOST else None
        if mark is not None:
            read.words.extend(words_of(line[: mark.start()]) if counts else ())
            at, length = lines[number].at, len(lines[number].text)
            place = text.place(at, at + length)
            read.marks.append(_Mark(mark, place, len(read.words), len(read.dice), not counts))
            line = line[mark.end() :]
        read.words.extend(words_of(line) if counts else ())
    return read


def _mark(line: str) -> re.Match[str] | None:
    return next((found for one in _marks() if (found := one.search(line))), None)


@cache
def _marks() -> tuple[re.Pattern[str], ...]:
    """Make what finds the line in each language, from its phrase."""
    patterns: list[re.Pattern[str]] = []
    for language in LANGUAGES:
        phrase = unicodedata.normalize("NFKC", str(find(language, SERVICE, "digest", "line")))
        text = re.sub(r"(?:\\ )+", r"\\s{1,4}", re.escape(phrase))
        for name, group in _GROUPS.items():
            text = text.replace(re.escape(f"{{{name}}}"), group)
        patterns.append(re.compile(text, re.IGNORECASE))
    return tuple(patterns)
