"""Beings of a Shadow campaign: who may enter, and what a duel leaves of them (WD-58, WD-A13)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from app.engine.campaign import Campaign, Change, Left
from app.engine.findings import Facts, Obstacle, Violation
from app.rulesets.warrior_dice.campaign import value_of
from app.rulesets.warrior_dice.design import BASIC_TOTAL, points_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.printed import sheet_of
from app.rulesets.warrior_dice.setup import check_sheet
from app.rulesets.warrior_dice.sheet import FACES, PrintedWarrior, Warrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.view import outcome


def enter(sheet: Warrior | PrintedWarrior, options: DuelOptions) -> Warrior:
    """Write out the sheet of a being that ``check`` found nothing against."""
    warrior = sheet_of(sheet, gandalf_fix=options.gandalf_fix)
    if warrior is None:
        raise ValueError(f"{sheet} is not printed; check comes first")
    return warrior


def check(
    sheet: Warrior | PrintedWarrior, options: DuelOptions, anew: bool
) -> tuple[Obstacle, ...]:
    """List what keeps a being from entering the campaign."""
    return tuple(_obstacles(sheet, options, anew))


def worth(sheet: Warrior, options: DuelOptions) -> tuple[int, int]:
    """Give the points value and the XP of a being (WD-48)."""
    return value_of(options, sheet), sheet.xp


def left(duel: Duel) -> tuple[Left, ...]:
    """Give what a duel leaves of both; nothing while it is not over (WD-64, WD-A6)."""
    ended = outcome(duel)
    if ended is None:
        return ()
    return tuple(
        Left(
            seat=one.id,
            sheet=one.warrior,
            points=one.points,
            ending=ended.ending,
            won=ended.winner == one.id,
            earned=one.earned,
            killed=one.killed,
            banished=one.banished,
        )
        for one in ended.beings
    )


def changes(before: Warrior, after: Warrior) -> tuple[Change, ...]:
    """List what is different: hits, XP, Forces, and options that are new (WD-52, WD-64)."""
    return tuple(_changes(before, after))


def _obstacles(
    sheet: Warrior | PrintedWarrior, options: DuelOptions, anew: bool
) -> Iterator[Violation]:
    warrior = sheet_of(sheet, gandalf_fix=options.gandalf_fix)
    if warrior is None:
        facts: Facts = {"id": getattr(sheet, "warrior", "")}
        yield Violation("WD-7", "unknown_warrior", "sheet", facts)
        return
    one = Duellist(id="being", sheet=sheet)
    setup = DuelSetup(entrants=(one, replace(one, id="other")), options=options, shadow=True)
    found = tuple(check_sheet(setup, one, warrior, "sheet"))
    yield from found
    if warrior.xp:
        yield Violation("WD-A13", "enters_with_xp", "sheet.xp", {"xp": warrior.xp})
    if anew:
        total = points_of(warrior).total
        if total != BASIC_TOTAL:
            facts = {"points": total, "wanted": BASIC_TOTAL}
            yield Violation("WD-A13", "enters_basic", "sheet", facts)
        if len(warrior.traits) != 1 and not any(each.code == "one_trait" for each in found):
            facts = {"name": warrior.name, "found": len(warrior.traits)}
            yield Violation("WD-58", "one_trait", "sheet.options", facts)


def _changes(before: Warrior, after: Warrior) -> Iterator[Change]:
    if before.hits != after.hits:
        yield Change(what="hits", before=before.hits, after=after.hits)
    if before.xp != after.xp:
        yield Change(what="xp", before=before.xp, after=after.xp)
    if before.reforged != after.reforged:
        yield Change(what="reforged" if after.reforged else "not_reforged")
    for face in range(1, FACES + 1):
        old, new = before.on(face), after.on(face)
        for place in range(max(len(old), len(new))):
            was = old[place] if place < len(old) else None
            now = new[place] if place < len(new) else None
            if now is None and was is not None:
                yield Change(what="option_gone", name=was.name, before=was.force)
            elif now is not None and was is None:
                what = "trait" if now.trait else now.kind.value
                yield Change(what=what, name=now.name, after=now.force)
            elif now is not None and was is not None and now.force != was.force:
                yield Change(what="force", name=now.name, before=was.force, after=now.force)


CAMPAIGN: Final[Campaign[Duel]] = Campaign(
    enter=enter, check=check, worth=worth, left=left, changes=changes
)
