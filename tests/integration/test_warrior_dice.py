"""A duel through the services: acceptance, sealed dice, a paused turn, a ledger that verifies."""

from __future__ import annotations

from app.persistence.database import Database
from app.services import replay, scenes
from app.services.access import ANONYMOUS
from tests.support.checked import give_salts, set_sealed_table, verified
from tests.support.table import Table

SEATS = ("anna", "bruno")


def set_duel(db: Database, **more: object) -> Table:
    """Set a table for two beings of Shadow, with sealed dice."""
    entrants = [
        {"id": seat, "sheet": {"kind": "printed", "warrior": warrior, "xp": 5}}
        for seat, warrior in zip(SEATS, ("miranda_thorne", "gregor_kaprov"), strict=True)
    ]
    setup = {"entrants": entrants, "shadow": True, **more}
    table = set_sealed_table(db, ruleset="warrior_dice", setup=setup)
    give_salts(table)
    return table


def play_on(table: Table, most: int = 1000) -> None:
    """Let whoever is awaited decide as a passed deadline would, until the duel is over."""
    for _ in range(most):
        if table.state().stage == "over":
            return
        table.decide("gm", {"kind": "lapse"})
    raise AssertionError("the duel has no end")


def test_a_whole_duel_verifies_and_is_played_again(sqlite: Database) -> None:
    table = set_duel(sqlite)
    for seat in SEATS:
        table.decide(seat, {"kind": "ready"})
    assert table.state().battlefield in range(1, 11)
    play_on(table)
    assert verified(table).rolls > 0
    assert replay.check_scenes(table.db).equal == (table.id,)
    outcome = scenes.read_scene(table.db, ANONYMOUS, table.id).view.outcome
    assert outcome is not None
    assert {one.id for one in outcome.beings} == set(SEATS)


def test_a_paused_turn_goes_on_with_the_dice_that_fell_and_those_of_a_new_seed(
    sqlite: Database,
) -> None:
    table = set_duel(sqlite, first="anna")
    for seat in SEATS:
        table.decide(seat, {"kind": "standing", "standing": {"doubler": "ask"}})
    paused = 0
    while table.state().stage == "fight" and paused < 2:
        midway = table.state().midway
        if midway is None:
            up = scenes.read_scene(table.db, table.gm, table.id).view.next
            table.decide(up, {"kind": "turn"})
            continue
        paused += 1
        asked = midway.asking
        table.decide(asked.seat, {"kind": "choose", "choice": asked.choices[-1]})
    play_on(table)
    verified(table)
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_a_duel_played_in_one_post_verifies(sqlite: Database) -> None:
    table = set_duel(sqlite, first="bruno", pace="to_the_end")
    table.decide("bruno", {"kind": "turn"})
    assert table.state().ending is not None
    verified(table)


def test_standing_orders_are_told_to_their_owner_and_the_master_alone(sqlite: Database) -> None:
    table = set_duel(sqlite, first="anna")
    made = table.decide("anna", {"kind": "standing", "standing": {"surrender": "always"}})
    for principal, told in (
        (table.players["anna"], True),
        (table.gm, True),
        (table.players["bruno"], False),
        (ANONYMOUS, False),
    ):
        entry = scenes.read_entry(table.db, principal, table.id, made.number)
        assert (entry.order is not None) is told
        (seen, _) = scenes.read_scene(table.db, principal, table.id).view.fighters
        assert (seen.standing is not None) is told
