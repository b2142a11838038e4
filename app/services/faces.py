"""Natural faces that somebody typed in, and the dice they belong to."""

from __future__ import annotations

from app.engine.dice import Roll
from app.engine.ruleset import Asked
from app.services.errors import Malformed, Mistake


def read_faces(asked: tuple[Asked, ...], faces: tuple[int, ...], field: str) -> tuple[Roll, ...]:
    """Put faces to the dice that were asked for; raise Malformed where they do not fit."""
    if len(faces) != len(asked):
        code = "too_short" if len(faces) < len(asked) else "too_long"
        bound = "least" if len(faces) < len(asked) else "most"
        raise Malformed(Mistake(field, code, {bound: len(asked)}))
    wrong = [
        Mistake(f"{field}[{index}]", "out_of_range", {"least": 1, "most": die.sides})
        for index, (die, face) in enumerate(zip(asked, faces, strict=True))
        if not 1 <= face <= die.sides
    ]
    if wrong:
        raise Malformed(*wrong)
    return tuple(Roll(die.address, die.sides, face) for die, face in zip(asked, faces, strict=True))
