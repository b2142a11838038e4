"""The post of Warrior Dice: a duel told turn by turn, each chain die by die."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from app.engine.dice import Roll
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.posts.blocks import Block, Heading, Line, Note, Piece, Style
from app.posts.layout import Layout, told_by
from app.posts.phrases import say as say_in

RULESET: Final = "warrior_dice"
ARROW: Final = " > "
LINKS: Final = ("all_out", "all_out_impossible", "all_out_once", "all_out_misses")
RESULTS: Final = {"attack_result": "attack", "defence_result": "defence"}
ENDS: Final = (
    *("defeated", "yielded", "resigned", "broken_off", "turn_cap_reached", "draw_agreed"),
    "nobody_won",
)


@dataclass(slots=True)
class Told:
    """A post while it is written: its blocks, and the chain whose end has not been told yet.

    ``mid`` says that what comes next goes on from an earlier post.
    """

    language: str
    blocks: list[Block] = field(default_factory=list)
    chain: list[Piece] = field(default_factory=list)
    mid: bool = False
    decided: bool = False

    def say(self, key: str, **facts: Any) -> str:
        """Say a phrase of the post."""
        if "face" in facts:
            facts["face"] = int(facts["face"]) % 10  # WD-2: the tenth is printed 0
        return say_in(self.language, RULESET, "post", key, facts)

    def link(self, text: str, style: Style = Style.PLAIN) -> None:
        """Add a die to the chain."""
        if not self.chain and self.mid:
            self.chain.append(Piece("…"))
        if self.chain:
            self.chain.append(Piece(ARROW))
        self.chain.append(Piece(text, style))

    def line(self, head: str, pieces: Sequence[Piece], rule: str) -> None:
        """Write a line below the head of its phase."""
        self.blocks.append(
            Line((Piece(self.say(head), Style.BOLD), Piece(": "), *pieces), rule=rule)
        )

    def close(self, phase: str, rule: str, *last: Piece) -> None:
        """Write the chain of a phase."""
        if self.chain or last:
            self.line(phase, (*self.chain, *last), rule)
        self.chain, self.mid = [], False


def tell(
    language: str,
    findings: Sequence[Finding],
    asked: Sequence[Asked],
    rolls: Sequence[Roll] | None,
) -> tuple[Block, ...]:
    """Write everything that was found in its order, and at the end the dice by their places."""
    told = Told(language)
    for finding in findings:
        _tell(told, finding)
    if told.decided:
        told.blocks.append(Note(told.say("standing"), "WD-A9"))
    if rolls:
        dice = ", ".join(
            f"{one.address.place}.{one.address.index}={one.face}"
            for one in sorted(rolls, key=lambda one: one.address)
        )
        told.blocks.append(Note(told.say("dice", dice=dice), ""))
    elif asked and not findings:
        told.blocks.append(Note(told.say("pending"), ""))
    return tuple(told.blocks)


def _tell(told: Told, finding: Finding) -> None:
    key, facts = finding.key, finding.facts
    match key:
        case "turn_begins":
            told.mid = False
            told.blocks.append(Heading(told.say("turn", **facts)))
        case "answered":
            told.mid = True
            told.blocks.append(Heading(told.say("goes_on", turn=facts["turn"])))
            _note(told, finding)
        case "adder":
            told.link(told.say("adder", **facts))
        case "doubler":
            told.decided = told.decided or not told.mid
            told.link(told.say("doubler", **facts))
            dropped = told.say("drops", face=facts["dropped_face"], shown=facts["dropped"])
            told.chain += [Piece(": "), Piece(dropped, Style.STRUCK)]
        case "face_is_blank":
            told.link(told.say("blank", face=facts["face"]))
        case "chain_cut":
            told.link(told.say("cut", dice=facts["dice"]))
        case "attack_result" | "defence_result":
            _result(told, finding, RESULTS[key])
        case "waits":
            _waits(told, finding)
        case "damage":
            _damage(told, finding)
        case "turn_over":
            told.blocks.append(Line(tuple(_hits(told, facts)), finding.rule))
        case "value_set":
            text = say_in(told.language, RULESET, "findings", key, facts)
            told.line("set_value", (Piece(text),), finding.rule)
        case _ if key in LINKS:
            told.link(told.say(key, face=facts["face"], option=facts["option"]))
        case _ if key in ENDS:
            text = say_in(told.language, RULESET, "findings", key, facts)
            told.blocks.append(Line((Piece(text, Style.BOLD),), finding.rule, finding.ruling))
        case _:
            _note(told, finding)


def _note(told: Told, finding: Finding) -> None:
    text = say_in(told.language, RULESET, "findings", finding.key, finding.facts)
    told.blocks.append(Note(text, finding.rule, finding.ruling))


def _result(told: Told, finding: Finding, phase: str) -> None:
    """End a chain: its last die in bold, and what it is worth."""
    facts = finding.facts
    special, side = str(facts["special"]), str(facts["side"])
    if special == "all_out_blocked" or not facts["option"]:  # its die is told already
        nothing = "lost" if phase == "attack" else "stops_nothing"
        told.close(phase, finding.rule, *_after(told, nothing))
        return
    if special:
        named = told.say("result", face=facts["face"], option=facts["option"])
        meant = say_in(told.language, RULESET, "words", special)
        told.link(f"{named}, {meant}", Style.BOLD)
        helps = special == "regain" or (phase == "attack" and special != "all_out_idle")
        told.close(phase, finding.rule, *(() if helps or side == phase else _after(told, "idle")))
        return
    told.link(_force(told, facts), Style.BOLD)
    if side == phase:
        told.close(phase, finding.rule)
    elif phase == "attack":
        told.close(phase, finding.rule, *_after(told, "ends"))
    else:
        told.close(phase, finding.rule, *_after(told, "stops_nothing"))


def _after(told: Told, key: str) -> tuple[Piece, ...]:
    return (Piece(f" ({told.say(key)})"),)


def _force(told: Told, facts: Facts) -> str:
    """Write the last die with its own Force, what the battlefield does to it, and the total."""
    force = facts["force"]
    assert isinstance(force, Tally)
    printed = int(force.terms[0].value)
    text = told.say("force", face=facts["face"], option=facts["option"], printed=printed)
    for term in force.terms:
        if term.key == "battlefield":
            text += f" ({told.say('ground', amount=term.value)})"
    return text if len(force.terms) == 1 else f"{text} = {facts['total']}"


def _waits(told: Told, finding: Finding) -> None:
    """End a post in mid-turn: the dice that are to be chosen among, and the question."""
    facts = finding.facts
    if facts["code"] == "doubler":
        told.link(told.say("doubler", face=facts["face"]))
        shown = [
            told.say("drops", face=facts[f"{one}_face"], shown=facts[one])
            for one in ("first", "second")
        ]
        told.chain.append(Piece(f": {' / '.join(shown)}"))
    elif facts["code"] == "face_option":
        told.link(told.say("drops", face=facts["face"], shown=facts["options"]))
    if told.chain:
        told.blocks.append(Line(tuple(told.chain), finding.rule))
        told.chain = []
    _note(told, finding)


def _damage(told: Told, finding: Finding) -> None:
    facts = finding.facts
    working = facts["working"]
    assert isinstance(working, Tally)
    attack, *rest = (int(term.value) for term in working.terms)
    about = {"damage": facts["damage"], "name": facts["name"]}
    if rest:
        text = told.say("working", attack=attack, stopped=-rest[0], **about)
    else:
        text = told.say("unstopped", **about)
    told.line("damage", (Piece(text, Style.BOLD),), finding.rule)


def _hits(told: Told, facts: Facts) -> Iterator[Piece]:
    """Write how a turn leaves both."""
    for place, who in enumerate(("attacker", "defender")):
        if place:
            yield Piece(" | ")
        yield Piece(
            told.say(
                "hits", name=facts[who], hits=facts[f"{who}_hits"], start=facts[f"{who}_start"]
            )
        )
        if left := facts[f"{who}_skip"]:
            yield Piece(f" ({told.say('misses', left=left)})")


LAYOUT: Final[Layout] = told_by(tell)
