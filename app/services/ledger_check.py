"""A ledger checked from its bytes alone, as app/LEDGER.md says, and everything wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.engine.seal import SCHEME, check_match
from app.services.ledger_kinds import examine
from app.services.ledger_lines import (
    DIGEST,
    KINDS,
    Fault,
    Line,
    Unreadable,
    heads_of,
    lines_of,
    read_object,
    told_fields,
    wrong_fields,
)
from app.services.ledger_state import Chain, Sealed, Told

FAULTS: Final[Mapping[str, tuple[str, ...]]] = {
    # the file as a whole
    "empty": (),
    "no_line_feed": (),
    "no_head": (),
    "bad_head": (),
    "head_differs": ("found",),
    "head_earlier": ("after", "more"),
    # a line by itself
    "not_json": (),
    "duplicate_key": (),
    "unknown_kind": ("kind",),
    "bad_field": ("kind", "field"),
    "first_not_open": (),
    "open_twice": (),
    "scheme_unknown": ("scheme",),
    "saw_unknown": (),
    # seals and salts
    "unknown_seat": ("seat",),
    "seal_after_salt": ("seat",),
    "seal_after_roll": ("seat",),
    "seal_missing": ("seat",),
    "seal_differs": ("seat",),
    "salt_twice": ("seat",),
    "salt_after_roll": ("seat",),
    "salt_missing": ("seat",),
    "redo_after_roll": (),
    "redo_twice": (),
    # entries
    "entry_number": ("expected", "found"),
    "entry_unknown": ("entry",),
    "accept_missing": ("entry",),
    "accept_left": ("entry",),
    "turn_differs": ("entry",),
    # dice
    "wrong_roller": (),
    "roll_number": ("expected", "found"),
    "seed_not_linked": ("r",),
    "faces_differ": ("place", "said", "faces"),
    "faces_impossible": ("place",),
    "beacon_missing": (),
    "beacon_differs": (),
    # what was sealed
    "hidden_number": ("expected", "found"),
    "hidden_uncommitted": ("q",),
    "hidden_secret_differs": ("q",),
    "opened_unknown": ("of",),
    "opened_twice": ("of",),
    "sealed_differs": ("of",),
    "bad_payload": ("of",),
}
"""Every code a fault can have, with the names of its facts."""

_LONGEST_KIND: Final = 40  # characters of an unknown kind that are told


@dataclass(frozen=True, slots=True)
class LedgerReport:
    """What was found in a ledger; ``sealed`` counts what is not opened yet."""

    lines: int
    rolls: int
    checks: int
    hidden: int
    opened: int
    sealed: int
    heads: tuple[str, ...]
    faults: tuple[Fault, ...]

    @property
    def ok(self) -> bool:
        """Say whether nothing is wrong."""
        return not self.faults

    @property
    def counts(self) -> Mapping[str, int]:
        """Give everything that was counted, by its name."""
        names = ("lines", "rolls", "checks", "hidden", "opened", "sealed")
        return {name: getattr(self, name) for name in names}


def check_ledger(data: bytes, head: str | None) -> LedgerReport:
    """Check a ledger as it was downloaded against a head from the forum; never raises.

    Without a head it can still be read, but one that was cut or written anew would pass: that is
    a fault of its own.
    """
    lines = lines_of(data)
    walk = _Walk(heads_of(lines))
    faults = [*walk.whole(data, head)]
    for number, raw in enumerate(lines):
        faults += walk.line(number, raw)
    opened = len(walk.told.opened) if walk.told else 0
    return LedgerReport(
        lines=len(lines),
        rolls=walk.counts["roll"],
        checks=walk.counts["check"],
        hidden=walk.counts["hidden"],
        opened=opened,
        sealed=len(walk.told.sealed) - opened if walk.told else 0,
        heads=walk.heads,
        faults=tuple(faults),
    )


class _Walk:
    """Goes through a ledger and remembers what the lines before said."""

    def __init__(self, heads: tuple[str, ...]) -> None:
        self.heads = heads
        self.places = {head: number for number, head in enumerate(heads)}
        self.counts = dict.fromkeys(KINDS, 0)
        self.told: Told | None = None

    def whole(self, data: bytes, head: str | None) -> Iterator[Fault]:
        """Find what is wrong with the file as one."""
        if not data:
            yield Fault(None, "empty")
        elif not data.endswith(b"\n"):
            yield Fault(None, "no_line_feed")
        posted = (head or "").strip().lower()
        last = len(self.heads) - 1
        if not posted:
            yield Fault(None, "no_head")
        elif not DIGEST.fullmatch(posted):
            yield Fault(None, "bad_head")
        elif posted not in self.places:
            yield Fault(None, "head_differs", {"found": self.heads[-1] if self.heads else "–"})
        elif (after := self.places[posted]) != last:
            yield Fault(None, "head_earlier", {"after": after, "more": last - after})

    def line(self, number: int, raw: bytes) -> Iterator[Fault]:
        """Find what is wrong with a line; after a first one that opens nothing, only its form."""
        try:
            line: Line = read_object(raw)
        except Unreadable as problem:
            yield Fault(number, problem.code)
            return
        named = line.get("kind")
        kind = named if isinstance(named, str) else ""
        if kind not in KINDS:
            yield Fault(number, "unknown_kind", {"kind": kind[:_LONGEST_KIND] or "–"})
            return
        wrong = tuple(wrong_fields(kind, line))
        if wrong:
            for name in wrong:
                yield Fault(number, "bad_field", {"kind": kind, "field": name})
            return
        self.counts[kind] += 1
        line = told_fields(kind, line)
        if number == 0:
            yield from self._open(kind, line)
        elif self.told is not None:
            self.told.line = number
            if self.places.get(line.get("saw", self.heads[0]), number) >= number:
                yield self.told.fault("saw_unknown")
            yield from examine(self.told, kind, line)

    def _open(self, kind: str, line: Line) -> Iterator[Fault]:
        """Begin with line 0, from which everything else follows."""
        if kind != "open":
            yield Fault(0, "first_not_open")
            return
        if line["scheme"] != SCHEME:
            yield Fault(0, "scheme_unknown", {"scheme": line["scheme"]})
            return
        if line["dice"] == "service" and "anchor" not in line:
            yield Fault(0, "bad_field", {"kind": kind, "field": "anchor"})
        match = line["match"]
        self.told = Told(
            match=match,
            chain=Chain(match, line["anchor"]) if "anchor" in line else None,
            checks=Chain(check_match(match), line["checks"]) if "checks" in line else None,
            beacon=line.get("beacon", ""),
            commitments=[*line.get("hidden", ())],
            seats=tuple(dict.fromkeys(line["seats"])),
            by_forum=line["dice"] == "forum",
        )
        if "sealed" in line:
            self.told.sealed[0] = Sealed(kind, line["sealed"])
