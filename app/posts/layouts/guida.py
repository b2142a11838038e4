"""The Guida's post (GC-1): header and register, then each phase with story, dice and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block, Field, Heading, Note, RegisterLine, SheetLink, Title
from app.posts.layout import Dealt, Layout
from app.posts.phrases import say as say_in

RULESET: Final = "guida"

_HEADER: Final = frozenset({"vitals", "stat", "balance"})
_RULINGS: Final = frozenset({"line_proposed", "line_by_master"})  # about a line, not of a register
_OPENING: Final = frozenset({"asked_defeat", "figures_differ", "upkeep_unpaid"})
_LAUNCHED: Final = frozenset(
    {"attack_launched", "label_superseded", "offensive_annulled", "offensive_lost"}
)
_ENDING: Final = frozenset({"stacks_end", "effect_ends"})


def is_header(finding: Finding) -> bool:
    """Say whether a finding belongs to the header, above the story."""
    is_line = finding.key.startswith("line_") and finding.key not in _RULINGS
    return is_line or finding.key in _HEADER


def header(language: str, findings: Sequence[Finding]) -> tuple[Block, ...]:
    """Write link, vitals, stats and register (GC-1.1 to GC-1.4); nothing for what is no turn."""
    if not any(finding.key == "vitals" for finding in findings):
        return ()
    say = partial(say_in, language, RULESET)
    vitals: list[Block] = []
    register: list[Block] = []
    for finding in findings:
        facts = finding.facts
        if finding.key == "vitals":
            vitals.append(Title(str(facts["bearer"])))
            if facts["link"]:
                vitals.append(SheetLink(say("post", "sheet_link"), str(facts["link"])))
            vitals += [
                Field(say("post", vital), say("post", f"{vital}_value", facts))
                for vital in ("hp", "ep")
            ]
        elif finding.key == "stat":
            name = say("words", str(facts["stat"]))
            name = name[:1].upper() + name[1:]
            vitals.append(Field(name, say("post", "stat_value", facts)))
        elif finding.key == "balance":
            register.append(Note(say("findings", "balance", facts), finding.rule, finding.ruling))
        elif is_header(finding):
            register.append(RegisterLine(say("findings", finding.key, facts)))
    if not any(isinstance(block, RegisterLine) for block in register):
        register.insert(0, RegisterLine(say("post", "nothing_changed")))
    return (*vitals, Heading(say("post", "register")), *register)


def deal(findings: Sequence[Finding], asked: Sequence[Asked]) -> Dealt:
    """Deal the findings of a turn out to its phases, each in the order in which it was found."""
    opening = _opening(findings)
    launch = max(opening, _launch(findings, asked))
    return {
        "initial": findings[:opening],
        "defensive": findings[opening:launch],
        "offensive": findings[launch:],
    }


def _opening(findings: Sequence[Finding]) -> int:
    """Count the findings of the Initial Phase: what was asked, could not be paid, or is posted."""
    unpaid: set[object] = set()
    for index, finding in enumerate(findings):
        if finding.key == "upkeep_unpaid":
            unpaid.add(finding.facts["name"])
        if finding.key in _OPENING or finding.key.startswith("posted_"):
            continue
        if finding.key != "effect_ends" or finding.facts["name"] not in unpaid:
            return index
    return len(findings)


def _launch(findings: Sequence[Finding], asked: Sequence[Asked]) -> int:
    """Find where the Offensive Phase begins: with what the attack costs and sets off beforehand."""
    at = next((i for i, finding in enumerate(findings) if finding.key in _LAUNCHED), None)
    if at is None:
        return _ending(findings)
    if findings[at].key != "attack_launched":  # nothing of the phase is found before these
        return at
    items = {item for die in asked if die.phase == "offensive" for item in die.items}
    taken: set[object] = set()
    while at > 0 and _precedes(findings[at - 1], items, taken):
        at -= 1
    return at


def _precedes(finding: Finding, items: set[str], taken: set[object]) -> bool:
    """Say whether an attack with these items brought this about; each effect begins only once."""
    facts = finding.facts
    match finding.key:
        case "moved":
            return finding.rule == "GC-4.16"  # a defence moves by GC-4.10
        case "energy_spent":
            return facts["name"] in items
        case "effect_begins":
            effect = (facts["name"], facts["effect"], facts["on"])
            if effect in taken:
                return False
            taken.add(effect)
            return facts["name"] in items
        case _:
            return False


def _ending(findings: Sequence[Finding]) -> int:
    """Give the index from which on only the end of the turn is told."""
    index = len(findings)
    while index > 0 and findings[index - 1].key in _ENDING:
        index -= 1
    return index


LAYOUT: Final = Layout(
    phases=("initial", "defensive", "offensive"), is_header=is_header, header=header, deal=deal
)
