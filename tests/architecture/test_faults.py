"""The list of fault kinds names tests that exist."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FAULTS = tomllib.loads((ROOT / "tests" / "faults.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("number", FAULTS)
def test_every_kind_of_fault_is_kept_out_by_tests_that_exist(number: str) -> None:
    assert 1 <= int(number) <= 81
    assert FAULTS[number]["kind"]
    assert FAULTS[number]["tests"]
    for name in FAULTS[number]["tests"]:
        path, test = name.split("::")
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        defined = {
            node.name
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        }
        assert test in defined, name
