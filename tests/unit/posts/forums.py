"""Random rolls, and how each forum whose rendering is known shows them, written anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Rolled:
    """A roll as it was thrown: one lot of dice and a modifier."""

    label: str
    faces: int
    naturals: tuple[int, ...]
    modifier: int

    @property
    def total(self) -> int:
        """Add it up."""
        return sum(self.naturals) + self.modifier

    @property
    def expression(self) -> str:
        """Write what was thrown."""
        return f"{len(self.naturals)}d{self.faces}{self.added}"

    @property
    def added(self) -> str:
        """Write the modifier without blanks, nothing for none."""
        return f"{self.modifier:+}" if self.modifier else ""

    @property
    def spaced(self) -> str:
        """Write the modifier with blanks around its sign, nothing for none."""
        sign = "-" if self.modifier < 0 else "+"
        return f" {sign} {abs(self.modifier)}" if self.modifier else ""

    def listed(self, between: str = ", ") -> str:
        """Write the dice side by side."""
        return between.join(map(str, self.naturals))


LABELS = ("", "Attacco (Rin vs Kai)", "Sonìdo", "Punch", "Fuoco “blu”")


def thrown(chance: random.Random) -> Rolled:
    """Throw anything that a forum lets one throw."""
    faces = chance.choice([2, 4, 6, 8, 10, 12, 20, 100])
    count = chance.choice([1, 1, 1, 2, 3, 10])
    return Rolled(
        label=chance.choice(LABELS),
        faces=faces,
        naturals=tuple(chance.randint(1, faces) for _ in range(count)),
        modifier=chance.choice([0, 0, chance.randint(-30, 30)]),
    )


def named(one: Rolled, behind: str = ": ") -> str:
    """Write the label that stands before a roll, if it has one."""
    return f"{one.label}{behind}" if one.label else ""


def paizo(one: Rolled) -> str:
    """A single die without a modifier has no bracket there."""
    head = f"{named(one)}{len(one.naturals)}d{one.faces}{one.spaced} ⇒ "
    if len(one.naturals) == 1 and not one.modifier:
        return f"{head}{one.total}"
    return f"{head}({one.listed()}){one.spaced} = {one.total}"


# Of the forums that show no label, ours stands behind the tag.
SHOWS: dict[str, Callable[[Rolled], str]] = {
    "phpbb_rolls": lambda one: (
        f"{named(one)}{one.expression}: [{one.listed()}]{one.added} = {one.total}"
    ),
    "phpbb_fancydice": lambda one: (
        f"{one.expression} => {one.listed()} => {one.total}{named(one, '') and f' — {one.label}'}"
    ),
    "mybb_feathertail": lambda one: (
        f"{one.expression} → {one.total} ({one.listed(' + ')}{one.spaced})"
        f"{named(one, '') and f' — {one.label}'}"
    ),
    "mybb_cortalabs": lambda one: (
        f"{named(one)}{one.expression} [{one.listed()}] {one.added} = {one.total}"
    ),
    "smf_rolls": lambda one: (
        f"{one.label or 'Rolled'} {one.expression} : {one.listed()}{one.spaced}, total {one.total}"
    ),
    "smf_rpg": lambda one: (
        f"{named(one)}{len(one.naturals)}d{one.faces}{one.spaced}"
        f" => ({one.listed()}){one.spaced} = {one.total}"
    ),
    "vbulletin": lambda one: (
        f"Dice Roll: {one.expression}\nd{one.faces} Results: {one.listed()} (Total = {one.total})"
        f"{named(one, '') and f' — {one.label}'}"
    ),
    "discourse_dice": lambda one: (
        f"{one.expression}\n{one.listed('+')} {one.added} = {one.total}"
        f"{named(one, '') and f' — {one.label}'}"
    ),
    "discourse_roller": lambda one: (
        f"{one.expression}: {one.listed(' + ')}{one.spaced} = {one.total}"
        f"{named(one, '') and f' — {one.label}'}"
    ),
    "nodebb": lambda one: f"{one.expression}: [{one.listed()}]{one.added} = {one.total}",
    "paizo": paizo,
}
UNLABELLED = frozenset({"nodebb"})
