"""Bersagli Multipli (GC-13.1 to 13.9): one attack on several targets, and what that costs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from app.engine.findings import Facts, Finding, Question, Violation
from app.engine.tally import Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.moves import distance_after
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.power import Power
from app.rulesets.guida.readings import (
    VolleyLoss,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
    ask,
    names_of,
)
from app.rulesets.guida.tables import SEVERAL_TARGETS
from app.rulesets.guida.terms import AttackKind
from app.rulesets.guida.underway import (
    Incoming,
)

PLACES = "bcdefghijkl"  # what tells the attacks of one volley apart, the first of them apart


def most_targets(tool: Tool) -> int | None:
    """Give how many targets one attack may have; None where only the place decides (GC-13.7).

    A volley has a shot for each of its targets, unless the technique says how many (AMB-102).
    """
    if tool.attack_kind is not AttackKind.MULTIPLE:
        return None
    return tool.max_targets if tool.max_targets is not None else tool.volley_size


def check_targets(
    scene: Scene,
    who: Combatant,
    tool: Tool,
    targets: tuple[str, ...],
    move: Move | None,
    field: str,
) -> Iterator[Violation]:
    """List what is wrong with the further targets of an attack, the first of ``targets`` apart."""
    opponents = {one.id for one in scene.opponents(who.id)}
    known = [targets[0]]
    for index, id in enumerate(targets[1:]):
        at = f"{field}.{index}"
        if id not in opponents:
            yield Violation("GC-13.1", "target_not_opponent", at, {"id": id})
        elif id in known:
            yield Violation("GC-13.1", "target_repeated", at, {"id": id})
        else:
            known.append(id)
    most = most_targets(tool)
    if most is not None and len(targets) > most:
        facts: Facts = {"tool": tool.name, "targets": len(targets), "most": most}
        yield Violation("GC-13.7", "too_many_targets", field, facts)
    if len(known) > 1:
        yield from _out_of_range(scene, who, tool, known, move, field)
        yield from _apart(scene, tool, known, field)


def several_targets(kind: AttackKind, count: int) -> Term | None:
    """Give what a blow aimed at several targets at once loses in its score (GC-13.4)."""
    if count < 2 or kind is not AttackKind.TARGETED:
        return None
    return Term("GC-13.4", "several_targets", Fraction(SEVERAL_TARGETS))


def spread(options: Options, kind: AttackKind, power: Power, place: int, count: int) -> Power:
    """Give the power a volley has left for one of its targets, counted from 0 (GC-13.8).

    All lose a point for each target beyond the first, or each for those before it (AMB-103).
    """
    progressive = options.volley_power_reduction is VolleyLoss.PROGRESSIVE
    lost = place if progressive else count - 1
    if kind is not AttackKind.MULTIPLE or not lost:
        return power
    return replace(power, tally=power.tally.plus(Term("GC-13.8", "volley_spread", Fraction(-lost))))


def volley_of(scene: Scene, attack: Incoming) -> tuple[Incoming, ...]:
    """List the attacks still on their way that were launched as one with this one, it included."""
    if attack.volley is None:
        return (attack,)
    return tuple(one for one in scene.incoming if one.volley == attack.volley)


def ask_targets(scene: Scene, volley: tuple[Incoming, ...]) -> tuple[Scene, list[Finding]]:
    """Ask the Master whether one action can reach the further targets (GC-13.2, GC-13.5)."""
    first = volley[0]
    kind = first.tool.attack_kind
    if len(volley) < 2 or kind not in (AttackKind.TARGETED, AttackKind.AREA):
        return scene, []
    if kind is AttackKind.AREA and _is_inside(scene, first.tool, [one.target for one in volley]):
        return scene, []
    rule = "GC-13.2" if kind is AttackKind.TARGETED else "GC-13.5"
    findings: list[Finding] = []
    for further in volley[1:]:
        names = {
            **names_of(scene, first),
            "other": scene.who(further.target).sheet.name,
        }
        question = Question(
            id=f"q-{further.id}-reach",
            rule=rule,
            code="target_in_reach",
            choices=("confirm", "deny"),
            about=further.id,
            by=first.attacker,
            blocks=tuple(one.target for one in volley),
            details=tuple(names.items()),
        )
        scene = ask(scene, question)
        findings.append(Finding(rule, "asked_target_in_reach", names))
    return scene, findings


def leave_out(scene: Scene, id: str) -> Scene:
    """Take a target out of a volley; a blow with one target left is as good as any (GC-13.4)."""
    out = next((one for one in scene.incoming if one.id == id), None)
    if out is None:
        return scene
    rest = tuple(one for one in volley_of(scene, out) if one.id != id)
    incoming = tuple(one for one in scene.incoming if one.id != id)
    if len(rest) == 1:
        (alone,) = rest
        freed = replace(alone, volley=None, hit=alone.hit.without("several_targets"))
        incoming = tuple(freed if one.id == alone.id else one for one in incoming)
    # What the others wait for is about them; what was asked about this one is settled.
    questions = tuple(asked for asked in scene.questions if asked.about != id)
    return replace(scene, incoming=incoming, questions=questions)


def _out_of_range(
    scene: Scene, who: Combatant, tool: Tool, targets: list[str], move: Move | None, field: str
) -> Iterator[Violation]:
    """Keep whoever a wave or a volley is to reach within its range (GC-13.6, GC-13.7)."""
    rule = {AttackKind.TOTAL_AREA: "GC-13.6", AttackKind.MULTIPLE: "GC-13.7"}.get(tool.attack_kind)
    if rule is None or tool.max_m is None:
        return
    for id in targets:
        metres = distance_after(scene, who.id, id, move)
        if metres > tool.max_m:
            facts: Facts = {
                "tool": tool.name,
                "target": scene.who(id).sheet.name,
                "metres": metres,
                "max_m": tool.max_m,
            }
            yield Violation(rule, "target_out_of_range", field, facts)


def _apart(scene: Scene, tool: Tool, targets: list[str], field: str) -> Iterator[Violation]:
    """Refuse targets that no area of this radius holds together (GC-13.5)."""
    if tool.attack_kind is not AttackKind.AREA or tool.area_m is None:
        return
    for one, other in combinations(targets, 2):
        metres = scene.metres(one, other)
        if metres > 2 * tool.area_m:
            facts: Facts = {
                "tool": tool.name,
                "target": scene.who(one).sheet.name,
                "other": scene.who(other).sheet.name,
                "metres": metres,
                "area_m": tool.area_m,
            }
            yield Violation("GC-13.5", "targets_apart", field, facts)


def _is_inside(scene: Scene, tool: Tool, targets: list[str]) -> bool:
    """Say whether an area around one of the targets holds them all: then there is no doubt."""
    radius = tool.area_m
    return radius is not None and any(
        all(scene.metres(centre, other) <= radius for other in targets if other != centre)
        for centre in targets
    )
