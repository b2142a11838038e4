"""Random combats, from any legal set-up to the end, with whatever orders the choices offer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, get_type_hints

from app.engine.dice import Address, RecordedDice, Roll, Tagged
from app.engine.findings import Finding
from app.rulesets.combat_dice.choices import CombatChoices
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.orders import (
    ActionWish,
    AnswerAction,
    AnswerRange,
    AnswerRethrow,
    BuildFighter,
    CombatDeadline,
    CombatOrder,
    CombatOrders,
    FinishFighter,
    OfferCombatDraw,
    OpenCombat,
    ResignCombat,
    SetHitPoints,
)
from app.rulesets.combat_dice.sheet import FighterSheet, LastingWounds
from app.rulesets.combat_dice.state import Combat, CombatEntrant, CombatSetup
from app.rulesets.combat_dice.terms import (
    Action,
    Armor,
    Gladiator,
    Rethrow,
    Score,
    Shield,
    Skill,
    Specialty,
    Spell,
    Stay,
    Training,
    TwoWeapon,
    Use,
    Weapon,
    When,
)


@dataclass
class Chance:
    """Seeded dice that refuse to be asked for twice, and remember what they showed."""

    source: random.Random
    rolls: dict[Address, Roll] = field(default_factory=dict)

    def face(self, address: Address, sides: int) -> int:
        """Throw a die."""
        assert address not in self.rolls, f"the die at {address} is asked for twice"
        self.rolls[address] = Roll(address, sides, self.source.randint(1, sides))
        return self.rolls[address].face

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that nothing was thrown with another modifier."""
        return {}


@dataclass(frozen=True)
class Step:
    """One decision of a random combat."""

    before: Combat
    order: CombatOrder
    after: Combat
    findings: tuple[Finding, ...]
    dice: RecordedDice

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """Give the dice that fell."""
        return self.dice.rolls


def play(seed: int, longest: int = 60, *, corrected: bool = False) -> Iterator[Step]:
    """Play a random combat to its end; its turn cap is ``longest``.

    Where it is ``corrected`` the Master sets hit points now and then.
    """
    source, aside = random.Random(seed), random.Random(-seed)
    setup = random_setup(source, longest)
    assert COMBAT_DICE.check_setup(setup) == ()
    combat = COMBAT_DICE.start(setup)
    while not COMBAT_DICE.awaits(combat).ended:
        correction = _correction(aside, combat) if corrected else None
        order = correction or random_order(source, combat)
        assert COMBAT_DICE.check(combat, order) == (), order
        dice = Chance(source)
        made = COMBAT_DICE.resolve(combat, order, dice)
        rolls = RecordedDice(tuple(dice.rolls.values()))
        yield Step(combat, order, made.state, made.findings, rolls)
        combat = made.state


def _correction(aside: random.Random, combat: Combat) -> CombatOrder | None:
    """Set hit points, where the Master may; by a chance of its own."""
    if aside.random() < 0.8 or "set_value" not in COMBAT_DICE.choices(combat, "gm").orders:
        return None
    who = aside.choice(combat.fighters)
    value = aside.choice([one for one in range(1, who.max_hp + 1) if one != who.hp])
    return SetHitPoints(by="gm", combatant=who.id, value=value, reason="Miscounted.")


def random_setup(source: random.Random, longest: int) -> CombatSetup:
    """Make a legal set-up with random options and fighters."""
    options = _options(source, longest)
    entrants = tuple(
        CombatEntrant(id=id, sheet=_sheet(source, id, options)) for id in ("ann", "ben")
    )
    return CombatSetup(entrants=entrants, options=options)


def _options(source: random.Random, longest: int) -> CombatOptions:
    hints = get_type_hints(CombatOptions)
    values: dict[str, Any] = {}
    for one in fields(CombatOptions):
        kind = hints[one.name]
        if kind is bool:
            values[one.name] = source.random() < 0.3
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            values[one.name] = source.choice([one.default, *kind])
    values["min_dice"] = source.choice([0, 0, 1, 2])
    values["adrenaline_per_turn"] = source.choice([1, 1, 3])
    values["max_skills"] = source.choice([None, 2, 6])
    return CombatOptions(**values, turn_cap=source.choice([longest, longest // 4]))


def _sheet(source: random.Random, id: str, options: CombatOptions) -> FighterSheet:
    wounds = LastingWounds()
    if options.wounds_persist and source.random() < 0.5:
        wounds = LastingWounds(hurt_arm=source.randint(0, 2), blinded=source.random() < 0.3)
    if source.random() < 0.3:
        return FighterSheet(name=id, gladiator=source.choice(list(Gladiator)), wounds=wounds)
    forgone, charms = source.choice([0, 0, 1, 3]), source.choice([0, 0, 1])
    training = source.choice(list(Training))
    most = options.max_skills
    if most is None:
        most = 1 if training is Training.ADVANCED else 0
    weapons = [one for one in Weapon if one is not Weapon.UNARMED]
    room = 3 - charms
    armor = source.choice(list(Armor)) if room > 1 else Armor.NONE
    shield = source.choice([None, *Shield])
    room -= (armor is not Armor.NONE) + (shield not in (None, Shield.NONE))
    return FighterSheet(
        name=id,
        training=training,
        weapons=tuple(source.choices(weapons, k=source.randint(0, max(0, room)))),
        armor=armor,
        shield=shield,
        skills=tuple(source.sample(list(Skill), k=source.randint(0, most))),
        spells=tuple(source.sample(list(Spell), k=forgone + charms)),
        forgone=forgone,
        charms=charms,
        wounds=wounds,
    )


def random_order(source: random.Random, combat: Combat) -> CombatOrder:
    """Make a legal order of somebody who is awaited, of what its choices offer."""
    if source.random() < 0.02 and "deadline" in COMBAT_DICE.choices(combat, "gm").orders:
        return CombatDeadline(by="gm", reason="The hour has passed.")
    if source.random() < 0.02 and "set_value" in COMBAT_DICE.choices(combat, "gm").orders:
        who = source.choice(combat.fighters)
        value = who.hp - 1 if who.hp > 1 else who.max_hp
        return SetHitPoints(by="gm", combatant=who.id, value=value, reason="Miscounted.")
    seat = source.choice(COMBAT_DICE.awaits(combat).seats)
    offered = COMBAT_DICE.choices(combat, seat)
    if source.random() < 0.003:
        return ResignCombat(by=seat)
    if source.random() < 0.003 and "draw" in offered.orders:
        return OfferCombatDraw(by=seat)
    match offered.orders[0]:
        case "build":
            return BuildFighter(by=seat)
        case "finish":
            return _finish(source, seat, offered)
        case "open":
            return OpenCombat(by=seat)
        case "again":
            again = source.random() < 0.5
            some = tuple(place for place in range(offered.rethrow_dice) if source.random() < 0.5)
            return AnswerRethrow(by=seat, rethrow=again, dice=some if again else ())
        case "act":
            action = source.choice([None, *offered.actions])
            act = AnswerAction(by=seat, action=action)
            styled = AnswerAction(by=seat, action=action, two_weapon=source.choice(list(TwoWeapon)))
            return act if COMBAT_DICE.check(combat, styled) else styled
        case "keep":
            return AnswerRange(by=seat, ranged=source.random() < 0.7)
        case _:
            return _orders(source, seat, offered)


def _finish(source: random.Random, seat: str, offered: CombatChoices) -> FinishFighter:
    spells = source.sample(list(offered.spells), k=source.choice([0, min(2, offered.to_choose)]))
    kinds = source.choices(list(Specialty), k=offered.to_choose - len(spells))
    return FinishFighter(by=seat, specialty=tuple(kinds), spells=tuple(spells))


def _orders(source: random.Random, seat: str, offered: CombatChoices) -> CombatOrders:
    spell = source.choice([None, None, *offered.spells])
    asks = source.random() < 0.2
    wishes = tuple(
        ActionWish(action=source.choice(list(Action)), when=source.choice(list(When)))
        for _ in range(source.randint(0, 3))
    )
    attacks = spell not in (Spell.AID, Spell.HEAL, Spell.SHIELD)
    return CombatOrders(
        by=seat,
        weapon=source.choice([None, None, *offered.weapons]),
        spell=spell,
        target=None if attacks else source.choice([None, "ann", "ben"]),
        aid_type=source.choice(list(Specialty)) if spell is Spell.AID else None,
        adrenaline=source.randint(0, offered.adrenaline),
        rethrow=source.choice(list(Rethrow)),
        keep=tuple(source.sample(list(Score), k=2)) if offered.keeps else (),
        actions=() if asks else wishes,
        ask_action=asks,
        two_weapon=source.choice([None, *TwoWeapon]) if offered.two_weapon else None,
        uses=tuple(source.sample(list(Use), k=source.randint(0, 3))),
        stay=source.choice(list(Stay)),
        turns=source.choice([1, 1, 1, 3]),
        until_event=source.random() < 0.1,
    )
