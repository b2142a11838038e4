"""Posts of Warrior Dice: turn by turn and die by die, from what was found and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from app.engine.dice import Address, RecordedDice, Roll
from app.posts.blocks import Block, Heading, Line, Note, Style
from app.posts.dialects import DIALECTS, render
from app.posts.digest import find_digests
from app.posts.phrases import LANGUAGES
from app.posts.write import PostSource, write_blocks
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import DuelAnswer, DuelOrder, DuelTurn, StandingOrders
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior, Warrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Keep, Kind
from tests.unit.posts.fights import Told
from tests.unit.warrior_dice.play import any_duel

GOLDEN = Path(__file__).parent / "golden" / "warrior_dice"
SHOWN = ("guida", "phpbb_rolls", "nodebb", "plain")
# By place: each turn has three, for bystanders, attack and defence.
THREE_TURNS = {1: (1, 9, 3), 2: (2, 9, 10), 4: (7,), 7: (4,), 8: (3,)}


def duel(one: str = "cavaliere", other: str = "guerriero", **more: Any) -> Duel:
    """Set two printed warriors against each other; anna begins."""
    standing = more.pop("standing", StandingOrders())
    setup = DuelSetup(
        entrants=(
            Duellist(id="anna", sheet=PrintedWarrior(warrior=one), standing=standing),
            Duellist(id="bruno", sheet=PrintedWarrior(warrior=other)),
        ),
        first="anna",
        **more,
    )
    assert WARRIOR_DICE.check_setup(setup) == ()
    return WARRIOR_DICE.start(setup)


def post(
    before: Duel, order: DuelOrder, faces: Mapping[int, Sequence[int]], language: str = "it"
) -> tuple[Duel, tuple[Block, ...]]:
    """Play a decision with these dice, and write its post."""
    assert WARRIOR_DICE.check(before, order) == ()
    rolls = tuple(
        Roll(Address(place, index), 10, face)
        for place, some in faces.items()
        for index, face in enumerate(some)
    )
    done = WARRIOR_DICE.resolve(before, order, RecordedDice(rolls))
    source = PostSource(
        ruleset="warrior_dice",
        language=language,
        findings=done.findings,
        asked=done.drawn,
        rolls=rolls,
        narration=Told(offensive="Si lancia avanti."),
        provenance="service",
        turn="k3Jx90aa-7",
    )
    return done.state, write_blocks(source)


def lines(blocks: Sequence[Block]) -> list[str]:
    """Give the text of headings, lines and notes, without how it stands out."""
    return [
        "".join(piece.text for piece in one.pieces) if isinstance(one, Line) else one.text
        for one in blocks
        if isinstance(one, Heading | Line | Note)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dialect", SHOWN)
def test_a_post_of_three_turns_reads_as_it_always_did(dialect: str, language: str) -> None:
    _, blocks = post(duel(turns_per_post=3), DuelTurn(by="anna"), THREE_TURNS, language)
    golden = GOLDEN / f"{dialect}.{language}.txt"
    assert render(blocks, language, dialect) == golden.read_text(encoding="utf-8").rstrip("\n")


def test_each_turn_has_its_heading_its_chains_its_damage_and_where_both_stand() -> None:
    _, blocks = post(duel(turns_per_post=3), DuelTurn(by="anna"), THREE_TURNS, "en")
    assert lines(blocks)[:6] == [
        "Turn 1: Cavaliere attacks Guerriero",
        "Attack: 1 Adder (+10) > 9 Charge, All Out (x2) > 3 Lance 30 = 70",
        "Defence: 2 Doubler: 0 Chain Mail 10 > 9 Parry 20",
        "Damage: 70 - 20 = 50 damage to Guerriero",
        "Cavaliere 100/100 | Guerriero 50/100",
        "Turn 2: Guerriero attacks Cavaliere",
    ]
    assert "1.0=1, 1.1=9, 1.2=3, 2.0=2, 2.1=9, 2.2=10, 4.0=7, 7.0=4, 8.0=3" in lines(blocks)[-3]


def test_the_die_that_counts_is_bold_and_the_one_that_does_not_is_struck() -> None:
    _, blocks = post(duel(turns_per_post=3), DuelTurn(by="anna"), THREE_TURNS, "en")
    (defence,) = (
        one
        for one in blocks
        if isinstance(one, Line) and any(piece.style is Style.STRUCK for piece in one.pieces)
    )
    styles = {piece.text: piece.style for piece in defence.pieces}
    assert styles["0 Chain Mail 10"] is Style.STRUCK
    assert styles["9 Parry 20"] is Style.BOLD


def test_a_turn_that_waits_tells_its_question_and_goes_on_in_the_next_post() -> None:
    asks = duel("mago", standing=StandingOrders(doubler=Keep.ASK))
    paused, first = post(asks, DuelTurn(by="anna"), {1: (1, 2, 5, 7)}, "en")
    assert lines(first)[:3] == [
        "Turn 1: Mago attacks Guerriero",
        "1 Adder (+10) > 2 Doubler: 5 Fireball 40 / 7 Charm",
        "Doubler: which die does Mago keep? The first shows Fireball 40, the second Charm.",
    ]
    _, second = post(paused, DuelAnswer(by="anna", choice="2"), {2: (4,)}, "en")
    assert lines(second)[:8] == [
        "Turn 1 goes on",
        "Mago keeps the second die, Charm.",
        "Attack: … > 2 Doubler: 5 Fireball 40 > 7 Charm, Neutralize",
        "Defence: 4 Dagger 20 (it stops nothing)",
        "Guerriero is neutralized: it misses 2 Attack phases.",
        "Mago 100/100 | Guerriero 100/100 (misses 2 more)",
        "Turn 2: Guerriero attacks Mago",
        "Guerriero is neutralized and misses the Attack phase; 1 more to miss.",
    ]


@pytest.mark.parametrize(
    ("battlefield", "faces", "told"),
    [
        (1, {1: (3,), 2: (7,)}, "Attack: 3 Lance 30 (battlefield -10) = 20"),
        (2, {0: (1,)}, "Alley: the die says 1, and somebody turns up."),
        (4, {1: (9,)}, "Attack: 9 Charge, All Out: not here (attack lost)"),
        (10, {1: (3,), 2: (7,)}, "Defence: 7 Shield 30 (battlefield +30) = 60"),
    ],
)
def test_what_the_battlefield_does_is_told_at_the_die(
    battlefield: int, faces: dict[int, tuple[int, ...]], told: str
) -> None:
    _, blocks = post(duel(battlefield=battlefield), DuelTurn(by="anna"), faces, "en")
    assert told in lines(blocks)


def test_a_chain_that_is_cut_and_a_blank_face_are_told() -> None:
    sheet = Warrior(
        name="Bare",
        hits=100,
        options=(FaceOption(face=2, name="Doubler", kind=Kind.DOUBLER),),
    )
    setup = DuelSetup(
        entrants=(
            Duellist(id="anna", sheet=sheet, grown=True),
            Duellist(id="bruno", sheet=PrintedWarrior(warrior="orco")),
        ),
        options=DuelOptions(),
        first="anna",
    )
    bare = WARRIOR_DICE.start(setup)
    _, blank = post(bare, DuelTurn(by="anna"), {1: (2, 5, 5)}, "en")
    assert "Attack: 2 Doubler: 5 > 5, blank (attack lost)" in lines(blank)
    _, cut = post(bare, DuelTurn(by="anna"), {1: (2,) * 199}, "en")
    assert lines(cut)[1].endswith("cut after 199 dice (attack lost)")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_decision_of_any_duel_is_told_and_known_again_in_every_dialect(language: str) -> None:
    for seed in range(6):
        for step in any_duel(seed):
            blocks = write_blocks(
                PostSource(
                    ruleset="warrior_dice",
                    language=language,
                    findings=step.findings,
                    asked=step.drawn,
                    rolls=step.rolls,
                    provenance="service",
                    turn="k3Jx90aa-7",
                )
            )
            for dialect in DIALECTS:
                (digest,) = find_digests(render(blocks, language, dialect))
                assert (digest.state, digest.outside) == ("unchanged", 0), (seed, dialect)
