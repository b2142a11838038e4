"""Who plays whom in a scene as it stands: subordinates are played by who plays their master."""

from __future__ import annotations

from app.engine.ruleset import Played
from app.persistence.queries import SceneNow
from app.services.access import Principal
from app.services.games import game, read_kept, roster_of


def cast(scene: SceneNow) -> tuple[Played, ...]:
    """List the seats of a scene; of one of another edition that cannot be read there are none."""
    ruleset = game(scene.ruleset)
    state = read_kept(ruleset, ruleset.state, scene.state, scene.edition)
    setup = read_kept(ruleset, ruleset.setup, scene.setup, scene.edition)
    return () if state is None or setup is None else roster_of(ruleset, setup, state)


def as_cast(principal: Principal, scene: SceneNow) -> Principal:
    """Let somebody be everybody whom they play in this scene."""
    if principal.is_gm(scene) or not principal.held(scene.id):
        return principal
    return principal.commanding(scene.id, cast(scene))
