"""A scene as it stands: who is in it, where, with what coming at them and what to record."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated

from app.engine.findings import Question
from app.engine.text import Count, Id, Length, Points
from app.rulesets.guida.combatants import (
    Combatant,
    Line,
)
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.terms import (
    Aim,
    Limb,
    Stack,
)
from app.rulesets.guida.underway import (
    Concentration,
    ControlArea,
    Incoming,
    Landed,
    Pending,
    Ruled,
    Second,
    Throw,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Underway:
    """An attack launched before the scene is taken up here: natural die and modifier."""

    attacker: Id
    target: Id
    tool: Id
    die: Count
    modifier: Points
    aim: Aim = Aim.BODY
    limb: Limb | None = None
    prefers: Annotated[tuple[Stack, ...], Length(0, 2)] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """Everything a scene starts from; options and regulation are the board's, copied."""

    entrants: Annotated[tuple[Entrant, ...], Length(2, 12)]
    distances: Annotated[tuple[Distance, ...], Length(0, 200)] = ()
    behind: Annotated[tuple[Behind, ...], Length(0, 200)] = ()
    hidden: Annotated[tuple[Unseen, ...], Length(0, 200)] = ()
    underway: Annotated[tuple[Underway, ...], Length(0, 40)] = ()
    first: Id | None = None
    options: Options = Options()
    regulation: Regulation = Regulation()


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The whole state of a fight.

    ``posts`` numbers attacks and ``proposals`` numbers players' own lines: neither moves when a
    Master's order is put in front of a post, so an answer given before still names the same thing.
    ``serial`` numbers lines, which nothing outside the state names.
    ``hidden`` are those who got out of somebody's sight (GC-9.3); ``located`` those who are known
    to an observer that cannot see them, in smoke or blinded (GC-14.27).
    """

    options: Options
    regulation: Regulation
    combatants: tuple[Combatant, ...]
    distances: frozenset[Distance]
    behind: frozenset[Behind]
    next: str
    incoming: tuple[Incoming, ...] = ()
    pending: tuple[Pending, ...] = ()
    questions: tuple[Question, ...] = ()
    ruled: tuple[Ruled, ...] = ()
    landed: tuple[Landed, ...] = ()
    areas: tuple[ControlArea, ...] = ()
    throws: tuple[Throw, ...] = ()
    seconds: tuple[Second, ...] = ()
    hidden: frozenset[Unseen] = frozenset()
    located: frozenset[Unseen] = frozenset()
    concentration: tuple[Concentration, ...] = ()
    serial: int = 0
    posts: int = 0
    proposals: int = 0
    paused: bool = False
    ended: bool = False

    def who(self, id: str) -> Combatant:
        """Find a combatant by id; raise KeyError if there is none."""
        for combatant in self.combatants:
            if combatant.id == id:
                return combatant
        raise KeyError(id)

    def has(self, id: str) -> bool:
        """Say whether a combatant of this id is in the scene."""
        return any(combatant.id == id for combatant in self.combatants)

    def area(self, id: str) -> ControlArea | None:
        """Find a control area by its id, formed already or on its way."""
        forming = (one.area for pending in self.pending for one in pending.creates)
        return next((area for area in (*self.areas, *forming) if area.id == id), None)

    def has_place(self, id: str) -> bool:
        """Say whether distances to this id are kept: a combatant's, or an area's centre."""
        return self.has(id) or self.area(id) is not None

    def name_of(self, id: str) -> str:
        """Name what stands at a place: a combatant, or the control area whose centre it is."""
        area = self.area(id)
        return area.name if area is not None else self.who(id).sheet.name

    def put(self, *changed: Combatant) -> Scene:
        """Return the scene with some combatants changed."""
        by_id = {combatant.id: combatant for combatant in changed}
        return replace(self, combatants=tuple(by_id.get(one.id, one) for one in self.combatants))

    def metres(self, one: str, other: str) -> Fraction:
        """Give the distance between two combatants, in metres."""
        for distance in self.distances:
            if distance.joins(one, other):
                return distance.metres
        raise KeyError((one, other))

    def is_behind(self, who: str, whom: str) -> bool:
        """Say whether ``who`` stands behind ``whom``."""
        return Behind(who=who, whom=whom) in self.behind

    def against(self, target: str) -> tuple[Incoming, ...]:
        """List the attacks coming at a combatant, in the order of the story (GC-2.15)."""
        return tuple(attack for attack in self.incoming if attack.target == target)

    def counterable(self, by: str) -> tuple[Pending, ...]:
        """List the generic actions a combatant may still counter (GC-2.23).

        They open a Defensive Phase by themselves, unless the options say otherwise (AMB-13).
        """
        if not (self.options.generic_action_opens_defensive_phase or self.against(by)):
            return ()
        return tuple(one for one in self.pending if by in one.waits and not one.held)

    def suspended(self, owner: str) -> tuple[Pending, ...]:
        """List a combatant's own suspended actions (GC-4.80)."""
        return tuple(one for one in self.pending if one.actor == owner and one.held)

    def is_engaged(self, id: str) -> bool:
        """Say whether a fight has begun for a combatant: a turn posted, or an attack on its way."""
        return self.who(id).turn > 0 or bool(self.against(id))

    def opponents(self, id: str) -> tuple[Combatant, ...]:
        """List the active combatants of the other teams."""
        team = self.who(id).team
        return tuple(one for one in self.combatants if one.active and one.team != team)

    def placed(self, distances: Iterable[Distance], behind: frozenset[Behind]) -> Scene:
        """Return the scene with these distances changed and exactly these behind one another."""
        new = tuple(distances)
        kept = {old for old in self.distances if not any(old.joins(d.a, d.b) for d in new)}
        return replace(self, distances=frozenset(kept | set(new)), behind=behind)


def launched_as(id: str) -> tuple[int, str]:
    """Give what orders actions under way: the post they were launched in, their place in it."""
    number = id[1:].rstrip("bcdefghijkl")
    return int(number), id[1 + len(number) :]


def add_line(scene: Scene, combatant: str, line: Line) -> Scene:
    """Put a line, under its own number, among those that a combatant has yet to record."""
    number = scene.serial + 1
    bearer = scene.who(combatant)
    lines = (*bearer.lines, replace(line, id=number))
    return replace(scene, serial=number).put(replace(bearer, lines=lines))


def names_of(scene: Scene, attack: Incoming) -> dict[str, str]:
    """Give the names that every sentence about an attack needs."""
    return {
        "attacker": scene.who(attack.attacker).sheet.name,
        "target": scene.who(attack.target).sheet.name,
        "name": attack.tool.name,
    }


def ask(scene: Scene, question: Question) -> Scene:
    """Put a question to the Master (GC-14.5), under an id that no other open question has.

    One post may let the moves of two end behind the same, or two destroy one area: with an id
    shared, one answer would take both questions away.
    """
    id = question.id
    while any(asked.id == id for asked in scene.questions):
        id += "b"
    return replace(scene, questions=(*scene.questions, replace(question, id=id)))
