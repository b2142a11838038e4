"""The printed warriors as sheets, read once from their tables (WD-2 to WD-5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior, Warrior
from app.rulesets.warrior_dice.terms import Kind, Special
from app.rulesets.warrior_dice.warriors import TABLES

BASIC_POINTS: Final = 300  # WD-40: what a heading without points is worth
REFORGES: Final = "aragorn_elessar"  # WD-37
GANDALF: Final = "gandalf"
GANDALFS_GIFT: Final = 30  # AMB-WD-24: what his Defences lack

SPECIALS: Final[Mapping[str, Special]] = {
    "AO": Special.ALL_OUT,
    "N": Special.NEUTRALIZE,
    "NS": Special.NEUTRALIZE_SELF,
    "R": Special.REGAIN,
    "X": Special.NO_DAMAGE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedTable:
    """A printed warrior: the rule that prints it, its English name and its sheet."""

    id: str
    rule: str
    english: str
    sheet: Warrior


def sheet_of(sheet: Warrior | PrintedWarrior, *, gandalf_fix: bool = False) -> Warrior | None:
    """Give the sheet that is meant; None where no printed warrior has that id."""
    if isinstance(sheet, Warrior):
        return sheet
    found = PRINTED.get(sheet.warrior)
    if found is None:
        return None
    warrior = replace(found.sheet, xp=sheet.xp)
    if gandalf_fix and found.id == GANDALF:  # AMB-WD-24
        gift = warrior.on(10)[0]
        warrior = warrior.put(gift, replace(gift, force=(gift.force or 0) + GANDALFS_GIFT))
    return warrior


def is_as_printed(warrior: Warrior) -> bool:
    """Say whether a sheet shows exactly what its printed table shows, whatever XP it holds."""
    known = PrintedWarrior(warrior=warrior.printed)
    sheets = [sheet_of(known, gandalf_fix=fixed) for fixed in (False, True)]
    return any(one is not None and replace(one, xp=warrior.xp) == warrior for one in sheets)


def _read(table: str) -> Iterator[PrintedTable]:
    for block in table.strip().split("\n\n"):
        head, _, faces = block.partition("\n")
        rule, id, name, english, hits, *points = head.split(" | ")
        rows = faces.replace(";\n", "; ").split("; ")
        yield PrintedTable(
            id=id,
            rule=rule,
            english=english,
            sheet=Warrior(
                name=name,
                hits=int(hits),  # WD-5: 100 unless the heading prints another number
                options=tuple(
                    _option(face, text)
                    for face, row in enumerate(rows, 1)  # WD-2: 0 stands after 9, as the tenth
                    for text in row.split(" / ")
                ),
                declared=int(points[0]) if points else BASIC_POINTS,
                reforges=id == REFORGES,
                printed=id,
            ),
        )


def _option(face: int, text: str) -> FaceOption:
    # WD-33, WD-34, WD-35, WD-36: who has more of these, or others, has them in the table itself.
    if text.startswith("Adder"):
        return FaceOption(face=face, name=text, kind=Kind.ADDER)
    if text.startswith("Doubler"):
        return FaceOption(face=face, name=text, kind=Kind.DOUBLER)
    name, _, code = text.removesuffix("*").rpartition(" ")
    trait = text.endswith("*")
    if not code.endswith(")"):
        kind = Kind.ATTACK if code[0] == "A" else Kind.DEFENCE
        return FaceOption(face=face, name=name, kind=kind, force=int(code[1:]), trait=trait)
    special, printed = SPECIALS[code[:-3]], code[-2]
    # AMB-WD-13: without a printed type a Regain counts as a Defence, anything else as an Attack.
    defends = printed == "D" or (printed == "-" and special is Special.REGAIN)
    return FaceOption(
        face=face,
        name=name,
        kind=Kind.DEFENCE if defends else Kind.ATTACK,
        special=special,
        untyped=printed == "-",
        trait=trait,
    )


PRINTED: Final[Mapping[str, PrintedTable]] = {
    one.id: one for table in TABLES for one in _read(table)
}
