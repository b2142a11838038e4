"""A decision as a post: neutral blocks, from findings, dice and the player's own words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Protocol

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block, Die, Heading, Note, Prose, Title
from app.posts.dialects import plain
from app.posts.digest import digest_line
from app.posts.inset import Misplaced, misplaced, set_in
from app.posts.label import write_die
from app.posts.layout import Layout, Tell
from app.posts.layouts import battle_dice, battle_names, combat_dice, guida, warrior_dice
from app.posts.phrases import SERVICE
from app.posts.phrases import say as say_in
from app.posts.template import Template

LAYOUTS: Final[dict[str, Layout]] = {
    guida.RULESET: guida.LAYOUT,
    warrior_dice.RULESET: warrior_dice.LAYOUT,
    combat_dice.RULESET: combat_dice.LAYOUT,
    battle_names.RULESET: battle_dice.LAYOUT,
}
WHOLE: Final = "offensive"  # where a post of one part has its story
_STORY: Final = Layout(  # what a ruleset without a layout of its own gets
    phases=("",),
    is_header=lambda _: False,
    header=lambda _language, _findings: (),
    deal=lambda findings: {"": findings},
    unused=lambda _findings, _asked, _rolls: frozenset(),
)


def layout_of(ruleset: str) -> Layout:
    """Give the layout of a game's posts; one without a layout of its own gets one part."""
    return LAYOUTS.get(ruleset, _STORY)


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
    ``numbered`` are the dice as the story counts them where it has places for them
    (``inset``), which may be more than those that are seen; without it all of the story is text.
    ``template`` is that of the board or of the character, for their own forum's format.
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
    numbered: tuple[Asked, ...] | None = None
    template: Template | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One phase of a post: its story, in which dice may stand, then its other dice and outcomes."""

    phase: str
    story: tuple[Block, ...]
    dice: tuple[Block, ...]
    notes: tuple[Block, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A post by its parts; the ``header`` is empty where it is no turn, ``notes`` end the post."""

    header: tuple[Block, ...]
    phases: tuple[Part, ...]
    notes: tuple[Note, ...]


def write_blocks(source: PostSource) -> tuple[Block, ...]:
    """Write a post as blocks, in the order in which they are read."""
    say = partial(say_in, source.language, source.ruleset)
    parts = write_parts(source)
    blocks = list(parts.header)
    if not blocks and layout_of(source.ruleset).tell is None:
        blocks.append(Title(say("post", "outside_the_turn")))
    for part in parts.phases:
        written = (*part.story, *part.dice, *part.notes)
        if written and parts.header and part.phase:
            blocks.append(Heading(say("phases", part.phase)))
        blocks += written
    blocks += parts.notes
    return (*blocks, *digested(source, plain.render(blocks, source.language)))


def digested(source: PostSource, text: str) -> tuple[Note, ...]:
    """Write the line by which the post of an entry can be known again, from its text so far."""
    if not source.turn:
        return ()
    apart = layout_of(source.ruleset).tell is None
    return (Note(digest_line(source.language, source.turn, text, apart=apart), rule=""),)


def write_parts(source: PostSource) -> Parts:
    """Write a post as blocks, its parts still apart."""
    layout = layout_of(source.ruleset)
    dealt = layout.deal(source.findings)
    unused = layout.unused(source.findings, source.asked, source.rolls or ())
    phases: list[Part] = []
    if layout.tell is not None:
        return Parts(
            header=(), phases=(_told(source, layout.tell),), notes=tuple(_about_dice(source))
        )
    for phase in layout.phases:
        dice = _dice(source, phase, unused)
        story, placed = _story(source, phase, dice)
        phases.append(
            Part(
                phase=phase,
                story=story,
                dice=tuple(one for at, some in dice.items() if at not in placed for one in some),
                notes=tuple(_notes(source, dealt.get(phase, ()))),
            )
        )
    return Parts(
        header=layout.header(source.language, source.findings),
        phases=tuple(phases),
        notes=tuple(_about_dice(source)),
    )


def misplaced_in(
    ruleset: str, narration: Told, asked: Sequence[Asked]
) -> Iterator[tuple[str, Misplaced]]:
    """List by phase the places in a story that get none of the dice which are asked for."""
    for phase in layout_of(ruleset).phases:
        text: str = getattr(narration, phase or WHOLE)
        for one in misplaced(text, sum(not phase or die.phase == phase for die in asked)):
            yield phase or WHOLE, one


def _told(source: PostSource, tell: Tell) -> Part:
    """Let a game tell its own dice; its story stands above them, with no die inside."""
    story: str = getattr(source.narration, WHOLE, "").strip()
    return Part(
        phase="",
        story=(Prose(story),) if story else (),
        dice=(),
        notes=tell(source.language, source.findings, source.asked, source.rolls),
    )


def _about_dice(source: PostSource) -> Iterator[Note]:
    say = partial(say_in, source.language, source.ruleset)
    if source.rolls and source.provenance:
        yield Note(say("provenance", source.provenance), rule="")
    if source.proof is not None:
        key = "proof_roll" if "roll" in source.proof else "proof_line"
        yield Note(say_in(source.language, SERVICE, "dice", key, source.proof), rule="")
        for fact in ("without", "anchor"):
            if fact in source.proof:
                said = say_in(source.language, SERVICE, "dice", f"proof_{fact}", source.proof)
                yield Note(said, rule="")
    if source.wording > 1:
        facts = {"wording": source.wording}
        yield Note(say_in(source.language, SERVICE, "digest", "corrected", facts), rule="")


def _story(
    source: PostSource, phase: str, dice: Mapping[Address, Sequence[Die | Note]]
) -> tuple[tuple[Block, ...], frozenset[Address]]:
    """Write the story of a phase; give the dice that stand in it, too."""
    text: str = getattr(source.narration, phase or WHOLE, "")
    text = text.strip()
    if not text or source.numbered is None:
        return ((Prose(text),) if text else ()), frozenset()
    numbered = [one.address for one in source.numbered if not phase or one.phase == phase]
    pieces, placed = set_in(text, [dice.get(address) for address in numbered])
    blocks: list[Block] = []
    for piece in pieces:
        if isinstance(piece, str):
            blocks.append(Prose(piece))
        else:
            blocks += [replace(one, inside=True) if isinstance(one, Die) else one for one in piece]
    return tuple(blocks), frozenset(numbered[index] for index in placed)


def _dice(
    source: PostSource, phase: str, unused: frozenset[Address]
) -> dict[Address, list[Die | Note]]:
    """Write the dice of a phase; one whose action never came to be stays on record, and says so."""
    live = source.rolls is None and source.provenance != "service"
    dice: dict[Address, list[Die | Note]] = {}
    for asked in source.asked:
        if not phase or asked.phase == phase:
            die = write_die(source.language, source.ruleset, asked, source.rolls, live=live)
            dice[asked.address] = [die]
            if asked.address in unused:
                said = say_in(source.language, source.ruleset, "post", "die_unused")
                dice[asked.address].append(Note(said, "GC-2.28"))
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
