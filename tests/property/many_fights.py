"""Fights of many by seed: who posts, what the Master does between, and orders gone wrong."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any, Final

from app.engine.ruleset import GM
from app.rulesets.guida.arrivals import areas_in
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.legality import DEFENCES
from app.rulesets.guida.orders import (
    Adequacy,
    Answer,
    Close,
    EndArea,
    Impact,
    Join,
    Manual,
    Order,
    Pause,
    Place,
    ReplaceSheet,
    Resume,
    SetValue,
    Turn,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.places import Distance, Unseen
from app.rulesets.guida.state import Scene, Setup
from app.rulesets.guida.terms import Category, Change, Stack, Standing, Stat
from tests.property.many_options import anything
from tests.property.many_sheets import a_setup, a_sheet, an_entrant
from tests.property.many_turns import a_turn
from tests.property.strategies import Step, step

POSTS: Final = 12
AT_LEAST: Final = 10  # nobody falls for good before, so that every fight has as many posts


@dataclass(frozen=True)
class Played:
    """A fight with its seed, decision by decision."""

    seed: int
    setup: Setup
    steps: tuple[Step, ...]

    @property
    def posts(self) -> int:
        """Count its posts."""
        return sum(isinstance(one.order, Turn) for one in self.steps)

    @property
    def states(self) -> tuple[Scene, ...]:
        """Give every state, the first included."""
        return (GUIDA.start(self.setup), *(one.after for one in self.steps))


def fight(seed: int) -> Played:
    """Play one fight, the same for the same seed."""
    pick = Random(seed)
    setup = a_setup(pick)
    scene = GUIDA.start(setup)
    steps: list[Step] = []
    posts = 0
    while posts < POSTS and not scene.ended:
        order = an_order(pick, scene, posts)
        steps.append(step(scene, order, pick))
        scene = steps[-1].after
        posts += isinstance(order, Turn)
    return Played(seed, setup, tuple(steps))


def an_order(pick: Random, scene: Scene, posts: int = AT_LEAST) -> Order:
    """Pick the next decision: an answer, now and then a ruling, else the post that is awaited."""
    if scene.paused:
        return Resume(by=GM, reason="go on")
    awaited = GUIDA.awaits(scene)
    if scene.questions and (not awaited.seats or pick.randint(0, 1)):
        made = answer(pick, scene, posts)
        if not GUIDA.check(scene, made):
            return made
        return replace(made, choice="deny")  # a line proposed that is no longer possible
    if pick.randint(0, 5) == 0 and (ruled := a_ruling(pick, scene, posts)) is not None:
        return ruled
    (seat,) = awaited.seats
    offered = GUIDA.choices(scene, seat)
    if offered.obstacles:  # a passive technique lacks a number on the sheet
        return put_right(scene, seat)
    return a_turn(pick, scene, offered)


def put_right(scene: Scene, id: str) -> ReplaceSheet:
    """Write every bonus down on the sheet of a combatant."""
    sheet = scene.who(id).sheet
    tools = tuple(
        replace(one, stat_bonus=one.stat_bonus or Fraction(2), potential_bonus=Fraction(2))
        for one in sheet.tools
    )
    whole = replace(sheet, tools=tools)
    return ReplaceSheet(by=GM, combatant=id, sheet=whole, reason="put right")


def answer(pick: Random, scene: Scene, posts: int) -> Answer:
    """Answer one of the open questions; whoever falls early fights on."""
    question = pick.choice(scene.questions)
    choice = pick.choice(question.choices)
    if question.code == "defeat" and (posts < AT_LEAST or pick.randint(0, 2)):
        choice = "fights_on"
    return Answer(by=GM, question=question.id, choice=choice, reason="so ruled")


def a_ruling(pick: Random, scene: Scene, posts: int) -> Order | None:
    """Pick something that is decided outside a turn, if it happens to be legal now."""
    people = [one.id for one in scene.combatants]
    who = pick.choice(people)
    foes = [(a.id, b.id) for a in scene.combatants for b in scene.opponents(a.id)]
    kind = pick.choice(
        (
            *("place", "hide", "hide", "impact", "manual", "value", "adequacy", "area", "order"),
            *("join", "withdraw", "pause", "sheet", "close"),
        )
    )
    order: Order | None = None
    match kind:
        case "place":
            areas = [one.id for one in scene.areas]
            other = pick.choice([*areas, *(id for id in people if id != who)])
            far = Distance(a=who, b=other, metres=Fraction(pick.choice((0, 3, 12, 90))))
            order = Place(by=GM, distances=(far,), reason="seen again")
        case "hide":
            pairs = tuple(Unseen(who=a, observer=b) for a, b in foes if pick.randint(0, 3) == 0)
            order = Place(by=GM, hidden=pairs, reason="in the fog")
        case "impact":
            order = Impact(
                by=GM,
                attacker=pick.choice(people),
                target=who,
                die=pick.randint(1, 12),
                category=pick.choice(tuple(Category)),
                stat_bonus=Fraction(pick.randint(0, 12)),
                by_defence=bool(pick.randint(0, 1)),
                guarded=bool(pick.randint(0, 1)),
                reason="against the wall",
            )
        case "manual":
            order = Manual(
                by=pick.choice((GM, who)),
                combatant=who,
                change=pick.choice((Change.HP, Change.EP, Change.POINTS, Change.STACKS)),
                amount=pick.choice((-3, -1, 2, 5)),
                stat=pick.choice(tuple(Stat)),
                stack=pick.choice(tuple(Stack)),
                reason="two\nlines",
            )
        case "value":
            change = pick.choice((Change.HP, Change.EP))
            order = SetValue(
                by=GM, combatant=who, change=change, value=pick.randint(1, 60), reason="so be it"
            )
        case "adequacy":
            order = Adequacy(
                by=GM,
                attack=pick.choice([attack.id for attack in scene.incoming] or ["a0"]),
                defence=pick.choice(DEFENCES),
                adequate=bool(pick.randint(0, 1)),
                reason="so ruled",
            )
        case "area":
            id = pick.choice([one.id for one in scene.areas] or ["area0"])
            order = EndArea(by=GM, area=id, reason="the rain")
        case "order":
            active = [one.id for one in scene.combatants if one.active]
            sequence = tuple(pick.sample(active, len(active)))
            then = pick.choice((None, *active))
            order = TurnOrder(by=GM, sequence=sequence, next=then, reason="another order")
        case "join":
            order = a_join(pick, scene)
        case "withdraw" if posts >= AT_LEAST or not _last(scene, who):
            standing = pick.choice((Standing.LEFT, Standing.SURRENDERED, Standing.DEFEATED))
            order = Withdraw(by=GM, combatant=who, standing=standing, reason="enough")
        case "close" if posts >= AT_LEAST:
            order = Close(by=GM, reason="enough")
        case "pause":
            order = Pause(by=GM, reason="a pause")
        case "sheet":
            sheet = a_sheet(pick, scene.who(who).sheet.name)
            held = scene.who(who).turn
            sheet = sheet if held == 0 else replace(sheet, tools=scene.who(who).sheet.tools)
            order = ReplaceSheet(by=GM, combatant=who, sheet=sheet, reason="written anew")
    return None if order is None or GUIDA.check(scene, order) else order


def _last(scene: Scene, who: str) -> bool:
    """Say whether the fight would end without somebody."""
    return len({one.team for one in scene.combatants if one.active and one.id != who}) < 2


def a_join(pick: Random, scene: Scene) -> Join | None:
    """Let somebody enter, perhaps as a summon of somebody who fights."""
    if len(scene.combatants) >= 6:
        return None
    ids = tuple(one.id for one in scene.combatants)
    id = next(id for id in ("fay", "gus", "hal", "ivo", "jon") if id not in ids)
    friend = pick.choice([one for one in scene.combatants if one.active])
    entrant = an_entrant(pick, id, friend.team, (*ids, id))
    if friend.master is None and pick.randint(0, 1):
        entrant = replace(entrant, master=friend.id)
    places = (*ids, *areas_in(scene))
    return Join(
        by=GM,
        entrant=entrant,
        distances=tuple(
            Distance(a=id, b=other, metres=Fraction(pick.choice((1, 6, 30)))) for other in places
        ),
        hidden=tuple(
            Unseen(who=id, observer=one.id)
            for one in scene.combatants
            if one.team != friend.team and pick.randint(0, 5) == 0
        ),
        after=pick.choice((None, friend.id)),
        reason="called",
    )


# ------------------------------------------------------------------------ orders gone wrong


def gone_wrong(pick: Random, scene: Scene, order: Order) -> Order:
    """Change something in an order, so that it may be legal no more; its types still hold."""
    words = tuple(
        dict.fromkeys(
            (
                *(one.id for one in scene.combatants),
                *(one.id for one in (*scene.incoming, *scene.pending, *scene.areas)),
                *(one.id for one in scene.who(scene.next).sheet.tools),
                *(one.id for one in scene.questions),
                *("gm", "nobody", "a99", "area99", "confirm"),
            )
        )
    )
    made: Any = order
    for _ in range(pick.choice((1, 1, 2, 3))):
        made = _changed(pick, made, words)
    return made


def _changed(pick: Random, record: Any, words: tuple[str, ...]) -> Any:
    hints = typing.get_type_hints(type(record), include_extras=True)
    names = [one.name for one in dataclasses.fields(record)]
    deep = [name for name in names if _has_records(getattr(record, name))]
    if deep and pick.randint(0, 2):
        name = pick.choice(deep)
        value = getattr(record, name)
        if isinstance(value, tuple):
            at = pick.randrange(len(value))
            inner = (*value[:at], _changed(pick, value[at], words), *value[at + 1 :])
            if pick.randint(0, 3) == 0:
                inner = pick.choice(((*value, value[at]), value[:at] + value[at + 1 :]))
            return replace(record, **{name: inner})
        return replace(record, **{name: _changed(pick, value, words)})
    name = pick.choice(names)
    return replace(record, **{name: anything(pick, hints[name], words)})


def _has_records(value: Any) -> bool:
    """Say whether there is something in a value to change, an effect without fields apart."""
    if isinstance(value, tuple):
        return bool(value) and all(_has_records(one) for one in value)
    return dataclasses.is_dataclass(value) and bool(dataclasses.fields(value))


def wrong_orders(pick: Random, scene: Scene, order: Order, count: int) -> Iterator[Order]:
    """Go through a few orders gone wrong, and one made of nothing but its types."""
    for _ in range(count):
        yield gone_wrong(pick, scene, order)
    kind = pick.choice([one for one in GUIDA.orders if one is not Turn])
    yield gone_wrong(pick, scene, a_ruling(pick, scene, AT_LEAST) or order)
    words = tuple(one.id for one in scene.combatants)
    if kind not in (Join, ReplaceSheet):
        yield anything(pick, kind, words)
