"""Which worked cases passed, kept beside the code, so that not every process runs them all."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from app.config import ROOT

KEPT: Final = ROOT / ".arbitro"
MOST_KEPT: Final = 4  # of several sets of games, or of the code before
PURE: Final = ("engine", "rulesets", "ops", "persistence", "posts", "services")
"""The packages whose code decides how a case goes."""


def digest_of(cases: Iterable[Path]) -> str:
    """Give a digest of the cases and of all code that they run: what else could change a result."""
    code = (one for part in PURE for one in sorted((ROOT / "app" / part).rglob("*")))
    made = hashlib.sha256()
    for path in (*cases, *(one for one in code if one.suffix in {".py", ".toml", ".json"})):
        made.update(f"{path.name}\0".encode())
        made.update(hashlib.sha256(path.read_bytes()).digest())
    return made.hexdigest()


def read_results(digest: str, folder: Path = KEPT) -> dict[str, bool]:
    """Read how the cases went by code and cases of this digest; of another there is nothing."""
    try:
        kept = json.loads(_file(folder, digest).read_text(encoding="utf-8"))
    except (OSError, ValueError):  # never kept, or damaged: the cases run
        return {}
    if not isinstance(kept, dict):
        return {}
    return {id: passed for id, passed in kept.items() if isinstance(passed, bool)}


def keep_results(digest: str, passed: Mapping[str, bool], folder: Path = KEPT) -> None:
    """Keep how the cases went; where nothing can be written they run again next time."""
    with suppress(OSError):  # a deployment may be read-only; it only costs time
        folder.mkdir(exist_ok=True)
        new = folder / f"{os.getpid()}.new"
        new.write_text(json.dumps(dict(passed)), encoding="utf-8")
        new.replace(_file(folder, digest))  # whole, or not at all
        kept = sorted(folder.glob("cases-*.json"), key=lambda one: one.stat().st_mtime)
        for old in kept[:-MOST_KEPT]:
            old.unlink(missing_ok=True)


def _file(folder: Path, digest: str) -> Path:
    return folder / f"cases-{digest[:32]}.json"
