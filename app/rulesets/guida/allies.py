"""Difesa degli Alleati (GC-13.10 to 13.20): a protector meets what was meant for somebody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Obstacle, Question, Violation
from app.engine.tally import Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.forms import size_of
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.moves import apply_shifts, distance_after, steps_moved
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.readings import (
    AllyDodge,
    AllyGuardDamage,
)
from app.rulesets.guida.senses import is_hidden
from app.rulesets.guida.state import (
    Scene,
    names_of,
)
from app.rulesets.guida.tables import (
    ALLY_DEFENCES,
    ALLY_DEXTERITY_PER_POINT,
    ALLY_FARTHER,
    CARRYING,
    CARRYING_STRENGTH_PER_POINT,
)
from app.rulesets.guida.terms import Action, AttackForm, Stat
from app.rulesets.guida.underway import (
    Incoming,
    Shift,
)

WORKS_AS = {
    Action.ALLY_NULL_DEFENCE: Action.NULL_DEFENCE,
    Action.ALLY_GUARD: Action.GUARD,
    Action.ALLY_COUNTERATTACK: Action.COUNTERATTACK,
    Action.ALLY_PARRY: Action.PARRY,
    Action.ALLY_DODGE: Action.DODGE,
}


def works_as(options: Options, action: Action) -> Action:
    """Give the defence whose outcomes an ally's has; every other is what it is (GC-13.13 to 13.18).

    Read literally, a dodge with an ally is a parry (AMB-107).
    """
    if action is Action.ALLY_DODGE and options.ally_dodge_model is AllyDodge.PARRY:
        return Action.PARRY
    return WORKS_AS.get(action, action)


def shelters(options: Options, action: Action) -> bool:
    """Say whether the protector takes the ally's place in front of the attack (GC-14.38).

    Carried out of it, the ally stays its target; a guard may leave the rest to the ally (AMB-106).
    """
    if works_as(options, action) is Action.DODGE:
        return False
    leaves = options.ally_guard_damage_to is AllyGuardDamage.ALLY
    return not (leaves and action is Action.ALLY_GUARD)


def at_allies(scene: Scene, protector: str) -> tuple[Incoming, ...]:
    """List the attacks that a combatant may meet for its allies: not answered yet (GC-14.37).

    In front of an attacker one does not see nobody can stand (GC-9.1).
    """
    team = scene.who(protector).team
    return tuple(
        one
        for one in scene.incoming
        if one.target != protector
        and scene.who(one.target).team == team
        and not is_hidden(scene, one.attacker, protector)
    )


def declared_at_allies(
    scene: Scene, protector: str, defences: tuple[Defence, ...]
) -> tuple[Incoming, ...]:
    """List those that a post really meets: they count as incoming for the protector (GC-14.37)."""
    named = {id for one in defences if one.action in ALLY_DEFENCES for id in one.against}
    return tuple(one for one in at_allies(scene, protector) if one.id in named)


def ally_terms(who: Combatant, action: Action, *, farther: bool) -> Iterator[Term]:
    """Give what protecting an ally adds to the score that is rolled for it (GC-14.14).

    ``farther``: the protector is farther from the target than the attacker is (GC-13.11).
    """
    if action not in ALLY_DEFENCES:
        return
    if action is Action.ALLY_NULL_DEFENCE:  # AMB-105: whole groups of levels, never a malus
        dexterity = total_level(who, Stat.DEXTERITY).total
        points = max(0, dexterity // ALLY_DEXTERITY_PER_POINT)
        if points:
            yield Term("GC-13.13", "dexterity_bonus", Fraction(points))
    if farther:
        yield Term("GC-13.11", "farther_than_attacker", Fraction(ALLY_FARTHER))
    if action is Action.ALLY_DODGE:
        malus = carrying_malus(total_level(who, Stat.STRENGTH).total)
        if malus:
            yield Term("GC-13.20", "carrying", Fraction(malus))


def protective_steps(scene: Scene, protector: str, defence: Defence, attack: Incoming) -> int:
    """Count the ranges of the step in front of an ally (GC-4.9).

    With a dodge they are those up to the ally; where it carries both is free (GC-4.12).
    """
    if works_as(scene.options, defence.action) is Action.DODGE:
        return scene.regulation.steps(scene.metres(protector, attack.target), 0)
    return steps_moved(scene, protector, defence.move)


def charged_steps(options: Options, action: Action, steps: int) -> int:
    """Give the ranges that a move inside a defence is charged for: a protector's too (AMB-104)."""
    return 0 if action in ALLY_DEFENCES and not options.ally_move_step_malus else steps


def carrying_malus(strength: Fraction) -> int:
    """Give what carrying somebody takes from Dexterity; it never turns into a bonus (AMB-108)."""
    return min(0, CARRYING + max(0, int(strength // CARRYING_STRENGTH_PER_POINT)))


def is_farther(scene: Scene, protector: str, attack: Incoming) -> bool:
    """Say whether the protector stands farther from the target than the attacker (GC-13.11)."""
    if attack.target == protector:
        return False
    own = scene.metres(protector, attack.target)
    return own > scene.metres(attack.attacker, attack.target)


def is_too_large(who: Combatant, ally: Combatant) -> bool:
    """Say whether an ally is too large to be carried (GC-13.19)."""
    return size_of(ally) > size_of(who)


def is_between(scene: Scene, protector: str, attack: Incoming, move: Move) -> bool:
    """Say whether a move still ends in front of an ally from where one stands (GC-13.10)."""
    who = scene.who(protector)
    return not any(True for _ in _check_between(scene, who, attack, move, ""))


def may_stand_still(action: Action, attack: Incoming) -> bool:
    """Say whether an attack can be met from where one stands: only a projectile (GC-13.16)."""
    return action is Action.ALLY_COUNTERATTACK and attack.tool.form is AttackForm.PROJECTILE


def check_ally_defence(
    scene: Scene, who: Combatant, defence: Defence, field: str
) -> Iterator[Obstacle]:
    """List what is wrong with the defence of an ally, what is asked about the attack included."""
    met = [one for one in at_allies(scene, who.id) if one.id in defence.against]
    yield from dict.fromkeys(asked for one in met for asked in _asked_about(scene, one))
    if any(defence.move is None and not may_stand_still(defence.action, one) for one in met):
        yield Violation("GC-13.10", "ally_needs_move", f"{field}.move", {"action": defence.action})
    if works_as(scene.options, defence.action) is Action.DODGE:
        yield from _check_carrying(scene, who, met, field)
    elif defence.move is not None:
        for one in met:
            yield from _check_between(scene, who, one, defence.move, f"{field}.move")


def take_place(
    scene: Scene, attack: Incoming, protector: str, *, moves: bool
) -> tuple[Scene, Incoming, Finding]:
    """Put the protector in the target's place: the attack is its own now (GC-13.10, GC-13.16)."""
    facts: Facts = {
        **names_of(scene, attack),
        "protector": scene.who(protector).sheet.name,
    }
    own = replace(attack, target=protector)
    incoming = tuple(own if one.id == attack.id else one for one in scene.incoming)
    scene = replace(scene, incoming=incoming)
    if moves:
        return scene, own, Finding("GC-13.10", "ally_sheltered", facts)
    return scene, own, Finding("GC-13.16", "ally_sheltered_from_afar", facts)


def met_unseen(scene: Scene, attack: Incoming, protector: str) -> list[Finding]:
    """Tell an attacker that somebody met its attack whom it does not see, and not who (GC-13.10).

    To stand in between is no attack and breaks no hiding (GC-14.27).
    """
    if not is_hidden(scene, protector, attack.attacker):
        return []
    return [Finding("GC-13.10", "ally_met_unseen", names_of(scene, attack))]


def carry(scene: Scene, protector: str, ally: str, move: Move) -> tuple[Scene, list[Finding]]:
    """Let the ally end where the protector does (GC-13.18); a forced move, so never refused."""
    beside = [reach.metres for reach in move.distances if reach.to == ally]
    ends = {
        **{reach.to: Fraction(reach.metres) for reach in move.distances if reach.to != ally},
        protector: Fraction(beside[0] if beside else 0),
    }
    shifts = tuple(
        Shift(other=other, before=scene.metres(ally, other), after=metres)
        for other, metres in ends.items()
    )
    return apply_shifts(scene, ally, shifts, "GC-13.18")


def _asked_about(scene: Scene, attack: Incoming) -> Iterator[Question]:
    """Go through the questions that the target of an attack would have to wait for."""
    about = {attack.id, attack.volley}
    yield from (
        asked
        for asked in scene.questions
        if attack.target in asked.blocks
        and (asked.about in about or _same_volley(scene, asked.about, attack))
    )


def _same_volley(scene: Scene, id: str, attack: Incoming) -> bool:
    return attack.volley is not None and any(
        one.id == id and one.volley == attack.volley for one in scene.incoming
    )


def _check_between(
    scene: Scene, who: Combatant, attack: Incoming, move: Move, field: str
) -> Iterator[Violation]:
    """Keep the protector no farther from either than they are from each other (GC-13.10)."""
    apart = scene.metres(attack.attacker, attack.target)
    for place in (attack.attacker, attack.target):
        metres = distance_after(scene, who.id, place, move)
        if metres > apart:
            facts: Facts = {
                "other": scene.who(place).sheet.name,
                "metres": metres,
                "apart": apart,
            }
            yield Violation("GC-13.10", "ally_not_between", field, facts)


def _check_carrying(
    scene: Scene, who: Combatant, met: list[Incoming], field: str
) -> Iterator[Violation]:
    carried = list(dict.fromkeys(one.target for one in met))
    if len(carried) > 1:
        yield Violation("GC-13.18", "carries_one_ally", f"{field}.against")
    for ally in carried:
        if is_too_large(who, scene.who(ally)):
            facts: Facts = {"ally": scene.who(ally).sheet.name}
            yield Violation("GC-13.19", "ally_too_large", f"{field}.against", facts)
