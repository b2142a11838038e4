"""A game is known to its own modules and to the registries; a further one to nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.games import REGISTRIES
from app.rulesets import RULESETS
from tests.support import toy

ROOT = Path(__file__).parents[2]
APP = ROOT / "app"
WRITTEN = (".py", ".toml", ".html", ".js", ".json", ".po", ".j2")
GUIDA = "guida"  # first in the house: what is not told otherwise is about the Guida
GAMES = tuple(game for game in RULESETS if game != GUIDA)
# Where the games of the house are registered (app/rulesets/README.md lists them, too).
REGISTERED_IN = {
    "app/rulesets/__init__.py",
    "app/ops/runner.py",
    "app/posts/write.py",
    "app/web/games/__init__.py",
}
# What is about some games only, and says which.
ABOUT_SOME = {
    "app/web/odds_form.py": "the fields of two fighters or two armies, whose odds are asked for",
    "app/services/beings.py": "beings that live on are warriors, if nobody says otherwise",
    "app/api/v1/bodies.py": "the same, in the body of a call",
    "app/web/beings.py": "the same, on their pages",
    "app/web/being_form.py": "the same, in their form",
    "app/services/duels.py": "duels are solved, as no other game is",
    "app/services/duel_shapes.py": "the same, as questions and answers",
    "app/web/warriors.py": "the same, on pages",
    "app/web/warrior_form.py": "the same, in the form of whoever designs a warrior",
}


def is_own(path: Path, game: str) -> bool:
    """Say whether a module belongs to a game: it lies in the game's folder, or bears its name."""
    if game in path.parent.parts:
        return True
    folder = path.parent.relative_to(APP).as_posix()
    named = path.stem == game or path.stem.startswith(f"{game.partition('_')[0]}_")
    return folder in ("posts/layouts", "web/games") and named


def named_in(path: Path, game: str) -> Iterator[str]:
    """List where a module imports a game's modules, or writes its key."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and node.value == game:
            yield f"line {node.lineno}: {game!r}"
        if isinstance(node, ast.ImportFrom):
            names = {*(node.module or "").split("."), *(one.name for one in node.names)}
            if game in names:
                yield f"line {node.lineno}: {node.module}"


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_the_house_is_named_by_its_own_modules_and_the_registries_only(
    game: str,
) -> None:
    named = {
        path.relative_to(ROOT).as_posix(): list(named_in(path, game))
        for path in APP.rglob("*.py")
        if not is_own(path, game)
    }
    found = {path for path, places in named.items() if places}
    assert found - REGISTERED_IN - set(ABOUT_SOME) == set()
    assert found >= {"app/rulesets/__init__.py", "app/ops/runner.py", "app/web/games/__init__.py"}


def test_every_module_that_is_said_to_name_games_does() -> None:
    for name in REGISTERED_IN | set(ABOUT_SOME):
        assert any(any(named_in(ROOT / name, game)) for game in GAMES), name


def test_a_game_of_the_house_knows_no_other() -> None:
    for game in GAMES:
        for path in APP.rglob("*.py"):
            if is_own(path, game):
                others = [one for one in GAMES if one != game for _ in named_in(path, one)]
                assert not others, path


def test_nothing_outside_the_tests_names_the_further_game() -> None:
    """Neither its key nor its package, in code, texts, templates, migrations or scripts."""
    words = ("toy",)
    for folder in ("app", "templates", "static", "migrations"):
        for path in (ROOT / folder).rglob("*"):
            if "vendor" not in path.parts and path.suffix in WRITTEN:
                text = path.read_text(encoding="utf-8").casefold()
                assert not any(f'"{word}"' in text or f".{word}" in text for word in words), path
    assert all("toy" not in registry for registry in REGISTRIES)


def test_the_further_game_touches_nothing_outside_itself() -> None:
    package = Path(toy.__file__).parent
    imported = {
        node.module or ""
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    }
    others = {one for one in imported if one.startswith("tests.")}
    assert all(one.startswith("tests.support.toy") for one in others)
    # It reaches into the house by the modules that app/rulesets/README.md names, and no others.
    told = (APP / "rulesets" / "README.md").read_text(encoding="utf-8")
    for module in sorted(one for one in imported if one.startswith("app.")):
        assert f"`{module}`" in told, module


def test_the_readme_names_the_registries() -> None:
    told = (APP / "rulesets" / "README.md").read_text(encoding="utf-8")
    for name in REGISTERED_IN:
        assert f"`{name}`" in told, name
