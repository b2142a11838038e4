"""Ledgers that are spoilt with care: at least one for every code that a checker knows."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from tests.support.ledgers import (
    BEACON,
    D20,
    SALTS,
    SIGNATURE,
    Ledger,
    beacon_of,
    forum,
    long,
    numbers_of,
    rewritten,
    secret,
    short,
)

Step: TypeAlias = Callable[[Ledger], object]
Fields: TypeAlias = dict[str, Any]
ONE, OTHER = SALTS.values()
NONE = "00" * 32


@dataclass(frozen=True)
class Spoilt:
    """A ledger with a fault, the head to hold it against, and the code that names the fault."""

    code: str
    data: bytes
    head: str


def opened(**more: Any) -> Ledger:
    """Begin a ledger."""
    ledger = Ledger()
    ledger.open(**more)
    return ledger


# Lines in the place of the last one of a sound ledger.
FORMS: tuple[tuple[str, bytes], ...] = (
    *(("not_json", line) for line in (b"{", b"[]", b"1", b"", b"null", b"{}{}", b'{"a":1}x')),
    *(("not_json", line) for line in (b"\xff{}", b"\xef\xbb\xbf{}", "{\u00a0}".encode())),
    *(("not_json", b'{"a":' + value + b"}") for value in (b"NaN", b"01", b".5", b"1.", b"+1")),
    *(("not_json", b'{"a":"' + value + b'"}') for value in (b"\\x41", b"a\tb", b"\\ud800", b"\\")),
    ("not_json", b'{"a":"\\u0000"}'),
    ("not_json", b"{'a':1}"),
    ("not_json", b'{"a":1,}'),
    ("not_json", b'{"kind":' + b"[" * 60 + b"]" * 60 + b"}"),
    ("not_json", b'{"kind":' + b"[" * 50_000),
    ("duplicate_key", b'{"kind":"roll","kind":"order"}'),
    ("duplicate_key", b'{"kind":"order","a":[{"\\u0062":1,"b":2}]}'),
    ("duplicate_key", b'{"__proto__":1,"__proto__":2}'),
    *(("unknown_kind", b'{"kind":' + kind + b"}") for kind in (b'"curse"', b"7", b'"constructor"')),
    ("unknown_kind", '{"kind":"🎲","a":{"__proto__":{"kind":"roll"}}}'.encode()),
    ("unknown_kind", ('{"kind":"' + "é🎲" * 60 + '"}').encode()),
    ("unknown_kind", b" { } "),
)

# Fields written anew, in the last line of a kind.
CHANGES: tuple[tuple[str, Callable[[], Ledger], str, Fields], ...] = (
    *(("bad_field", long, "order", {"seat": value}) for value in (1, None, ["a"], True)),
    *(("bad_field", long, "amend", {"entry": value}) for value in (1.0, True, -1, "1", 10**15)),
    ("bad_field", short, "roll", {"at": "2025-03-29 13:00"}),
    ("bad_field", short, "roll", {"seed": "AB" * 32}),
    ("bad_field", short, "roll", {"seed": "ab" * 31 + "\n"}),
    ("bad_field", long, "roll", {"signature": "abc"}),
    ("bad_field", short, "roll", {"dice": [{**D20, "sides": 1, "faces": [1]}]}),
    ("bad_field", short, "roll", {"dice": [{**D20, "faces": [1.5]}]}),
    ("bad_field", short, "roll", {"dice": {}}),
    ("bad_field", short, "accept", {"waits": "tea"}),
    ("bad_field", short, "salt", {"missing": "limit"}),
    ("bad_field", short, "salt", {"salt": ""}),
    ("bad_field", short, "open", {"hidden": NONE}),
    *(("bad_field", forum, "forum", {"how": how}) for how in ("guessed", "service", 1, None)),
    ("bad_field", forum, "void", {"seat": 1}),
    ("first_not_open", short, "open", {"kind": "promise", "sealed": NONE}),
    ("scheme_unknown", short, "open", {"scheme": "pbf2"}),
    ("saw_unknown", short, "roll", {"saw": NONE}),
    ("turn_differs", short, "roll", {"request": "{ }"}),
    ("turn_differs", short, "accept", {"request": "{ }"}),
    ("entry_number", short, "hidden", {"entry": 9}),
    ("roll_number", short, "roll", {"r": 7}),
    ("roll_number", short, "check", {"r": 0}),
    ("seed_not_linked", short, "roll", {"seed": NONE}),
    ("seed_not_linked", short, "check", {"seed": NONE}),
    ("faces_differ", short, "roll", {"dice": [{**D20, "faces": [21]}]}),
    ("faces_differ", short, "roll", {"dice": [{**D20, "count": 10**9, "faces": [1]}]}),
    ("faces_differ", short, "roll", {"dice": [D20]}),
    ("faces_differ", short, "check", {"dice": [{**D20, "faces": [1, 1]}]}),
    ("faces_impossible", forum, "forum", {"dice": [{**D20, "faces": [0]}]}),
    ("faces_impossible", forum, "forum", {"dice": [{**D20, "faces": []}]}),
    *(("bad_field", short, "open", {"seats": value}) for value in ("hollow", [1], {}, None)),
    ("wrong_roller", short, "open", {"dice": "forum"}),
    ("wrong_roller", short, "accept", {"waits": "forum"}),
    ("wrong_roller", forum, "open", {"dice": "service"}),
    ("wrong_roller", forum, "accept", {"waits": "seals"}),
    ("unknown_seat", short, "salt", {"seat": "gm"}),
    ("salt_missing", short, "open", {"seats": ["hollow", "third", "quincy"]}),
    ("beacon_differs", long, "fallback", {"round": 8}),
    ("hidden_number", short, "hidden", {"q": 2}),
    ("hidden_number", long, "batch", {"from": 2}),
    ("hidden_secret_differs", short, "opened", {"secret": secret(2).hex()}),
    ("opened_unknown", short, "opened", {"of": 3}),
    ("opened_unknown", short, "opened", {"of": 99}),
    ("sealed_differs", short, "opened", {"nonce": NONE}),
    ("sealed_differs", short, "opened", {"payload": "{}"}),
)

# Fields taken away, in the first line of a kind.
LEFT_OUT: tuple[tuple[str, Callable[[], Ledger], str, tuple[str, ...]], ...] = (
    ("bad_field", short, "roll", ("seed",)),
    ("bad_field", short, "roll", ("at",)),
    ("bad_field", short, "open", ("anchor",)),
    ("bad_field", long, "order", ("turn",)),
    ("bad_field", long, "order", ("request", "turn")),
    ("bad_field", forum, "forum", ("dice",)),
    ("bad_field", short, "open", ("seats",)),
    ("bad_field", short, "opened", ("secret",)),
    ("seed_not_linked", short, "open", ("checks",)),
    ("beacon_differs", long, "roll", ("signature",)),
)


def seal(seat: str, salt: str) -> Step:
    """Let a seat seal."""
    return lambda ledger: ledger.seal(seat, salt)


def salt(seat: str, salt: str) -> Step:
    """Let a seat show its salt."""
    return lambda ledger: ledger.salt(seat, salt)


def waived(seat: str) -> Step:
    """Let a seat play with an empty salt."""
    return lambda ledger: ledger.salt(seat, "", missing="waived")


def roll(**more: Any) -> Step:
    """Roll a die."""
    return lambda ledger: ledger.roll(D20, **more)


def add(kind: str, **fields: Any) -> Step:
    """Store a line."""
    return lambda ledger: ledger.add(kind, **fields)


def check() -> Step:
    """Roll a check of the Master's."""
    return lambda ledger: ledger.check(D20)


def hidden(**more: Any) -> Step:
    """Roll a hidden die, which stays sealed."""
    return lambda ledger: ledger.hide(D20, **more)


def hide(**changes: Any) -> Step:
    """Seal a hidden decision of other contents, and open it."""
    return lambda ledger: ledger.show(_hidden_of(ledger, changes))


def _hidden_of(ledger: Ledger, changes: Fields) -> int:
    number = ledger.hide(D20)
    payload = json.loads(ledger.sealed[number][1]) | changes
    kept = {name: one for name, one in payload.items() if one is not None}
    ledger.lines.pop()
    resealed = ledger.shut("hidden", kept, entry=ledger.entry, q=ledger.q)
    nonce, text, _ = ledger.sealed[resealed]
    ledger.sealed[resealed] = nonce, text, secret(ledger.q)
    return resealed


def sealed_order(kind: str, payload: Fields, **fields: Any) -> Step:
    """Seal an order, and open it."""
    return lambda ledger: ledger.show(ledger.shut(kind, payload, entry=1, **fields))


SEALED = (seal("hollow", ONE), seal("quincy", OTHER))
SHOWN = (*SEALED, salt("hollow", ONE))
WAITING = add("accept", **Ledger().order("{}"), waits="beacon", round=7)
FREED = add("fallback", entry=1, round=7, reason="?")
IN_BEACON = partial(opened, beacon=BEACON)
ROLLED = roll(order={"entry": 1})
ALL_SHOWN = (*SHOWN, salt("quincy", OTHER))
BY_FORUM = add("accept", **Ledger().order("{}"), waits="forum")
TOLD = add("forum", entry=1, seat="hollow", dice=[{**D20, "faces": [20]}])
IN_FORUM = partial(opened, dice="forum")
NOBODY = (waived("hollow"), waived("quincy"))


def instead(kind: str, **changes: Any) -> Step:
    """Let the next entry be of another kind than the one that waits has to go on with."""
    return add(kind, **Ledger().order("{}", entry=2), **changes)


DECIDED = add("order", **Ledger().order("{}"))
VOIDED = add("void", entry=3, voids=1, reason="?")
SECOND_BY_FORUM = (
    instead("accept", waits="forum"),
    add("forum", entry=2, seat="gm", dice=[{**D20, "faces": [20]}]),
)
SPELLED = {"beacon": beacon_of(7), "signature": SIGNATURE.hex()}

# What is played after a beginning.
STEPS: tuple[tuple[str, Callable[[], Ledger], tuple[Step, ...]], ...] = (
    # whose dice: the forum's six in the middle of a scene whose dice were fixed, and the other way
    ("wrong_roller", opened, (*ALL_SHOWN, roll(), *SECOND_BY_FORUM)),
    ("wrong_roller", opened, (BY_FORUM, TOLD)),
    ("wrong_roller", opened, (*ALL_SHOWN, WAITING, TOLD)),
    ("wrong_roller", IN_FORUM, (*NOBODY, roll())),
    ("wrong_roller", IN_FORUM, (*NOBODY, BY_FORUM, hidden(entry=1))),
    # dice before the salts that go into them, or picked after a look at the first ones
    ("salt_missing", opened, (roll(),)),
    ("salt_missing", opened, (SEALED[0], roll())),
    ("salt_missing", opened, (*SHOWN, roll())),
    ("salt_missing", opened, (check(), *ALL_SHOWN)),
    ("salt_missing", opened, (hidden(), *ALL_SHOWN, roll())),
    ("salt_missing", IN_FORUM, (check(),)),
    ("salt_missing", opened, (*ALL_SHOWN, Ledger.redo, *SHOWN, roll())),
    ("seal_after_roll", opened, (*NOBODY, roll(), SEALED[0])),
    ("seal_after_roll", opened, (*NOBODY, check(), SEALED[0])),
    ("salt_after_roll", opened, (*NOBODY, hidden(), waived("hollow"))),
    ("redo_after_roll", opened, (*ALL_SHOWN, check(), Ledger.redo)),
    ("redo_after_roll", opened, (*ALL_SHOWN, hidden(), Ledger.redo)),
    ("redo_twice", opened, (*SHOWN, Ledger.redo, *SHOWN, Ledger.redo)),
    ("redo_twice", opened, (Ledger.redo, Ledger.redo, *ALL_SHOWN, roll())),
    ("unknown_seat", opened, (*SEALED, seal("phantom", ONE))),
    ("unknown_seat", opened, (*ALL_SHOWN, waived("phantom"), roll())),
    ("unknown_seat", opened, (seal("gm", ONE),)),
    # an order whose dice were known too soon is not left lying
    ("accept_left", opened, (WAITING, *NOBODY, roll(order=Ledger().order("{}", entry=2)))),
    ("accept_left", opened, (WAITING, instead("accept", waits="seals"))),
    ("accept_left", opened, (WAITING, instead("order"))),
    ("accept_left", opened, (WAITING, instead("amend", before=1))),
    ("accept_left", opened, (DECIDED, instead("accept", waits="seals"), VOIDED)),
    ("accept_left", opened, (*NOBODY, WAITING, hidden(entry=2))),
    ("accept_left", IN_FORUM, (BY_FORUM, instead("accept", waits="forum"), TOLD)),
    ("accept_left", opened, (WAITING, add("fallback", entry=2, round=7, reason="?"))),
    ("open_twice", short, (Ledger.open,)),
    ("seal_after_salt", opened, (*SHOWN, SEALED[1])),
    ("seal_missing", opened, (SEALED[0], salt("quincy", OTHER))),
    ("seal_missing", opened, (*SHOWN, Ledger.redo, salt("hollow", ONE))),
    ("seal_differs", opened, (*SEALED, salt("quincy", ONE))),
    ("salt_twice", opened, (*SHOWN, salt("hollow", ONE))),
    ("salt_after_roll", opened, (*SHOWN, roll(), salt("quincy", OTHER))),
    ("redo_after_roll", opened, (*SHOWN, roll(), Ledger.redo)),
    ("entry_number", opened, (add("order", **Ledger().order("{}", entry=2)),)),
    ("entry_number", opened, (add("void", entry=2, voids=1, reason="?"),)),
    ("entry_unknown", opened, (add("void", entry=1, voids=1, reason="?"),)),
    ("entry_unknown", opened, (add("amend", **Ledger().order("{}"), before=7),)),
    ("entry_unknown", opened, (add("correct", **Ledger().order("{}"), corrects=1),)),
    ("entry_number", opened, (add("correct", **Ledger().order("{}", entry=3), corrects=1),)),
    ("accept_missing", opened, (ROLLED,)),
    ("accept_missing", short, (ROLLED,)),
    ("accept_missing", short, (roll(order=Ledger().order("{}", entry=2)),)),
    ("accept_missing", opened, (add("forum", entry=1, dice=[]),)),
    ("accept_missing", opened, (FREED,)),
    ("accept_missing", opened, (WAITING, add("void", entry=2, voids=1, reason="?"), ROLLED)),
    ("beacon_missing", IN_BEACON, (roll(),)),
    ("beacon_missing", IN_BEACON, (WAITING, ROLLED)),
    ("beacon_differs", opened, (roll(**SPELLED),)),
    ("beacon_differs", IN_BEACON, (roll(**SPELLED),)),
    ("beacon_differs", IN_BEACON, (WAITING, FREED, roll(order={"entry": 1}, **SPELLED))),
    *(
        ("beacon_differs", IN_BEACON, (WAITING, roll(order={"entry": 1}, **SPELLED | change)))
        for change in (
            {"beacon": beacon_of(8)},
            {"beacon": beacon_of(7, b"")},
            {"beacon": beacon_of(7).replace(BEACON, NONE)},
            {"beacon": beacon_of(7).replace(":7:", ":07:")},
            {"beacon": f"{BEACON}:7:{hashlib.sha256(b'').hexdigest()}"},
        )
    ),
    ("hidden_uncommitted", opened, (hide(), hide(), hide())),
    ("opened_twice", short, (lambda ledger: ledger.lines.append(ledger.lines[10]),)),
    ("faces_differ", opened, (hide(dice=[{**D20, "faces": [1, 2]}]),)),
    ("turn_differs", opened, (hide(request="{ }"),)),
    ("bad_payload", opened, (hide(request=None),)),
    ("bad_payload", opened, (hide(dice=None),)),
    ("bad_payload", opened, (hide(dice=7),)),
    ("turn_differs", opened, (sealed_order("order", {"request": "{}", "turn": NONE}),)),
    ("turn_differs", opened, (sealed_order("amend", {"request": "", "turn": NONE}, before=0),)),
    ("turn_differs", opened, (sealed_order("correct", {"request": "", "turn": NONE}, corrects=0),)),
    ("bad_payload", opened, (sealed_order("correct", {"request": "{}"}, corrects=0),)),
    ("bad_payload", opened, (sealed_order("order", {"request": "{}"}),)),
    ("bad_payload", opened, (sealed_order("accept", {"turn": NONE}, waits="seals"),)),
    ("bad_payload", opened, (sealed_order("forum", {"seat": "gm"}),)),
    ("faces_impossible", opened, (sealed_order("forum", {"dice": [{**D20, "faces": [0]}]}),)),
)


def spoilt() -> Iterator[Spoilt]:
    """Give every spoilt ledger; its head is its own, unless that is what is wrong."""
    sound = short()
    earlier = sound.copy(sound.lines[:5])
    yield Spoilt("empty", b"", NONE)
    yield Spoilt("no_line_feed", sound.data[:-1], sound.head)
    yield Spoilt("no_head", sound.data, " ")
    yield Spoilt("bad_head", sound.data, sound.head[:-1])
    yield Spoilt("head_differs", sound.data, NONE)
    yield Spoilt("head_earlier", sound.data, earlier.head)
    for code, line in FORMS:
        yield _own(code, sound.copy([*sound.lines[:-1], line]))
    for code, begin, kind, new in CHANGES:
        yield _own(code, _changed(begin(), kind, -1, partial(_update, new)))
    for code, begin, kind, fields in LEFT_OUT:
        yield _own(code, _changed(begin(), kind, 0, partial(_without, fields)))
    for code, begin, steps in STEPS:
        ledger = begin()
        for step in steps:
            step(ledger)
        yield _own(code, ledger)


VALUES: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 3, 2**70, 1.5, 1.0, "", "x", NONE, ONE, "\ud800", "Ａ", "🎲"),
    *([], [1], [["a"]], {}, [{}], [{"count": 0}], [{"count": 1, "sides": 6, "faces": None}]),
    [{"label": "", "count": 2, "sides": 6, "faces": [1]}],
)
ALSO = ("saw", "sealed", "secret", "beacon", "missing", "entry", "request", "q")


def garbled(chance: random.Random) -> Ledger:
    """Give a ledger in which something was written, moved, left out or flipped at random."""
    ledger = chance.choice((short, long, forum))()
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(ledger.lines))
        raw = ledger.lines[at]
        match chance.choice(("write", "write", "move", "leave out", "flip")):
            case "write":
                line = _fields(raw)
                line[chance.choice([*line, *ALSO])] = chance.choice(VALUES)
                ledger.lines[at] = json.dumps(line).encode()
            case "move":
                ledger.lines.insert(chance.randrange(at + 1), raw)
            case "leave out":
                ledger.lines.pop(at)
            case "flip" if raw:
                bit = chance.randrange(8 * len(raw))
                flipped = int.from_bytes(raw, "big") ^ (1 << bit)
                ledger.lines[at] = flipped.to_bytes(len(raw), "big")
    return ledger


def _fields(raw: bytes) -> Fields:
    try:
        return dict(json.loads(raw))
    except ValueError:
        return {}


def _own(code: str, ledger: Ledger) -> Spoilt:
    return Spoilt(code, ledger.data, ledger.head)


def _changed(ledger: Ledger, kind: str, which: int, change: Callable[[Fields], object]) -> Ledger:
    return rewritten(ledger, numbers_of(ledger, kind)[which], change)


def _update(new: Fields, line: Fields) -> None:
    line.update(new)


def _without(fields: tuple[str, ...], line: Fields) -> None:
    for name in fields:
        del line[name]
