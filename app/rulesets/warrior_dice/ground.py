"""Battlefields: what each does to Forces, and to whoever fights there (WD-70 to WD-80)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from app.rulesets.warrior_dice.terms import Battlefield, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What a battlefield adds to every Attack and Defence, and how often a Force counts."""

    attack: int = 0
    defence: int = 0
    times: int = 1
    bystanders: bool = False
    no_all_out: bool = False
    unholy: bool = False
    rule: str = "WD-A3"

    def added(self, kind: Kind) -> int:
        """Give what is added to a Force of a side."""
        return self.attack if kind is Kind.ATTACK else self.defence

    def changed(self, kind: Kind, force: int) -> int:
        """Give the Force that an option has here, never below 0 (AMB-WD-17)."""
        return max(0, force + self.added(kind)) * self.times


# WD-71 … WD-80, by the face of the die; the printed 0 is the tenth.
GROUNDS: Final[Mapping[Battlefield, Ground]] = {
    Battlefield.BEACH: Ground(attack=-10, rule="WD-71"),
    Battlefield.ALLEY: Ground(bystanders=True, rule="WD-72"),
    Battlefield.WAREHOUSE: Ground(defence=10, rule="WD-73"),
    Battlefield.BOARDROOM: Ground(no_all_out=True, rule="WD-74"),
    Battlefield.DARKNESS: Ground(attack=10, rule="WD-75"),
    Battlefield.UNHOLY_SITE: Ground(unholy=True, rule="WD-76"),
    Battlefield.OPERA_HOUSE: Ground(defence=-10, rule="WD-77"),
    Battlefield.ROCKY_GROUND: Ground(attack=-10, defence=-10, rule="WD-78"),
    Battlefield.PARKING_GARAGE: Ground(bystanders=True, rule="WD-79"),
    Battlefield.NEXUS: Ground(times=2, rule="WD-80"),
}
NOWHERE: Final = Ground()
ENDS_ON: Final = 1  # WD-72: the face on which bystanders appear
TRADE_FROM: Final = 40  # WD-76
TRADE_HEALS: Final = 20


def named(face: int) -> Battlefield:
    """Name the battlefield of a face of the die."""
    return tuple(Battlefield)[face - 1]


def ground_of(face: int | None) -> Ground:
    """Give what a battlefield does; a duel without one is fought nowhere in particular (WD-A3)."""
    return NOWHERE if face is None else GROUNDS[named(face)]
