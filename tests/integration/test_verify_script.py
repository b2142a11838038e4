"""The script that players download: it stands alone, and finds what it promises to find."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from app.config import STATIC
from app.services.ledger_check import check_ledger
from tests.support import vectors
from tests.support.ledgers import Ledger, forum, long, short
from tests.support.spoilt import VALUES, Spoilt, spoilt
from tests.support.tampering import ATTACKS, SEEN_BY_THE_HEAD_ALONE

SCRIPT = STATIC / "verify" / "pbf1_verify.py"
VECTORS = json.loads(vectors.PATH.read_text(encoding="utf-8"))
# What the script looks for in every line; the rest is for the fuller checkers.
FOUND = {
    *("empty", "no_line_feed", "bad_head", "head_differs", "head_earlier", "no_head"),
    *("duplicate_key", "first_not_open", "open_twice"),
    *("salt_after_roll", "redo_after_roll", "seal_missing", "seal_differs"),
    *("seal_after_roll", "seal_after_salt", "salt_twice", "salt_missing", "unknown_seat"),
    *("redo_twice", "wrong_roller"),
}


def load() -> ModuleType:
    """Import the script as a module."""
    spec = importlib.util.spec_from_file_location("pbf1_verify", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


script = load()


def passes(tmp_path: Path, data: bytes, head: str) -> bool:
    """Say whether the script finds nothing in a ledger."""
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(data)
    try:
        script.check(path, head)
    except ValueError:
        return False
    return True


def run(*words: object) -> subprocess.CompletedProcess[str]:
    """Run the script as a player does, with nothing of ours to import."""
    command = [sys.executable, "-I", "-S", str(SCRIPT), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)


def test_the_file_of_the_vectors_is_what_the_construction_gives() -> None:
    assert vectors.PATH.read_text(encoding="utf-8") == vectors.written()


def test_the_script_runs_on_python_3_9_and_holds_no_assert() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"), feature_version=(3, 9))
    names = {type(node).__name__ for node in ast.walk(tree)}
    assert not names & {"Assert", "Match"}
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }
    assert imported <= sys.stdlib_module_names


@pytest.mark.parametrize("ledger", [short(), long(), forum()], ids=["short", "long", "forum"])
def test_the_script_passes_a_sound_ledger(tmp_path: Path, ledger: Ledger) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(ledger.data)
    result = run(path, ledger.head)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("OK: ")
    assert ledger.salts["hollow"] in result.stdout


def test_the_script_says_why_a_ledger_does_not_pass(tmp_path: Path) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes(ATTACKS["better_face"](short()).data)
    result = run(path, short().head)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("NOT OK: line 7: place 0 should show [")


@pytest.mark.parametrize("words", [(), ("nowhere.jsonl", "00"), ("nowhere.jsonl",)])
def test_the_script_says_so_when_it_gets_nothing_to_check(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.returncode == 1
    assert result.stderr.startswith("NOT OK: ")


@pytest.mark.parametrize("name", ATTACKS)
def test_the_script_and_the_checker_agree_on_every_attack(tmp_path: Path, name: str) -> None:
    attacked, posted = ATTACKS[name](short()), short().head
    assert not passes(tmp_path, attacked.data, posted)
    assert not check_ledger(attacked.data, posted).ok
    if name in SEEN_BY_THE_HEAD_ALONE:  # with the head of the attacker nothing is wrong with it
        assert passes(tmp_path, attacked.data, attacked.head)
        assert check_ledger(attacked.data, attacked.head).ok


@pytest.mark.parametrize(
    "one", [one for one in spoilt() if one.code in FOUND], ids=lambda one: one.code
)
def test_the_script_finds_what_it_promises(tmp_path: Path, one: Spoilt) -> None:
    assert not passes(tmp_path, one.data, one.head)


@pytest.mark.parametrize("kind", VECTORS["faces"], ids=str)
def test_the_script_throws_the_faces_of_the_vectors(kind: dict[str, Any]) -> None:
    key = bytes.fromhex(kind["key"])
    assert script.face(key, kind["place"], kind["index"], kind["sides"]) == kind["face"]


SPARSE = 7  # of so many odd values one is tried; each comes up somewhere
ROOTS = (b"[]", b"1", b"null", b'"kind"', b"{}", b'{"kind":[]}', b'{"kind":"roll"}', b"[" * 9_999)


@pytest.mark.parametrize("line", ROOTS, ids=lambda line: repr(line[:9]))
def test_a_line_of_any_shape_is_refused_in_words(tmp_path: Path, line: bytes) -> None:
    for lines in ([line], [*short().lines[:6], line]):
        ledger = short().copy(lines)
        assert not passes(tmp_path, ledger.data, ledger.head)


@pytest.mark.parametrize("ledger", [short(), forum()], ids=["short", "forum"])
def test_whatever_stands_in_a_field_the_script_says_what_is_wrong(
    tmp_path: Path, ledger: Ledger
) -> None:
    """Anything that it raises besides a ValueError comes through, and a player would see it."""
    refused = 0
    for number, raw in enumerate(ledger.lines):
        for changed in islice(_changed(json.loads(raw)), number % SPARSE, None, SPARSE):
            lines = [*ledger.lines[:number], json.dumps(changed).encode()]
            forged = ledger.copy([*lines, *ledger.lines[number + 1 :]])
            refused += not passes(tmp_path, forged.data, forged.head)
    assert refused > 100


def _changed(line: Any) -> Iterator[Any]:
    """Put every odd value into every place of a line, however deep."""
    parts = line.items() if isinstance(line, dict) else enumerate(line)
    for name, part in list(parts):
        for odd in VALUES:
            line[name] = odd
            yield line
        line[name] = part
        if isinstance(part, dict | list):
            for _ in _changed(part):
                yield line
