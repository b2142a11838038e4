"""Forme di Gigantismo: how large a combatant is, and what a change of form changes (GC-8.26)."""

from __future__ import annotations

from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import in_force
from app.rulesets.guida.sheet import Gigantism, Tool


def size_of(who: Combatant) -> int:
    """Give the size class of a combatant now: its last change of form's, else its sheet's."""
    sizes = [one.effect.size for one in in_force(who) if isinstance(one.effect, Gigantism)]
    return sizes[-1] if sizes else who.sheet.size


def size_change(who: Combatant, tool: Tool) -> int:
    """Give the sizes by which a technique would change a combatant's form; 0 if it does not."""
    sizes = [effect.size for effect in tool.effects if isinstance(effect, Gigantism)]
    return sizes[-1] - size_of(who) if sizes else 0
