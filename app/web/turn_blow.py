"""What may be declared of a blow, be it an attack or a counterattack that goes on: its extras."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from app.rulesets.guida.offers import AttackChoice, Choices

Naming: TypeAlias = Callable[[AttackChoice], str]


@dataclass(frozen=True, slots=True)
class Extra:
    """Something a blow may be declared with, and the choices of a field that allow it."""

    id: str
    name: str
    when: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Blow:
    """What some ways to attack can take; ``made`` is the field of the form that chooses one.

    Each part lists the choices with which it may be declared: it shows with these and no others.
    """

    made: str
    any: tuple[str, ...]
    aimed: tuple[str, ...]
    claims: tuple[Extra, ...]
    also: tuple[Extra, ...]
    limits: tuple[Extra, ...]
    binds: tuple[Extra, ...]
    knocks: tuple[str, ...]
    knocks_free: tuple[str, ...]
    prefers: tuple[Extra, ...]
    frees: tuple[str, ...]
    destroys: tuple[str, ...]
    blind: tuple[str, ...]

    @property
    def more(self) -> tuple[str, ...]:
        """List the choices with which there is more to declare than aim and targets."""
        every = (*self.binds, *self.prefers)
        return tuple(
            dict.fromkeys((*self.knocks, *self.frees, *(id for one in every for id in one.when)))
        )


def blow_of(
    made: str, ways: Iterable[AttackChoice], name: Naming, people: Mapping[str, str]
) -> Blow:
    """Gather what some ways to attack can take; ``name`` spells a way in the field ``made``."""
    named = {name(way): way for way in ways}

    def extras(of: Callable[[AttackChoice], Iterable[str]]) -> tuple[Extra, ...]:
        ids = dict.fromkeys(str(id) for way in named.values() for id in of(way))
        return tuple(
            Extra(id, people.get(id, id), tuple(one for one, way in named.items() if id in of(way)))
            for id in ids
        )

    def when(test: Callable[[AttackChoice], bool]) -> tuple[str, ...]:
        return tuple(one for one, way in named.items() if test(way))

    return Blow(
        made=made,
        any=tuple(named),
        aimed=when(lambda way: len(way.aims) > 1),
        claims=extras(lambda way: way.claims),
        also=extras(lambda way: way.also),
        limits=extras(_limit),
        binds=extras(lambda way: way.tool.binds),
        knocks=when(lambda way: way.tool.knocks),
        knocks_free=when(lambda way: way.tool.knocks and way.tool.knocks_free),
        # Of one kind of stacks there is nothing to put first.
        prefers=extras(lambda way: way.tool.transient if len(way.tool.transient) > 1 else ()),
        frees=when(lambda way: way.tool.frees),
        destroys=when(lambda way: way.tool.destroys),
        blind=when(lambda way: way.blind),
    )


def _limit(way: AttackChoice) -> tuple[str, ...]:
    return (str(way.most_targets),) if way.also and way.most_targets else ()


def main_blow(offered: Choices) -> Blow:
    """Gather what the attack of the Offensive Phase can take."""
    return blow_of(
        "main.pick",
        offered.attacks,
        lambda way: pick(way.target, way.tool.id),
        people_in(offered),
    )


def people_in(offered: Choices) -> Mapping[str, str]:
    """Name everybody who may be attacked."""
    return {way.target: way.target_name for way in offered.attacks}


def pick(target: str, tool: str) -> str:
    """Name one way to attack in a form: whom, and with what."""
    return f"{quote(target, safe='')}/{quote(tool, safe='')}"


def way_picked(offered: Choices, chosen: str) -> AttackChoice | None:
    """Find the way to attack that a form names."""
    return next((one for one in offered.attacks if pick(one.target, one.tool.id) == chosen), None)


def way_toward(offered: Choices, opponent: str, tool: str) -> AttackChoice | None:
    """Find the way to attack an opponent with a weapon or technique."""
    return next(
        (one for one in offered.attacks if (one.target, one.tool.id) == (opponent, tool)), None
    )
