"""Narsil and Anduril: once a battle, announced before an attack roll of one's own (WD-37)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding
from app.rulesets.warrior_dice.state import Fighter
from app.rulesets.warrior_dice.telling import Telling
from app.rulesets.warrior_dice.terms import Phase, ReforgeOrder


def may_reforge(fighter: Fighter) -> bool:
    """Say whether a warrior can reforge its blade now; a missed turn has no attack roll."""
    return (
        fighter.warrior.reforges
        and not fighter.reforged
        and not fighter.used_reforge
        and not fighter.skip
    )


def wants_reforge(fighter: Fighter) -> bool:
    """Say whether the standing order reforges the blade before the next attack."""
    standing = fighter.standing
    if standing.reforge is ReforgeOrder.AT_HITS:
        return fighter.hits <= standing.reforge_at
    return standing.reforge is ReforgeOrder.AT_ONCE


def announce(telling: Telling, fighter: Fighter, announced: bool) -> Fighter:
    """Reforge the blade, where it was announced or a standing order says so."""
    if not may_reforge(fighter):
        return fighter
    answer = "yes" if announced or wants_reforge(fighter) else "no"
    if telling.decide(fighter.id, "reforge", ("yes", "no"), answer, (), asks=False) == "no":
        return fighter
    telling.tell(Finding("WD-37", "reforged", {"name": fighter.name}, "AMB-WD-14", Phase.ATTACK))
    return replace(fighter, reforged=True, used_reforge=True)
