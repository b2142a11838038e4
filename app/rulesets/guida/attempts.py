"""Tentativi di Liberazione in a post (GC-8.17, GC-14.22): which it declares, and where."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app.engine.dice import Address
from app.engine.findings import Facts, Violation
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.constraints import may_be_bound
from app.rulesets.guida.effects import check_effects
from app.rulesets.guida.forms import size_change
from app.rulesets.guida.liberation import has_tried, is_proper
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Generic,
    Main,
    Turn,
)
from app.rulesets.guida.power import check_potential_bonus, check_stat_bonus
from app.rulesets.guida.readings import (
    LiberationDie,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ACTION_DIE

# Where the dice of attempts stand: apart, beside the main action's, beside a defence's.
APART: Final = Address(70)
BESIDE_MAIN: Final = Address(70, 1)
FREEING_INDEX: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """One attempt a post declares: in which field, with what, after how many of its defences.

    ``after`` is None for one that comes with the main action: nothing builds on it.
    ``address`` is that of its die; ``beside`` tells that an action doubles as it (GC-8.23),
    ``form`` that it is a change of gigantism form (GC-8.26).
    """

    field: str
    tool: Tool | None
    after: int | None
    address: Address
    beside: bool = False
    form: bool = False


def attempts_in(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Declared]:
    """Go through the attempts of a post; a change of form is one for whoever may be bound."""
    who = scene.who(turn.by)
    if turn.liberation is not None:
        tool = who.sheet.tool(turn.liberation.tool)
        after = turn.liberation.after
        yield Declared(field="liberation", tool=tool, after=after, address=APART)
    for index, defence in enumerate(turn.defences):
        if defence.frees:
            tool = who.sheet.tool(defence.tool) if defence.tool else None
            yield Declared(
                field=f"defences.{index}.frees",
                tool=tool,
                after=index + 1,
                address=Address(index, FREEING_INDEX),
                beside=True,
            )
    if isinstance(main, Attack) and main.frees:
        tool = who.sheet.tool(main.tool)
        yield Declared(field="main.frees", tool=tool, after=None, address=BESIDE_MAIN, beside=True)
    if may_be_bound(scene, turn.by):
        yield from _forms(who, turn, main)


def freed_after(scene: Scene, turn: Turn, main: Main | None) -> int | None:
    """Say from which defence on a post counts on an attempt having worked; None if on none.

    A number as large as that of the defences stands for the Offensive Phase (GC-14.22).
    """
    places = [one.after for one in attempts_in(scene, turn, main) if one.after is not None]
    return min(places, default=None)


def changes_form(scene: Scene, turn: Turn, main: Main | None) -> bool:
    """Say whether a post needs the die of an attempt by a change of form (GC-8.19)."""
    return any(one.form for one in attempts_in(scene, turn, main))


def needs_die(scene: Scene, tool: Tool) -> bool:
    """Say whether an action that doubles as an attempt rolls a die apart for it (AMB-65)."""
    return is_proper(tool) or (scene.options.improper_liberation_die is LiberationDie.SEPARATE_D12)


def check_form(scene: Scene, who: Combatant, tool: Tool, field: str) -> Iterator[Violation]:
    """List why a change of form cannot be the attempt it would be (GC-8.17, GC-8.28)."""
    if not size_change(who, tool):
        return
    if has_tried(who):
        yield Violation("GC-8.17", "liberation_repeated", field)
    elif may_be_bound(scene, who.id):
        yield from _check_form(scene, tool, field)


def check_attempts(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    """List what is wrong with the attempts of a post: one a turn, and with what (GC-8.17)."""
    declared = list(attempts_in(scene, turn, main))
    for second in declared[1:]:
        yield Violation("GC-8.17", "liberation_repeated", second.field)
    for one in declared:
        if not one.form and not may_be_bound(scene, turn.by):
            yield Violation("GC-8.17", "not_bound", one.field)
    if turn.liberation is not None:
        yield from _check_liberation(scene, turn)
    for index, defence in enumerate(turn.defences):
        if defence.frees:
            yield from _check_frees(scene, turn, defence, f"defences.{index}")
    if isinstance(main, Attack) and main.frees:
        tool = scene.who(turn.by).sheet.tool(main.tool)
        if tool is not None:
            yield from _check_numbers(scene, tool, "main.tool")
    for one in declared:
        if one.form and one.tool is not None:
            yield from _check_form(scene, one.tool, one.field)


def _forms(who: Combatant, turn: Turn, main: Main | None) -> Iterator[Declared]:
    named: list[tuple[str, str, int | None]] = []
    for index, defence in enumerate(turn.defences):
        own = [(f"defences.{index}.tool", defence.tool)] if defence.tool else []
        more = [(f"defences.{index}.support.{at}", id) for at, id in enumerate(defence.support)]
        named += [(field, id, len(turn.defences)) for field, id in (*own, *more)]
    for index, one in enumerate(turn.independents):
        named.append((f"independents.{index}.tool", one.tool, len(turn.defences)))
    if main is not None:
        own = [("main.tool", main.tool)] if isinstance(main, Attack | Generic) else []
        more = [(f"main.support.{at}", id) for at, id in enumerate(main.support)]
        named += [(field, id, None) for field, id in (*own, *more)]
    for field, id, after in named:
        tool = who.sheet.tool(id)
        if tool is not None and size_change(who, tool):
            yield Declared(field=field, tool=tool, after=after, address=APART, form=True)


def _check_liberation(scene: Scene, turn: Turn) -> Iterator[Violation]:
    order = turn.liberation
    if order is None:
        return
    tool = scene.who(turn.by).sheet.tool(order.tool)
    if order.after > len(turn.defences):
        facts: Facts = {"after": order.after, "defences": len(turn.defences)}
        yield Violation("GC-14.22", "liberation_misplaced", "liberation.after", facts)
    if tool is None:
        facts = {"tool": order.tool}
        yield Violation("GC-8.17", "tool_not_on_sheet", "liberation.tool", facts)
        return
    if not is_proper(tool):
        facts = {"tool": tool.name}
        yield Violation("GC-8.17", "tool_not_for_liberation", "liberation.tool", facts)
    yield from _check_numbers(scene, tool, "liberation.tool")
    yield from check_effects(tool, "liberation.tool", attacking=False)


def _check_frees(scene: Scene, turn: Turn, defence: Defence, field: str) -> Iterator[Violation]:
    tool = scene.who(turn.by).sheet.tool(defence.tool) if defence.tool else None
    if tool is None or ACTION_DIE[defence.action] is None:
        facts: Facts = {"action": defence.action}
        yield Violation("GC-8.23", "frees_needs_tool", f"{field}.frees", facts)
    else:
        yield from _check_numbers(scene, tool, f"{field}.tool")


def _check_numbers(scene: Scene, tool: Tool, field: str) -> Iterator[Violation]:
    yield from check_potential_bonus(scene.regulation, tool, field)
    yield from check_stat_bonus(scene.regulation, tool, field)


def _check_form(scene: Scene, tool: Tool, field: str) -> Iterator[Violation]:
    if scene.regulation.potential_bonus_by_category is None:
        yield Violation("GC-8.28", "size_bonus_missing", field, {"tool": tool.name})
    yield from check_stat_bonus(scene.regulation, tool, field)
