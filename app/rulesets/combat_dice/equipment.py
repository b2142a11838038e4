"""Equipment modifiers (CD-45): what a fighter attacks with, and what all it bears adds up to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from app.engine.tally import Tally, Term
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.readings import DisarmMode, MissingItems, Stalemate
from app.rulesets.combat_dice.state import CombatFighter
from app.rulesets.combat_dice.tables import (
    ARMORS,
    ATTACK_SPELLS,
    BREAK_ARMOR,
    DISARM,
    GRAPPLED,
    HELD_AS,
    HURT_ARM,
    HURT_LEG,
    KNOCKDOWN,
    MISSILES,
    QUIET_TURNS,
    SHIELD_SPELL,
    SHIELDS,
    SKILLS,
    TWO_HANDED,
    WEAPONS,
    Change,
    Row,
)
from app.rulesets.combat_dice.terms import Attack, Score, Shield, Skill, Spell, Weapon

_NOTHING: Final[Change] = dict.fromkeys(Score, 0)


def attack_of(
    options: CombatOptions, who: CombatFighter, spell: Spell | None, *, ranged: bool
) -> Attack:
    """Say with what a fighter attacks, if it is free to (CD-81, CD-82, AMB-CD-17)."""
    if spell in ATTACK_SPELLS:
        return Attack.SPELL
    if spell is not None and options.utility_spell_blocks_attack:  # AMB-CD-17
        return Attack.NOTHING
    struck = who.conditions.disarmed
    suspended = struck and options.disarm_mode is DisarmMode.UNARMED  # AMB-CD-15
    if ranged:  # CD-81: a bow or a thrown weapon; what lies on the ground cannot be thrown
        out_of_hand = suspended or (struck and who.weapon in HELD_AS)
        return Attack.MISSILE if who.weapon in MISSILES and not out_of_hand else Attack.NOTHING
    return Attack.NET if who.weapon is Weapon.NET and not suspended else Attack.WEAPON


def weapon_row(
    options: CombatOptions, who: CombatFighter, attack: Attack, *, ranged: bool
) -> Weapon | None:
    """Say which row of the weapon table counts, if any (CD-46, CD-A18)."""
    if attack is Attack.SPELL:  # CD-47: the spell's modifiers replace the weapon's
        return None
    if ranged:  # AMB-CD-19: the row of a melee weapon is ignored
        return who.weapon if attack is Attack.MISSILE else None
    row: Weapon | None = HELD_AS.get(
        who.weapon, who.weapon
    )  # CD-82, CD-A18: in melee a thrown form is held
    if who.conditions.disarmed and options.disarm_mode is DisarmMode.UNARMED:
        row = Weapon.UNARMED
    if row is Weapon.BOW:  # CD-46: no usable weapon is Unarmed, if that comes by itself
        automatic = options.missing_item_rows is MissingItems.AUTOMATIC
        row = Weapon.UNARMED if automatic else None
    # CD-53: to a Martial Artist bare hands are no penalty
    return None if row is Weapon.UNARMED and who.has(Skill.MARTIAL_ARTIST) else row


def has_weapon_in_hand(who: CombatFighter, *, ranged: bool) -> bool:
    """Say whether a fighter holds something that can be struck from its hand (CD-A14)."""
    if who.conditions.disarmed or who.weapon is Weapon.UNARMED:
        return False
    return ranged or who.weapon is not Weapon.BOW


def shield_row(options: CombatOptions, who: CombatFighter, weapon: Weapon | None) -> Shield | None:
    """Say which row of the shield table counts, if any (CD-46, AMB-CD-2)."""
    if options.missing_item_rows is MissingItems.LISTED_ONLY:
        return who.shield
    if weapon in TWO_HANDED:  # both hands are on the weapon
        return Shield.NONE
    return Shield.NONE if who.shield is None else who.shield


def tally_modifiers(
    options: CombatOptions,
    who: CombatFighter,
    score: Score,
    spell: Spell | None = None,
    *,
    ranged: bool = False,
    quiet: int = 0,
) -> Tally:
    """Add up all that changes a score, by source (CD-45)."""
    terms = _terms(options, who, spell, ranged=ranged, quiet=quiet)
    return Tally(
        tuple(
            Term(rule, key, Fraction(change[score]))
            for rule, key, change in terms
            if change.get(score)
        )
    )


def modifiers_of(
    options: CombatOptions, who: CombatFighter, spell: Spell | None, *, ranged: bool, quiet: int
) -> dict[Score, int]:
    """Give what changes each score in all: the totals of ``tally_modifiers``, all six at once."""
    points = dict(_NOTHING)
    for _, _, change in _terms(options, who, spell, ranged=ranged, quiet=quiet):
        for score, value in change.items():
            points[score] += value
    return points


def _terms(
    options: CombatOptions, who: CombatFighter, spell: Spell | None, *, ranged: bool, quiet: int
) -> Iterator[tuple[str, str, Change]]:
    attack = attack_of(options, who, spell, ranged=ranged)
    weapon = weapon_row(options, who, attack, ranged=ranged)
    if spell is not None and attack is Attack.SPELL:
        yield _row(ATTACK_SPELLS[spell], spell)
    if weapon is not None:
        yield _row(WEAPONS[weapon], weapon)
    yield _row(ARMORS[who.armor], f"{who.armor}_armor")
    shield = shield_row(options, who, weapon)
    if shield is not None:
        yield _row(SHIELDS[shield], f"{shield}_shield")
    for skill, row in SKILLS.items() if who.skills else ():
        # CD-52: a rider that was knocked off has no horse any more
        if who.has(skill) and (skill is not Skill.RIDING_HORSE or who.conditions.mounted):
            yield _row(row, skill)
    yield from _conditions(options, who, attack)
    bonus = escalation(options, quiet)
    if bonus:
        yield "CD-A13", "escalation", {Score.DAMAGE: bonus}


def _conditions(
    options: CombatOptions, who: CombatFighter, attack: Attack
) -> Iterator[tuple[str, str, Change]]:
    have = who.conditions
    if have.shield_spell:
        yield "CD-78", "shield_spell", {Score.ARMOR: SHIELD_SPELL}
    if have.hurt_arm:
        yield "CD-D3", "hurt_arm", _times(HURT_ARM, have.hurt_arm)
    if have.hurt_leg:
        yield "CD-D11", "hurt_leg", _times(HURT_LEG, have.hurt_leg)
    if have.break_armor:
        yield "CD-D10", "break_armor", _times(BREAK_ARMOR, have.break_armor)
    if have.disarmed and disarm_weakens(options, who, attack):
        yield "CD-D5", "disarmed", DISARM
    if have.knockdown:
        yield "CD-D9", "knockdown", KNOCKDOWN
    if have.grappled:
        yield "CD-67", "grappled", GRAPPLED


def disarm_weakens(options: CombatOptions, who: CombatFighter, attack: Attack) -> bool:
    """Say whether being disarmed costs its flat -2 (AMB-CD-15, CD-A14).

    Not an attack spell, nor a Martial Artist, nor where the row of bare hands stands in its place.
    """
    flat = options.disarm_mode is DisarmMode.FLAT
    return flat and attack is not Attack.SPELL and not who.has(Skill.MARTIAL_ARTIST)


def escalation(options: CombatOptions, quiet: int) -> int:
    """Give the Damage that a long stalemate adds: +1 after 30 quiet turns, then more (CD-A13)."""
    if options.stalemate is not Stalemate.ESCALATE or quiet < QUIET_TURNS:
        return 0
    return quiet - QUIET_TURNS + 1


def _row(row: Row, key: str) -> tuple[str, str, Change]:
    return row.rule, key, row.change


def _times(change: Change, count: int) -> Change:
    return {score: value * count for score, value in change.items()}
