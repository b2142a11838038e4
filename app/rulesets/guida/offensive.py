"""Fase Offensiva (GC-2.12, GC-2.16): one main action, or a counterattack that goes on."""

from __future__ import annotations

from dataclasses import replace

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding
from app.engine.tally import Term
from app.rulesets.guida import attack as offence
from app.rulesets.guida import generic
from app.rulesets.guida.bond_dice import bond_die
from app.rulesets.guida.bound import bars_tool, fit_main
from app.rulesets.guida.defence import (
    Declared,
    Going,
    Phase,
    activate,
)
from app.rulesets.guida.defensive import with_die
from app.rulesets.guida.freeing import change_form, free_by_attack, free_by_defence, freeing_die
from app.rulesets.guida.initial import main_of
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Main,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.plan import (
    COUNTER_INDEX,
    MAIN_PLACE,
    expected,
)
from app.rulesets.guida.reach import helps, in_reach
from app.rulesets.guida.relabel import supersede, why_changed
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import die_of
from app.rulesets.guida.tables import (
    ACTION_DIE,
    COUNTER_DIE,
    COUNTERS,
)
from app.rulesets.guida.tags import correction
from app.rulesets.guida.terms import Action
from app.rulesets.guida.terms import Phase as Phases
from app.rulesets.guida.toward import expected_opponent


def hold_offensive(
    phase: Phase,
    turn: Turn,
    bonuses: tuple[Term, ...],
    dice: Dice,
    form: int | None = None,
) -> tuple[Scene, list[Finding]]:
    """Hold the Offensive Phase, unless a failure closed it (GC-2.12, GC-2.16).

    ``form`` is the die of an attempt to break free by a change of form (GC-8.26).
    """
    main = main_of(turn)
    if phase.closed:
        return phase.scene, _closed(phase, turn, main)
    going = continuing(phase, turn)
    if going is not None:
        scene, findings = _continue(phase, turn, going, bonuses, dice)
        return scene, [*_not_continuing(phase, turn, going), *findings]
    countered = any(defence.action in COUNTERS for defence in turn.defences)
    frees = phase.scene.options.annulled_counter_frees_main_action
    if countered and not frees:  # AMB-21
        facts: Facts = {"bearer": phase.scene.who(turn.by).sheet.name}
        return phase.scene, [Finding("GC-4.68", "no_main_action", facts, "AMB-21")]
    main, fitted = fit_main(phase.scene, turn.by, main)
    if main is None:
        return phase.scene, fitted
    scene, left, changed = change_form(phase.scene, turn.by, main, form)
    scene, findings = _main(scene, turn, left, bonuses, dice)
    return scene, [*fitted, *changed, *findings]


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
    phase: Phase, turn: Turn, going: Going, bonuses: tuple[Term, ...], dice: Dice
) -> tuple[Scene, list[Finding]]:
    scene, defence = phase.scene, turn.defences[going.index]
    blow = offence.continuation_of(scene.who(turn.by), defence, going)
    if bars_tool(scene, turn.by, blow.tool):  # GC-14.22
        facts: Facts = {"bearer": scene.who(turn.by).sheet.name, "action": defence.action}
        return scene, [Finding("GC-14.22", "bound_annulled", facts)]
    reaching, missed = in_reach(scene, turn.by, replace(blow, carried=going.won))
    if reaching is None:
        return scene, missed
    blow = replace(reaching, carried=True)
    scene, started = (scene, []) if going.won else _start(phase, turn, going, dice)
    at = Address(going.index, COUNTER_INDEX)
    blow = replace(
        blow,
        bonuses=(*blow.bonuses, *bonuses, *correction(scene.options, dice, at)),
        plans=turn.areas,
        bond_die=bond_die(scene, (blow.tool, *blow.support), blow.binds, dice, defence=going.index),
    )
    face = dice.face(at, COUNTER_DIE)
    scene, findings = offence.launch(scene, turn.by, blow, face)
    return scene, [*missed, *started, *with_die(at, findings)]


def _start(phase: Phase, turn: Turn, going: Going, dice: Dice) -> tuple[Scene, list[Finding]]:
    """Pay for a counter that lost its defensive half and is launched all the same (GC-14.9).

    What doubles as an attempt to break free is one as soon as it is launched (GC-14.22).
    """
    declared = Declared(going.index, turn.defences[going.index])
    after, paid = activate(phase, turn.by, declared, going.opponent, in_time=True)
    sides = die_of(phase.scene.options, declared.defence.action) or 0
    face = dice.face(Address(going.index), sides)
    freeing = freeing_die(phase.scene, turn.by, declared, dice)
    after, tried = free_by_defence(phase, after, declared, face, freeing)
    return after.scene, [*paid, *tried]


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
    scene: Scene, turn: Turn, main: Main | None, bonuses: tuple[Term, ...], dice: Dice
) -> tuple[Scene, list[Finding]]:
    id = turn.by
    at = Address(MAIN_PLACE)
    fix = correction(scene.options, dice, at)
    match main:
        case None:
            return scene, []
        case Attack():
            face = dice.face(at, ACTION_DIE[Action.ATTACK] or 0)
            declared = offence.blow_of(scene.who(id), main, (*bonuses, *fix))
            blow, missed = in_reach(scene, id, declared)
            if blow is None:
                return scene, missed
            apart = bond_die(scene, (blow.tool, *blow.support), blow.binds, dice)
            blow = replace(blow, plans=turn.areas, bond_die=apart)
            scene, findings = offence.launch(scene, id, blow, face)
            scene, freed = free_by_attack(scene, id, main, face, dice)
            return scene, [*missed, *with_die(at, findings), *freed]
        case Preparation():
            return generic.prepare(scene, id, main, alone=not _added_to(turn))
        case Generic() if missed := helps(scene, id, main):
            return scene, missed
        case Movement() | Generic():
            face = dice.face(at, generic.die_of(scene, scene.who(id), main))
            scene, findings = generic.launch(scene, id, main, face, turn.areas, fix)
            return scene, with_die(at, findings)


def _added_to(turn: Turn) -> tuple[str, ...]:
    """List the secondary actions a post adds to its main action, whatever comes of them."""
    main = main_of(turn)
    return main.support if main is not None else ()


def _closed(phase: Phase, turn: Turn, main: Main | None) -> list[Finding]:
    facts: Facts = {
        "bearer": phase.scene.who(turn.by).sheet.name,
        "why": "reaction" if phase.thrown else "defence",
    }
    rule = "GC-10.12" if phase.thrown else "GC-2.12"
    if main is not None:
        action = main.kind
    elif phase.going:
        action = turn.defences[phase.going[0].index].action
    else:
        return [Finding(rule, "offensive_lost", facts)]
    return [Finding(rule, "offensive_annulled", {**facts, "action": action})]


def tell_superseded(
    opened: Scene, assumed: Scene, scene: Scene, phase: Phase, turn: Turn, bonuses: tuple[Term, ...]
) -> list[Finding]:
    """Say so where the attack that goes out does not count with its label.

    ``opened`` is the scene after the Initial Phase, ``assumed`` that in which the label was
    written, all that went before having worked.
    """
    if phase.closed:
        return []
    who = scene.who(turn.by)
    main = fit_main(scene, turn.by, main_of(turn))[0]
    going, opponent = continuing(phase, turn), ""
    if going is not None:
        defence = turn.defences[going.index]
        action = defence.action
        opponent = expected_opponent(opened, turn.by, defence) or going.opponent
        first = replace(expected(going, defence), opponent=opponent)
        label = offence.continuation_of(who, defence, first)
        blow = offence.continuation_of(who, defence, going)
        blow = replace(blow, bonuses=(*blow.bonuses, *bonuses))
    elif isinstance(main, Attack):
        action = Action.ATTACK
        label = blow = offence.blow_of(who, main, bonuses)
    else:
        return []
    launched, _ = in_reach(scene, turn.by, blow)
    if launched is None:
        return []
    written = offence.prepare(assumed, turn.by, label)[1]
    counts = offence.prepare(scene, turn.by, launched)[1]
    elsewhere = going is not None and going.opponent != opponent
    if written.total == counts.total and not elsewhere:
        return []
    why = why_changed(phase)
    if elsewhere:
        why = "toward_other"
    elif going is not None and not going.won:
        why = "counter_lost"
    return [supersede(who.sheet.name, Phases.OFFENSIVE, action, written, counts, why)]
