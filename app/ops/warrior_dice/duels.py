"""Whole duels and single orders in the wire format: what stands in the way, what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.findings import Fact, Finding, Obstacle
from app.engine.ruleset import Seat
from app.engine.tally import Tally
from app.ops.drawn import QueueDice
from app.ops.given import CaseError, Given
from app.persistence.codec import Malformed, decode, encode, union_of
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.orders import ORDERS, DuelOrder
from app.rulesets.warrior_dice.state import Duel, DuelSetup
from app.rulesets.warrior_dice.view import outcome


def setup_check(given: Given) -> dict[str, object]:
    """List what keeps a duel from being opened."""
    return _told(WARRIOR_DICE.check_setup(_setup(given)))


def order_check(given: Given) -> dict[str, object]:
    """Play ``posts``, then list what stands in the way of one more ``order``."""
    played, _ = _play(given)
    return _told(WARRIOR_DICE.check(played, _order(given.raw("order"))))


def duel(given: Given) -> dict[str, object]:
    """Play a duel order by order, and tell everything of it; ``seat`` is who looks on.

    ``options`` are those of the set-up, where they do not stand in it.
    """
    played, told = _play(given)
    awaited = WARRIOR_DICE.awaits(played)
    seat: Seat = given.text("seat", "spectator")
    told_outcome = outcome(played)
    return {
        "posts": told,
        "view": encode(WARRIOR_DICE.view(played, seat)),
        "choices": encode(WARRIOR_DICE.choices(played, seat)),
        "awaits": awaited.seats,
        "paused": awaited.paused,
        "ended": awaited.ended,
        "roster": [one.seat for one in WARRIOR_DICE.roster(played)],
        "outcome": None if told_outcome is None else encode(told_outcome),
    }


def _play(given: Given) -> tuple[Duel, list[dict[str, object]]]:
    setup = _setup(given)
    if obstacles := WARRIOR_DICE.check_setup(setup):
        raise CaseError(f"the set-up: {', '.join(one.code for one in obstacles)}")
    played = WARRIOR_DICE.start(setup)
    told = []
    for place, post in enumerate(given.parts("posts")):
        order = _order(post.raw("order"))
        if obstacles := WARRIOR_DICE.check(played, order):
            raise CaseError(f"post {place}: {', '.join(one.code for one in obstacles)}")
        dice = QueueDice.read(post)
        plan = WARRIOR_DICE.plan(played, order)
        done = WARRIOR_DICE.resolve(played, order, dice)
        dice.finish()
        fallen = [one.address for one in done.drawn]
        if len(fallen) != dice.drawn or not (plan.draws or not fallen):
            raise CaseError(f"post {place}: {dice.drawn} dice fell, {len(fallen)} are told")
        told.append({"planned": len(plan.asked), "findings": [_finding(f) for f in done.findings]})
        played = done.state
    return played, told


def _setup(given: Given) -> DuelSetup:
    data = given.raw("setup")
    extra = given.raw("options")
    if isinstance(data, dict) and isinstance(extra, dict):
        data = {**data, "options": extra}
    try:
        return decode(DuelSetup, data)
    except Malformed as wrong:
        raise CaseError(f"setup: {wrong}") from None


def _order(data: object) -> DuelOrder:
    try:
        order: DuelOrder = decode(union_of(ORDERS), data)
    except Malformed as wrong:
        raise CaseError(f"an order: {wrong}") from None
    return order


def _told(obstacles: tuple[Obstacle, ...]) -> dict[str, object]:
    return {
        "legal": not obstacles,
        "codes": [one.code for one in obstacles],
        "rules": [one.rule for one in obstacles],
    }


def _finding(finding: Finding) -> dict[str, object]:
    return {"key": finding.key, "rule": finding.rule, **_facts(finding.facts)}


def _facts(facts: Mapping[str, Fact]) -> dict[str, object]:
    return {
        key: _terms(value) if isinstance(value, Tally) else value for key, value in facts.items()
    }


def _terms(tally: Tally) -> list[list[object]]:
    return [[term.key, term.value] for term in tally.terms]
