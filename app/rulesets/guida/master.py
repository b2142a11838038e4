"""What is decided outside a turn: the Master's rulings, register lines by hand, pauses and ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from app.engine.findings import Facts, Finding, Question
from app.engine.ruleset import GM, Resolution
from app.engine.tally import Term
from app.rulesets.guida.areas import remove_area
from app.rulesets.guida.arrivals import join, set_turn_order
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.leaving import take_out
from app.rulesets.guida.objections import Ruling
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.register import above_maximum, amount_written, write_line
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Close,
    EndArea,
    Impact,
    Join,
    Manual,
    Pause,
    Place,
    ReplaceSheet,
    Resume,
    SetValue,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.senses import forget_located
from app.rulesets.guida.state import (
    Scene,
    add_line,
    ask,
    names_of,
)
from app.rulesets.guida.terms import Change
from app.rulesets.guida.throws import hurt_by_surroundings
from app.rulesets.guida.underway import (
    Ruled,
    Throw,
)
from app.rulesets.guida.verdicts import answer


def resolve(scene: Scene, order: Ruling) -> Resolution[Scene]:
    """Decide an order that ``check`` found nothing against; no dice are involved."""
    match order:
        case Answer():
            return answer(scene, order)
        case Place():
            return _place(scene, order)
        case Manual():
            return _manual(scene, order)
        case SetValue():
            return _set_value(scene, order)
        case Adequacy():
            return _adequacy(scene, order)
        case Impact():
            return _impact(scene, order)
        case EndArea():
            return _end_area(scene, order)
        case Pause() | Resume() | Close():
            return _halt(scene, order)
        case Join():
            return join(scene, order)
        case TurnOrder():
            return set_turn_order(scene, order)
        case Withdraw():
            return _withdraw(scene, order)
        case ReplaceSheet():
            return _replace_sheet(scene, order)
        case _:
            assert_never(order)


def _halt(scene: Scene, order: Pause | Resume | Close) -> Resolution[Scene]:
    match order:
        case Pause():
            return _note(replace(scene, paused=True), "scene_paused", order.reason)
        case Resume():
            return _note(replace(scene, paused=False), "scene_resumed", order.reason)
        case Close():
            return _note(replace(scene, ended=True), "scene_closed", order.reason)


def _note(scene: Scene, key: str, reason: str) -> Resolution[Scene]:
    return Resolution(scene, (Finding("GC-2.1", key, {"reason": reason}),))


def _place(scene: Scene, order: Place) -> Resolution[Scene]:
    findings = [
        Finding(
            "GC-4.8",
            "placed",
            {
                "who": scene.name_of(distance.a),
                "other": scene.name_of(distance.b),
                "before": scene.metres(distance.a, distance.b),
                "metres": distance.metres,
                "reason": order.reason,
            },
        )
        for distance in order.distances
    ]
    behind = scene.behind if order.behind is None else frozenset(order.behind)
    if behind != scene.behind:
        names = tuple(
            f"{scene.who(b.who).sheet.name} > {scene.who(b.whom).sheet.name}"
            for b in sorted(behind, key=lambda b: (b.who, b.whom))
        )
        findings.append(
            Finding("GC-4.30", "placed_behind", {"behind": names, "reason": order.reason})
        )
    hidden = scene.hidden if order.hidden is None else frozenset(order.hidden)
    if order.hidden is not None:
        pairs = tuple(
            f"{scene.who(one.who).sheet.name} > {scene.who(one.observer).sheet.name}"
            for one in sorted(hidden, key=lambda one: (one.who, one.observer))
        )
        findings.append(
            Finding("GC-9.1", "placed_hidden", {"hidden": pairs, "reason": order.reason})
        )
    scene = replace(scene.placed(order.distances, behind), hidden=hidden)
    return Resolution(forget_located(scene), tuple(findings))


def _end_area(scene: Scene, order: EndArea) -> Resolution[Scene]:
    facts: Facts = {"name": scene.name_of(order.area), "reason": order.reason}
    found = Finding("GC-12.1", "area_ended", facts)
    return Resolution(remove_area(scene, order.area), (found,))


def _manual(scene: Scene, order: Manual) -> Resolution[Scene]:
    confirmed = order.by == GM
    line = Line(
        id=0,
        change=order.change,
        amount=order.amount,
        rule="GC-1.4",
        key="by_hand",
        stat=order.stat if order.change is Change.POINTS else None,
        stack=order.stack if order.change is Change.STACKS else None,
        reason=order.reason,
        by_hand=_name(scene, order.by),
        confirmed=confirmed,
    )
    bearer = scene.who(order.combatant).sheet.name
    facts: Facts = {
        "bearer": bearer,
        "change": order.change,
        "amount": Fraction(order.amount),
        "subject": line.stat or line.stack or line.subject,
        "reason": order.reason,
        "by": line.by_hand,
    }
    if confirmed:
        after = write_line(scene, order.combatant, line)
        taken = amount_written(scene, after, order.combatant)
        counts: Facts = {
            **facts,
            "amount": Fraction(taken),
            "over": Fraction(order.amount - taken),
        }
        found = Finding("GC-1.4", "line_by_master", counts)
        above = above_maximum(after, order.combatant, order.change) if order.amount > 0 else ()
        return Resolution(after, (found, *above))
    scene = replace(scene, proposals=scene.proposals + 1)
    proposal = f"m{scene.proposals}"
    scene = add_line(scene, order.combatant, replace(line, proposal=proposal))
    question = Question(
        id=f"q-{proposal}",
        rule="GC-1.4",
        code="manual",
        choices=("confirm", "deny"),
        about=proposal,
        by=order.combatant,
        details=(
            ("bearer", bearer),
            ("change", order.change),
            ("amount", str(order.amount)),
            ("subject", str(facts["subject"])),
            ("why", order.reason),
        ),
    )
    scene = ask(scene, question)
    return Resolution(scene, (Finding("GC-1.4", "line_proposed", facts),))


def _set_value(scene: Scene, order: SetValue) -> Resolution[Scene]:
    who = scene.who(order.combatant)
    now = who.hp_now if order.change is Change.HP else who.ep_now
    facts: Facts = {
        "bearer": who.sheet.name,
        "change": order.change,
        "before": now,
        "value": order.value,
        "reason": order.reason,
    }
    found = Finding("GC-2.4", "value_set", facts)
    if order.value == now:
        return Resolution(scene, (found,))
    line = Line(
        id=0,
        change=order.change,
        amount=order.value - now,
        rule="GC-1.4",
        key="by_hand",
        reason=order.reason,
        by_hand=_name(scene, GM),
    )
    after = write_line(scene, order.combatant, line)
    return Resolution(after, (found, *above_maximum(after, order.combatant, order.change)))


def _adequacy(scene: Scene, order: Adequacy) -> Resolution[Scene]:
    ruling = Ruled(attack=order.attack, defence=order.defence, adequate=order.adequate)
    others = tuple(
        old for old in scene.ruled if (old.attack, old.defence) != (order.attack, order.defence)
    )
    attack = next(attack for attack in scene.incoming if attack.id == order.attack)
    facts: Facts = {
        **names_of(scene, attack),
        "action": order.defence,
        "adequate": order.adequate,
        "reason": order.reason,
    }
    found = Finding("GC-14.5", "adequacy_ruled", facts, "AMB-34")
    return Resolution(replace(scene, ruled=(*others, ruling)), (found,))


def _impact(scene: Scene, order: Impact) -> Resolution[Scene]:
    """Enter environmental damage; it counts toward the one additional damage of a turn (AMB-55)."""
    throw = Throw(
        thrower=order.attacker,
        thrown=order.target,
        name="",
        die=order.die,
        category=order.category,
        potential_bonus=Term("GC-8.5", "potential_bonus", Fraction(0)),
        stat_bonus=order.stat_bonus,
        knock=Knock(),
        by_defence=order.by_defence,
        guarded=order.guarded,
    )
    scene, found = hurt_by_surroundings(scene, throw, reason=order.reason)
    return Resolution(scene, tuple(found))


def _withdraw(scene: Scene, order: Withdraw) -> Resolution[Scene]:
    scene, findings = take_out(scene, order.combatant, order.standing)
    told = replace(findings[0], facts={**findings[0].facts, "reason": order.reason})
    return Resolution(scene, (told, *findings[1:]))


def _replace_sheet(scene: Scene, order: ReplaceSheet) -> Resolution[Scene]:
    """Put a new sheet under a combatant; before its first turn the vitals follow the new maxima."""
    who = scene.who(order.combatant)
    changed = replace(who, sheet=order.sheet)
    if who.turn == 0 and (who.hp, who.ep) == (who.sheet.max_hp, who.sheet.max_ep):
        changed = replace(changed, hp=order.sheet.max_hp, ep=order.sheet.max_ep)
    facts: Facts = {"bearer": order.sheet.name, "reason": order.reason}
    return Resolution(scene.put(changed), (Finding("GC-1.1", "sheet_replaced", facts),))


def _name(scene: Scene, by: str) -> str:
    return GM if by == GM else scene.who(by).sheet.name
