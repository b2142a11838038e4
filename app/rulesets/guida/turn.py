"""Struttura dei Turni (GC-2): one post, from its Initial Phase to the next combatant's turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding, Obstacle
from app.engine.ruleset import Asked, Plan, Resolution
from app.rulesets.guida import attack as offence
from app.rulesets.guida.conditions import expire_stacks
from app.rulesets.guida.defence import (
    Phase,
    close_defences,
    count_defence,
    declared_for,
    resolve_attack,
    tally_of,
    tools_of,
)
from app.rulesets.guida.effects import expire_effects, pay_upkeep
from app.rulesets.guida.legality import check_defences, check_main, check_seat, check_whole
from app.rulesets.guida.options import ArmourDown
from app.rulesets.guida.orders import Defence, Turn
from app.rulesets.guida.state import Line, Scene, add_line
from app.rulesets.guida.tables import ACTION_DIE, TYPE_2
from app.rulesets.guida.template import (
    compare_figures,
    post_calculations,
    raise_armour,
    record_register,
)
from app.rulesets.guida.terms import Action, Change
from app.rulesets.guida.terms import Phase as Part

MAIN_PLACE = 50  # the main action's die stands apart, so that no defence can ever move it


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn after its Initial Phase."""

    scene: Scene
    findings: tuple[Finding, ...]


def open_turn(scene: Scene, turn: Turn) -> Opened:
    """Hold the Initial Phase: nothing in it is left to dice (GC-2.3, GC-2.4)."""
    who = scene.who(turn.by)
    scene = replace(scene, posts=scene.posts + 1).put(replace(who, turn=who.turn + 1))
    scene = raise_armour(scene, turn.by, *ArmourDown)
    scene, upkeep = pay_upkeep(scene, turn.by)
    scene, header = record_register(scene, turn.by)
    differ = compare_figures(scene.who(turn.by), turn.figures)
    scene, posted = post_calculations(scene, turn.by)
    return Opened(scene, (*header, *differ, *upkeep, *posted))


def check(scene: Scene, turn: Turn) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of a turn, all at once."""
    seat = tuple(check_seat(scene, turn.by))
    if not scene.has(turn.by):
        return seat
    opened = open_turn(scene, turn).scene
    defences = tuple(check_defences(opened, turn))
    # What the main action starts from hangs on the defences, if they can be declared at all.
    defended = opened if defences else as_if_defended(opened, turn)
    return (*seat, *defences, *check_main(defended, turn), *check_whole(opened, turn))


def plan(scene: Scene, turn: Turn) -> Plan:
    """Declare the dice of a turn with their labels, as if every earlier action works (GC-2.29)."""
    opened = open_turn(scene, turn)
    return Plan(
        asked=(*_asked_defences(opened.scene, turn), *_asked_main(opened.scene, turn)),
        findings=opened.findings,
    )


def resolve(scene: Scene, turn: Turn, dice: Dice) -> Resolution[Scene]:
    """Resolve a turn that ``check`` found nothing against."""
    opened = open_turn(scene, turn)
    phase, defended = defend(opened.scene, turn, dice)
    scene, carried = close_defences(phase, turn.by, turn.defences)
    findings = [*opened.findings, *defended, *carried]
    if turn.main is not None:
        if phase.failed:
            findings.append(_annulled(scene, turn))
        else:
            face = dice.face(Address(MAIN_PLACE), faces(Action.ATTACK))
            superseded = _superseded(opened.scene, scene, turn)
            scene, launched = offence.launch(scene, turn.by, turn.main, face)
            findings += [*superseded, *launched]
    elif phase.failed:
        findings.append(_lost(scene, turn))
    scene, closing = close_turn(scene, turn.by)
    return Resolution(scene, (*findings, *closing))


def defend(scene: Scene, turn: Turn, dice: Dice) -> tuple[Phase, list[Finding]]:
    """Fold the incoming attacks, in their sequence, over the Defensive Phase (GC-2.15)."""
    phase = Phase(scene=scene)
    findings: list[Finding] = []
    for incoming in scene.against(turn.by):
        declared = declared_for(turn.defences, incoming.id)
        sides = ACTION_DIE[declared.defence.action] if declared else None
        face = dice.face(Address(declared.index), sides) if declared and sides else None
        phase, found = resolve_attack(phase, incoming, declared, face)
        findings += found
    return phase, findings


def close_turn(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End a turn: what was to last until now goes, and the next combatant is up."""
    scene = raise_armour(scene, id, ArmourDown.CURRENT_TURN_END)
    bearer, gone = expire_stacks(scene.who(id))
    scene = scene.put(bearer)
    findings = []
    for lot in gone:
        rule = "GC-11.10" if lot.stack in TYPE_2 else "GC-11.4"
        line = Line(
            id=0,
            change=Change.STACKS,
            amount=-lot.count,
            rule=rule,
            key="stacks_end",
            stack=lot.stack,
        )
        scene = add_line(scene, id, line)
        facts: Facts = {"bearer": bearer.sheet.name, "stack": lot.stack, "amount": lot.count}
        findings.append(Finding(rule, "stacks_end", facts))
    scene, ended = expire_effects(scene, id)
    return replace(scene, next=next_up(scene, id)), [*findings, *ended]


def next_up(scene: Scene, after: str) -> str:
    """Give the next active combatant in the order of the scene."""
    ids = [one.id for one in scene.combatants]
    start = ids.index(after) + 1
    for one in (*scene.combatants[start:], *scene.combatants[:start]):
        if one.active:
            return one.id
    return after


def faces(action: Action) -> int:
    """Give the die of an action that has one (GC-4.34)."""
    sides = ACTION_DIE[action]
    if sides is None:
        raise ValueError(f"{action} has no die")
    return sides


def _asked_defences(scene: Scene, turn: Turn) -> list[Asked]:
    """List the dice of the defences as the post has them, as if each is carried out (GC-2.15)."""
    phase = Phase(scene=scene)
    who = scene.who(turn.by)
    asked: dict[int, Asked] = {}
    for incoming in scene.against(turn.by):
        declared = declared_for(turn.defences, incoming.id)
        sides = ACTION_DIE[declared.defence.action] if declared else None
        if declared is None or sides is None:
            continue
        if declared.index not in asked:
            tool, support = tools_of(who, declared.defence)
            used = (tool, *support) if tool else support
            asked[declared.index] = Asked(
                address=Address(declared.index),
                sides=sides,
                phase=Part.DEFENSIVE,
                action=declared.defence.action,
                actor=who.sheet.name,
                targets=_attackers(scene, turn.by, declared.defence),
                items=tuple(item.name for item in used),
                tally=tally_of(phase, turn.by, declared, incoming),
            )
        phase = count_defence(phase, turn.by, declared, incoming.attacker)
    return [asked[index] for index in sorted(asked)]


def _attackers(scene: Scene, id: str, defence: Defence) -> tuple[str, ...]:
    met = [attack for attack in scene.against(id) if attack.id in defence.against]
    return tuple(dict.fromkeys(scene.who(attack.attacker).sheet.name for attack in met))


def _asked_main(scene: Scene, turn: Turn) -> list[Asked]:
    if turn.main is None:
        return []
    scene = as_if_defended(scene, turn)
    tool, support = offence.tools_of(scene.who(turn.by), turn.main)
    scene, tally, _ = offence.prepare(scene, turn.by, turn.main)
    return [
        Asked(
            address=Address(MAIN_PLACE),
            sides=faces(Action.ATTACK),
            phase=Part.OFFENSIVE,
            action=Action.ATTACK,
            actor=scene.who(turn.by).sheet.name,
            targets=(scene.who(turn.main.target).sheet.name,),
            items=tuple(item.name for item in (tool, *support)),
            tally=tally,
        )
    ]


def as_if_defended(scene: Scene, turn: Turn) -> Scene:
    """Give the scene in which every defence worked: a post is written that way (GC-2.29)."""
    everything = Phase(scene=scene, active=frozenset(range(len(turn.defences))))
    return close_defences(everything, turn.by, turn.defences)[0]


def _superseded(opened: Scene, scene: Scene, turn: Turn) -> list[Finding]:
    """Say so where the score that counts is not the one in the label, written before the dice."""
    if turn.main is None:
        return []
    written = offence.prepare(as_if_defended(opened, turn), turn.by, turn.main)[1]
    counts = offence.prepare(scene, turn.by, turn.main)[1]
    if written.total == counts.total:
        return []
    facts: Facts = {
        "bearer": scene.who(turn.by).sheet.name,
        "written": written,
        "counts": counts,
        "difference": counts.total - written.total,
    }
    return [Finding("GC-2.29", "label_superseded", facts)]


def _annulled(scene: Scene, turn: Turn) -> Finding:
    facts: Facts = {"bearer": scene.who(turn.by).sheet.name, "action": Action.ATTACK}
    return Finding("GC-2.12", "offensive_annulled", facts)


def _lost(scene: Scene, turn: Turn) -> Finding:
    return Finding("GC-2.12", "offensive_lost", {"bearer": scene.who(turn.by).sheet.name})
