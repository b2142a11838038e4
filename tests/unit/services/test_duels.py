"""The matrix that is kept, and questions about duels."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from app.rulesets.warrior_dice.game import EDITION
from app.rulesets.warrior_dice.ground import ground_of
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.readings import DesignLimits
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior, Warrior
from app.rulesets.warrior_dice.solver.laws import Book
from app.rulesets.warrior_dice.terms import Kind
from app.services import duels
from app.services.duel_shapes import DesignQuestion, DuelQuestion
from app.services.errors import Malformed, NotFound, Refused

TOLD = Fraction(2, 10**8)


def printed(id: str) -> PrintedWarrior:
    """Name a printed warrior."""
    return PrintedWarrior(warrior=id)


def test_the_matrix_is_of_this_edition_and_its_sides_add_up() -> None:
    found = duels.matrix()
    assert found.edition == EDITION
    assert found.warriors == tuple(PRINTED)
    for row in range(len(PRINTED)):
        assert found.wins[row][row] == Fraction(1, 2)
        for column in range(row):
            assert found.wins[row][column] + found.wins[column][row] == 1


def test_a_part_of_the_matrix_is_worked_out_anew() -> None:
    found, book = duels.matrix(), Book(DuelOptions(), ground_of(None))
    ids = list(PRINTED)
    pairs = [Random(3).sample(ids, 2) for _ in range(20)] + [["gimli", "boromir"]]
    for first, second in pairs:
        kept = found.wins[ids.index(first)][ids.index(second)]
        assert abs(kept - duels.told(duels.pair_chance(first, second, book))) <= TOLD


@pytest.mark.slow
def test_the_whole_matrix_is_worked_out_anew() -> None:
    kept, anew = duels.matrix(), duels.solve_matrix()
    for before, after in zip(kept.wins, anew.wins, strict=True):
        assert all(abs(one - other) <= TOLD for one, other in zip(before, after, strict=True))


def test_the_odds_of_two_printed_warriors_are_those_of_the_matrix() -> None:
    found = duels.duel_odds(DuelQuestion(first=printed("guerriero"), second=printed("elfo")))
    ids = list(PRINTED)
    kept = duels.matrix().wins[ids.index("guerriero")][ids.index("elfo")]
    assert abs(found.first - kept) <= TOLD
    assert found.first + found.second + found.draw == pytest.approx(1, abs=1e-7)
    assert not found.often_capped


def test_matchups_are_sorted_and_agree_with_the_matrix() -> None:
    found = duels.matchups_of("samurai")
    assert [one.win for one in found] == sorted((one.win for one in found), reverse=True)
    asked = DesignQuestion(sheet=printed("samurai"))
    worked = {one.id: one.win for one in duels.matchups(asked)}
    assert all(abs(worked[one.id] - one.win) <= TOLD for one in found)


def test_a_question_that_the_rules_refuse_names_its_own_fields() -> None:
    faces = tuple(FaceOption(face=n, name="X", kind=Kind.ATTACK, force=90) for n in range(1, 11))
    sheet = Warrior(name="Ogre", hits=100, options=faces)
    with pytest.raises(Refused) as refused:
        duels.duel_odds(DuelQuestion(first=printed("elfo"), second=sheet))
    fields = {one.field for one in refused.value.obstacles}
    assert fields
    assert all(field.startswith("second") for field in fields)
    with pytest.raises(Refused) as refused:
        duels.matchups(DesignQuestion(sheet=sheet))
    assert all(one.field.startswith("sheet") for one in refused.value.obstacles)


def test_a_duel_with_too_many_states_is_refused_in_time() -> None:
    faces = [FaceOption(face=1, name="Adder", kind=Kind.ADDER)]
    faces += [FaceOption(face=n, name="X", kind=Kind.ATTACK, force=1) for n in range(2, 11)]
    huge = Warrior(name="Wall", hits=5000, options=tuple(faces))
    options = DuelOptions(design_limits=DesignLimits.NONE)
    with pytest.raises(Malformed) as wrong:
        duels.duel_odds(DuelQuestion(first=huge, second=huge, options=options))
    assert wrong.value.mistakes[0].code == "duel_too_large"


def test_a_warrior_that_was_never_printed_is_not_found() -> None:
    with pytest.raises(NotFound):
        duels.warrior("nobody")


def test_a_warrior_held_against_all_has_a_bound() -> None:
    tough = replace(PRINTED["guerriero"].sheet, hits=410, declared=None)
    options = DuelOptions(design_limits=DesignLimits.NONE)
    with pytest.raises(Malformed) as wrong:
        duels.matchups(DesignQuestion(sheet=tough, options=options))
    (mistake,) = wrong.value.mistakes
    assert (mistake.field, mistake.code) == ("sheet.hits", "duel_too_large")
