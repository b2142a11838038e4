"""The solver against the engine, against dice, against itself, and against what must hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from app.engine.dice import Address
from app.engine.tally import Tally, Term
from app.rulesets.warrior_dice import turn as engine
from app.rulesets.warrior_dice.chain import MOST_DICE, Rolled, roll_chain
from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.ranking import Moment
from app.rulesets.warrior_dice.readings import (
    AdderOnForceless,
    AllOutScope,
    AllOutStack,
    BattlefieldBase,
    HealTiming,
    IntruderEvery,
    NeutralizeStack,
    RegainInAttack,
    UnholyFrom,
)
from app.rulesets.warrior_dice.sheet import FaceOption, Warrior
from app.rulesets.warrior_dice.solver.course import run
from app.rulesets.warrior_dice.solver.graph import Graph, Node, Stand, State, turns_of
from app.rulesets.warrior_dice.solver.ladder import Ladder, fits
from app.rulesets.warrior_dice.solver.laws import Book, Roll, Shown
from app.rulesets.warrior_dice.solver.limit import Limit
from app.rulesets.warrior_dice.solver.odds import odds, win_chance
from app.rulesets.warrior_dice.solver.policy import Improver, best_choices
from app.rulesets.warrior_dice.solver.turns import Turns
from app.rulesets.warrior_dice.state import Duel, Midway
from app.rulesets.warrior_dice.telling import Telling
from app.rulesets.warrior_dice.terms import (
    Keep,
    Kind,
    Pace,
    Phase,
    ReforgeOrder,
    Side,
    Stage,
    TradeOrder,
    YieldOrder,
)
from tests.unit.warrior_dice.solving import (
    PAIRS,
    SEATS,
    SlimDuel,
    duel_of,
    standard_errors,
    through_the_engine,
)

EXACT = 1e-9
CAP = 1_000  # no chain of three dice has so much Force
CLOSE = 4  # standard errors
# Duels in which every option and order that matters to the odds is set differently somewhere.
STRANGE: Mapping[str, Duel] = {
    "scope_total": duel_of("cavaliere", "gimli", DuelOptions(all_out_scope=AllOutScope.TOTAL)),
    "scope_printed": duel_of("barbaro", "gimli", DuelOptions(all_out_scope=AllOutScope.PRINTED)),
    "stack_once": duel_of("cavaliere", "troll", DuelOptions(all_out_stack=AllOutStack.ONCE)),
    "stack_miss": duel_of("gimli", "boromir", DuelOptions(all_out_stack=AllOutStack.MISS)),
    "heal_late": duel_of("chierico", "werewolf", DuelOptions(heal_timing=HealTiming.AFTER_DAMAGE)),
    "untyped_only": duel_of(
        "companion", "troll", DuelOptions(regain_in_attack=RegainInAttack.UNTYPED_ONLY)
    ),
    "forceless": duel_of(
        "mago", "chierico", DuelOptions(adder_on_forceless=AdderOnForceless.APPLY)
    ),
    "no_roll": duel_of("cave_troll_olog_hai", "chierico", DuelOptions(roll_vs_no_damage=False)),
    "stack_add": duel_of("mago", "duelist", DuelOptions(neutralize_stack=NeutralizeStack.ADD)),
    "stack_ignore": duel_of(
        "mago", "duelist", DuelOptions(neutralize_stack=NeutralizeStack.IGNORE)
    ),
    "base_total": duel_of(
        "cavaliere", "nano", DuelOptions(battlefield_base=BattlefieldBase.TOTAL), battlefield=8
    ),
    "intruders": duel_of("elfo", "ladro", battlefield=2),
    "pairs": duel_of("elfo", "mago", DuelOptions(intruder_every=IntruderEvery.PAIR), battlefield=9),
    "boardroom": duel_of("cavaliere", "gimli", battlefield=4),
    "nexus": duel_of("cavaliere", "gotrek_gurnisson", battlefield=10),
    "trades": duel_of(
        "barbaro",
        "miranda_thorne",
        DuelOptions(unholy_from=UnholyFrom.ANY_DEFENCE),
        standing=(
            StandingOrders(trade=TradeOrder.IF_LOST_20),
            StandingOrders(trade=TradeOrder.ALWAYS),
        ),
        battlefield=6,
    ),
    "anduril": duel_of(
        "aragorn_elessar",
        "aragorn_elessar",
        standing=(
            StandingOrders(reforge=ReforgeOrder.AT_ONCE),
            StandingOrders(reforge=ReforgeOrder.AT_HITS, reforge_at=50),
        ),
    ),
    "yields": duel_of(
        "miranda_thorne",
        "gregor_kaprov",
        standing=(StandingOrders(surrender=YieldOrder.ALWAYS), StandingOrders()),
        shadow=True,
    ),
    "roar": duel_of("demon_lord", "mago"),
    "first": duel_of(
        "legolas",
        "frodo_baggins",
        standing=(StandingOrders(doubler=Keep.FIRST), StandingOrders(doubler=Keep.SECOND)),
    ),
}


SOME_PAIRS = {f"{one}-{other}": duel_of(one, other) for one, other in PAIRS}
WITHOUT_CUT = tuple(name for name in STRANGE if name not in ("intruders", "pairs"))


class Quiet:
    """Dice by which nobody ever comes by."""

    def face(self, _address: Address, sides: int) -> int:
        """Show the highest face."""
        return sides

    def tags(self) -> dict[Address, Any]:
        """Say that nothing was thrown with a modifier."""
        return {}


def rolled_as(shown: Shown) -> Rolled:
    """Make up a roll that shows something, as the engine would have given it."""
    option = FaceOption(
        face=1,
        name="X",
        kind=Kind.ATTACK if shown.side is Side.ATTACK else Kind.DEFENCE,
        force=shown.total if shown.numeric else None,
        special=shown.special,
        untyped=shown.heals,
    )
    force = Tally((Term("WD-4", "force", Fraction(shown.total)),))
    return Rolled(side=shown.side, option=option, force=force, bonus=shown.bonus)


def as_it_stands(duel: Duel, state: State, graph: Graph) -> Duel:
    """Give the duel in a state of its graph."""
    for place, stand in enumerate(state.stands):
        duel = duel.put(graph.fighter(place, stand))
    up = duel.fighters[state.up].id
    return replace(duel, next=up, pace=Pace.TO_THE_END, turn=2 * (state.up != 0))


def state_of(duel: Duel) -> State | str:
    """Give the state before the next attack, or who has won."""
    while duel.stage is Stage.FIGHT and duel.who(duel.next).skip:
        duel = engine.play_turn(duel, Quiet()).state
    if duel.stage is not Stage.FIGHT:
        return duel.winner
    one, other = (Stand(f.hits, f.skip, f.reforged, f.unholy_used) for f in duel.fighters)
    return State([f.id for f in duel.fighters].index(duel.next), (one, other))


@pytest.mark.parametrize("name", STRANGE)
def test_a_turn_comes_to_the_same_as_in_the_engine_whatever_both_roll(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    duel = STRANGE[name]
    graph = Graph(duel)
    rolls: list[Rolled] = []
    monkeypatch.setattr(engine, "roll_chain", lambda _telling, _moment: rolls.pop(0))
    seen = 0
    for state in Random(1).sample(graph.states, 6):
        stands = as_it_stands(duel, state, graph)
        attacker = graph.fighter(state.up, graph.attacker(state))
        defender = stands.other(attacker.id)
        for attack in graph.turns.attack(attacker):
            ends = graph.turns.ends(attacker, attack)
            stops = [None] if ends else list(graph.turns.defence(defender, attack))
            for stop in Random(2).sample(stops, min(len(stops), 6)):
                rolls[:] = [rolled_as(one) for one in (attack, stop) if one is not None]
                found = state_of(engine.play_turn(stands, Quiet()).state)
                assert not rolls
                effect = ends or graph.turns.meets(defender, attack, stop)
                node = Node()
                graph.follow(node, 1.0, state, effect)
                if isinstance(found, str):
                    assert node.wins[SEATS.index(found)] == 1.0
                else:
                    assert graph.states[node.moves[0].to] == found
                seen += 1
    assert seen > 100


def enumerated(moment: Moment, most: int) -> tuple[dict[Shown, float], float]:
    """Roll every chain of up to ``most`` dice with the engine; give what remains unrolled."""
    law: dict[Shown, float] = {}
    open_ends: list[tuple[int, ...]] = [()]
    rest = 0.0
    book = Roll(Book(moment.options, moment.ground), moment, CAP)
    while open_ends:
        faces = open_ends.pop()
        if len(faces) > most:
            rest += 10.0 ** -len(faces)
            continue
        telling = Telling(0, Stops(), Midway(faces=faces), asks=False)
        try:
            rolled = roll_chain(telling, moment)
        except EOFError:
            open_ends += ((*faces, face) for face in range(1, 11))
            continue
        shown = book.told(rolled)
        law[shown] = law.get(shown, 0.0) + 10.0 ** -len(faces)
    return law, rest


class Stops(Quiet):
    """Dice of which none is left."""

    def face(self, _address: Address, _sides: int) -> int:
        """Refuse."""
        raise EOFError


@pytest.mark.parametrize("name", STRANGE)
def test_a_chain_has_the_law_that_enumerating_the_engines_dice_gives(name: str) -> None:
    duel = STRANGE[name]
    turns = Turns(Book(duel.options, ground_of(duel.battlefield)), CAP)
    attack = Shown(Side.ATTACK, None, 30, 0, heals=False, numeric=True)
    for fighter in duel.fighters:
        for phase, met in ((Phase.ATTACK, None), (Phase.DEFENCE, attack)):
            moment = turns.moment(replace(fighter, hits=fighter.hits - 20), phase, met)
            law = turns.book.law(moment, turns.cap)
            rolled, rest = enumerated(moment, 3)
            assert rest < 0.1
            for shown, chance in rolled.items():
                assert chance - 1e-12 <= law[shown] <= chance + rest + 1e-12
            assert sum(law.values()) == pytest.approx(1.0, abs=1e-12)


def test_a_chain_is_cut_where_the_engine_cuts_it() -> None:
    """With nine Adders of ten faces a chain of 200 dice is common enough to be felt."""
    leads = tuple(FaceOption(face=n, name="Adder", kind=Kind.ADDER) for n in range(1, 10))
    sheet = Warrior(
        name="Tower",
        hits=100,
        options=(*leads, FaceOption(face=10, name="Hit", kind=Kind.ATTACK, force=10)),
    )
    duel = duel_of("guerriero", "elfo")
    fighter = replace(duel.fighters[0], warrior=sheet)
    turns = Turns(Book(duel.options, ground_of(None)), 10**6)
    law = turns.book.law(turns.moment(fighter, Phase.ATTACK), turns.cap)
    cut = sum(chance for shown, chance in law.items() if shown.side is Side.LOST)
    assert cut == pytest.approx(0.9**MOST_DICE, rel=1e-9)
    assert law[Shown(Side.ATTACK, None, 10 * MOST_DICE, 0, heals=False, numeric=True)] == (
        pytest.approx(0.1 * 0.9 ** (MOST_DICE - 1), rel=1e-9)
    )


@pytest.mark.parametrize("name", [*SOME_PAIRS, *WITHOUT_CUT])
def test_three_exact_methods_agree(name: str) -> None:
    """Blocks of an absorbing chain, a forward course turn by turn, and lines on a ladder."""
    duel = {**SOME_PAIRS, **STRANGE}[name]
    graph = Graph(duel)
    limit, course = Limit(graph), run(graph)
    assert course.capped < EXACT
    assert limit.wins(0) == pytest.approx(course.wins[0], abs=EXACT)
    assert limit.wins(1) == pytest.approx(course.wins[1], abs=EXACT)
    assert limit.wins(0) + limit.wins(1) == pytest.approx(1.0, abs=EXACT)
    if fits(duel):
        assert Ladder(duel, graph.turns).wins(0) == pytest.approx(limit.wins(0), abs=EXACT)


def test_the_length_of_a_duel_is_that_of_its_absorbing_chain() -> None:
    graph = Graph(duel_of("mago", "chierico"))
    gains = [
        1.0 + sum(move.chance * (move.turns - 1) for move in node.moves) for node in graph.nodes
    ]
    values = Limit(graph).expected(gains)
    expected = values[graph.start.moves[0].to]
    assert run(graph).length == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("warrior", ["guerriero", "troll", "mago", "aragorn_elessar", "gimli"])
def test_a_mirror_is_even_and_its_chances_add_up_to_one(warrior: str) -> None:
    even = odds(duel_of(warrior, warrior, begins=None))
    assert even.first + even.second + even.draw == pytest.approx(1.0, abs=1e-12)
    assert even.first == pytest.approx(even.second, abs=1e-12)
    assert sum(even.by_start) == pytest.approx(1.0, abs=1e-9)
    assert even.by_start[0] > 0.5  # whoever begins has the advantage
    assert sum(even.ends) == pytest.approx(1.0, abs=1e-12)


def test_whoever_is_named_first_has_the_same_chances() -> None:
    one = odds(duel_of("mago", "troll", begins=None, battlefield=9))
    other = odds(duel_of("troll", "mago", begins=None, battlefield=9))
    assert one.first == pytest.approx(other.second, abs=1e-12)
    assert one.draw == pytest.approx(other.draw, abs=1e-12)
    assert one.broken_off > 0.5


@pytest.mark.parametrize("name", STRANGE)
def test_every_option_and_order_that_changes_the_law_changes_the_odds(name: str) -> None:
    duel = STRANGE[name]
    plain = duel_of(*(one.warrior.printed for one in duel.fighters))
    assert abs(odds(duel).first - odds(plain).first) > 1e-6 or name == "roar"


def test_a_low_turn_cap_makes_draws_and_a_warning() -> None:
    few = odds(duel_of("guerriero", "elfo", DuelOptions(turn_cap=10)))
    many = odds(duel_of("guerriero", "elfo"))
    assert few.often_capped
    assert not many.often_capped
    assert few.capped == pytest.approx(1 - sum(many.ends[:10]), abs=1e-12)
    assert few.uncapped == pytest.approx(many.uncapped, abs=1e-12)
    assert few.within[-1] == 10


def test_a_duel_that_nobody_can_win_ends_at_its_cap() -> None:
    faces = tuple(FaceOption(face=n, name="X", kind=Kind.DEFENCE, force=10) for n in range(1, 11))
    wall = Warrior(name="Wall", hits=100, options=faces)
    duel = duel_of("guerriero", "elfo")
    for fighter in duel.fighters:
        duel = duel.put(replace(fighter, warrior=wall))
    never = odds(duel)
    assert (never.first, never.second, never.capped) == (0.0, 0.0, 1.0)
    assert never.uncapped == 0.0
    assert never.often_capped


def test_a_duel_that_is_under_way_is_solved_from_where_it_stands() -> None:
    duel = duel_of("guerriero", "elfo")
    hurt = duel.put(replace(duel.fighters[0], hits=10, skip=2))
    assert odds(hurt).first < odds(duel).first / 3
    assert odds(replace(duel, turn=190)).capped == pytest.approx(
        odds(duel_of("guerriero", "elfo", DuelOptions(turn_cap=10))).capped, abs=1e-12
    )


def test_the_best_choices_are_better_than_standing_orders_and_none_betters_them() -> None:
    """One who chooses gains, whoever it is; when both do, neither has the whole of its gain."""
    duel = duel_of("legolas", "orco")
    turns = turns_of(duel)
    plain = win_chance(duel, Book(duel.options, ground_of(None)))
    improver = Improver(duel, turns, (True, False))
    first = improver.solve()
    assert improver.gap < 1e-11  # Bellman's equation holds in every state
    second = best_choices(duel, turns, (False, True))
    both = best_choices(duel, turns, (True, True))
    assert second < plain < first
    assert second < both < first
    by_course = run(improver.graph).wins[0]  # the policy played turn by turn
    assert by_course == pytest.approx(first, abs=EXACT)


def test_who_has_no_doubler_has_no_choice_to_make() -> None:
    duel = duel_of("guerriero", "elfo")
    for fighter in duel.fighters:
        faces = tuple(
            replace(one, kind=Kind.ADDER) if one.kind is Kind.DOUBLER else one
            for one in fighter.warrior.options
        )
        duel = duel.put(replace(fighter, warrior=replace(fighter.warrior, options=faces)))
    plain = win_chance(duel, Book(duel.options, ground_of(None)))
    assert best_choices(duel, turns_of(duel), (True, True)) == pytest.approx(plain, abs=EXACT)


def check_by_dice(first: str, second: str, seed: int, count: int) -> None:
    """Hold the solver to so many duels thrown die by die."""
    duel = duel_of(first, second)
    slim = SlimDuel(duel, seed)
    won = sum(slim.play() == 0 for _ in range(count))
    chance = win_chance(duel, Book(duel.options, ground_of(None)))
    assert standard_errors(won / count, chance, count) < CLOSE


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_dice_agree_with_the_solver(first: str, second: str) -> None:
    check_by_dice(first, second, 7, 8_000)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_the_engine_agrees_with_the_solver(first: str, second: str) -> None:
    """The engine itself, all its findings told: fewer duels, the same law."""
    chance, count = Random(f"{first} {second}"), 150
    duel = duel_of(first, second)
    won = sum(through_the_engine(duel, chance) == SEATS[0] for _ in range(count))
    assert standard_errors(won / count, odds(duel).first, count) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_hundred_thousand_duels_agree_with_the_solver(first: str, second: str) -> None:
    check_by_dice(first, second, 11, 200_000)


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_thousand_duels_of_the_engine_agree_with_the_solver(first: str, second: str) -> None:
    chance, count = Random(f"{second} {first}"), 2_000
    duel = duel_of(first, second)
    won = sum(through_the_engine(duel, chance) == SEATS[0] for _ in range(count))
    assert standard_errors(won / count, odds(duel).first, count) < CLOSE


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_a_million_duels_of_a_pair_agree_with_the_solver(number: int) -> None:
    chance = Random(number)
    first, second = chance.choices(list(PRINTED), k=2)
    check_by_dice(first, second, number, 1_000_000)
