"""Random combats, from any legal set-up to the end, with whatever orders the choices offer."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, get_type_hints

from app.engine.dice import Address, RecordedDice, Roll, Tagged
from app.engine.findings import Finding
from app.rulesets.combat_dice.choices import Choices
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.rulesets.combat_dice.options import Options
from app.rulesets.combat_dice.orders import (
    Act,
    Again,
    Build,
    Deadline,
    Draw,
    Finish,
    Keep,
    Open,
    Order,
    Orders,
    Resign,
    Wish,
)
from app.rulesets.combat_dice.sheet import Sheet, Wounds
from app.rulesets.combat_dice.state import Combat, Entrant, Setup
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
    order: Order
    after: Combat
    findings: tuple[Finding, ...]
    dice: RecordedDice


def play(seed: int, longest: int = 60) -> Iterator[Step]:
    """Play a random combat to its end; its turn cap is ``longest``."""
    source = random.Random(seed)
    setup = random_setup(source, longest)
    assert COMBAT_DICE.check_setup(setup) == ()
    combat = COMBAT_DICE.start(setup)
    while not COMBAT_DICE.awaits(combat).ended:
        order = random_order(source, combat)
        assert COMBAT_DICE.check(combat, order) == (), order
        dice = Chance(source)
        made = COMBAT_DICE.resolve(combat, order, dice)
        rolls = RecordedDice(tuple(dice.rolls.values()))
        yield Step(combat, order, made.state, made.findings, rolls)
        combat = made.state


def random_setup(source: random.Random, longest: int) -> Setup:
    """Make a legal set-up with random options and fighters."""
    options = _options(source, longest)
    entrants = tuple(Entrant(id=id, sheet=_sheet(source, id, options)) for id in ("ann", "ben"))
    return Setup(entrants=entrants, options=options)


def _options(source: random.Random, longest: int) -> Options:
    hints = get_type_hints(Options)
    values: dict[str, Any] = {}
    for one in fields(Options):
        kind = hints[one.name]
        if kind is bool:
            values[one.name] = source.random() < 0.3
        elif isinstance(kind, type) and issubclass(kind, StrEnum):
            values[one.name] = source.choice([one.default, *kind])
    values["min_dice"] = source.choice([0, 0, 1, 2])
    values["adrenaline_per_turn"] = source.choice([1, 1, 3])
    values["max_skills"] = source.choice([None, 2, 6])
    return Options(**values, turn_cap=source.choice([longest, longest // 4]))


def _sheet(source: random.Random, id: str, options: Options) -> Sheet:
    wounds = Wounds()
    if options.wounds_persist and source.random() < 0.5:
        wounds = Wounds(hurt_arm=source.randint(0, 2), blinded=source.random() < 0.3)
    if source.random() < 0.3:
        return Sheet(name=id, gladiator=source.choice(list(Gladiator)), wounds=wounds)
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
    return Sheet(
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


def random_order(source: random.Random, combat: Combat) -> Order:
    """Make a legal order of somebody who is awaited, of what its choices offer."""
    if source.random() < 0.02 and "deadline" in COMBAT_DICE.choices(combat, "gm").orders:
        return Deadline(by="gm", reason="The hour has passed.")
    seat = source.choice(COMBAT_DICE.awaits(combat).seats)
    offered = COMBAT_DICE.choices(combat, seat)
    if source.random() < 0.003:
        return Resign(by=seat)
    if source.random() < 0.003 and "draw" in offered.orders:
        return Draw(by=seat)
    match offered.orders[0]:
        case "build":
            return Build(by=seat)
        case "finish":
            return _finish(source, seat, offered)
        case "open":
            return Open(by=seat)
        case "again":
            again = source.random() < 0.5
            some = tuple(place for place in range(offered.rethrow_dice) if source.random() < 0.5)
            return Again(by=seat, rethrow=again, dice=some if again else ())
        case "act":
            action = source.choice([None, *offered.actions])
            act = Act(by=seat, action=action)
            styled = Act(by=seat, action=action, two_weapon=source.choice(list(TwoWeapon)))
            return act if COMBAT_DICE.check(combat, styled) else styled
        case "keep":
            return Keep(by=seat, ranged=source.random() < 0.7)
        case _:
            return _orders(source, seat, offered)


def _finish(source: random.Random, seat: str, offered: Choices) -> Finish:
    spells = source.sample(list(offered.spells), k=source.choice([0, min(2, offered.to_choose)]))
    kinds = source.choices(list(Specialty), k=offered.to_choose - len(spells))
    return Finish(by=seat, specialty=tuple(kinds), spells=tuple(spells))


def _orders(source: random.Random, seat: str, offered: Choices) -> Orders:
    spell = source.choice([None, None, *offered.spells])
    asks = source.random() < 0.2
    wishes = tuple(
        Wish(action=source.choice(list(Action)), when=source.choice(list(When)))
        for _ in range(source.randint(0, 3))
    )
    attacks = spell not in (Spell.AID, Spell.HEAL, Spell.SHIELD)
    return Orders(
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
