"""Whole combats and single orders: what stands in the way, what is awaited, what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.engine.findings import Fact, Finding, Obstacle
from app.engine.tally import Tally
from app.ops.combat_dice.fighters import written_status
from app.ops.drawn import QueueDice
from app.ops.given import CaseError, Given, InputRefused
from app.persistence.codec import Malformed, decode, union_of
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.orders import CombatOrder
from app.rulesets.combat_dice.state import Combat, CombatFighter, CombatSetup


def setup_check(given: Given) -> dict[str, object]:
    """List what keeps a combat from being opened."""
    return _codes(COMBAT_DICE.check_setup(_setup(given)))


def order_check(given: Given) -> dict[str, object]:
    """Play ``orders``, then list what stands in the way of one more ``order``."""
    dice = QueueDice.read(given)
    combat, _ = _play(given, dice)
    dice.finish()
    return _codes(COMBAT_DICE.check(combat, _order(given.raw("order"), "order")))


def odds(given: Given) -> dict[str, object]:
    """Play ``orders``, then tell the exact laws of one more ``order``."""
    dice = QueueDice.read(given)
    state, _ = _play(given, dice)
    dice.finish()
    laws = COMBAT_DICE.forecast(state, _order(given.raw("order"), "order")).laws
    return {
        law.key: {str(one.outcome[0][1]): one.probability for one in law.chances} for law in laws
    }


def combat(given: Given) -> dict[str, object]:
    """Play a combat decision by decision and tell everything: findings, and how it stands then."""
    dice = QueueDice.read(given)
    state, told = _play(given, dice)
    dice.finish()
    awaited = COMBAT_DICE.awaits(state)
    return {
        "decisions": [[_finding(one) for one in findings] for findings in told],
        "keys": [[one.key for one in findings] for findings in told],
        "end": {one.id: _fighter(one) for one in state.fighters},
        "stage": str(state.stage),
        "turn": state.turn,
        "ranged": state.ranged,
        "quiet": state.quiet,
        "awaits": {"seats": awaited.seats, "sealed": awaited.sealed, "ended": awaited.ended},
        "outcome": None
        if state.outcome is None
        else {"ending": str(state.outcome.ending), "winner": state.outcome.winner},
    }


def _setup(given: Given) -> CombatSetup:
    setup: CombatSetup = _read(CombatSetup, given.raw("setup"), "setup")
    return setup


def _play(given: Given, dice: QueueDice) -> tuple[Combat, list[tuple[Finding, ...]]]:
    setup = _setup(given)
    if obstacles := COMBAT_DICE.check_setup(setup):
        raise InputRefused(*(one.code for one in obstacles))
    state = COMBAT_DICE.start(setup)
    told: list[tuple[Finding, ...]] = []
    for number, raw in enumerate(given.items("orders")):
        order = _order(raw, f"orders[{number}]")
        if obstacles := COMBAT_DICE.check(state, order):
            raise InputRefused(*(one.code for one in obstacles))
        made = COMBAT_DICE.resolve(state, order, dice.decision())
        state = made.state
        told.append(made.findings)
    return state, told


def _order(data: object, at: str) -> CombatOrder:
    order: CombatOrder = _read(union_of(COMBAT_DICE.orders), data, at)
    return order


def _read(wanted: Any, data: object, at: str) -> Any:
    try:
        return decode(wanted, data, at)
    except Malformed as wrong:
        told = "; ".join(f"{one.field}: {one.code}" for one in wrong.mistakes)
        raise CaseError(told) from None


def _codes(obstacles: Iterable[Obstacle]) -> dict[str, object]:
    found = [one.code for one in obstacles]
    return {"legal": not found, "codes": found}


def _finding(finding: Finding) -> dict[str, object]:
    facts = {key: _fact(value) for key, value in finding.facts.items()}
    told: dict[str, object] = {"key": finding.key, "rule": finding.rule, **facts}
    return told if finding.ruling is None else {**told, "ruling": finding.ruling}


def _fact(value: Fact) -> object:
    if isinstance(value, Tally):
        return {"total": value.total, **{term.key: term.value for term in value.terms}}
    return value


def _fighter(who: CombatFighter) -> dict[str, object]:
    return {
        "hp": who.hp,
        "max_hp": who.max_hp,
        "condition": str(who.condition),
        "weapon": str(who.weapon),
        "weapons": [str(one) for one in who.weapons],
        "spells": [str(one) for one in who.spells],
        "specialty": [str(one) for one in who.specialty],
        "status": written_status(who),
    }
