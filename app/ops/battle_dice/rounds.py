"""Army lists, one turn of a battle, and the morale test by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from app.engine.findings import Finding
from app.engine.ruleset import GM
from app.engine.tally import Tally
from app.ops.battle_dice.wire import (
    SEATS,
    allowed,
    begun,
    read,
    read_entrant,
    read_options,
    read_policy,
)
from app.ops.drawn import QueueDice
from app.ops.given import CaseError, Given
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.morale import settle_morale
from app.rulesets.battle_dice.orders import Army, Counts, Deadline, Order, Turn
from app.rulesets.battle_dice.state import Battle, Entrant, Setup, Side
from app.rulesets.battle_dice.terms import End, Kind, Pool

SMALL_WORDS: Final = {"the": "the", "and": "&", "choice": "choice"}


def army_lists(given: Given) -> dict[str, object]:
    """Hold two army lists against each other."""
    options = read_options(given, army_size=None)
    totals: dict[str, int] = {}
    entrants: list[Entrant] = []
    for seat in SEATS:
        part = given.part(seat)
        army: dict[str, object] = {"units": part.raw("units") or {}, "heroes": part.items("heroes")}
        if part.has("custom"):
            army["custom"] = part.raw("custom")
        totals[seat] = read(Counts, army["units"], f"{seat}.units").total
        try:
            entrants.append(Entrant(id=seat, army=read(Army, army, seat)))
        except CaseError:
            continue  # a hero type that nobody knows
    obstacles = (
        BATTLE_DICE.check_setup(Setup(entrants=tuple(entrants), options=options))
        if len(entrants) == len(SEATS)
        else ()
    )
    return {
        "totals": totals,
        "valid": len(entrants) == len(SEATS) and not obstacles,
        "codes": [one.code for one in obstacles],
    }


def morale_test(given: Given) -> dict[str, object]:
    """Hold a count with its modifiers against casualties."""
    test = settle_morale(
        given.whole("count"),
        given.whole("plus", 0),
        given.whole("minus", 0),
        given.whole("casualties"),
    )
    return {"total": test.counted.total, "rout": test.routs}


def one_turn(given: Given) -> dict[str, object]:
    """Play one turn of a battle that is under way, by orders and not by asking."""
    parts = {seat: given.part(seat) for seat in SEATS}
    setup = Setup(
        entrants=tuple(read_entrant(parts[seat], seat) for seat in SEATS),
        turns=0,
        options=read_options(given),
    )
    battle = begun(setup)
    orders = given.part("orders")
    dice = QueueDice.read(given)
    found: list[Finding] = []
    for seat in SEATS:
        order = Turn(by=seat, policy=read_policy(orders.part(seat)))
        battle = _play(battle, order, dice, found)
    while battle.paused is not None:  # BD-A3: what is asked and not answered follows the orders
        battle = _play(battle, Deadline(by=GM), dice, found)
    dice.finish()
    return _told(battle, found)


def _play(battle: Battle, order: Order, dice: QueueDice, found: list[Finding]) -> Battle:
    resolution = BATTLE_DICE.resolve(battle, allowed(battle, order), dice.decision())
    found += resolution.findings
    return resolution.state


@dataclass
class _Read:
    """What the findings of a turn come to, in the words of the cases."""

    heroic: dict[str, object] = field(default_factory=lambda: dict.fromkeys(SEATS, 0))
    points: dict[str, dict[str, object]] = field(default_factory=dict)
    hits: dict[str, dict[str, object]] = field(default_factory=dict)
    casualties: dict[str, object] = field(default_factory=dict)
    tests: list[dict[str, object]] = field(default_factory=list)
    untested: bool = False


def _told(battle: Battle, found: Iterable[Finding]) -> dict[str, object]:
    found = tuple(found)
    told = _Read()
    for one in found:
        _note(told, one)
    morale: dict[str, object] | None = {"tester": None} if told.untested else None
    if told.tests:
        morale = dict(told.tests[0], also=told.tests[1:])
    sides = dict(zip(SEATS, battle.sides, strict=True))
    return {
        "result": result_of(battle),
        "heroic": told.heroic,
        "points": told.points,
        "hits": told.hits,
        "casualties": told.casualties,
        "units": {seat: units_of(side) for seat, side in sides.items()},
        "total": {seat: side.total for seat, side in sides.items()},
        "ignore": {seat: side.ignore for seat, side in sides.items()},
        "carry_manoeuvre": {seat: side.carry for seat, side in sides.items()},
        "morale": morale,
        "events": [text for one in found for text in _events(one)],
    }


def _note(told: _Read, one: Finding) -> None:
    facts, side = one.facts, str(one.facts.get("side"))
    match one.key:
        case "heroic_points":
            told.heroic[side] = facts["points"]
        case "points_compared":
            pool = Pool(str(facts["pool"])).removesuffix("_points")
            told.points[pool] = {
                seat: total(facts[place])
                for seat, place in zip(SEATS, ("first_points", "second_points"), strict=True)
            }
        case "hits":
            told.hits.setdefault(str(facts["step"]), {})[side] = total(facts["hits"])
        case "army_after":
            told.casualties[side] = facts["casualties"]
        case "no_morale_test":
            told.untested = True
        case "morale_tested":
            names = ("count", "plus", "minus", "total", "needed")
            test = {name: facts[name] for name in names}
            told.tests.append({"tester": side, **test, "rout": facts["routs"]})
        case _:
            pass  # everything else shows in the armies or is an event


def _events(one: Finding) -> Iterator[str]:
    facts, side = one.facts, one.facts.get("side")
    match one.key:
        case "hero_deserts":
            yield f"{side} hero deserts"
        case "row_rolled" | "row_chosen":
            yield f"{side} {row_name(str(facts['row']))}"
        case "custom_row_rolled":
            yield f"{side} {facts['name']}"
        case "casualties_ignored":
            yield from [f"{side} ignores a casualty"] * int(str(facts["count"]))
        case "die_controlled":
            yield f"{side} controls {facts['kind']}"
        case "result_to_one":
            yield f"{side} {facts['kind']} {facts['before']}->1"
        case "dice_restored":
            yield f"{side} restores {facts['count']}"
        case "dice_summoned":
            yield f"{side} summons {facts['count']} {facts['kind']}"
        case "vampire_gained":
            yield f"{side} gains a vampire"
        case "first_in":
            yield f"{side} first in {facts['step']}"
        case _:
            pass  # points, hits, losses and morale are no events


def result_of(battle: Battle) -> str:
    """Say how a battle stands."""
    if battle.ended is None:
        return "continue"
    if battle.ended.how is End.CLOSED:
        return "closed"
    if battle.ended.winner is None:
        return "draw"
    how = {End.TURN_CAP: "cap"}.get(battle.ended.how, battle.ended.how)
    return f"{battle.ended.winner} wins ({how})"


def units_of(side: Side) -> dict[str, object]:
    """Count living dice by kind, only kinds that are there."""
    return {kind: side.count(kind) for kind in Kind if side.count(kind)}


def row_name(key: str) -> str:
    """Give the English name of a row: ``tactical_lead_the_charge`` is Lead the Charge."""
    known = ("elf_lord", "orc_chief", "dwarf_king")
    table = next((one for one in known if key.startswith(f"{one}_")), key.split("_")[0])
    words = key.removeprefix(f"{table}_").split("_")
    return " ".join(SMALL_WORDS.get(word, word.capitalize()) for word in words)


def total(fact: object) -> object:
    """Give the total of a sum."""
    return fact.total if isinstance(fact, Tally) else fact
