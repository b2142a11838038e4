"""What seats may decide in a scene now, as its ruleset offers it."""

from __future__ import annotations

from typing import Any

from app.engine.ruleset import Seat
from app.persistence import queries
from app.persistence.codec import load
from app.persistence.database import Database
from app.services.access import Principal
from app.services.casting import as_cast
from app.services.errors import NotFound
from app.services.games import game
from app.services.scene_found import found


def choices(db: Database, principal: Principal, scene_id: str, seat: Seat) -> Any:
    """List what a seat may decide now, as its ruleset describes it."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
    if not as_cast(principal, scene).may_act(scene, seat):
        raise NotFound
    ruleset = game(scene.ruleset)
    return ruleset.choices(load(ruleset.state, scene.state), seat)


def choices_in_a_row(
    db: Database, principal: Principal, scene_id: str, seats: tuple[Seat, ...]
) -> dict[Seat, Any]:
    """List what each of several seats may decide when its turn comes, as the scene stands now."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
    actor = as_cast(principal, scene)
    if not all(actor.may_act(scene, seat) for seat in seats):
        raise NotFound
    ruleset = game(scene.ruleset)
    state = load(ruleset.state, scene.state)
    return {seat: ruleset.choices(ruleset.in_turn(state, seat), seat) for seat in seats}
