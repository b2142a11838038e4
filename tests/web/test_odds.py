"""Odds are written for people, and stay true."""

from __future__ import annotations

from fractions import Fraction

import pytest

from app.rulesets.guida.game import GUIDA
from app.web.odds import laws_of, percent
from tests.support.fights import attack, duel


@pytest.mark.parametrize(
    ("probability", "italian"),
    [
        (Fraction(1, 3), "33,3%"),
        (Fraction(1), "100%"),
        (Fraction(0), "0%"),
        (Fraction(1, 10_000), "0,1%"),
        (Fraction(9_999, 10_000), "99,9%"),
    ],
)
def test_what_is_possible_is_never_written_as_certain(probability: Fraction, italian: str) -> None:
    assert percent(probability, "it") == italian
    assert percent(probability, "en") == italian.replace(",", ".")


def test_an_attack_has_a_table_for_each_defence_it_may_meet() -> None:
    scene = GUIDA.start(duel())
    tables = laws_of(GUIDA.forecast(scene, attack(by="hollow")), "it")
    assert [table.about["action"] for table in tables] == ["null_defence", "guard", "dodge"]
    assert tables[0].average != ""
    assert all(table.outcomes for table in tables)
    assert laws_of(None, "it") == ()
