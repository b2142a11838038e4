"""A fighter as a sheet gives it, before anything is rolled (CD-3 to CD-7)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from app.engine.findings import Fact, Violation
from app.engine.text import Between, Length, Name
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.tables import (
    BASIC_DICE,
    GLADIATORS,
    ITEMS,
    LEAST_DICE_OF_A_CASTER,
    Kit,
)
from app.rulesets.combat_dice.terms import (
    Armor,
    Gladiator,
    Shield,
    Skill,
    Spell,
    Training,
    Weapon,
)

SKILLS_OF: Final = {Training.BASIC: 0, Training.ADVANCED: 1}  # AMB-CD-21


@dataclass(frozen=True, slots=True, kw_only=True)
class LastingWounds:
    """Permanent wounds of earlier combats, where a table lets them last (AMB-CD-23)."""

    hurt_arm: Annotated[int, Between(0, 20)] = 0
    hurt_leg: Annotated[int, Between(0, 20)] = 0
    break_armor: Annotated[int, Between(0, 20)] = 0
    blinded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterSheet:
    """Who fights, and with what; as it stands it is the standard fighter (CD-7).

    A ``gladiator`` brings the printed kit, and the fields that would say otherwise are left as
    they are. ``shield`` None is a sheet that is silent about shields (AMB-CD-2). ``forgone`` are
    basic dice given up for spells (CD-68), ``charms`` the items that hold one (CD-6).
    """

    name: Name
    training: Training = Training.BASIC
    gladiator: Gladiator | None = None
    weapons: Annotated[tuple[Weapon, ...], Length(0, 3)] = (Weapon.SWORD,)
    armor: Armor = Armor.LIGHT
    shield: Shield | None = Shield.MEDIUM
    skills: Annotated[tuple[Skill, ...], Length(0, 6)] = ()
    spells: Annotated[tuple[Spell, ...], Length(0, 9)] = ()
    forgone: Annotated[int, Between(0, 6)] = 0
    charms: Annotated[int, Between(0, 3)] = 0
    wounds: LastingWounds = LastingWounds()


def kit_of(sheet: FighterSheet) -> Kit:
    """Give what a fighter carries and has learned: a gladiator's is printed (CD-G1 to CD-G6)."""
    if sheet.gladiator is not None:
        return GLADIATORS[sheet.gladiator]
    return Kit(
        rule="CD-5",
        weapons=sheet.weapons,
        armor=sheet.armor,
        shield=sheet.shield,
        skills=sheet.skills,
    )


def basic_dice(forgone: int) -> int:
    """Give the basic dice that are left of those given up for spells (CD-3, CD-68)."""
    return BASIC_DICE - forgone


def spells_due(forgone: int, exchanged: int, charms: int) -> int:
    """Count spells: one for a die given up, a specialty die exchanged, a charm (CD-6, CD-68b)."""
    return forgone + exchanged + charms


def check_build(forgone: int, charms: int, at: str = "") -> Iterator[Violation]:
    """List what is wrong with the dice given up and the charms (CD-5, CD-68)."""
    if basic_dice(forgone) < LEAST_DICE_OF_A_CASTER:  # CD-68: at least 3 dice are kept
        facts: dict[str, Fact] = {"kept": basic_dice(forgone), "least": LEAST_DICE_OF_A_CASTER}
        yield Violation("CD-68", "too_few_dice_kept", f"{at}forgone", facts)
    if charms > ITEMS:  # CD-5: a charm is one of the items
        yield Violation("CD-5", "too_many_charms", f"{at}charms", {"most": ITEMS})


def check_sheet(sheet: FighterSheet, options: CombatOptions, at: str) -> Iterator[Violation]:
    """List everything that is wrong with a sheet (CD-5, CD-6, CD-50, CD-68, CD-69)."""
    name = {"name": sheet.name}
    yield from check_build(sheet.forgone, sheet.charms, at)
    if sheet.gladiator is not None:
        yield from _check_gladiator(sheet, at)
    else:
        yield from _check_items(sheet, at)
        yield from check_skills(sheet, options, at)
    due = spells_due(sheet.forgone, 0, sheet.charms)
    if len(sheet.spells) != due:
        facts: dict[str, Fact] = {**name, "spells": len(sheet.spells), "due": due}
        yield Violation("CD-68", "spells_do_not_fit", f"{at}spells", facts)
    if len(set(sheet.spells)) < len(sheet.spells):  # CD-69: once a combat each
        yield Violation("CD-69", "spell_twice", f"{at}spells", name)
    if sheet.wounds != LastingWounds() and not options.wounds_persist:  # AMB-CD-23
        yield Violation("CD-D3", "wounds_do_not_last", f"{at}wounds", name)


def check_skills(sheet: FighterSheet, options: CombatOptions, at: str = "") -> Iterator[Violation]:
    """List skills beyond what a fighter may have learned (CD-50, AMB-CD-21)."""
    most = SKILLS_OF[sheet.training] if options.max_skills is None else options.max_skills
    if len(set(sheet.skills)) > most or len(set(sheet.skills)) < len(sheet.skills):
        facts: dict[str, Fact] = {"name": sheet.name, "skills": len(sheet.skills), "most": most}
        yield Violation("CD-50", "too_many_skills", f"{at}skills", facts)


def _check_gladiator(sheet: FighterSheet, at: str) -> Iterator[Violation]:
    """A gladiator is what the book prints: nothing of it is chosen."""
    plain = FighterSheet(name=sheet.name, gladiator=sheet.gladiator, wounds=sheet.wounds)
    if sheet != plain:
        yield Violation("CD-G1", "gladiator_is_printed", f"{at}gladiator", {"name": sheet.name})


def _check_items(sheet: FighterSheet, at: str) -> Iterator[Violation]:
    shielded = sheet.shield not in (None, Shield.NONE)
    worn = sheet.armor is not Armor.NONE
    items = len(sheet.weapons) + shielded + worn + sheet.charms
    if items > ITEMS:  # CD-5; a kind may repeat (AMB-CD-20)
        facts: dict[str, Fact] = {"name": sheet.name, "items": items, "most": ITEMS}
        yield Violation("CD-5", "too_many_items", f"{at}weapons", facts)
    if Weapon.UNARMED in sheet.weapons:
        yield Violation("CD-W1", "bare_hands_are_no_item", f"{at}weapons", {"name": sheet.name})
