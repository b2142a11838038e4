"""What stands in the way of a ruling or a line by hand, everything at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeAlias, assert_never

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM
from app.rulesets.guida.areas import area_of
from app.rulesets.guida.arrivals import check_join, check_turn_order
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.legality import DEFENCES
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
from app.rulesets.guida.setup import check_place, check_sheet
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Change, Stack, Standing

Ruling: TypeAlias = (
    Answer
    | Place
    | Manual
    | SetValue
    | Adequacy
    | Impact
    | EndArea
    | Pause
    | Resume
    | Close
    | Join
    | TurnOrder
    | Withdraw
    | ReplaceSheet
)


MOST_PROPOSALS: Final = 10  # lines a player may have waiting, so that a Master can still see them


def check(scene: Scene, order: Ruling) -> tuple[Obstacle, ...]:
    """List everything that stands in the way of a ruling or a line by hand."""
    return tuple(_obstacles(scene, order))


def _obstacles(scene: Scene, order: Ruling) -> Iterator[Obstacle]:
    yield from _check_any(scene, order)
    match order:
        case Answer():
            yield from _check_answer(scene, order)
        case Place():
            yield from check_place(scene, order)
        case Manual():
            yield from _check_manual(scene, order)
        case SetValue():
            yield from _check_set_value(scene, order)
        case Adequacy():
            yield from _check_adequacy(scene, order)
        case Impact():
            yield from _known(scene, order.attacker, "attacker")
            yield from _known(scene, order.target, "target")
            if order.target == order.attacker:  # GC-10.2: a blow throws its target
                yield Violation("GC-10.2", "thrown_by_oneself", "target")
        case EndArea():
            yield from _check_end_area(scene, order)
        case Pause() | Resume() | Close():
            yield from _check_pause(scene, order)
        case Join():
            yield from check_join(scene, order)
        case TurnOrder():
            yield from check_turn_order(scene, order)
        case Withdraw():
            yield from _check_withdraw(scene, order)
        case ReplaceSheet():
            yield from _check_sheet(scene, order)
        case _:
            assert_never(order)


def _check_any(scene: Scene, order: Ruling) -> Iterator[Violation]:
    if scene.ended:
        yield Violation("GC-2.1", "scene_ended")
    if not order.reason.strip():
        yield Violation("GC-4.28", "reason_missing", "reason")
    if order.by != GM:
        yield from _check_player(scene, order)


def _check_end_area(scene: Scene, order: EndArea) -> Iterator[Violation]:
    if area_of(scene, order.area) is None:
        yield Violation("GC-12.1", "area_unknown", "area", {"id": order.area})


def _check_player(scene: Scene, order: Ruling) -> Iterator[Violation]:
    if not _is_own(order):
        yield Violation("GC-4.28", "master_only", "by")
    elif scene.has(order.by) and not scene.who(order.by).active:
        out = scene.who(order.by)
        facts: Facts = {"bearer": out.sheet.name, "standing": out.standing}
        yield Violation("GC-2.1", "not_fighting", "by", facts)


def _check_pause(scene: Scene, order: Pause | Resume | Close) -> Iterator[Violation]:
    if isinstance(order, Pause) and scene.paused:
        yield Violation("GC-2.1", "already_paused")
    if isinstance(order, Resume) and not scene.paused:
        yield Violation("GC-2.1", "not_paused")


def _check_set_value(scene: Scene, order: SetValue) -> Iterator[Violation]:
    yield from _known(scene, order.combatant)
    if order.change not in (Change.HP, Change.EP):
        yield Violation("GC-2.4", "cannot_set", "change", {"change": order.change})
    if order.change is Change.EP and order.value < 0:
        yield Violation("GC-2.6", "energy_below_zero", "value", {"ep": order.value})


def _check_adequacy(scene: Scene, order: Adequacy) -> Iterator[Violation]:
    if order.attack not in {attack.id for attack in scene.incoming}:
        yield Violation("GC-14.5", "attack_not_incoming", "attack", {"attack": order.attack})
    if order.defence not in DEFENCES or order.defence is Action.NULL_DEFENCE:
        facts: Facts = {"action": order.defence}
        yield Violation("GC-14.5", "cannot_be_inadequate", "defence", facts)


def _check_sheet(scene: Scene, order: ReplaceSheet) -> Iterator[Violation]:
    yield from _known(scene, order.combatant)
    yield from check_sheet(order.sheet, "sheet", scene.options)
    if order.by != GM and scene.has(order.by) and scene.is_engaged(order.by):
        yield Violation("GC-1.1", "sheet_in_use", "sheet")


def _is_own(order: Ruling) -> bool:
    """Say whether a player may give this order: about the own combatant, in the players' ways."""
    match order:
        case Manual() | ReplaceSheet():
            return order.combatant == order.by
        case Withdraw():
            return order.combatant == order.by and order.standing is not Standing.DEFEATED
        case _:
            return False


def _known(scene: Scene, id: str, field: str = "combatant") -> Iterator[Violation]:
    if not scene.has(id):
        yield Violation("GC-2.1", "unknown_combatant", field, {"id": id})


def _check_answer(scene: Scene, order: Answer) -> Iterator[Violation]:
    question = next((asked for asked in scene.questions if asked.id == order.question), None)
    if question is None:
        yield Violation("GC-4.28", "question_unknown", "question", {"id": order.question})
    elif order.choice not in question.choices:
        facts: Facts = {"choices": question.choices}
        yield Violation("GC-4.28", "choice_unknown", "choice", facts)
    elif (question.code, order.choice) == ("manual", "confirm"):
        # What was possible when it was proposed need not be so any more.
        who = scene.who(question.by)
        line = next(line for line in who.lines if line.proposal == question.about)
        yield from _check_amount(who, line.change, line.amount, line.stack, "choice")


def _check_manual(scene: Scene, order: Manual) -> Iterator[Violation]:
    yield from _known(scene, order.combatant)
    if order.amount == 0:
        yield Violation("GC-1.4", "amount_zero", "amount")
    match order.change:
        case Change.POINTS if order.stat is None:
            yield Violation("GC-1.3", "stat_missing", "stat")
        case Change.STACKS if order.stack is None:
            yield Violation("GC-11.1", "stack_missing", "stack")
        case Change.EFFECT:
            yield Violation("GC-1.4", "cannot_write", "change", {"change": order.change})
        case _:
            pass
    if not scene.has(order.combatant):
        return
    who = scene.who(order.combatant)
    waiting = sum(1 for line in who.lines if not line.confirmed)
    if order.by != GM and waiting >= MOST_PROPOSALS:
        facts: Facts = {"waiting": waiting}
        yield Violation("GC-1.4", "too_many_proposals", "", facts)
    yield from _check_amount(who, order.change, order.amount, order.stack, "amount")


def _check_amount(
    who: Combatant, change: Change, amount: int, stack: Stack | None, field: str
) -> Iterator[Violation]:
    if change is Change.EP and who.ep_now + amount < 0:
        facts: Facts = {"ep": who.ep_now, "amount": amount}
        yield Violation("GC-2.6", "energy_below_zero", field, facts)
    if change is Change.STACKS and stack is not None and held(who, stack) + amount < 0:
        facts = {"stack": stack, "held": held(who, stack)}
        yield Violation("GC-11.1", "stacks_below_zero", field, facts)


def _check_withdraw(scene: Scene, order: Withdraw) -> Iterator[Violation]:
    yield from _known(scene, order.combatant)
    if order.standing is Standing.ACTIVE:
        yield Violation("GC-2.1", "standing_not_an_end", "standing")
    if scene.has(order.combatant) and not scene.who(order.combatant).active:
        facts: Facts = {"bearer": scene.who(order.combatant).sheet.name}
        yield Violation("GC-2.1", "already_out", "combatant", facts)
