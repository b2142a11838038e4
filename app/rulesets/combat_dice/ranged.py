"""Ranged rounds (CD-80 to CD-83): how many there are, and whether they go on."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Fact, Finding
from app.rulesets.combat_dice.arms import can_shoot
from app.rulesets.combat_dice.spells import can_cast_at_range
from app.rulesets.combat_dice.state import PLACES, Combat
from app.rulesets.combat_dice.tables import RANGED_ROUNDS_LESS
from app.rulesets.combat_dice.terms import Stage, Stay
from app.rulesets.combat_dice.throws import Chain, Throws


def rounds_of(face: int) -> int:
    """Give the ranged rounds of a die: 1D6-2, never below 0 (CD-80, AMB-CD-19)."""
    return max(0, face - RANGED_ROUNDS_LESS)


def can_fight_at_range(combat: Combat) -> bool:
    """Say whether anybody can attack at range at all (CD-A17)."""
    return any(can_shoot(one) or can_cast_at_range(combat, one) for one in combat.fighters)


def open_range(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Roll for the first ranged rounds (CD-80)."""
    die = throws.face(Chain.RANGE, 0)
    rounds = rounds_of(die)
    facts: dict[str, Fact] = {"die": die, "rounds": rounds}
    opened = replace(combat, ranged=rounds, stage=Stage.ORDERS)
    return opened, [Finding("CD-80", "ranged_rounds", facts, "AMB-CD-19")]


def settle_range(combat: Combat, throws: Throws) -> tuple[Combat, list[Finding]]:
    """Count a ranged round off; after the last of a block see whether both go on (CD-83).

    The combat waits where a fighter wants to be asked and the other does not refuse anyway.
    """
    if not combat.ranged:
        return combat, []
    left = combat.ranged - 1
    if not can_fight_at_range(combat):  # CD-A17: the rest of the block is dropped
        return replace(combat, ranged=0), [Finding("CD-A17", "range_closed", {"dropped": left})]
    if left:
        return replace(combat, ranged=left), []
    stays = tuple(_stay(combat, place) for place in PLACES)
    if None in stays and False not in stays:
        asked = tuple(place for place in PLACES if stays[place] is None)
        paused = replace(combat.playing(), asked=asked)
        return replace(combat, stage=Stage.STAY, round=paused), []
    combat = replace(combat, ranged=0, stays=(None, None))
    if False in stays:
        return combat, [Finding("CD-83", "melee_begins", {}, "AMB-CD-19")]
    die = throws.face(Chain.RANGE, 0)
    facts: dict[str, Fact] = {"die": die, "rounds": rounds_of(die)}
    extended = replace(combat, ranged=rounds_of(die))
    return extended, [Finding("CD-83", "range_extended", facts, "AMB-CD-19")]


def _stay(combat: Combat, place: int) -> bool | None:
    answered = combat.stays[place]
    if answered is not None:
        return answered
    wish = combat.playing().sides[place].orders.stay
    return None if wish is Stay.ASK else wish is Stay.RANGED
