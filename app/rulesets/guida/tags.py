"""Dice tags whose modifier is not the sum of their factors, and which holds then (GC-4.87)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from app.engine.dice import Address, Dice, Roll
from app.engine.findings import Facts, Finding, Violation
from app.engine.ruleset import Asked
from app.engine.tally import Term
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    TagMismatch,
)


def correction(options: Options, dice: Dice, address: Address) -> tuple[Term, ...]:
    """Give what leads from the factors to the modifier of the tag, where the tag holds (AMB-47).

    It is what the writer added or left out, so that it stays the same where the factors change
    after the label was written.
    """
    if options.dice_tag_mismatch is not TagMismatch.WARN_USE_MODIFIER:
        return ()
    tagged = dice.tags().get(address)
    if tagged is None:
        return ()
    return (Term("GC-4.87", "tag_modifier", tagged.declared - tagged.listed),)


def mismatches(
    options: Options, dice: Dice, asked: Iterable[Asked], phase: str
) -> Iterator[Finding]:
    """Report each die of a phase that was thrown with another modifier than its factors make."""
    tags = dice.tags()
    modifier = options.dice_tag_mismatch is TagMismatch.WARN_USE_MODIFIER
    for die in asked:
        tagged = tags.get(die.address)
        if tagged is not None and die.phase == phase:
            facts: Facts = {
                "bearer": die.actor,
                "action": die.action,
                "declared": tagged.declared,
                "listed": tagged.listed,
                "factors_hold": not modifier,
            }
            yield Finding("GC-4.87", "modifier_mismatch", facts, "AMB-47")


def check_rolls(
    options: Options, asked: Iterable[Asked], rolls: tuple[Roll, ...]
) -> Iterator[Violation]:
    """Refuse dice with another modifier than their factors make, where the board says so."""
    if options.dice_tag_mismatch is not TagMismatch.REJECT:
        return
    actions = {die.address: die.action for die in asked}
    for index, roll in enumerate(rolls):
        if roll.tagged is not None:
            facts: Facts = {
                "number": index + 1,
                "sides": roll.sides,
                "action": actions[roll.address],
                "declared": roll.tagged.declared,
                "listed": roll.tagged.listed,
            }
            yield Violation("GC-4.87", "modifier_mismatch", f"modifiers.{index}", facts)
