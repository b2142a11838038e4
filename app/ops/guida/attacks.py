"""Chapter 3: power, and who is faster."""

from __future__ import annotations

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
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
from app.rulesets.guida.orders import Turn
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.sheet import StatPoints, Stats
from app.rulesets.guida.terms import Action, Outcome, Stat


def power(given: Given) -> dict[str, object]:
    """Add up the power of a technique (GC-3.5)."""
    rules = read_rules(given)
    levels, bonuses = {}, []
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
    action = given.word(Action, "action")
    blow = tool("blow")
    defence = scored(action, given.whole("defend_score"), ep=1)
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, blow),
        fighter(DEFENDER, defence.effort),
        underway=[arriving(blow.id, given.whole("hit_score"))],
        first=DEFENDER,
    )
    turn = Turn(by=DEFENDER, defences=(defence.against(scene.incoming[0].id),))
    made = post(scene, turn, defence.faces)
    return {
        "outcome": made.outcome(),
        "defence_activated": made.outcome() != Outcome.ATTACKER_WINS,
        "ep_spent_on_defence": made.has("energy_spent"),
    }
