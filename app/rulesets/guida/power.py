"""Attacchi e Difese (GC-3): the power of what one acts with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from app.engine.findings import Facts, Violation
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import stacks_in_force, total_level
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.readings import (
    CategoryAfter,
    ModifierMode,
    StatBonus,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.terms import Category, Stack


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """Potential and stat bonus, apart because halving and pure damage tell them apart (GC-3.5)."""

    potential: Fraction
    stat_bonus: Fraction
    category: Category
    tally: Tally

    @property
    def total(self) -> Fraction:
        """Give the power."""
        return self.tally.total


def check_power(regulation: Regulation, tool: Tool, field: str) -> Iterator[Violation]:
    """List the numbers that neither the sheet nor the board's regulation gives (GC-3.6, GC-3.7)."""
    named: Facts = {"tool": tool.name}
    if tool.potential is None and regulation.potential_by_category is None:
        yield Violation("GC-3.6", "potential_missing", field, named)
    if tool.category is None:  # GC-5.3: the thresholds of a comparison are those of a category
        yield Violation("GC-3.6", "category_missing", field, named)
    yield from check_stat_bonus(regulation, tool, field)


def check_stat_bonus(regulation: Regulation, tool: Tool, field: str) -> Iterator[Violation]:
    """List what the stat bonus of a technique lacks (GC-3.7, AMB-7)."""
    named: Facts = {"tool": tool.name}
    if tool.stat_bonus is None and regulation.stat_bonus_source is StatBonus.INPUT:
        yield Violation("GC-3.7", "stat_bonus_missing", field, named)
    elif tool.stat_bonus is None and tool.governing is None:
        yield Violation("GC-3.7", "governing_stat_missing", field, named)


def tally_power(
    options: Options, regulation: Regulation, user: Combatant, tool: Tool, *, heals: bool = False
) -> Power:
    """Add up potential and stat bonus (GC-3.5); off-balance takes from the potential (GC-11.6).

    It takes from attacks and defences only: what ``heals`` is neither.
    """
    if tool.category is None:
        raise ValueError(f"{tool.name} has no category; check_power comes first")
    printed = _printed_potential(regulation, tool, tool.category)
    stacks = 0 if heals else stacks_in_force(user, Stack.OFF_BALANCE)
    loss, category = _off_balance(options, regulation, printed.value, tool.category, stacks)
    terms = [printed]
    if loss:
        terms.append(Term("GC-11.6", Stack.OFF_BALANCE, -loss))
    bonus = stat_bonus(user, tool)
    terms.append(bonus)
    return Power(
        potential=printed.value - loss,
        stat_bonus=bonus.value,
        category=category,
        tally=Tally(tuple(terms)),
    )


def check_potential_bonus(regulation: Regulation, tool: Tool, field: str) -> Iterator[Violation]:
    """List what is missing for a potential bonus to be worked out (AMB-8, GC-8.5)."""
    if tool.potential_bonus is not None:
        return
    if regulation.potential_bonus_by_category is None or tool.category is None:
        yield Violation("AMB-8", "potential_bonus_missing", field, {"tool": tool.name})


def potential_bonus(regulation: Regulation, tool: Tool, category: Category | None = None) -> Term:
    """Give the potential bonus: the sheet's, else the board's for the letter (AMB-8).

    ``category`` is the letter asked for where it is not the tool's own.
    """
    if tool.potential_bonus is not None and category is None:
        return Term("GC-8.5", "potential_bonus", tool.potential_bonus, name=tool.name)
    table, letter = regulation.potential_bonus_by_category, category or tool.category
    if table is None or letter is None:
        raise ValueError(f"{tool.name} has no potential bonus; check_potential_bonus comes first")
    return Term("GC-8.5", "potential_bonus", table.of(letter), name=tool.name, board=True)


def category_of(
    options: Options, regulation: Regulation, printed: Category, potential: Fraction
) -> Category:
    """Give the letter of a reduced potential: the printed one, or that of the table (AMB-49)."""
    table = regulation.potential_by_category
    if options.category_after_reduction is CategoryAfter.PRINTED or table is None:
        return printed
    fitting = [category for category in Category if table.of(category) <= potential]
    return fitting[-1] if fitting else Category.D


def _off_balance(
    options: Options, regulation: Regulation, potential: Fraction, printed: Category, stacks: int
) -> tuple[Fraction, Category]:
    """Give what off-balance takes from a potential, and the letter that is left (AMB-9)."""
    table = regulation.potential_by_category
    if options.potential_modifier_mode is ModifierMode.CATEGORY_STEP and table is not None:
        order = list(Category)
        lower = order[max(0, order.index(printed) - stacks)]
        drop = table.of(printed) - table.of(lower)
        return min(drop, potential), lower
    loss = min(options.potential_points_per_modifier * stacks, potential)
    if not loss:
        return loss, printed
    return loss, category_of(options, regulation, printed, potential - loss)


def _printed_potential(regulation: Regulation, tool: Tool, category: Category) -> Term:
    if tool.potential is not None:
        return Term("GC-3.6", "potential", tool.potential, name=tool.name)
    table = regulation.potential_by_category
    if table is None:
        raise ValueError(f"{tool.name} has no potential; check_power comes first")
    return Term("GC-3.6", "potential", table.of(category), name=tool.name, board=True)


def stat_bonus(user: Combatant, tool: Tool) -> Term:
    """Give the stat bonus: the sheet's, else the total level of the governing stat (AMB-7)."""
    if tool.stat_bonus is not None:
        return Term("GC-3.7", "stat_bonus", tool.stat_bonus)
    if tool.governing is None:
        raise ValueError(f"{tool.name} has no stat bonus; check_power comes first")
    level = total_level(user, tool.governing)
    return Term("GC-3.7", "stat_bonus", level.total, parts=level, board=True)
