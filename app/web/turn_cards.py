"""What the turn form shows of a turn that is open: a card for each incoming action, the targets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import quote

from app.rulesets.guida.legality import MADE_WITH
from app.rulesets.guida.offers import (
    AllyChoice,
    AttackChoice,
    Choices,
    DefenceChoice,
    FarChoice,
    ToolChoice,
)
from app.rulesets.guida.state import (
    launched_as,
)
from app.rulesets.guida.terms import Action
from app.rulesets.guida.underway import (
    Incoming,
    Pending,
)
from app.web.turn_blow import Blow, blow_of, people_in
from app.web.turn_bound import tools_in


def incoming(offered: Choices) -> tuple[Incoming | Pending, ...]:
    """List all that may be answered, what comes at allies included, in the order of the story."""
    allies = [one.attack for one in offered.at_allies]
    both: list[Incoming | Pending] = [*offered.incoming, *offered.pending, *allies]
    return tuple(sorted(both, key=lambda one: launched_as(one.id)))


def use_of(way: DefenceChoice) -> str | None:
    """Say what use the tool of a defence is for; a dodge with an ally may work as a parry."""
    return MADE_WITH[way.action] or ("parries" if way.tools else None)


def use_in(offered: Choices, action: str) -> str | None:
    """Say what use the tool of a declared defence is for, offered or not."""
    found = next((way for way in offered.defences if way.action == action), None)
    if found is not None:
        return use_of(found)
    return MADE_WITH.get(Action(action)) if action in set(Action) else None


@dataclass(frozen=True, slots=True)
class Hand:
    """What some of the defences of a card are made with; what is ``far`` needs a move."""

    use: str
    actions: tuple[Action, ...]
    tools: tuple[ToolChoice, ...]
    far: tuple[FarChoice, ...]
    bare: bool

    @property
    def throws(self) -> tuple[str, ...]:
        """Spell those that may throw the attacker back."""
        return tuple(quote(tool.id) for tool in self._every if tool.knocks)

    @property
    def frees(self) -> tuple[str, ...]:
        """Spell those with which the defence may double as an attempt to break free."""
        return tuple(quote(tool.id) for tool in self._every if tool.frees)

    @property
    def _every(self) -> tuple[ToolChoice, ...]:
        return (*self.tools, *(one.tool for one in self.far))


@dataclass(frozen=True, slots=True)
class Shared:
    """An earlier card whose defence may cover this one too, if it is one of these."""

    number: int
    id: str
    name: str
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Card:
    """One incoming action and the ways to answer it.

    ``only_if`` is the choice on a suspended action without which it is not there to be answered;
    ``ally`` tells of an attack on somebody else whose place one may take. ``toward`` are those whom
    a counterattack may go on toward, where there is a choice.
    """

    id: str
    attack: Incoming | None
    pending: Pending | None
    ally: AllyChoice | None
    name: str
    by: str
    defences: tuple[DefenceChoice, ...]
    hands: tuple[Hand, ...]
    blow: Blow
    with_: tuple[Shared, ...]
    toward: tuple[str, ...]
    only_if: str

    @property
    def counters(self) -> tuple[Action, ...]:
        """Give the defences that go on toward the opponent."""
        return tuple(one.action for one in self.defences if one.continues)

    @property
    def moving(self) -> tuple[Action, ...]:
        """Give the defences that one may move with."""
        return tuple(one.action for one in self.defences if one.moves)

    @property
    def recovering(self) -> tuple[str, ...]:
        """Give the answers after which one may recover from being thrown by this attack."""
        own = [str(one.action) for one in self.defences if self.id in one.recovers]
        return (*own, *(f"with:{one.id}" for one in self.with_)) if own else ()

    @property
    def going(self) -> tuple[Action, ...]:
        """Give the defences that need a move against this attack (GC-13.10)."""
        return tuple(
            one.action for one in self.defences if one.must_move and self.id not in one.still
        )


def cards(offered: Choices) -> tuple[Card, ...]:
    """Make a card for everything that may be answered."""
    confirmed = offered.if_confirmed
    stays = {one.id for one in incoming(confirmed)} if confirmed is not None else set()
    choice = offered.suspended[0].id if len(offered.suspended) == 1 else ""
    allies = {one.attack.id: one for one in offered.at_allies}
    made: list[Card] = []
    for one in incoming(offered):
        by = one.attacker if isinstance(one, Incoming) else one.actor
        defences = tuple(way for way in offered.defences if one.id in way.against)
        if one.id in allies and not defences:
            continue
        made.append(
            Card(
                id=one.id,
                attack=one if isinstance(one, Incoming) else None,
                pending=one if isinstance(one, Pending) else None,
                ally=allies.get(one.id),
                name=one.tool.name if one.tool is not None else "",
                by=by,
                defences=defences,
                hands=tuple(_hands(defences)),
                blow=blow_of(
                    f"answers.{one.id}.with.attacks",
                    (way for way in offered.attacks if way.target == by),
                    lambda way: quote(way.tool.id),
                    people_in(offered),
                ),
                with_=tuple(_shared(made, one.id)),
                toward=(),
                only_if=f"suspended.{choice}=annul" if choice and one.id not in stays else "",
            )
        )
    return tuple(replace(card, toward=_goes_toward(card, made)) for card in made)


def _shared(made: Iterable[Card], id: str) -> Iterator[Shared]:
    """Go through the earlier cards whose defence may answer this action as well (GC-2.10)."""
    for number, earlier in enumerate(made, start=1):
        ways = (way for way in earlier.defences if id in (*way.against, *way.beside))
        actions = tuple(way.action for way in ways)
        if actions:
            yield Shared(number, earlier.id, earlier.name, actions)


def _goes_toward(card: Card, made: Iterable[Card]) -> tuple[str, ...]:
    """List whom a counterattack may go on toward, if it meets others as well (GC-14.2)."""
    joined = (
        one.by
        for one in made
        for shared in one.with_
        if shared.id == card.id and set(shared.actions) & set(card.counters)
    )
    others = tuple(dict.fromkeys(by for by in joined if by != card.by))
    return (card.by, *others) if others else ()


def _hands(defences: tuple[DefenceChoice, ...]) -> Iterator[Hand]:
    """Group defences by the use of what they are made with: each use has one field."""
    made = [one for one in defences if one.tools or one.after_move]
    for use in dict.fromkeys(use_of(one) for one in made):
        ways = [one for one in made if use_of(one) == use]
        yield Hand(
            use=str(use),
            actions=tuple(one.action for one in ways),
            tools=_gathered(tool for one in ways for tool in one.tools),
            far=ways[0].after_move,
            bare=all(one.bare for one in ways),
        )


def _gathered(tools: Iterable[ToolChoice]) -> tuple[ToolChoice, ...]:
    """List each tool once; it throws back if it does so with any of the defences."""
    found: dict[str, ToolChoice] = {}
    for tool in tools:
        known = found.get(tool.id)
        found[tool.id] = replace(tool, knocks=tool.knocks or (known is not None and known.knocks))
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Target:
    """One opponent and the ways to attack it."""

    id: str
    name: str
    blind: bool
    ways: tuple[AttackChoice, ...]


def targets(offered: Choices) -> tuple[Target, ...]:
    """Group the ways to attack by opponent."""
    ids = dict.fromkeys(choice.target for choice in offered.attacks)
    return tuple(
        Target(id=id, name=ways[0].target_name, blind=ways[0].blind, ways=ways)
        for id in ids
        for ways in [tuple(choice for choice in offered.attacks if choice.target == id)]
    )


@dataclass(frozen=True, slots=True)
class Plan:
    """A technique that creates a control area, and the areas of one's own that it may feed."""

    tool: str
    name: str
    feeds: tuple[tuple[str, str], ...]

    @property
    def spelled(self) -> tuple[str, ...]:
        """Give what fields hold that choose the technique: its id, in one spelling or another."""
        return (self.tool, quote(self.tool), f"/{quote(self.tool, safe='')}")


def plans(offered: Choices) -> tuple[Plan, ...]:
    """List the techniques whose areas one may place (GC-12.10), whatever they are used for."""
    creating = {tool.id: tool.name for tool in tools_in(offered) if tool.creates_area}
    return tuple(
        Plan(
            tool=id,
            name=name,
            feeds=tuple((area.id, area.name) for area in offered.areas if id in area.fed_with),
        )
        for id, name in creating.items()
    )
