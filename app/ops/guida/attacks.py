"""Chapter 3: power, and who is faster."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Rules,
    arriving,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    read_stacks,
    scored,
    tool,
    with_points,
)
from app.ops.guida.targets import protected
from app.rulesets.guida.orders import (
    Independent,
    Turn,
)
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.sheet import StatPoints, Stats
from app.rulesets.guida.success import settle_speed
from app.rulesets.guida.tables import ALLY_DEFENCES
from app.rulesets.guida.terms import Action, Stat


def power(given: Given) -> dict[str, object]:
    """Add up the power of a technique (GC-3.5)."""
    rules = read_rules(given)
    levels: dict[str, Any] = {}
    bonuses = []
    stats = given.part("stats")
    for name in stats.names():
        part = stats.part(name)
        levels[name] = part.whole("base_level", 0)
        bonuses.append(StatPoints(stat=Stat(name), points=part.whole("bonus_points", 0)))
    used = tool(
        "used",
        given.number("potential"),
        governing=given.word(Stat, "governing_stat") if given.has("governing_stat") else None,
        stat_bonus=given.number("stat_bonus") if given.has("stat_bonus") else None,
    )
    stacks = read_stacks(given.part("conditions"))
    user = fighter(ATTACKER, used, stats=Stats(**levels), stacks=stacks)
    who = with_points(opened(duel(rules, user, fighter(DEFENDER)), ATTACKER), bonuses)
    made = tally_power(rules.options, rules.regulation, who, used)
    return {"power": made.tally.total, "stat_bonus": made.stat_bonus, "potential": made.potential}


def speed_check(given: Given) -> dict[str, object]:
    """Let a defence meet an attack (GC-3.3, GC-3.4), and see whether its energy is spent."""
    for side in ("attacker_type", "defender_type"):
        given.raw(side)  # GC-2.1: whoever moves a fighter, the rules are the same
    rules = read_rules(given)
    hit, defend = given.number("hit_score"), given.number("defend_score")
    action = given.word(Action, "action")
    if action in ALLY_DEFENCES:
        return _for_ally(rules, action, hit, defend)
    blow = tool("blow")
    defence = scored(action, given.whole("defend_score"), ep=1)
    scene = duel(
        rules,
        fighter(ATTACKER, blow),
        fighter(DEFENDER, *defence.tools),
        underway=[arriving(blow.id, given.whole("hit_score"))],
        first=DEFENDER,
    )
    attack = scene.incoming[0].id
    turn = (
        Turn(by=DEFENDER, independents=(Independent(tool=defence.effort.id, against=attack),))
        if action is Action.INDEPENDENT_SECONDARY
        else Turn(by=DEFENDER, defences=(defence.against(attack),))
    )
    made = post(scene, turn, defence.faces)
    return {
        "outcome": made.outcome() or settle_speed(hit, defend),
        "defence_activated": not made.has("speed_attacker_wins", "independent_outpaced"),
        "ep_spent_on_defence": made.has("energy_spent"),
    }


def _for_ally(rules: Rules, action: Action, hit: Fraction, defend: Fraction) -> dict[str, object]:
    """Let a protector meet an attack on an ally; no rule prints what a tie means (AMB-24)."""
    defence = scored(action, int(defend), ep=1)
    made = protected(rules, defence, int(hit))
    return {
        "outcome": settle_speed(hit, defend),
        "defence_activated": not made.has("ally_not_reached"),
        "ep_spent_on_defence": made.has("energy_spent"),
    }
