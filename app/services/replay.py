"""Checking that what is stored is what the decisions lead to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from app.engine.ruleset import Awaited
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries import LoggedOrder, SceneNow
from app.rulesets import RULESETS
from app.services.games import Game
from app.services.log import decisions_of, state_after


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """Scenes whose replay equals their snapshot, those that differ, and those of other editions."""

    equal: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    other_edition: tuple[str, ...] = ()


def check_scenes(db: Database) -> ReplayReport:
    """Replay every scene of the current edition and compare it with its snapshot."""
    with db.read() as connection:
        ids = queries.scene_ids(connection)
    equal: list[str] = []
    different: list[str] = []
    other: list[str] = []
    for scene_id in ids:
        with db.read() as connection:  # one scene at a time: a service may be running meanwhile
            scene = queries.scene_now(connection, scene_id)
            log = queries.logged_orders(connection, scene_id)
        if scene is None:
            continue
        ruleset = RULESETS.get(scene.ruleset)
        if ruleset is None or ruleset.edition != scene.edition:
            other.append(scene_id)
        elif _is_equal(ruleset, scene, log):
            equal.append(scene_id)
        else:
            different.append(scene_id)
    return ReplayReport(equal=tuple(equal), different=tuple(different), other_edition=tuple(other))


def _is_equal(ruleset: Game, scene: SceneNow, log: tuple[LoggedOrder, ...]) -> bool:
    setup: Any = load(ruleset.setup, scene.setup)
    replayed = state_after(ruleset, setup, decisions_of(ruleset, log))
    numbers = [entry.number for entry in log]
    return (
        load(ruleset.state, scene.state) == replayed
        and load(Awaited, scene.awaited) == ruleset.awaits(replayed)
        and numbers == list(range(1, scene.last + 1))
    )
