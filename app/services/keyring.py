"""The keys from which the seeds of scenes are made; they are kept apart from the database.

A scene names its key by id, so a new one may be put in front while older scenes still roll with
theirs (DICE_TRUST 2.2). Nothing that is said about a key ever contains it.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final

from app.config import Settings
from app.persistence.errors import ArbitroError

KEY_BYTES: Final = 32
PRIVATE: Final = 0o600
OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO

_ID: Final = re.compile(r"[a-z0-9_-]{1,20}")
_KEY: Final = re.compile(rf"[0-9A-Fa-f]{{{2 * KEY_BYTES}}}")


class KeysUnusable(ArbitroError):
    """The keys of this deployment cannot be used; the message says which setting, why, what helps.

    Without them nothing starts, rather than rolling new scenes with a key that nobody keeps.
    """

    code = "keys_unusable"


@dataclass(frozen=True, slots=True)
class Keyring:
    """Keys by their ids; new scenes take the one that ``current`` names."""

    keys: Mapping[str, bytes] = field(repr=False)
    current: str

    def get(self, id: str) -> bytes | None:
        """Give the key that a scene names, or None where it was lost."""
        return self.keys.get(id)

    def current_key(self) -> tuple[str, bytes]:
        """Give the id and the key that a new scene takes."""
        return self.current, self.keys[self.current]


def keyring_of(settings: Settings) -> Keyring:
    """Read the keys of a deployment; the first start without any makes a file with one.

    Raises KeysUnusable.
    """
    if settings.master_keys.strip():
        return _read("master_keys", settings.master_keys.split(","))
    path = settings.key_file
    try:
        if not path.exists():
            _create(path, new_line(datetime.now(UTC)))
        lines = _private_text(path).splitlines()
    except OSError as error:
        raise KeysUnusable(
            f"key_file: {path} cannot be read or made ({error.strerror}): let ARBITRO_KEY_FILE "
            "name a file in a folder that Arbitro may write to, or set ARBITRO_MASTER_KEYS"
        ) from error
    return _read(f"key_file: {path}", lines)


def new_line(now: datetime) -> str:
    """Make a new key, written as ``id:hex``.

    The day alone would not do for an id: a key made in place of one lost the same day would pass
    for it, and its scenes would roll with seeds that do not fit their anchors.
    """
    return f"k{now:%Y%m%d}-{secrets.token_hex(4)}:{secrets.token_bytes(KEY_BYTES).hex()}"


def _read(where: str, items: Iterable[str]) -> Keyring:
    """Read ``id:hex`` entries, the current one first, and name all that is wrong with them."""
    keys: dict[str, bytes] = {}
    wrong: list[str] = []
    for number, item in enumerate((item.strip() for item in items if item.strip()), start=1):
        id, colon, digits = item.partition(":")
        if not colon or not _ID.fullmatch(id):
            wrong.append(f"entry {number} has no id of 1 to 20 of a-z, 0-9, _ and - before a colon")
        elif not _KEY.fullmatch(digits):
            wrong.append(f"entry {number} has no {2 * KEY_BYTES} hexadecimal digits after its id")
        elif id in keys:
            wrong.append(f"entry {number} repeats the id of an earlier one")
        else:
            keys[id] = bytes.fromhex(digits)
    if wrong or not keys:
        raise KeysUnusable(
            f"{where}: {'; '.join(wrong) or 'there is no key'}. Write id:key, the current one "
            "first; `arbitro key` makes one, but scenes roll only with the very key they began with"
        )
    return Keyring(MappingProxyType(keys), next(iter(keys)))


def _create(path: Path, line: str) -> None:
    """Put a file with one key in its place, whole and on the disk, unless another start did.

    A link appears at once and only where nothing stands: nobody reads half a key, and of two
    starts at the same time both read what the first one made.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(f"{line}\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(draft)
    finally:
        draft.unlink()
    _keep_name(path.parent)


def _keep_name(folder: Path) -> None:
    """Let the new name outlive a power cut, where the system can be asked to."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _private_text(path: Path) -> str:
    """Read a file that is its owner's alone; what is no ASCII is left for the reader to refuse."""
    with path.open(encoding="ascii", errors="replace") as file:
        mode = os.fstat(file.fileno()).st_mode
        if os.name == "posix" and mode & OTHERS:
            raise KeysUnusable(
                f"key_file: {path} is open to others (mode {stat.S_IMODE(mode):03o}): run "
                f"`chmod 600 {path}`, and roll no new scenes with its keys if others may have "
                "read them"
            )
        return file.read()
