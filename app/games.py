"""The door for a fifth game: one package brings all of it, and is registered here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from app.catalogue import HOMES, forget
from app.engine.ruleset import Ruleset
from app.ops.runner import OPS, Op
from app.posts.layout import Layout
from app.posts.write import LAYOUTS
from app.rulesets import RULESETS
from app.web.games import PAGES
from app.web.games.frame import GamePages

# All that knows games by name, from the rules up to the pages.
REGISTRIES: Final[tuple[dict[str, Any], ...]] = (RULESETS, HOMES, LAYOUTS, OPS, PAGES)


class UnfitGame(ValueError):
    """A package brings no game, or one that cannot be played beside those that are here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePackage:
    """A whole game.

    ``home`` is the folder with its texts: ``catalogue.toml``, ``glossary.toml``, ``readings.toml``,
    ``phrases/<language>.toml``, ``templates/`` and the worked cases in ``cases/``. Without a
    ``layout`` its posts are told finding by finding.
    """

    ruleset: Ruleset[Any, Any, Any]
    home: Path
    ops: Mapping[str, Op]
    pages: GamePages
    layout: Layout | None = None


def register(package: GamePackage) -> None:
    """Let a game be played, told, shown and proved; raise UnfitGame where its key is taken."""
    key = package.ruleset.key
    if RULESETS.get(key) is package.ruleset:
        return
    if key in RULESETS:
        raise UnfitGame(f"there is a game called {key} already")
    if package.pages.key != key:
        raise UnfitGame(f"the pages of {key} are called {package.pages.key}")
    RULESETS[key] = package.ruleset
    HOMES[key] = package.home
    OPS[key] = package.ops
    PAGES[key] = package.pages
    if package.layout is not None:
        LAYOUTS[key] = package.layout
    forget()


def register_all(modules: Iterable[str]) -> None:
    """Register the ``GAME`` of each of these packages; raise UnfitGame where there is none."""
    for name in modules:
        try:
            found = import_module(name)
        except ModuleNotFoundError as missing:
            raise UnfitGame(f"there is no package {missing.name}") from missing
        game = getattr(found, "GAME", None)
        if not isinstance(game, GamePackage):
            raise UnfitGame(f"{name} has no GAME")
        register(game)
