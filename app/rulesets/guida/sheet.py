"""What a sheet says: vitals, stats, what one acts with, and effects as data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, ClassVar, TypeAlias

from app.engine.text import Between, Count, Id, Length, Link, Metres, Name, Points
from app.rulesets.guida.terms import (
    AreaForm,
    AttackForm,
    AttackKind,
    Bearer,
    Bind,
    Category,
    Curtain,
    DamageType,
    Means,
    Score,
    Secondary,
    Stack,
    Stat,
    Talent,
)

Amount: TypeAlias = Annotated[Fraction, Between(0, 9999)]
Turns: TypeAlias = Annotated[int, Between(1, 99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatPoints:
    """Bonus points on a stat for some turns of the bearer; without ``turns``, for the scene."""

    kind: ClassVar[str] = "stat_points"
    stat: Stat
    points: Points
    turns: Turns | None = None
    on: Bearer = Bearer.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePoints:
    """A modifier of a score for some turns of the bearer (GC-4.4)."""

    kind: ClassVar[str] = "score_points"
    score: Score
    points: Points
    turns: Turns | None = None
    on: Bearer = Bearer.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmourEffect:
    """An armour that an effect grants for some turns (GC-6.4)."""

    kind: ClassVar[str] = "armour"
    potential: Amount
    turns: Turns | None = None
    blocks_pure: bool = False
    on: Bearer = Bearer.USER


@dataclass(frozen=True, slots=True, kw_only=True)
class StackEffect:
    """Stacks that a landed attack leaves on its target (chapter 11)."""

    kind: ClassVar[str] = "stacks"
    stack: Stack
    count: Annotated[int, Between(1, 99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRemoval:
    """Stacks that a tonic or a technique takes from whom it is used on (GC-11.14, GC-11.17)."""

    kind: ClassVar[str] = "stack_removal"
    stack: Stack
    count: Annotated[int, Between(1, 99)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upkeep:
    """Energy that the user pays at the start of each later turn in which the technique lasts."""

    kind: ClassVar[str] = "ep_per_turn"
    ep: Annotated[int, Between(1, 999)]
    turns: Turns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Heal:
    """A main heal, worked out from the potential and stat bonus of its technique (GC-7.5)."""

    kind: ClassVar[str] = "heal"


@dataclass(frozen=True, slots=True, kw_only=True)
class Regeneration:
    """Hit points by levels of a stat, once in each turn in which it lasts (GC-7.7 to GC-7.9)."""

    kind: ClassVar[str] = "regeneration"
    category: Category
    stat: Stat
    turns: Turns = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionalDamage:
    """A second damage that comes with an attack that lands: half of its own formula (GC-6.14)."""

    kind: ClassVar[str] = "additional_damage"
    potential: Amount
    stat_bonus: Annotated[Fraction, Between(-9999, 9999)]
    damage: DamageType = DamageType.NORMAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """A constraint that a landed attack puts on its target (GC-8.1).

    ``max_range_m`` is how far from the user a distance limit lets the target go; without it, the
    reach of the technique. It does damage besides only where ``deals_damage`` says so (AMB-64).
    """

    kind: ClassVar[str] = "constraint"
    binds: Annotated[tuple[Bind, ...], Length(0, 6)] = ()
    max_range_m: Metres | None = None
    deals_damage: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Liberation:
    """The technique is made for breaking constraints: nothing of its bonus is lost (GC-8.18)."""

    kind: ClassVar[str] = "liberation"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gigantism:
    """A change of form: the user's size class while it lasts (GC-8.26)."""

    kind: ClassVar[str] = "gigantism"
    size: Annotated[int, Between(-9, 9)]
    turns: Turns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """A control area that a technique brings into being (GC-12.10), or a curtain (GC-12.19).

    ``radius_m`` is a static area's size; ``saturation`` an expansive one's, and a static one's if
    its technique gives it any (AMB-90).
    """

    kind: ClassVar[str] = "area"
    form: AreaForm = AreaForm.EXPANSIVE
    radius_m: Metres | None = None
    saturation: Count | None = None
    curtain: Curtain | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Knockback:
    """That an attack or a defence may knock back at no price, if that is declared (GC-10.1)."""

    kind: ClassVar[str] = "knockback"


@dataclass(frozen=True, slots=True, kw_only=True)
class Perception:
    """The technique looks for who is hidden, so far around its user (GC-9.5).

    ``passive``: a talent or an ability that does so in every turn by itself (GC-9.4).
    """

    kind: ClassVar[str] = "perception"
    radius_m: Metres
    passive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Camouflage:
    """The technique makes its user hard to find for some turns (GC-9.11).

    ``passive``: a talent or an ability that does so by itself (GC-9.4).
    """

    kind: ClassVar[str] = "camouflage"
    turns: Turns | None = None
    passive: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """The technique conceals features of its user's Reiatsu, never the position (GC-9.12)."""

    kind: ClassVar[str] = "masking"
    turns: Turns | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Blinding:
    """A landed attack blinds its target for some turns, or for the scene (GC-11.26, GC-14.30)."""

    kind: ClassVar[str] = "blinding"
    turns: Turns | None = None


Effect: TypeAlias = (
    StatPoints
    | ScorePoints
    | ArmourEffect
    | StackEffect
    | StackRemoval
    | Upkeep
    | Heal
    | Regeneration
    | AdditionalDamage
    | Constraint
    | Liberation
    | Gigantism
    | Area
    | Knockback
    | Perception
    | Camouflage
    | Masking
    | Blinding
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Modifier:
    """A passive bonus of a weapon, a technique or an ability, by the name it has on the sheet."""

    name: Name
    score: Score
    points: Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A technique or a weapon, with every number its uses need.

    ``attacks`` (and counterattacks), ``guards``, ``parries``, ``supports`` (as a secondary
    action, of the kind ``secondary``) and ``generic`` (as a generic action, with a ``die`` of its
    own if it has one) say what it may be used for. Distances in metres; a missing ``potential`` or
    ``stat_bonus`` is supplied by the board's regulation, if it has one.

    ``max_targets`` is how many a volley may attack at once (AMB-102), ``area_m`` the radius of an
    area attack (GC-13.5).
    """

    id: Id
    name: Name
    means: Means = Means.TECHNIQUE
    attacks: bool = False
    guards: bool = False
    parries: bool = False
    supports: bool = False
    generic: bool = False
    secondary: Secondary = Secondary.QUICK
    die: Annotated[int, Between(2, 100)] | None = None
    potential: Amount | None = None
    category: Category | None = None
    governing: Stat | None = None
    stat_bonus: Annotated[Fraction, Between(-9999, 9999)] | None = None
    potential_bonus: Amount | None = None
    attack_kind: AttackKind = AttackKind.TARGETED
    volley_size: Annotated[int, Between(1, 9999)] = 1
    max_targets: Annotated[int, Between(1, 99)] | None = None
    area_m: Metres | None = None
    form: AttackForm = AttackForm.MELEE
    optimal_m: Metres = 5
    max_m: Metres | None = None
    damage: DamageType = DamageType.NORMAL
    ep: Count = 0
    modifiers: Annotated[tuple[Modifier, ...], Length(0, 10)] = ()
    effects: Annotated[tuple[Effect, ...], Length(0, 10)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Armour:
    """A worn armour: its potential protects, and Constitution with it (GC-6.4)."""

    name: Name
    potential: Amount
    category: Category | None = None
    blocks_pure: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraStat:
    """A stat beyond the four: noted down with its level, and part of no sum (AMB-5)."""

    name: Name
    level: Count = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The base level of each stat (GC-1.3), and of others that a sheet may have (AMB-5)."""

    strength: Count = 0
    dexterity: Count = 0
    constitution: Count = 0
    intelligence: Count = 0
    extra: Annotated[tuple[ExtraStat, ...], Length(0, 20)] = ()

    def of(self, stat: Stat) -> int:
        """Give the base level of a stat."""
        return {
            Stat.STRENGTH: self.strength,
            Stat.DEXTERITY: self.dexterity,
            Stat.CONSTITUTION: self.constitution,
            Stat.INTELLIGENCE: self.intelligence,
        }[stat]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A character's sheet, as the player keeps it; a scene copies it when it starts."""

    name: Name
    link: Link = ""
    max_hp: Annotated[int, Between(1, 99999)]
    max_ep: Annotated[int, Between(0, 99999)]
    stats: Stats
    tools: Annotated[tuple[Tool, ...], Length(0, 60)] = ()
    armour: Armour | None = None
    modifiers: Annotated[tuple[Modifier, ...], Length(0, 20)] = ()
    size: Annotated[int, Between(-9, 9)] = 0
    talents: Annotated[tuple[Talent, ...], Length(0, 10)] = ()

    def tool(self, id: str) -> Tool | None:
        """Find a technique or weapon by its id."""
        return next((tool for tool in self.tools if tool.id == id), None)

    def tools_by_id(self, ids: Iterable[str]) -> tuple[Tool, ...]:
        """Find those of some ids that the sheet has, in the order of the ids."""
        return tuple(tool for id in ids if (tool := self.tool(id)) is not None)
