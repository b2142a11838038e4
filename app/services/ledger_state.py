"""What the lines of a ledger have said so far, and its dice thrown again from that."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.engine.dice import Address
from app.engine.seal import SealedDice, hidden_commitment, mix_of, seed_before, turn_digest
from app.services.ledger_lines import Fault, Line


@dataclass(slots=True)
class Chain:
    """A chain of seeds as far as it was shown; ``before`` is what the next seed leads to."""

    match: str
    before: str
    number: int = 0

    def take(self, number: int, seed: str) -> bool:
        """Go on to a seed; say whether it leads to the one before."""
        linked = seed_before(self.match, number, bytes.fromhex(seed)).hex() == self.before
        self.number, self.before = number, seed
        return linked


@dataclass(frozen=True, slots=True)
class Sealed:
    """What a line keeps to itself: its digest, and what is needed to check it once opened."""

    kind: str
    digest: str
    entry: int | None = None
    number: int = 0
    mix: bytes = b""


@dataclass(slots=True)
class Told:
    """Everything that a checker remembers from line to line; ``line`` is the one at hand."""

    match: str
    chain: Chain | None
    checks: Chain | None
    beacon: str
    commitments: list[str]
    seats: tuple[str, ...]
    """Those whose salts go into the keys; the Master is none of them."""
    by_forum: bool
    """Whether the forum rolls for the orders."""
    line: int = 0
    seals: dict[str, str] = field(default_factory=dict)
    salts: dict[str, str] = field(default_factory=dict)
    redone: bool = False
    thrown: bool = False
    """Whether the service has thrown any dice, after which the salts stand."""
    entry: int = 0
    waiting: dict[int, int | None] = field(default_factory=dict)
    """Entries that wait for their dice, each with the round that was announced for it."""
    excused: set[int] = field(default_factory=set)
    """Entries that the Master let go on without a beacon."""
    hidden: int = 0
    sealed: dict[int, Sealed] = field(default_factory=dict)
    opened: set[int] = field(default_factory=set)

    @property
    def mix(self) -> bytes:
        """Give the salts as they go into a key."""
        return mix_of(self.salts)

    def fault(self, code: str, **facts: str | int) -> Fault:
        """Name what is wrong with the line at hand."""
        return Fault(self.line, code, facts)


def face_faults(told: Told, key: bytes, dice: Sequence[Line]) -> Iterator[Fault]:
    """Throw the dice of each place again, and find the places that say other faces."""
    thrown = SealedDice(key)
    for place, item in enumerate(dice):
        said = item.get("faces", [])
        # As many as were named and one more, so that no number written there keeps us busy.
        count = min(item["count"], len(said) + 1)
        faces = [thrown.face(Address(place, die), item["sides"]) for die in range(count)]
        if said != faces:
            yield told.fault("faces_differ", place=place, said=_listed(said), faces=_listed(faces))


def forum_faults(told: Told, dice: Sequence[Line]) -> Iterator[Fault]:
    """Find the places whose faces no dice of their number and size can show."""
    for place, item in enumerate(dice):
        said = item.get("faces", [])
        if len(said) != item["count"] or not all(1 <= face <= item["sides"] for face in said):
            yield told.fault("faces_impossible", place=place)


def turn_faults(told: Told, entry: int, order: Line) -> Iterator[Fault]:
    """Hold the digest of an order against its text."""
    if turn_digest(told.match, entry, order["request"]) != order["turn"]:
        yield told.fault("turn_differs", entry=entry)


def secret_faults(told: Told, number: int, secret: str) -> Iterator[Fault]:
    """Hold the secret of a hidden roll against what was committed to."""
    made = hidden_commitment(told.match, number, bytes.fromhex(secret))
    if told.commitments[number - 1 : number] != [made]:
        yield told.fault("hidden_secret_differs", q=number)


def beacon_faults(told: Told, roll: Line, announced: int | None) -> Iterator[Fault]:
    """Hold the beacon of a roll against the chain and round that were announced for it."""
    spelled = roll.get("beacon", "")
    due = bool(told.beacon) and roll["entry"] not in told.excused
    if not spelled:
        if due:
            yield told.fault("beacon_missing")
        return
    randomness = hashlib.sha256(bytes.fromhex(roll.get("signature", ""))).hexdigest()
    # Without a round that was announced before, somebody could have waited for a better one.
    right = due and announced is not None and "signature" in roll
    if not right or spelled != f"{told.beacon}:{announced}:{randomness}":
        yield told.fault("beacon_differs")


def _listed(faces: Sequence[int]) -> str:
    return ", ".join(map(str, faces)) or "–"
