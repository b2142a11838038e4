"""The vectors of the dice construction, as data for anybody's checker.

``python -m tests.support.vectors`` writes ``static/verify/pbf1-vectors.json`` anew.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from app.config import STATIC
from app.engine.seal import (
    check_match,
    digest,
    encode,
    face_of,
    hidden_commitment,
    mac,
    mix_of,
    next_head,
    roll_key,
    seal_of,
    sealed_digest,
    seed_of,
    turn_digest,
)
from tests.support.ledgers import long, short

PATH = STATIC / "verify" / "pbf1-vectors.json"
STATS = hashlib.sha256(b"stats").digest()
TOP = hashlib.sha256(b"demo top seed").digest()
MATCH, LINKS = "m-0001", 64
SALTS = {"A": "00112233445566778899aabbccddeeff", "B": "ffeeddccbbaa99887766554433221100"}
PARTS = (
    (),
    ("",),
    ("ab", "c"),
    ("a", "bc"),
    ("perché", "🎲"),
    ("7", "4096"),
    ("x" * 300,),
)
# Place, index and sides; in the fifth the first word is passed over, plain modulo would say 5101.
FACES = ((0, 0, 20), (0, 1, 20), (1, 0, 6), (2, 0, 100), (187_065, 0, 9_999), (3, 7, 2))
# By code points "Ａ" comes before "🎲"; by the 16-bit units of some languages it comes after.
MIXES = (
    {},
    {"A": ""},
    SALTS,
    {"b": SALTS["B"], "a": SALTS["A"], "Z": ""},
    {"🎲": SALTS["A"], "Ａ": SALTS["B"]},
)


def vectors() -> dict[str, Any]:
    """Work all of them out."""
    seeds = [seed_of(MATCH, TOP, number, LINKS) for number in range(3)]
    nonce = hashlib.sha256(b"nonce").digest()
    key = roll_key(seeds[1], MATCH, 1, mix_of(SALTS))
    return {
        "scheme": "pbf1",
        "about": "Bytes are hexadecimal, texts are UTF-8; app/LEDGER.md says what is joined how.",
        "encode": [{"parts": parts, "bytes": encode(*parts).hex()} for parts in PARTS],
        "digest": [{"parts": parts, "digest": digest(*parts).hex()} for parts in PARTS],
        "mac": [
            {"key": STATS.hex(), "parts": parts, "mac": mac(STATS, *parts).hex()} for parts in PARTS
        ],
        "faces": [
            {
                "key": STATS.hex(),
                "place": place,
                "index": index,
                "sides": sides,
                "face": face_of(STATS, place, index, sides),
            }
            for place, index, sides in FACES
        ],
        "chain": {
            "match": MATCH,
            "links": LINKS,
            "top": TOP.hex(),
            "seeds": [seed.hex() for seed in seeds],
        },
        "mix": [{"salts": salts, "mix": mix_of(salts).hex()} for salts in MIXES],
        "rolls": [
            {
                "match": MATCH,
                "r": 1,
                "seed": seeds[1].hex(),
                "salts": SALTS,
                "beacon": "",
                "key": key.hex(),
                "dice": [_thrown(key, 0, 1, 20), _thrown(key, 1, 3, 6), _thrown(key, 2, 1, 100)],
            },
            _roll(MATCH, 2, seeds[2], {}, "chain:7:" + STATS.hex()),
            _roll(check_match(MATCH), 1, STATS, {"A": "", "B": SALTS["B"]}, ""),
        ],
        "seal": [
            {"match": MATCH, "seat": seat, "salt": salt, "seal": seal_of(MATCH, seat, salt)}
            for seat, salt in SALTS.items()
        ],
        "turn": [
            {
                "match": MATCH,
                "entry": entry,
                "request": text,
                "turn": turn_digest(MATCH, entry, text),
            }
            for entry, text in ((1, "{}"), (2, "{}"), (10, '{"note":"perché 🎲"}'))
        ],
        "sealed": [
            {
                "match": MATCH,
                "nonce": nonce.hex(),
                "payload": text,
                "sealed": sealed_digest(MATCH, nonce, text),
            }
            for text in ("{}", '{"text":"Una trappola."}')
        ],
        "hidden": [
            {
                "match": MATCH,
                "q": number,
                "secret": nonce.hex(),
                "commitment": hidden_commitment(MATCH, number, nonce),
            }
            for number in (1, 12)
        ],
        "head": [
            {"before": "", "line": "{}", "head": next_head("", b"{}")},
            {"before": STATS.hex(), "line": "{}", "head": next_head(STATS.hex(), b"{}")},
        ],
        "ledgers": [
            {"lines": [line.decode() for line in ledger.lines], "head": ledger.head}
            for ledger in (short(), long())
        ],
    }


def _roll(match: str, r: int, seed: bytes, salts: dict[str, str], beacon: str) -> dict[str, Any]:
    key = roll_key(seed, match, r, mix_of(salts), beacon)
    given = {"match": match, "r": r, "seed": seed.hex(), "salts": salts, "beacon": beacon}
    return {**given, "key": key.hex(), "dice": [_thrown(key, 0, 4, 12), _thrown(key, 5, 2, 10_000)]}


def _thrown(key: bytes, place: int, count: int, sides: int) -> dict[str, Any]:
    faces = [face_of(key, place, die, sides) for die in range(count)]
    return {"place": place, "sides": sides, "faces": faces}


def written() -> str:
    """Give the text of the file."""
    return json.dumps(vectors(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(written(), encoding="utf-8")
