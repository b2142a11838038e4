"""The post of a combat: what the rule document asks for, in every dialect and both languages."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from app.posts.blocks import Heading, Line, Piece, Style, Table
from app.posts.dialects import DIALECTS, render
from app.posts.digest import find_digests
from app.posts.phrases import LANGUAGES
from app.posts.write import write_blocks
from app.rulesets.combat_dice.orders import AnswerRethrow
from app.rulesets.combat_dice.terms import Rethrow, Stage
from tests.unit.posts.combats import Fought, fight, opening, whole
from tests.unit.posts.fights import Told
from tests.unit.posts.hostile import rolled

GOLDEN = Path(__file__).parent / "combat"
SEED = 3
STORY = Told(initial="", defensive="", offensive="Verus gira la rete sopra la testa (8).")


def two_turns() -> Fought:
    """Play two turns in one decision: a rethrow, an action, blows and wounds."""
    return max(
        whole(opening(turn_cap=4), random.Random(SEED)),
        key=lambda one: len(one.resolution.findings),
    )


@pytest.mark.parametrize(
    ("key", "language"),
    [("guida", "it"), ("phpbb_rolls", "it"), ("nodebb", "en"), ("plain", "en"), ("smf_rpg", "it")],
)
def test_two_turns_are_told_as_their_forum_takes_them(key: str, language: str) -> None:
    blocks = write_blocks(two_turns().source(language, STORY))
    expected = (GOLDEN / f"{key}.txt").read_text(encoding="utf-8")
    assert render(blocks, language, key) + "\n" == expected


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("names", [("Priscus", "Verus"), ("[b]8)", "* _1d6_ | <b>")])
def test_every_dialect_writes_it_and_its_digest_holds(
    language: str, names: tuple[str, str]
) -> None:
    for seed in range(2):
        for fought in whole(opening(names), random.Random(seed), most=7):
            blocks = write_blocks(fought.source(language, STORY))
            for key in DIALECTS:
                text = render(blocks, language, key)
                (digest,) = find_digests(text)
                assert (digest.state, digest.outside) == ("unchanged", 0), (key, text)
                assert rolled(text) == []


def test_each_turn_has_a_heading_a_table_and_a_line_of_how_each_fighter_stands() -> None:
    blocks = write_blocks(two_turns().source("it"))
    headings = [one.text for one in blocks if isinstance(one, Heading)]
    assert headings == ["Turno 3, in mischia", "Turno 4, in mischia"]
    tables = [one for one in blocks if isinstance(one, Table) and len(one.rows) == 7]
    assert len(tables) == len(headings)
    for table in tables:
        for dice, added, sums in (table.rows[1:4], table.rows[4:7]):
            for count, change, total in zip(dice[1:], added[1:], sums[1:], strict=True):
                # Only a score that cannot fall below 0 is more than its dice and modifiers.
                assert int(total) == max(0, int(count) + int(change)) or int(total) < 0
    lines = ["".join(piece.text for piece in one.pieces) for one in blocks if isinstance(one, Line)]
    assert len([one for one in lines if re.search(r"\d+/\d+ Punti Vita", one)]) == 4


def test_a_rethrow_shows_both_rolls_the_first_one_struck() -> None:
    for fought in whole(opening(), random.Random(3)):
        for one in fought.resolution.findings:
            if one.key != "rethrown":
                continue
            (line,) = [
                block
                for block in write_blocks(fought.source("en"))
                if isinstance(block, Line) and any(p.style is Style.STRUCK for p in block.pieces)
            ][:1]
            before = " ".join(one.facts["before"])
            assert Piece(before, Style.STRUCK) in line.pieces
            return
    raise AssertionError("nobody rethrew")


def test_negative_armor_stands_in_brackets_and_adds_to_the_damage() -> None:
    shown = [
        "".join(piece.text for piece in block.pieces)
        for fought in whole(opening(), random.Random(3))
        for block in write_blocks(fought.source("en"))
        if isinstance(block, Line)
    ]
    found = [re.search(r"Damage (\d+) − Armor \((-\d+)\) = (\d+) hit", one) for one in shown]
    sums = [tuple(map(int, one.groups())) for one in found if one]
    assert sums
    assert all(damage - armor == points for damage, armor, points in sums)


def test_sealed_orders_tell_nothing_but_that_they_are_in() -> None:
    first = next(one for one in whole(opening(), random.Random(2)) if not one.rolls)
    (line,) = [one for one in write_blocks(first.source("en")) if isinstance(one, Line)]
    assert "".join(piece.text for piece in line.pieces) == "The orders of Priscus are in."


def test_a_turn_that_goes_on_after_an_answer_is_headed_by_its_number() -> None:
    chance = random.Random(5)
    for fought in whole(opening(), chance, most=30, rethrow=Rethrow.ASK, actions=()):
        combat = fought.resolution.state
        if combat.stage is Stage.RETHROW:
            asked = combat.fighters[combat.playing().asked[0]].id
            answered = fight(combat, AnswerRethrow(by=asked, rethrow=True), chance)
            blocks = write_blocks(answered.source("en"))
            where = "at range" if combat.ranged else "in melee"
            assert blocks[0] == Heading(f"Turn {combat.turn}, {where}")
            return
    raise AssertionError("nobody was asked")
