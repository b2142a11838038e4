"""Ledgers written from app/LEDGER.md, as a service would write them, for checkers to read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.engine.seal import (
    check_match,
    face_of,
    hidden_commitment,
    mix_of,
    next_head,
    roll_key,
    seal_of,
    sealed_digest,
    seed_of,
    turn_digest,
)

MATCH = "m-0001"
LINKS = 16
TOP = hashlib.sha256(b"top seed of a test").digest()
REDONE = hashlib.sha256(b"another top seed").digest()
CHECKS = hashlib.sha256(b"top seed of the checks").digest()
SALTS = {"hollow": "00112233445566778899aabbccddeeff", "quincy": "ffeeddccbbaa99887766554433221100"}
BEACON = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
SIGNATURE = hashlib.sha512(b"a round").digest()[:48]


def secret(number: int) -> bytes:
    """Give the secret of a hidden roll."""
    return hashlib.sha256(b"hidden %d" % number).digest()


def commitment(number: int) -> str:
    """Give what is published of it beforehand."""
    return hidden_commitment(MATCH, number, secret(number))


def beacon_of(number: int, signature: bytes = SIGNATURE) -> str:
    """Spell the beacon of a round."""
    return f"{BEACON}:{number}:{hashlib.sha256(signature).hexdigest()}"


def place(label: str, count: int, sides: int) -> dict[str, Any]:
    """Name the dice of one place; what they show comes from a key."""
    return {"label": label, "count": count, "sides": sides}


@dataclass
class Ledger:
    """A scene's ledger as it grows; tests take its lines away and put others in."""

    top: bytes = TOP
    match: str = MATCH
    lines: list[bytes] = field(default_factory=list)
    salts: dict[str, str] = field(default_factory=dict)
    r: int = 0
    checks: int = 0
    q: int = 0
    entry: int = 0
    sealed: dict[int, tuple[bytes, str, bytes | None]] = field(default_factory=dict)

    @property
    def data(self) -> bytes:
        """Give the file."""
        return b"".join(line + b"\n" for line in self.lines)

    @property
    def head(self) -> str:
        """Give the last head."""
        head = ""
        for line in self.lines:
            head = next_head(head, line)
        return head

    def copy(self, lines: list[bytes]) -> Ledger:
        """Give a ledger of other lines."""
        return Ledger(self.top, self.match, lines)

    def add(self, kind: str, **fields: Any) -> int:
        """Store a line, and give its number."""
        at = f"2025-03-29T13:{len(self.lines):02}:00+00:00"
        line = {"kind": kind, "at": at, **{name.rstrip("_"): one for name, one in fields.items()}}
        self.lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())
        return len(self.lines) - 1

    def open(self, **more: Any) -> None:
        """Store line 0."""
        fields: dict[str, Any] = {
            "scheme": "pbf1",
            "match": self.match,
            "anchor": seed_of(self.match, self.top, 0, LINKS).hex(),
            "links": LINKS,
            "key": "k2025",
            "dice": "service",
            "ruleset": "guida",
            "edition": 1,
            "seats": ["hollow", "quincy"],
            "wait_hours": 24,
            "checks": seed_of(check_match(self.match), CHECKS, 0, LINKS).hex(),
            "hidden": [commitment(1), commitment(2)],
        }
        self.add("open", **{**fields, **more})

    def seal(self, seat: str, salt: str) -> int:
        """Let a seat seal its salt."""
        return self.add("seal", seat=seat, seal=seal_of(self.match, seat, salt))

    def salt(self, seat: str, salt: str, **more: Any) -> int:
        """Let a seat show its salt."""
        self.salts[seat] = salt
        return self.add("salt", seat=seat, salt=salt, **more)

    def redo(self, why: str = "unrevealed") -> int:
        """Begin a new chain."""
        self.top = REDONE
        self.salts.clear()
        return self.add("redo", anchor=seed_of(self.match, self.top, 0, LINKS).hex(), why=why)

    def order(self, request: str, entry: int | None = None, **more: Any) -> dict[str, Any]:
        """Write the fields of an order; it takes the next number."""
        self.entry = entry = self.entry + 1 if entry is None else entry
        turn = turn_digest(self.match, entry, request)
        fields = {"seat": "hollow", "act": "turn", "turn": turn, "request": request}
        return {"entry": entry, **fields, **more}

    def roll(
        self, *dice: Mapping[str, Any], order: Mapping[str, Any] | None = None, **more: Any
    ) -> int:
        """Roll the next dice of the chain, for an order of its own or for one that waited."""
        self.r += 1
        seed = seed_of(self.match, self.top, self.r, LINKS)
        fields = self.order(f'{{"r":{self.r}}}') if order is None else order
        key = roll_key(seed, self.match, self.r, mix_of(self.salts), more.get("beacon", ""))
        return self.add("roll", **fields, r=self.r, seed=seed.hex(), **more, dice=faces(key, dice))

    def check(self, *dice: Mapping[str, Any]) -> int:
        """Roll a check of the Master's."""
        self.checks += 1
        match = check_match(self.match)
        seed = seed_of(match, CHECKS, self.checks, LINKS)
        key = roll_key(seed, match, self.checks, mix_of(self.salts))
        found = faces(key, dice)
        return self.add("check", seat="gm", label="?", r=self.checks, seed=seed.hex(), dice=found)

    def correct(self, entry: int, *, sealed: bool = False) -> int:
        """Give the story of an entry other words."""
        told = self.order('{"narration":{"initial":"è"}}')
        del told["act"]
        number = told.pop("entry")
        if sealed:
            return self.shut("correct", told, entry=number, corrects=entry)
        return self.add("correct", **told, entry=number, corrects=entry)

    def shut(self, kind: str, payload: Mapping[str, Any], **fields: Any) -> int:
        """Store a line whose payload nobody can read yet."""
        text = json.dumps(payload, ensure_ascii=False)
        nonce = hashlib.sha256(b"nonce %d" % len(self.lines)).digest()
        number = self.add(kind, **fields, sealed=sealed_digest(self.match, nonce, text))
        self.sealed[number] = nonce, text, None
        return number

    def hide(self, *dice: Mapping[str, Any], alone: bool = False, entry: int | None = None) -> int:
        """Store a hidden decision, of an entry that waited or a new one, or the Master's alone."""
        self.q += 1
        key = roll_key(secret(self.q), self.match, self.q, mix_of(self.salts))
        order = {"seat": "gm"} if alone else self.order(f'{{"q":{self.q}}}', entry)
        payload = {**order, "dice": faces(key, dice), "label": "?"}
        numbered = {} if alone else {"entry": payload.pop("entry")}
        number = self.shut("hidden", payload, **numbered, q=self.q)
        nonce, text, _ = self.sealed[number]
        self.sealed[number] = nonce, text, secret(self.q)
        return number

    def show(self, of: int, **changes: Any) -> int:
        """Open what a line had sealed."""
        nonce, payload, kept = self.sealed[of]
        fields: dict[str, Any] = {"of": of, "nonce": nonce.hex(), "payload": payload}
        if kept is not None:
            fields["secret"] = kept.hex()
        return self.add("opened", **{**fields, **changes})


def faces(key: bytes, dice: tuple[Mapping[str, Any], ...]) -> list[dict[str, Any]]:
    """Throw dice with a key."""
    return [
        {**one, "faces": [face_of(key, at, die, one["sides"]) for die in range(one["count"])]}
        for at, one in enumerate(dice)
    ]


D20, D6, FREE = place("Attacco", 1, 20), place("Danno — «fuoco» 🎲", 3, 6), place("", 0, 0)


def short() -> Ledger:
    """Write a ledger of a dozen lines with something of most kinds."""
    ledger = Ledger()
    ledger.open()
    for seat, salt in SALTS.items():
        ledger.seal(seat, salt)
    accepted = ledger.order("{}", saw=ledger.head)
    ledger.add("accept", **accepted, waits="seals")
    for seat, salt in SALTS.items():
        ledger.salt(seat, salt)
    ledger.roll(D20, FREE, D6, order={"entry": accepted["entry"]})
    ledger.roll(D20, D6, saw=ledger.head)
    hidden = ledger.hide(D20)
    ledger.check(D20)
    ledger.show(hidden)
    ledger.roll(D20, saw=ledger.head)
    return ledger


def long() -> Ledger:
    """Write a ledger with a line of nearly every kind, a new chain and a seat that never came."""
    ledger = Ledger()
    nonce, setup = hashlib.sha256(b"set-up").digest(), '{"entrants": []}'
    ledger.open(beacon=BEACON, sealed=sealed_digest(MATCH, nonce, setup))
    ledger.sealed[0] = nonce, setup, None
    ledger.seal("hollow", SALTS["quincy"])
    for seat, salt in SALTS.items():
        ledger.seal(seat, salt)
    ledger.salt("hollow", SALTS["hollow"])
    ledger.redo()
    ledger.seal("hollow", SALTS["quincy"])
    ledger.salt("hollow", SALTS["quincy"])
    ledger.salt("quincy", "", missing="limit")
    first = ledger.order('{"first":true}')
    ledger.add("accept", **first, waits="beacon", round=7)
    spelled, signature = beacon_of(7), SIGNATURE.hex()
    waited = {"entry": first["entry"]}
    ledger.roll(D20, D6, order=waited, beacon=spelled, signature=signature)
    second = ledger.order('{"second":true}', saw=ledger.head)
    ledger.add("accept", **second, waits="beacon", round=9)
    ledger.add("fallback", entry=second["entry"], round=9, reason="Il faro tace.")
    ledger.roll(D20, order={"entry": second["entry"]})
    ledger.add("order", **ledger.order('{"third":1}'))
    ledger.add("batch", from_=3, hidden=[commitment(3), commitment(4)])
    hidden = [ledger.hide(D20, D6), ledger.hide(D20, alone=True), ledger.hide(D6)]
    ledger.check(D20, D6)
    ledger.check(D6)
    ledger.add("clock", what="stopped", reason="Ferie.")
    promise = ledger.shut("promise", {"text": "Una trappola."}, seat="quincy")
    kept = ledger.order('{"kept":"…"}')
    number = kept.pop("entry")
    order = ledger.shut("order", kept, entry=number)
    ledger.add("amend", **ledger.order("{}"), before=number)
    ledger.entry += 1
    void = ledger.shut("void", {"reason": "Un errore."}, entry=ledger.entry, voids=number)
    for of in (0, *hidden, promise, order, void):
        ledger.show(of)
    return ledger


def forum() -> Ledger:
    """Write the ledger of a scene where the forum rolls, and the Master beside it."""
    ledger = Ledger()
    ledger.open(dice="forum")
    ledger.add("accept", **ledger.order('{"first":1}'), waits="forum")
    ledger.add("forum", entry=ledger.entry, seat="hollow", dice=[{**D20, "faces": [20]}])
    ledger.add("accept", **ledger.order('{"second":1}', saw=ledger.head), waits="forum")
    for seat in SALTS:
        ledger.salt(seat, "", missing="limit")
    ledger.check(D20)
    hidden = ledger.hide(D6, alone=True)
    corrected = ledger.entry
    ledger.correct(corrected)  # while it waits
    unseen = ledger.correct(corrected, sealed=True)
    ledger.entry += 1
    taken = {"voids": corrected, "seat": "hollow", "reason": "Un errore."}
    ledger.add("void", entry=ledger.entry, **taken)
    ledger.add("accept", **ledger.order('{"third":1}'), waits="forum")
    told = {"dice": [{**D20, "faces": [1]}, FREE], "how": "plugin"}
    ledger.add("forum", entry=ledger.entry, seat="gm", **told)
    ledger.show(hidden)
    ledger.show(unseen)
    return ledger


def rewritten(ledger: Ledger, number: int, change: Callable[[dict[str, Any]], object]) -> Ledger:
    """Give a ledger in which one line was written anew."""
    line = json.loads(ledger.lines[number])
    change(line)
    changed = json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode()
    return ledger.copy([*ledger.lines[:number], changed, *ledger.lines[number + 1 :]])


def numbers_of(ledger: Ledger, kind: str) -> list[int]:
    """Say where the lines of a kind stand."""
    return [n for n, line in enumerate(ledger.lines) if json.loads(line)["kind"] == kind]
