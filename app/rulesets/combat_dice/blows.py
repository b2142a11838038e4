"""Attack and Damage (CD-16 to CD-23): who hits, who bleeds, what each blow does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.findings import Fact, Finding, Later
from app.engine.tally import Tally, Term
from app.rulesets.combat_dice.arms import lose_thrown
from app.rulesets.combat_dice.injuries import Suffering, disarm, roll_injuries
from app.rulesets.combat_dice.options import FLOORED
from app.rulesets.combat_dice.readings import ConditionsStart, HoldThisTurn, SandNeeds
from app.rulesets.combat_dice.scores import (
    attack_kind,
    can_attack,
    compare,
    scores_of,
    tally_score,
)
from app.rulesets.combat_dice.state import (
    PLACES,
    Combat,
    CombatConditions,
    Cursed,
    other,
)
from app.rulesets.combat_dice.tables import HELD_AS
from app.rulesets.combat_dice.terms import Action, Attack, Phase, Score, Skill, Spell
from app.rulesets.combat_dice.throws import D3, Chain, Throws


@dataclass(frozen=True, slots=True)
class Exchange:
    """The Attack phase as it went: who hit, and whose attack was stopped before it came."""

    hits: tuple[bool, bool]
    stopped: tuple[bool, bool]


def settle_attacks(combat: Combat) -> tuple[Exchange, list[Finding]]:
    """Compare Attack with Dodge in Initiative order (CD-16, CD-17, AMB-CD-11)."""
    scores = [scores_of(combat, place) for place in PLACES]
    raw = [compare(combat, place, scores[place], scores[other(place)]).hits for place in PLACES]
    stopped = [_is_stopped(combat, place, raw) for place in PLACES]
    findings = [_compared(combat, place) for place in PLACES]
    hits = [hit and not stop for hit, stop in zip(raw, stopped, strict=True)]
    for place in _sequence(combat):
        foe = other(place)
        facts: dict[str, Fact] = {
            "fighter": combat.fighters[place].name,
            "target": combat.fighters[foe].name,
            "attack": scores[place][Score.ATTACK],
            "dodge": scores[foe][Score.DODGE],
        }
        if not can_attack(combat, place):
            findings.append(Finding("CD-16", "no_attack", facts, phase=Phase.ATTACK))
        elif stopped[place]:
            findings.append(
                Finding("CD-W15", "attack_stopped", facts, "AMB-CD-11", phase=Phase.ATTACK)
            )
        elif hits[place]:
            findings.append(Finding("CD-16", "hit", facts, phase=Phase.ATTACK))
        else:
            findings.append(Finding("CD-17", "miss", facts, phase=Phase.ATTACK))
    return Exchange((hits[0], hits[1]), (stopped[0], stopped[1])), findings


def settle_bleeding(combat: Combat) -> tuple[Combat, list[Finding]]:
    """Let both fighters bleed at once, before any blow (CD-D2, CD-A16)."""
    findings: list[Finding] = []
    for place in PLACES:
        who = combat.fighters[place]
        points = len(who.conditions.bleeding)
        if points:
            facts: dict[str, Fact] = {"fighter": who.name, "points": points}
            findings.append(Finding("CD-A16", "bleeds", facts, phase=Phase.DAMAGE))
            combat = combat.put(place, replace(who, hp=who.hp - points))
    return combat, findings


def settle_blows(
    combat: Combat,
    exchange: Exchange,
    coming: tuple[CombatConditions, CombatConditions],
    throws: Throws,
) -> tuple[Combat, tuple[CombatConditions, CombatConditions], int, list[Finding]]:
    """Carry out every hit in Initiative order (CD-18); give what comes of it.

    That is the combat, the conditions of the next turn, the damage that blows dealt in all, and
    the findings. Whoever bled out strikes no more; whoever the first blow felled does so only on
    a tie, or where a table lets the dying strike (AMB-CD-5, CD-A16).
    """
    findings: list[Finding] = []
    bled_out = [one.is_down for one in combat.fighters]
    lowered: dict[int, dict[Score, int]] = {}
    dealt = 0
    tie = combat.playing().first is None
    after = list(coming)
    for place in _sequence(combat):
        foe = other(place)
        attacker = combat.fighters[place]
        felled = attacker.is_down and not strikes_back(combat, tie=tie)
        sand = combat.playing().sides[place].action is Action.SAND
        works = exchange.hits[place] or (
            sand and combat.options.sand_needs is SandNeeds.NOTHING  # AMB-CD-12
        )
        if not works:
            continue
        if bled_out[place] or felled:
            facts: dict[str, Fact] = {"fighter": attacker.name}
            findings.append(
                Finding("CD-24", "attack_cancelled", facts, "AMB-CD-5", phase=Phase.DAMAGE)
            )
            continue
        suffering = Suffering(combat, foe, after[foe])
        points, told = _blow(
            suffering, place, throws, lowered.get(place, {}), hit=exchange.hits[place]
        )
        findings += told
        dealt += points
        combat, after[foe] = suffering.combat, suffering.coming
        if exchange.hits[place]:
            combat, after[place], told = _grapple(combat, suffering, place, after)
            after[foe] = suffering.coming
            findings += told
        if combat.options.conditions_start is ConditionsStart.AT_ONCE and not tie:
            lowered[foe] = suffering.lowered
            findings += _lowered(combat, foe, suffering.lowered)
    return combat, (after[0], after[1]), dealt, findings


def strikes_back(combat: Combat, *, tie: bool) -> bool:
    """Say whether whoever an enemy's blow has just felled still carries out its own (AMB-CD-5)."""
    return tie or combat.options.dying_blow


def settle_throws(combat: Combat, exchange: Exchange) -> tuple[Combat, list[Finding]]:
    """Let thrown weapons leave the hand, hit or miss (AMB-CD-20, CD-A18)."""
    findings: list[Finding] = []
    for place in PLACES:
        who = combat.fighters[place]
        threw = attack_kind(combat, place) is Attack.MISSILE and who.weapon in HELD_AS
        if not threw or not can_attack(combat, place) or exchange.stopped[place]:
            continue
        facts: dict[str, Fact] = {"fighter": who.name, "weapon": who.weapon}
        if combat.options.thrown_is_lost:
            combat = combat.put(place, lose_thrown(who))
            gone: dict[str, Fact] = {**facts, "next": combat.fighters[place].weapon}
            findings.append(Finding("CD-A18", "weapon_thrown", gone, "AMB-CD-20"))
    return combat, findings


def _blow(
    suffering: Suffering,
    place: int,
    throws: Throws,
    lowered: dict[Score, int],
    *,
    hit: bool,
) -> tuple[int, list[Finding]]:
    """Carry out one hit against the suffering side: sand, a Curse, a hold or damage."""
    combat, foe = suffering.combat, suffering.place
    side = combat.playing().sides[place]
    mine, theirs = dict(scores_of(combat, place)), scores_of(combat, foe)
    mine.update(_after_lowering(combat, mine, lowered))
    points = compare(combat, place, mine, theirs).damage if hit else 0
    findings: list[Finding] = []
    if side.action is Action.SAND:
        findings += _sand(suffering, place, throws, points)
    if not hit:
        return 0, findings
    kind = attack_kind(combat, place)
    if kind is Attack.SPELL and side.orders.spell is Spell.CURSE:
        return 0, findings + _curse(suffering, place, throws)
    if kind is Attack.NET or (kind is Attack.SPELL and side.orders.spell is Spell.PARALYSIS):
        return 0, findings + _hold(suffering, place, kind)
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "target": suffering.who.name,
        "damage": mine[Score.DAMAGE],
        "armor": theirs[Score.ARMOR],
        "points": points,
    }
    if not points:
        return 0, [*findings, Finding("CD-19", "no_damage", facts, phase=Phase.DAMAGE)]
    findings.append(Finding("CD-20", "damage", facts, phase=Phase.DAMAGE))
    suffering.lose(points)
    return points, findings + roll_injuries(suffering, place, side.pair, throws)


def _sand(suffering: Suffering, place: int, throws: Throws, points: int) -> list[Finding]:
    """Blind the opponent for 1D3 turns from the next one on (CD-66, AMB-CD-12)."""
    if suffering.combat.options.sand_needs is SandNeeds.DAMAGE and not points:
        return []
    facts: dict[str, Fact] = {"fighter": suffering.who.name}
    if suffering.who.has(Skill.BLIND_FIGHTING):  # CD-54
        return [Finding("CD-54", "immune_to_sand", facts, phase=Phase.DAMAGE)]
    turns = throws.face(Chain.SAND_TURNS, place, 0, D3)
    have = suffering.coming
    suffering.coming = replace(have, blind_temp=max(have.blind_temp, turns))
    lasting: dict[str, Fact] = {**facts, "turns": turns}
    return [Finding("CD-66", "sanded", lasting, "AMB-CD-12", phase=Phase.DAMAGE)]


def _curse(suffering: Suffering, place: int, throws: Throws) -> list[Finding]:
    """Take 1D3 basic dice away for 1D6 turns from the next one on (CD-75, AMB-CD-18)."""
    dice = throws.face(Chain.CURSE_DICE, place, 0, D3)
    turns = throws.face(Chain.CURSE_TURNS, place)
    new, have = Cursed(dice=dice, turns=turns), suffering.coming
    curses = (*have.curse, new)
    if not suffering.combat.options.stack_wounds:  # AMB-CD-10: only the worst one counts
        curses = (max(curses, key=lambda one: (one.dice, one.turns)),)
    suffering.coming = replace(have, curse=curses)
    facts: dict[str, Fact] = {"fighter": suffering.who.name, "dice": dice, "turns": turns}
    return [Finding("CD-75", "cursed", facts, "AMB-CD-18", phase=Phase.DAMAGE)]


def _hold(suffering: Suffering, place: int, kind: Attack) -> list[Finding]:
    """Hold the opponent: no hitting and no dodging next turn (CD-W15, CD-72)."""
    suffering.coming = replace(suffering.coming, held=True)
    facts: dict[str, Fact] = {
        "fighter": suffering.combat.fighters[place].name,
        "target": suffering.who.name,
    }
    if kind is Attack.NET:
        return [Finding("CD-W15", "netted", facts, "AMB-CD-11", phase=Phase.DAMAGE)]
    return [Finding("CD-72", "paralysed", facts, "AMB-CD-11", phase=Phase.DAMAGE)]


def _grapple(
    combat: Combat, suffering: Suffering, place: int, after: list[CombatConditions]
) -> tuple[Combat, CombatConditions, list[Finding]]:
    """Let a Grapple that hit take hold: the opponent is grappled, both are disarmed (CD-67)."""
    if combat.playing().sides[place].action is not Action.GRAPPLE:
        return combat, after[place], []
    if not suffering.who.conditions.grappled:
        suffering.lower({Score.DAMAGE: -1, Score.ARMOR: -1})
    suffering.coming = replace(suffering.coming, grappled=True)
    disarm(suffering)
    own = Suffering(combat, place, after[place])
    disarm(own)
    facts: dict[str, Fact] = {
        "fighter": suffering.who.name,
        "by": combat.fighters[place].name,
    }
    told = Finding("CD-67", "grappled", facts, "AMB-CD-13", phase=Phase.DAMAGE)
    return combat, own.coming, [told]


def _is_stopped(combat: Combat, place: int, raw: list[bool]) -> bool:
    """Say whether a Net or a Paralysis stops a fighter's attack of this turn (AMB-CD-11)."""
    foe, first = other(place), combat.playing().first
    if not (raw[foe] and _holds(combat, foe)):
        return False
    if first == foe:
        return True
    if combat.options.hold_this_turn is HoldThisTurn.IF_LATER:
        return False
    # Always: also on a tie, or if it came first; but two that hold each other both do.
    return not (raw[place] and _holds(combat, place))


def _holds(combat: Combat, place: int) -> bool:
    kind = attack_kind(combat, place)
    paralyses = combat.playing().sides[place].orders.spell is Spell.PARALYSIS
    return kind is Attack.NET or (kind is Attack.SPELL and paralyses)


def _sequence(combat: Combat) -> tuple[int, ...]:
    """Give the order of the Attack and Damage phases; on a tie p1's dice come first (CD-12)."""
    first = combat.playing().first
    return PLACES if first is None else (first, other(first))


def _compared(combat: Combat, place: int) -> Finding:
    facts = Later(
        lambda: {
            "fighter": combat.fighters[place].name,
            "attack": tally_score(combat, place, Score.ATTACK),
            "dodge": tally_score(combat, place, Score.DODGE),
            "damage": tally_score(combat, place, Score.DAMAGE),
            "armor": tally_score(combat, place, Score.ARMOR),
            "initiative": tally_score(combat, place, Score.INITIATIVE),
            "maneuver": tally_score(combat, place, Score.MANEUVER),
        }
    )
    return Finding("CD-45", "scores", facts, phase=Phase.ATTACK)


def _after_lowering(
    combat: Combat, scores: dict[Score, int], lowered: dict[Score, int]
) -> dict[Score, int]:
    """Take a blow's wounds off this turn's scores, floors applied again (CD-A19)."""
    floored = FLOORED[combat.options.floor]
    changed = {score: scores[score] + value for score, value in lowered.items()}
    return {score: max(0, value) if score in floored else value for score, value in changed.items()}


def _lowered(combat: Combat, place: int, lowered: dict[Score, int]) -> list[Finding]:
    if not lowered:
        return []
    scores = dict(scores_of(combat, place))
    scores.update(_after_lowering(combat, scores, lowered))
    terms = tuple(Term("CD-A19", "wounded", Fraction(value)) for value in lowered.values())
    facts: dict[str, Fact] = {
        "fighter": combat.fighters[place].name,
        "damage": scores[Score.DAMAGE],
        "armor": scores[Score.ARMOR],
        "change": Tally(terms),
    }
    return [Finding("CD-A19", "scores_fall", facts, "AMB-CD-5", phase=Phase.DAMAGE)]
