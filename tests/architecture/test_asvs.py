"""The page that answers OWASP ASVS names tests that exist, and answers every section."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "app" / "ASVS.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (V\d+\.\d+) \| (.*?) \| (.*) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
# How many sections each chapter of ASVS 5.0.0 has, and the highest item of level 2 in each; of V2
# and V16 the highest of all. A section whose items are all of level 3 has 0.
SECTIONS: dict[int, tuple[int, ...]] = {
    1: (2, 9, 11, 3, 2),
    2: (3, 3, 5, 2),
    3: (0, 2, 4, 6, 5, 0, 2),
    4: (3, 1, 2, 4),
    5: (1, 3, 2, 3),
    6: (3, 12, 4, 4, 5, 3, 0, 4),
    7: (3, 4, 2, 5, 2, 2),
    8: (2, 3, 1, 1),
    9: (3, 4),
    10: (2, 2, 4, 11, 5, 2, 3),
    11: (2, 3, 3, 4, 1, 1, 0),
    12: (3, 2, 4),
    13: (1, 5, 2, 5),
    14: (2, 4, 3),
    15: (3, 3, 7, 0),
    16: (1, 5, 4, 3, 4),
    17: (1, 4, 2),
}
# Items of level 3 that stand between those of level 2.
DEEPER = {"V4.1": {4, 5}}


def rows() -> list[tuple[str, str, str]]:
    """Read the rows: section, items, answer."""
    return ROW.findall(PAGE)


def items(told: str) -> set[int]:
    """Read the numbers of items, of which a dash stands for all between."""
    found: set[int] = set()
    for part in () if told == "none" else told.split(", "):
        first, _, last = part.partition("–")
        found |= set(range(int(first), int(last or first) + 1))
    return found


@cache
def names_of(path: str) -> frozenset[str]:
    """List the tests of a file."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(
        one.name for one in tree.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def test_every_row_of_the_page_is_read() -> None:
    assert len(rows()) == len([one for one in PAGE.splitlines() if one.startswith("| V")])


def test_every_section_of_the_standard_has_its_rows() -> None:
    known = {
        f"V{chapter}.{place}": most
        for chapter, sections in SECTIONS.items()
        for place, most in enumerate(sections, start=1)
    }
    answered: dict[str, set[int]] = {}
    for section, told, _ in rows():
        answered.setdefault(section, set()).update(items(told))
    assert sorted(known) == sorted(answered)
    for section, most in known.items():
        wanted = set(range(1, most + 1)) - DEEPER.get(section, set())
        assert answered[section] == wanted, section


def test_every_answer_is_a_test_or_a_reason() -> None:
    for section, _, answer in rows():
        reason = re.search(r"\b(n/a|[Dd]eployment|[Oo]pen)\b", answer)
        assert TEST.search(answer) or (reason and len(answer) > 20), section


def test_every_test_that_is_named_exists() -> None:
    named = TEST.findall(PAGE)
    assert len(named) > 90
    assert PAGE.count("::") == len(named) + 1  # the one that says how they are written
    missing = [f"{path}::{name}" for path, name in named if name not in names_of(path)]
    assert missing == []
