"""The shape of the tree: module size, docstrings, folders, and what no tracked file may say."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LONGEST_MODULE = 400
TOP_LEVEL_FOLDERS = {"app", "templates", "static", "tests", "migrations", ".ci"}
# Written apart, so that this file does not name what it looks for.
REGISTRY_HOSTS = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "registry." + "npmjs",
    "deb." + "debian.org",
    "security." + "debian.org",
)
# Folders that only one machine has. A path in a message or an example uses /srv, /var or /etc.
MACHINE_PATH = re.compile(r"(?<![\w.~])/(?:work|root|tmp|home|opt|Users)/[\w.-]")

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def tracked_files() -> list[Path]:
    """Return every file that git tracks and that is still there."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def shown(path: Path) -> str:
    """Return the path as seen from the top of the checkout."""
    return str(path.relative_to(ROOT))


def undocumented(body: list[ast.stmt], owner: str = "") -> Iterator[str]:
    """Yield the public functions, classes and methods that have no docstring."""
    for node in body:
        if not isinstance(node, Definition) or node.name.startswith("_"):
            continue
        name = f"{owner}{node.name}"
        if ast.get_docstring(node) is None and not is_overload(node):
            yield f"{name} (line {node.lineno})"
        if isinstance(node, ast.ClassDef):
            yield from undocumented(node.body, f"{name}.")


def is_overload(node: Definition) -> bool:
    """Whether the definition only states one more signature of a documented function."""
    return any(isinstance(mark, ast.Name) and mark.id == "overload" for mark in node.decorator_list)


MODULES = sorted((ROOT / "app").rglob("*.py"))
RULE_MODULES = [path for path in MODULES if {"engine", "rulesets"} & set(path.parts)]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_no_module_is_longer_than_400_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_MODULE


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize("path", RULE_MODULES, ids=shown)
def test_every_public_name_of_the_rules_has_a_docstring(path: Path) -> None:
    assert list(undocumented(ast.parse(path.read_text(encoding="utf-8")).body)) == []


def test_no_tracked_file_names_a_registry_or_a_path_of_one_machine() -> None:
    found = [
        f"{shown(path)}:{number}: {line.strip()[:100]}"
        for path in tracked_files()
        for number, line in enumerate(path.read_bytes().decode("utf-8", "replace").splitlines(), 1)
        if any(host in line for host in REGISTRY_HOSTS) or MACHINE_PATH.search(line)
    ]
    assert found == []


def test_only_the_known_folders_stand_at_the_top() -> None:
    found = {path.relative_to(ROOT).parts[0] for path in tracked_files() if path.parent != ROOT}
    assert found <= TOP_LEVEL_FOLDERS


def test_the_vendored_files_are_named_with_the_version_that_package_json_pins() -> None:
    pinned = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    notes = "".join(
        (ROOT / folder / "vendor" / "README.md").read_text(encoding="utf-8")
        for folder in ("static", "tests")
    )
    assert [
        name for name, version in pinned.items() if f"| {name} | {version} |" not in notes
    ] == []


# ------------------------------------------------------------------- what a pattern may end with

COMPILING = frozenset({"compile", "match", "search", "fullmatch", "sub", "split", "finditer"})
# What stands behind a backslash or in a class is a character, and no end.
LITERAL = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\\\]])*\]", re.DOTALL)


def patterns(tree: ast.AST) -> Iterator[tuple[int, str, bool]]:
    """Yield each pattern that is written in a call of ``re``, and whether it goes by lines."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        whose = node.func.value
        if node.func.attr not in COMPILING or not isinstance(whose, ast.Name) or whose.id != "re":
            continue
        by_lines = "MULTILINE" in ast.unparse(node) or re.search(r"\bre\.M\b", ast.unparse(node))
        for part in ast.walk(node.args[0]) if node.args else ():
            if isinstance(part, ast.Constant) and isinstance(part.value, str):
                yield node.lineno, part.value, bool(by_lines)


def open_ended(source: str) -> list[int]:
    """List the lines with a pattern that a trailing newline gets through."""
    found = patterns(ast.parse(source))
    return [line for line, text, by_lines in found if not by_lines and "$" in LITERAL.sub("", text)]


@pytest.mark.parametrize("path", MODULES, ids=shown)
def test_no_pattern_lets_a_trailing_newline_through(path: Path) -> None:
    assert open_ended(path.read_text(encoding="utf-8")) == []


def test_a_pattern_that_lets_a_trailing_newline_through_is_found() -> None:
    assert open_ended('import re\nre.compile(r"[a-z]+$")\nre.match("(?:^|a$)", x)') == [2, 3]
    assert (
        open_ended('re.compile(r"a\\Z")\nre.compile(r"\\$[a$]")\nre.sub("^a$", "", x, re.M)') == []
    )
