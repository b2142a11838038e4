"""Entrants as far as the posts of an old thread tell of them, to be completed by somebody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from app.engine.text import Link, Name
from app.posts.phrases import say
from app.posts.thread import Character
from app.posts.words import RULESET
from app.rulesets.guida.entrants import PointsNow, StackCount
from app.rulesets.guida.sheet import Stats
from app.rulesets.guida.terms import Stat

TEAMS: Final = "ABCDEFGHIJKL"
_HIGHEST: Final = 9_999


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetDraft:
    """What posts tell of a sheet; None is for its player to say."""

    name: Name
    link: Link
    max_hp: int | None
    max_ep: int | None
    stats: Stats


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrantDraft:
    """An entrant as far as posts tell of it, for whoever opens the scene to complete."""

    id: str
    team: str
    sheet: SheetDraft
    hp: int | None
    ep: int | None
    stacks: tuple[StackCount, ...]
    points: tuple[PointsNow, ...]


def draft_entrant(place: int, person: Character, language: str) -> EntrantDraft:
    """Make an entrant of a character as its posts left it; ``place`` counts from 0."""
    name = say(language, RULESET, "old_thread", "points")
    base = {one.stat: min(one.base, _HIGHEST) for one in person.stats}
    return EntrantDraft(
        id=f"p{place + 1}",
        team=TEAMS[place],
        sheet=SheetDraft(
            name=person.name,
            link=person.link,
            max_hp=person.max_hp,
            max_ep=person.max_ep,
            stats=Stats(
                strength=base.get(Stat.STRENGTH, 0),
                dexterity=base.get(Stat.DEXTERITY, 0),
                constitution=base.get(Stat.CONSTITUTION, 0),
                intelligence=base.get(Stat.INTELLIGENCE, 0),
            ),
        ),
        hp=person.hp,
        ep=person.ep,
        stacks=person.stacks,
        points=tuple(
            PointsNow(stat=one.stat, points=one.others, name=name)
            for one in person.stats
            if one.others
        ),
    )
