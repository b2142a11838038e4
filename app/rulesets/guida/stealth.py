"""Percezione e Mimetizzazione (GC-9): looking for the hidden, being hard to find, being masked.

Each is a secondary action with a die of its own; a passive one acts by itself (GC-9.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
    Concealed,
)
from app.rulesets.guida.defence import count_use
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.power import (
    check_potential_bonus,
    check_stat_bonus,
    potential_bonus,
    stat_bonus,
)
from app.rulesets.guida.readings import (
    CamouflageRoll,
)
from app.rulesets.guida.register import pay
from app.rulesets.guida.senses import is_hidden, reveal
from app.rulesets.guida.sheet import Camouflage, Masking, Perception, Tool, Upkeep
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ACTION_DIE, CONCENTRATION
from app.rulesets.guida.terms import Action, Phase
from app.rulesets.guida.underway import (
    Concentration,
)

PERCEPTION_PLACE: Final = 71
CAMOUFLAGE_PLACE: Final = 72
MASKING_PLACE: Final = 73
EFFECT_OF: Final[dict[Action, type[Perception] | type[Camouflage] | type[Masking]]] = {
    Action.PERCEPTION: Perception,
    Action.CAMOUFLAGE: Camouflage,
    Action.MASKING: Masking,
}
PLACE_OF: Final = {
    Action.PERCEPTION: PERCEPTION_PLACE,
    Action.CAMOUFLAGE: CAMOUFLAGE_PLACE,
    Action.MASKING: MASKING_PLACE,
}


@dataclass(frozen=True, slots=True)
class Used:
    """A perception, camouflage or masking of this turn; ``passive`` if nobody declared it."""

    action: Action
    tool: Tool
    passive: bool


def declared(turn: Turn) -> Iterator[tuple[Action, str, str]]:
    """Go through what a turn declares of this chapter: the action, the technique, the field."""
    for action in EFFECT_OF:
        id: str | None = getattr(turn, action)
        if id is not None:
            yield action, id, action.value


def check(scene: Scene, turn: Turn) -> Iterator[Violation]:
    """List why something of this chapter cannot be tried like this (GC-9.4)."""
    who = scene.who(turn.by)
    for action, id, field in declared(turn):
        tool = who.sheet.tool(id)
        if tool is None:
            yield Violation("GC-9.4", "tool_not_on_sheet", field, {"tool": id})
        else:
            yield from fit(scene.options, scene.regulation, tool, action, field)
    for one in used(scene, turn):
        if one.passive:  # it acts by itself, so that what it lacks must be put right first
            yield from _numbers(scene.options, scene.regulation, one.tool, one.action, "")


def fit(
    options: Options, regulation: Regulation, tool: Tool, action: Action, field: str
) -> Iterator[Violation]:
    """List why a technique does not serve for one of the three actions (GC-9.4, GC-9.12)."""
    if _effect(tool, action, passive=False) is None:
        facts: Facts = {"tool": tool.name, "action": action}
        yield Violation("GC-9.4", "tool_not_for_senses", field, facts)
    else:
        yield from _numbers(options, regulation, tool, action, field)


def _numbers(
    options: Options, regulation: Regulation, tool: Tool, action: Action, field: str
) -> Iterator[Violation]:
    yield from check_stat_bonus(regulation, tool, field)
    if action is Action.PERCEPTION and options.perception_includes_potential_bonus:
        yield from check_potential_bonus(regulation, tool, field)


def used(scene: Scene, turn: Turn) -> Iterator[Used]:
    """Go through what acts in this turn: what is declared, else what is passive (GC-9.4)."""
    who = scene.who(turn.by)
    wanted = {action: id for action, id, _ in declared(turn)}
    for action in EFFECT_OF:
        tool = who.sheet.tool(wanted[action]) if action in wanted else None
        if tool is not None:
            yield Used(action, tool, passive=False)
        elif passive := _passive(who, action):
            yield Used(action, passive, passive=True)


def asked(scene: Scene, turn: Turn) -> Iterator[Asked]:
    """List the dice of this chapter; their labels tell nothing about whoever is hidden."""
    who = scene.who(turn.by)
    for one in used(scene, turn):
        tally = _bonus(scene, who, one)
        for at in _addresses(scene, turn.by, one):
            yield Asked(
                address=at,
                sides=ACTION_DIE[one.action] or 0,
                phase=Phase.OFFENSIVE,
                action=one.action if at.index == 0 else Action.CAMOUFLAGE,
                actor=who.sheet.name,
                targets=(),
                items=(one.tool.name,),
                tally=tally if at.index == 0 else Tally(),
            )


def resolve(
    scene: Scene, turn: Turn, dice: Dice, *, closed: bool, thrown: bool = False
) -> tuple[Scene, list[Finding]]:
    """Carry out what was declared, unless the Offensive Phase is lost, and what is passive."""
    findings: list[Finding] = []
    for one in used(scene, turn):
        facts: Facts = {"bearer": scene.who(turn.by).sheet.name, "action": one.action}
        if closed and not one.passive:  # GC-2.12
            why = "reaction" if thrown else "defence"
            rule = "GC-10.12" if thrown else "GC-2.12"
            findings.append(Finding(rule, "offensive_annulled", {**facts, "why": why}))
            continue
        if not one.passive:
            scene, paid = pay(scene, turn.by, (one.tool,))
            scene = count_use(scene, turn.by, one.tool, turn.by)
            scene, begun = begin_on_user(scene, turn.by, one.tool)
            findings += [*paid, *begun]
        faces = {
            at.index: dice.face(at, ACTION_DIE[one.action] or 0)
            for at in _addresses(scene, turn.by, one)
        }
        if one.action is Action.PERCEPTION:
            scene, found = _perceive(scene, turn.by, one, faces)
        else:
            scene, found = _conceal(scene, turn.by, one, faces.get(0))
        findings += found
    return scene, findings


def begin_turn(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Let what was to last until now go, and concentration with it (GC-9.9)."""
    who = scene.who(id)
    findings: list[Finding] = []
    over = [
        (action, worn)
        for action, worn in (
            (Action.CAMOUFLAGE, who.camouflage),
            (Action.MASKING, who.masking),
        )
        if worn is not None and _is_over(who, worn)
    ]
    for action, worn in over:
        if action is Action.CAMOUFLAGE:
            scene = scene.put(replace(scene.who(id), camouflage=None))
        else:
            scene = scene.put(replace(scene.who(id), masking=None))
        facts: Facts = {"bearer": who.sheet.name, "name": worn.name, "action": action}
        findings.append(Finding("GC-9.4", "concealment_ends", facts))
    kept: list[Concentration] = []
    for one in scene.concentration:
        if one.observer == id and scene.who(one.target).camouflage is None:
            one = replace(one, value=max(0, one.value - CONCENTRATION))  # AMB-69: never below 0
        if one.value:
            kept.append(one)
    return replace(scene, concentration=tuple(kept)), findings


def concentration_of(scene: Scene, observer: str, target: str) -> int:
    """Give what the next attempt of an observer on a target gains by the ones before (GC-9.7)."""
    return sum(
        one.value for one in scene.concentration if (one.observer, one.target) == (observer, target)
    )


def _perceive(
    scene: Scene, observer: str, one: Used, faces: dict[int, int]
) -> tuple[Scene, list[Finding]]:
    """Look for every opponent around (GC-9.5); farther than the radius nobody is found."""
    effect = _effect(one.tool, Action.PERCEPTION, passive=one.passive)
    if not isinstance(effect, Perception):
        raise ValueError(f"{one.tool.name} perceives nothing; check comes first")
    who = scene.who(observer)
    bonus = _bonus(scene, who, one)
    facts: Facts = {
        "bearer": who.sheet.name,
        "name": one.tool.name,
        "radius_m": effect.radius_m,
        "value": faces[0] + bonus.total,
        "die": faces[0],
        "bonus": bonus,
    }
    at = Address(PERCEPTION_PLACE)
    findings = [Finding("GC-9.6", "perceived", facts, "AMB-67", die=at)]
    for index, target in enumerate(scene.opponents(observer), start=1):
        if scene.metres(observer, target.id) <= effect.radius_m:
            again = faces.get(index, 0)
            scene, found = _look_at(scene, observer, target, faces[0], bonus, again)
            findings += found
    return scene, findings


def _look_at(
    scene: Scene, observer: str, target: Combatant, die: int, bonus: Tally, again: int
) -> tuple[Scene, list[Finding]]:
    gained = concentration_of(scene, observer, target.id)
    whole = bonus.plus(Term("GC-9.7", "concentration", Fraction(gained)) if gained else None)
    value = die + whole.total
    worn = target.camouflage
    if worn is not None:  # GC-9.8: only what is hard to find teaches anything
        scene = _concentrate(scene, observer, target.id, gained + CONCENTRATION)
    names = {"bearer": scene.who(observer).sheet.name, "target": target.sheet.name}
    findings: list[Finding] = []
    if is_hidden(scene, target.id, observer):
        rolled = again if worn is not None and worn.die is None else 0  # AMB-68
        against = worn.value + rolled if worn is not None else Fraction(0)  # GC-9.10
        facts: Facts = {
            **names,
            "value": value,
            "die": die,
            "bonus": whole,
            "camouflage_value": against,
        }
        found = against <= value
        if found:
            scene = reveal(scene, target.id, (observer,))
        findings.append(Finding("GC-9.5", "detected" if found else "not_detected", facts))
    if target.masking is not None and not is_hidden(scene, target.id, observer):
        findings.append(_see_through(names, value, target.masking))
    return scene, findings


def _see_through(names: dict[str, str], value: Fraction, masking: Concealed) -> Finding:
    """Hold a masking against a perception: it lasts only if it is the greater (GC-9.12)."""
    facts: Facts = {**names, "value": value, "masking_value": masking.value}
    holds = masking.value > value
    return Finding("GC-9.12", "masking_holds" if holds else "masking_fails", facts, "AMB-70")


def _concentrate(scene: Scene, observer: str, target: str, value: int) -> Scene:
    pair = (observer, target)
    others = tuple(one for one in scene.concentration if (one.observer, one.target) != pair)
    mine = Concentration(observer=observer, target=target, value=value)
    return replace(scene, concentration=(*others, mine))


def _conceal(scene: Scene, id: str, one: Used, face: int | None) -> tuple[Scene, list[Finding]]:
    """Put a camouflage or masking in force, for so many rounds from now (GC-9.11, GC-9.12)."""
    who = scene.who(id)
    effect = _effect(one.tool, one.action, passive=one.passive)
    turns = getattr(effect, "turns", None)
    worn = Concealed(
        name=one.tool.name,
        tool=one.tool.id,
        die=face,
        score=_bonus(scene, who, one),
        until=None if turns is None else who.turn + turns,
    )
    facts: Facts = {
        "bearer": who.sheet.name,
        "name": one.tool.name,
        "value": worn.value,
        "die": face,
        "bonus": worn.score,
        "turns": turns,
    }
    camouflage = one.action is Action.CAMOUFLAGE
    place = Address(PLACE_OF[one.action]) if face is not None else None
    if camouflage:
        scene = scene.put(replace(who, camouflage=worn))
        found = Finding("GC-9.11", "camouflaged", facts, "AMB-68", die=place)
    else:
        scene = scene.put(replace(who, masking=worn))
        found = Finding("GC-9.12", "masked", facts, "AMB-70", die=place)
    return scene, [found]


def _is_over(who: Combatant, worn: Concealed) -> bool:
    """Say whether a concealment ends: its turns are over, or its upkeep was not paid (GC-2.6)."""
    if worn.until is not None and worn.until <= who.turn:
        return True
    tool = who.sheet.tool(worn.tool)
    kept_up = tool is not None and any(isinstance(one, Upkeep) for one in tool.effects)
    return kept_up and all(running.tool != worn.tool for running in who.effects)


def _effect(
    tool: Tool, action: Action, *, passive: bool
) -> Perception | Camouflage | Masking | None:
    for effect in tool.effects:
        if isinstance(effect, EFFECT_OF[action]) and getattr(effect, "passive", False) is passive:
            return effect
    return None


def _passive(who: Combatant, action: Action) -> Tool | None:
    """Find what grants an action passively; a camouflage only until it is in force."""
    if action is Action.CAMOUFLAGE and who.camouflage is not None:
        return None
    for tool in who.sheet.tools:
        if _effect(tool, action, passive=True) is not None:
            return tool
    return None


def _addresses(scene: Scene, id: str, one: Used) -> Iterator[Address]:
    """Give the dice of an action: its own, and those of the camouflages it tries (AMB-68).

    Every opponent has one, camouflaged or not, so that their number tells nothing.
    """
    again = scene.options.camouflage_roll is CamouflageRoll.PER_ATTEMPT
    if not (again and one.action is Action.CAMOUFLAGE):
        yield Address(PLACE_OF[one.action])
    if again and one.action is Action.PERCEPTION:
        for index, _ in enumerate(scene.opponents(id), start=1):
            yield Address(PERCEPTION_PLACE, index)


def _bonus(scene: Scene, who: Combatant, one: Used) -> Tally:
    tally = Tally((stat_bonus(who, one.tool),))
    if one.action is Action.PERCEPTION and scene.options.perception_includes_potential_bonus:
        return tally.plus(potential_bonus(scene.regulation, one.tool))  # AMB-67
    return tally
