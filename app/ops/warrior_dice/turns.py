"""Consecutive player turns of one duel, played by the turn engine itself."""

from __future__ import annotations

from dataclasses import replace

from app.engine.dice import DiceError
from app.engine.findings import Fact, Finding
from app.engine.tally import Tally
from app.ops.drawn import QueueDice
from app.ops.given import CaseError, Given, InputRefused
from app.ops.warrior_dice.sheets import SEATS, begin, refuse
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.orders import DuelTurn
from app.rulesets.warrior_dice.state import Duel, Midway
from app.rulesets.warrior_dice.terms import Keep, Phase, TradeOrder, YieldOrder
from app.rulesets.warrior_dice.turn import play_turn

HEALS = ("regained", "traded")
TRADES = {
    "true": TradeOrder.ALWAYS,
    "false": TradeOrder.NEVER,
    "never": TradeOrder.NEVER,
    "ask": TradeOrder.NEVER,  # nobody is there to be asked, and the default is not to
    "if_lost_20": TradeOrder.IF_LOST_20,
}


def turns(given: Given) -> dict[str, object]:
    """Play the ``turns`` of a case one by one, missed ones included."""
    duel = begin(given, given.text("first", SEATS[0]))
    dice = QueueDice.read(given)
    choices = [str(one) for one in given.wholes("choices")]
    told = []
    for entry in given.parts("turns"):
        seat = duel.next
        duel, findings = _play(duel, entry, dice, choices)
        told.append(_told(seat, findings))
    dice.finish()
    if choices:
        raise DiceError(f"{len(choices)} choices are left over")
    return {
        "turns": told,
        "final": {one.id: {"hits": one.hits, "skip": one.skip} for one in duel.fighters},
    }


def _play(
    duel: Duel, entry: Given, dice: QueueDice, choices: list[str]
) -> tuple[Duel, list[Finding]]:
    reforge = entry.flag("reforge", False)
    trade = _trade(entry.raw("unholy_trade"))
    surrender = _surrender(entry)
    if duel.ending is not None:
        raise InputRefused("duel_is_over")
    if not duel.who(duel.next).skip:
        refuse(WARRIOR_DICE.check(duel, DuelTurn(by=duel.next, reforge=reforge)))
    elif reforge:
        raise InputRefused("cannot_reforge")  # AMB-WD-14: a missed turn has no attack roll
    orders = {one.id: one.standing.doubler for one in duel.fighters}
    for one in duel.fighters:
        standing = replace(one.standing, trade=trade, surrender=surrender)
        duel = duel.put(replace(one, standing=standing))
    duel = replace(_asked(duel, orders, bool(choices)), midway=Midway(reforge=reforge))
    findings: list[Finding] = []
    while True:
        played = play_turn(duel, dice.decision())
        duel = played.state
        findings += played.findings
        midway = duel.midway
        if midway is None or midway.asking is None:
            break
        asked, answers = midway.asking, midway.answers
        if choices:
            answers = (*answers, (asked.point, choices.pop(0)))
        elif orders[asked.seat] is Keep.ASK:
            answers = (*answers, (asked.point, asked.default))
        duel = _asked(duel, orders, bool(choices))
        duel = replace(duel, midway=replace(midway, answers=answers, asking=None))
    return _asked(duel, orders, False), findings


def _asked(duel: Duel, orders: dict[str, Keep], asks: bool) -> Duel:
    """Let both be asked at their Doublers as long as choices are given, else their own orders."""
    for one in duel.fighters:
        standing = replace(one.standing, doubler=Keep.ASK if asks else orders[one.id])
        duel = duel.put(replace(one, standing=standing))
    return duel


def _trade(value: object) -> TradeOrder:
    key = "never" if value is None else str(value).lower()
    if key not in TRADES:
        raise CaseError(f"unholy_trade: {value!r} is not known")
    return TRADES[key]


def _surrender(entry: Given) -> YieldOrder:
    """Read what answers an offer to yield; nobody is there to be asked, so that ``ask`` is no."""
    key = "yield" if entry.has("yield") else "defender_yield"
    order = entry.word(YieldOrder, key, YieldOrder.NEVER)
    return YieldOrder.ALWAYS if order is YieldOrder.ALWAYS else YieldOrder.NEVER


def _told(seat: str, findings: list[Finding]) -> dict[str, object]:
    keys = {one.key: one.facts for one in findings}
    over = keys["turn_over"]
    told: dict[str, object] = {
        "by": seat,
        "attack": _final(keys.get("attack_result")),
        "defence": _final(keys.get("defence_result")),
        "healed_attacker": _healed(findings, (Phase.ATTACK,)),
        "healed_defender": _healed(findings, (Phase.DEFENCE, Phase.DAMAGE)),
    }
    for key in ("result", "damage"):
        told[key] = over[key]
    for who in ("attacker", "defender"):
        for key in ("hits", "skip"):
            told[f"{who}_{key}"] = over[f"{who}_{key}"]
    if "neutralized" in keys:
        told["neutralize"] = "applied"
    if "neutralize_cancelled" in keys:
        told["neutralize"] = "negated"
    for key, finding in (
        ("attacker_neutralized", "roared_down"),
        ("may_yield", "yield_offered"),
        ("unholy_trade", "traded"),
    ):
        if finding in keys:
            told[key] = True
    return told


def _final(facts: object) -> dict[str, object] | None:
    if not isinstance(facts, dict):
        return None
    force = facts["force"]
    return {
        "kind": facts["side"],
        "force": force.total if isinstance(force, Tally) else force,
        "special": facts["special"] or None,
        "name": facts["option"],
    }


def _healed(findings: list[Finding], phases: tuple[Phase, ...]) -> Fact:
    when = [str(phase) for phase in phases]
    amounts = (one.facts["amount"] for one in findings if one.key in HEALS and one.phase in when)
    return sum(amount for amount in amounts if isinstance(amount, int))
