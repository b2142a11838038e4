"""Struttura dei Turni (GC-2): one post, from its Initial Phase to the next combatant's turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding, Obstacle
from app.engine.ruleset import Plan, Resolution
from app.engine.tally import Term
from app.rulesets.guida import attack as offence
from app.rulesets.guida import generic
from app.rulesets.guida.answers import resolve_attack
from app.rulesets.guida.conditions import expire_stacks
from app.rulesets.guida.defence import (
    Going,
    Phase,
    close_defences,
    declared_for,
    resolve_independent,
    supersede,
)
from app.rulesets.guida.effects import expire_effects, pay_upkeep
from app.rulesets.guida.labels import INDEPENDENT_PLACE, Expected, expect, incoming_at
from app.rulesets.guida.legality import check_defences, check_seat, check_suspended, check_whole
from app.rulesets.guida.options import ArmourDown
from app.rulesets.guida.orders import Attack, Generic, Main, Movement, Preparation, Turn
from app.rulesets.guida.plan import (
    COUNTER_INDEX,
    MAIN_PLACE,
    asked_defences,
    asked_independents,
    asked_main,
    expected,
)
from app.rulesets.guida.register import regenerate
from app.rulesets.guida.state import Incoming, Line, Pending, Scene, add_line
from app.rulesets.guida.tables import ACTION_DIE, COUNTER_DIE, COUNTERS, PREPARED_ATTACK, TYPE_2
from app.rulesets.guida.tags import correction, mismatches
from app.rulesets.guida.template import (
    compare_figures,
    post_calculations,
    raise_armour,
    record_register,
)
from app.rulesets.guida.terms import Action, Change
from app.rulesets.guida.terms import Phase as Stage
from app.rulesets.guida.uses import check_main


@dataclass(frozen=True, slots=True)
class Opened:
    """A turn after its Initial Phase."""

    scene: Scene
    findings: tuple[Finding, ...]


def open_turn(scene: Scene, turn: Turn) -> Opened:
    """Hold the Initial Phase: nothing in it is left to dice (GC-2.3, GC-2.4).

    Whoever owns a suspended action confirms or annuls it here, before defending (GC-4.80).
    """
    who = scene.who(turn.by)
    scene = replace(scene, posts=scene.posts + 1).put(replace(who, turn=who.turn + 1))
    scene, done = generic.overdue(scene, turn.by)
    scene = raise_armour(scene, turn.by, *ArmourDown)
    scene, upkeep = pay_upkeep(scene, turn.by)
    scene, header = record_register(scene, turn.by)
    differ = compare_figures(scene.who(turn.by), turn.figures)
    scene, posted = post_calculations(scene, turn.by)
    chosen: list[Finding] = []
    for pending in scene.suspended(turn.by):
        wishes = {choice.confirm for choice in turn.suspended if choice.action == pending.id}
        if len(wishes) == 1:  # both at once are no choice
            decide = generic.confirm if True in wishes else generic.annul
            scene, found = decide(scene, pending)
            chosen += found
    return Opened(scene, (*header, *differ, *upkeep, *done, *posted, *chosen))


def check(scene: Scene, turn: Turn) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of a turn, all at once."""
    seat = tuple(check_seat(scene, turn.by))
    if not scene.has(turn.by):
        return seat
    opened = open_turn(scene, turn).scene
    main = main_of(turn)
    defences = (*check_suspended(scene, opened, turn), *check_defences(opened, turn))
    # What the main action starts from hangs on the defences, if they can be declared at all.
    defended = opened if defences else expect(opened, turn).after
    return (
        *seat,
        *defences,
        *check_main(defended, defended.who(turn.by), main),
        *check_whole(opened, turn, main),
    )


def main_of(turn: Turn) -> Main | None:
    """Give the main action: the one declared, else the most relevant secondary one (GC-2.21)."""
    if turn.main is not None or not turn.loose:
        return turn.main
    return Generic(tool=turn.loose[0], support=turn.loose[1:])


def plan(scene: Scene, turn: Turn) -> Plan:
    """Declare the dice of a turn with their labels, as if every earlier action works (GC-2.29)."""
    opened = open_turn(scene, turn)
    scene = opened.scene
    bonuses = prepared_attack(scene, turn)
    written = expect(scene, turn)
    asked = (
        *asked_defences(scene, turn, written),
        *asked_independents(scene, turn, written),
        *asked_main(written.after, turn.by, main_of(turn), bonuses),
    )
    return Plan(asked=asked, findings=opened.findings)


def resolve(scene: Scene, turn: Turn, dice: Dice) -> Resolution[Scene]:
    """Resolve a turn that ``check`` found nothing against."""
    asked = plan(scene, turn).asked if dice.tags() else ()
    opened = open_turn(scene, turn)
    bonuses = prepared_attack(opened.scene, turn)
    written = expect(opened.scene, turn)
    phase, defended = defend(opened.scene, turn, written, dice)
    scene, carried = close_defences(phase, turn.by, turn.defences)
    scene, passed = generic.pass_by(scene, turn.by)
    options = scene.options
    tagged = mismatches(options, dice, asked, Stage.DEFENSIVE)
    findings = [*opened.findings, *tagged, *defended, *carried, *passed]
    superseded = _superseded(written.after, scene, phase, turn, bonuses)
    scene, offensive = _offensive(replace(phase, scene=scene), turn, bonuses, dice)
    tagged = mismatches(options, dice, asked, Stage.OFFENSIVE)
    scene, closing = close_turn(scene, turn.by)
    return Resolution(scene, (*findings, *superseded, *offensive, *tagged, *closing))


def defend(scene: Scene, turn: Turn, written: Expected, dice: Dice) -> tuple[Phase, list[Finding]]:
    """Fold what is incoming, in its sequence, over the Defensive Phase (GC-2.15).

    Where nothing is, the phase is skipped (GC-2.8).
    """
    phase = Phase(scene=scene, labels=written.labels)
    findings: list[Finding] = []
    for incoming in incoming_at(scene, turn.by):
        phase, found = answer(phase, turn, incoming, dice)
        findings += found
    return phase, findings


def answer(
    phase: Phase, turn: Turn, incoming: Incoming | Pending, dice: Dice
) -> tuple[Phase, list[Finding]]:
    """Meet one incoming action with what is declared for it."""
    declared = declared_for(turn.defences, incoming.id)
    sides = ACTION_DIE[declared.defence.action] if declared else None
    face = dice.face(Address(declared.index), sides) if declared and sides else None
    options = phase.scene.options
    if declared is not None:
        fix = correction(options, dice, Address(declared.index))
        declared = replace(declared, correction=fix)
    if isinstance(incoming, Pending):
        if declared is None or face is None:
            return phase, []
        return generic.counter(phase, turn.by, incoming, declared, face)
    findings: list[Finding] = []
    for place, independent in enumerate(turn.independents):
        if independent.against == incoming.id:
            at = Address(INDEPENDENT_PLACE + place)
            thrown = dice.face(at, ACTION_DIE[Action.INDEPENDENT_SECONDARY] or 0)
            fix = correction(options, dice, at)
            phase, found = resolve_independent(
                phase, turn.by, incoming, independent, at, thrown, fix
            )
            findings += found
    phase, found = resolve_attack(phase, incoming, declared, face)
    return phase, [*findings, *found]


def prepared_attack(scene: Scene, turn: Turn) -> tuple[Term, ...]:
    """Give what a preparation adds to an attack after no defence, or only null ones (GC-4.40)."""
    who = scene.who(turn.by)
    answers = {defence.action for defence in turn.defences} - {Action.NULL_DEFENCE}
    if who.prepared != who.turn or answers or turn.independents:
        return ()
    return (Term("GC-4.40", "preparation", Fraction(PREPARED_ATTACK)),)


def close_turn(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End a turn: what was to last until now goes, and the next combatant is up."""
    scene = raise_armour(scene, id, ArmourDown.CURRENT_TURN_END)
    scene, findings = regenerate(scene, id)
    bearer, gone = expire_stacks(scene.who(id))
    scene = scene.put(bearer)
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
    """Give the next active combatant in the order of the scene.

    Each has a turn, and with it a main action, of its own, subordinates too (GC-2.19).
    """
    ids = [one.id for one in scene.combatants]
    start = ids.index(after) + 1
    for one in (*scene.combatants[start:], *scene.combatants[:start]):
        if one.active:
            return one.id
    return after


def _offensive(
    phase: Phase, turn: Turn, bonuses: tuple[Term, ...], dice: Dice
) -> tuple[Scene, list[Finding]]:
    """Hold the Offensive Phase, unless a failure closed it (GC-2.12, GC-2.16)."""
    main = main_of(turn)
    if phase.closed:
        return phase.scene, _closed(phase, turn, main)
    going = continuing(phase, turn)
    if going is not None:
        scene, findings = _continue(phase.scene, turn, going, bonuses, dice)
        return scene, [*_not_continuing(phase, turn, going), *findings]
    countered = any(defence.action in COUNTERS for defence in turn.defences)
    frees = phase.scene.options.annulled_counter_frees_main_action
    if countered and not frees:  # AMB-21
        facts: Facts = {"bearer": phase.scene.who(turn.by).sheet.name}
        return phase.scene, [Finding("GC-4.68", "no_main_action", facts, "AMB-21")]
    return _main(phase.scene, turn.by, main, bonuses, dice)


def continuing(phase: Phase, turn: Turn) -> Going | None:
    """Say which counterattack goes on: the one marked, else the first (GC-14.4).

    After a failure only the one that is launched in spite of it does (AMB-45).
    """
    candidates = [going for going in phase.going if going.despite or not phase.failed]
    if not candidates:
        return None
    for going in candidates:
        then = turn.defences[going.index].then
        if then is not None and then.first:
            return going
    return min(candidates, key=lambda going: going.index)


def _continue(
    scene: Scene, turn: Turn, going: Going, bonuses: tuple[Term, ...], dice: Dice
) -> tuple[Scene, list[Finding]]:
    blow = offence.continuation_of(scene.who(turn.by), turn.defences[going.index], going)
    at = Address(going.index, COUNTER_INDEX)
    fix = correction(scene.options, dice, at)
    blow = replace(blow, bonuses=(*blow.bonuses, *bonuses, *fix))
    face = dice.face(at, COUNTER_DIE)
    return offence.launch(scene, turn.by, blow, face)


def _not_continuing(phase: Phase, turn: Turn, going: Going) -> list[Finding]:
    name = phase.scene.who(turn.by).sheet.name
    return [
        Finding(
            "GC-14.4", "counter_ends", {"bearer": name, "action": turn.defences[o.index].action}
        )
        for o in phase.going
        if o.index != going.index
    ]


def _main(
    scene: Scene, id: str, main: Main | None, bonuses: tuple[Term, ...], dice: Dice
) -> tuple[Scene, list[Finding]]:
    at = Address(MAIN_PLACE)
    fix = correction(scene.options, dice, at)
    match main:
        case None:
            return scene, []
        case Attack():
            face = dice.face(at, ACTION_DIE[Action.ATTACK] or 0)
            blow = offence.blow_of(scene.who(id), main, (*bonuses, *fix))
            return offence.launch(scene, id, blow, face)
        case Preparation():
            return generic.prepare(scene, id, main)
        case Movement() | Generic():
            face = dice.face(at, generic.die_of(scene, scene.who(id), main))
            return generic.launch(scene, id, main, face, fix)


def _closed(phase: Phase, turn: Turn, main: Main | None) -> list[Finding]:
    name = phase.scene.who(turn.by).sheet.name
    if main is not None:
        action = main.kind
    elif phase.going:
        action = turn.defences[phase.going[0].index].action
    else:
        return [Finding("GC-2.12", "offensive_lost", {"bearer": name})]
    return [Finding("GC-2.12", "offensive_annulled", {"bearer": name, "action": action})]


def _superseded(
    assumed: Scene, scene: Scene, phase: Phase, turn: Turn, bonuses: tuple[Term, ...]
) -> list[Finding]:
    """Say so where the attack that goes out does not count with its label.

    ``assumed`` is the scene in which the label was written, all that went before having worked.
    """
    if phase.closed:
        return []
    who = scene.who(turn.by)
    main = main_of(turn)
    going = continuing(phase, turn)
    if going is not None:
        defence = turn.defences[going.index]
        action = defence.action
        label = offence.continuation_of(who, defence, expected(going, defence))
        blow = offence.continuation_of(who, defence, going)
        blow = replace(blow, bonuses=(*blow.bonuses, *bonuses))
    elif isinstance(main, Attack):
        action = Action.ATTACK
        label = blow = offence.blow_of(who, main, bonuses)
    else:
        return []
    written = offence.prepare(assumed, turn.by, label)[1]
    counts = offence.prepare(scene, turn.by, blow)[1]
    if written.total == counts.total:
        return []
    return [supersede(who.sheet.name, Stage.OFFENSIVE, action, written, counts)]
