"""A decision as a post: neutral blocks, from findings, dice and the player's own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block, Die, Heading, Note, Prose, Title
from app.posts.dialects import plain
from app.posts.digest import digest_line
from app.posts.label import write_die
from app.posts.layout import Layout
from app.posts.layouts import guida
from app.posts.phrases import SERVICE
from app.posts.phrases import say as say_in

LAYOUTS: Final = {guida.RULESET: guida.LAYOUT}
_STORY: Final = Layout(  # what a ruleset without a layout of its own gets
    phases=("",),
    is_header=lambda _: False,
    header=lambda _language, _findings: (),
    deal=lambda findings: {"": findings},
    unused=lambda _findings, _asked, _rolls: frozenset(),
)


class Told(Protocol):
    """The story of a post, by phase."""

    @property
    def initial(self) -> str:
        """What is told of the Initial Phase."""

    @property
    def defensive(self) -> str:
        """What is told of the Defensive Phase."""

    @property
    def offensive(self) -> str:
        """What is told of the Offensive Phase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PostSource:
    """Everything a post is written from.

    Without ``rolls`` no die has fallen: the post holds live tags for the forum to roll, unless
    ``provenance`` is ``service``, which keeps the dice to itself until the decision is made.
    ``proof`` says by what the decision can be checked: its line of the ledger and the head after
    it, with the ``roll`` and its ``seed`` where dice of the chain fell. ``turn`` is the short name
    of an entry, whose digest then ends the post; ``wording`` counts the versions of its story.
    """

    ruleset: str
    language: str
    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...]
    rolls: tuple[Roll, ...] | None
    narration: Told | None = None
    provenance: str = ""
    proof: Mapping[str, str | int] | None = None
    turn: str = ""
    wording: int = 1


def write_blocks(source: PostSource) -> tuple[Block, ...]:
    """Write a post as blocks, in the order in which they are read."""
    layout = LAYOUTS.get(source.ruleset, _STORY)
    say = partial(say_in, source.language, source.ruleset)
    blocks: list[Block] = list(layout.header(source.language, source.findings))
    is_turn = bool(blocks)
    if not is_turn:
        blocks.append(Title(say("post", "outside_the_turn")))
    dealt = layout.deal(source.findings)
    unused = layout.unused(source.findings, source.asked, source.rolls or ())
    for phase in layout.phases:
        part: list[Block] = [
            *_told(source, phase),
            *_dice(source, phase, unused),
            *_notes(source, dealt.get(phase, ())),
        ]
        if part and is_turn and phase:
            blocks.append(Heading(say("phases", phase)))
        blocks += part
    if source.rolls and source.provenance:
        blocks.append(Note(say("provenance", source.provenance), rule=""))
    if source.proof is not None:
        key = "proof_roll" if "roll" in source.proof else "proof_line"
        blocks.append(Note(say_in(source.language, SERVICE, "dice", key, source.proof), rule=""))
        for fact in ("without", "anchor"):
            if fact in source.proof:
                said = say_in(source.language, SERVICE, "dice", f"proof_{fact}", source.proof)
                blocks.append(Note(said, rule=""))
    if source.wording > 1:
        facts = {"wording": source.wording}
        blocks.append(Note(say_in(source.language, SERVICE, "digest", "corrected", facts), rule=""))
    if source.turn:
        text = plain.render(blocks, source.language)
        blocks.append(Note(digest_line(source.language, source.turn, text), rule=""))
    return tuple(blocks)


def _told(source: PostSource, phase: str) -> list[Prose]:
    text: str = getattr(source.narration, phase, "") if phase else ""
    return [Prose(text.strip())] if text.strip() else []


def _dice(source: PostSource, phase: str, unused: frozenset[Address]) -> list[Die | Note]:
    """Write the dice of a phase; one whose action never came to be stays on record, and says so."""
    live = source.rolls is None and source.provenance != "service"
    dice: list[Die | Note] = []
    for asked in source.asked:
        if not phase or asked.phase == phase:
            dice.append(write_die(source.language, source.ruleset, asked, source.rolls, live=live))
            if asked.address in unused:
                said = say_in(source.language, source.ruleset, "post", "die_unused")
                dice.append(Note(said, "GC-2.28"))
    return dice


def _notes(source: PostSource, findings: Sequence[Finding]) -> list[Note]:
    return [
        Note(
            say_in(source.language, source.ruleset, "findings", finding.key, finding.facts),
            finding.rule,
            finding.ruling,
        )
        for finding in findings
    ]
