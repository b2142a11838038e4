"""What the Master decides about constraints, case by case (GC-8.12, GC-8.13, GC-14.21)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.engine.findings import Finding, Question
from app.rulesets.guida.binds import settle_forbidden, settle_malus
from app.rulesets.guida.combatants import (
    Bond,
    Combatant,
    Spared,
)
from app.rulesets.guida.readings import (
    Overlap,
)
from app.rulesets.guida.sheet import Liberation, Tool
from app.rulesets.guida.state import (
    Scene,
    ask,
    names_of,
)
from app.rulesets.guida.terms import Bind, Means
from app.rulesets.guida.underway import (
    Incoming,
)

BOND_CODES: Final = (
    "improper_constraint",
    "constraint_overlap",
    "bound_techniques",
    "bound_technique",
)
EVERY: Final = ""  # stands for every technique in what the Master spared


def ask_improper(scene: Scene, attack: Incoming) -> tuple[Scene, list[Finding]]:
    """Leave it to the Master whether an improper constraint suits its attack (GC-8.13)."""
    if not attack.binds:
        return scene, []
    names = {
        **names_of(scene, attack),
        "binds": ", ".join(attack.binds),
    }
    question = Question(
        id=f"q-{attack.id}-improper",
        rule="GC-8.13",
        code="improper_constraint",
        choices=("compatible", "incompatible"),
        about=attack.id,
        by=attack.attacker,
        blocks=(attack.target,),
        details=tuple(names.items()),
    )
    asked = Finding("GC-8.13", "asked_improper_constraint", names)
    return ask(scene, question), [asked]


def deny_improper(scene: Scene, attack: str) -> Scene:
    """Let an attack go on without the constraint the Master found unfit, nor what it cost."""
    return replace(
        scene,
        incoming=tuple(
            replace(one, binds=(), hit=one.hit.without("improper_constraint"))
            if one.id == attack
            else one
            for one in scene.incoming
        ),
    )


def ask_overlap(scene: Scene, before: Combatant, bond: Bond) -> tuple[Scene, list[Finding]]:
    """Ask how a further constraint adds to those there are, where it matters (GC-8.12, AMB-62).

    Until the Master answers, the reading of the options holds.
    """
    binds = [*_binds(before.bonds), *bond.binds]
    sums = {sum(term.value for term in settle_malus(binds, overlap)) for overlap in Overlap}
    open_already = any(
        asked.code == "constraint_overlap" and asked.by == before.id for asked in scene.questions
    )
    if not before.bonds or len(sums) == 1 or open_already:
        return scene, []
    names = {"bearer": before.sheet.name, "binds": ", ".join(binds)}
    question = Question(
        id=f"q-{bond.id}-overlap",
        rule="GC-8.12",
        code="constraint_overlap",
        choices=("subsume", "sum", "strongest"),
        about=before.id,
        by=before.id,
        details=tuple(names.items()),
    )
    asked = Finding("GC-8.12", "asked_constraint_overlap", names, "AMB-62")
    return ask(scene, question), [asked]


def rule_overlap(scene: Scene, id: str, choice: str) -> Scene:
    """Let the Master's word on how effects add up hold while the constraints last (AMB-62)."""
    return scene.put(replace(scene.who(id), overlap=Overlap(choice)))


def ask_techniques(scene: Scene, before: Combatant, bond: Bond) -> tuple[Scene, list[Finding]]:
    """Ask which techniques a combatant may use with a blocked part of the body (GC-14.21).

    What was ruled for lighter constraints does not hold for heavier ones.
    """
    blocked = settle_forbidden([*_binds(before.bonds), *bond.binds])
    had = settle_forbidden(_binds(before.bonds))
    if not techniques_of(before) or not blocked.exceeds(had):
        return scene, []
    scene = scene.put(replace(scene.who(before.id), spared=()))
    kept = tuple(
        asked
        for asked in scene.questions
        if not (asked.code in ("bound_techniques", "bound_technique") and asked.by == before.id)
    )
    names = {"bearer": before.sheet.name, "name": bond.name, "binds": ", ".join(bond.binds)}
    question = Question(
        id=f"q-{bond.id}-techniques",
        rule="GC-14.21",
        code="bound_techniques",
        choices=("none", "all", "each"),
        about=before.id,
        by=before.id,
        details=tuple(names.items()),
    )
    asked = Finding("GC-14.21", "asked_bound_techniques", names, "AMB-63")
    return ask(replace(scene, questions=kept), question), [asked]


def rule_techniques(scene: Scene, question: Question, choice: str) -> Scene:
    """Keep what the Master ruled about all techniques of a bound combatant, or about one."""
    bearer = scene.who(question.by)
    if choice == "each":
        asked = tuple(_one(question, bearer, tool) for tool in techniques_of(bearer))
        return replace(scene, questions=(*scene.questions, *asked))
    tool = question.about if question.code == "bound_technique" else EVERY
    ruled = Spared(tool=tool, allowed=choice in ("all", "allow"))
    return scene.put(replace(bearer, spared=(*bearer.spared, ruled)))


def rule_on_bonds(scene: Scene, question: Question, choice: str) -> Scene:
    """Carry out the Master's answer to a question about constraints."""
    match question.code, choice:
        case "improper_constraint", "incompatible":
            return deny_improper(scene, question.about)
        case "constraint_overlap", _:
            return rule_overlap(scene, question.by, choice)
        case (("bound_techniques" | "bound_technique"), _):
            return rule_techniques(scene, question, choice)
        case _:
            return scene


def is_spared(who: Combatant, tool: Tool) -> bool | None:
    """Give the Master's ruling about a technique while its user is bound; None without one."""
    for ruled in who.spared:
        if ruled.tool in (EVERY, tool.id):
            return ruled.allowed
    return None


def question_about(scene: Scene, id: str, tool: Tool) -> Question | None:
    """Find the open question on which a bound combatant's use of a technique depends."""
    for asked in scene.questions:
        whole = (asked.code, asked.by) == ("bound_techniques", id)
        if whole or (asked.code, asked.by, asked.about) == ("bound_technique", id, tool.id):
            return asked
    return None


def techniques_of(who: Combatant) -> tuple[Tool, ...]:
    """List the techniques that may need a blocked part: all but those made to break free."""
    return tuple(
        tool
        for tool in who.sheet.tools
        if tool.means is Means.TECHNIQUE
        and not any(isinstance(effect, Liberation) for effect in tool.effects)
    )


def _one(asked: Question, bearer: Combatant, tool: Tool) -> Question:
    return Question(
        id=f"{asked.id}-{tool.id}",
        rule="GC-14.21",
        code="bound_technique",
        choices=("allow", "deny"),
        about=tool.id,
        by=bearer.id,
        details=(("bearer", bearer.sheet.name), ("name", tool.name)),
    )


def _binds(bonds: Iterable[Bond]) -> list[Bind]:
    return [bind for bond in bonds for bind in bond.binds]
