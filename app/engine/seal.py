"""The dice construction ``pbf1``: a chain of seeds, a key for each roll, faces by address.

Everything is a function of bytes that are published before or with the roll (DICE_TRUST 2), so that
whoever holds a scene's ledger can throw its dice again. Nothing here draws anything.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from app.engine.dice import Address, Tagged

SCHEME: Final = "pbf1"
LINKS: Final = 4096
"""How many rolls a scene's chain of seeds has."""

MOST_SIDES: Final = 10_000
_WORDS: Final = struct.Struct(">8I")
_RANGE: Final = 2**32


class OutOfSeeds(Exception):
    """A chain has no seed left for another roll."""


def encode(*parts: bytes | str | int) -> bytes:
    """Join texts, numbers and bytes so that no two lists give the same: each after its length."""
    encoded = (_bytes(part) for part in parts)
    return b"".join(struct.pack(">I", len(part)) + part for part in encoded)


def digest(*parts: bytes | str | int) -> bytes:
    """Give the SHA-256 of a list of parts, 32 bytes."""
    return hashlib.sha256(encode(*parts)).digest()


def mac(key: bytes, *parts: bytes | str | int) -> bytes:
    """Give the HMAC-SHA256 of a list of parts under a key, 32 bytes."""
    return hmac.digest(key, encode(*parts), "sha256")


def top_seed(master: bytes, match: str, noise: bytes) -> bytes:
    """Make the last seed of a chain from a key that the database does not hold."""
    return mac(master, "pbf1.top", match, noise)


def key_print(master: bytes, match: str) -> str:
    """Tell a key from another of the same name, without telling anything else of it."""
    return mac(master, "pbf1.print", match).hex()


def seed_before(match: str, number: int, seed: bytes) -> bytes:
    """Give seed ``number - 1`` of a chain from seed ``number``."""
    return digest("pbf1.link", match, number, seed)


def seed_of(match: str, top: bytes, number: int, links: int = LINKS) -> bytes:
    """Give a seed of a chain, 0 being its anchor; raise OutOfSeeds past its end."""
    if not 0 <= number <= links:
        raise OutOfSeeds(number)
    seed = top
    for index in range(links, number, -1):
        seed = seed_before(match, index, seed)
    return seed


def check_match(match: str) -> str:
    """Name the second chain of a scene, from which the Master's open checks are rolled."""
    return f"{match}#check"


def seal_of(match: str, seat: str, salt: str) -> str:
    """Seal a salt of 32 hexadecimal digits; the seat in it keeps others from copying the seal."""
    return digest("pbf1.seal", match, seat, salt).hex()


def mix_of(salts: Mapping[str, str]) -> bytes:
    """Put the salts of all seats together, in the order of the seats' names."""
    return encode(*(part for item in sorted(salts.items()) for part in item))


def roll_key(seed: bytes, match: str, number: int, mix: bytes, beacon: str = "") -> bytes:
    """Make the key of one roll; every face of it follows."""
    return mac(seed, "pbf1.key", match, number, mix, beacon)


def face_of(key: bytes, place: int, index: int, sides: int) -> int:
    """Give the face, 1 to ``sides``, of die ``index`` at ``place``, all equally likely.

    Words past the last multiple of ``sides`` are passed over, so that no face is favoured.
    """
    if not 2 <= sides <= MOST_SIDES:
        raise ValueError(f"a die has 2 to {MOST_SIDES} sides, not {sides}")
    block = 0
    while True:
        address = f"{place} {index} {block}".encode()
        # What `mac` would encode, with the part that is the same for every die made beforehand.
        message = _DIE + len(address).to_bytes(4, "big") + address
        face = first_face(_WORDS.unpack(hmac.digest(key, message, "sha256")), sides)
        if face is not None:
            return face
        block += 1


def first_face(words: Iterable[int], sides: int, space: int = _RANGE) -> int | None:
    """Make a face of the first usable word of those below ``space``; None where there is none."""
    limit = space - space % sides
    for word in words:
        if word < limit:
            return 1 + word % sides
    return None


def turn_digest(match: str, entry: int, request: str) -> str:
    """Name an order by what was asked for, byte by byte."""
    return digest("pbf1.turn", match, entry, request).hex()


def sealed_digest(match: str, nonce: bytes, payload: str) -> str:
    """Commit to a text without telling it; ``nonce`` is 32 bytes that nobody can guess."""
    return digest("pbf1.sealed", match, nonce, payload).hex()


def hidden_secret(master: bytes, match: str, noise: bytes, number: int) -> bytes:
    """Make the secret of a hidden roll, counted from 1; it is used for no other."""
    return mac(master, "pbf1.hidden", match, noise, number)


def hidden_commitment(match: str, number: int, secret: bytes) -> str:
    """Commit to the secret of a hidden roll."""
    return digest("pbf1.hid", match, number, secret).hex()


def next_head(head: str, line: bytes) -> str:
    """Give the head of a ledger after one more line; the first line follows an empty head."""
    return digest("pbf1.entry", bytes.fromhex(head), line).hex()


@dataclass(frozen=True, slots=True)
class SealedDice:
    """Dice of one roll: what they show is fixed by its key."""

    key: bytes

    def face(self, address: Address, sides: int) -> int:
        """Give the face of the die at an address."""
        return face_of(self.key, address.place, address.index, sides)

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that no die was thrown with another modifier than its label lists."""
        return {}


def _bytes(part: bytes | str | int) -> bytes:
    if isinstance(part, bytes):
        return part
    return str(part).encode()


_DIE: Final = encode("pbf1.die")
