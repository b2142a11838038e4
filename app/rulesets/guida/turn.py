"""Struttura dei Turni (GC-2): one post, from its Initial Phase to the next combatant's turn."""

from __future__ import annotations

from dataclasses import replace

from app.engine.dice import Dice
from app.engine.findings import Finding, Obstacle
from app.engine.ruleset import Plan, Resolution
from app.rulesets.guida import generic, stealth
from app.rulesets.guida.area_answers import begin_by_defences
from app.rulesets.guida.area_checks import check_areas
from app.rulesets.guida.area_life import decay_all
from app.rulesets.guida.bond_dice import asked_bond_dice
from app.rulesets.guida.bound import check_bound
from app.rulesets.guida.conditions import expire_stacks
from app.rulesets.guida.defensive import defend
from app.rulesets.guida.effects import expire_effects
from app.rulesets.guida.endings import let_go, past_defences
from app.rulesets.guida.freeing import asked_attempts, form_die
from app.rulesets.guida.initial import main_of, open_turn, prepared_attack, told_in
from app.rulesets.guida.intentions import check_intentions
from app.rulesets.guida.labels import expect
from app.rulesets.guida.legality import check_defences, check_seat, check_suspended, check_whole
from app.rulesets.guida.offensive import hold_offensive, tell_superseded
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.own_moves import close_defences
from app.rulesets.guida.plan import (
    asked_defences,
    asked_independents,
    asked_main,
)
from app.rulesets.guida.readings import (
    ArmourDown,
)
from app.rulesets.guida.register import regenerate
from app.rulesets.guida.senses import forget_located
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stops import tidy
from app.rulesets.guida.tags import mismatches
from app.rulesets.guida.template import (
    raise_armour,
)
from app.rulesets.guida.terms import Phase as Phases
from app.rulesets.guida.uses import check_main


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
        *check_bound(opened, turn, main),
        *check_intentions(opened, turn, main),
        *check_areas(opened, defended, turn, main),
        *stealth.check(opened, turn),
    )


def plan(scene: Scene, turn: Turn) -> Plan:
    """Declare the dice of a turn with their labels, as if every earlier action works (GC-2.29)."""
    opened = open_turn(scene, turn)
    scene = opened.scene
    bonuses = prepared_attack(scene, turn)
    written = expect(scene, turn)
    asked = (
        *asked_defences(scene, turn, written),
        *asked_independents(scene, turn, written),
        *asked_attempts(scene, turn, main_of(turn)),
        *asked_bond_dice(scene, turn, main_of(turn)),
        *stealth.asked(written.after, turn),
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
    form = form_die(opened.scene, turn, main_of(turn), dice)
    scene, carried = close_defences(phase, turn.by, turn.defences, form)
    scene, past = past_defences(scene, turn.by)
    scene, creating = begin_by_defences(scene, turn, phase, dice)
    scene, sensed = stealth.resolve(scene, turn, dice, closed=phase.closed, thrown=phase.thrown)
    superseded = tell_superseded(opened.scene, written.after, scene, phase, turn, bonuses)
    scene, offensive = hold_offensive(replace(phase, scene=scene), turn, bonuses, dice, form)
    # GC-14.17: an opponent has posted once the whole post is there, its attack included.
    scene, passed = generic.pass_by(scene, turn.by)
    scene, closing = close_turn(scene, turn.by)
    defensive, launching = (
        tuple(mismatches(scene.options, dice, asked, stage))
        for stage in (Phases.DEFENSIVE, Phases.OFFENSIVE)
    )
    return Resolution(
        scene,
        (
            *opened.findings,
            *told_in(Phases.DEFENSIVE, defensive, defended, carried, past, creating),
            *told_in(Phases.OFFENSIVE, sensed, superseded, offensive, launching, passed, closing),
        ),
    )


def close_turn(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """End a turn: what was to last until now goes, and the next combatant is up."""
    scene = raise_armour(scene, id, ArmourDown.CURRENT_TURN_END)
    scene, findings = regenerate(scene, id)
    bearer, gone = expire_stacks(scene.who(id))
    scene, over = let_go(scene.put(bearer), id, gone)
    findings += over
    scene, ended = expire_effects(scene, id)
    scene, decayed = end_round(scene, id, next_up(scene, id))
    scene = tidy(forget_located(scene))
    return replace(scene, next=next_up(scene, id)), [*findings, *ended, *decayed]


def end_round(scene: Scene, last: str, first: str) -> tuple[Scene, list[Finding]]:
    """End the round where the order of the scene starts anew; areas may decay then (AMB-91)."""
    ids = [one.id for one in scene.combatants]
    return decay_all(scene) if ids.index(first) <= ids.index(last) else (scene, [])


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
