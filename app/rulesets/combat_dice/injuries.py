"""The damage table (CD-30 to CD-33): what a blow does besides taking hit points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from app.engine.findings import Fact, Finding
from app.rulesets.combat_dice.equipment import disarm_weakens, has_weapon_in_hand
from app.rulesets.combat_dice.readings import DamageDice
from app.rulesets.combat_dice.scores import attack_kind
from app.rulesets.combat_dice.state import Combat, CombatConditions, CombatFighter
from app.rulesets.combat_dice.tables import DAMAGE_TABLE, MOST_TABLE_ROLLS
from app.rulesets.combat_dice.terms import Injury, Phase, Score, Skill
from app.rulesets.combat_dice.throws import D3, Chain, Throws


@dataclass(slots=True)
class Suffering:
    """What a turn does to one fighter: its hit points and horse at once, the rest from next turn.

    ``coming`` are the conditions of the next turn as they are by now; ``lowered`` what a blow
    takes from the scores of this one, where a table plays it so (CD-A19).
    """

    combat: Combat
    place: int
    coming: CombatConditions
    lowered: dict[Score, int] = field(default_factory=dict)

    @property
    def who(self) -> CombatFighter:
        """Give the fighter as it stands."""
        return self.combat.fighters[self.place]

    def lose(self, points: int) -> None:
        """Take hit points (CD-21)."""
        self.combat = self.combat.put(self.place, replace(self.who, hp=self.who.hp - points))

    def lower(self, change: dict[Score, int]) -> None:
        """Note what a wound takes from this turn's Damage and Armor (CD-A19)."""
        for score, value in change.items():
            self.lowered[score] = self.lowered.get(score, 0) + value


def roll_injuries(
    suffering: Suffering, attacker: int, pair: tuple[int, ...], throws: Throws
) -> list[Finding]:
    """Roll on the damage table for a blow that dealt damage (CD-30 to CD-32).

    The pair may have been thrown with the combat roll (AMB-CD-4). A Double Crit rolls twice more,
    depth first, and again, up to 50 rolls (CD-D4, AMB-CD-9).
    """
    # CD-31: it is only asked of a blow that dealt damage.
    if suffering.combat.options.damage_dice is DamageDice.OFF:
        return []
    findings: list[Finding] = []
    count = _Count()
    due = 1
    while due and count.rolls < MOST_TABLE_ROLLS:
        due -= 1
        faces = pair if pair and not count.rolls else _pair(attacker, throws, count)
        count.rolls += 1
        rule, injury = DAMAGE_TABLE[sum(faces)]
        facts: dict[str, Fact] = {
            "fighter": suffering.who.name,
            "dice": tuple(str(face) for face in faces),
            "injury": injury,
        }
        if injury is Injury.DOUBLE_CRIT:
            due += 2
        if injury is Injury.BLINDED and suffering.who.has(Skill.BLIND_FIGHTING):
            findings.append(Finding("CD-54", "immune_to_injury", facts, phase=Phase.DAMAGE))
            continue
        turns = 0
        if injury is Injury.BLEEDING:
            turns = throws.face(Chain.BLEEDING_TURNS, attacker, count.bled)
            count.bled += 1
        lasting: dict[str, Fact] = {**facts, "turns": turns}
        findings.append(Finding(rule, "injured", lasting, phase=Phase.DAMAGE))
        findings += _apply(suffering, injury, turns, attacker, throws)
    return findings


def ways() -> dict[int, int]:
    """Count the ways in 36 to each sum of the damage dice (CD-33)."""
    return {total: 6 - abs(total - 7) for total in DAMAGE_TABLE}


@dataclass(slots=True)
class _Count:
    rolls: int = 0
    drawn: int = 0
    bled: int = 0


def _pair(attacker: int, throws: Throws, count: _Count) -> tuple[int, int]:
    first = throws.face(Chain.TABLE, attacker, count.drawn)
    second = throws.face(Chain.TABLE, attacker, count.drawn + 1)
    count.drawn += 2
    return first, second


def _apply(
    suffering: Suffering, injury: Injury, turns: int, attacker: int, throws: Throws
) -> Iterator[Finding]:
    """Put a result on the damaged opponent (CD-32); repeated ones add up or not (AMB-CD-10)."""
    stack = suffering.combat.options.stack_wounds
    have = suffering.coming
    match injury:
        case Injury.BLEEDING:
            wounds = (*have.bleeding, turns)
            suffering.coming = replace(have, bleeding=wounds if stack else (max(wounds),))
        case Injury.HURT_ARM:
            if stack or not have.hurt_arm:
                suffering.coming = replace(have, hurt_arm=have.hurt_arm + 1)
                suffering.lower({Score.DAMAGE: -1})
        case Injury.DISARM:
            disarm(suffering)
        case Injury.STUNNED:
            suffering.coming = replace(have, stun=have.stun + 1 if stack else 1)
        case Injury.KNOCKDOWN:
            yield from _knock_down(suffering, attacker, throws)
        case Injury.BREAK_ARMOR:
            if stack or not have.break_armor:
                suffering.coming = replace(have, break_armor=have.break_armor + 1)
                suffering.lower({Score.ARMOR: -1})
        case Injury.HURT_LEG:
            if stack or not have.hurt_leg:
                suffering.coming = replace(have, hurt_leg=have.hurt_leg + 1)
        case Injury.BLINDED:
            suffering.coming = replace(have, blinded=True)
        case Injury.NO_EFFECT | Injury.DOUBLE_CRIT:
            pass


def disarm(suffering: Suffering) -> None:
    """Strike the weapon from a fighter's hand, if there is one in it (CD-D5, CD-A14)."""
    ranged = suffering.combat.ranged > 0
    # What was picked up in this turn's Maneuver phase may be struck away again.
    held = suffering.who.with_conditions(
        replace(suffering.who.conditions, disarmed=suffering.coming.disarmed)
    )
    if not has_weapon_in_hand(held, ranged=ranged):
        return
    suffering.coming = replace(suffering.coming, disarmed=True)
    kind = attack_kind(suffering.combat, suffering.place)
    if not suffering.who.conditions.disarmed and disarm_weakens(
        suffering.combat.options, suffering.who, kind
    ):
        suffering.lower({Score.DAMAGE: -2})


def _knock_down(suffering: Suffering, attacker: int, throws: Throws) -> Iterator[Finding]:
    """Throw a fighter to the ground; a rider loses its horse and 1D3 at once (AMB-CD-14)."""
    if not suffering.coming.knockdown and not suffering.who.conditions.knockdown:
        suffering.lower({Score.DAMAGE: -1})
    suffering.coming = replace(suffering.coming, knockdown=True)
    if not suffering.coming.mounted:
        return
    points = throws.face(Chain.FALL, attacker, 0, D3)
    suffering.coming = replace(suffering.coming, mounted=False)
    suffering.lose(points)
    facts: dict[str, Fact] = {"fighter": suffering.who.name, "points": points}
    yield Finding("CD-52", "falls", facts, "AMB-CD-14", phase=Phase.DAMAGE)
