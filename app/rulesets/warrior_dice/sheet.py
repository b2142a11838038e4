"""A warrior's sheet: starting hits, and for each face of the die its results (WD-3, WD-39)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

from app.engine.text import Between, Id, Length, Name
from app.rulesets.warrior_dice.terms import Kind, Special

FACES = 10
NARSIL_FACE = 3
FIRST_ADDER_FACE = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceOption:
    """One result of a face; a special has no ``force`` (WD-4).

    ``kind`` is the side it counts on; ``untyped`` says that its type is printed ``-``.
    ``trait`` marks a supernatural attack form (WD-58).
    """

    face: Annotated[int, Between(1, FACES)]
    name: Name
    kind: Kind
    force: Annotated[int, Between(0, 9990)] | None = None
    special: Special | None = None
    untyped: bool = False
    trait: bool = False

    @property
    def numeric(self) -> bool:
        """Say whether it is an Attack or Defence with a Force."""
        return self.force is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Warrior:
    """A warrior as it stands in a campaign: its table, its XP, what is reforged for good.

    ``printed`` names the printed warrior it began as; ``declared`` is the points value that its
    heading prints, or 300 where it prints none (WD-40); ``reforges`` is the rule of Narsil (WD-37).
    """

    kind: ClassVar[str] = "warrior"
    name: Name
    hits: Annotated[int, Between(1, 9990)]
    options: Annotated[tuple[FaceOption, ...], Length(1, 60)]
    xp: Annotated[int, Between(0, 9999)] = 0
    declared: Annotated[int, Between(0, 99999)] | None = None
    reforges: bool = False
    reforged: bool = False
    printed: Annotated[str, Length(0, 40)] = ""

    def on(self, face: int) -> tuple[FaceOption, ...]:
        """List the options of a face, in their order."""
        return tuple(option for option in self.options if option.face == face)

    def option(self, face: int, number: int) -> FaceOption | None:
        """Find an option by its number on a face, from 1 on; None where there is none."""
        found = self.on(face)
        return found[number - 1] if 0 < number <= len(found) else None

    @property
    def traits(self) -> tuple[str, ...]:
        """Name the supernatural traits (WD-58)."""
        return tuple(option.name for option in self.options if option.trait)

    def put(self, before: FaceOption, after: FaceOption) -> Warrior:
        """Put an option in the place of another."""
        place = self.options.index(before)
        return replace(self, options=(*self.options[:place], after, *self.options[place + 1 :]))


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedWarrior:
    """A warrior of the printed tables by its id, such as ``guerriero``, with the XP it holds."""

    kind: ClassVar[str] = "printed"
    warrior: Id
    xp: Annotated[int, Between(0, 9999)] = 0
