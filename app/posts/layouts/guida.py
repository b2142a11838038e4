"""The Guida's post (GC-1): header and register, then each phase with story, dice and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from app.engine.dice import Address, Roll
from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block, Field, Heading, Note, RegisterLine, SheetLink, Title
from app.posts.layout import Dealt, Layout
from app.posts.phrases import say as say_in

RULESET: Final = "guida"
PHASES: Final = ("initial", "defensive", "offensive")

_HEADER: Final = frozenset({"vitals", "stat", "balance"})
_RULINGS: Final = frozenset({"line_proposed", "line_by_master"})  # about a line, not of a register


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


def deal(findings: Sequence[Finding]) -> Dealt:
    """Deal the findings of a turn out to its phases, each in the order in which it was found."""
    told = [finding for finding in findings if not is_header(finding)]
    # What was decided before findings had a phase is told where the post ends.
    return {
        phase: [finding for finding in told if (finding.phase or PHASES[-1]) == phase]
        for phase in PHASES
    }


def unused(
    findings: Sequence[Finding], asked: Sequence[Asked], rolls: Sequence[Roll]
) -> frozenset[Address]:
    """List the dice that fell for actions which were never carried out (GC-2.28)."""
    if not any(finding.phase for finding in findings):
        return frozenset()
    counted = {finding.die for finding in findings}
    fallen = {roll.address for roll in rolls}
    return frozenset(one.address for one in asked if one.address in fallen - counted)


LAYOUT: Final = Layout(
    phases=PHASES,
    is_header=is_header,
    header=header,
    deal=deal,
    unused=unused,
)
