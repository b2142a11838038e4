"""What the turn form shows of a turn that is open: a card for each incoming action, the targets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from app.rulesets.guida.legality import MADE_WITH
from app.rulesets.guida.offers import AttackChoice, Choices, DefenceChoice, FarChoice, ToolChoice
from app.rulesets.guida.state import Incoming, Pending, launched_as
from app.rulesets.guida.terms import Action, Claim


def incoming(offered: Choices) -> tuple[Incoming | Pending, ...]:
    """List attacks and generic actions to be answered, in the order of the story."""
    both: list[Incoming | Pending] = [*offered.incoming, *offered.pending]
    return tuple(sorted(both, key=lambda one: launched_as(one.id)))


@dataclass(frozen=True, slots=True)
class Hand:
    """What some of the defences of a card are made with."""

    use: str
    actions: tuple[Action, ...]
    tools: tuple[ToolChoice, ...]
    far: tuple[FarChoice, ...]
    bare: bool

    @property
    def aimed(self) -> tuple[str, ...]:
        """Give the ids of what may be aimed."""
        every = (*self.tools, *(one.tool for one in self.far))
        return tuple(tool.id for tool in every if len(tool.aims) > 1)


@dataclass(frozen=True, slots=True)
class Card:
    """One incoming action and the ways to answer it.

    ``with_`` are earlier cards whose defence may cover it too; ``only_if`` is the choice on a
    suspended action without which it is not there to be answered.
    """

    id: str
    attack: Incoming | None
    pending: Pending | None
    name: str
    by: str
    defences: tuple[DefenceChoice, ...]
    hands: tuple[Hand, ...]
    claims: tuple[Claim, ...]
    with_: tuple[tuple[str, str], ...]
    only_if: str

    @property
    def counters(self) -> tuple[Action, ...]:
        """Give the defences that go on toward the opponent."""
        return tuple(one.action for one in self.defences if one.continues)

    @property
    def moving(self) -> tuple[Action, ...]:
        """Give the defences that one may move with."""
        return tuple(one.action for one in self.defences if one.moves)


def cards(offered: Choices) -> tuple[Card, ...]:
    """Make a card for everything to be answered."""
    confirmed = offered.if_confirmed
    stays = {one.id for one in incoming(confirmed)} if confirmed is not None else set()
    choice = offered.suspended[0].id if len(offered.suspended) == 1 else ""
    made: list[Card] = []
    for one in incoming(offered):
        attack = one if isinstance(one, Incoming) else None
        pending = one if isinstance(one, Pending) else None
        by = one.attacker if isinstance(one, Incoming) else one.actor
        defences = tuple(way for way in offered.defences if one.id in way.against)
        claims = [way.claims for way in offered.attacks if way.target == by]
        made.append(
            Card(
                id=one.id,
                attack=attack,
                pending=pending,
                name=one.tool.name if one.tool is not None else "",
                by=by,
                defences=defences,
                hands=tuple(_hands(defences)),
                claims=claims[0] if claims else (Claim.SURPRISE,),
                with_=tuple(
                    (earlier.id, earlier.name)
                    for earlier in made
                    if (earlier.pending is None) is (pending is None)
                ),
                only_if=f"suspended.{choice}=annul" if choice and one.id not in stays else "",
            )
        )
    return tuple(made)


def _hands(defences: tuple[DefenceChoice, ...]) -> Iterator[Hand]:
    """Group defences by the use of what they are made with: each use has one field."""
    made = [one for one in defences if one.tools or one.after_move]
    for use in dict.fromkeys(MADE_WITH[one.action] for one in made):
        ways = [one for one in made if MADE_WITH[one.action] == use]
        actions = tuple(one.action for one in ways)
        bare = all(one.bare for one in ways)
        yield Hand(str(use), actions, ways[0].tools, ways[0].after_move, bare)


@dataclass(frozen=True, slots=True)
class Target:
    """One opponent and the ways to attack it."""

    id: str
    name: str
    ways: tuple[AttackChoice, ...]


def targets(offered: Choices) -> tuple[Target, ...]:
    """Group the ways to attack by opponent."""
    ids = dict.fromkeys(choice.target for choice in offered.attacks)
    return tuple(
        Target(id=id, name=ways[0].target_name, ways=ways)
        for id in ids
        for ways in [tuple(choice for choice in offered.attacks if choice.target == id)]
    )
