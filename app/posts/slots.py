"""The named slots of a post template: what each is called, and what stands in it.

Names are Italian, as the players say them. A phase can be placed whole, or its story, its dice
and its outcomes apart. What a slot holds is written by the dialect, so that it is inert.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from app.posts.bbcode import escape
from app.posts.blocks import Block, Field, Note, RegisterLine, SheetLink, Title
from app.posts.dialects.html import BREAK, as_html
from app.posts.dialects.markup import write_post
from app.posts.dialects.record import Dialect
from app.posts.phrases import say as say_in
from app.posts.template import Written
from app.posts.write import Part, Parts

PHASES: Final = {"iniziale": "initial", "difensiva": "defensive", "offensiva": "offensive"}
APART: Final = ("narrazione", "dadi", "esiti")
# What stands in one line, and may stand as often as one likes.
TITLES: Final = {"titolo_pv": "hp", "titolo_pe": "ep", "titolo_registro": "register"}
SHORT: Final = ("nome", "pv", "pe", *TITLES, *(f"titolo_{name}" for name in PHASES))
# Whole phases, with everything in them.
WHOLE: Final = tuple(PHASES)
# What can be gone through line by line; of the stats each line is a name and a value.
LISTS: Final = {
    "statistiche": 2,
    "registro": 1,
    **{f"{part}_{name}": 1 for name in PHASES for part in ("dadi", "esiti")},
    "verbale": 1,
}
SLOTS: Final = (
    *("nome", "scheda", "titolo_pv", "pv", "titolo_pe", "pe", "statistiche"),
    *("titolo_registro", "registro"),
    *(
        slot
        for name in PHASES
        for slot in (f"titolo_{name}", name, *(f"{part}_{name}" for part in APART))
    ),
    "verbale",
)
# What a post must hold (GC-1.1): of a phase either the whole, or each of its parts.
NEEDED: Final = ("scheda", "pv", "pe", "statistiche", "registro", *PHASES, "verbale")


class Lines(tuple[Any, ...]):
    """Lines that a template can go through; printed at once they stand under one another."""

    __slots__ = ()
    joint = "\n"

    def __str__(self) -> str:
        """Write them all."""
        return self.joint.join(
            f"{one[0]}: {one[1]}" if isinstance(one, tuple) else one for one in self
        )


class _HtmlLines(Lines):
    __slots__ = ()
    joint = BREAK


@dataclass(frozen=True, slots=True)
class Pen:
    """How values are written: text alone, or whole blocks, and what stands between lines."""

    text: Callable[[str], str]
    blocks: Callable[[Sequence[Block]], str]
    lines: type[Lines]


def pen(dialect: Dialect, language: str, markup: Written) -> Pen:
    """Give what writes the values of a template; raise ValueError for a markup not taken."""
    if markup is Written.BBCODE:
        text = dialect.markup.text if dialect.markup else escape
        return Pen(text, lambda blocks: dialect.write(blocks, language), Lines)
    if not takes(dialect, markup):
        raise ValueError(f"{dialect.key} takes no HTML")
    assert dialect.markup is not None
    html = as_html(dialect.markup)

    def written(blocks: Sequence[Block]) -> str:
        return write_post(blocks, language, html, dialect.tag).replace("\n", BREAK)

    return Pen(html.text, written, _HtmlLines)


def takes(dialect: Dialect, markup: Written) -> bool:
    """Say whether a forum can take a template's markup: HTML stands beside BBCode alone."""
    if markup is Written.BBCODE:
        return True
    return dialect.markup is not None and dialect.markup.brackets


def values(
    parts: Parts, ruleset: str, language: str, pen: Pen, wanted: Iterable[str]
) -> dict[str, str | Lines]:
    """Fill the slots that a template has; one that is empty in this post is an empty text."""
    say = partial(say_in, language, ruleset)
    phases = {part.phase: part for part in parts.phases}
    given: dict[str, str | Lines] = {}
    header = _header(parts.header, say("post", "hp"), say("post", "ep"))
    for slot in wanted:
        part, _, name = slot.rpartition("_")
        if slot in header:
            given[slot] = _of_header(slot, header[slot], pen)
        elif slot == "verbale":
            given[slot] = _each(parts.notes, pen)
        elif slot in TITLES:
            given[slot] = pen.text(say("post", TITLES[slot]))
        elif part == "titolo":
            given[slot] = pen.text(say("phases", PHASES[name]))
        else:
            given[slot] = _of_phase(part, phases[PHASES[name]], pen)
    return given


def _header(blocks: Sequence[Block], hp: str, ep: str) -> dict[str, list[Block]]:
    found: dict[str, list[Block]] = {
        name: [] for name in ("nome", "scheda", "pv", "pe", "statistiche", "registro")
    }
    vitals = {hp: "pv", ep: "pe"}
    for block in blocks:
        match block:
            case Title():
                found["nome"].append(block)
            case SheetLink():
                found["scheda"].append(block)
            case Field(name, _):
                # A stat cannot be called like them; the first of each name is the one meant.
                slot = vitals.pop(name, "statistiche")
                found[slot].append(block)
            case RegisterLine() | Note():
                found["registro"].append(block)
            case _:
                pass
    return found


def _of_header(slot: str, blocks: Sequence[Block], pen: Pen) -> str | Lines:
    if slot == "statistiche":
        return pen.lines(
            (pen.text(block.name), pen.text(block.value))
            for block in blocks
            if isinstance(block, Field)
        )
    if slot == "registro":
        return pen.lines(
            pen.text(block.text) if isinstance(block, RegisterLine) else pen.blocks([block])
            for block in blocks
        )
    for block in blocks:
        match block:
            case Title(text) | Field(_, text):
                return pen.text(text)
            case _:
                return pen.blocks([block])
    return ""


def _of_phase(part: str, phase: Part, pen: Pen) -> str | Lines:
    if part == "narrazione":
        return pen.blocks(phase.story)
    if part == "dadi":
        return _each(phase.dice, pen)
    if part == "esiti":
        return _each(phase.notes, pen)
    return pen.blocks((*phase.story, *phase.dice, *phase.notes))


def _each(blocks: Sequence[Block], pen: Pen) -> Lines:
    return pen.lines(pen.blocks([block]) for block in blocks)
