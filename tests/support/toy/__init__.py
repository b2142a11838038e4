"""A fifth game as one package: rules, texts, post, ops, cases and pages, and nothing elsewhere."""

from __future__ import annotations

from pathlib import Path

from app.games import GamePackage
from tests.support.toy.game import (
    TOY,
    Chase,
    Cup,
    Game,
    Give,
    House,
    Stop,
    Throw,
    Thrower,
    toy_setup,
)
from tests.support.toy.layout import LAYOUT
from tests.support.toy.ops import TOY_OPS
from tests.support.toy.pages import PAGES

__all__ = [
    "GAME",
    "TOY",
    "Chase",
    "Cup",
    "Game",
    "Give",
    "House",
    "Stop",
    "Throw",
    "Thrower",
    "toy_setup",
]

GAME = GamePackage(ruleset=TOY, home=Path(__file__).parent, ops=TOY_OPS, pages=PAGES, layout=LAYOUT)
