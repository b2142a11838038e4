"""Posts of Battle Dice: a section for each step, in the book's words with the reader's beside."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.posts.blocks import Heading, Line, Style, Table
from app.posts.dialects import DIALECTS, render
from app.posts.digest import find_digests, turn_name
from app.posts.phrases import LANGUAGES, say
from app.posts.write import PostSource, write_blocks
from app.rulesets.battle_dice.options import CasualtyChoice, MoraleTie, Options
from app.rulesets.battle_dice.terms import Step as Step_
from tests.unit.battle_dice.games import Step, battle_of
from tests.unit.posts.hostile import active, rolled

GOLDEN = Path(__file__).parent / "golden" / "battle_dice"
SHOWN = ("guida", "phpbb_rolls", "nodebb", "plain")
GOLDEN_SEED = 12
# What dialects write themselves: tags, and a number for a character of four bytes.
OWN = re.compile(r"\[/?(?:b|i|s|heading|heading=2|table|tr|td|th)\]|&#[0-9]{5,7};", re.IGNORECASE)


@dataclass(frozen=True)
class Story:
    """The words of a player, who tells all of it in one piece."""

    offensive: str
    initial: str = ""
    defensive: str = ""


def source(step: Step, language: str = "it", story: str = "Avanti! 🐉") -> PostSource:
    """Gather what the post of a decision is written from."""
    return PostSource(
        ruleset="battle_dice",
        language=language,
        findings=step.findings,
        asked=step.asked,
        rolls=step.rolls,
        narration=Story(story),
        provenance="service",
        turn=turn_name("k3Jx90aa", 7),
    )


def turns(seed: int, options: Options | None = None) -> Iterator[Step]:
    """Play a battle and give the decisions with which a turn begins or goes on."""
    for step in battle_of(seed, options):
        if any(one.key in ("turn_begins", "turn_resumed") for one in step.findings):
            yield step


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", SHOWN)
def test_a_played_turn_is_written_as_its_forum_takes_it(key: str, language: str) -> None:
    step = next(turns(GOLDEN_SEED, Options()))
    text = render(write_blocks(source(step, language)), language, key)
    assert text + "\n" == (GOLDEN / f"{key}_{language}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", DIALECTS)
def test_every_dialect_writes_every_turn_and_its_digest_holds(key: str) -> None:
    for seed in range(8):
        for step in battle_of(seed):
            for language in LANGUAGES:
                text = render(write_blocks(source(step, language)), language, key)
                (found,) = find_digests(text)
                assert (found.state, found.outside, found.dice) == ("unchanged", 0, 0), text
                assert rolled(text) == []
                assert not active(OWN.sub("", text)), text


def test_a_die_that_was_changed_afterwards_is_noticed() -> None:
    step = next(turns(GOLDEN_SEED, Options()))
    text = render(write_blocks(source(step)), "it", "guida")
    changed = re.sub(r"(?m)^(D6 .*: .*)[1-6](?=\[/b\]|$)", r"\g<1>9", text, count=1)
    assert changed != text
    (found,) = find_digests(changed)
    assert found.state == "edited"


def test_each_step_has_its_section_in_portuguese_with_a_translation_beside() -> None:
    step = next(turns(GOLDEN_SEED, Options()))
    headings = [one.text for one in write_blocks(source(step)) if isinstance(one, Heading)]
    for one in Step_:
        assert f"{say('pt', 'battle_dice', 'phases', one)} / {word(one)}" in headings
    assert "Etapa de Combate / Mischia" in headings


def word(step: Step_) -> str:
    """Say a step in Italian."""
    return say("it", "battle_dice", "phases", step)


def test_successes_stand_out_and_deserters_are_struck() -> None:
    least = {"D4": 4, "D6": 5, "D8": 7, "D10": 8, "D12": 10, "D20": 13}
    seen = set()
    for seed in range(6):
        for step in turns(seed, Options()):
            for line in write_blocks(source(step)):
                if isinstance(line, Line) and line.rule == "BD-14":
                    kind = line.pieces[0].text.partition(" ")[0]
                    seen |= {(kind, int(one.text), one.style) for one in line.pieces[2::2]}
    assert {kind for kind, _, _ in seen} == set(least)
    for kind, face, style in seen:
        struck = kind == "D20" and face <= 2
        wanted = Style.BOLD if face >= least[kind] else Style.PLAIN
        assert style is (Style.STRUCK if struck else wanted), (kind, face)


def test_the_dice_and_losses_that_are_told_are_those_that_fell() -> None:
    for seed in range(20):
        for step in turns(seed, Options(casualty_choice=CasualtyChoice.POLICY)):
            blocks = write_blocks(source(step))
            told = [
                int(piece.text)
                for block in blocks
                if isinstance(block, Line) and block.rule in ("BD-14", "BD-72")
                for piece in block.pieces[2::2]
            ]
            fell = [
                roll.face
                for one, roll in zip(step.asked, step.rolls, strict=True)
                if one.action in ("roll", "morale")
            ]
            assert sorted(told) == sorted(fell)
            armies = [one for one in step.findings if one.key == "army_after"]
            tables = [block for block in blocks if isinstance(block, Table)]
            totals = next(row for row in tables[-1].rows if row[0] == "Total / Totale")
            assert list(totals[1:]) == [str(one.facts["total"]) for one in armies]


def test_a_turn_that_waits_is_told_piece_by_piece() -> None:
    told = {Step_(str(one.facts["step"])) for one in resumed()}
    assert {Step_.MISSILE, Step_.COMBAT} <= told
    for seed in range(6):
        for step in turns(seed, Options(casualty_choice=CasualtyChoice.ASK)):
            blocks = write_blocks(source(step))
            headings = [one.text for one in blocks if isinstance(one, Heading)]
            again = step.findings[1].key == "turn_resumed"
            assert ("Turno 1, continuação" in headings[0]) or not again or step.before.turn > 1
            if step.after.paused is not None:
                asked = [one for one in step.findings if one.key == "choice_asked"]
                lines = [one for one in blocks if isinstance(one, Line)]
                assert len(asked) == len(step.after.paused.awaited)
                assert all(one.pieces[0].style is Style.BOLD for one in lines[-len(asked) :])


def resumed() -> Iterator[object]:
    """Find where turns went on."""
    for seed in range(12):
        for step in turns(seed, Options(casualty_choice=CasualtyChoice.ASK)):
            yield from (one for one in step.findings if one.key == "turn_resumed")


def test_two_armies_that_test_morale_have_their_own_dice() -> None:
    options = Options(morale_tie=MoraleTie.BOTH)
    chance = random.Random(1)
    for seed in chance.sample(range(1_000), 60):
        for step in turns(seed, options):
            tests = [one for one in step.findings if one.key == "morale_tested"]
            if len(tests) < 2:
                continue
            lines = [one for one in write_blocks(source(step)) if isinstance(one, Line)]
            counts = [0, 0]
            at = 0
            for line in lines:
                if line.rule == "BD-72":
                    counts[at] += len(line.pieces) // 2
                elif line.rule == "BD-73":
                    at += 1
            assert counts == [one.facts["dice"] for one in tests]
            return
    pytest.fail("no battle had two tests in one turn")
