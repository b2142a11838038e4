"""A combat through the services: sealed orders, dice that follow dice, pauses, a whole ledger."""

from __future__ import annotations

from app.persistence.database import Database
from app.services import replay, scenes
from app.services.access import ANONYMOUS
from tests.support.checked import give_salts, of_kind, set_sealed_table, verified
from tests.support.table import Table

KITS = {
    "ann": {"name": "Ann", "weapons": ["bow", "sword"], "shield": "none"},
    "ben": {"name": "Ben", "weapons": ["spear", "sword"], "armor": "none"},
}


def set_combat(db: Database, **sheets: object) -> Table:
    """Set a table for two fighters, with sealed dice."""
    kits = {**KITS, **sheets}
    setup = {"entrants": [{"id": seat, "sheet": kits[seat]} for seat in KITS]}
    table = set_sealed_table(db, ruleset="combat_dice", setup=setup)
    give_salts(table)
    return table


def test_orders_are_sealed_until_both_are_in(sqlite: Database) -> None:
    table = set_combat(sqlite, ann={"name": "Ann", "forgone": 1, "spells": ["curse"]})
    table.decide("ann", {"kind": "open"})
    made = table.decide("ann", {"kind": "orders", "adrenaline": 0, "rethrow": "never"})
    assert made.number is not None
    for principal in (table.players["ben"], table.gm, ANONYMOUS):
        view = scenes.read_scene(table.db, principal, table.id).view
        assert view.own is None
        assert [one.posted for one in view.fighters] == [True, False]
        assert scenes.read_entry(table.db, principal, table.id, made.number).order is None
    own = scenes.read_scene(table.db, table.players["ann"], table.id).view.own
    assert own is not None
    assert own.rethrow == "never"
    table.decide("ben", {"kind": "orders"})
    assert table.state().turn == 2


def test_a_whole_combat_verifies_and_is_played_again(sqlite: Database) -> None:
    table = set_combat(sqlite)
    table.decide("ben", {"kind": "open"})
    while table.state().outcome is None:
        for seat in KITS:
            table.decide(seat, {"kind": "orders", "turns": 10})
    report = verified(table)
    assert report.rolls == len(of_kind(table, "roll")) > 1
    assert replay.check_scenes(table.db).equal == (table.id,)


def test_pauses_are_answered_or_fall_to_the_deadline(sqlite: Database) -> None:
    table = set_combat(sqlite)
    table.decide("ann", {"kind": "open"})
    stages: set[str] = set()
    for turn in range(40):
        if table.state().outcome is not None:
            break
        for seat in KITS:
            table.decide(seat, {"kind": "orders", "rethrow": "ask", "ask_action": True})
        while (state := table.state()).stage not in ("orders", "ended"):
            stages.add(state.stage)
            asked = state.fighters[state.playing().asked[0]].id
            if turn % 2:
                table.decide("gm", {"kind": "deadline", "reason": "Nobody answered."})
            elif state.stage == "rethrow":
                table.decide(asked, {"kind": "again", "rethrow": True})
            else:
                table.decide(asked, {"kind": "act"})
    assert stages == {"rethrow", "act"}
    verified(table)
    assert table.id in replay.check_scenes(table.db).equal
