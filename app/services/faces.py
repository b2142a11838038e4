"""Natural faces that somebody typed in, with what their tags added, and the dice they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from app.engine.dice import Address, Roll, Tagged
from app.engine.ruleset import Asked
from app.services.errors import Malformed, Mistake
from app.services.shapes import (
    Modifiers,
)


def read_rolls(
    asked: tuple[Asked, ...], faces: tuple[int, ...], modifiers: Modifiers, at: str = ""
) -> tuple[Roll, ...]:
    """Put faces to the dice that were asked for; raise Malformed where they do not fit.

    ``modifiers`` are those of the tags as they were thrown; None, or none at all, says that they
    are what the labels list. ``at`` is the path of both in what was sent.
    """
    wrong = [*_count(asked, len(faces), f"{at}faces")]
    if modifiers:
        wrong += _count(asked, len(modifiers), f"{at}modifiers")
    if not wrong:
        wrong = [
            Mistake(f"{at}faces[{index}]", "out_of_range", {"least": 1, "most": die.sides})
            for index, (die, face) in enumerate(zip(asked, faces, strict=True))
            if not 1 <= face <= die.sides
        ]
    if wrong:
        raise Malformed(*wrong)
    declared = modifiers or (None,) * len(asked)
    return tuple(
        Roll(die.address, die.sides, face, _tagged(die, modifier))
        for die, face, modifier in zip(asked, faces, declared, strict=True)
    )


@dataclass(slots=True)
class FacesInOrder:
    """Faces that somebody wrote down in the order in which the rules ask for their dice."""

    faces: tuple[int, ...]
    at: str = ""
    used: int = 0

    def face(self, _address: Address, sides: int) -> int:
        """Give the next face; raise Malformed where there is none, or none of such a die."""
        if self.used == len(self.faces):
            raise Malformed(Mistake(f"{self.at}faces", "too_short", {"least": self.used + 1}))
        face = self.faces[self.used]
        if not 1 <= face <= sides:
            bounds = {"least": 1, "most": sides}
            raise Malformed(Mistake(f"{self.at}faces[{self.used}]", "out_of_range", bounds))
        self.used += 1
        return face

    def tags(self) -> Mapping[Address, Tagged]:
        """Say that no die was thrown with another modifier than its label lists."""
        return {}

    def check_used(self) -> None:
        """Raise Malformed where faces were written down that nobody asked for."""
        if self.used < len(self.faces):
            raise Malformed(Mistake(f"{self.at}faces", "too_long", {"most": self.used}))


def _count(asked: tuple[Asked, ...], given: int, field: str) -> Iterator[Mistake]:
    if given != len(asked):
        code = "too_short" if given < len(asked) else "too_long"
        bound = "least" if given < len(asked) else "most"
        yield Mistake(field, code, {bound: len(asked)})


def _tagged(die: Asked, modifier: Fraction | None) -> Tagged | None:
    """Keep the modifier of a tag where it is not the one of the label."""
    listed = Fraction(die.tally.total)
    return None if modifier is None or modifier == listed else Tagged(modifier, listed)
