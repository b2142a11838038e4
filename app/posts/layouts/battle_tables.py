"""The small tables of a post of Battle Dice: armies as mustered, losses, armies after a turn."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.engine.findings import Finding
from app.posts.blocks import Table
from app.posts.layouts.battle_names import RULESET, die_name, headed
from app.posts.layouts.battle_parts import Parts
from app.posts.phrases import say
from app.rulesets.battle_dice.terms import Kind

_UNITS: Final = re.compile(r"D([0-9]+) ×([0-9]+)")
_NONE: Final = "–"


def muster_table(language: str, armies: Sequence[Finding]) -> Table:
    """Set both armies side by side as they are revealed (BD-9)."""
    rows = _rows(language, "army", armies, [_units(one) for one in armies])
    heroes = [_hero(language, one) for one in armies]
    return Table((*rows, _total(language, armies), (headed(language, "post", "heroes"), *heroes)))


def after_table(language: str, armies: Sequence[Finding]) -> Table:
    """Set both armies side by side as a turn leaves them, with its casualties (BD-70)."""
    rows = _rows(language, "army", armies, [_units(one) for one in armies])
    lost = [str(one.facts["casualties"]) for one in armies]
    casualties = (headed(language, "post", "casualties"), *lost)
    return Table((*rows, _total(language, armies), casualties))


def lost_table(language: str, parts: Parts, armies: Sequence[Finding]) -> Table | None:
    """Count the casualties by kind, where all of them were told in this post."""
    lost: dict[str, Counter[Kind]] = {str(one.facts["side"]): Counter() for one in armies}
    for one in (found for step in parts.steps.values() for found in step):
        side = str(one.facts.get("side"))
        if one.key == "hero_deserts":
            lost[side][Kind.D20] += 1
        elif one.key == "dice_lost":
            dice = one.facts["dice"]
            assert isinstance(dice, tuple)
            lost[side].update(Kind(str(die).partition(" ")[0].lower()) for die in dice)
    told = all(lost[str(one.facts["side"])].total() == one.facts["casualties"] for one in armies)
    if not told or not any(counts.total() for counts in lost.values()):
        return None
    return Table(_rows(language, "lost_head", armies, list(lost.values())))


def _rows(
    language: str, head: str, armies: Sequence[Finding], counts: Sequence[Counter[Kind]]
) -> tuple[tuple[str, ...], ...]:
    first = (headed(language, "post", head), *(str(one.facts["side"]) for one in armies))
    return (
        first,
        *(
            (die_name(language, kind), *(str(one[kind] or _NONE) for one in counts))
            for kind in Kind
            if any(one[kind] for one in counts)
        ),
    )


def _total(language: str, armies: Sequence[Finding]) -> tuple[str, ...]:
    return headed(language, "post", "total"), *(str(one.facts["total"]) for one in armies)


def _units(army: Finding) -> Counter[Kind]:
    units = army.facts["units"]
    assert isinstance(units, tuple)
    found = (_UNITS.fullmatch(str(one)) for one in units)
    return Counter({Kind(f"d{one[1]}"): int(one[2]) for one in found if one})


def _hero(language: str, army: Finding) -> str:
    custom, hero = str(army.facts["custom"]), str(army.facts["hero"])
    return custom or (say(language, RULESET, "words", hero) if hero else _NONE)
