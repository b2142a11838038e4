"""Fighters and set-up (CD-1 to CD-7, CD-38 to CD-43, CD-68): what a combat starts from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Obstacle, Violation
from app.rulesets.combat_dice.orders import FinishFighter
from app.rulesets.combat_dice.ranged import can_fight_at_range
from app.rulesets.combat_dice.sheet import (
    LastingWounds,
    basic_dice,
    check_sheet,
    kit_of,
    spells_due,
)
from app.rulesets.combat_dice.state import (
    Combat,
    CombatConditions,
    CombatEntrant,
    CombatFighter,
    CombatSetup,
)
from app.rulesets.combat_dice.tables import HIT_POINTS
from app.rulesets.combat_dice.terms import Skill, Stage, Training, Weapon
from app.rulesets.combat_dice.throws import Chain, Throws


def check_setup(setup: CombatSetup) -> tuple[Obstacle, ...]:
    """List everything that keeps a combat from being opened."""
    return tuple(_check_setup(setup))


def _check_setup(setup: CombatSetup) -> Iterator[Violation]:
    ids = [one.id for one in setup.entrants]
    if len(set(ids)) < len(ids):  # CD-1: two fighters
        yield Violation("CD-1", "id_twice", "entrants[1].id", {"id": ids[0]})
    for number, entrant in enumerate(setup.entrants):
        yield from check_sheet(entrant.sheet, setup.options, f"entrants[{number}].sheet.")


def start(setup: CombatSetup) -> Combat:
    """Make the first state; advanced fighters are rolled before anything else (CD-38)."""
    first, second = (fighter_of(one) for one in setup.entrants)
    combat = Combat(options=setup.options, fighters=(first, second), stage=Stage.BUILD)
    return opened(combat)


def fighter_of(entrant: CombatEntrant) -> CombatFighter:
    """Make a fighter of a sheet (CD-3, CD-4); what is rolled comes later."""
    sheet, kit = entrant.sheet, kit_of(entrant.sheet)
    advanced = sheet.training is Training.ADVANCED
    return CombatFighter(
        id=entrant.id,
        sheet=sheet,
        max_hp=HIT_POINTS,
        hp=HIT_POINTS,
        dice=basic_dice(sheet.forgone),
        weapon=next(iter(kit.weapons), Weapon.UNARMED),
        weapons=kit.weapons,
        armor=kit.armor,
        shield=kit.shield,
        skills=kit.skills,
        spells=sheet.spells,
        conditions=_begun(sheet.wounds, Skill.RIDING_HORSE in kit.skills),
        finished=not advanced,
    )


def opened(combat: Combat) -> Combat:
    """Move on to the next thing that has to be settled before the first orders."""
    if any(not one.finished for one in combat.fighters):
        rolled = all(one.finished or one.rolled is not None for one in combat.fighters)
        return replace(combat, stage=Stage.FINISH if rolled else Stage.BUILD)
    # CD-A17: without anybody who can attack at range there is nothing to roll for
    return replace(combat, stage=Stage.OPEN if can_fight_at_range(combat) else Stage.ORDERS)


def build(combat: Combat, place: int, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Roll 1D6 further hit points and 1D6 specialty dice (CD-38, CD-39)."""
    points, dice = throws.face(Chain.HIT_POINTS, place), throws.face(Chain.SPECIALTY_DICE, place)
    who = combat.fighters[place]
    max_hp = HIT_POINTS + points
    built = replace(who, max_hp=max_hp, hp=max_hp, rolled=dice)
    facts: dict[str, Fact] = {"fighter": who.name, "points": points, "hp": max_hp, "dice": dice}
    return opened(combat.put(place, built)), [Finding("CD-38", "built", facts)]


def check_finish(who: CombatFighter, order: FinishFighter) -> Iterator[Violation]:
    """List what is wrong with the choice of specialty dice and spells (CD-43, CD-68b)."""
    rolled = who.rolled or 0
    if len(order.specialty) + len(order.spells) != rolled:
        facts: dict[str, Fact] = {
            "name": who.name,
            "chosen": len(order.specialty) + len(order.spells),
            "rolled": rolled,
        }
        yield Violation("CD-68b", "dice_do_not_fit", "specialty", facts)
    spells = (*who.spells, *order.spells)
    if len(set(spells)) < len(spells):  # CD-69
        yield Violation("CD-69", "spell_twice", "spells", {"name": who.name})


def finish(combat: Combat, place: int, order: FinishFighter) -> tuple[Combat, list[Finding]]:
    """Take the chosen specialty dice, and spells in place of some (CD-42, CD-68b)."""
    who = combat.fighters[place]
    sheet = who.sheet
    due = spells_due(sheet.forgone, len(order.spells), sheet.charms)
    done = replace(
        who, specialty=order.specialty, spells=(*who.spells, *order.spells), finished=True
    )
    facts: dict[str, Fact] = {
        "fighter": who.name,
        "specialty": tuple(str(one) for one in order.specialty),
        "spells": tuple(str(one) for one in order.spells),
        "due": due,
    }
    return opened(combat.put(place, done)), [Finding("CD-42", "finished", facts)]


def _begun(wounds: LastingWounds, mounted: bool) -> CombatConditions:
    return CombatConditions(
        hurt_arm=wounds.hurt_arm,
        hurt_leg=wounds.hurt_leg,
        break_armor=wounds.break_armor,
        blinded=wounds.blinded,
        mounted=mounted,
    )
