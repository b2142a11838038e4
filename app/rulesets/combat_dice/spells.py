"""Magic (CD-68 to CD-79): what is cast before the Combat Roll, and which spells can be cast."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Violation
from app.rulesets.combat_dice.orders import CombatOrders
from app.rulesets.combat_dice.readings import SelfEffects
from app.rulesets.combat_dice.state import Aided, Combat, CombatFighter
from app.rulesets.combat_dice.tables import ATTACK_SPELLS, RANGED_SPELLS
from app.rulesets.combat_dice.terms import Spell
from app.rulesets.combat_dice.throws import Chain, Throws


def check_spell(combat: Combat, who: CombatFighter, orders: CombatOrders) -> Iterator[Violation]:
    """List what is wrong with a declared spell (CD-69, CD-69b, CD-81, CD-82)."""
    spell = orders.spell
    if spell is None:
        for field in ("target", "aid_type"):
            if getattr(orders, field) is not None:
                yield Violation("CD-69c", "needs_a_spell", field, {"field": field})
        return
    facts: dict[str, Fact] = {"name": who.name, "spell": spell}
    if spell not in who.spells:  # CD-69: each once a combat
        yield Violation("CD-69", "spell_not_left", "spell", facts)
    ranged = combat.ranged > 0
    if spell in RANGED_SPELLS and not ranged:  # CD-82
        yield Violation("CD-82", "spell_only_at_range", "spell", facts)
    untagged = spell in ATTACK_SPELLS and spell not in RANGED_SPELLS
    if untagged and ranged and not combat.options.untagged_spells_at_range:  # CD-81, AMB-CD-19
        yield Violation("CD-81", "spell_not_at_range", "spell", facts)
    if spell is Spell.AID and orders.aid_type is None:  # CD-73: a single kind
        yield Violation("CD-73", "aid_needs_a_kind", "aid_type", {"name": who.name})
    if spell is not Spell.AID and orders.aid_type is not None:
        yield Violation("CD-73", "only_aid_has_a_kind", "aid_type", facts)
    if orders.target is not None:
        if combat.place_of(orders.target) is None:
            yield Violation("CD-73", "unknown_target", "target", {"target": orders.target})
        elif spell in ATTACK_SPELLS and orders.target == who.id:
            yield Violation("CD-79", "attack_spell_strikes_the_other", "target", facts)


def can_cast_at_range(combat: Combat, who: CombatFighter) -> bool:
    """Say whether a fighter has a spell left that attacks at range (CD-A17, AMB-CD-19)."""
    untagged = combat.options.untagged_spells_at_range
    reach = ATTACK_SPELLS if untagged else RANGED_SPELLS
    return any(spell in reach for spell in who.spells)


def cast(combat: Combat, place: int, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Spend the declared spell, and let Aid, Heal and Shield work before the roll (CD-69c)."""
    side = combat.playing().sides[place]
    spell = side.orders.spell
    if spell is None:
        return combat, []
    who = combat.fighters[place]
    left = list(who.spells)
    left.remove(spell)  # CD-69: once a combat, also if it misses (AMB-CD-18)
    combat = combat.put(place, replace(who, spells=tuple(left)))
    findings = [Finding("CD-69c", "spell_cast", {"fighter": who.name, "spell": spell})]
    target = place if side.orders.target is None else combat.place_of(side.orders.target)
    goal = place if target is None else target
    if spell is Spell.HEAL:
        return _heal(combat, place, goal, throws, findings)
    if spell is Spell.AID:
        return _aid(combat, place, goal, throws, findings)
    if spell is Spell.SHIELD:
        return _shield(combat, place, goal, throws, findings)
    return combat, findings


def _heal(
    combat: Combat, place: int, goal: int, throws: Throws, findings: list[Finding]
) -> tuple[Combat, list[Finding]]:
    """Give back 1D6 lost hits, never beyond the start (CD-74, AMB-CD-17)."""
    die = throws.face(Chain.HEAL, place)
    whom = combat.fighters[goal]
    points = min(die, whom.max_hp - whom.hp)
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "target": whom.name,
        "die": die,
        "points": points,
    }
    findings.append(Finding("CD-74", "healed", facts, "AMB-CD-17"))
    return combat.put(goal, replace(whom, hp=whom.hp + points)), findings


def _aid(
    combat: Combat, place: int, goal: int, throws: Throws, findings: list[Finding]
) -> tuple[Combat, list[Finding]]:
    """Give 1D6 specialty dice of one kind for 1D6 turns (CD-73, AMB-CD-16)."""
    dice, turns = throws.face(Chain.AID_DICE, place), throws.face(Chain.AID_TURNS, place)
    side, whom = combat.playing().sides[place], combat.fighters[goal]
    kind = side.orders.aid_type
    if kind is None:
        raise ValueError("an Aid without a kind of dice was not refused")
    aid = Aided(specialty=kind, dice=dice, turns=turns)
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "target": whom.name,
        "specialty": kind,
        "dice": dice,
        "turns": turns,
    }
    findings.append(Finding("CD-73", "aided", facts, "AMB-CD-16"))
    if combat.options.self_effects_start is SelfEffects.NEXT:
        bearer = combat.playing().sides[goal]
        return combat.put_side(goal, replace(bearer, later_aid=(*bearer.later_aid, aid))), findings
    have = replace(whom.conditions, aid=(*whom.conditions.aid, aid))
    return combat.put(goal, whom.with_conditions(have)), findings


def _shield(
    combat: Combat, place: int, goal: int, throws: Throws, findings: list[Finding]
) -> tuple[Combat, list[Finding]]:
    """Give Armor +2 for 1D6 turns (CD-78, AMB-CD-16)."""
    turns = throws.face(Chain.SHIELD_TURNS, place)
    whom = combat.fighters[goal]
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "target": whom.name,
        "turns": turns,
    }
    findings.append(Finding("CD-78", "shielded", facts, "AMB-CD-16"))
    if combat.options.self_effects_start is SelfEffects.NEXT:
        bearer = combat.playing().sides[goal]
        later = max(bearer.later_shield, turns)
        return combat.put_side(goal, replace(bearer, later_shield=later)), findings
    have = whom.conditions
    raised = replace(have, shield_spell=max(have.shield_spell, turns))
    return combat.put(goal, whom.with_conditions(raised)), findings
