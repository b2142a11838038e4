"""Armies: what a sound list is, how a battle begins, and how secret lists are revealed (1.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from app.engine.findings import Facts, Finding, Obstacle, Violation
from app.engine.ruleset import GM, SPECTATOR
from app.rulesets.battle_dice.field import OWN_TABLE
from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import Army, Counts, CustomTable
from app.rulesets.battle_dice.state import Battle, Entrant, Setup, Side, Troop
from app.rulesets.battle_dice.tables import HERO_POWERS
from app.rulesets.battle_dice.terms import Kind


def check_setup(setup: Setup) -> tuple[Obstacle, ...]:
    """List everything that keeps a battle from being opened."""
    return tuple(_obstacles(setup))


def start(setup: Setup) -> Battle:
    """Make the first state of a set-up that ``check_setup`` found nothing against."""
    battle = Battle(
        options=setup.options,
        sides=tuple(_side(entrant) for entrant in setup.entrants),
        turn=(setup.turns or 0) + 1,
    )
    for place, entrant in enumerate(setup.entrants):
        if entrant.army is not None:
            battle = _raise(battle, place, entrant.army)
            side = battle.sides[place]
            lost = troops_of(entrant.lost, side.hero)
            battle = battle.put(place, replace(side, lost=lost))
    return battle


def check_army(army: Army, options: Options, field: str) -> Iterator[Violation]:
    """List what is wrong with an army list in itself (BD-9, BD-10)."""
    total = army.units.total
    if not total:
        yield Violation("BD-9", "army_empty", f"{field}.units")
    elif options.army_size is not None and total != options.army_size:
        size: Facts = {"total": total, "wanted": options.army_size}
        yield Violation("BD-9", "army_size_wrong", f"{field}.units", size)
    yield from _check_heroes(army, options, field)
    if army.custom is not None:
        yield from _check_custom(army.custom, options, f"{field}.custom")


def check_equal(one: int, other: int, field: str) -> Iterator[Violation]:
    """Refuse armies of different numbers of dice (BD-9); the kinds may differ."""
    if one != other:
        facts: Facts = {"total": one, "wanted": other}
        yield Violation("BD-9", "armies_unequal", field, facts)


def reveal(battle: Battle) -> tuple[Battle, tuple[Finding, ...]]:
    """Show both lists as soon as both are in; before that, none of them."""
    ready = [side.mustered is not None or bool(side.troops) for side in battle.sides]
    if not all(ready):
        return battle, ()
    found: list[Finding] = []
    for place, side in enumerate(battle.sides):
        if side.mustered is None:
            continue
        battle = _raise(battle, place, side.mustered)
        shown = battle.sides[place]
        units = tuple(f"{one.kind.upper()} ×{one.count}" for one in shown.troops)
        own = side.mustered.custom
        found.append(
            Finding(
                "BD-9",
                "army_revealed",
                {
                    "side": side.name,
                    "units": units,
                    "total": shown.total,
                    "hero": "" if own else shown.hero,
                    "custom": own.name if own else "",
                },
            )
        )
    return battle, tuple(found)


def troops_of(units: Counts, hero: str) -> tuple[Troop, ...]:
    """Give the dice of a list, kind by kind."""
    return tuple(
        Troop(kind=kind, hero=hero if kind is Kind.D20 else "", count=units.of(kind))
        for kind in Kind
        if units.of(kind)
    )


def _obstacles(setup: Setup) -> Iterator[Obstacle]:
    seats = [entrant.id for entrant in setup.entrants]
    for index, entrant in enumerate(setup.entrants):
        field = f"entrants.{index}"
        if entrant.id in seats[:index] or entrant.id in (GM, SPECTATOR):
            yield Violation("BD-1", "id_taken", f"{field}.id", {"id": entrant.id})
        if entrant.army is not None:
            options = setup.options
            if setup.turns is not None:  # BD-9 is about how a battle begins
                options = replace(options, army_size=None, max_heroes=None)
            yield from check_army(entrant.army, options, f"{field}.army")
            if entrant.lost.d20 and not entrant.army.units.d20:
                yield from _check_type(entrant.army, f"{field}.army.heroes")
    armies = [entrant.army for entrant in setup.entrants if entrant.army is not None]
    if len(armies) == 1:
        yield Violation("BD-9", "one_army_only", "entrants")
    elif len(armies) == 2 and setup.turns is None:
        one, other = armies
        yield from check_equal(one.units.total, other.units.total, "entrants.1.army.units")


def _check_heroes(army: Army, options: Options, field: str) -> Iterator[Violation]:
    types = len(set(army.heroes)) + (army.custom is not None)
    if types > 1:  # BD-10
        yield Violation("BD-10", "two_hero_types", f"{field}.heroes", {"count": types})
    if army.units.d20:
        yield from _check_type(army, f"{field}.heroes")
    if options.max_heroes is not None and army.units.d20 > options.max_heroes:
        facts: Facts = {"count": army.units.d20, "most": options.max_heroes}
        yield Violation("AMB-BD-25", "too_many_heroes", f"{field}.units.d20", facts)


def _check_type(army: Army, field: str) -> Iterator[Violation]:
    if not army.heroes and army.custom is None:
        yield Violation("BD-10", "hero_type_missing", field)


def _check_custom(table: CustomTable, options: Options, field: str) -> Iterator[Violation]:
    """List what is wrong with a table of the players' own: it must cover its die (AMB-BD-24)."""
    if not options.custom_heroes:
        yield Violation("AMB-BD-24", "custom_heroes_off", field)
        return
    faces = [face for row in table.rows for face in range(row.low, row.high + 1)]
    if sorted(faces) != list(range(1, table.die.sides + 1)):
        facts: Facts = {"sides": table.die.sides}
        yield Violation("AMB-BD-24", "table_not_exact", f"{field}.rows", facts)
    for index, row in enumerate(table.rows):
        if row.power not in HERO_POWERS:
            power: Facts = {"power": row.power}
            yield Violation("AMB-BD-24", "not_a_hero_power", f"{field}.rows.{index}", power)


def _side(entrant: Entrant) -> Side:
    return Side(
        id=entrant.id,
        name=entrant.name or entrant.id,
        ignore=entrant.ignore,
        carry=entrant.carry_manoeuvre,
    )


def _raise(battle: Battle, place: int, army: Army) -> Battle:
    """Raise an army from its list."""
    own = f"{OWN_TABLE}{place}" if army.custom else ""
    hero = own or (army.heroes[0] if army.heroes else "")
    side = replace(
        battle.sides[place],
        hero=hero,
        custom=army.custom,
        troops=troops_of(army.units, hero),
        mustered=None,
    )
    return battle.put(place, side)
