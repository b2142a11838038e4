"""How a scene begins, from nothing or in mid-fight, and what a sound set-up and sheet are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, SPECTATOR
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
    Running,
    UseCount,
)
from app.rulesets.guida.conditions import apply_stacks
from app.rulesets.guida.constraints import check_binding
from app.rulesets.guida.effects import riders_of
from app.rulesets.guida.entrants import Entrant, PointsNow
from app.rulesets.guida.midfight import check_held, hold
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.readings import (
    ExtraStats,
)
from app.rulesets.guida.rulings import (
    Place,
)
from app.rulesets.guida.sheet import Sheet, StatPoints
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.success import counted_use
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action
from app.rulesets.guida.underway import (
    Incoming,
)
from app.rulesets.guida.uses import check_aim, usable


def check_setup(setup: Setup) -> tuple[Obstacle, ...]:
    """List everything that keeps a scene from being opened."""
    return tuple(_obstacles(setup))


def check_sheet(sheet: Sheet, field: str, options: Options) -> Iterator[Violation]:
    """List what is wrong with a sheet in itself; missing numbers matter only when they are used."""
    for index, extra in enumerate(sheet.stats.extra):
        if options.extra_stats is ExtraStats.REJECT:
            at = f"{field}.stats.extra.{index}"
            yield Violation("GC-1.3", "extra_stat", at, {"stat": extra.name, "bearer": sheet.name})
    seen: set[str] = set()
    for index, tool in enumerate(sheet.tools):
        at = f"{field}.tools.{index}"
        if tool.id in seen:
            yield Violation("GC-3.6", "tool_id_repeated", f"{at}.id", {"tool": tool.id})
        seen.add(tool.id)
        if tool.max_m is not None and tool.max_m < tool.optimal_m:
            facts: Facts = {"tool": tool.name, "optimal_m": tool.optimal_m, "max_m": tool.max_m}
            yield Violation("GC-4.6", "range_below_optimal", f"{at}.max_m", facts)


def check_regulation(regulation: Regulation, field: str) -> Iterator[Violation]:
    """List what is wrong with a board's regulation."""
    ladder = regulation.range_ladder_m
    if list(ladder) != sorted(set(ladder)) or ladder[0] < 1:
        yield Violation("AMB-26", "ladder_not_ascending", f"{field}.range_ladder_m")


def check_entrant(entrant: Entrant, options: Options, field: str) -> Iterator[Violation]:
    """List what is wrong with the sheet of an entrant and with the uses it comes with."""
    yield from check_sheet(entrant.sheet, f"{field}.sheet", options)
    for place, use in enumerate(entrant.uses):
        if entrant.sheet.tool(use.tool) is None:
            facts: Facts = {"tool": use.tool}
            yield Violation("GC-4.31", "tool_not_on_sheet", f"{field}.uses.{place}", facts)


def check_master(
    entrant: Entrant, people: Sequence[Entrant | Combatant], field: str
) -> Iterator[Violation]:
    """List why nobody can be the subordinate of whom an entrant names (GC-2.19)."""
    if entrant.master is None:
        return
    facts: Facts = {"id": entrant.master}
    master = next((one for one in people if one.id == entrant.master), None)
    if master is None or master.id == entrant.id:
        yield Violation("GC-2.19", "unknown_combatant", field, facts)
    elif master.team != entrant.team:
        yield Violation("GC-2.19", "master_not_of_team", field, facts)
    elif master.master is not None:
        yield Violation("GC-2.19", "master_is_subordinate", field, facts)


def check_place(scene: Scene, order: Place) -> Iterator[Violation]:
    """List what is wrong with a correction of distances and of who is behind whom."""
    ids = tuple(one.id for one in scene.combatants)
    centres = {id for one in order.distances for id in (one.a, one.b) if scene.area(id)}
    yield from check_distances((*ids, *centres), order.distances)
    for index, distance in enumerate(order.distances):
        if {distance.a, distance.b} <= centres:
            facts: Facts = {"a": distance.a, "b": distance.b}
            yield Violation("GC-12.1", "areas_keep_no_distance", f"distances.{index}", facts)
    yield from check_behind(ids, order.behind or ())
    yield from check_hidden(scene.combatants, order.hidden or ())
    if not order.distances and order.behind is None and order.hidden is None:
        yield Violation("GC-4.8", "nothing_placed", "distances")


def start(setup: Setup) -> Scene:
    """Make the first state of a set-up that ``check_setup`` found nothing against."""
    scene = Scene(
        options=setup.options,
        regulation=setup.regulation,
        combatants=tuple(enter(setup.options, entrant) for entrant in setup.entrants),
        distances=frozenset(setup.distances),
        behind=frozenset(setup.behind),
        hidden=frozenset(setup.hidden),
        next=setup.first or setup.entrants[0].id,
    )
    for entrant in setup.entrants:
        scene = hold(scene, entrant)
    for underway in setup.underway:
        scene = _take_up(scene, underway)
    return scene


def _obstacles(setup: Setup) -> Iterator[Obstacle]:
    ids = tuple(entrant.id for entrant in setup.entrants)
    for index, entrant in enumerate(setup.entrants):
        field = f"entrants.{index}"
        if entrant.id in ids[:index] or entrant.id in (GM, SPECTATOR):
            yield Violation("GC-2.1", "id_taken", f"{field}.id", {"id": entrant.id})
        yield from check_entrant(entrant, setup.options, field)
        yield from check_held(ids, entrant, field)
        yield from check_master(entrant, setup.entrants, f"{field}.master")
    if len({entrant.team for entrant in setup.entrants}) < 2:
        yield Violation("GC-2.7", "one_team_only", "entrants")
    yield from check_distances(ids, setup.distances)
    for one, other in combinations(dict.fromkeys(ids), 2):
        if not any(distance.joins(one, other) for distance in setup.distances):
            facts: Facts = {"a": one, "b": other}
            yield Violation("GC-4.8", "distance_missing", "distances", facts)
    yield from check_behind(ids, setup.behind)
    yield from check_hidden(setup.entrants, setup.hidden)
    if setup.first is not None and setup.first not in ids:
        yield Violation("GC-2.2", "unknown_combatant", "first", {"id": setup.first})
    yield from check_regulation(setup.regulation, "regulation")
    for index, underway in enumerate(setup.underway):
        yield from _underway(setup, underway, f"underway.{index}")


def check_distances(ids: tuple[str, ...], distances: tuple[Distance, ...]) -> Iterator[Violation]:
    """List distances between places that are unknown, the same, or named twice (GC-4.8)."""
    for index, distance in enumerate(distances):
        field = f"distances.{index}"
        for id in (distance.a, distance.b):
            if id not in ids:
                yield Violation("GC-4.8", "unknown_combatant", field, {"id": id})
        if distance.a == distance.b:
            yield Violation("GC-4.8", "distance_to_self", field, {"id": distance.a})
        elif any(old.joins(distance.a, distance.b) for old in distances[:index]):
            facts: Facts = {"a": distance.a, "b": distance.b}
            yield Violation("GC-4.8", "distance_repeated", field, facts)


def check_behind(ids: tuple[str, ...], behind: tuple[Behind, ...]) -> Iterator[Violation]:
    """List places behind somebody that nobody can have (GC-4.30)."""
    for index, place in enumerate(behind):
        for id in (place.who, place.whom):
            if id not in ids:
                yield Violation("GC-4.30", "unknown_combatant", f"behind.{index}", {"id": id})
        if place.who == place.whom:
            yield Violation("GC-4.30", "behind_self", f"behind.{index}", {"id": place.who})


def check_hidden(
    people: Sequence[Entrant | Combatant], hidden: tuple[Unseen, ...]
) -> Iterator[Violation]:
    """List pairs in which one cannot be hidden from the other (GC-9.1)."""
    teams = {one.id: one.team for one in people}
    for index, pair in enumerate(hidden):
        for id in (pair.who, pair.observer):
            if id not in teams:
                yield Violation("GC-9.1", "unknown_combatant", f"hidden.{index}", {"id": id})
        sides = [teams[id] for id in (pair.who, pair.observer) if id in teams]
        if len(sides) == 2 and sides[0] == sides[1]:
            yield Violation("GC-9.1", "hidden_from_own_team", f"hidden.{index}", {"id": pair.who})


def _underway(setup: Setup, underway: Underway, field: str) -> Iterator[Violation]:
    entrants = {entrant.id: entrant for entrant in setup.entrants}
    for key, id in (("attacker", underway.attacker), ("target", underway.target)):
        if id not in entrants:
            yield Violation("GC-2.7", "unknown_combatant", f"{field}.{key}", {"id": id})
    teams = [entrants[id].team for id in (underway.attacker, underway.target) if id in entrants]
    if len(teams) == 2 and teams[0] == teams[1]:
        facts: Facts = {"id": underway.target}
        yield Violation("GC-4.45", "target_not_opponent", f"{field}.target", facts)
    sides = ACTION_DIE[Action.ATTACK] or 0
    if not 1 <= underway.die <= sides:
        facts = {"die": underway.die, "sides": sides}
        yield Violation("GC-4.34", "die_out_of_range", f"{field}.die", facts)
    if underway.attacker in entrants:
        tool = entrants[underway.attacker].sheet.tool(underway.tool)
        if tool is None:
            facts = {"tool": underway.tool}
            yield Violation("GC-3.6", "tool_not_on_sheet", f"{field}.tool", facts)
        else:
            yield from usable(setup.regulation, tool, f"{field}.tool", "attacks")
            yield from check_binding(setup.regulation, tool, (), f"{field}.tool", f"{field}.tool")
            yield from check_aim(setup.options, tool, underway.aim, underway.limb, field)


def enter(options: Options, entrant: Entrant) -> Combatant:
    """Make a combatant of an entrant, its stacks and bonus points on it already."""
    sheet = entrant.sheet
    combatant = Combatant(
        id=entrant.id,
        team=entrant.team,
        sheet=sheet,
        hp=sheet.max_hp if entrant.hp is None else entrant.hp,
        ep=sheet.max_ep if entrant.ep is None else entrant.ep,
        uses=tuple(UseCount(tool=use.tool, opponent="", count=use.count) for use in entrant.uses),
        effects=tuple(_running(entrant.id, *one) for one in enumerate(entrant.points)),
        armour_down=entrant.armour_down,
        master=entrant.master,
        npc=entrant.npc,
    )
    for held in entrant.stacks:
        combatant = apply_stacks(options, combatant, held.stack, held.count)
    return combatant


def _running(id: str, place: int, held: PointsNow) -> Running:
    """Let points that an entrant comes with go on from its next turn."""
    return Running(
        effect=StatPoints(stat=held.stat, points=held.points, turns=held.turns),
        name=held.name,
        tool=f"before-{place}",
        user=id,
        since=0,
        until=held.turns,
    )


def _take_up(scene: Scene, underway: Underway) -> Scene:
    """Put an attack that was launched before into the scene, with the modifier it had then."""
    scene = replace(scene, posts=scene.posts + 1)
    attacker = scene.who(underway.attacker)
    tool = attacker.sheet.tool(underway.tool)
    if tool is None:
        raise ValueError(f"{underway.tool} is not on the sheet; check_setup comes first")
    power = tally_power(scene.options, scene.regulation, attacker, tool)
    incoming = Incoming(
        id=f"a{scene.posts}",
        attacker=underway.attacker,
        target=underway.target,
        tool=tool,
        potential=power.potential,
        stat_bonus=power.stat_bonus,
        power=power.tally,
        category=power.category,
        die=underway.die,
        hit=Tally((Term("GC-4.1", "as_declared", Fraction(underway.modifier)),)),
        aim=underway.aim,
        limb=underway.limb,
        use=counted_use(scene.options, tool, max(0, attacker.uses_of(tool.id) - 1)),
        prefers=underway.prefers,
        riders=riders_of((tool,)),
    )
    return replace(scene, incoming=(*scene.incoming, incoming))
