"""Who plays whom in a scene as it stands: subordinates are played by who plays their master."""

from __future__ import annotations

from app.engine.ruleset import Played
from app.persistence.codec import Malformed, load
from app.persistence.queries import SceneNow
from app.services.access import Principal
from app.services.games import game, roster_of


def cast(scene: SceneNow) -> tuple[Played, ...]:
    """List the seats of a scene; of one of another edition that cannot be read there are none."""
    ruleset = game(scene.ruleset)
    try:
        state = load(ruleset.state, scene.state)
        setup = load(ruleset.setup, scene.setup)
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return ()
    return roster_of(ruleset, setup, state)


def as_cast(principal: Principal, scene: SceneNow) -> Principal:
    """Let somebody be everybody whom they play in this scene."""
    if principal.is_gm(scene) or not principal.held(scene.id):
        return principal
    return principal.commanding(scene.id, cast(scene))
