"""A combat through the services: sealed orders, dice that follow dice, pauses, a whole ledger."""

from __future__ import annotations

from app.persistence import queries_ledger
from app.persistence.database import Database
from app.services import replay, scenes
from app.services.access import ANONYMOUS
from app.services.entry_shapes import Narration
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


STORY = Narration(offensive="Ann lifts her blade without a word.")


def read_by_all(table: Table, number: int) -> set[tuple[bool, str]]:
    """Say who reads the order and the story of an entry: whoever is at the table, or looks on."""
    read = [
        scenes.read_entry(table.db, principal, table.id, number)
        for principal in (*table.players.values(), table.gm, ANONYMOUS)
    ]
    return {(entry.order is not None, entry.narration.offensive) for entry in read}


def told_in_ledger(table: Table) -> str:
    """Give all that the ledger tells by now."""
    with table.db.read() as connection:
        lines = queries_ledger.ledger(connection, table.id)
    return "\n".join(line.line.decode() for line in lines)


def test_orders_come_to_light_with_the_turn_they_are_for(sqlite: Database) -> None:
    table = set_combat(sqlite, ann={"name": "Ann"}, ben={"name": "Ben"})
    first = table.decide("ann", {"kind": "orders", "rethrow": "never"}, narration=STORY)
    assert read_by_all(table, first.number) == {(True, STORY.offensive), (False, "")}
    assert "without a word" not in told_in_ledger(table)
    second = table.decide("ben", {"kind": "orders"}, narration=STORY)
    for number in (first.number, second.number):
        assert read_by_all(table, number) == {(True, STORY.offensive)}
    assert told_in_ledger(table).count("without a word") == 2
    assert verified(table).rolls


def test_orders_that_stand_for_more_turns_stay_sealed_until_they_are_played(
    sqlite: Database,
) -> None:
    table = set_combat(sqlite, ann={"name": "Ann"}, ben={"name": "Ben"})
    standing = table.decide("ann", {"kind": "orders", "turns": 3}, narration=STORY)
    for turn in range(3):
        if table.state().outcome is not None:
            break
        sealed = table.state().turn == turn + 1
        assert sealed
        assert (False, "") in read_by_all(table, standing.number)
        made = table.decide("ben", {"kind": "orders"})
        assert read_by_all(table, made.number) == {(True, "")}
    assert read_by_all(table, standing.number) == {(True, STORY.offensive)}


def test_a_turn_that_waits_for_an_answer_keeps_its_orders_sealed(sqlite: Database) -> None:
    table = set_combat(sqlite, ann={"name": "Ann"}, ben={"name": "Ben"})
    numbers: list[int] = []
    while table.state().stage == "orders":
        numbers = [
            table.decide(seat, {"kind": "orders", "rethrow": "ask", "ask_action": True}).number
            for seat in KITS
        ]
    assert table.state().stage in ("rethrow", "act")
    assert all((False, "") in read_by_all(table, number) for number in numbers)
    while (state := table.state()).stage not in ("orders", "ended"):
        asked = state.fighters[state.playing().asked[0]].id
        answer = (
            {"kind": "again", "rethrow": False} if state.stage == "rethrow" else {"kind": "act"}
        )
        table.decide(asked, answer)
    assert all(read_by_all(table, number) == {(True, "")} for number in numbers)


def test_several_turns_are_played_in_one_go_while_both_orders_stand(sqlite: Database) -> None:
    table = set_combat(sqlite, ann={"name": "Ann"}, ben={"name": "Ben"})
    table.decide("ann", {"kind": "orders", "turns": 4})
    made = table.decide("ben", {"kind": "orders", "turns": 4})
    entry = scenes.read_entry(table.db, ANONYMOUS, table.id, made.number)
    turns = {one.facts["turn"] for one in entry.findings if one.key == "declared"}
    assert turns == set(range(1, 5)) or table.state().outcome is not None
    assert len(entry.rolls or ()) == len({roll.address for roll in entry.rolls or ()})
    assert table.state().turn == 5 or table.state().outcome is not None


def test_turns_go_on_until_something_happens(sqlite: Database) -> None:
    sheet = {"armor": "heavy", "shield": "large"}
    table = set_combat(sqlite, ann={"name": "Ann", **sheet}, ben={"name": "Ben", **sheet})
    table.decide("ann", {"kind": "orders", "until_event": True})
    made = table.decide("ben", {"kind": "orders", "until_event": True})
    found = scenes.read_entry(table.db, ANONYMOUS, table.id, made.number).findings
    turns = [one.facts["turn"] for one in found if one.key == "declared"]
    last = [one.key for one in found][[one.key for one in found].index("declared") :]
    assert len(set(turns)) > 1
    assert len(set(turns)) == 10 or "damage" in last
    assert table.state().posted == (None, None)
