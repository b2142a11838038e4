"""A combat as it stands: two fighters, what they suffer from, and the turn that is being played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

from app.engine.text import Id, Length
from app.rulesets.combat_dice.options import CombatOptions
from app.rulesets.combat_dice.orders import AnswerAction, CombatOrders
from app.rulesets.combat_dice.sheet import FighterSheet
from app.rulesets.combat_dice.tables import DEAD_AT, SPECIALTIES, SYMBOLS
from app.rulesets.combat_dice.terms import (
    Action,
    Armor,
    Condition,
    Ending,
    Score,
    Shield,
    Skill,
    Specialty,
    Spell,
    Stage,
    Use,
    Weapon,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatEntrant:
    """One who enters a combat."""

    id: Id
    sheet: FighterSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatSetup:
    """Everything a combat starts from: two fighters (CD-1) and the options of the table."""

    entrants: Annotated[tuple[CombatEntrant, ...], Length(2, 2)]
    options: CombatOptions = CombatOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursed:
    """Basic dice that a Curse takes away, for so many turns (CD-75)."""

    dice: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Aided:
    """Specialty dice that an Aid gives, for so many turns (CD-73)."""

    specialty: Specialty
    dice: int
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatConditions:
    """What a fighter suffers from, or profits by, in the turn that is played or begins.

    Turns are those still to be played, this one included. ``dropped`` lie on the ground although
    their owner holds another weapon (CD-A14).
    """

    stun: int = 0
    extra: int = 0
    blinded: bool = False
    blind_temp: int = 0
    curse: tuple[Cursed, ...] = ()
    hurt_arm: int = 0
    hurt_leg: int = 0
    break_armor: int = 0
    disarmed: bool = False
    knockdown: bool = False
    grappled: bool = False
    dropped: tuple[Weapon, ...] = ()
    bleeding: tuple[int, ...] = ()
    held: bool = False
    aid: tuple[Aided, ...] = ()
    shield_spell: int = 0
    mounted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatFighter:
    """A fighter as it stands.

    ``weapon`` is in use, ``weapons`` all that it owns, what lies on the ground included.
    ``rolled`` counts the specialty dice of an advanced fighter as soon as they are known;
    ``finished`` says that its kinds are chosen.
    """

    id: str
    sheet: FighterSheet
    max_hp: int
    hp: int
    dice: int
    weapon: Weapon
    weapons: tuple[Weapon, ...]
    armor: Armor
    shield: Shield | None
    skills: tuple[Skill, ...]
    spells: tuple[Spell, ...]
    specialty: tuple[Specialty, ...] = ()
    conditions: CombatConditions = CombatConditions()
    rolled: int | None = None
    finished: bool = True

    @property
    def name(self) -> str:
        """Give the name that sentences use."""
        return self.sheet.name

    @property
    def condition(self) -> Condition:
        """Say how a fighter is: out at 0, dead at -2 (CD-22, CD-23)."""
        if self.hp <= DEAD_AT:
            return Condition.DEAD
        return Condition.UNCONSCIOUS if self.hp <= 0 else Condition.UP

    @property
    def is_down(self) -> bool:
        """Say whether a fighter is unconscious or dead."""
        return self.hp <= 0

    def has(self, skill: Skill) -> bool:
        """Say whether a fighter has learned a skill."""
        return skill in self.skills

    def with_conditions(self, conditions: CombatConditions) -> CombatFighter:
        """Return the fighter in other conditions."""
        if conditions is self.conditions:
            return self
        return replace(self, conditions=conditions)


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatDie:
    """A die of the combat roll as it lies; ``specialty`` None is a basic die."""

    face: int
    specialty: Specialty | None = None

    @property
    def symbol(self) -> Score | None:
        """Say what a die shows (CD-8, CD-41)."""
        if self.specialty is None:
            return SYMBOLS[self.face - 1]  # CD-8
        return SPECIALTIES[self.specialty] if self.face == 1 else None  # CD-41


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatSide:
    """What one fighter has done so far in the turn that is played.

    ``initiative`` and ``maneuver`` are those of the first roll (CD-15); ``turned`` lists dice that
    count as another symbol; ``uses`` what a Maneuver score was used for; ``later_*`` are own
    effects that begin next turn (AMB-CD-16).
    """

    orders: CombatOrders
    dice: tuple[CombatDie, ...] = ()
    pair: tuple[int, ...] = ()
    rolled: int = 0
    initiative: int = 0
    maneuver: int = 0
    uses: tuple[Use, ...] = ()
    turned: tuple[tuple[Score, Score], ...] = ()
    action: Action | None = None
    answer: AnswerAction | None = None
    acted: bool = False
    later_aid: tuple[Aided, ...] = ()
    later_shield: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatRound:
    """The turn that is played: ``first`` is who has the Initiative, None on a tie (CD-13).

    ``asked`` are the places of those whose answer is awaited.
    """

    sides: tuple[CombatSide, CombatSide]
    first: int | None = None
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CombatOutcome:
    """How a combat ended; ``winner`` None is a draw."""

    ending: Ending
    winner: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Combat:
    """The whole state of a combat.

    ``turn`` numbers the turn that is awaited or played. ``ranged`` counts the ranged rounds still
    to play, this one included. ``quiet`` counts turns in a row in which no blow dealt damage
    (CD-A13). ``posted`` are sealed orders; ``stays`` answers about the range, sealed too.
    """

    options: CombatOptions
    fighters: tuple[CombatFighter, CombatFighter]
    stage: Stage
    turn: int = 1
    ranged: int = 0
    quiet: int = 0
    posted: tuple[CombatOrders | None, CombatOrders | None] = (None, None)
    round: CombatRound | None = None
    stays: tuple[bool | None, bool | None] = (None, None)
    draws: tuple[str, ...] = ()
    outcome: CombatOutcome | None = None

    def place_of(self, id: str) -> int | None:
        """Give the place of a fighter, 0 or 1; None for anybody else."""
        for place, one in enumerate(self.fighters):
            if one.id == id:
                return place
        return None

    def put(self, place: int, fighter: CombatFighter) -> Combat:
        """Return the combat with one fighter changed."""
        first, second = self.fighters
        if fighter is self.fighters[place]:
            return self
        pair = (fighter, second) if place == 0 else (first, fighter)
        return replace(self, fighters=pair)

    def playing(self) -> CombatRound:
        """Give the turn that is played; raise ValueError where none is."""
        if self.round is None:
            raise ValueError("no turn is being played")
        return self.round

    def put_side(self, place: int, side: CombatSide) -> Combat:
        """Return the combat with one side of its turn changed."""
        first, second = self.playing().sides
        return self.put_sides(*((side, second) if place == 0 else (first, side)))

    def put_sides(self, first: CombatSide, second: CombatSide) -> Combat:
        """Return the combat with both sides of its turn changed."""
        return replace(self, round=replace(self.playing(), sides=(first, second)))


PLACES = (0, 1)


def other(place: int) -> int:
    """Give the place of the opponent."""
    return 1 - place
