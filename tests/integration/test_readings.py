"""How a board reads doubtful points: each reading told, since when it holds, what scenes keep."""

from __future__ import annotations

import dataclasses
from enum import StrEnum
from fractions import Fraction
from typing import Any, get_type_hints

import pytest

from app import catalogue
from app.catalogue import LANGUAGES
from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.rulesets import RULESETS
from app.rulesets.guida.options import Options, Regulation
from app.services import boards, readings, scenes
from app.services.errors import NotFound
from app.services.games import board_types
from app.services.readings import keys_of
from app.services.shapes import BoardChanges, OpenScene
from tests.support.table import Table, set_table

FIELDS = [field for part in (Options, Regulation) for field in dataclasses.fields(part)]
HINTS = {**get_type_hints(Options), **get_type_hints(Regulation)}
KINDS = ("targeted", "multiple_1_5", "area", "multiple")


def wanted(name: str) -> set[str]:
    """List the keys under which the readings of an option must stand."""
    hint = HINTS[name]
    if hint is bool:
        return {"true", "false"}
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return set(hint)
    if hint in (int, Fraction):
        return {"number"}
    if hint == Fraction | None:
        return {"number", "none"}
    if name == "aimable_kinds":
        return set(KINDS)
    return {"list"} if name == "range_ladder_m" else {"table", "none"}


def turn(table: Table, **options: Any) -> None:
    """Change options of the board."""
    boards.change_board(
        table.db, table.world, table.owner, FIRST_BOARD, BoardChanges(options={"guida": options})
    )


def option(table: Table, name: str) -> readings.OptionRead:
    """Read one option of the board."""
    found = [one for each in readings.ambiguities(table.db, FIRST_BOARD) for one in each.options]
    return next(one for one in found if one.option == name)


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_value_of_every_option_has_a_reading_in_both_languages(field: Any) -> None:
    told = catalogue.readings("guida")[field.name]
    assert set(told) == wanted(field.name)
    assert keys_of(encode(field.default), told) <= set(told)
    for text in told.values():
        assert set(text) == set(LANGUAGES)
        assert all(one.strip().endswith(".") and len(one) > 30 for one in text.values())
    for language in LANGUAGES:
        said = [text[language] for text in told.values()]
        assert len(set(said)) == len(said)


def test_no_reading_is_left_of_an_option_that_is_gone() -> None:
    assert set(catalogue.readings("guida")) == {field.name for field in FIELDS}


def test_every_option_stands_under_exactly_one_ambiguity(table: Table) -> None:
    listed = [
        one.option for each in readings.ambiguities(table.db, FIRST_BOARD) for one in each.options
    ]
    assert sorted(listed) == sorted(field.name for field in FIELDS)


def test_a_fresh_board_plays_every_default(table: Table) -> None:
    for each in readings.ambiguities(table.db, FIRST_BOARD):
        assert set(each.title) == set(each.statement) == set(LANGUAGES)
        for one in each.options:
            assert (one.value, one.since, one.changes) == (one.default, None, ())
            assert [r.value for r in one.readings if r.played] == [
                r.value for r in one.readings if r.default
            ]
            assert any(r.played for r in one.readings) or one.value == []


def test_an_ambiguity_names_the_rules_it_touches(table: Table) -> None:
    by_id = {one.id: one for one in readings.ambiguities(table.db, FIRST_BOARD)}
    assert {"GC-2.14", "GC-14.8"} <= set(by_id["AMB-18"].rules)
    assert len(by_id["AMB-18"].options) == 2
    assert by_id["AMB-16"].options == ()


def test_a_change_is_dated_and_the_ones_before_stay(table: Table) -> None:
    turn(table, riders_on_tie=True)
    first = option(table, "riders_on_tie")
    assert (first.value, first.default, len(first.changes)) == (True, False, 1)
    assert first.since == first.changes[0].at
    assert [one.value for one in first.readings if one.played] == ["true"]
    turn(table, riders_on_tie=True, guard_riders=False)  # the same again is no change
    assert option(table, "riders_on_tie").changes == first.changes
    turn(table, riders_on_tie=False)
    again = option(table, "riders_on_tie")
    assert [(one.before, one.after) for one in again.changes] == [(False, True), (True, False)]
    assert option(table, "guard_riders").value is False


def test_numbers_lists_and_tables_are_told_too(table: Table) -> None:
    turn(table, movement_metres_per_dexterity="3/2", aimable_kinds=["area"])
    regulation = {"guida": {"stat_bonus_source": "total_level", "range_ladder_m": [7, 70]}}
    boards.change_board(
        table.db, table.world, table.owner, FIRST_BOARD, BoardChanges(regulation=regulation)
    )
    for name, played in {
        "movement_metres_per_dexterity": ["number"],
        "aimable_kinds": ["area"],
        "stat_bonus_source": ["total_level"],
        "range_ladder_m": ["list"],
        "potential_by_category": ["none"],
    }.items():
        one = option(table, name)
        assert [reading.value for reading in one.readings if reading.played] == played, name
        assert (one.since is None) is (name == "potential_by_category")


def test_a_scene_keeps_what_it_was_opened_with_and_says_where_the_board_turned_away(
    table: Table,
) -> None:
    assert readings.scene_options(table.db, table.id).differing == ()
    turn(table, riders_on_tie=True)
    pinned = readings.scene_options(table.db, table.id)
    assert [(one.option, one.ambiguity, one.scene, one.board) for one in pinned.differing] == [
        ("riders_on_tie", "AMB-42", False, True)
    ]
    assert pinned.options is not None
    assert pinned.options["riders_on_tie"] is False
    later = set_table(table.db, table.world, owner=table.owner)
    assert readings.scene_options(table.db, later.id).options is not None
    with pytest.raises(NotFound):
        readings.scene_options(table.db, "nowhere")


WARRIORS = [{"id": id, "sheet": {"kind": "printed", "warrior": "cavaliere"}} for id in "ab"]
FIGHTERS = [{"id": id, "sheet": {"name": id}} for id in "ab"]


@pytest.mark.parametrize(
    ("ruleset", "entrants", "ambiguity"),
    [
        ("warrior_dice", WARRIORS, "AMB-WD-26"),
        ("combat_dice", FIGHTERS, "AMB-CD-25"),
        ("battle_dice", [{"id": "a"}, {"id": "b"}], "AMB-BD-29"),
    ],
)
def test_an_option_that_several_games_have_leads_to_the_doubt_of_its_own_book(
    table: Table, ruleset: str, entrants: list[Any], ambiguity: str
) -> None:
    opening = OpenScene(title="Duello", ruleset=ruleset, setup={"entrants": entrants})
    opened = scenes.open_scene(
        table.db, table.world, table.owner, FIRST_BOARD, opening, table.key()
    )
    changes = BoardChanges(options={ruleset: {"turn_cap": 77}})
    boards.change_board(table.db, table.world, table.owner, FIRST_BOARD, changes)
    (found,) = readings.scene_options(table.db, opened.scene_id).differing
    assert (found.option, found.board, found.ambiguity) == ("turn_cap", 77, ambiguity)


def test_each_game_tells_its_own_doubts_and_an_unknown_one_none(table: Table) -> None:
    boards.change_board(
        table.db,
        table.world,
        table.owner,
        FIRST_BOARD,
        BoardChanges(options={"combat_dice": {"turn_cap": 99}}),
    )
    for ruleset in RULESETS:
        told = readings.ambiguities(table.db, FIRST_BOARD, ruleset)
        assert {catalogue.ruling(one.id).ruleset for one in told} == {ruleset}
        values = {one.option: one.value for point in told for one in point.options}
        assert set(board_types(ruleset)["options"].__dataclass_fields__) <= set(values)
        assert values.get("turn_cap") == {"combat_dice": 99, "warrior_dice": 200}.get(
            ruleset, 50 if ruleset == "battle_dice" else None
        )
    with pytest.raises(NotFound):
        readings.ambiguities(table.db, FIRST_BOARD, "no_such_game")
