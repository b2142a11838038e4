"""What an action intends beside its blow: to knock back, to recover, which stacks come first."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.findings import Facts, Violation
from app.rulesets.guida.allies import shelters
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.effects import has_knockback
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Knock,
    Main,
    Preparation,
    Turn,
)
from app.rulesets.guida.power import check_potential_bonus, check_power
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import REACTS, TYPE_1
from app.rulesets.guida.terms import Action, Stack
from app.rulesets.guida.throws import may_recover

# Defences made with something that may throw the attacker back (GC-10.1, AMB-74).
THROWING = (
    Action.GUARD,
    Action.PARRY,
    Action.COUNTERATTACK,
    Action.DIRECT_COUNTERATTACK,
    Action.ALLY_GUARD,
    Action.ALLY_PARRY,
    Action.ALLY_COUNTERATTACK,
)

GUARDS = (Action.GUARD, Action.ALLY_GUARD)


def check_intentions(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Violation]:
    """List what is wrong with everything that a turn intends beside its blows."""
    who = scene.who(turn.by)
    if turn.reacts and not may_recover(scene, turn.by):
        yield Violation("GC-10.8", "nothing_knocks_back", "reacts")  # AMB-79
    for index, defence in enumerate(turn.defences):
        field = f"defences.{index}"
        yield from _thrown_by(scene, who, defence, field)
        yield from _reaction(scene, defence, field)
        if defence.then is not None and defence.tool is not None:
            tool = who.sheet.tool(defence.tool)
            yield from _knock(scene, tool, defence.then.knock, f"{field}.then")
            yield from _prefers(defence.then.prefers, f"{field}.then")
    if isinstance(main, Preparation):  # GC-4.38: boosts, releases, tonics and traps only
        senses = {"perception": turn.perception, "camouflage": turn.camouflage}
        for field, id in {**senses, "masking": turn.masking}.items():
            if id is not None:
                yield Violation("GC-4.38", "not_with_preparation", field, {"secondary": field})
    if isinstance(main, Attack):
        yield from _knock(scene, who.sheet.tool(main.tool), main.knock, "main")
        yield from _prefers(main.prefers, "main")


def can_throw(scene: Scene, who: Combatant, action: Action, tool: str) -> bool:
    """Say whether a defence made with a tool may be declared to knock back (AMB-74)."""
    defence = Defence(action=action, against=("a0",), tool=tool, knock=Knock())
    return not any(_thrown_by(scene, who, defence, ""))


def can_knock(scene: Scene, tool: Tool) -> bool:
    """Say whether an attack with a tool may be declared to knock back (GC-10.4)."""
    return not any(_knock(scene, tool, Knock(), ""))


def _knock(scene: Scene, tool: Tool | None, knock: Knock | None, field: str) -> Iterator[Violation]:
    """List what an attack that is to knock back lacks (GC-10.4)."""
    if knock is not None and tool is not None:
        yield from check_potential_bonus(scene.regulation, tool, f"{field}.knock")


def _thrown_by(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Violation]:
    """List why a defence cannot knock its attacker back (AMB-74)."""
    if defence.knock is None:
        return
    tool = who.sheet.tool(defence.tool) if defence.tool else None
    named: Facts = {"action": defence.action}
    if defence.action not in THROWING or tool is None:
        yield Violation("GC-10.1", "defence_cannot_knock", f"{field}.knock", named)
        return
    if not has_knockback(tool) and not scene.options.declared_knockback_on_defence:
        yield Violation("AMB-74", "knockback_not_effect", f"{field}.knock", {"tool": tool.name})
    if defence.action in GUARDS:  # GC-10.5: its power, which a guard needs for nothing else
        yield from check_power(scene.regulation, tool, f"{field}.knock")
    yield from check_potential_bonus(scene.regulation, tool, f"{field}.knock")


def _reaction(scene: Scene, defence: Defence, field: str) -> Iterator[Violation]:
    """List why a defence leaves nothing to recover from (GC-10.8)."""
    if not defence.reacts:
        return
    # What is left to an ally throws the ally, not the protector (AMB-106).
    if defence.action not in REACTS or not shelters(scene.options, defence.action):
        facts: Facts = {"action": defence.action}
        yield Violation("GC-10.8", "reaction_not_with", f"{field}.reacts", facts)
    met = (one for one in scene.incoming if one.id in defence.against)
    if not any(one.knock is not None for one in met):
        yield Violation("GC-10.8", "nothing_knocks_back", f"{field}.reacts")


def _prefers(prefers: tuple[Stack, ...], field: str) -> Iterator[Violation]:
    """Refuse to put first what is no Type-1 stack, since only these are chosen from (GC-11.3)."""
    for index, stack in enumerate(prefers):
        if stack not in TYPE_1 or stack in prefers[:index]:
            facts: Facts = {"stack": stack}
            yield Violation("GC-11.3", "stack_not_chosen", f"{field}.prefers.{index}", facts)


def recoverable(scene: Scene, action: Action, against: tuple[str, ...]) -> tuple[str, ...]:
    """List the attacks that throw back, after which a defence lets one recover (GC-10.8)."""
    if action not in REACTS or not shelters(scene.options, action):
        return ()
    return tuple(one.id for one in scene.incoming if one.id in against and one.knock is not None)
