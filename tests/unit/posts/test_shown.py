"""Dice that forums show: read in every shape, added up anew, refused where nobody rolled them."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import pytest

from app.posts.dialects import DIALECTS
from app.posts.dialects.shown import ShownDie
from app.posts.dialects.thrown import ImpossibleTotal, natural_of, read_sum
from tests.unit.posts.forums import SHOWS, UNLABELLED, thrown
from tests.unit.posts.hostile import HOSTILE, PIECES

KNOWN = sorted(key for key, one in DIALECTS.items() if one.verified and key != "plain")

# As the pages and sources of the forums have them: label, expression, naturals, modifier, total.
GOLDEN = [
    ("phpbb_rolls", "Punch: 1d20+8: [16]+8 = 24", [("Punch", "1d20+8", (16,), 8, 24)]),
    ("phpbb_fancydice", "3d6+1 => 2, 5, 4 => 12", [("", "3d6+1", (2, 5, 4), 1, 12)]),
    ("mybb_feathertail", "1d20+5 → 17 (12 + 5)", [("", "1d20+5", (12,), 5, 17)]),
    ("mybb_cortalabs", "Attack: 1d20+7 [12] +7 = 19", [("Attack", "1d20+7", (12,), 7, 19)]),
    (
        "mybb_cortalabs",
        "Attack: 1d20+7 [20] +7 = 27 CRITICAL!\nX: 1d20 [1] = 1 FUMBLE!",
        [("Attack", "1d20+7", (20,), 7, 27), ("X", "1d20", (1,), 0, 1)],
    ),
    (
        "smf_rolls",
        "Freezing 1d10 : 1, total 1\nRolled 2d12+5 : 6, 11 + 5, total 22",
        [("Freezing", "1d10", (1,), 0, 1), ("", "2d12+5", (6, 11), 5, 22)],
    ),
    (
        "smf_rpg",
        "label: d10 + 2d6 + 4 - 1 => (7) + (3, 5) + 4 - 1 = 18",
        [("label", "1d10+2d6+3", (7, 3, 5), 3, 18)],
    ),
    (
        "vbulletin",
        "Dice Roll: 1d20+1\nd20 Results: 19 (Total = 20)",
        [("", "1d20+1", (19,), 1, 20)],
    ),
    ("discourse_dice", "> 2d6+1\n> 3+4 +1 = 8", [("", "2d6+1", (3, 4), 1, 8)]),
    ("discourse_dice", "2d6+1t9\n3+4 +1 = 8", [("", "2d6+1", (3, 4), 1, 8)]),
    ("discourse_roller", "`2d6: 3 + 4 = 7`", [("", "2d6", (3, 4), 0, 7)]),
    ("nodebb", "2d6+3: [3, 4]+3 = 10", [("", "2d6+3", (3, 4), 3, 10)]),
    (
        "paizo",
        "Spellcraft: 1d20 + 6 ⇒ (13) + 6 = 19",
        [("Spellcraft", "1d20+6", (13,), 6, 19)],
    ),
    ("paizo", "3d6 ⇒ (1, 6, 5) = 12", [("", "3d6", (1, 6, 5), 0, 12)]),
    ("paizo", "1d20 ⇒ 8", [("", "1d20", (8,), 0, 8)]),
]


def facts(one: ShownDie) -> tuple[str, str, tuple[int, ...], Fraction, Fraction]:
    """Return what a roll says, without where it stands."""
    return one.label, one.expression, one.naturals, one.modifier, one.total


@pytest.mark.parametrize(("key", "text", "expected"), GOLDEN)
def test_a_roll_is_read_as_its_forum_shows_it(key: str, text: str, expected: list[object]) -> None:
    read = DIALECTS[key].read(text)
    assert [facts(one) for one in read] == expected
    assert [(one.verified, one.own, one.issues) for one in read] == [(True, False, ())] * len(read)


def test_every_dialect_whose_rendering_is_known_has_a_golden_text() -> None:
    assert sorted({key for key, _, _ in GOLDEN}) == KNOWN == sorted(SHOWS)


@pytest.mark.parametrize("key", KNOWN)
def test_random_rolls_are_read_back_from_what_a_forum_makes_of_them(key: str) -> None:
    chance = random.Random(key)
    for _ in range(300):
        rolls = [thrown(chance) for _ in range(chance.randint(1, 4))]
        shown = [SHOWS[key](one) for one in rolls]
        text = "\n".join(shown)
        read = DIALECTS[key].read(text)
        assert [facts(one) for one in read] == [
            (
                "" if key in UNLABELLED else one.label,
                one.expression,
                one.naturals,
                one.modifier,
                one.total,
            )
            for one in rolls
        ], text
        assert [one.issues for one in read] == [()] * len(rolls)
        at = 0
        for one in read:
            assert at <= one.start < one.end <= len(text)
            assert str(one.naturals[0]) in text[one.start : one.end]
            at = one.end


@pytest.mark.parametrize("key", ["paizo", "phpbb_rolls", "mybb_cortalabs", "smf_rpg", "nodebb"])
def test_a_total_that_runs_on_into_the_next_roll_is_cut_where_the_dice_say(key: str) -> None:
    chance = random.Random(f"glued {key}")
    for _ in range(300):
        # With a label between them nothing touches; a lone die without a bracket says no total.
        rolls = [thrown(chance) for _ in range(4)]
        rolls = [type(one)("", one.faces, one.naturals, one.modifier or 4) for one in rolls]
        read = DIALECTS[key].read("".join(SHOWS[key](one) for one in rolls))
        assert [(one.naturals, one.total, one.issues) for one in read] == [
            (one.naturals, one.total, ()) for one in rolls
        ]


def test_the_run_on_text_of_a_real_thread_is_read_right() -> None:
    text = (
        "Atk: 1d20 + 5 ⇒ (11) + 5 = 161d20 + 11 - 1 - 4 ⇒ (3) + 11 - 1 - 4 = 9Dmg: 1d6 ⇒ 31d4 ⇒ 2"
    )
    read = DIALECTS["paizo"].read(text)
    assert [(one.label, one.expression, int(one.total)) for one in read] == [
        ("Atk", "1d20+5", 16),
        ("", "1d20+6", 9),
        ("Dmg", "1d6", 3),
        ("", "1d4", 2),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Sonìdo: 1d20 − 6 ⇒ (3) − 6 = −3",
        "Sonìdo:\u00a01d20\u00a0–\u00a06\u00a0→\u00a0(3)\u00a0–\u00a06\u00a0=\u00a0–3",
        "Sonìdo: 1d20-6 => (3)-6 = -3",
    ],
)
def test_every_minus_arrow_and_blank_that_forums_print_is_read(text: str) -> None:
    (one,) = DIALECTS["paizo"].read(text)
    assert facts(one) == ("Sonìdo", "1d20-6", (3,), -6, -3)
    assert one.issues == ()


@pytest.mark.parametrize(
    ("key", "text", "issues"),
    [
        ("paizo", "1d20 + 6 ⇒ (13) + 6 = 21", ("impossible_total",)),
        ("paizo", "1d20 + 6 ⇒ (21) + 6 = 27", ("impossible_face",)),
        ("paizo", "2d20 + 6 ⇒ (13) + 6 = 19", ("wrong_count",)),
        ("paizo", "1d20 + 6 ⇒ (13) + 7 = 19", ("wrong_modifier",)),
        ("paizo", "1d20 ⇒ 21", ("impossible_total",)),
        ("phpbb_rolls", "1d20+8: [0]+8 = 8", ("impossible_face",)),
        ("mybb_feathertail", "1d20+5 → 27 (12 + 5)", ("impossible_total",)),
        ("vbulletin", "Dice Roll: 1d20+1\nd20 Results: 19 (Total = 30)", ("impossible_total",)),
    ],
)
def test_what_nobody_can_have_rolled_is_said_by_name(
    key: str, text: str, issues: tuple[str, ...]
) -> None:
    (one,) = DIALECTS[key].read(text)
    assert one.issues == issues


def test_a_face_is_recovered_from_its_total_or_refused() -> None:
    assert natural_of(12, Fraction(9), Fraction(17)) == 8
    for modifier, total in ((9, 9), (9, 22), (Fraction(1, 2), 5)):
        with pytest.raises(ImpossibleTotal):
            natural_of(12, Fraction(modifier), Fraction(total))


@pytest.mark.parametrize("text", ["", "d", "0d6", "1d0", "100d6", "1d9999", "1d20x", "1d20+", "3"])
def test_what_is_no_sum_of_dice_is_not_guessed(text: str) -> None:
    assert read_sum(text) is None


def garbled(chance: random.Random) -> str:
    """Put a post together from rolls, hostile texts and pieces, and spoil it."""
    parts = [
        chance.choice(
            (
                chance.choice(HOSTILE),
                "".join(chance.choices(PIECES, k=6)),
                SHOWS[chance.choice(KNOWN)](thrown(chance)),
                chance.choice("0123456789d+-−⇒→=()[]:,. \n"),
            )
        )
        for _ in range(chance.randint(1, 12))
    ]
    letters = list("".join(parts))
    for _ in range(chance.randint(0, 6)):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randint(0, 2)] = chance.choice(("", "1", "d", "\n", " ", "−"))
    return "".join(letters)


def hold_against(posts: int) -> None:
    """Read garbled posts in every dialect: no exception, places in order, sums that hold."""
    chance = random.Random(posts)
    for _ in range(posts):
        text = garbled(chance)
        for dialect in DIALECTS.values():
            at = 0
            for one in dialect.read(text):
                assert at <= one.start < one.end <= len(text)
                at = one.end
                if not one.issues and one.naturals:
                    expression = read_sum(one.expression)
                    assert expression is not None
                    assert expression.sum_of(one.naturals) == one.total


def test_no_garbled_post_breaks_a_reader() -> None:
    hold_against(300)


@pytest.mark.slow
def test_none_of_ten_thousand_garbled_posts_breaks_a_reader() -> None:
    hold_against(10_000)


SHAPES = (
    *("1d20+8: [1, ", "1d1+1", "1d6" + " " * 99, "1d20 ⇒ (1) + ", "1d20 ", "d", "9", " ", "([-+"),
    *("1d6: [8] = 8 — ", "—", "1d20\n", "label ", "1d20 ⇒ 8", "1d20 ⇒ 1,"),
)


def grows_with_the_length(key: str, short: int, long: int) -> None:
    """Hold the effort for a long text against a short one's: a ratio, whatever the machine."""
    for shape in SHAPES:
        efforts = []
        for size in (short, long):
            text = (shape * (size // len(shape) + 1))[:size]
            rounds = []
            for _ in range(3):
                start = time.process_time()
                DIALECTS[key].read(text)
                rounds.append(time.process_time() - start)
            efforts.append(min(rounds))
        # Eight times the text: linear is 8, the square 64; a thousandth of a second is noise.
        assert efforts[1] <= 24 * efforts[0] + 0.001, (key, shape)


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(DIALECTS))
def test_the_effort_of_reading_grows_with_the_length_up_to_a_megabyte(key: str) -> None:
    grows_with_the_length(key, 125_000, 1_000_000)
