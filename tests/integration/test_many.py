"""Scenes of many: who enters, who plays whom, several orders in a row, copies of one sheet."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.persistence.codec import encode
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import (
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.rulings import (
    Join,
    ReplaceSheet,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.terms import Standing
from app.services import links, offered, replay, scenes, sheets, turns
from app.services.access import ANONYMOUS, Principal, Role
from app.services.entry_shapes import (
    DecidedSeries,
    GivenDice,
    Ordered,
    Series,
)
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused, Stale
from app.services.shapes import (
    OpenScene,
    Roller,
    Status,
)
from tests.support.fights import HOLLOW, QUINCY, attack, defend, duel
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

PACK = ("wolf1", "wolf2", "wolf3")


def pack(**more: Any) -> Any:
    """Set up the Quincy against three wolves that the Master plays."""
    entrants = (
        Entrant(id="quincy", team="day", sheet=QUINCY),
        *(Entrant(id=id, team="night", sheet=replace(HOLLOW, name=id), npc=True) for id in PACK),
    )
    ids = [one.id for one in entrants]
    distances = tuple(
        Distance(a=a, b=b, metres=Fraction(5))
        for place, a in enumerate(ids)
        for b in ids[place + 1 :]
    )
    return duel(entrants=entrants, distances=distances, first="wolf1", **more)


def hunt(db: Database, world: FixedWorld, **more: Any) -> Table:
    """Open the scene of the wolves."""
    return set_table(db, world, setup=pack(), **more)


def strikes(*ids: str) -> tuple[Ordered, ...]:
    """Let wolves strike one after the other."""
    return tuple(Ordered(order=attack(by=id)) for id in ids)


def several(
    table: Table,
    orders: tuple[Ordered, ...],
    *,
    who: Principal | None = None,
    key: str = "",
    version: int | None = None,
) -> DecidedSeries:
    """Decide several orders in a row, as the Master unless somebody else is named."""
    series = Series(
        orders=orders,
        version=table.version if version is None else version,
        key=key or table.key(),
    )
    return turns.decide_several(table.db, table.world, who or table.gm, table.id, series)


def summon(master: str = "hollow", **more: Any) -> Join:
    """Let a summon of the Hollow enter the duel."""
    imp = Entrant(id="imp", team="night", sheet=replace(HOLLOW, name="Imp"), master=master)
    distances = tuple(Distance(a="imp", b=id, metres=Fraction(5)) for id in ("hollow", "quincy"))
    order = Join(by=GM, entrant=imp, distances=distances, after="hollow", reason="Evocato.")
    return replace(order, **more)


# ----------------------------------------------------------------------- several orders in a row


def test_each_of_several_orders_is_an_entry_that_meets_what_the_one_before_left(
    db: Database, world: FixedWorld
) -> None:
    table = hunt(db, world)
    world.throw([11, 4, 9])
    done = several(table, strikes(*PACK))
    assert [one.number for one in done.entries] == [1, 2, 3]
    assert [one.status for one in done.entries] == [Status.RESOLVED] * 3
    assert done.version == table.version == 4
    coming = table.state().incoming
    assert [(one.attacker, one.die) for one in coming] == [
        ("wolf1", 11),
        ("wolf2", 4),
        ("wolf3", 9),
    ]
    assert scenes.read_scene(db, ANONYMOUS, table.id).awaited.seats == ("quincy",)
    assert replay.check_scenes(db).equal == (table.id,)


def test_one_that_is_refused_takes_all_of_them_back(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    wrong = strikes("wolf1", "wolf3")
    with pytest.raises(Refused) as refused:
        several(table, wrong)
    assert {one.code for one in refused.value.obstacles} == {"not_your_turn"}
    assert [getattr(one, "field", "") for one in refused.value.obstacles] == ["1.order.by"]
    scene = scenes.read_scene(db, table.gm, table.id)
    assert (scene.version, scene.entries) == (1, ())
    assert table.state().incoming == ()


def test_a_series_is_decided_once_for_one_key(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    first = several(table, strikes(*PACK), key="same-key", version=1)
    thrown = len(world.thrown)
    again = several(table, strikes(*PACK), key="same-key", version=1)
    assert again == first
    assert again.replayed
    assert len(world.thrown) == thrown
    with pytest.raises(KeyReused):
        several(table, strikes("wolf1"), key="same-key", version=1)


def test_a_series_made_for_an_older_version_is_stale(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    several(table, strikes("wolf1"))
    with pytest.raises(Stale):
        several(table, strikes("wolf2"), version=1)


def test_every_order_of_a_series_says_whose_it_is(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    orders = (Ordered(order=attack(by="wolf1")), Ordered(order={"kind": "turn"}))
    with pytest.raises(Malformed) as wrong:
        several(table, orders)
    assert [one.field for one in wrong.value.mistakes] == ["orders[1].order.by"]


def test_nobody_decides_a_series_for_seats_of_others(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    with pytest.raises(NotFound):
        several(table, strikes("wolf1", "wolf2"), who=table.players["quincy"])
    with pytest.raises(NotFound):
        several(table, strikes("wolf1"), who=ANONYMOUS)


def test_where_the_forum_rolls_only_the_last_may_need_dice(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world, dice=Roller.FORUM)
    with pytest.raises(Conflict, match="dice_between"):
        several(table, strikes("wolf1", "wolf2"))
    quiet = Ordered(order=Turn(by="wolf1"))
    done = several(table, (quiet, *strikes("wolf2")))
    assert [one.status for one in done.entries] == [Status.RESOLVED, Status.DECLARED]
    with pytest.raises(Conflict, match="dice_awaited"):
        several(table, strikes("wolf3"))
    given = GivenDice(faces=(8,), version=table.version, key=table.key())
    turns.give_dice(db, world, table.gm, table.id, 2, given)
    assert [one.die for one in table.state().incoming] == [8]


def test_what_the_wolves_may_do_is_known_before_it_is_their_turn(
    db: Database, world: FixedWorld
) -> None:
    table = hunt(db, world)
    found = offered.choices_in_a_row(db, table.gm, table.id, PACK)
    assert [one.obstacles for one in found.values()] == [()] * 3
    assert all(one.attacks for one in found.values())
    with pytest.raises(NotFound):
        offered.choices_in_a_row(db, table.players["quincy"], table.id, ("quincy", "wolf1"))


# ------------------------------------------------------------------------------ who plays whom


def test_who_the_master_plays_gets_no_link(db: Database, world: FixedWorld) -> None:
    assert set(hunt(db, world).opened.seat_secrets) == {"quincy"}


def test_a_subordinate_is_played_by_whoever_plays_its_master(table: Table) -> None:
    table.decide("gm", summon())
    table.decide("hollow", attack())
    strike = table.decide("hollow", attack(by="imp"))
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, strike.number)
    assert entry.seat == "imp"
    assert [one.attacker for one in table.state().incoming] == ["hollow", "imp"]


def test_a_player_posts_for_the_own_seat_and_the_subordinates_in_a_row(table: Table) -> None:
    table.decide("gm", summon())
    orders = (Ordered(order=attack(by="hollow")), Ordered(order=attack(by="imp")))
    done = several(table, orders, who=table.players["hollow"])
    assert len(done.entries) == 2


def test_a_subordinate_is_nobody_elses(table: Table) -> None:
    table.decide("gm", summon())
    table.decide("hollow", attack())
    for principal in (table.players["quincy"], ANONYMOUS):
        with pytest.raises(NotFound):
            offered.choices(table.db, principal, table.id, "imp")
        with pytest.raises(NotFound):
            scenes.read_scene(table.db, principal, table.id, "imp")
        with pytest.raises(NotFound):
            turns.preview(table.db, principal, table.id, attack(by="imp"))
    with pytest.raises(NotFound):
        table.decide("quincy", attack(by="imp"))


def test_an_order_without_a_name_is_the_players_own_and_not_the_subordinates(
    table: Table,
) -> None:
    table.decide("gm", summon())
    done = table.decide("hollow", attack())
    assert scenes.read_entry(table.db, ANONYMOUS, table.id, done.number).seat == "hollow"


def test_a_player_sees_a_scene_through_the_subordinates_too(table: Table) -> None:
    table.decide("gm", summon())
    scene = scenes.read_scene(table.db, table.players["hollow"], table.id)
    assert (scene.seat, scene.mine) == ("hollow", ("hollow", "imp"))
    assert scene.seats == ("hollow", "imp", "quincy")
    assert offered.choices(table.db, table.players["hollow"], table.id, "imp").seat == "imp"
    (line,) = scenes.list_scenes(table.db, table.players["hollow"], FIRST_BOARD)
    assert line.awaited.seats == ("hollow",)


def test_a_summon_whose_entry_is_taken_back_is_nobodys(table: Table) -> None:
    table.decide("gm", summon())
    table.void()
    scene = scenes.read_scene(table.db, table.players["hollow"], table.id)
    assert (scene.mine, scene.seats) == (("hollow",), ("hollow", "quincy"))
    with pytest.raises(NotFound):
        offered.choices(table.db, table.players["hollow"], table.id, "imp")


def test_the_forum_dice_of_a_subordinate_are_given_by_its_player(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world, dice=Roller.FORUM)
    table.decide("gm", summon(after=None))
    table.decide("gm", TurnOrder(sequence=("imp", "hollow", "quincy"), next="imp", reason="Ora."))
    declared = table.decide("hollow", attack(by="imp"))
    with pytest.raises(NotFound):
        table.give("quincy", declared.number, 6)
    table.give("hollow", declared.number, 6)
    entry = scenes.read_entry(db, ANONYMOUS, table.id, declared.number)
    assert entry.dice_by == "imp"


def test_whoever_enters_for_oneself_gets_a_link_from_the_master(table: Table) -> None:
    entrant = replace(summon().entrant, master=None, id="late")
    distances = tuple(Distance(a="late", b=id, metres=Fraction(9)) for id in ("hollow", "quincy"))
    table.decide("gm", summon(entrant=entrant, distances=distances))
    secret = links.reissue(table.db, table.world, table.gm, table.id, Role.SEAT, "late")
    late = links.principal_of_secret(table.db, table.world, secret)
    assert late is not None
    assert scenes.read_scene(table.db, late, table.id).mine == ("late",)


def test_an_entry_can_be_put_in_front_of_the_last_turn(table: Table) -> None:
    struck = table.decide("hollow", attack())
    table.amend(struck.number, summon())
    assert scenes.read_scene(table.db, ANONYMOUS, table.id).awaited.seats == ("imp",)
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_a_subordinate_may_leave_by_its_players_word(table: Table) -> None:
    table.decide("gm", summon())
    gone = Withdraw(by="imp", combatant="imp", standing=Standing.LEFT, reason="Svanisce.")
    table.decide("hollow", gone)
    assert not table.state().who("imp").active


# --------------------------------------------------------------------------------- the stable


def test_a_model_is_told_from_the_other_sheets(table: Table) -> None:
    model = sheets.add_sheet(
        table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key(), model=True
    )
    plain = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, QUINCY, table.key())
    assert [(one.id, one.model) for one in sheets.list_sheets(table.db, table.gm, FIRST_BOARD)] == [
        (model.id, True),
        (plain.id, False),
    ]
    changed = sheets.save_sheet(
        table.db, table.world, table.gm, model.id, replace(HOLLOW, max_hp=7), 1
    )
    assert changed.model
    assert not sheets.save_sheet(
        table.db, table.world, table.gm, model.id, HOLLOW, 2, model=False
    ).model


def opened(table: Table, *entrants: dict[str, Any], **setup: Any) -> str:
    """Open a scene from JSON data."""
    given = {"entrants": list(entrants), **setup}
    opening = OpenScene(title="Branco", setup=given)
    return scenes.open_scene(
        table.db, table.world, table.owner, FIRST_BOARD, opening, table.key()
    ).scene_id


def kept(table: Table, **more: Any) -> str:
    """Keep a wolf in the stable."""
    wolf = replace(HOLLOW, name="Lupo", **more)
    return sheets.add_sheet(
        table.db, table.world, table.owner, FIRST_BOARD, wolf, table.key(), model=True
    ).id


def hero() -> dict[str, Any]:
    """Make the one who is hunted."""
    return {"id": "hero", "team": "day", "sheet": encode(QUINCY)}


def wolves(sheet: str, copies: Any = 3, **more: Any) -> dict[str, Any]:
    """Make a row of wolves."""
    return {"id": "lupo", "team": "night", "sheet": sheet, "copies": copies, "npc": True, **more}


FAR = [{"a": "hero", "b": "lupo", "metres": 20}, {"a": "lupo", "b": "lupo", "metres": 2}]


def test_one_row_makes_several_with_numbered_names_and_distances(table: Table) -> None:
    id = opened(table, hero(), wolves(kept(table)), distances=FAR, first="lupo")
    view = scenes.read_scene(table.db, table.owner, id).view
    assert [(one.id, one.name) for one in view.combatants][1:] == [
        ("lupo1", "Lupo 1"),
        ("lupo2", "Lupo 2"),
        ("lupo3", "Lupo 3"),
    ]
    assert view.next == "lupo1"
    metres = {frozenset((one.a, one.b)): one.metres for one in view.distances}
    assert len(metres) == 6
    assert metres[frozenset(("hero", "lupo3"))] == 20
    assert metres[frozenset(("lupo1", "lupo3"))] == 2


def test_editing_a_model_does_not_touch_its_copies(table: Table) -> None:
    model = kept(table)
    id = opened(table, hero(), wolves(model), distances=FAR)
    sheets.save_sheet(
        table.db, table.world, table.owner, model, replace(HOLLOW, name="Orso", max_hp=9), 1
    )
    view = scenes.read_scene(table.db, table.owner, id).view
    assert [(one.name, one.sheet.max_hp) for one in view.combatants][1:] == [
        ("Lupo 1", 200),
        ("Lupo 2", 200),
        ("Lupo 3", 200),
    ]


def test_a_distance_that_is_missing_is_named(table: Table) -> None:
    with pytest.raises(Refused) as refused:
        opened(table, hero(), wolves(kept(table), 2), distances=FAR[:1])
    (missing,) = refused.value.obstacles
    assert missing.code == "distance_missing"
    assert getattr(missing, "facts", {}) == {"a": "lupo1", "b": "lupo2"}


@pytest.mark.parametrize("count", [0, -1, 13, True, "3", Decimal("2.5")])
def test_a_count_of_copies_that_cannot_be_is_named(table: Table, count: Any) -> None:
    with pytest.raises(Malformed) as wrong:
        opened(table, hero(), wolves(kept(table), count), distances=FAR)
    assert "setup.entrants[1].copies" in {one.field for one in wrong.value.mistakes}


def test_what_is_wrong_with_copies_is_told_once_by_the_row_they_came_from(table: Table) -> None:
    row = wolves(kept(table), 3, hp="many")
    late = {"id": "late", "team": "day", "sheet": "none-such"}
    with pytest.raises(Malformed) as wrong:
        opened(table, hero(), row, late, distances=FAR)
    assert [one.field for one in wrong.value.mistakes] == [
        "setup.entrants[2].sheet",
        "setup.entrants[1].hp",
    ]
    with pytest.raises(Refused) as refused:
        opened(table, hero(), wolves(kept(table), 2, master="hero"), distances=FAR)
    assert {getattr(one, "field", "") for one in refused.value.obstacles} == {"entrants.1.master"}


def test_a_kept_sheet_enters_a_fight_by_its_id(table: Table) -> None:
    order = encode(summon())
    assert isinstance(order, dict)
    entrant = order["entrant"]
    assert isinstance(entrant, dict)
    entrant["sheet"] = kept(table)
    table.decide("gm", order)
    assert table.state().who("imp").sheet.name == "Lupo"
    entrant["sheet"] = "none-such"
    with pytest.raises(Malformed) as wrong:
        table.decide("gm", order)
    assert [one.field for one in wrong.value.mistakes] == ["order.entrant.sheet"]


def test_a_player_reads_no_kept_sheet_by_an_order(table: Table) -> None:
    model = kept(table)
    order = {
        "kind": "replace_sheet",
        "by": "hollow",
        "combatant": "hollow",
        "sheet": model,
        "reason": "Mia.",
    }
    with pytest.raises(Malformed):
        table.decide("hollow", order)


def test_twelve_fight_in_one_scene(table: Table) -> None:
    model = kept(table)
    id = opened(table, hero(), wolves(model, 11), distances=FAR)
    scene = scenes.read_scene(table.db, table.owner, id)
    assert len(scene.view.combatants) == 12
    assert len(scene.view.distances) == 66


def test_a_wolf_defends_and_strikes_in_a_series(db: Database, world: FixedWorld) -> None:
    table = hunt(db, world)
    several(table, strikes(*PACK))
    table.dodge(
        "quincy",
    )
    state = table.state()
    assert state.next == "wolf1"
    orders = tuple(Ordered(order=defend(by=id)) for id in PACK)
    assert len(several(table, orders).entries) == 3


# -------------------------------------------------------------------------- names that look alike


def named(name: str) -> Join:
    """Let a summon of this name enter the duel."""
    return replace(summon(), entrant=replace(summon().entrant, sheet=replace(HOLLOW, name=name)))


@pytest.mark.parametrize("name", ["Hollow", "ᴴᴼᴸᴸᴼᵂ", "HOLLOW", "Hоllow", "Hol\u200blow"])
def test_nobody_enters_under_a_name_that_looks_like_anothers(
    db: Database, world: FixedWorld, name: str
) -> None:
    table = set_table(db, world)
    with pytest.raises(Malformed) as wrong:
        table.decide("gm", named(name))
    (mistake,) = wrong.value.mistakes
    assert (mistake.field, mistake.code) == ("order.entrant.sheet.name", "name_taken")
    assert mistake.facts == {"other": "Hollow"}
    with pytest.raises(Malformed):
        turns.preview(db, table.gm, table.id, named(name))
    with pytest.raises(Malformed):
        several(table, (Ordered(order=named(name)),))
    assert table.version == 1
    table.decide("gm", named("Imp"))


@pytest.mark.parametrize("typed", [True, False])
def test_no_scene_begins_with_two_names_that_look_alike(
    db: Database, world: FixedWorld, typed: bool
) -> None:
    setup = duel()
    entrants = tuple(
        replace(one, sheet=replace(one.sheet, name=name))
        for one, name in zip(setup.entrants, ("KAI", "kаi"), strict=True)  # the second Cyrillic
    )
    given = duel(entrants=entrants)
    if not typed:
        given = {name: encode(given)[name] for name in ("entrants", "distances")}
    with pytest.raises(Malformed) as wrong:
        set_table(db, world, setup=given)
    assert [(one.field, one.code, one.facts) for one in wrong.value.mistakes] == [
        ("setup.entrants[1].sheet.name", "name_taken", {"other": "KAI"})
    ]


def test_nobody_takes_anothers_name_with_a_new_sheet_but_may_keep_their_own(
    db: Database, world: FixedWorld
) -> None:
    table = set_table(db, world)
    order = ReplaceSheet(
        combatant="quincy", sheet=replace(QUINCY, name="hollow"), reason="Nuova scheda."
    )
    with pytest.raises(Malformed) as wrong:
        table.decide("quincy", order)
    assert [one.field for one in wrong.value.mistakes] == ["order.sheet.name"]
    table.decide("quincy", replace(order, sheet=replace(QUINCY, name="QUINCY", max_hp=190)))


def test_whoever_has_left_comes_back_under_the_same_name(db: Database, world: FixedWorld) -> None:
    table = set_table(db, world)
    table.decide("gm", summon())
    left = Withdraw(by=GM, combatant="imp", standing=Standing.LEFT, reason="Via.")
    table.decide("gm", left)
    again = replace(summon().entrant, id="imp2")
    places = tuple(Distance(a="imp2", b=id, metres=Fraction(5)) for id in ("hollow", "quincy"))
    there = Distance(a="imp2", b="imp", metres=Fraction(5))
    back = summon(entrant=again, distances=(*places, there))
    lookalike = replace(back, entrant=replace(again, sheet=replace(HOLLOW, name="1mp")))
    with pytest.raises(Malformed):
        table.decide("gm", lookalike)
    table.decide("gm", back)
