"""How a duel ends, what XP it earns, and what is decided after it (WD-6, WD-49, WD-63, WD-A6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.findings import Facts, Finding
from app.engine.ruleset import Resolution
from app.rulesets.warrior_dice.campaign import (
    earned,
    is_banished,
    is_spent,
    may_yield,
    purchases_in,
    reformed_value,
    value_of,
)
from app.rulesets.warrior_dice.state import Duel, Fighter
from app.rulesets.warrior_dice.terms import Ending, Stage

_XP_RULES: Final = {1: "WD-49", 5: "WD-50", 10: "WD-51"}
WON: Final = (Ending.DEFEAT, Ending.YIELD, Ending.RESIGNATION)


def end(duel: Duel, ending: Ending, winner: str) -> Resolution[Duel]:
    """End a duel: who has won it, what that earns, who is to reform, who may buy."""
    findings = [_told(duel, ending, winner)]
    duel = replace(
        duel, ending=ending, winner=winner, midway=None, draw_offered="", stage=Stage.AFTERMATH
    )
    if ending in WON:
        loser = duel.other(winner)
        duel, gained = _reward(duel, duel.who(winner), loser)
        findings.append(gained)
        if duel.shadow and _is_killed(ending, loser):
            duel, found = _kill(duel, loser)
            findings += found
    for one in duel.fighters:
        warrior = replace(one.warrior, reforged=_stays_reforged(duel, one))
        due = purchases_in(warrior.xp) > 0 and not one.banished
        duel = duel.put(replace(one, warrior=warrior, xp_due=due))
    return Resolution(settled(duel), tuple(findings))


def settled(duel: Duel) -> Duel:
    """End the aftermath as soon as nobody has anything left to decide."""
    due = any(one.xp_due or one.reform_due for one in duel.fighters)
    return duel if due or duel.stage is not Stage.AFTERMATH else replace(duel, stage=Stage.OVER)


def banish(duel: Duel, fighter: Fighter) -> tuple[Duel, Finding]:
    """Send a being back to where it came from, with its XP and traits (WD-67, WD-A13)."""
    gone = replace(fighter, banished=True, reform_due=False, xp_due=False)
    facts: Facts = {"name": fighter.name, "points": value_of(duel.options, fighter.warrior)}
    return duel.put(gone), Finding("WD-67", "banished", facts, "AMB-WD-21")


def _told(duel: Duel, ending: Ending, winner: str) -> Finding:
    won = duel.who(winner).name if winner else ""
    lost = duel.other(winner).name if winner else ""
    facts: Facts = {"winner": won, "loser": lost, "turns": duel.turn}
    match ending:
        case Ending.DEFEAT:
            return Finding("WD-6", "defeated", facts)
        case Ending.YIELD:
            return Finding("WD-62", "yielded", facts)
        case Ending.RESIGNATION:
            return Finding("WD-A8", "resigned", facts)
        case Ending.BYSTANDERS:
            return Finding("WD-72", "broken_off", facts, "AMB-WD-18")
        case Ending.TURN_CAP:
            return Finding("WD-A6", "turn_cap_reached", facts, "AMB-WD-26")
        case Ending.AGREED_DRAW:
            return Finding("WD-A8", "draw_agreed", facts)
        case Ending.CLOSED:
            return Finding("WD-A6", "nobody_won", facts)


def _reward(duel: Duel, winner: Fighter, loser: Fighter) -> tuple[Duel, Finding]:
    """Give the winner its XP, by the points values at the start; a yield counts too (WD-70)."""
    xp = earned(winner.points, loser.points)
    after = replace(winner, earned=xp, warrior=replace(winner.warrior, xp=winner.warrior.xp + xp))
    facts: Facts = {
        "name": winner.name,
        "amount": xp,
        "xp": after.warrior.xp,
        "points": winner.points,
        "other": loser.name,
        "other_points": loser.points,
    }
    return duel.put(after), Finding(_XP_RULES[xp], "xp_earned", facts, "AMB-WD-15")


def _is_killed(ending: Ending, loser: Fighter) -> bool:
    """Say whether a Shadow being was killed: a blow to 0, or it gave up too soon (WD-63, WD-A8)."""
    if ending is Ending.RESIGNATION:
        return not may_yield(loser.hits, loser.start_hits)
    return ending is Ending.DEFEAT


def _kill(duel: Duel, loser: Fighter) -> tuple[Duel, list[Finding]]:
    """Kill a being for a time: it reforms at a cost, or is banished (WD-64, WD-67)."""
    killed = replace(loser, killed=True, reform_due=True)
    findings = [Finding("WD-63", "killed", {"name": loser.name})]
    duel = duel.put(killed)
    value = value_of(duel.options, loser.warrior)
    if is_spent(loser.warrior) or is_banished(duel.options, reformed_value(value)):
        duel, gone = banish(duel, killed)
        findings.append(gone)
    return duel, findings


def _stays_reforged(duel: Duel, fighter: Fighter) -> bool:
    """Say whether Anduril is kept beyond the battle (AMB-WD-14)."""
    return fighter.reforged and duel.options.anduril_persists
