"""The world outside: its clock, its ids, and chance that nobody can foresee."""

from __future__ import annotations

import ast
from collections import Counter
from datetime import timedelta
from pathlib import Path

from app.services import world as world_module
from tests.support.world import system_world

SERVICES = Path(world_module.__file__).parent


def test_tokens_and_ids_are_long_new_and_fit_in_an_address() -> None:
    world = system_world()
    for make, length in ((world.token, 43), (world.scene_id, 22)):
        made = {make() for _ in range(200)}
        assert len(made) == 200
        assert {len(one) for one in made} == {length}
        assert all(
            one.replace("-", "").replace("_", "").isalnum() and one.isascii() for one in made
        )


def test_the_time_is_aware_and_in_utc() -> None:
    assert system_world().now().utcoffset() == timedelta(0)


def test_a_die_shows_every_face_and_no_other() -> None:
    world = system_world()
    shown = Counter(world.randbelow(12) for _ in range(6_000))
    assert set(shown) == set(range(12))
    # Of fair dice about one run in a billion strays this far.
    assert all(abs(count - 500) < 150 for count in shown.values())


def test_chance_never_comes_from_a_generator_that_can_be_foreseen() -> None:
    imported = {
        name
        for path in SERVICES.glob("*.py")
        if path.name != "odds.py"  # games that nobody plays, whose odds must come out the same
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not {name.split(".")[0] for name in imported} & {"random", "time", "uuid"}
