"""What is told of the dice of a scene, and what is asked for beside its orders."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated

from app.engine.ruleset import Seat
from app.engine.text import Between, Length, Name

Label = Name
Told = Annotated[str, Length(1, 4_000, lines=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSalt:
    """A seat's part in the dice: its seal, its salt once it is shown, or why it has none.

    ``mine`` says that the reader holds the seat.
    """

    seat: Seat
    mine: bool
    seal: str
    salt: str | None
    missing: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRead:
    """Where the dice of a scene stand.

    ``open`` says that salts can still be given, ``reveal`` that they are shown now. ``waits`` is
    what the declared turn waits for: ``seals``, ``beacon``, ``forum`` or nothing; ``until`` is when
    the wait for salts ends, ``beacon_round`` the round that is awaited.
    """

    scheme: str
    match: str
    anchor: str
    key: str
    head: str
    lines: int
    rolls: int
    hidden: int
    checks: int
    open: bool
    reveal: bool
    seats: tuple[SeatSalt, ...]
    wait_hours: int
    waits: str
    until: datetime | None
    beacon: str | None
    beacon_round: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheck:
    """Dice that the Master throws beside any order: in the open, or hidden until they are told."""

    label: Label
    sides: Annotated[int, Between(2, 10_000)]
    count: Annotated[int, Between(1, 100)] = 1
    hidden: bool = False
    key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """Something in the ledger beside the orders: a check, a hidden roll, or a sealed declaration.

    ``opened`` is the line in which it was told. Until then ``text`` and ``faces`` are there only
    for whoever made it, of whom ``mine`` says that it is the reader.
    """

    line: int
    kind: str
    seat: Seat
    mine: bool
    text: str
    sides: int | None
    faces: tuple[int, ...] | None
    opened: int | None
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """The line of a ledger that something became, and the head after it."""

    line: int
    head: str
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """By what an entry can be checked: its newest line, the head after it, and its roll.

    ``without`` lists, at the first roll, the seats that gave no salt to the dice, and ``names``
    how they are called; ``anchor`` is told there too if the dice began anew, and counts instead
    of that in the opening post.
    """

    scheme: str
    line: int
    head: str
    kind: str
    roll: int | None = None
    seed: str | None = None
    without: tuple[Seat, ...] = ()
    names: tuple[str, ...] = ()
    anchor: str | None = None

    def facts(self) -> dict[str, str | int]:
        """Give what a post says of it; without a roll there is no seed to tell."""
        told: dict[str, str | int] = {"scheme": self.scheme, "line": self.line, "head": self.head}
        if self.roll is not None and self.seed is not None:
            told |= {"roll": self.roll, "seed": self.seed}
        if self.without:
            told["without"] = ", ".join(self.names or self.without)
        if self.anchor is not None:
            told["anchor"] = self.anchor
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerRead:
    """The lines of a ledger, each as the very text that was hashed, and the head after them."""

    lines: tuple[str, ...]
    head: str
