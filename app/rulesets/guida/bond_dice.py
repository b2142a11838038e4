"""The die apart of a constraint's value, where a board wants one (AMB-59)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.ruleset import Asked
from app.engine.tally import Tally, Term
from app.rulesets.guida.constraints import brings_bond
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Main,
    Turn,
)
from app.rulesets.guida.power import potential_bonus, stat_bonus
from app.rulesets.guida.readings import (
    ConstraintDie,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ACTION_DIE, COUNTERS
from app.rulesets.guida.terms import Action, Bind, Phase

BOND_PLACE: Final = 74
SIDES: Final = ACTION_DIE[Action.CONSTRAINT] or 0
COUNTERING: Final = (*COUNTERS, Action.ALLY_COUNTERATTACK)


def bond_address(defence: int | None) -> Address:
    """Say where the die stands: for the attack, or for a counterattack by its place."""
    return Address(BOND_PLACE, 0 if defence is None else defence + 1)


def bond_die(
    scene: Scene,
    tools: tuple[Tool, ...],
    binds: tuple[Bind, ...],
    dice: Dice,
    *,
    defence: int | None = None,
) -> int | None:
    """Give the die apart of what is launched, or None where the attack's own counts."""
    if not _rolls(scene, tools, binds):
        return None
    return dice.face(bond_address(defence), SIDES)


def asked_bond_dice(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Asked]:
    """List the dice apart of the constraints that a post may apply."""
    who = scene.who(turn.by)
    declared: list[tuple[int | None, str, tuple[str, ...], tuple[Bind, ...], str]] = []
    if isinstance(main, Attack):
        declared.append((None, main.tool, main.support, main.binds, main.target))
    opponents = {one.id: one.attacker for one in scene.against(turn.by)}
    opponents |= {one.id: one.actor for one in scene.counterable(turn.by)}
    for index, defence in enumerate(turn.defences):
        if defence.action in COUNTERING and defence.tool:
            then = defence.then or Continuation()
            target = next((opponents[id] for id in defence.against if id in opponents), "")
            declared.append((index, defence.tool, defence.support, then.binds, target))
    for place, id, support, binds, target in declared:
        own = who.sheet.tool(id)
        more = tuple(tool for one in support if (tool := who.sheet.tool(one)) is not None)
        if own is None or not _rolls(scene, (own, *more), binds):
            continue
        yield Asked(
            address=bond_address(place),
            sides=SIDES,
            phase=Phase.OFFENSIVE,
            action=Action.CONSTRAINT,
            actor=who.sheet.name,
            targets=(scene.who(target).sheet.name,) if target else (),
            items=(own.name,),
            tally=_tally(scene, turn.by, (own, *more), binds),
        )


def _rolls(scene: Scene, tools: tuple[Tool, ...], binds: tuple[Bind, ...]) -> bool:
    apart = scene.options.constraint_die is ConstraintDie.SEPARATE_D12
    return apart and (bool(binds) or any(brings_bond(tool) for tool in tools))


def _tally(scene: Scene, id: str, tools: tuple[Tool, ...], binds: tuple[Bind, ...]) -> Tally:
    """Add up everything but the die of the value, as the first constraint would have it."""
    tool = tools[0] if binds else next(one for one in tools if brings_bond(one))
    bonus = potential_bonus(scene.regulation, tool)
    half = scene.options.arithmetic.divide(bonus.value, 2) - bonus.value
    return Tally((bonus,)).plus(
        Term("GC-8.15", "half_bonus", half) if binds else None, stat_bonus(scene.who(id), tool)
    )
