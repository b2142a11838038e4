"""What stands in the way of a turn: every obstacle at once, each with its rule and its field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.engine.findings import Facts, Obstacle, Violation
from app.rulesets.guida.allies import (
    at_allies,
    check_ally_defence,
    declared_at_allies,
    works_as,
)
from app.rulesets.guida.areas import can_answer
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Generic,
    Independent,
    Main,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.senses import is_hidden, unseen_by
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ALLY_DEFENCES, COUNTERS
from app.rulesets.guida.terms import Action, AttackForm
from app.rulesets.guida.toward import expected_opponent, strikes
from app.rulesets.guida.underway import (
    Ruled,
)
from app.rulesets.guida.uses import (
    check_aim,
    check_claims,
    check_further,
    check_move,
    check_reach,
    check_supports,
    check_tool,
    covered,
    dodge_reach,
)
from app.rulesets.guida.veil import told_questions

DEFENCES = (
    Action.NULL_DEFENCE,
    Action.GUARD,
    Action.PARRY,
    Action.DODGE,
    Action.UNBALANCE,
    Action.COUNTERATTACK,
    Action.DIRECT_COUNTERATTACK,
    Action.GENERIC_COUNTERATTACK,
    *ALLY_DEFENCES,
)
# What a defence is made with: the use its tool must be good for; None where it takes no tool.
MADE_WITH: Final[dict[Action, str | None]] = {
    Action.NULL_DEFENCE: None,
    Action.GUARD: "guards",
    Action.PARRY: "parries",
    Action.DODGE: None,
    Action.UNBALANCE: None,
    Action.COUNTERATTACK: "attacks",
    Action.DIRECT_COUNTERATTACK: "attacks",
    Action.GENERIC_COUNTERATTACK: "attacks",
    Action.ALLY_NULL_DEFENCE: None,
    Action.ALLY_GUARD: "guards",
    Action.ALLY_COUNTERATTACK: "attacks",
    Action.ALLY_PARRY: "parries",
    Action.ALLY_DODGE: None,
}
BARE: Final = (Action.GUARD, Action.ALLY_GUARD)  # GC-4.47: with something or with nothing
# The rule that says of a defence that it takes no weapon.
TAKES_NOTHING: Final[dict[Action, str]] = {
    Action.DODGE: "GC-4.59",
    Action.UNBALANCE: "GC-4.60",
    Action.ALLY_NULL_DEFENCE: "GC-13.13",
    Action.ALLY_DODGE: "GC-13.18",
}


def made_with(options: Options, action: Action) -> str | None:
    """Give the use that the tool of a defence must be good for (AMB-107); None without a tool."""
    return MADE_WITH[action] or MADE_WITH[works_as(options, action)]


def check_seat(scene: Scene, id: str) -> Iterator[Obstacle]:
    """List why a seat may not post a turn now."""
    if scene.ended:
        yield Violation("GC-2.1", "scene_ended")
    elif scene.paused:
        yield Violation("GC-2.1", "scene_paused")
    if not scene.has(id):
        yield Violation("GC-2.1", "unknown_combatant", "by", {"id": id})
        return
    who = scene.who(id)
    if not who.active:
        facts: Facts = {"bearer": who.sheet.name, "standing": who.standing}
        yield Violation("GC-2.1", "not_fighting", "by", facts)
    elif scene.next != id and not scene.ended:
        if is_hidden(scene, scene.next, id):  # whose turn it is, is not for everybody to know
            yield Violation("GC-2.2", "turn_of_hidden", "by")
        else:
            next_name = scene.who(scene.next).sheet.name
            yield Violation("GC-2.2", "not_your_turn", "by", {"next": next_name})
    waits = (question for question in scene.questions if id in question.blocks)
    yield from told_questions(scene, waits, id, unseen_by(scene, id))


def check_suspended(scene: Scene, opened: Scene, turn: Turn) -> Iterator[Obstacle]:
    """List what is wrong with the choices about suspended actions (GC-4.80).

    Each demands one, and is gone from ``opened`` once it is made; nothing else can be chosen about.
    """
    for pending in opened.suspended(turn.by):
        name = pending.tool.name if pending.tool else pending.action
        facts: Facts = {"name": name, "strikes": strikes(opened, pending)}
        yield Violation("GC-4.80", "suspended_undecided", "suspended", facts)
    held = {pending.id for pending in scene.suspended(turn.by)}
    for index, choice in enumerate(turn.suspended):
        if choice.action not in held:
            at = f"suspended.{index}.action"
            yield Violation("GC-4.80", "action_not_suspended", at, {"id": choice.action})


def check_defences(opened: Scene, turn: Turn) -> Iterator[Obstacle]:
    """List the obstacles of a Defensive Phase; ``opened`` is the scene after the Initial one."""
    who = opened.who(turn.by)
    yield from _coverage(opened, turn)
    for index, defence in enumerate(turn.defences):
        yield from _defence(opened, who, defence, f"defences.{index}")
    for index, independent in enumerate(turn.independents):
        yield from _independent(opened, who, independent, f"independents.{index}")


def check_whole(opened: Scene, turn: Turn, main: Main | None) -> Iterator[Obstacle]:
    """List what is wrong with a turn as a whole: main actions, repetitions, missing energy.

    ``main`` is the main action, a promoted secondary one included (GC-2.21).
    """
    yield from _one_main(opened, turn, main)
    yield from _supports_once(opened.who(turn.by), turn, main)
    yield from _energy(opened.who(turn.by), turn, main)


def cost_of(who: Combatant, turn: Turn, main: Main | None) -> int:
    """Add up the energy of everything declared, as if all of it is carried out."""
    used = [defence.tool for defence in turn.defences]
    used += [id for defence in turn.defences for id in defence.support]
    used += [independent.tool for independent in turn.independents]
    used += [turn.perception, turn.camouflage, turn.masking]
    used += [turn.liberation.tool if turn.liberation else None]
    if isinstance(main, Attack | Generic):
        used.append(main.tool)
    if main is not None:
        used += main.support
    named = [id for id in used if id is not None]
    return sum(tool.ep for tool in who.sheet.tools_by_id(named))


def _coverage(scene: Scene, turn: Turn) -> Iterator[Obstacle]:
    attacks = {attack.id for attack in scene.against(turn.by)}
    sheltered = {attack.id for attack in at_allies(scene, turn.by)}
    generics = {pending.id: pending for pending in scene.counterable(turn.by)}
    met = {one.id for one in declared_at_allies(scene, turn.by, turn.defences)}
    incoming = attacks | set(generics) | met
    answered: set[str] = set()
    too_many = len(turn.defences) > len(incoming)
    if too_many:
        facts: Facts = {"defences": len(turn.defences), "attacks": len(incoming)}
        yield Violation("GC-2.9", "too_many_defences", "defences", facts)
    for index, defence in enumerate(turn.defences):
        field = f"defences.{index}.against"
        counters_generic = defence.action is Action.GENERIC_COUNTERATTACK
        suits = {
            id for id, one in generics.items() if can_answer(scene, one, turn.by, defence.action)
        } | (set() if counters_generic else attacks)
        if defence.action in ALLY_DEFENCES:
            suits = met
        for id in defence.against:
            if defence.action in ALLY_DEFENCES and id not in sheltered:  # GC-14.37
                yield Violation("GC-14.37", "ally_not_attacked", field, {"attack": id})
            elif id not in incoming:
                yield Violation("GC-2.7", "attack_not_incoming", field, {"attack": id})
            elif id not in suits:
                facts = {"attack": id, "action": defence.action}
                yield Violation("GC-4.75", "wrong_answer", field, facts)
            elif id in answered and not too_many:  # one fault, one name
                yield Violation("GC-14.1", "attack_answered_twice", field, {"attack": id})
            answered.add(id)


def _defence(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Obstacle]:
    if defence.action not in DEFENCES:
        yield Violation("GC-2.7", "not_a_defence", f"{field}.action", {"action": defence.action})
        return
    null = defence.action is Action.NULL_DEFENCE
    if null and defence.move is not None:
        yield Violation("GC-4.11", "null_defence_with_move", f"{field}.move")
    if null and (defence.tool is not None or defence.support):
        yield Violation("GC-4.46", "null_defence_takes_nothing", f"{field}.tool")
    yield from _made_with(scene, who, defence, field)
    if not null:
        yield from check_supports(who, defence.support, field, attacking=False)
    if defence.move is not None and not null:
        yield from check_move(scene, who, defence.move, f"{field}.move")
        if works_as(scene.options, defence.action) is Action.DODGE:
            yield from _dodge_move(scene, who, defence, defence.move, f"{field}.move")
    if defence.action in ALLY_DEFENCES:
        yield from check_ally_defence(scene, who, defence, field)
    yield from _fits(scene, defence, field)
    yield from _continuation(scene, who, defence, field)


def _made_with(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Obstacle]:
    use = made_with(scene.options, defence.action)
    if use is None:
        if defence.tool is not None and defence.action in TAKES_NOTHING:
            facts: Facts = {"action": defence.action}
            yield Violation(TAKES_NOTHING[defence.action], "takes_no_tool", f"{field}.tool", facts)
    elif defence.tool is not None:
        yield from check_tool(scene, who, defence.tool, f"{field}.tool", use)
    elif defence.action not in BARE:
        yield Violation("GC-4.51", "tool_needed", f"{field}.tool", {"action": defence.action})


def _fits(scene: Scene, defence: Defence, field: str) -> Iterator[Obstacle]:
    """Check what a defence may be used against (GC-4.60, GC-4.71)."""
    for attack in scene.incoming:
        if attack.id not in defence.against:
            continue
        hand_to_hand = attack.tool.form is AttackForm.MELEE
        if defence.action is Action.UNBALANCE and not hand_to_hand:
            facts: Facts = {"name": attack.tool.name}
            yield Violation("GC-4.60", "unbalance_needs_melee", f"{field}.action", facts)
        barred = Ruled(attack=attack.id, defence=Action.DIRECT_COUNTERATTACK, adequate=False)
        if defence.action is Action.DIRECT_COUNTERATTACK and barred in scene.ruled:
            facts = {"name": attack.tool.name}
            yield Violation("GC-4.71", "direct_not_possible", f"{field}.action", facts)


def _continuation(scene: Scene, who: Combatant, defence: Defence, field: str) -> Iterator[Obstacle]:
    then = defence.then
    if defence.action not in COUNTERS:
        if then is not None:
            yield Violation("GC-4.63", "nothing_continues", f"{field}.then")
        return
    opponent = expected_opponent(scene, who.id, defence)
    if then is not None and then.toward not in (None, opponent):
        yield Violation("GC-14.2", "toward_not_met", f"{field}.then.toward", {"id": then.toward})
    tool = who.sheet.tool(defence.tool) if defence.tool else None
    if then is not None and tool is not None:
        yield from check_aim(scene.options, tool, then.aim, then.limb, f"{field}.then")
    if opponent is None:
        return
    if then is not None:
        yield from check_claims(scene, who.id, opponent, then.claims, f"{field}.then.claims")
    if tool is not None:
        yield from check_reach(scene, who, tool, opponent, defence.move, f"{field}.tool")
    if tool is not None and then is not None and then.also:
        targets, at = (opponent, *then.also), f"{field}.then.also"
        yield from check_further(scene, who, tool, targets, defence.move, at)


def _independent(
    scene: Scene, who: Combatant, independent: Independent, field: str
) -> Iterator[Obstacle]:
    if independent.against not in {attack.id for attack in scene.against(who.id)}:
        facts: Facts = {"attack": independent.against}
        yield Violation("GC-2.26", "attack_not_incoming", f"{field}.against", facts)
    yield from check_supports(who, (independent.tool,), field, attacking=False)


def _one_main(scene: Scene, turn: Turn, main: Main | None) -> Iterator[Obstacle]:
    """Keep the one main action one: a counterattack's continuation takes it (AMB-21)."""
    countered = any(defence.action in COUNTERS for defence in turn.defences)
    if countered and main is not None and not scene.options.annulled_counter_frees_main_action:
        yield Violation("GC-2.17", "counter_is_main_action", "main")
    if turn.main is not None and turn.loose:
        yield Violation("GC-2.21", "loose_beside_main", "loose")


def _supports_once(who: Combatant, turn: Turn, main: Main | None) -> Iterator[Obstacle]:
    """Let a technique be a secondary action once, and never of itself (GC-2.20)."""
    used = [
        (f"defences.{index}.support.{place}", id, one.tool)
        for index, one in enumerate(turn.defences)
        for place, id in enumerate(one.support)
    ]
    used += [
        (f"independents.{index}.tool", one.tool, None)
        for index, one in enumerate(turn.independents)
    ]
    if turn.loose:
        used += [(f"loose.{place}", id, None) for place, id in enumerate(turn.loose)]
    elif main is not None:
        own = main.tool if isinstance(main, Attack | Generic) else None
        used += [(f"main.support.{place}", id, own) for place, id in enumerate(main.support)]
    used += [
        (field, id, None)
        for field in ("perception", "camouflage", "masking")
        if (id := getattr(turn, field)) is not None
    ]
    seen: set[str] = set()
    for field, id, own in used:
        if id in seen or id == own:
            tool = who.sheet.tool(id)
            named = tool.name if tool is not None else id
            yield Violation("GC-2.20", "support_repeated", field, {"tool": named})
        seen.add(id)


def _dodge_move(
    scene: Scene, who: Combatant, defence: Defence, move: Move, field: str
) -> Iterator[Obstacle]:
    if move.behind:
        yield Violation("GC-4.14", "dodge_behind", f"{field}.behind")
    reach = dodge_reach(scene, who, defence.action)
    for ally in {one.target for one in at_allies(scene, who.id) if one.id in defence.against}:
        metres = scene.metres(who.id, ally)  # one has to get there first
        if defence.action is Action.ALLY_DODGE and metres > reach:
            facts: Facts = {"metres": metres, "reach": reach}
            yield Violation("GC-4.13", "dodge_too_far", field, facts)
    for index, metres in covered(scene, who, move):
        if metres > reach:
            facts = {"metres": metres, "reach": reach}
            yield Violation("GC-4.13", "dodge_too_far", f"{field}.distances.{index}", facts)


def _energy(who: Combatant, turn: Turn, main: Main | None) -> Iterator[Obstacle]:
    cost = cost_of(who, turn, main)
    if cost > who.ep_now:
        facts: Facts = {"cost": cost, "ep": who.ep_now}
        yield Violation("GC-2.6", "not_enough_energy", "", facts)
