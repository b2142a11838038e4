"""Every rule is reached by players: nothing of a ruleset is there for an op or a test alone.

Who calls whom is read from the source. A name stands for what it was defined or imported as; an
attribute of a module stands for what that module defines; any other attribute stands for every
method of that name, since types are not followed.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"

Node = tuple[str, str]  # module, and function or Class.method in it


@dataclass
class Source:
    """A module: its functions and methods, what its names stand for, and its own statements."""

    name: str
    tree: ast.Module
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    imported: dict[str, Node] = field(default_factory=dict)
    modules: dict[str, str] = field(default_factory=dict)


def read(path: Path) -> Source:
    """Read one module of the application."""
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    source = Source(name, ast.parse(path.read_text(encoding="utf-8")))
    for node in source.tree.body:
        if isinstance(node, ast.FunctionDef):
            source.functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    source.functions[f"{node.name}.{inner.name}"] = inner
    for node in ast.walk(source.tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                known = alias.asname or alias.name
                source.imported[known] = (node.module, alias.name)
                source.modules[known] = f"{node.module}.{alias.name}"
    return source


@cache
def sources() -> dict[str, Source]:
    """Read every module of the application, by name."""
    return {source.name: source for path in APP.rglob("*.py") for source in [read(path)]}


def is_rule(module: str) -> bool:
    """Say whether a module belongs to a ruleset."""
    return module.startswith("app.rulesets.")


def own_statements(source: Source) -> Iterator[ast.stmt]:
    """Go through what runs when a module is imported, apart from definitions."""
    for node in source.tree.body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom):
            yield node


def named(source: Source, tree: ast.AST) -> Iterator[Node]:
    """Go through every function of a ruleset that a piece of code may call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            if node.id in source.functions:
                yield source.name, node.id
            elif node.id in source.imported:
                yield source.imported[node.id]
        elif isinstance(node, ast.Attribute):
            module = source.modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
            if module in sources():
                yield module, node.attr
            else:
                yield from methods().get(node.attr, ())


@cache
def methods() -> dict[str, tuple[Node, ...]]:
    """Give every method of the rulesets by its bare name."""
    found: dict[str, tuple[Node, ...]] = {}
    for source in sources().values():
        for function in source.functions if is_rule(source.name) else ():
            if "." in function:
                bare = function.split(".")[1]
                found[bare] = (*found.get(bare, ()), (source.name, function))
    return found


def reached(roots: Iterator[Node]) -> set[Node]:
    """Follow calls through the rulesets, from the roots on."""
    seen: set[Node] = set()
    todo = list(roots)
    while todo:
        module, function = todo.pop()
        source = sources().get(module)
        if (module, function) in seen or source is None or function not in source.functions:
            continue
        seen.add((module, function))
        todo += named(source, source.functions[function])
    return seen


def from_players() -> Iterator[Node]:
    """Go through what the service itself calls: all layers but the ops, each ruleset's record."""
    for source in sources().values():
        if is_rule(source.name):
            for statement in own_statements(source):
                yield from named(source, statement)
        elif not source.name.startswith("app.ops"):
            yield from named(source, source.tree)


def public(source: Source) -> Iterator[Node]:
    """Go through the functions and methods that other modules may call."""
    for function in source.functions:
        if not any(part.startswith("_") for part in function.split(".")):
            yield source.name, function


def test_no_function_of_a_ruleset_is_reached_only_by_an_op_or_a_test() -> None:
    everything = {
        node for source in sources().values() if is_rule(source.name) for node in public(source)
    }
    assert len(everything) > 150
    assert sorted(everything - reached(from_players())) == []


def test_the_search_tells_what_is_reached_from_what_is_not() -> None:
    alone = reached(iter([("app.rulesets.guida.success", "distance_factor")]))
    assert alone == {("app.rulesets.guida.success", "distance_factor")}
    resolved = reached(iter([("app.rulesets.guida.turn", "resolve")]))
    for node in (
        ("app.rulesets.guida.clash", "settle_comparison"),
        ("app.rulesets.guida.success", "settle_speed"),
        ("app.rulesets.guida.healing", "settle_heal"),
        ("app.rulesets.guida.defence", "Phase.closed"),
    ):
        assert node in resolved
    assert ("app.rulesets.guida.objections", "check") not in resolved
