"""Who enters a fight while it goes on, summons too, and in which order the turns go."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import GM, SPECTATOR, Said
from app.rulesets.guida.arrivals import MOST_FIGHTING, MOST_IN_SCENE
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.readings import (
    AreaTick,
)
from app.rulesets.guida.rulings import (
    Join,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.terms import AreaForm, Curtain, Standing
from app.rulesets.guida.underway import (
    ControlArea,
)
from tests.unit.guida.build import (
    codes,
    coming,
    entrant,
    found,
    hit,
    one,
    post,
    reading,
    refusals,
    rule,
    scene,
    turn,
)

SMOKE = ControlArea(
    id="area1",
    creator="bo",
    tool="smoke",
    name="Smoke",
    form=AreaForm.STATIC,
    curtain=Curtain.SMOKE,
    radius_m=10,
)


def summon(master: str | None = "ada", id: str = "imp", **more: Any) -> Entrant:
    """Make somebody to enter, on Ada's side."""
    return replace(entrant(id, team="ada"), **{"master": master, **more})


def enters(state: Scene, who: Entrant | None = None, metres: int = 5, **more: Any) -> Join:
    """Let somebody enter at one distance from all places there are."""
    who = who or summon()
    places = [other.id for other in state.combatants] + [area.id for area in state.areas]
    distances = tuple(Distance(a=who.id, b=id, metres=Fraction(metres)) for id in places)
    return Join(by=GM, entrant=who, reason="Chiamato.", **{"distances": distances, **more})


def seats(state: Scene) -> list[str]:
    """Follow the turns of a whole round, from the one who is next."""
    order: list[str] = []
    while state.next not in order:
        order.append(state.next)
        state = post(state, turn(state.next)).state
    return order


# ------------------------------------------------------------------------------------ entering


def test_a_summon_has_a_turn_and_a_main_action_of_its_own() -> None:
    state = rule(scene(), enters(scene())).state
    assert state.who("imp").master == "ada"
    state = rule(state, ordered("ada", "imp", "bo")).state
    after = post(state, turn("ada", main=hit()), 6).state
    after = post(after, turn("imp", main=hit()), 6).state
    assert [attack.attacker for attack in after.against("bo")] == ["ada", "imp"]


def test_whoever_enters_comes_after_the_one_who_is_named() -> None:
    assert seats(rule(scene(), enters(scene(), after="ada")).state) == ["ada", "imp", "bo"]


def test_whoever_enters_without_a_place_comes_last() -> None:
    assert seats(rule(scene(), enters(scene())).state) == ["ada", "bo", "imp"]


def test_whoever_enters_stands_where_it_is_put() -> None:
    order = enters(scene(), metres=7, behind=(Behind(who="imp", whom="bo"),))
    state = rule(scene(), order).state
    assert (state.metres("imp", "ada"), state.metres("bo", "imp")) == (7, 7)
    assert state.is_behind("imp", "bo")


def test_whoever_enters_brings_wounds_and_stacks() -> None:
    state = rule(scene(), enters(scene(), summon(hp=12, ep=3))).state
    assert (state.who("imp").hp, state.who("imp").ep) == (12, 3)


def test_nothing_that_is_under_way_changes_by_an_entry() -> None:
    state = scene(underway=(coming(),))
    after = rule(state, enters(state)).state
    assert (after.incoming, after.next, after.posts) == (state.incoming, state.next, state.posts)


def test_an_entry_is_told_with_whose_subordinate_it_is() -> None:
    told = one(rule(scene(), enters(scene())).findings, "joined")
    assert (told["bearer"], told["master"], told["reason"]) == ("Imp", "Ada", "Chiamato.")
    free = one(rule(scene(), enters(scene(), summon(None))).findings, "joined")
    assert free["master"] == ""


def test_a_distance_to_each_area_is_asked_for_too() -> None:
    state = replace(scene(), areas=(SMOKE,))
    state = state.placed(
        [Distance(a="area1", b=id, metres=Fraction(20)) for id in ("ada", "bo")], frozenset()
    )
    short = enters(state, distances=enters(scene()).distances)
    assert refusals(state, short) == {"distance_missing"}
    after = rule(state, enters(state, metres=4)).state
    inside = [area.inside for area in GUIDA.view(after, GM).areas]
    assert inside == [("imp",)]


def many(count: int) -> Scene:
    """Make a fight of many."""
    return scene(entrant("ada"), *(entrant(f"n{index}", team="bo") for index in range(1, count)))


def test_twelve_fight_and_no_more() -> None:
    state = many(MOST_FIGHTING - 1)
    full = rule(state, enters(state)).state
    assert len(full.combatants) == MOST_FIGHTING
    assert refusals(full, enters(full, summon(id="late"))) == {"scene_full"}
    assert "join" not in GUIDA.choices(full, GM).orders
    left = Withdraw(by=GM, combatant="n1", standing=Standing.LEFT, reason="Via.")
    room = rule(full, left).state
    assert refusals(room, enters(room, summon(id="late"))) == set()
    assert "join" in GUIDA.choices(room, GM).orders


def test_a_scene_keeps_no_endless_list_of_those_who_came_and_went() -> None:
    state = scene()
    for index in range(MOST_IN_SCENE - 2):
        state = rule(state, enters(state, summon(id=f"n{index}"))).state
        gone = Withdraw(by=GM, combatant=f"n{index}", standing=Standing.LEFT, reason="Via.")
        state = rule(state, gone).state
    assert refusals(state, enters(state)) == {"scene_full"}


WRONG: list[tuple[dict[str, Any], dict[str, Any], set[str]]] = [
    ({"id": "bo"}, {}, {"id_taken", "distance_to_self"}),
    ({"id": GM}, {}, {"id_taken"}),
    ({"id": SPECTATOR}, {}, {"id_taken"}),
    ({"master": "nobody"}, {}, {"unknown_combatant"}),
    ({"master": "imp"}, {}, {"unknown_combatant"}),
    ({"master": "bo"}, {}, {"master_not_of_team"}),
    ({}, {"after": "nobody"}, {"unknown_combatant"}),
    ({}, {"distances": ()}, {"distance_missing"}),
    ({}, {"behind": (Behind(who="ada", whom="bo"),)}, {"not_about_entrant"}),
    ({}, {"behind": (Behind(who="imp", whom="nobody"),)}, {"unknown_combatant"}),
    ({}, {"hidden": (Unseen(who="imp", observer="ada"),)}, {"hidden_from_own_team"}),
    ({}, {"reason": " "}, {"reason_missing"}),
    ({}, {"by": "ada"}, {"master_only"}),
]


@pytest.mark.parametrize(("about", "more", "expected"), WRONG)
def test_an_entry_that_cannot_be_is_refused(
    about: dict[str, Any], more: dict[str, Any], expected: set[str]
) -> None:
    state = scene()
    order = replace(enters(state, replace(summon(), **about)), **more)
    assert refusals(state, order) == expected


def test_nobody_is_the_subordinate_of_a_subordinate() -> None:
    state = rule(scene(), enters(scene())).state
    assert refusals(state, enters(state, summon("imp", id="imp2"))) == {"master_is_subordinate"}


def test_nobody_is_the_subordinate_of_one_who_is_out() -> None:
    state = scene(entrant("ada"), entrant("bo"), entrant("cy", team="ada"))
    state = rule(
        state, Withdraw(by=GM, combatant="cy", standing=Standing.LEFT, reason="Via.")
    ).state
    assert refusals(state, enters(state, summon("cy"))) == {"not_fighting"}
    assert refusals(state, enters(state, after="cy")) == {"not_fighting"}


def test_a_scene_begins_with_subordinates_too() -> None:
    wolf = summon(id="wolf")
    state = scene(entrant("ada"), entrant("bo"), wolf)
    assert state.who("wolf").master == "ada"
    setup = Setup(entrants=(entrant("ada"), entrant("bo"), summon("bo", id="wolf")))
    assert "master_not_of_team" in codes(check_setup(setup))


# ------------------------------------------------------------------------------ who sees of it


def test_whoever_enters_unseen_is_not_told_of_to_those_who_do_not_see_it() -> None:
    state = scene()
    order = enters(state, hidden=(Unseen(who="imp", observer="bo"),))
    done = rule(state, order)
    veils = {
        veil.seat: veil for veil in GUIDA.veils(state, done.state, GM, Said((), done.findings))
    }
    assert set(veils) == {"bo", SPECTATOR}
    assert veils["bo"].story
    assert veils["bo"].findings == (0,)
    seen = GUIDA.view(done.state, "bo")
    assert [one.id for one in seen.combatants] == ["ada", "bo"]
    assert [one.master for one in GUIDA.view(done.state, "ada").combatants] == ["", "", "ada"]


def test_a_hidden_master_is_not_given_away_by_the_subordinate() -> None:
    state = rule(scene(), enters(scene())).state
    state = replace(state, hidden=frozenset({Unseen(who="ada", observer="bo")}))
    assert [(one.id, one.master) for one in GUIDA.view(state, "bo").combatants] == [
        ("bo", ""),
        ("imp", ""),
    ]


# ------------------------------------------------------------------------------- order of turns


def ordered(*ids: str, **more: Any) -> TurnOrder:
    """Set the order of turns."""
    return TurnOrder(**{"by": GM, "sequence": ids, "reason": "Più lesto.", **more})


def three() -> Scene:
    """Let three fight."""
    return scene(entrant("ada"), entrant("bo"), entrant("cy", team="bo"))


def test_rounds_follow_the_order_that_the_master_sets() -> None:
    state = rule(three(), ordered("cy", "bo", "ada")).state
    assert state.next == "ada"
    assert seats(state) == ["ada", "cy", "bo"]
    assert seats(rule(three(), ordered("cy", "bo", "ada", next="cy")).state) == ["cy", "bo", "ada"]


def test_an_order_of_turns_is_told_with_who_is_next() -> None:
    told = one(rule(three(), ordered("cy", "bo", "ada", next="bo")).findings, "turn_order_set")
    assert told == {"order": ("Cy", "Bo", "Ada"), "next": "Bo", "reason": "Più lesto."}


def test_areas_decay_where_the_order_starts_anew() -> None:
    smoke = replace(SMOKE, form=AreaForm.EXPANSIVE, saturation=8, fed=-1)
    options = reading(area_tick=AreaTick.ROUND_END)["options"]
    state = replace(three(), areas=(smoke,), options=options)
    centre = [Distance(a="area1", b=id, metres=Fraction(9)) for id in ("ada", "bo", "cy")]
    state = rule(state.placed(centre, frozenset()), ordered("cy", "ada", "bo", next="cy")).state
    for id in ("cy", "ada"):
        done = post(state, turn(id))
        assert not found(done.findings, "area_decays")
        state = done.state
    assert found(post(state, turn("bo")).findings, "area_decays")


def test_whoever_is_out_has_no_place_in_the_order() -> None:
    state = rule(
        three(), Withdraw(by=GM, combatant="bo", standing=Standing.LEFT, reason="Via.")
    ).state
    assert refusals(state, ordered("cy", "bo", "ada")) == {"not_fighting"}
    after = rule(state, ordered("cy", "ada", next="cy")).state
    assert seats(after) == ["cy", "ada"]
    assert after.who("bo").standing is Standing.LEFT


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        (ordered("ada", "bo"), {"order_incomplete"}),
        (ordered("ada", "bo", "cy", "bo"), {"order_repeated"}),
        (ordered("ada", "bo", "cy", "dan"), {"unknown_combatant"}),
        (ordered("ada", "bo", "cy", next="dan"), {"unknown_combatant"}),
        (ordered("ada", "bo", "cy", by="bo"), {"master_only"}),
        (ordered("ada", "bo", "cy", reason=""), {"reason_missing"}),
    ],
)
def test_an_order_of_turns_that_cannot_be_is_refused(order: TurnOrder, expected: set[str]) -> None:
    assert refusals(three(), order) == expected
