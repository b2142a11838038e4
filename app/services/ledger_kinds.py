"""What each kind of line has to fit: seals, entries, rolls, and what is opened later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias

from app.engine.seal import roll_key, seal_of, sealed_digest
from app.services.ledger_lines import Fault, Line, Unreadable, fits, read_object
from app.services.ledger_sequence import seat_faults, sequence_faults
from app.services.ledger_state import (
    Chain,
    Sealed,
    Told,
    beacon_faults,
    face_faults,
    forum_faults,
    secret_faults,
    turn_faults,
)

Found: TypeAlias = Iterator[Fault]
ORDERS: Final = ("accept", "roll", "order", "amend", "correct")


def examine(told: Told, kind: str, line: Line) -> Found:
    """Find what is wrong with a line whose fields have their shapes, and remember what it says."""
    if "sealed" in line:
        told.sealed[told.line] = Sealed(
            kind, line["sealed"], line.get("entry"), line.get("q", 0), told.mix
        )
    yield from sequence_faults(told, kind, line)
    yield from _KINDS[kind](told, line)


# ------------------------------------------------------------------------- seals and salts


def _open(told: Told, _line: Line) -> Found:
    # The first one is read elsewhere.
    yield told.fault("open_twice")


def _seal(told: Told, line: Line) -> Found:
    seat = line["seat"]
    yield from seat_faults(told, seat)
    if told.thrown:
        yield told.fault("seal_after_roll", seat=seat)
        return
    # Whoever seals after a salt was shown can choose what comes out of both.
    if any(told.salts.values()):
        yield told.fault("seal_after_salt", seat=seat)
    told.seals[seat] = line["seal"]


def _salt(told: Told, line: Line) -> Found:
    seat, salt = line["seat"], line["salt"]
    yield from seat_faults(told, seat)
    if ("missing" in line) == bool(salt):
        yield told.fault("bad_field", kind="salt", field="missing")
    if told.thrown:
        yield told.fault("salt_after_roll", seat=seat)
        return
    if seat in told.salts:
        yield told.fault("salt_twice", seat=seat)
    if salt and seat not in told.seals:
        yield told.fault("seal_missing", seat=seat)
    elif salt and seal_of(told.match, seat, salt) != told.seals[seat]:
        yield told.fault("seal_differs", seat=seat)
    told.salts[seat] = salt


def _redo(told: Told, line: Line) -> Found:
    if told.thrown:
        yield told.fault("redo_after_roll")
        return
    # With as many chains as one likes, one can be looked for that suits the salts.
    if told.redone:
        yield told.fault("redo_twice")
    told.redone = True
    told.chain = Chain(told.match, line["anchor"])
    told.seals.clear()
    told.salts.clear()


# --------------------------------------------------------------------------------- entries


def _numbered(told: Told, entry: int) -> Found:
    """Take the number of a new entry: the one after the last."""
    if entry != told.entry + 1:
        yield told.fault("entry_number", expected=told.entry + 1, found=entry)
    told.entry = max(told.entry, entry)


def _known(told: Told, entry: int) -> Found:
    """Look whether an entry that a line refers to came before."""
    if not 1 <= entry < told.entry:
        yield told.fault("entry_unknown", entry=entry)


def _order(told: Told, line: Line) -> Found:
    yield from _numbered(told, line["entry"])
    if "request" in line and "turn" in line:
        yield from turn_faults(told, line["entry"], line)
    elif "sealed" not in line:
        missing = "turn" if "request" in line else "request"
        yield told.fault("bad_field", kind=line["kind"], field=missing)


def _accept(told: Told, line: Line) -> Found:
    yield from _order(told, line)
    told.waiting[line["entry"]] = line.get("round")


def _roll(told: Told, line: Line) -> Found:
    entry = line["entry"]
    announced = None
    if entry in told.waiting:
        announced = told.waiting.pop(entry)
    elif entry <= told.entry or not line.keys() & {"request", "turn", "sealed"}:
        yield told.fault("accept_missing", entry=entry)
        told.entry = max(told.entry, entry)
    else:
        yield from _order(told, line)
    yield from beacon_faults(told, line, announced)
    yield from _thrown(told, told.chain, line, line.get("beacon", ""))


def _thrown(told: Told, chain: Chain | None, line: Line, beacon: str = "") -> Found:
    """Take the next seed of a chain, and throw a roll's dice again from it."""
    number, seed = line["r"], line["seed"]
    if chain is None:
        yield told.fault("seed_not_linked", r=number)
        return
    if number != chain.number + 1:
        yield told.fault("roll_number", expected=chain.number + 1, found=number)
    if not chain.take(number, seed):
        yield told.fault("seed_not_linked", r=number)
    key = roll_key(bytes.fromhex(seed), chain.match, number, told.mix, beacon)
    yield from face_faults(told, key, line["dice"])


def _check(told: Told, line: Line) -> Found:
    yield from _thrown(told, told.checks, line)


def _forum(told: Told, line: Line) -> Found:
    entry = line["entry"]
    if entry not in told.waiting:
        yield told.fault("accept_missing", entry=entry)
    told.waiting.pop(entry, None)
    if "dice" in line:
        yield from forum_faults(told, line["dice"])
    elif "sealed" not in line:
        yield told.fault("bad_field", kind="forum", field="dice")


def _fallback(told: Told, line: Line) -> Found:
    entry = line["entry"]
    if entry not in told.waiting:
        yield told.fault("accept_missing", entry=entry)
    elif told.waiting[entry] != line["round"]:
        yield told.fault("beacon_differs")
    told.excused.add(entry)


def _void(told: Told, line: Line) -> Found:
    yield from _numbered(told, line["entry"])
    yield from _known(told, line["voids"])
    told.waiting.pop(line["voids"], None)


def _amend(told: Told, line: Line) -> Found:
    yield from _order(told, line)
    yield from _known(told, line["before"])


def _correct(told: Told, line: Line) -> Found:
    yield from _order(told, line)
    yield from _known(told, line["corrects"])


# ------------------------------------------------------------------- what was sealed before


def _batch(told: Told, line: Line) -> Found:
    expected = len(told.commitments) + 1
    if line["from"] != expected:
        yield told.fault("hidden_number", expected=expected, found=line["from"])
    told.commitments += line["hidden"]


def _hidden(told: Told, line: Line) -> Found:
    number = line["q"]
    if number != told.hidden + 1:
        yield told.fault("hidden_number", expected=told.hidden + 1, found=number)
    told.hidden = number
    if not 1 <= number <= len(told.commitments):
        yield told.fault("hidden_uncommitted", q=number)
    if line.get("entry") in told.waiting:
        told.waiting.pop(line["entry"])
    elif "entry" in line:
        yield from _numbered(told, line["entry"])


def _promise(_told: Told, _line: Line) -> Found:
    # What it seals was remembered above, and is looked at when it is opened.
    yield from ()


def _clock(_told: Told, _line: Line) -> Found:
    # What is said of a deadline decides no die; the chain of heads holds it in its place.
    yield from ()


def _opened(told: Told, line: Line) -> Found:
    of = line["of"]
    sealed = told.sealed.get(of)
    if sealed is None:
        yield told.fault("opened_unknown", of=of)
        return
    if of in told.opened:
        yield told.fault("opened_twice", of=of)
    told.opened.add(of)
    if sealed_digest(told.match, bytes.fromhex(line["nonce"]), line["payload"]) != sealed.digest:
        yield told.fault("sealed_differs", of=of)
        return
    try:
        payload = read_object(line["payload"].encode())
    except Unreadable:
        yield told.fault("bad_payload", of=of)
        return
    yield from _told_later(told, line, sealed, payload)


def _told_later(told: Told, line: Line, sealed: Sealed, payload: Line) -> Found:
    """Check what was sealed as it would have been, had it stood there from the beginning."""
    of = line["of"]
    told_dice, is_order = fits("dice", payload.get("dice")), _is_order(payload)
    if sealed.kind in ORDERS and is_order and sealed.entry is not None:
        yield from turn_faults(told, sealed.entry, payload)
    elif sealed.kind == "forum" and told_dice:
        yield from forum_faults(told, payload["dice"])
    elif sealed.kind == "hidden" and told_dice and (is_order or sealed.entry is None):
        if sealed.entry is not None:
            yield from turn_faults(told, sealed.entry, payload)
        yield from _hidden_dice(told, line, sealed, payload)
    elif sealed.kind in (*ORDERS, "forum", "hidden"):
        yield told.fault("bad_payload", of=of)


def _hidden_dice(told: Told, line: Line, sealed: Sealed, payload: Line) -> Found:
    if "secret" not in line:
        yield told.fault("bad_field", kind="opened", field="secret")
        return
    yield from secret_faults(told, sealed.number, line["secret"])
    key = roll_key(bytes.fromhex(line["secret"]), told.match, sealed.number, sealed.mix)
    yield from face_faults(told, key, payload["dice"])


def _is_order(payload: Line) -> bool:
    return fits("text", payload.get("request")) and fits("digest", payload.get("turn"))


_KINDS: Final[Mapping[str, Callable[[Told, Line], Found]]] = {
    "open": _open,
    "seal": _seal,
    "salt": _salt,
    "redo": _redo,
    "batch": _batch,
    "accept": _accept,
    "roll": _roll,
    "order": _order,
    "forum": _forum,
    "hidden": _hidden,
    "void": _void,
    "amend": _amend,
    "correct": _correct,
    "check": _check,
    "promise": _promise,
    "opened": _opened,
    "fallback": _fallback,
    "clock": _clock,
}
