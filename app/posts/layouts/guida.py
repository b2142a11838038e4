"""The Guida's post (GC-1): header and register, then each phase with story, dice and outcome."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from app.engine.findings import Finding
from app.engine.ruleset import Asked
from app.posts.blocks import Block, Field, Heading, Note, RegisterLine, SheetLink, Title
from app.posts.layout import Dealt, Layout
from app.posts.layouts.guida_dice import launching, unused
from app.posts.phrases import say as say_in

RULESET: Final = "guida"

_HEADER: Final = frozenset({"vitals", "stat", "balance"})
_RULINGS: Final = frozenset({"line_proposed", "line_by_master"})  # about a line, not of a register
_OPENING: Final = frozenset({"asked_defeat", "figures_differ", "upkeep_unpaid"})
_CHOSEN: Final = frozenset({"suspended_confirmed", "suspended_annulled"})
# What an action that takes effect, or a counterattack that is suffered, may bring about.
_BROUGHT: Final = frozenset(
    {
        *("energy_spent", "moved", "effect_begins", "healed"),
        *("damage_due", "armour_down", "additional_due", "additional_without_stacks"),
        *("stacks_applied", "stacks_prevented", "stacks_need_damage"),
    }
)
_LAUNCHED: Final = frozenset(
    {
        *("attack_launched", "label_superseded", "offensive_annulled", "offensive_lost"),
        *("counter_ends", "no_main_action", "prepared", "generic_launched"),
    }
)
_ENDING: Final = frozenset({"stacks_end", "effect_ends", "regenerated"})


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
    poster = next((one.facts["bearer"] for one in findings if one.key == "vitals"), None)
    told = [finding for finding in findings if not is_header(finding)]
    launch = _launch(told, asked)
    opening = _opening(told[:launch], poster)
    if launch is None:
        launch = max(opening, _ending(told))
    return {
        "initial": told[:opening],
        "defensive": told[opening:launch],
        "offensive": told[launch:],
    }


def _opening(findings: Sequence[Finding], poster: object) -> int:
    """Count the findings of the Initial Phase: what was asked, could not be paid, or is posted.

    So are one's own generic actions that take effect now, and what is chosen for suspended ones,
    with all that it brings about (GC-4.80).
    """
    unpaid: set[object] = set()
    brought = False
    for index, finding in enumerate(findings):
        if finding.key == "upkeep_unpaid":
            unpaid.add(finding.facts["name"])
        own = finding.key == "generic_carried_out" and finding.facts["bearer"] == poster
        if own or finding.key in _CHOSEN:
            brought = True
        elif finding.key in _OPENING or finding.key.startswith("posted_"):
            brought = False
        elif finding.key == "effect_ends" and finding.facts["name"] in unpaid:
            continue
        elif not (brought and finding.key in _BROUGHT):
            return index
    return len(findings)


def _launch(findings: Sequence[Finding], asked: Sequence[Asked]) -> int | None:
    """Find where the Offensive Phase begins: with what the attack costs and sets off beforehand."""
    at = next((i for i, finding in enumerate(findings) if _launches(finding)), None)
    if at is None or findings[at].key != "attack_launched":  # nothing is found before the others
        return at
    die = launching(findings[at], asked)
    taken: set[object] = set()
    while die is not None and at > 0 and _precedes(findings[at - 1], die, taken):
        at -= 1
    return at


def _launches(finding: Finding) -> bool:
    """Say whether this is told of the Offensive Phase; labels change in the other one too."""
    return finding.key in _LAUNCHED and finding.facts.get("phase") != "defensive"


def _precedes(finding: Finding, die: Asked, taken: set[object]) -> bool:
    """Say whether the attack of this die brought this about: each cost and effect comes once.

    A counterattack's costs, and what goes with it, belong to its defensive half.
    """
    goes_on = die.address.index > 0
    facts = finding.facts
    match finding.key:
        case "moved":
            return finding.rule == "GC-4.16"  # a defence moves by GC-4.10
        case "energy_spent":
            which: object = facts["name"]
        case "effect_begins":
            which = (facts["name"], facts["effect"], facts["on"])
        case _:
            return False
    if which in taken or (goes_on and finding.key == "energy_spent"):
        return False
    taken.add(which)
    return facts["bearer"] == die.actor and facts["name"] in die.items[: 1 if goes_on else None]


def _ending(findings: Sequence[Finding]) -> int:
    """Give the index from which on only the end of the turn is told."""
    index = len(findings)
    while index > 0 and findings[index - 1].key in _ENDING:
        index -= 1
    return index


LAYOUT: Final = Layout(
    phases=("initial", "defensive", "offensive"),
    is_header=is_header,
    header=header,
    deal=deal,
    unused=unused,
)
