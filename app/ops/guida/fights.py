"""Whole fights and single orders: what stands in the way, what is declared, what comes of it."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from app.engine.findings import Fact, Finding, Obstacle, Question
from app.engine.ruleset import Asked
from app.engine.tally import Tally
from app.ops.given import Given
from app.ops.guida.scenes import Post, thrown
from app.ops.guida.success import stacks_of
from app.ops.guida.wire import play, read_order, read_setup
from app.persistence.codec import Malformed
from app.rulesets.guida.areas import is_inside, potential_of, power_of, radius_of
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.underway import (
    ControlArea,
)

HEADER = ("vitals", "stat", "balance")
LINE = "line_"
NEWS = ("line_by_master", "line_proposed")


def setup_check(given: Given) -> dict[str, object]:
    """List what keeps a scene from being opened."""
    return _told(GUIDA.check_setup(read_setup(given)))


def order_check(given: Given) -> dict[str, object]:
    """Play ``posts``, then list what stands in the way of one more ``order``, or its ``dice``."""
    scene, _ = play(given)
    try:
        order = read_order(scene, given.raw("order"))
    except Malformed as wrong:
        return {"malformed": [f"{one.field}: {one.code}" for one in wrong.mistakes]}
    obstacles = GUIDA.check(scene, order)
    if given.has("dice") and not obstacles:
        plan = GUIDA.plan(scene, order)
        rolls = thrown(plan, given.wholes("dice"), given.numbers("modifiers"))
        obstacles = GUIDA.check_dice(scene, order, rolls)
    return _told(obstacles)


def transcript(given: Given) -> dict[str, object]:
    """Play a fight post by post and tell everything: whatever a case does not list is missed.

    Each finding stands in exactly one of vitals, stats, register, balance and outcomes, and lists
    match whole; so a case that writes all five down is closed.
    """
    scene, played = play(given)
    told = [_post(made) for made in played]
    awaited = GUIDA.awaits(scene)
    return {
        "posts": told,
        "last": told[-1] if told else None,
        "end": {one.id: _combatant(one) for one in scene.combatants},
        "metres": {" ".join(sorted((one.a, one.b))): one.metres for one in scene.distances},
        "behind": sorted(f"{one.who} {one.whom}" for one in scene.behind),
        "hidden": sorted(f"{one.who} {one.observer}" for one in scene.hidden),
        "pending": _pending(scene),
        "generics": _generics(scene),
        "areas": {one.id: _area(scene, one) for one in scene.areas},
        "awaits": {
            "seats": awaited.seats,
            "blocked": awaited.blocked,
            "questions": [question.code for question in awaited.questions],
        },
        "paused": awaited.paused,
        "ended": awaited.ended,
    }


def _told(obstacles: Iterable[Obstacle]) -> dict[str, object]:
    found = [
        {
            "kind": "question" if isinstance(one, Question) else "violation",
            "rule": one.rule,
            "code": one.code,
            "field": "" if isinstance(one, Question) else one.field,
            "facts": {} if isinstance(one, Question) else _facts(one.facts.items()),
        }
        for one in obstacles
    ]
    return {"legal": not found, "codes": [one["code"] for one in found], "obstacles": found}


def _post(made: Post) -> dict[str, object]:
    vitals = [one.facts.items() for one in made.findings if one.key == "vitals"]
    balance = made.facts("balance")
    told: dict[str, object] = {
        "vitals": _facts(vitals[0]) if vitals else None,
        "stats": {str(one["stat"]): [one["base"], one["points"]] for one in made.facts("stat")},
        "register": [
            {"line": one.key.removeprefix(LINE), "rule": one.rule, **_facts(one.facts.items())}
            for one in made.findings
            if _is_line(one)
        ],
        "balance": {str(one["what"]): one["discrepancy"] for one in balance},
        "dice": [_die(asked) for asked in made.plan.asked],
        "outcomes": [
            _outcome(one) for one in made.findings if one.key not in HEADER and not _is_line(one)
        ],
        "pending": _pending(made.after),
        "generics": _generics(made.after),
        "next": made.after.next,
    }
    return told


def _outcome(finding: Finding) -> dict[str, object]:
    told = {"key": finding.key, "rule": finding.rule, **_facts(finding.facts.items())}
    return told if finding.ruling is None else {**told, "ruling": finding.ruling}


def _die(asked: Asked) -> dict[str, object]:
    return {
        "phase": asked.phase,
        "action": asked.action,
        "sides": asked.sides,
        "modifier": asked.tally.total,
        "terms": _terms(asked.tally),
        "actor": asked.actor,
        "targets": asked.targets,
        "items": asked.items,
    }


def _combatant(one: Combatant) -> dict[str, object]:
    return {
        "hp": one.hp,
        "hp_now": one.hp_now,
        "ep": one.ep,
        "ep_now": one.ep_now,
        "turn": one.turn,
        "stacks": stacks_of(one),
        "uses": {tool.id: one.uses_of(tool.id) for tool in one.sheet.tools if one.uses_of(tool.id)},
        "effects": [running.name for running in one.effects],
        "armour_down": one.armour_down,
        "bound": _bound(one),
        "standing": one.standing,
    }


def _bound(one: Combatant) -> dict[str, object] | None:
    if one.bond_value is None:
        return None
    return {
        "value": one.bond_value.total,
        "loosening": one.loosening,
        "by": [bond.name for bond in one.bonds],
    }


def _area(scene: Scene, one: ControlArea) -> dict[str, object]:
    return {
        "creator": one.creator,
        "radius": radius_of(one),
        "saturation": one.saturation,
        "potential": potential_of(one),
        "power": power_of(scene.options, one),
        "inside": [who.id for who in scene.combatants if is_inside(scene, one, who.id)],
    }


def _pending(scene: Scene) -> list[object]:
    return [
        {
            "id": one.id,
            "attacker": one.attacker,
            "target": one.target,
            "name": one.tool.name,
            "hit_score": one.hit_score,
            "power": one.power.total,
        }
        for one in scene.incoming
    ]


def _generics(scene: Scene) -> list[object]:
    return [
        {
            "id": one.id,
            "actor": one.actor,
            "action": one.action,
            "name": one.tool.name if one.tool else "",
            "success_score": one.success_score,
            "waits": one.waits,
            "held": one.held,
        }
        for one in scene.pending
    ]


def _facts(facts: Iterable[tuple[str, Fact]]) -> dict[str, object]:
    return {key: _terms(value) if isinstance(value, Tally) else value for key, value in facts}


def _terms(tally: Tally) -> dict[str, object]:
    """Give a tally as what each key adds, in the order of the terms."""
    added: dict[str, Fraction] = {}
    for term in tally.terms:
        added[term.key] = added.get(term.key, Fraction(0)) + term.value
    return dict(added)


def _is_line(finding: Finding) -> bool:
    """Say whether a finding is a line of a register, and not the news of one."""
    return finding.key.startswith(LINE) and finding.key not in NEWS
