"""BBCode: write text so that nothing in it is markup, and find what is. Linear time.

How text is made inert. What somebody typed stays as it was typed, to the eye: a bracket that would
open a tag gets a word joiner (U+2060) behind it, which nobody sees and no forum's parser skips.
An entity (``&#91;``) would show as such wherever a board has HTML switched off, and would become a
bracket again in an editor that decodes it; a look-alike bracket would alter the player's text.
Of the invisible characters it is the one that clean-up filters take out least (they look for
U+200B and U+FEFF); a forum that stores an old code page turns it into ``&#8288;``, which keeps the
bracket and the name just as far apart. ``<`` and ``&`` are treated alike, since boards of the
ForumFree network let posts contain HTML. Inside a link an invisible character would break the
address, so there the bracket is percent-encoded, which means the same to every server.

Only what reads as a tag is touched: a name that some forum gives a meaning to, any name with
``=`` or of a roller, and every closing tag (a board's own paired tag does nothing without it).
``he [really] runs``, ``[1]`` and ``a?b[c]=1`` stay as they are.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

JOINER: Final = "\u2060"

DICE_TAGS: Final = frozenset({"dice", "roll", "dado", "dadi", "die", "tira", "lancio", "rolldice"})

_ROLLERS: Final = ("dice", "roll")

# What the forum families give a meaning to even without a closing tag, or may close by themselves.
_WORDS: Final = """
    b i u s em strong strike small big sub sup h1 h2 h3 h4 hr br p q
    a url link email mail img image media embed video youtube vimeo flash mp3 audio swf attachment
    quote cite citazione code codice php sql css js xml html dohtml tex latex math pre tt icode
    plain noparse nobbc nobr spoiler hide hidden fieldset box border caption
    color size font bgcolor background highlight style align center left right justify indent
    list li ul ol table tr td th anchor marquee blur shadow glow rainbow user mention member
    thread topic post postquote acronym abbr snapback ftp wrap diceresult
"""
TAGS: Final = DICE_TAGS | frozenset(_WORDS.split())

# Characters that take no room: somebody may hide them in a tag's name, and a forum may drop them.
_UNSEEN: Final = (
    r"\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    r"\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb"
)
_GAP: Final = rf"[\s{_UNSEEN}]*+"
# Possessive throughout: whatever the text, each character is looked at a fixed number of times.
_ACTIVE: Final = re.compile(
    rf"\[(?={_GAP}(?:(?P<whole>\*|/{_GAP}[A-Za-z*])"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9_{_UNSEEN}-]*+){_GAP}(?P<value>=)?))"
    r"|<(?=[A-Za-z/!?])"
    r"|&(?=#|[A-Za-z][A-Za-z0-9]{1,31};)"
)
_DANGLING: Final = re.compile(rf"\[({_GAP}/?+{_GAP}[A-Za-z0-9_*{_UNSEEN}-]*+{_GAP})\Z")
# A closing tag ends an address, as in [img]https://…[/img], and so does one made inert before.
_URL: Final = re.compile(rf"https?://(?:[^\s<>\"\[]|\[(?![/{JOINER}]))++", re.IGNORECASE)
_IN_LINK: Final = {"[": "%5B", "&#": "%26"}  # "&copy=" is a parameter, "&#91;" is none
UNSEEN_ONE: Final = re.compile(f"[{_UNSEEN}]")


def escape(text: str) -> str:
    """Write typed text so that a forum shows it as it is and obeys nothing in it."""
    links = [found.span() for found in _URL.finditer(text)]
    ends = [end for _, end in links]

    def inert(found: re.Match[str]) -> str:
        at = found.start()
        place = bisect_right(ends, at)
        if not _is_active(found):
            return found[0]
        if place < len(links) and links[place][0] <= at:
            return _IN_LINK.get(text[at : at + 2], _IN_LINK.get(found[0], found[0]))
        return found[0] + JOINER

    # A bracket left open at the end would take in what is written after it.
    return _DANGLING.sub(lambda found: f"[{JOINER}{found[1]}", _ACTIVE.sub(inert, text))


def outside_links(
    text: str, change: Callable[[str], str], in_link: Callable[[str], str] | None = None
) -> str:
    """Change what stands outside of web addresses, and the addresses only if told how."""
    parts: list[str] = []
    at = 0
    for link in _URL.finditer(text):
        parts += [change(text[at : link.start()]), in_link(link[0]) if in_link else link[0]]
        at = link.end()
    return "".join([*parts, change(text[at:])])


def link_target(address: str) -> str | None:
    """Give an address as it may stand inside a tag, or None for what is not a plain web address."""
    address = address.strip()
    if not _URL.fullmatch(address) or not address.isprintable():
        return None
    return "".join(f"%{ord(c):02X}" if c in "[]'`\\{}|^" else c for c in address)


@dataclass(frozen=True, slots=True)
class Tag:
    """A tag in a text: ``text[start:end]``; ``value`` is what stands behind ``=`` or a blank."""

    name: str
    closing: bool
    value: str
    start: int
    end: int


_HEAD: Final = re.compile(r"\[(/?)([A-Za-z*][A-Za-z0-9_*-]{0,30})")
_BRACKET: Final = re.compile(r"[\[\]]")


def tokenise(text: str) -> Iterator[Tag]:
    """Find every tag, in order; an opening one reaches to the bracket that closes it."""
    ends = _ends(text)
    for head in _HEAD.finditer(text):
        end = ends.get(head.start())
        if end is None:
            continue
        rest = text[head.end() : end]
        if rest and rest[0] not in "= \t\u00a0:":
            continue
        yield Tag(
            name=head[2].lower(),
            closing=bool(head[1]),
            value=rest[1:].strip(),
            start=head.start(),
            end=end + 1,
        )


def _ends(text: str) -> dict[int, int]:
    """Pair brackets by nesting; one that nothing pairs with ends at the next closing bracket."""
    ends: dict[int, int] = {}
    waiting: list[int] = []
    closings: list[int] = []
    for found in _BRACKET.finditer(text):
        if found[0] == "[":
            waiting.append(found.start())
        else:
            closings.append(found.start())
            if waiting:
                ends[waiting.pop()] = found.start()
    for start in reversed(waiting):
        while len(closings) > 1 and closings[-2] > start:
            closings.pop()
        if closings and closings[-1] > start:
            ends[start] = closings[-1]
    return ends


def _is_active(found: re.Match[str]) -> bool:
    """Say whether a bracket opens what reads as a tag; of the other signs each one found does."""
    if found[0] != "[" or found["whole"] or found["value"]:
        return True
    # Of rollers every variant counts, known or not: [dice20], [rolls], [roll-hidden].
    name = UNSEEN_ONE.sub("", found["name"]).lower()
    return name in TAGS or name.startswith(_ROLLERS)
