"""Effects as data: how they begin, what they cost while they last, how they end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding, Violation
from app.rulesets.guida.bonds import end_spent
from app.rulesets.guida.combatants import (
    Line,
    Running,
)
from app.rulesets.guida.conditions import held, remove_stacks
from app.rulesets.guida.levels import senses_otherwise
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Area,
    ArmourEffect,
    Blinding,
    Camouflage,
    Constraint,
    Effect,
    Gigantism,
    Heal,
    Knockback,
    Liberation,
    Masking,
    Perception,
    ScorePoints,
    StackEffect,
    StackRemoval,
    StatPoints,
    Tool,
    Upkeep,
)
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.tables import BLINDED_DEXTERITY
from app.rulesets.guida.terms import Bearer, Change
from app.rulesets.guida.underway import (
    Rider,
)

# What is no effect that lasts: another part of the turn applies it.
AT_ONCE: Final = (Area, Heal, Perception, Camouflage, Masking, Knockback, Liberation)


def check_effects(tool: Tool, field: str, *, attacking: bool) -> Iterator[Violation]:
    """Refuse effects that need an action of their own, or that lack a target."""
    for effect in tool.effects:
        if needs_own_action(effect):
            facts: Facts = {"tool": tool.name, "effect": effect.kind}
            yield Violation("GC-9.4", "effect_needs_own_action", field, facts)
        elif is_on_target(effect) and not attacking:
            facts = {"tool": tool.name, "effect": effect.kind}
            yield Violation("GC-4.4", "effect_needs_attack", field, facts)


def has_knockback(tool: Tool | None) -> bool:
    """Say whether knocking back is an effect of a technique or weapon itself (GC-10.1)."""
    return tool is not None and any(isinstance(effect, Knockback) for effect in tool.effects)


def needs_own_action(effect: Effect) -> bool:
    """Say whether an effect is used only as a secondary action of its own kind (GC-9.4)."""
    if isinstance(effect, Perception | Camouflage):
        return not effect.passive
    return isinstance(effect, Masking)


def is_on_target(effect: Effect) -> bool:
    """Say whether an effect settles on the one who is hit."""
    if isinstance(effect, StackEffect | AdditionalDamage | Blinding | Constraint):
        return True
    return (
        isinstance(effect, StatPoints | ScorePoints | ArmourEffect) and effect.on is Bearer.TARGET
    )


def riders_of(tools: Iterable[Tool]) -> tuple[Rider, ...]:
    """Collect what an attack will leave on its target if it lands."""
    return tuple(
        Rider(effect=effect, name=tool.name, tool=tool.id)
        for tool in tools
        for effect in tool.effects
        if is_on_target(effect)
    )


def begin_on_user(
    scene: Scene, user: str, tool: Tool, *, later: bool = False, on: str | None = None
) -> tuple[Scene, list[Finding]]:
    """Begin a tool's effects on its user: from this turn on, this turn included in the count.

    ``later``: the user's turn is over, as for a generic action that opponents let pass; the first
    turn that counts is the next one. ``on`` is whom it is used on, where that is somebody else:
    what it takes away goes from there.
    """
    findings: list[Finding] = []
    since = scene.who(user).turn + later
    for effect in tool.effects:
        if isinstance(effect, StackRemoval):
            scene, found = _relieve(scene, on or user, effect, tool.name)
            scene, ended = end_spent(scene, on or user)
            findings += [found, *ended]
        elif not is_on_target(effect) and not isinstance(effect, AT_ONCE):
            scene, found = _begin(scene, user, user, effect, tool.name, tool.id, since)
            findings.append(found)
    return scene, findings


def _relieve(scene: Scene, id: str, effect: StackRemoval, name: str) -> tuple[Scene, Finding]:
    """Take stacks from whom a tonic or a technique is used on (GC-11.14, GC-11.17, GC-11.20)."""
    before = scene.who(id)
    after = remove_stacks(before, effect.stack, effect.count)
    gone = held(before, effect.stack) - held(after, effect.stack)
    line = Line(
        id=0,
        change=Change.STACKS,
        amount=-gone,
        rule="GC-11.14",
        key="stacks_removed",
        name=name,
        stack=effect.stack,
    )
    facts: Facts = {
        "bearer": before.sheet.name,
        "name": name,
        "stack": effect.stack,
        "amount": Fraction(gone),
    }
    return add_line(scene.put(after), id, line), Finding("GC-11.14", "stacks_relieved", facts)


def begin_on_target(
    scene: Scene, attacker: str, target: str, rider: Rider
) -> tuple[Scene, Finding]:
    """Begin an effect on the one who was hit: from the bearer's next turn on (AMB-84)."""
    bearer = scene.who(target)
    if isinstance(rider.effect, Blinding) and senses_otherwise(bearer):  # GC-11.28
        immune: Facts = {"bearer": bearer.sheet.name, "name": rider.name}
        return scene, Finding("GC-11.28", "blinding_immune", immune)
    return _begin(scene, attacker, target, rider.effect, rider.name, rider.tool, bearer.turn + 1)


def _begin(
    scene: Scene, user: str, bearer: str, effect: Effect, name: str, tool: str, since: int
) -> tuple[Scene, Finding]:
    turns = getattr(effect, "turns", None)
    until = None if turns is None else since + turns - 1
    combatant = scene.who(bearer)
    # Used again while it lasts, an effect starts anew: it never adds to itself.
    same = (user, tool, effect)
    again = [old for old in combatant.effects if (old.user, old.tool, old.effect) == same]
    kept = tuple(old for old in combatant.effects if old not in again)
    if since > combatant.turn and again:  # renewed from then on, it leaves no gap
        since = min(old.since for old in again)
    running = Running(effect=effect, name=name, tool=tool, user=user, since=since, until=until)
    scene = scene.put(replace(combatant, effects=(*kept, running)))
    if not again:
        line = _line(effect, name, 1, "effect_begins")
        if user != bearer:  # GC-6.9: the attacker tells every condition the blow leaves
            line = replace(line, poster=user, posted=False)
        scene = add_line(scene, bearer, line)
    facts: Facts = {
        "bearer": combatant.sheet.name,
        "name": name,
        "effect": effect.kind,
        "amount": Fraction(amount_of(effect)),
        "on": subject_of(effect),
        "turns": turns,
    }
    return scene, Finding("GC-4.4", "effect_begins", facts)


def pay_upkeep(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Charge what techniques cost per turn; one that cannot be paid ends with all its effects."""
    findings: list[Finding] = []
    for running in scene.who(id).effects:
        effect = running.effect
        bearer = scene.who(id)
        if not isinstance(effect, Upkeep) or running not in bearer.effects:
            continue
        if running.since >= bearer.turn:
            continue
        if bearer.ep_now < effect.ep:
            facts: Facts = {"bearer": bearer.sheet.name, "name": running.name, "ep": effect.ep}
            findings.append(Finding("GC-2.6", "upkeep_unpaid", facts))
            own = (running.user, running.tool)
            ending = [old for old in bearer.effects if (old.user, old.tool) == own]
            scene, ended = _end(scene, id, ending)
            findings += ended
        else:
            line = Line(
                id=0,
                change=Change.EP,
                amount=-effect.ep,
                rule="GC-2.6",
                key="upkeep",
                name=running.name,
            )
            scene = add_line(scene, id, line)
    return scene, findings


def expire_effects(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End the bearer's turn: effects whose last turn this was go, each with its register line."""
    bearer = scene.who(id)
    over = [old for old in bearer.effects if old.until is not None and old.until <= bearer.turn]
    return _end(scene, id, over)


def _end(scene: Scene, id: str, over: Iterable[Running]) -> tuple[Scene, list[Finding]]:
    findings: list[Finding] = []
    for running in over:
        bearer = scene.who(id)
        scene = scene.put(
            replace(bearer, effects=tuple(old for old in bearer.effects if old != running))
        )
        scene = add_line(scene, id, _line(running.effect, running.name, -1, "effect_ends"))
        facts: Facts = {
            "bearer": bearer.sheet.name,
            "name": running.name,
            "effect": running.effect.kind,
            "on": subject_of(running.effect),
        }
        findings.append(Finding("GC-4.4", "effect_ends", facts))
    return scene, findings


def amount_of(effect: Effect) -> Fraction | int:
    """Give the number an effect is about."""
    match effect:
        case StatPoints() | ScorePoints():
            return effect.points
        case ArmourEffect():
            return effect.potential
        case Upkeep():
            return -effect.ep
        case Gigantism():
            return effect.size
        case Blinding():
            return BLINDED_DEXTERITY
        case StackEffect() | StackRemoval():
            return effect.count
        case _:
            return 0


def subject_of(effect: Effect) -> str:
    """Name what an effect changes: a stat, a score, the armour, the energy, a condition."""
    match effect:
        case StatPoints():
            return effect.stat
        case ScorePoints():
            return effect.score
        case StackEffect() | StackRemoval():
            return effect.stack
        case _:
            return effect.kind


def _line(effect: Effect, name: str, sign: int, key: str) -> Line:
    points = isinstance(effect, StatPoints)
    return Line(
        id=0,
        change=Change.POINTS if points else Change.EFFECT,
        amount=sign * effect.points if isinstance(effect, StatPoints) else 0,
        rule="GC-1.4",
        key=key,
        name=name,
        stat=effect.stat if isinstance(effect, StatPoints) else None,
        subject="" if points else subject_of(effect),
        figure=Fraction(sign * amount_of(effect)),
    )
