"""A player turn from its first die to its last: Attack, Defence, Damage (WD-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from app.engine.dice import Dice
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Resolution
from app.engine.tally import Tally, Term
from app.rulesets.warrior_dice.campaign import may_yield
from app.rulesets.warrior_dice.chain import Rolled, roll_chain
from app.rulesets.warrior_dice.endings import end
from app.rulesets.warrior_dice.faces import heals_in_attack
from app.rulesets.warrior_dice.ground import ENDS_ON, ground_of, named
from app.rulesets.warrior_dice.healing import regain, trade
from app.rulesets.warrior_dice.neutralizing import lands, miss, neutralize
from app.rulesets.warrior_dice.ranking import Moment
from app.rulesets.warrior_dice.readings import HealTiming, IntruderEvery, UnholyFrom
from app.rulesets.warrior_dice.reforging import announce
from app.rulesets.warrior_dice.state import Duel, Fighter, Midway
from app.rulesets.warrior_dice.telling import Paused, Telling, question
from app.rulesets.warrior_dice.terms import (
    Ending,
    Pace,
    Phase,
    Result,
    Side,
    Special,
    YieldOrder,
)


@dataclass(slots=True)
class Round:
    """Who fights in a turn, as they stand while it is played."""

    duel: Duel
    telling: Telling
    attacker: Fighter
    defender: Fighter
    damage: int = 0


def play_turn(duel: Duel, dice: Dice, before: int = 0) -> Resolution[Duel]:
    """Play the turn of ``duel.next``, from where it was paused if it was.

    ``before`` counts the turns of the same decision, whose dice have places before those of this.
    A turn that pauses leaves the duel as it was, with its dice and the question in ``midway``.
    """
    midway = duel.midway or Midway()
    telling = Telling(before, dice, midway, asks=duel.pace is not Pace.TO_THE_END)
    waits: tuple[Finding, ...] = ()
    try:
        after = _played(replace(duel, midway=None, turn=duel.turn + 1), telling)
    except Paused as paused:
        waiting = replace(
            midway,
            faces=tuple(telling.faces),
            answers=tuple(telling.decided),
            told=len(telling.findings),
            asking=paused.asking,
        )
        after = replace(duel, midway=waiting)
        waits = (question(paused.asking),)
    found = tuple(telling.findings[midway.told :])
    return Resolution(after, (*found, *waits), tuple(telling.drawn))


def _played(duel: Duel, telling: Telling) -> Duel:
    attacker = duel.who(duel.next)
    turn = Round(duel, telling, attacker, duel.other(duel.next))
    begins: Facts = {"turn": duel.turn, "attacker": attacker.name, "defender": turn.defender.name}
    telling.tell(Finding("WD-9", "turn_begins", begins))
    result = _result(turn)
    _close(turn, result)
    after = duel.put(turn.attacker).put(turn.defender)
    after = replace(after, next=turn.defender.id)
    ending = _ENDINGS.get(result)
    if ending is None and duel.turn >= duel.options.turn_cap:
        ending = Ending.TURN_CAP  # AMB-WD-26
    if ending is None:
        return after
    winner = turn.attacker.id if ending in (Ending.DEFEAT, Ending.YIELD) else ""
    ended = end(after, ending, winner)
    telling.findings += ended.findings
    return ended.state


_ENDINGS: Final[Mapping[Result, Ending]] = {
    Result.NO_WINNER: Ending.BYSTANDERS,
    Result.DEFEATED: Ending.DEFEAT,
    Result.YIELDED: Ending.YIELD,
}


def _result(turn: Round) -> Result:
    if _disturbed(turn):
        return Result.NO_WINNER
    if turn.attacker.skip:
        turn.attacker = miss(turn.attacker)  # WD-23
        facts: Facts = {"name": turn.attacker.name, "left": turn.attacker.skip}
        turn.telling.tell(Finding("WD-23", "phase_missed", facts, None, Phase.ATTACK))
        return Result.SKIPPED
    announced = turn.telling.midway.reforge
    turn.attacker = announce(turn.telling, turn.attacker, announced)
    attack = _rolled(turn, turn.attacker, Phase.ATTACK, None)
    ended = _attack_phase(turn, attack)
    return _defence_phase(turn, attack) if ended is None else ended


def _disturbed(turn: Round) -> bool:
    """Roll for bystanders where somebody may come by (WD-72, WD-79)."""
    duel = turn.duel
    if duel.battlefield is None or not ground_of(duel.battlefield).bystanders:
        return False
    if duel.options.intruder_every is IntruderEvery.PAIR and duel.turn % 2 == 0:  # AMB-WD-18
        return False
    face, at = turn.telling.roll(Phase.BYSTANDERS, turn.attacker.id)
    where = named(duel.battlefield)
    facts: Facts = {"face": face, "battlefield": where, "ends": face == ENDS_ON}
    rule = ground_of(duel.battlefield).rule
    turn.telling.tell(Finding(rule, "bystanders", facts, "AMB-WD-18", Phase.BYSTANDERS, at))
    return face == ENDS_ON


def _rolled(turn: Round, who: Fighter, phase: Phase, attack: Rolled | None) -> Rolled:
    moment = Moment(
        options=turn.duel.options,
        ground=ground_of(turn.duel.battlefield),
        fighter=who,
        phase=phase,
        target=turn.duel.other(who.id).id,
        force=attack.total if attack else 0,
        neutralize=attack is not None and attack.special is Special.NEUTRALIZE,
    )
    rolled = roll_chain(turn.telling, moment)
    facts: Facts = {
        "name": who.name,
        "option": "" if rolled.option is None else rolled.option.name,
        "side": rolled.side,
        "special": _special(rolled),
        "total": rolled.total,
        "force": rolled.force,
        "face": rolled.face,
    }
    if phase is Phase.ATTACK:
        turn.telling.tell(Finding("WD-10", "attack_result", facts, None, phase))
    else:
        turn.telling.tell(Finding("WD-13", "defence_result", facts, None, phase))
    return rolled


def _special(rolled: Rolled) -> str:
    if rolled.blocked:
        return "all_out_blocked"
    return "all_out_idle" if rolled.idle else rolled.special or ""


def _attack_phase(turn: Round, attack: Rolled) -> Result | None:
    """Say whether the turn ends with the Attack phase (WD-11), or that it goes on (WD-12)."""
    options = turn.duel.options
    if attack.side is Side.LOST:
        return Result.LOST
    if attack.special is Special.REGAIN and attack.option is not None:
        if heals_in_attack(options, attack.option):
            turn.attacker = regain(turn.telling, turn.attacker, attack, Phase.ATTACK)
        return Result.ENDS_HEAL
    if attack.side is Side.DEFENCE:
        if options.unholy_from is UnholyFrom.ANY_DEFENCE:  # WD-A10
            ground = ground_of(turn.duel.battlefield)
            healed = trade(turn.telling, ground, turn.attacker, attack, Phase.ATTACK)
            turn.attacker = healed or turn.attacker
        return Result.ENDS_DEFENCE
    if attack.special is Special.NEUTRALIZE_SELF:  # AMB-WD-25: nothing cancels it
        turn.attacker = neutralize(options, turn.attacker)
        facts: Facts = {"name": turn.attacker.name, "left": turn.attacker.skip}
        finding = Finding("WD-31", "neutralizes_self", facts, "AMB-WD-25", Phase.ATTACK)
        turn.telling.tell(finding)
        return Result.NEUTRALIZED_SELF
    if attack.special is Special.NO_DAMAGE and not options.roll_vs_no_damage:  # AMB-WD-10
        return Result.TURN
    return None


def _defence_phase(turn: Round, attack: Rolled) -> Result:
    defence = _rolled(turn, turn.defender, Phase.DEFENCE, attack)
    blocks = defence.side is Side.DEFENCE  # WD-17: an Attack rolled here does nothing
    ground = ground_of(turn.duel.battlefield)
    late = turn.duel.options.heal_timing is HealTiming.AFTER_DAMAGE
    if blocks and (healed := trade(turn.telling, ground, turn.defender, defence, Phase.DEFENCE)):
        turn.defender, blocks = healed, False  # WD-A10: what is given up stops nothing
    if defence.special is Special.REGAIN and not late:
        turn.defender = regain(turn.telling, turn.defender, defence, Phase.DEFENCE)
    if blocks and defence.special is Special.NEUTRALIZE:  # WD-38, AMB-WD-12: no save
        turn.attacker = neutralize(turn.duel.options, turn.attacker)
        facts: Facts = {"name": turn.attacker.name, "left": turn.attacker.skip}
        turn.telling.tell(Finding("WD-38", "roared_down", facts, "AMB-WD-12", Phase.DEFENCE))
    stopped = defence.total if blocks else 0
    _damage_phase(turn, attack, stopped)
    if defence.special is Special.REGAIN and late and turn.defender.hits:  # AMB-WD-9
        turn.defender = regain(turn.telling, turn.defender, defence, Phase.DAMAGE)
    if turn.defender.hits == 0:  # WD-6
        return Result.DEFEATED
    return Result.YIELDED if _yields(turn) else Result.TURN


def _damage_phase(turn: Round, attack: Rolled, stopped: int) -> None:
    """Take the damage off the defender's hits, never below 0 (WD-14 to WD-16)."""
    if attack.special is Special.NO_DAMAGE:  # WD-30
        facts: Facts = {"name": turn.defender.name}
        turn.telling.tell(Finding("WD-30", "no_damage", facts, "AMB-WD-10", Phase.DAMAGE))
        return
    force = attack.total
    if attack.special is Special.NEUTRALIZE:
        _neutralize_phase(turn, stopped)
        force = attack.bonus
        if not force:
            return
    working = Tally((Term("WD-14", "attack_force", Fraction(force)),))
    if stopped:
        working = working.plus(Term("WD-15", "stopped", Fraction(-stopped)))
    turn.damage = max(0, int(working.total))  # WD-16
    turn.defender = replace(turn.defender, hits=max(0, turn.defender.hits - turn.damage))
    facts = {
        "name": turn.defender.name,
        "damage": turn.damage,
        "working": working,
        "hits": turn.defender.hits,
    }
    turn.telling.tell(Finding("WD-14", "damage", facts, None, Phase.DAMAGE))


def _neutralize_phase(turn: Round, stopped: int) -> None:
    """Let a Neutralize take effect unless a Defence of 20 or more cancels it (WD-23, WD-24)."""
    if not lands(stopped):
        facts: Facts = {"name": turn.defender.name, "force": stopped}
        turn.telling.tell(Finding("WD-24", "neutralize_cancelled", facts, None, Phase.DEFENCE))
        return
    turn.defender = neutralize(turn.duel.options, turn.defender)
    facts = {"name": turn.defender.name, "left": turn.defender.skip}
    turn.telling.tell(Finding("WD-23", "neutralized", facts, "AMB-WD-11", Phase.DEFENCE))


def _yields(turn: Round) -> bool:
    """Offer to yield right after a blow that left little, and hear the answer (WD-61, WD-A4)."""
    who = turn.defender
    if not turn.duel.shadow or not turn.damage or not may_yield(who.hits, who.start_hits):
        return False
    facts: Facts = {"name": who.name, "hits": who.hits}
    turn.telling.tell(Finding("WD-61", "yield_offered", facts, "AMB-WD-20", Phase.DAMAGE))
    order = who.standing.surrender
    answer = turn.telling.decide(
        who.id,
        "yield",
        ("yes", "no"),
        "yes" if order is YieldOrder.ALWAYS else "no",
        (("name", who.name), ("hits", str(who.hits))),
        asks=order is YieldOrder.ASK,
    )
    return answer == "yes"  # WD-62: nobody can refuse it


def _close(turn: Round, result: Result) -> None:
    """Write down how the turn leaves both."""
    facts: Facts = {
        "turn": turn.duel.turn,
        "result": result,
        "damage": turn.damage,
        "attacker": turn.attacker.name,
        "attacker_hits": turn.attacker.hits,
        "attacker_start": turn.attacker.start_hits,
        "attacker_skip": turn.attacker.skip,
        "defender": turn.defender.name,
        "defender_hits": turn.defender.hits,
        "defender_start": turn.defender.start_hits,
        "defender_skip": turn.defender.skip,
    }
    turn.telling.tell(Finding("WD-9", "turn_over", facts, None, Phase.DAMAGE))
