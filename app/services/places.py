"""Places for dice in a story: each needs a die of its own, and each die stands once."""

from __future__ import annotations

from collections.abc import Sequence

from app.engine.ruleset import Asked
from app.posts.write import misplaced_in
from app.services.entry_shapes import Narration
from app.services.errors import Malformed, Mistake


def check_places(ruleset: str, narration: Narration, asked: Sequence[Asked]) -> None:
    """Raise Malformed for a story with places that get none of the dice that are asked for."""
    mistakes = [
        Mistake(f"narration.{phase}", found.code, found.facts)
        for phase, found in misplaced_in(ruleset, narration, asked)
    ]
    if mistakes:
        raise Malformed(*mistakes)
