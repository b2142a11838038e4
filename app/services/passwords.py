"""Passwords: hashed with argon2, and held against what anybody would guess first."""

from __future__ import annotations

import string
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

from pwdlib import PasswordHash

from app.engine.alike import folded
from app.persistence.codec import checked
from app.services.errors import Busy, Malformed, Mistake
from app.services.people_shapes import Password

MOST_USED: Final = frozenset(
    {
        *("1234567890", "0123456789", "12345678910", "123456789012", "0987654321", "1q2w3e4r5t"),
        *("qwertyuiop", "qwerty12345", "password12", "password123", "password1234", "passw0rd123"),
        *("passwordpassword", "iloveyou12", "iloveyou123", "administrator", "administrator1"),
        *("changeme123", "welcome123", "letmein123", "football123", "abcdefghij", "abcd123456"),
        *("asdfghjkl1", "zxcvbnm123", "1111111111", "0000000000", "aaaaaaaaaa", "ciaociaociao"),
        *("forzajuventus", "forzanapoli", "forzamilan1", "amoremio12", "buongiorno", "arrivederci"),
    }
)
"""The first of what is tried, as far as they are long enough to be taken."""
COMMON_WORDS: Final = frozenset(
    {
        *("password", "passwort", "passw", "pass", "parolachiave", "segreta", "segreto", "secret"),
        *("qwerty", "qwertyuiop", "asdfghjkl", "zxcvbnm", "abc", "abcd", "abcdef", "qazwsx"),
        *("iloveyou", "letmein", "welcome", "changeme", "admin", "administrator", "login", "user"),
        *("football", "baseball", "superman", "batman", "dragon", "monkey", "princess", "shadow"),
        *(
            "master",
            "pokemon",
            "naruto",
            "bleach",
            "starwars",
            "minecraft",
            "sunshine",
            "liverpool",
        ),
        *(
            "juventus",
            "napoli",
            "milan",
            "inter",
            "roma",
            "forzajuventus",
            "forzanapoli",
            "forzaroma",
        ),
        *("ciao", "amore", "amoremio", "tiamo", "buongiorno", "benvenuto", "italia", "francesco"),
        # The words of this service, which whoever guesses here would try first.
        *("arbitro", "guida", "combattimento", "guidaalcombattimento", "gdr", "forum", "bacheca"),
        *("seireitei", "hollow", "quincy", "shinigami", "gamemaster", "giocatore", "narratore"),
    }
)
"""What a password may not be by itself, however often it is said and whatever figures stand by."""
_DISGUISE: Final = str.maketrans("013457@$!", "oieastasi")
AT_ONCE: Final = 2
"""How many passwords are hashed at a time: each takes a core and 64 MiB for a while."""
PATIENCE: Final = 4.0  # seconds
_PLACES: Final = threading.BoundedSemaphore(AT_ONCE)


@cache
def hasher() -> PasswordHash:
    """Give what makes and checks hashes, with the parameters that its authors recommend."""
    return PasswordHash.recommended()


@cache
def nobody() -> str:
    """Give a hash that fits nothing, so that an unknown name costs the time of a known one."""
    return hasher().hash("nobody has this password")


def fits(password: str, stored: str | None) -> tuple[bool, str | None]:
    """Say whether a password is the stored one, and give a better hash of it if there is one."""
    with _place():
        right, better = hasher().verify_and_update(password, stored or nobody())
    return right and stored is not None, better


def hash_of(password: str, name: str, field: str = "password") -> str:
    """Hash a new password; raise Malformed for one that is short, or guessed at once."""
    checked(Password, password, field)
    seen = folded(password)
    if seen in MOST_USED or len(set(seen)) < 4 or _is_dressed_up(seen, folded(name)):
        raise Malformed(Mistake(field, "password_guessed"))
    with _place():
        return hasher().hash(password)


def _is_dressed_up(seen: str, name: str) -> bool:
    """Say whether a password is one guessed word, or the name, with figures or signs around it."""
    if name in (seen, seen[::-1]):
        return True
    words = COMMON_WORDS | {_letters(name)} - {""}
    inside = seen.strip(f"{string.digits}{string.punctuation}{string.whitespace}")
    cores = {_letters(seen), _letters(inside.translate(_DISGUISE))} - {""}
    return any(core == word * (len(core) // len(word)) for core in cores for word in words)


def _letters(text: str) -> str:
    return "".join(one for one in text if one.isalpha())


@contextmanager
def _place() -> Iterator[None]:
    """Wait until one of the few places to hash in is free; raise Busy where that takes long."""
    if not _PLACES.acquire(timeout=PATIENCE):
        raise Busy("passwords")
    try:
        yield
    finally:
        _PLACES.release()
