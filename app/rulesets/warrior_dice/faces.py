"""What a face shows now: the sheet, Anduril once it is reforged, and a Neutralize read anew."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.readings import DefensiveNeutralize, RegainInAttack
from app.rulesets.warrior_dice.sheet import FIRST_ADDER_FACE, NARSIL_FACE, FaceOption
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.terms import Kind, Phase, Special

ANDURIL: Final = "Anduril"
ANDURIL_GAINS: Final = 20  # WD-37: from 30 to 50; what XP have added to Narsil stays


def options_on(options: DuelOptions, fighter: Fighter, face: int) -> tuple[FaceOption, ...]:
    """List what a face lets its owner use (WD-3, WD-39)."""
    return tuple(
        _as_read(options, fighter, place, option)
        for place, option in enumerate(fighter.warrior.on(face))
    )


def counts_in(options: DuelOptions, option: FaceOption, phase: Phase) -> bool:
    """Say whether an option does something in a phase (AMB-WD-4, WD-A2)."""
    if option.kind in (Kind.ADDER, Kind.DOUBLER):
        return True  # WD-13: they work in both phases
    if option.special is Special.REGAIN:
        return phase is Phase.DEFENCE or heals_in_attack(options, option)
    return option.kind == (Kind.ATTACK if phase is Phase.ATTACK else Kind.DEFENCE)


def heals_in_attack(options: DuelOptions, option: FaceOption) -> bool:
    """Say whether a Regain heals in the Attack phase (AMB-WD-9)."""
    return option.untyped or options.regain_in_attack is RegainInAttack.BOTH


def _as_read(options: DuelOptions, fighter: Fighter, place: int, option: FaceOption) -> FaceOption:
    if fighter.reforged and place == 0:  # WD-37: both changes stay
        if option.face == NARSIL_FACE:
            return replace(option, name=ANDURIL, force=(option.force or 0) + ANDURIL_GAINS)
        if option.face == FIRST_ADDER_FACE:
            return replace(option, kind=Kind.DOUBLER, name="Doubler")
    if (
        option.special is Special.NEUTRALIZE
        and options.defensive_neutralize is DefensiveNeutralize.AS_ATTACK
    ):
        return replace(option, kind=Kind.ATTACK)  # AMB-WD-12, read as a misprint
    return option
