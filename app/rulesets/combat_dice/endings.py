"""The end of a turn and of a combat (CD-9, CD-22 to CD-24): what passes, and who has won."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from app.engine.findings import Fact, Finding, Later
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.readings import DoubleKo, Recover
from app.rulesets.combat_dice.roll import recovered
from app.rulesets.combat_dice.scores import tally_dice
from app.rulesets.combat_dice.sheet import LastingWounds
from app.rulesets.combat_dice.state import (
    PLACES,
    Aided,
    Combat,
    CombatConditions,
    CombatFighter,
    CombatOutcome,
    Cursed,
)
from app.rulesets.combat_dice.terms import Ending, Stage


def coming_of(combat: Combat, place: int) -> CombatConditions:
    """Let a turn pass over the conditions of a fighter (CD-D2, CD-D6, CD-73, CD-75, AMB-CD-16).

    Turns count down by one; what lasted for this turn only is gone; what a Maneuver score cures
    from the next turn on is gone too (AMB-CD-7); own effects that begin next turn are there.
    """
    who, side = combat.fighters[place], combat.playing().sides[place]
    have = who.conditions
    if combat.options.recover is Recover.NEXT_TURN:
        have = recovered(who, side.uses).conditions
    passing = have.stun or have.extra or have.held or have.blind_temp or have.shield_spell
    if not (passing or have.bleeding or have.curse or have.aid or side.later_aid):
        return have if not side.later_shield else replace(have, shield_spell=side.later_shield)
    return replace(
        have,
        stun=0,
        extra=0,
        held=False,
        blind_temp=_less(have.blind_temp),
        shield_spell=max(_less(have.shield_spell), side.later_shield),
        bleeding=tuple(turns - 1 for turns in have.bleeding if turns > 1),
        curse=tuple(
            Cursed(dice=one.dice, turns=one.turns - 1) for one in have.curse if one.turns > 1
        ),
        aid=(*_aids(have.aid), *side.later_aid),
    )


def settle_end(combat: Combat) -> tuple[Combat, list[Finding]]:
    """See who is down, and who has won (CD-22 to CD-24, AMB-CD-6, AMB-CD-25)."""
    findings = [_status(combat, place) for place in PLACES]
    down = [one for one in combat.fighters if one.is_down]
    for one in down:
        facts: dict[str, Fact] = {"fighter": one.name, "condition": one.condition, "hp": one.hp}
        findings.append(Finding("CD-22" if one.hp > -2 else "CD-23", "goes_down", facts))
    if down:
        ending = Ending.BOTH_DOWN if len(down) == len(PLACES) else Ending.DOWN
        return finish(combat, findings, ending, who_wins(combat.options, combat.fighters))
    if combat.turn >= combat.options.turn_cap:  # AMB-CD-25
        return finish(combat, findings, Ending.TURN_CAP, by_share(combat.fighters))
    return combat, findings


def finish(
    combat: Combat, findings: list[Finding], ending: Ending, winner: str | None
) -> tuple[Combat, list[Finding]]:
    """End a combat, and tell which wounds its fighters take with them (AMB-CD-23)."""
    ended = replace(
        combat,
        round=None,
        stage=Stage.ENDED,
        posted=(None, None),
        outcome=CombatOutcome(ending=ending, winner=winner),
    )
    name = next((one.name for one in combat.fighters if one.id == winner), "")
    facts: dict[str, Fact] = {"winner": name, "ending": ending}
    if ending in (Ending.RESIGNED, Ending.AGREED_DRAW, Ending.CLOSED):
        told = Finding("CD-A21", "combat_ends", facts)
    else:
        told = Finding("CD-24", "combat_ends", facts, _RULING.get(ending))
    return ended, [*findings, told, *_lasting(combat)]


_RULING = {Ending.BOTH_DOWN: "AMB-CD-6", Ending.TURN_CAP: "AMB-CD-25", Ending.DOWN: "AMB-CD-6"}


def lasting(combat: Combat, place: int) -> LastingWounds:
    """Give the wounds that outlast the combat (AMB-CD-23)."""
    if not combat.options.wounds_persist:
        return LastingWounds()
    have = combat.fighters[place].conditions
    return LastingWounds(
        hurt_arm=have.hurt_arm,
        hurt_leg=have.hurt_leg,
        break_armor=have.break_armor,
        blinded=have.blinded,
    )


def who_wins(options: CombatOptions, fighters: Iterable[CombatFighter]) -> str | None:
    """Name who has won where somebody is down, if anybody (CD-24, AMB-CD-6)."""
    first, second = fighters
    if not (first.is_down and second.is_down):  # CD-24: the other wins
        return second.id if first.is_down else first.id
    if options.double_ko is DoubleKo.DRAW or first.hp == second.hp:  # AMB-CD-6
        return None
    return first.id if first.hp > second.hp else second.id


def by_share(fighters: Iterable[CombatFighter]) -> str | None:
    """Name who has the higher share of its hit points left, if anybody (AMB-CD-25)."""
    first, second = fighters
    mine, theirs = first.hp * second.max_hp, second.hp * first.max_hp
    if mine == theirs:
        return None
    return first.id if mine > theirs else second.id


def _status(combat: Combat, place: int) -> Finding:
    who = combat.fighters[place]
    facts = Later(
        lambda: {
            "fighter": who.name,
            "hp": who.hp,
            "max_hp": who.max_hp,
            "dice": tally_dice(combat.options, who),
            "conditions": tuple(_conditions(who.conditions)),
        }
    )
    return Finding("CD-9", "status", facts)


def _conditions(have: CombatConditions) -> Iterator[str]:
    """List what a fighter takes into the next turn, as ``what:how often:for how many turns``.

    Without turns it lasts until something ends it.
    """
    counted = {
        "stunned": have.stun,
        "hurt_arm": have.hurt_arm,
        "hurt_leg": have.hurt_leg,
        "break_armor": have.break_armor,
        "disarmed": have.disarmed,
        "knockdown": have.knockdown,
        "grappled": have.grappled,
        "after_feint": have.extra,
    }
    yield from (f"{what}:{int(times)}:0" for what, times in counted.items() if times)
    if have.held:
        yield "held:1:1"
    if have.blinded or have.blind_temp:
        yield f"blinded:1:{0 if have.blinded else have.blind_temp}"
    yield from (f"bleeding:1:{turns}" for turns in have.bleeding)
    yield from (f"cursed:{one.dice}:{one.turns}" for one in have.curse)
    yield from (f"{one.specialty}:{one.dice}:{one.turns}" for one in have.aid)
    if have.shield_spell:
        yield f"shield_spell:1:{have.shield_spell}"
    yield from (f"dropped/{weapon}:1:0" for weapon in have.dropped)


def _lasting(combat: Combat) -> Iterable[Finding]:
    for place in PLACES:
        wounds = lasting(combat, place)
        if wounds != LastingWounds():
            facts: dict[str, Fact] = {
                "fighter": combat.fighters[place].name,
                "hurt_arm": wounds.hurt_arm,
                "hurt_leg": wounds.hurt_leg,
                "break_armor": wounds.break_armor,
                "blinded": wounds.blinded,
            }
            yield Finding("CD-D3", "wounds_last", facts, "AMB-CD-23")


def _less(turns: int) -> int:
    return max(0, turns - 1)


def _aids(aids: Iterable[Aided]) -> tuple[Aided, ...]:
    return tuple(replace(one, turns=one.turns - 1) for one in aids if one.turns > 1)
