"""The printed tables add up, and what a table or a limit says holds for every value it may have."""

from __future__ import annotations

import pytest

from app.rulesets.warrior_dice.campaign import yield_threshold
from app.rulesets.warrior_dice.design import points_of
from app.rulesets.warrior_dice.ground import GROUNDS, ground_of, named
from app.rulesets.warrior_dice.printed import PRINTED, is_as_printed, sheet_of
from app.rulesets.warrior_dice.readings import DesignLimits
from app.rulesets.warrior_dice.setup import check_setup
from app.rulesets.warrior_dice.sheet import PrintedWarrior
from app.rulesets.warrior_dice.state import Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Battlefield, Kind, Special

SHORT_OF = {"gandalf": 30}  # what his table lacks of its printed class (AMB-WD-24)


def test_all_printed_warriors_are_there_in_their_order() -> None:
    assert [one.rule for one in PRINTED.values()] == [f"WD-T{n}" for n in range(1, 52)]


@pytest.mark.parametrize("id", PRINTED)
def test_the_points_of_a_printed_warrior_add_up(id: str) -> None:
    sheet = PRINTED[id].sheet
    assert points_of(sheet).total == (sheet.declared or 0) - SHORT_OF.get(id, 0)


def test_gandalf_is_worth_270_points_and_300_by_the_house_rule() -> None:
    assert points_of(PRINTED["gandalf"].sheet).total == 270
    fixed = sheet_of(PrintedWarrior(warrior="gandalf"), gandalf_fix=True)
    assert fixed is not None
    assert points_of(fixed).total == 300
    assert is_as_printed(fixed)


@pytest.mark.parametrize("id", PRINTED)
def test_a_table_has_ten_faces_and_at_most_two_options_on_each(id: str) -> None:
    sheet = PRINTED[id].sheet
    assert {len(sheet.on(face)) for face in range(1, 11)} <= {1, 2}
    for option in sheet.options:
        leads = option.kind in (Kind.ADDER, Kind.DOUBLER)
        assert (option.force is None) is (leads or option.special is not None)
        assert option.force is None or option.force in range(10, 51, 10)
        assert not option.untyped or option.special in Special


@pytest.mark.parametrize("id", PRINTED)
def test_a_printed_warrior_is_admitted_even_as_a_sheet(id: str) -> None:
    entrants = tuple(Duellist(id=seat, sheet=PRINTED[id].sheet) for seat in ("a", "b"))
    assert DuelSetup(entrants=entrants).options.design_limits is DesignLimits.PRINTED
    assert check_setup(DuelSetup(entrants=entrants)) == ()


def test_every_face_of_the_die_is_a_battlefield_and_every_battlefield_does_something() -> None:
    assert [named(face) for face in range(1, 11)] == list(Battlefield)
    assert set(GROUNDS) == set(Battlefield)
    assert len({ground_of(face).rule for face in range(1, 11)}) == 10


@pytest.mark.parametrize("start", range(10, 500, 10))
def test_the_threshold_of_yielding_is_a_step_of_ten_and_no_less_than_a_tenth(start: int) -> None:
    threshold = yield_threshold(start)
    assert threshold % 10 == 0
    assert start <= 10 * threshold < start + 100
