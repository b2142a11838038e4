"""Read the rules' source for every key that needs words: what is emitted, and with which facts.

A key built from an enumeration (``f"speed_{outcome}"``) stands for the keys that its members make;
``EXPANSIONS`` says which. A key that comes in by a variable is listed in ``VARIABLES``. Whatever
is in neither table is an error, so that no key can be added past these tests. The tables here are
the Guida's; another game that needs any has them in a module ``emitted_<key>`` beside this one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from app.rulesets.guida import damage, tables, template, terms

RULESETS = Path(__file__).parents[2] / "app" / "rulesets"
RULES = RULESETS / "guida"

QUESTIONS = (
    *("claim_surprise", "claim_from_behind", "place_behind", "manual", "defeat"),
    *("claim_object", "blind_radius", "blind_radius_beyond", "hides"),
    *("target_in_reach", "counter_goes_on", "annulled_for_all", "area_coverage"),
    *("improper_constraint", "constraint_overlap", "bound_techniques", "bound_technique"),
)
LINES = (
    *("damage", "stacks", "stacks_end", "expense", "upkeep", "effect_begins", "effect_ends"),
    *("tick", "stacks_decay", "stacks_ousted"),
    *("hp_floor", "by_hand", "additional", "environmental", "heal", "regeneration"),
    "second_withdrawn",
    *("bond_begins", "bond_ends"),
    *("stacks_removed", "curtain"),
)
EXPANSIONS: dict[str, Iterable[str]] = {
    "speed_{outcome}": terms.Outcome,
    "claim_{claim}": terms.Claim,
    "asked_{claim}": terms.Claim,
    "aim_{aim}": terms.Aim,
    "{action}_bonus": [action for action, bonus in tables.ACTION_BONUS.items() if bonus],
    "half_{hit}": damage.HALVING,
    "posted_{line.change}": terms.Change,
    "posted_{line.key}": template.SECONDS,
    "line_{line.key}": LINES,
    "answered_{question.code}": QUESTIONS,
    "tool_not_for_{use}": ("attacks", "guards", "parries", "supports", "generic"),
}
# Module and function of a key that is a variable there, and what it may be.
VARIABLES: dict[tuple[str, str], tuple[str, ...]] = {
    ("answers", "_met"): (
        *("null_defence", "defence_auto_failed", "cover_spent"),
        *("ally_auto_failed", "ally_cover_spent", "defence_annulled"),
    ),
    ("success", "_named"): ("distance",),
    ("binds", "settle_malus"): tuple(
        bind for bind, (_, points) in tables.BIND_MALUS.items() if points
    ),
    ("bonds", "bond_line"): ("bond_begins", "bond_ends"),
    ("stealth", "_look_at"): ("detected", "not_detected"),
    ("stealth", "_see_through"): ("masking_holds", "masking_fails"),
    ("damage", "_semi_pure"): ("normal_half", "pure_half"),
    ("damage", "_half"): ("half", *(f"half_{hit}" for hit in damage.HALVING)),
    ("damage", "_negative"): (),  # the terms of a total level once more, with the other sign
    ("levels", "bonus_points"): tuple(tables.TYPE_2),
    ("master", "_note"): ("scene_paused", "scene_resumed", "scene_closed"),
    ("area_answers", "dodge"): ("creation_dodged", "creation_dodge_short"),
    ("areas", "crossed"): ("area_entered", "area_left"),
    ("area_life", "_lose"): ("area_decays", "area_worn"),
    ("knocks", "knock_back"): ("throw_waits", "throw_waits_for_master"),
    ("throws", "_reacted"): ("reaction_succeeded", "reaction_failed"),
    ("strike", "_line"): ("damage", "additional", "stacks", "stacks_ousted"),
    ("effects", "_line"): ("effect_begins", "effect_ends"),
}
KEY_AT = {"Finding": 1, "Violation": 1, "Term": 1}
FACTS_AT = {"Finding": 2, "Violation": 3}
SECTION = {
    "Finding": "findings",
    "Violation": "violations",
    "Term": "terms",
    "Question": "questions",
}
Functions = dict[str, ast.FunctionDef]


@dataclass
class Emission:
    """A key of a section, where it is made, and the facts that come with it.

    ``more`` says that further facts may come that cannot be read from the source.
    """

    section: str
    key: str
    where: str
    facts: set[str] = field(default_factory=set)
    more: bool = False


@dataclass
class Book:
    """What is needed to read the keys of one game: its words, and the two tables."""

    terms: ModuleType
    expansions: dict[str, Iterable[str]]
    variables: dict[tuple[str, str], tuple[str, ...]]


def book_of(ruleset: str) -> Book:
    """Find the tables of a game; one whose keys are all literal has none."""
    words = import_module(f"app.rulesets.{ruleset}.terms")
    if ruleset == "guida":
        return Book(words, EXPANSIONS, VARIABLES)
    name = f"tests.architecture.emitted_{ruleset}"
    own: Any = import_module(name) if find_spec(name) else None
    return Book(words, getattr(own, "EXPANSIONS", {}), getattr(own, "VARIABLES", {}))


def emissions(ruleset: str = "guida") -> list[Emission]:
    """Read every emission of a game's rules."""
    found: list[Emission] = []
    book = book_of(ruleset)
    for path in sorted((RULESETS / ruleset).glob("*.py")):
        found += _module(book, path.stem, ast.parse(path.read_text(encoding="utf-8")))
    return found


def lines() -> set[str]:
    """Read the keys of all register lines."""
    keys: set[str] = set()
    for path in sorted(RULES.glob("*.py")):
        for function in _functions(ast.parse(path.read_text(encoding="utf-8"))):
            for call in _calls(function, {"Line"}):
                key = _argument(call, None, "key")
                keys |= set(_keys(book_of("guida"), path.stem, function, key))
    return keys


def choices() -> set[str]:
    """Read every answer that a question offers."""
    found: set[str] = set()
    for path in sorted(RULES.glob("*.py")):
        for call in _calls(ast.parse(path.read_text(encoding="utf-8")), {"Question"}):
            offered = _argument(call, None, "choices")
            assert isinstance(offered, ast.Tuple), ast.unparse(call)
            found |= {ast.literal_eval(choice) for choice in offered.elts}
    return found


def _module(book: Book, name: str, tree: ast.Module) -> Iterator[Emission]:
    returned = {function.name: function for function in _functions(tree)}
    for function in returned.values():
        for call in _calls(function, set(SECTION)):
            maker = call.func.id
            key = _argument(call, KEY_AT.get(maker), "code" if maker == "Question" else "key")
            facts, more = _facts(call, maker, function, returned)
            for one in _keys(book, name, function, key):
                where = f"{name}.py:{call.lineno}"
                yield Emission(SECTION[maker], one, where, facts, more)


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def _calls(tree: ast.AST, names: set[str]) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", None) in names:
            yield node


def _argument(call: ast.Call, place: int | None, name: str) -> ast.expr | None:
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if place is not None and place < len(call.args):
        return call.args[place]
    return None


def _keys(
    book: Book, module: str, function: ast.FunctionDef, key: ast.expr | None
) -> tuple[str, ...]:
    match key:
        case ast.Constant(value=str(text)):
            return (text,)
        case ast.Attribute(value=ast.Name(id=enum), attr=member) if hasattr(book.terms, enum):
            return (str(getattr(getattr(book.terms, enum), member)),)
        case ast.JoinedStr():
            pattern = ast.unparse(key)[2:-1]
            hole = pattern[pattern.index("{") : pattern.index("}") + 1]
            return tuple(pattern.replace(hole, str(one)) for one in book.expansions[pattern])
        case _:
            return book.variables[module, function.name]


def _facts(
    call: ast.Call, maker: str, function: ast.FunctionDef, known: Functions
) -> tuple[set[str], bool]:
    if maker == "Term":
        return {"name"}, False
    if maker == "Question":
        return _details(_argument(call, None, "details"), function, known)
    given = _argument(call, FACTS_AT[maker], "facts")
    return (set(), False) if given is None else _dict(given, call.lineno, function, known)


def _details(
    details: ast.expr | None, function: ast.FunctionDef, known: Functions
) -> tuple[set[str], bool]:
    match details:
        case None:
            return set(), False
        case ast.Tuple(elts=pairs):
            return {ast.literal_eval(pair.elts[0]) for pair in pairs}, False
        case ast.Call(args=[ast.Call(func=ast.Attribute(value=names, attr="items"))]):
            return _dict(names, details.lineno, function, known)
        case _:
            raise AssertionError(f"details that cannot be read: {ast.unparse(details)}")


def _dict(
    node: ast.expr, line: int, function: ast.FunctionDef, known: Functions
) -> tuple[set[str], bool]:
    """Read the keys of a dict that is written down somewhere in reach."""
    match node:
        case ast.Dict(keys=keys, values=values):
            facts: set[str] = set()
            more = False
            for key, value in zip(keys, values, strict=True):
                if key is None:  # **another
                    others, open_ended = _dict(value, line, function, known)
                    facts, more = facts | others, more or open_ended
                else:
                    facts.add(ast.literal_eval(key))
            return facts, more
        case ast.Call(func=ast.Name(id="Later"), args=[ast.Lambda(body=facts_then)]):
            return _dict(facts_then, line, function, known)
        case ast.Name(id=name):
            before = [
                (other.lineno, other.value)
                for other in ast.walk(function)
                if isinstance(other, ast.Assign | ast.AnnAssign)
                and _gives_value(other, name)
                and other.lineno <= line
                and other.value is not None
            ]
            if not before:
                return set(), True
            _, latest = max(before, key=lambda one: one[0])
            return _dict(latest, line, function, known)
        case ast.Call(func=ast.Name(id=name)) if name in known:
            for other in ast.walk(known[name]):
                if isinstance(other, ast.Return) and isinstance(other.value, ast.Dict):
                    return _dict(other.value, other.lineno, known[name], known)
            return set(), True
        case _:
            return set(), True


def _gives_value(node: ast.Assign | ast.AnnAssign, name: str) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == name for target in targets)
