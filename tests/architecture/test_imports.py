"""Who may import whom: the contracts of pyproject.toml, and what they cannot say."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PURE = ("engine", "rulesets")
# Calls that reach outside although nothing is imported for them.
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "compile", "__import__", "breakpoint"}


def pure_modules() -> list[Path]:
    """Return the modules that may know nothing but values."""
    return sorted(path for part in PURE for path in (ROOT / "app" / part).rglob("*.py"))


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield the full name of each module that is imported anywhere in the tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def test_the_layers_hold() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", pure_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_pure_module_imports_only_the_standard_library_and_pure_modules(path: Path) -> None:
    allowed = tuple(f"app.{part}" for part in PURE)
    foreign = {
        name
        for name in imported_names(ast.parse(path.read_text(encoding="utf-8")))
        if not name.startswith(allowed) and name.split(".")[0] not in sys.stdlib_module_names
    }
    assert not foreign


@pytest.mark.parametrize("path", pure_modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_a_pure_module_calls_nothing_that_reaches_outside(path: Path) -> None:
    calls = {
        f"{node.func.id} in line {node.lineno}"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in IMPURE_CALLS
    }
    assert not calls
