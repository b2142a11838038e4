"""A battle at a glance: both armies kind by kind, and the dice as they lie in a turn that waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from app.http.language import Language
from app.posts.layouts.battle_names import RULESET, die_name, headed, named
from app.posts.phrases import say
from app.rulesets.battle_dice.field import OWN_TABLE
from app.rulesets.battle_dice.orders import Army
from app.rulesets.battle_dice.state import Seen, Troop
from app.rulesets.battle_dice.terms import Hero, Kind
from app.rulesets.battle_dice.view import SideView, View
from app.web.games.frame import Context


@dataclass(frozen=True, slots=True)
class ArmyRow:
    """Like dice of both armies: how many live and how many are lost on each side."""

    sides: int
    named: str
    counts: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class LaidDown:
    """The dice of one kind of one side as they lie on the table."""

    sides: int
    named: str
    dice: tuple[Seen, ...]


@dataclass(frozen=True, slots=True)
class ArmyShown:
    """One army: how many dice it has of how many, its type of hero, its dice on the table."""

    side: SideView
    whole: int
    hero: str
    table: tuple[LaidDown, ...]
    secret: tuple[tuple[int, str, int], ...]
    secret_hero: str


def glance(view: View, language: Language) -> Context:
    """Show where both armies stand."""
    ended = view.ended
    names = {side.id: side.name for side in view.sides}
    return {
        "view": view,
        "armies": tuple(_army(view, side, language) for side in view.sides),
        "rows": tuple(_rows(view, language)),
        "hero_names": _hero_names(view, language),
        "step": headed(language, "phases", view.step) if view.step else "",
        "waits_for": tuple(
            say(language, RULESET, "asks", one.ask, {"side": names[one.seat], "count": one.count})
            for one in view.decisions
        ),
        "how": named(language, ended.how) if ended else "",
        "winner": names[ended.winner] if ended and ended.winner else "",
    }


def _army(view: View, side: SideView, language: Language) -> ArmyShown:
    own = side.own.army if side.own is not None else None
    return ArmyShown(
        side=side,
        whole=side.total + sum(one.count for one in side.lost),
        hero=hero_name(view, side.hero, language),
        table=tuple(_laid_down(view, side, language)),
        secret=() if own is None else tuple(_counts(own, language)),
        secret_hero="" if own is None else _own_hero(own, language),
    )


def _rows(view: View, language: Language) -> Iterable[ArmyRow]:
    """Go through the like dice of both armies; heroes of each table by themselves."""
    held = [one for side in view.sides for one in (*side.troops, *side.lost)]
    for kind in Kind:
        for hero in dict.fromkeys(one.hero for one in held if one.kind is kind):
            label = die_name(language, kind)
            if hero:
                label = f"{kind.upper()} {hero_name(view, hero, language)}"
            counts = tuple(
                (_count(side.troops, kind, hero), _count(side.lost, kind, hero))
                for side in view.sides
            )
            yield ArmyRow(kind.sides, label, counts)


def _hero_names(view: View, language: Language) -> dict[str, str]:
    held = [one.hero for side in view.sides for one in (*side.troops, *side.lost)]
    return {key: hero_name(view, key, language) for key in (*held, *Hero)}


def hero_name(view: View, key: str, language: Language) -> str:
    """Name a type of hero, a table of the players' own included."""
    if key.startswith(OWN_TABLE):
        custom = view.sides[int(key.removeprefix(OWN_TABLE))].custom
        return custom.name if custom is not None else ""
    return say(language, RULESET, "words", Hero(key)) if key else ""


def _laid_down(view: View, side: SideView, language: Language) -> Iterable[LaidDown]:
    for kind in Kind:
        dice = [one for one in view.table if one.seat == side.id and one.kind is kind]
        if dice:
            dice.sort(key=lambda one: -(one.result or 0))
            yield LaidDown(kind.sides, die_name(language, kind), tuple(dice))


def _count(troops: Iterable[Troop], kind: Kind, hero: str) -> int:
    return sum(one.count for one in troops if one.kind is kind and one.hero == hero)


def _counts(army: Army, language: Language) -> Iterable[tuple[int, str, int]]:
    for kind in Kind:
        if number := army.units.of(kind):
            yield kind.sides, die_name(language, kind), number


def _own_hero(army: Army, language: Language) -> str:
    if army.custom is not None:
        return army.custom.name
    return say(language, RULESET, "words", army.heroes[0]) if army.heroes else ""
