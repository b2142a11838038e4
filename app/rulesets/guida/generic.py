"""Azioni Generiche (GC-4.35 to 4.44, 4.75 to 4.82): launched, countered, held, carried out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.guida.area_actions import area_effects, drop, form, outline
from app.rulesets.guida.area_life import destroy
from app.rulesets.guida.bound import bars_move
from app.rulesets.guida.combatants import (
    Combatant,
    Line,
)
from app.rulesets.guida.conditions import clear_type_1
from app.rulesets.guida.damage import Hit, armour_of
from app.rulesets.guida.defence import (
    count_use,
)
from app.rulesets.guida.effects import begin_on_user
from app.rulesets.guida.healing import settle_heal
from app.rulesets.guida.moves import apply_move, apply_shifts, halfway, shifts_of, steps_moved
from app.rulesets.guida.orders import (
    AreaPlan,
    Generic,
    Movement,
    Preparation,
)
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.readings import (
    MovementCounter,
)
from app.rulesets.guida.register import pay
from app.rulesets.guida.senses import claim_hiding, is_hidden
from app.rulesets.guida.sheet import Heal, Tool
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.strike import strike
from app.rulesets.guida.success import tally_success
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action, Change
from app.rulesets.guida.toward import strikes
from app.rulesets.guida.underway import (
    Pending,
)


def die_of(scene: Scene, who: Combatant, main: Movement | Generic) -> int:
    """Give the die of a generic action: the movement's, its own, else the options' (AMB-40)."""
    if isinstance(main, Movement):
        return ACTION_DIE[Action.MOVEMENT] or 0
    tool = who.sheet.tool(main.tool)
    if tool is not None and tool.die is not None:
        return tool.die
    return scene.options.generic_action_die


def action_of(main: Movement | Generic) -> Action:
    """Name a generic action."""
    return Action.MOVEMENT if isinstance(main, Movement) else Action.GENERIC_ACTION


def tally_generic(scene: Scene, id: str, main: Movement | Generic) -> Tally:
    """Add up everything but the die of a generic action's success score (GC-4.42, GC-14.17)."""
    who = scene.who(id)
    tool = who.sheet.tool(main.tool) if isinstance(main, Generic) else None
    return tally_success(
        scene.options,
        who,
        action_of(main),
        tool,
        who.sheet.tools_by_id(main.support),
        moved_steps=steps_moved(scene, id, main.move),
    )


def prepare(
    scene: Scene, id: str, main: Preparation, *, alone: bool
) -> tuple[Scene, list[Finding]]:
    """Carry out a preparation: it cannot fail and nobody counters it (GC-4.35 to GC-4.40).

    ``alone``: the post added nothing to it, not even what came to nothing since (GC-4.39).
    """
    who = scene.who(id)
    support = who.sheet.tools_by_id(main.support)
    scene = scene.put(replace(who, prepared=who.turn + 1 if alone else None))
    scene, gone = _recover(scene, id, "GC-4.36")
    facts: Facts = {"bearer": who.sheet.name, "removed": Fraction(gone), "bonus": alone}
    findings = [Finding("GC-4.35", "prepared", facts)]
    scene, paid = pay(scene, id, support)
    scene, moved = apply_move(scene, id, main.move, "GC-4.37")
    findings += [*paid, *moved]
    for tool in support:
        scene, begun = begin_on_user(scene, id, tool)
        findings += begun
    return scene, findings


def launch(
    scene: Scene,
    id: str,
    main: Movement | Generic,
    face: int,
    plans: tuple[AreaPlan, ...] = (),
    correction: tuple[Term, ...] = (),
) -> tuple[Scene, list[Finding]]:
    """Launch a generic action: it waits for every opponent who could counter it (GC-14.17).

    The areas it is to create have their places from now on (GC-12.11).
    """
    who = scene.who(id)
    own = who.sheet.tool(main.tool) if isinstance(main, Generic) else None
    support = who.sheet.tools_by_id(main.support)
    beneficiary = main.beneficiary if isinstance(main, Generic) else None
    tools = (own, *support) if own else support
    scene, creates = outline(scene, id, tools, plans, beneficiary or id)
    score = tally_generic(scene, id, main).plus(*correction)
    pending = Pending(
        id=f"g{scene.posts}",
        actor=id,
        action=action_of(main),
        tool=own,
        die=face,
        score=score,
        move=main.move,
        beneficiary=beneficiary,
        support=support,
        creates=creates,
        destroys=main.destroys if isinstance(main, Generic) else None,
        # Nobody counters what somebody does whom one has not located (GC-9.1).
        waits=tuple(one.id for one in scene.opponents(id) if not is_hidden(scene, id, one.id)),
        hides=main.hides if isinstance(main, Movement) else (),
    )
    facts: Facts = {**names_of(scene, pending), **score_of(pending)}
    found = Finding("GC-14.17", "generic_launched", facts)
    return replace(scene, pending=(*scene.pending, pending)), [found]


def can_be_caught(scene: Scene, pending: Pending) -> bool:
    """Say whether a won counter ends this action instead of suspending it (GC-4.43, AMB-39)."""
    specific = scene.options.movement_counter_mode is MovementCounter.SPECIFIC
    return pending.action is Action.MOVEMENT and specific


def stop(scene: Scene, pending: Pending) -> tuple[Scene, list[Finding]]:
    """Let a counter win: what it meets is suspended, or a movement caught half way (GC-4.77).

    A movement that is caught is over, and its mover has to defend (GC-4.43, GC-14.15).
    """
    rest = tuple(one for one in scene.pending if one.id != pending.id)
    if is_creation(pending):  # GC-14.18: intercepted, with nothing to confirm
        return replace(drop(scene, pending), pending=rest), []
    if not can_be_caught(scene, pending):
        return _put(scene, replace(pending, held=True)), []
    scene = replace(drop(scene, pending), pending=rest)  # AMB-93: what rides on it stops with it
    stopped = halfway(scene, shifts_of(scene, pending.actor, pending.move))
    return apply_shifts(scene, pending.actor, stopped, "GC-4.43")


def is_creation(pending: Pending) -> bool:
    """Say whether an action is the creation of an area by itself, not beside another (GC-12.11)."""
    return pending.tool is not None and bool(area_effects(pending.tool))


def pass_by(scene: Scene, opponent: str) -> tuple[Scene, list[Finding]]:
    """Let generic actions take effect that nobody, this opponent included, countered (GC-14.17)."""
    findings: list[Finding] = []
    for pending in scene.pending:
        if opponent in pending.waits and not pending.held:
            left = tuple(id for id in pending.waits if id != opponent)
            scene = _put(scene, replace(pending, waits=left))
            if not left:
                scene, done = carry_out(scene, pending, later=True)
                findings += done
    return scene, findings


def release(scene: Scene, gone: str) -> tuple[Scene, list[Finding]]:
    """Free what waited for, or was suspended by, a combatant who is out of the fight."""
    held_by = {attack.suspends for attack in scene.incoming}
    scene = replace(
        scene,
        pending=tuple(replace(one, held=one.held and one.id in held_by) for one in scene.pending),
    )
    return pass_by(scene, gone)


def overdue(scene: Scene, actor: str) -> tuple[Scene, list[Finding]]:
    """Let what nobody countered by the owner's next turn take effect at its start."""
    findings: list[Finding] = []
    for pending in scene.pending:
        if pending.actor == actor and not pending.held:
            scene, done = carry_out(scene, pending, recorded=True)
            findings += done
    return scene, findings


def confirm(scene: Scene, pending: Pending) -> tuple[Scene, list[Finding]]:
    """Suffer the counter in full, then use the suspended action as planned (GC-4.81, GC-14.16).

    A counter whose own phase was closed afterwards, or which went on toward somebody else, has
    suspended the action all the same, and strikes nobody (GC-14.4).
    """
    facts: Facts = {**names_of(scene, pending), "strikes": strikes(scene, pending)}
    findings = [Finding("GC-4.81", "suspended_confirmed", facts)]
    for attack in scene.incoming:
        if attack.suspends == pending.id:
            scene, struck = strike(scene, attack, Hit.FULL)
            findings += struck
    scene, done = carry_out(scene, pending)
    return scene, [*findings, *done]


def annul(scene: Scene, pending: Pending) -> tuple[Scene, list[Finding]]:
    """Give up a suspended action: it costs nothing, its counter may be answered (GC-4.82)."""
    facts: Facts = {**names_of(scene, pending), "strikes": strikes(scene, pending)}
    found = Finding("GC-4.82", "suspended_annulled", facts)
    rest = tuple(one for one in scene.pending if one.id != pending.id)
    free = tuple(
        replace(one, suspends=None) if one.suspends == pending.id else one for one in scene.incoming
    )
    return replace(drop(scene, pending), pending=rest, incoming=free), [found]


def carry_out(
    scene: Scene, pending: Pending, *, later: bool = False, recorded: bool = False
) -> tuple[Scene, list[Finding]]:
    """Let a generic action take effect: it is paid for, and what it grants begins (GC-14.9).

    ``later``: in an opponent's turn, so that what it grants acts from the actor's next turn on.
    ``recorded``: before the register of the actor's own post, which has its lines at once.
    """
    scene = replace(scene, pending=tuple(one for one in scene.pending if one.id != pending.id))
    if pending.rides is not None:  # what it rides on was paid for, counted and told
        return form(scene, pending)
    findings = [Finding("GC-14.17", "generic_carried_out", names_of(scene, pending))]
    tools = (pending.tool, *pending.support) if pending.tool else pending.support
    scene, paid = pay(scene, pending.actor, tools, recorded=recorded)
    move = None if bars_move(scene, pending.actor, pending.move) else pending.move
    scene, moved = apply_move(scene, pending.actor, move, "GC-4.44")
    findings += [*paid, *moved]
    scene, asked = claim_hiding(scene, pending)
    findings += asked
    if pending.action is Action.MOVEMENT and scene.options.movement_clears_type1:  # AMB-37
        scene, _ = _recover(scene, pending.actor, "AMB-37")
    scene = count_use(scene, pending.actor, pending.tool, pending.actor)
    for tool in tools:
        scene, begun = begin_on_user(
            scene, pending.actor, tool, later=later, on=pending.beneficiary
        )
        findings += begun
    if pending.tool is not None and any(isinstance(e, Heal) for e in pending.tool.effects):
        scene, healed = _heal(scene, pending, pending.tool, recorded=recorded)
        findings.append(healed)
    if pending.destroys is not None and pending.tool is not None:
        power = tally_power(scene.options, scene.regulation, scene.who(pending.actor), pending.tool)
        scene, met = destroy(scene, pending.actor, pending.tool, power.total, pending.destroys)
        findings += met
    scene, formed = form(scene, pending)
    return scene, [*findings, *formed]


def _recover(scene: Scene, id: str, rule: str) -> tuple[Scene, int]:
    """Take all stun and off-balance from a combatant, each with its line of the register."""
    clear, gone = clear_type_1(scene.who(id))  # GC-14.32
    scene = scene.put(clear)
    for stack, count in gone.items():
        line = Line(
            id=0,
            change=Change.STACKS,
            amount=-count,
            rule=rule,
            key="stacks_removed",
            stack=stack,
        )
        scene = add_line(scene, id, line)
    return scene, sum(gone.values())


def _heal(scene: Scene, pending: Pending, tool: Tool, *, recorded: bool) -> tuple[Scene, Finding]:
    beneficiary = scene.who(pending.beneficiary or pending.actor)
    healer = scene.who(pending.actor)
    power = tally_power(scene.options, scene.regulation, healer, tool, heals=True)
    worn = armour_of(scene.options, beneficiary)
    blocking = worn.against_pure if worn else None
    working = settle_heal(scene.options, power, beneficiary, blocking)
    line = Line(
        id=0,
        change=Change.HP,
        amount=int(working.total),
        rule="GC-7.5",
        key="heal",
        name=tool.name,
        working=working,
    )
    facts: Facts = {
        "bearer": beneficiary.sheet.name,
        "name": tool.name,
        "amount": working.total,
        "working": working,
        "recorded": recorded and beneficiary.id == healer.id,
    }
    return add_line(scene, beneficiary.id, line), Finding("GC-7.5", "healed", facts, "AMB-57")


def _put(scene: Scene, changed: Pending) -> Scene:
    return replace(
        scene,
        pending=tuple(changed if one.id == changed.id else one for one in scene.pending),
    )


def names_of(scene: Scene, pending: Pending) -> dict[str, str]:
    """Give the names that every sentence about a generic action needs."""
    return {
        "bearer": scene.who(pending.actor).sheet.name,
        "action": pending.action,
        "name": pending.tool.name if pending.tool else "",
    }


def score_of(pending: Pending) -> Facts:
    """Give the score of a generic action, and what it is made of (GC-14.17)."""
    return {
        "success_score": pending.success_score,
        "success_die": pending.die,
        "success": pending.score,
    }
