"""The six scores (CD-11): dice that show a symbol, what they count as, modifiers, floor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from app.engine.tally import Tally, Term
from app.rulesets.combat_dice.equipment import attack_of, modifiers_of, tally_modifiers
from app.rulesets.combat_dice.options import FLOORED, CombatOptions
from app.rulesets.combat_dice.state import Combat, CombatDie, CombatFighter, CombatSide
from app.rulesets.combat_dice.tables import (
    ACTION_RULES,
    BLIND_DICE,
    CONVERSIONS,
    HARMLESS_SPELLS,
    SAND_DICE,
)
from app.rulesets.combat_dice.terms import Action, Attack, Score

Scores: TypeAlias = "Mapping[Score, int]"
# CD-15: these two stay those of the first roll, the others are compared as they then stand.
OF_FIRST_ROLL: Final = frozenset({Score.INITIATIVE, Score.MANEUVER})
NOUGHT: Final = dict.fromkeys(Score, 0)
COMPARED: Final = tuple(score for score in Score if score not in OF_FIRST_ROLL)


@dataclass(frozen=True, slots=True)
class Blow:
    """What a comparison of two fighters' scores makes of an attack."""

    hits: bool
    damage: int


def tally_dice(options: CombatOptions, who: CombatFighter, adrenaline: int = 0) -> Tally:
    """Count the basic dice of a turn (CD-3, AMB-CD-10); conditions leave ``min_dice`` at least."""
    have = who.conditions
    tally = Tally((Term("CD-3", "basic_dice", Fraction(who.dice)),))
    if have.stun:
        tally = tally.plus(Term("CD-D6", "stunned", Fraction(-have.stun)))
    if have.blinded or have.blind_temp:  # AMB-CD-10: both blindnesses together cost 3
        rule = "CD-D12" if have.blinded else "CD-66"
        tally = tally.plus(Term(rule, "blinded", Fraction(-BLIND_DICE)))
    for curse in have.curse:
        tally = tally.plus(Term("CD-75", "cursed", Fraction(-curse.dice)))
    if have.extra:
        tally = tally.plus(Term("CD-65", "after_feint", Fraction(have.extra)))
    if tally.total < options.min_dice:
        lack = options.min_dice - tally.total
        tally = tally.plus(Term("CD-11", "least_dice", lack))
    if adrenaline:
        tally = tally.plus(Term("CD-56", "adrenaline", Fraction(adrenaline)))
    return tally


def dice_of(options: CombatOptions, who: CombatFighter, adrenaline: int = 0) -> int:
    """Count the basic dice of a turn: the total of ``tally_dice``."""
    have = who.conditions
    blind = BLIND_DICE if have.blinded or have.blind_temp else 0
    lost = have.stun + blind + sum(curse.dice for curse in have.curse)
    return max(who.dice - lost + have.extra, options.min_dice) + adrenaline


def tally_first(combat: Combat, place: int, score: Score) -> Tally:
    """Add up a score of the combat roll: dice, modifiers, floor (CD-11, CD-45, CD-A11)."""
    side = combat.playing().sides[place]
    shown = sum(die.symbol is score for die in side.dice)
    tally = Tally((Term("CD-11", "dice", Fraction(shown)),))
    return _floored(combat.options, score, tally.plus(*_modifiers(combat, place, score).terms))


def first_scores_of(combat: Combat, place: int, dice: Iterable[CombatDie]) -> Scores:
    """Give the scores of a combat roll: the totals of ``tally_first``, all six at once."""
    shown, change = _shown(dice), _points(combat, place)
    floored = FLOORED[combat.options.floor]
    return {
        score: max(0, shown[score] + change[score])
        if score in floored
        else shown[score] + change[score]
        for score in Score
    }


def tally_score(combat: Combat, place: int, score: Score) -> Tally:
    """Add up a score as it is compared in the Attack and Damage phases."""
    side = combat.playing().sides[place]
    if score in OF_FIRST_ROLL:
        kept = side.initiative if score is Score.INITIATIVE else side.maneuver
        return Tally((Term("CD-15", "first_roll", Fraction(kept)),))
    shown = sum(die.symbol is score for die in side.dice)
    tally = Tally((Term("CD-11", "dice", Fraction(shown)),))
    tally = tally.plus(*_turned(side, score), *_modifiers(combat, place, score).terms)
    tally = _floored(combat.options, score, tally)
    if tally.total and _feints(side, score):
        tally = tally.plus(Term("CD-65", "feint", -tally.total))
    if tally.total and _is_held(combat, place, score):
        tally = tally.plus(Term("CD-W15", "held", -tally.total))
    return tally


def scores_of(combat: Combat, place: int) -> Scores:
    """Give the six scores as they stand: the totals of ``tally_score``, all six at once."""
    side = combat.playing().sides[place]
    change, shown = _points(combat, place), _shown(side.dice)
    for frm, to in side.turned:
        shown[frm] -= 1
        shown[to] += 1
    if side.action is Action.SAND:
        shown[Score.DAMAGE] -= SAND_DICE
    floored = FLOORED[combat.options.floor]
    scores = {Score.INITIATIVE: side.initiative, Score.MANEUVER: side.maneuver}
    for score in COMPARED:
        value = shown[score] + change[score]
        scores[score] = 0 if value < 0 and score in floored else value
    if side.action is Action.FEINT:  # CD-65
        scores[Score.ATTACK] = 0
    if combat.fighters[place].conditions.held:  # CD-W15
        scores[Score.DODGE] = 0
    return scores


def symbols_left(side: CombatSide, score: Score) -> int:
    """Count the dice that count as a symbol by now, whatever they were (AMB-CD-24)."""
    gained = sum((to is score) - (frm is score) for frm, to in side.turned)
    return sum(die.symbol is score for die in side.dice) + gained


def attack_kind(combat: Combat, place: int) -> Attack:
    """Say with what a fighter attacks in the turn that is played."""
    spell = combat.playing().sides[place].orders.spell
    who = combat.fighters[place]
    return attack_of(combat.options, who, spell, ranged=combat.ranged > 0)


def can_attack(combat: Combat, place: int) -> bool:
    """Say whether a fighter attacks at all: it may be held, feint, or have nothing to do it."""
    side = combat.playing().sides[place]
    return (
        attack_kind(combat, place) is not Attack.NOTHING
        and not combat.fighters[place].conditions.held
        and side.action is not Action.FEINT
    )


def is_harmless(combat: Combat, place: int) -> bool:
    """Say whether an attack deals no damage by nature (CD-W15, CD-72, AMB-CD-18, AMB-CD-13)."""
    side = combat.playing().sides[place]
    kind = attack_kind(combat, place)
    if kind is Attack.SPELL:
        return side.orders.spell in HARMLESS_SPELLS
    grapples = side.action is Action.GRAPPLE and not combat.options.grapple_damage
    return kind is Attack.NET or grapples


def compare(combat: Combat, place: int, mine: Scores, theirs: Scores) -> Blow:
    """Compare Attack with Dodge and Damage with Armor (CD-16, CD-17, CD-19, CD-20, CD-79)."""
    hits = mine[Score.ATTACK] > theirs[Score.DODGE] and can_attack(combat, place)
    if not hits or is_harmless(combat, place):
        return Blow(hits, 0)
    # CD-A11: a negative Armor adds to the damage.
    return Blow(hits, max(0, mine[Score.DAMAGE] - theirs[Score.ARMOR]))


def _feints(side: CombatSide, score: Score) -> bool:
    """Say whether a Feint makes a score 0 (CD-65)."""
    return score is Score.ATTACK and side.action is Action.FEINT


def _is_held(combat: Combat, place: int, score: Score) -> bool:
    """Say whether a Net or a Paralysis makes a score 0 (CD-W15, AMB-CD-11)."""
    return score is Score.DODGE and combat.fighters[place].conditions.held


def _shown(dice: Iterable[CombatDie]) -> dict[Score, int]:
    """Count the dice that show each symbol."""
    shown = NOUGHT.copy()
    for die in dice:
        symbol = die.symbol
        if symbol is not None:
            shown[symbol] += 1
    return shown


def _points(combat: Combat, place: int) -> dict[Score, int]:
    return modifiers_of(
        combat.options,
        combat.fighters[place],
        combat.playing().sides[place].orders.spell,
        ranged=combat.ranged > 0,
        quiet=combat.quiet,
    )


def _modifiers(combat: Combat, place: int, score: Score) -> Tally:
    return tally_modifiers(
        combat.options,
        combat.fighters[place],
        score,
        combat.playing().sides[place].orders.spell,
        ranged=combat.ranged > 0,
        quiet=combat.quiet,
    )


def _turned(side: CombatSide, score: Score) -> list[Term]:
    """Give what dice add or take that count as another symbol (CD-51, CD-61 to CD-64, CD-66)."""
    terms: list[Term] = []
    by_action = CONVERSIONS.get(side.action) if side.action is not None else None
    for number, (frm, to) in enumerate(side.turned, 1):
        change = (to is score) - (frm is score)
        # The action's own die is the last one; whatever came before is Two Weapon Style.
        acted = by_action is not None and number == len(side.turned)
        rule = ACTION_RULES[side.action] if acted and side.action is not None else "CD-51"
        key = str(side.action) if acted else "two_weapon_style"
        if change:
            terms.append(Term(rule, key, Fraction(change)))
    if side.action is Action.SAND and score is Score.DAMAGE:
        terms.append(Term("CD-66", "sand", Fraction(-SAND_DICE)))
    return terms


def _floored(options: CombatOptions, score: Score, tally: Tally) -> Tally:
    if score in FLOORED[options.floor] and tally.total < 0:
        return tally.plus(Term("CD-A11", "floor", -tally.total))
    return tally
