"""Any order the types allow: it is judged without an accident, and a legal one is carried out."""

from __future__ import annotations

import typing
from dataclasses import replace
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.engine.findings import Question, Violation
from app.engine.ruleset import GM, SPECTATOR
from app.engine.text import Id, Name
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Order,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.sheet import Amount, Effect, Tool
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from tests.property.strategies import (
    IDS,
    RANDOMS,
    WILD,
    examples,
    few,
    fields_of,
    fights,
    legal_turn,
    of,
    setups,
    step,
    wild_orders,
)

FREE: dict[Any, Any] = {Id: st.sampled_from(("t0", "t1", "t2"))}
# A tool of which nothing is missing, so that there is something to play with.
EFFECTS = st.one_of([of(kind) for kind in typing.get_args(Effect)])
BONUS = typing.get_type_hints(Tool, include_extras=True)["stat_bonus"]
FREE[Tool] = fields_of(
    Tool,
    dict(FREE),
    attacks=st.just(True),
    potential=of(Amount),
    stat_bonus=of(BONUS).filter(lambda bonus: bonus is not None),
    effects=few(EFFECTS, 2),
)
HERE = {Id: st.sampled_from(IDS), Name: st.just("Arte")}
WILD_SETUPS = fields_of(
    Setup,
    HERE,
    entrants=st.tuples(*(fields_of(Entrant, FREE, id=st.just(id), team=st.just(id)) for id in IDS)),
    distances=st.tuples(fields_of(Distance, {}, a=st.just("bo"), b=st.just("ada"))),
    underway=few(fields_of(Underway, HERE, tool=FREE[Id], die=st.integers(1, 12)), 1),
)


def in_order(setup: Setup) -> Setup:
    """Keep every number the types allow, and put in order only what refers to something else."""
    regulation = setup.regulation
    ladder = tuple(sorted({max(1, bound) for bound in regulation.range_ladder_m}))
    setup = replace(
        setup,
        entrants=tuple(_sound(one) for one in setup.entrants),
        behind=tuple(place for place in setup.behind if place.who != place.whom),
        regulation=replace(regulation, range_ladder_m=ladder),
    )
    return replace(setup, underway=()) if check_setup(setup) else setup


def _sound(entrant: Entrant) -> Entrant:
    tools = {tool.id: tool for tool in entrant.sheet.tools}
    return replace(
        entrant,
        uses=tuple(use for use in entrant.uses if use.tool in tools),
        sheet=replace(
            entrant.sheet,
            tools=tuple(
                tool if tool.max_m is None else replace(tool, max_m=max(tool.optimal_m, tool.max_m))
                for tool in tools.values()
            ),
        ),
    )


def carried_out(scene: Scene, order: Order, pick: Random) -> Scene:
    """Carry out a legal order in every way there is, and look at what comes of it."""
    done = step(scene, order, pick)
    forecast = GUIDA.forecast(scene, order)
    for law in forecast.laws:
        assert sum(chance.probability for chance in law.chances) == 1
    for seat in (*(one.id for one in scene.combatants), GM, SPECTATOR):
        GUIDA.view(done.after, seat)
        GUIDA.choices(done.after, seat)
    GUIDA.awaits(done.after)
    assert all(one.ep_now >= 0 for one in done.after.combatants)
    return done.after


@examples(60)
@given(setups(), wild_orders(), RANDOMS)
def test_an_order_from_the_types_is_refused_with_reasons_or_carried_out(
    setup: Setup, order: Order, pick: Random
) -> None:
    scene = GUIDA.start(setup)
    obstacles = GUIDA.check(scene, order)
    assert all(isinstance(one, Violation | Question) for one in obstacles)
    if not obstacles:
        carried_out(scene, order, pick)


@examples(15)
@given(fights(most=6), wild_orders(), RANDOMS)
def test_an_order_from_the_types_is_no_accident_in_mid_fight_either(
    fight: object, order: Order, pick: Random
) -> None:
    scene: Scene = fight.end
    if not GUIDA.check(scene, order):
        carried_out(scene, order, pick)


@examples(8)
@given(setups(), RANDOMS)
def test_a_legal_turn_has_odds_and_views(setup: Setup, pick: Random) -> None:
    scene = GUIDA.start(setup)
    for _ in range(2):
        scene = carried_out(scene, legal_turn(pick, scene, scene.next), pick)
        if GUIDA.awaits(scene).blocked:
            break


@examples(50)
@given(WILD_SETUPS, RANDOMS)
def test_a_set_up_from_the_types_is_refused_with_reasons_or_played(
    setup: Setup, pick: Random
) -> None:
    assert all(isinstance(one, Violation) for one in check_setup(setup))
    scene = GUIDA.start(in_order(setup))
    for _ in range(3):
        if not GUIDA.awaits(scene).blocked:
            scene = carried_out(scene, legal_turn(pick, scene, scene.next), pick)


def test_every_order_of_the_ruleset_can_be_made_from_its_type() -> None:
    for kind in GUIDA.orders:
        assert of(kind, WILD).is_empty is False
