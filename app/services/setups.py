"""Set-ups that somebody sends whole, read and held to the rules before anything is made of them."""

from __future__ import annotations

from typing import Any

from app.persistence.codec import checked, decode
from app.services.errors import Refused
from app.services.games import Game
from app.services.naming import check_names


def sound_setup(ruleset: Game, given: object, at: str) -> Any:
    """Read a set-up from JSON data, or hold one made in code to its bounds; check what it says.

    Raises Malformed, its fields under ``at``, or Refused.
    """
    read = checked if isinstance(given, ruleset.setup) else decode
    setup = read(ruleset.setup, given, at)
    check_names(setup)
    if obstacles := ruleset.check_setup(setup):
        raise Refused(obstacles)
    return setup
