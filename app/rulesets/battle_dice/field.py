"""The table of a turn: every die with its result, and what each side has gained so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import CustomTable, Policy
from app.rulesets.battle_dice.state import Battle, Seen, Side, Troop
from app.rulesets.battle_dice.tables import (
    CHARGE_FROM,
    FIRE_FROM,
    HERO_TABLES,
    SCORES_FROM,
    STEP_OF,
    STEPS,
    WITH_AMOUNT,
    Row,
    Table,
)
from app.rulesets.battle_dice.terms import Hero, Kind, Pool, Step

OWN_TABLE = "custom:"  # begins the key of a table of the players' own; the side's place follows


@dataclass(frozen=True, slots=True)
class Die:
    """One die on the table; restored and new ones show no result (AMB-BD-9).

    One that does not act yet was taken over in this turn (AMB-BD-11).
    """

    id: int
    kind: Kind
    hero: str = ""
    result: int | None = None
    acts: bool = True

    def __str__(self) -> str:
        """Write it in no language."""
        return self.kind.upper() if self.result is None else f"{self.kind.upper()} {self.result}"


@dataclass(frozen=True, slots=True)
class Gain:
    """Points gained or, below 0, lost by a side before the step in which they count."""

    pool: Pool
    points: int


@dataclass(frozen=True, slots=True)
class Due:
    """Losses that a hero deals in a later step (AMB-BD-16)."""

    step: Step
    count: int
    hero: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """One side in the course of a turn."""

    id: str
    name: str
    hero: str
    custom: CustomTable | None
    policy: Policy
    dice: tuple[Die, ...]
    lost: tuple[Die, ...]
    ignore: int
    carried: int
    carries: int = 0
    casualties: int = 0
    restored: int = 0
    gains: tuple[Gain, ...] = ()
    due: tuple[Due, ...] = ()
    charge: bool = False
    fire: bool = False
    plus: int = 0
    minus: int = 0
    first_in: frozenset[Step] = frozenset()

    def of(self, kind: Kind) -> tuple[Die, ...]:
        """List the dice of one kind."""
        return tuple(die for die in self.dice if die.kind is kind)

    def scores_from(self, kind: Kind) -> int:
        """Give the least result that scores, with what was gained this turn."""
        if kind is Kind.D6 and self.charge:
            return CHARGE_FROM  # BD-T3
        if kind is Kind.D8 and self.fire:
            return FIRE_FROM  # BD-T4
        return SCORES_FROM[kind]

    def scores(self, die: Die) -> bool:
        """Say whether a die scores in the step of its kind."""
        return die.acts and die.result is not None and die.result >= self.scores_from(die.kind)

    def scoring(self, kind: Kind) -> int:
        """Count the dice of a kind that score."""
        return sum(self.scores(die) for die in self.of(kind))


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Both sides in the course of a turn; ``step`` is the one that is being read."""

    options: Options
    hosts: tuple[Host, Host]
    step: Step = Step.ROLL
    serial: int = 0

    def put(self, place: int, host: Host) -> Field:
        """Return the field with one side changed."""
        first, second = self.hosts
        return replace(self, hosts=(first, host) if place else (host, second))

    def is_read(self, kind: Kind) -> bool:
        """Say whether the step of a kind has been read, or is being read, this turn."""
        return STEPS.index(STEP_OF[kind]) <= STEPS.index(self.step)

    def is_pending(self, place: int, die: Die) -> bool:
        """Say whether a die will yet score this turn: a pending success (BD-A1)."""
        if die.kind is Kind.D20 or self.is_read(die.kind):
            return False
        return self.hosts[place].scores(die)

    def table_of(self, die: Die) -> Table:
        """Give the table of a hero: that of its own type, whomever it fights for (BD-25)."""
        if die.hero.startswith(OWN_TABLE):
            custom = self.hosts[int(die.hero.removeprefix(OWN_TABLE))].custom
            assert custom is not None
            return _own(custom)
        return HERO_TABLES[Hero(die.hero)]

    def joined(self, place: int, kinds: Iterable[tuple[Kind, str]]) -> Field:
        """Let dice join a side; they show no result before the next turn."""
        serial = self.serial
        host = self.hosts[place]
        new = []
        for kind, hero in kinds:
            serial += 1
            new.append(Die(serial, kind, hero))
        return replace(self.put(place, replace(host, dice=(*host.dice, *new))), serial=serial)

    def seen(self) -> tuple[Seen, ...]:
        """Show the dice as they lie."""
        return tuple(
            Seen(
                seat=host.id,
                kind=die.kind,
                result=die.result,
                hero=die.hero,
                pending=self.is_pending(place, die),
            )
            for place, host in enumerate(self.hosts)
            for die in host.dice
        )


def lay(battle: Battle, policies: tuple[Policy, ...]) -> Field:
    """Lay out the dice of both sides, none of them rolled yet."""
    hosts: list[Host] = []
    serial = 0
    for side, policy in zip(battle.sides, policies, strict=True):
        dice, serial = _dice(side.troops, serial)
        lost, serial = _dice(side.lost, serial)
        hosts.append(
            Host(
                id=side.id,
                name=side.name,
                hero=side.hero,
                custom=side.custom,
                policy=policy,
                dice=dice,
                lost=lost,
                ignore=side.ignore,
                carried=side.carry,
            )
        )
    first, second = hosts
    return Field(options=battle.options, hosts=(first, second), serial=serial)


def gathered(dice: Iterable[Die]) -> tuple[Troop, ...]:
    """Count like dice, in the order in which they are rolled."""
    counts: dict[tuple[Kind, str], int] = {}
    for die in dice:
        counts[die.kind, die.hero] = counts.get((die.kind, die.hero), 0) + 1
    kinds = tuple(Kind)
    return tuple(
        Troop(kind=kind, hero=hero, count=count)
        for (kind, hero), count in sorted(counts.items(), key=lambda one: kinds.index(one[0][0]))
    )


def taken_up(side: Side, host: Host) -> Side:
    """Give a side as a turn has left it."""
    return replace(
        side,
        troops=gathered(host.dice),
        lost=gathered(host.lost),
        ignore=host.ignore,
        carry=host.carries,
        posted=None,
        offers_draw=False,
    )


def _dice(troops: Iterable[Troop], serial: int) -> tuple[tuple[Die, ...], int]:
    dice: list[Die] = []
    for troop in troops:
        for _ in range(troop.count):
            serial += 1
            dice.append(Die(serial, troop.kind, troop.hero))
    return tuple(dice), serial


def _own(custom: CustomTable) -> Table:
    """Make a table of the players' own like the printed ones (AMB-BD-24)."""
    rows = (
        Row(
            row.low,
            row.high,
            "",
            "BD-24",
            row.power,
            3 if row.power in WITH_AMOUNT else 0,
            row.name,
        )
        for row in custom.rows
    )
    return Table("", custom.die.sides, tuple(rows))
