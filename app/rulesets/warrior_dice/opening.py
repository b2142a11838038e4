"""Before the first turn: both accept the terms, then the opening dice fall (WD-8, WD-70)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app.engine.dice import Address, Dice
from app.engine.findings import Facts, Finding
from app.engine.ruleset import Asked, Resolution, Seat
from app.rulesets.warrior_dice.ground import ground_of, named
from app.rulesets.warrior_dice.state import Duel
from app.rulesets.warrior_dice.telling import SIDES, asked
from app.rulesets.warrior_dice.terms import Stage

BATTLEFIELD_DIE: Final = Address(0)


def die_of(place: int, attempt: int) -> Address:
    """Give the address of a starting die: the first or second seat's, anew after each tie."""
    return Address(1 + place, attempt)


def accept(duel: Duel, seat: Seat, dice: Dice) -> Resolution[Duel]:
    """Let a player accept; when both have, the opening dice fall."""
    duel = duel.put(replace(duel.who(seat), ready=True))
    findings = [Finding("WD-A3", "accepted", {"name": duel.who(seat).name})]
    if not all(one.ready for one in duel.fighters):
        return Resolution(duel, tuple(findings))
    duel = replace(duel, stage=Stage.FIGHT)
    drawn: list[Asked] = []
    if duel.rolls_battlefield:
        face = dice.face(BATTLEFIELD_DIE, SIDES)
        drawn.append(asked(BATTLEFIELD_DIE, "battlefield", seat))
        duel = replace(duel, battlefield=face)
        facts: Facts = {"battlefield": named(face), "face": face}
        findings.append(Finding("WD-70", "battlefield_rolled", facts, None, "", BATTLEFIELD_DIE))
    elif duel.battlefield is not None:
        rule = ground_of(duel.battlefield).rule
        where: Facts = {"battlefield": named(duel.battlefield)}
        findings.append(Finding(rule, "battlefield_chosen", where))
    if duel.rolls_first:
        first, found = _first(duel, dice, drawn)
        duel = replace(duel, next=first)
        findings += found
    return Resolution(duel, tuple(findings), tuple(drawn))


def _first(duel: Duel, dice: Dice, drawn: list[Asked]) -> tuple[Seat, list[Finding]]:
    """Let both throw until one die is higher: that player takes the first turn (WD-8)."""
    findings = []
    attempt = 0
    one, other = duel.fighters
    both = tuple(enumerate(duel.fighters))
    while True:
        faces = [dice.face(die_of(place, attempt), SIDES) for place in (0, 1)]  # WD-2: 0 is ten
        drawn += (asked(die_of(at, attempt), "opening", fighter.id) for at, fighter in both)
        facts: Facts = {
            "one": one.name,
            "one_face": faces[0],
            "other": other.name,
            "other_face": faces[1],
        }
        if faces[0] != faces[1]:
            first = one if faces[0] > faces[1] else other
            rolled: Facts = {**facts, "first": first.name}
            findings.append(Finding("WD-8", "starting_roll", rolled, "AMB-WD-2"))
            return first.id, findings
        findings.append(Finding("WD-8", "starting_tie", facts, "AMB-WD-1"))
        attempt += 1
