"""The tables are those of the book: whole, in their order, each row a rule of its own."""

from __future__ import annotations

import pytest

from app import catalogue
from app.rulesets.battle_dice.course import PLACES
from app.rulesets.battle_dice.tables import (
    CHOSEN_ROW,
    HERO_TABLES,
    MAGIC,
    MANOEUVRE,
    SCORES_FROM,
    STEP_OF,
    TACTICAL,
    Table,
)
from app.rulesets.battle_dice.terms import Hero, Kind, Manoeuvre

TABLES = (TACTICAL, MAGIC, MANOEUVRE, *HERO_TABLES.values())


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.key)
def test_every_face_has_one_row(table: Table) -> None:
    faces = [face for row in table.rows for face in range(row.low, row.high + 1)]
    assert faces == list(range(1, table.sides + 1))
    for face in faces:
        assert table.row(face).low <= face <= table.row(face).high


def test_every_row_is_a_rule_of_the_catalogue_and_no_two_are_the_same() -> None:
    rules = [row.rule for table in TABLES for row in table.rows]
    assert len(rules) == len(set(rules)) == 84
    assert set(rules) <= set(catalogue.rules())


def test_tables_are_total_over_their_words() -> None:
    assert tuple(HERO_TABLES) == tuple(Hero)
    assert set(CHOSEN_ROW) == set(Manoeuvre)
    assert set(SCORES_FROM) == set(STEP_OF) == set(Kind)


def test_each_size_of_dice_has_places_of_its_own() -> None:
    assert sorted(PLACES.values()) == list(range(len(PLACES)))
    assert len(PLACES) < 100
