"""The label of a die, from what was asked before it was thrown (GC-4.84, GC-4.86)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from app.engine.dice import Roll
from app.engine.ruleset import Asked
from app.posts.blocks import Die
from app.posts.names import safe_name
from app.posts.phrases import find, say, written_tally


def write_label(language: str, ruleset: str, asked: Asked) -> str:
    """Write action, weapons and techniques, actor and targets, and every factor with its sign."""
    label = safe_name(_action_name(language, ruleset, asked))
    if asked.items:
        label += f" [{', '.join(map(safe_name, asked.items))}]"
    label += f" ({safe_name(asked.actor)}"
    if asked.targets:
        label += f" vs {', '.join(map(safe_name, asked.targets))}"
    label += ")"
    factors = written_tally(language, ruleset, asked.tally)
    return f"{label}: ({factors})" if factors else label


def _action_name(language: str, ruleset: str, asked: Asked) -> str:
    """Name an action; the second die of one that has two has a name of its own (GC-4.63)."""
    second = bool(asked.address.index) and find(language, ruleset, "continuations", asked.action)
    return say(language, ruleset, "continuations" if second else "actions", asked.action)


def write_die(
    language: str,
    ruleset: str,
    asked: Asked,
    rolls: Sequence[Roll] | None,
    *,
    live: bool,
) -> Die:
    """Put a die together: its modifier is the total of the very terms that its label lists.

    One that was thrown with another modifier is shown as it was thrown (GC-4.87).
    """
    fallen: Mapping[object, Roll] = {roll.address: roll for roll in rolls or ()}
    roll = fallen.get(asked.address)
    tagged = roll.tagged if roll else None
    return Die(
        sides=asked.sides,
        modifier=Fraction(asked.tally.total) if tagged is None else tagged.declared,
        label=write_label(language, ruleset, asked),
        face=roll.face if roll else None,
        live=live and roll is None,
    )
