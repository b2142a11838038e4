"""The same call gets the same answer: what was answered is kept beside what was done."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from app.persistence import queries_access as queries
from app.persistence.codec import encode, write_json
from app.services.access import NOBODY
from app.services.errors import KeyReused, Malformed, Mistake

LEAST_KEY: Final = 8
MOST_KEY: Final = 200
_KEY: Final = re.compile(r"[\x21-\x7e]*\Z", re.ASCII)


@dataclass(frozen=True, slots=True)
class Call:
    """One call: whose, under which key, and what it asks for; digests, since a key is a secret.

    ``before`` names whose it may have been when it was made first.
    """

    principal: str
    key: str
    fingerprint: str
    before: tuple[str, ...] = ()


def call(principal: str | tuple[str, ...], key: str, *content: object) -> Call:
    """Describe a call by its content; raise Malformed for a key that cannot serve."""
    if len(key) < LEAST_KEY:
        raise Malformed(Mistake("key", "too_short", {"least": LEAST_KEY}))
    if len(key) > MOST_KEY:
        raise Malformed(Mistake("key", "too_long", {"most": MOST_KEY}))
    if not _KEY.match(key):
        raise Malformed(Mistake("key", "bad_text"))
    fingerprint = write_json([encode(part) for part in content])
    now, *before = (principal,) if isinstance(principal, str) else principal
    return Call(now, digest(key), digest(fingerprint), tuple(before))


def digest(text: str) -> str:
    """Give the SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def remembered(
    connection: Connection, this: Call, is_theirs: Callable[[str], bool] | None = None
) -> str | None:
    """Give the answer that this very call got before; raise KeyReused if it was another one.

    Nobody in particular may have been somebody else: what was answered to them counts only where
    ``is_theirs`` says that whoever calls has by now what was made.
    """
    found = queries.remembered(connection, this.principal, this.key)
    if found is not None and found.fingerprint != this.fingerprint:
        raise KeyReused
    if found is not None:
        return found.result
    for name in this.before:
        earlier = queries.remembered(connection, name, this.key)
        if earlier is not None and earlier.fingerprint == this.fingerprint:
            return earlier.result
    if is_theirs is None:  # most calls are made in a scene, where nobody is nobody
        return None
    earlier = queries.remembered(connection, NOBODY, this.key)
    if earlier is None or earlier.fingerprint != this.fingerprint:
        return None
    return earlier.result if is_theirs(earlier.result) else None


def remember(connection: Connection, this: Call, result: Any, at: datetime) -> None:
    """Keep the answer of a call, in the transaction of what it did.

    Raises KeyReused where the same key served another call, of another place, at the same moment.
    """
    kept = queries.remember(
        connection,
        principal=this.principal,
        key=this.key,
        fingerprint=this.fingerprint,
        result=write_json(encode(result)),
        at=at,
    )
    if not kept:
        raise KeyReused
