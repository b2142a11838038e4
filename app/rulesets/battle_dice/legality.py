"""What stands in the way of an order, all of it at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from app.engine.findings import Facts, Violation
from app.engine.ruleset import GM
from app.rulesets.battle_dice.armies import check_army, check_equal
from app.rulesets.battle_dice.correcting import check_troop
from app.rulesets.battle_dice.orders import (
    Choose,
    CloseBattle,
    Concede,
    Deadline,
    Draw,
    Muster,
    Order,
    Policy,
    SetTroop,
    Stand,
    Turn,
)
from app.rulesets.battle_dice.policies import SHOTS
from app.rulesets.battle_dice.state import Battle
from app.rulesets.battle_dice.terms import Kind

LISTS = ("casualties", "target", "control", "set_to_one", "restore")


def check_order(battle: Battle, order: Order) -> Iterator[Violation]:
    """List everything that stands in the way of an order."""
    if battle.ended is not None:
        yield Violation("BD-2", "battle_over")
        return
    if isinstance(order, Deadline):
        yield from _check_deadline(battle, order)
        return
    if isinstance(order, CloseBattle):
        if order.by != GM:
            yield Violation("BD-A4", "closed_by_the_master", "by")
        return
    if isinstance(order, SetTroop):
        yield from check_troop(battle, order)
        return
    place = battle.place(order.by)
    if place < 0:
        yield Violation("BD-1", "not_a_player", "by", {"id": order.by})
        return
    match order:
        case Turn():
            yield from _check_turn(battle, place)
            yield from _check_policy(battle, place, order.policy)
        case Muster():
            yield from _check_muster(battle, place, order)
        case Choose():
            yield from _check_choice(battle, order)
        case Stand():
            yield from _check_policy(battle, place, order.policy)
        case Concede():
            pass  # BD-A4: at any time
        case Draw():
            if battle.sides[place].offers_draw:
                yield Violation("BD-A4", "draw_offered_already", "by")
        case _:
            assert_never(order)


def _check_deadline(battle: Battle, order: Deadline) -> Iterator[Violation]:
    if order.by != GM:
        yield Violation("BD-A3", "gm_only", "by")
    if not battle.mustered:  # BD-A3 knows default orders, but no default army
        yield Violation("BD-A3", "no_default_army")


def _check_turn(battle: Battle, place: int) -> Iterator[Violation]:
    if not battle.mustered:
        yield Violation("BD-9", "armies_awaited")
    elif battle.paused is not None:
        yield Violation("AMB-BD-23", "choice_awaited")
    elif battle.sides[place].posted is not None:
        yield Violation("BD-12", "orders_posted_already", "by")


def _check_policy(battle: Battle, place: int, policy: Policy) -> Iterator[Violation]:
    for name in LISTS:
        kinds = getattr(policy, name)
        if len(set(kinds)) < len(kinds):
            yield Violation("BD-A1", "kind_repeated", f"policy.{name}", {"list": name})
    if policy.summon is Kind.D20:
        yield from _check_summon(battle, place)
    if policy.initiative_step is not None and policy.initiative_step not in SHOTS:
        facts: Facts = {"step": policy.initiative_step}
        yield Violation("BD-T6", "not_a_step_to_be_first_in", "policy.initiative_step", facts)


def _check_summon(battle: Battle, place: int) -> Iterator[Violation]:
    """Refuse heroes where they cannot be summoned (AMB-BD-12)."""
    if not battle.options.summon_heroes:
        yield Violation("AMB-BD-12", "heroes_not_summoned", "policy.summon")
    elif battle.mustered and not battle.sides[place].hero:
        yield Violation("AMB-BD-12", "no_hero_type_to_summon", "policy.summon")


def _check_muster(battle: Battle, place: int, order: Muster) -> Iterator[Violation]:
    side, other = battle.sides[place], battle.sides[1 - place]
    if side.troops:
        yield Violation("BD-9", "armies_stand")
        return
    if side.mustered is not None:
        yield Violation("BD-9", "army_mustered_already", "by")
        return
    yield from check_army(order.army, battle.options, "army")
    if other.mustered is not None and battle.options.army_size is None:
        yield from check_equal(order.army.units.total, other.mustered.units.total, "army.units")


def _check_choice(battle: Battle, order: Choose) -> Iterator[Violation]:
    paused = battle.paused
    mine = [one for one in paused.awaited if one.seat == order.by] if paused else []
    wanted = next((one for one in mine if one.id == order.decision), None)
    if paused is None or wanted is None:
        facts: Facts = {"decision": order.decision}
        yield Violation("AMB-BD-23", "no_such_choice", "decision", facts)
        return
    if any(one.decision == order.decision for one in paused.answers):
        yield Violation("AMB-BD-23", "chosen_already", "decision")
        return
    known = {pick.id for pick in wanted.picks}
    unknown = tuple(one for one in order.picks if one not in known)
    if unknown:
        yield Violation("AMB-BD-23", "unknown_pick", "picks", {"picks": unknown})
    if len(set(order.picks)) < len(order.picks):
        yield Violation("AMB-BD-23", "pick_repeated", "picks")
    if len(order.picks) != wanted.count:
        number: Facts = {"picked": len(order.picks), "wanted": wanted.count}
        yield Violation("AMB-BD-23", "wrong_number_of_picks", "picks", number)
