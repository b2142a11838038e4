"""Saturazione e Distruzione (GC-12.7 to 12.14): what areas lose, what ends them, what they do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding, Question
from app.rulesets.guida.areas import (
    area_of,
    areas_around,
    is_inside,
    poison_stacks,
    power_of,
    radius_of,
    remove_area,
)
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.conditions import apply_stacks
from app.rulesets.guida.decay import settle_decay
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    AreaTick,
    Coverage,
    SaturationRemoval,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
    add_line,
    ask,
)
from app.rulesets.guida.tables import (
    SATURATION_BY_CATEGORY,
    SATURATION_BY_KIND,
    SATURATION_BY_VOLLEY,
    SATURATION_DECAY,
)
from app.rulesets.guida.terms import AttackKind, Category, Change, Curtain, Stack
from app.rulesets.guida.underway import (
    ControlArea,
)

HALF: Final = Fraction(1, 2)  # GC-12.14


def decay_own(scene: Scene, creator: str) -> tuple[Scene, list[Finding]]:
    """Let a creator's areas lose saturation in its Initial Phase (GC-12.8, AMB-91).

    Not for the turn gone by if the area was created or fed in it.
    """
    if scene.options.area_tick is not AreaTick.CREATOR_INITIAL_PHASE:
        return scene, []
    findings: list[Finding] = []
    turn = scene.who(creator).turn
    for area in scene.areas:
        if area.creator == creator and area.fed < turn - 1:
            scene, found = _decay(scene, area, turn)
            findings += found
    return scene, findings


def decay_all(scene: Scene) -> tuple[Scene, list[Finding]]:
    """Let areas lose saturation at the end of a round, where the options say so (AMB-91).

    So do those whose creator is out of the fight, and has no Initial Phase any more.
    """
    findings: list[Finding] = []
    by_round = scene.options.area_tick is AreaTick.ROUND_END
    for area in scene.areas:
        creator = scene.who(area.creator)
        fresh = by_round and area.fed >= creator.turn
        if not creator.active or (by_round and not fresh):
            scene, found = _decay(scene, area, creator.turn)
            findings += found
    return scene, findings


def _decay(scene: Scene, area: ControlArea, turn: int) -> tuple[Scene, list[Finding]]:
    if area.saturation is None:  # AMB-90
        return scene, []
    worn = settle_decay(scene.options, SATURATION_DECAY, area.saturation, slow=area.slow, turn=turn)
    scene = _put(scene, replace(area, slow=worn.slow))
    return _lose(scene, area.id, worn.loss, "GC-12.8", "area_decays", "AMB-91")


def removal_of(options: Options, category: Category, kind: AttackKind, volley: int) -> int:
    """Give the saturation that an attack takes from the area it goes on in (GC-12.9, AMB-92)."""
    spread = SATURATION_BY_KIND[kind]
    if kind is AttackKind.MULTIPLE:
        spread = SATURATION_BY_VOLLEY.at(volley)
    strength = SATURATION_BY_CATEGORY[category]
    if options.saturation_removal_stacking is SaturationRemoval.HIGHEST:
        return max(strength, spread)
    return strength + spread


def wear(
    scene: Scene, attacker: str, targets: Iterable[str], tool: Tool, category: Category
) -> tuple[Scene, list[Finding]]:
    """Let an attack take saturation as it is launched: it need not land (GC-12.9, AMB-92).

    One launched by somebody inside, or against somebody inside, counts as inside (GC-14.33).
    """
    lost = removal_of(scene.options, category, tool.attack_kind, tool.volley_size)
    concerned = (attacker, *targets)
    findings: list[Finding] = []
    for area in scene.areas:
        if any(is_inside(scene, area, who) for who in concerned):
            scene, found = _lose(scene, area.id, lost, "GC-12.9", "area_worn", "AMB-92")
            findings += found
    return scene, findings


def _lose(
    scene: Scene, id: str, lost: int, rule: str, key: str, ruling: str
) -> tuple[Scene, list[Finding]]:
    """Take saturation from an area; at 0 it disappears (GC-12.7)."""
    area = area_of(scene, id)
    if area is None or area.saturation is None or lost <= 0:
        return scene, []
    left = max(0, area.saturation - lost)
    worn = replace(area, saturation=left)
    facts: Facts = {
        "name": area.name,
        "amount": area.saturation - left,
        "saturation": left,
        "radius": radius_of(worn),
    }
    findings = [Finding(rule, key, facts, ruling)]
    if left:
        return _put(scene, worn), findings
    gone = Finding("GC-12.7", "area_dispersed", {"name": area.name})
    return remove_area(scene, id), [*findings, gone]


def poison(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Poison whoever is in a poison curtain, in its own Initial Phase (GC-12.23, AMB-99)."""
    findings: list[Finding] = []
    for area in areas_around(scene, id):
        count = poison_stacks(area.saturation or 0)
        if area.curtain is not Curtain.POISON or not count:
            continue
        bearer = scene.who(id)
        scene = scene.put(apply_stacks(scene.options, bearer, Stack.POISON, count))
        line = Line(
            id=0,
            change=Change.STACKS,
            amount=count,
            rule="GC-12.23",
            key="curtain",
            name=area.name,
            stack=Stack.POISON,
        )
        scene = add_line(scene, id, line)
        facts: Facts = {"bearer": bearer.sheet.name, "name": area.name, "amount": count}
        findings.append(Finding("GC-12.23", "curtain_poisons", facts, "AMB-99"))
    return scene, findings


def settle_destruction(
    options: Options, area: ControlArea, *, coverage: Fraction, power: Fraction
) -> bool:
    """Say whether a technique destroys an area: half of it covered, and more power (GC-12.14)."""
    return coverage >= HALF and power > power_of(options, area)


def coverage_of(options: Options, area: ControlArea, radius_m: int | None) -> Fraction | None:
    """Give how much of an area an attack around its centre covers; None if the Master says it.

    Measured by the surface or by the radius, where the options say so (AMB-95).
    """
    if options.area_coverage_measure is Coverage.INPUT or radius_m is None:
        return None
    ratio = Fraction(radius_m, radius_of(area))
    surface = options.area_coverage_measure is Coverage.SURFACE
    return min(Fraction(1), ratio * ratio if surface else ratio)


def destroy(
    scene: Scene, attacker: str, tool: Tool, power: Fraction, id: str
) -> tuple[Scene, list[Finding]]:
    """Meet a formed area with a technique, before saturation is taken from it (GC-14.33)."""
    area = area_of(scene, id)
    names: Facts = {"bearer": scene.who(attacker).sheet.name, "tool": tool.name}
    if area is None:
        return scene, [Finding("GC-12.14", "area_gone_before", names)]
    strength = power_of(scene.options, area)
    facts: Facts = {**names, "name": area.name, "power": power, "area_power": strength}
    if power <= strength:
        return scene, [Finding("GC-12.14", "area_resists", facts, "AMB-94")]
    coverage = coverage_of(scene.options, area, tool.area_m)
    if coverage is None:
        return _ask_coverage(scene, attacker, tool, area, facts)
    measured: Facts = {**facts, "coverage": coverage}
    if not settle_destruction(scene.options, area, coverage=coverage, power=power):
        return scene, [Finding("GC-12.14", "area_not_covered", measured, "AMB-95")]
    return remove_area(scene, id), [Finding("GC-12.14", "area_destroyed", measured, "AMB-95")]


def _ask_coverage(
    scene: Scene, attacker: str, tool: Tool, area: ControlArea, facts: Facts
) -> tuple[Scene, list[Finding]]:
    question = Question(
        id=f"q-{area.id}-a{scene.posts}",
        rule="GC-12.14",
        code="area_coverage",
        choices=("half", "less"),
        about=area.id,
        by=attacker,
        # The area is there or not for whoever is in it, and for whom its smoke hides.
        blocks=tuple(one.id for one in scene.combatants if one.active),
        details=(
            ("bearer", scene.who(attacker).sheet.name),
            ("tool", tool.name),
            ("name", area.name),
            ("radius", str(radius_of(area))),
        ),
    )
    scene = ask(scene, question)
    return scene, [Finding("GC-12.14", "asked_area_coverage", facts, "AMB-95")]


def _put(scene: Scene, changed: ControlArea) -> Scene:
    areas = tuple(changed if area.id == changed.id else area for area in scene.areas)
    return replace(scene, areas=areas)
