"""Dice tags are read tolerantly, and each is held against what its label lists."""

import time
from fractions import Fraction

import pytest
from hypothesis import given

from app.posts.dice_tag import ISSUES, Factor, check_post, read_expression, read_label, read_tag
from tests.unit.posts.hostile import hostile_text

GUARD = "[dice=1d24+6]Protezione (Hollow vs Quincy): (+2 [Bonus Protezione] +4 [Destrezza])[/dice]"
ATTACK = (
    "[dice=1d12+6]Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): "
    "(+2 [Raggio Corto], +2 [Bonus Arma] -1 [Mirato Arti] +6 [Destrezza])[/dice]"
)


def test_the_books_own_attack_tag_is_caught() -> None:
    tag = read_tag(ATTACK)
    assert tag.issues == ("modifier_mismatch",)
    assert (tag.declared_modifier, tag.listed_modifier) == (6, 9)
    assert (tag.count, tag.faces, tag.action_name) == (1, 12, "Attacco")
    assert tag.items == ("Artigli Affilati", "Sonìdo")
    assert (tag.actor, tag.targets) == ("Hollow", ("Quincy",))
    assert tag.factors[2] == Factor(Fraction(-1), "Mirato Arti")


def test_the_books_own_guard_tag_is_sound() -> None:
    tag = read_tag(GUARD)
    assert tag.issues == ()
    assert tag.items == ()
    assert tag.listed_modifier == 6


@pytest.mark.parametrize(
    "text",
    [
        "[DICE=1D12-1]Parata [Lama] (A vs B, C): (-3 [Sbilanciamento] +2 [Destrezza])[/DICE]",
        "[dice= 1 d 12 - 1 ]Parata[Lama](A vs B, C):(-3[Sbilanciamento]+2[Destrezza])[/dice]",
        "[dice=1d12−1]Parata [Lama] (A vs. B,C): −3 [Sbilanciamento]; +2 [Destrezza][/dice]",
        "[dice=1d12-1]Parata [Lama] ( A VS B , C ) (-3 [Sbilanciamento], +2 [Destrezza]) [/dice]",
        '[dice="1d12-1"]Parata [Lama] (A vs B, C): (-3 (Sbilanciamento), +2 (Destrezza))[/dice]',
        "[dice=Parata [Lama] (A vs B, C): (-3 [Sbilanciamento] +2 [Destrezza])]1d12-1[/dice]",
        "[roll=Parata [Lama] (A vs B, C): (-3 [Sbilanciamento] +2 [Destrezza])]1d12-1[/roll]",
        "[dice=d12-3+2]Parata [Lama] (A vs B, C): (-3 Sbilanciamento, +2 Destrezza)[/dice]",
    ],
)
def test_the_grammar_is_tolerant(text: str) -> None:
    tag = read_tag(text)
    assert tag.issues == ()
    assert (tag.count, tag.faces, tag.declared_modifier) == (1, 12, -1)
    assert (tag.action_name, tag.items) == ("Parata", ("Lama",))
    assert (tag.actor, tag.targets) == ("A", ("B", "C"))
    assert tag.factors == (Factor(Fraction(-3), "Sbilanciamento"), Factor(Fraction(2), "Destrezza"))


@pytest.mark.parametrize(
    ("text", "issues"),
    [
        ("", ("not_a_tag",)),
        ("1d20+3", ("not_a_tag",)),
        ("[dice=1d20]Attacco (A vs B)", ("unclosed",)),
        ("[dice=1d20][/dice]", ("missing_actors",)),
        ("[dice=1d20]Attacco (A)[/dice]", ("missing_actors",)),
        ("[dice=1d12]Percezione (A)[/dice]", ()),
        ("[dice=1d12]Masking (A)[/dice]", ()),
        ("[dice=1d12]Dado della Costrizione (A)[/dice]", ()),
        ("[dice=1d12+2]Percezione [Occhio] (-4): (+2 [Arma])[/dice]", ()),
        ("[dice=1d12]Tentativo di Liberazione (A)[/dice]", ()),
        ("[dice=1d12]Mimetizzazione[/dice]", ("missing_actors",)),
        ("[dice=1d20+2]Attacco +2 [Arma][/dice]", ("missing_actors",)),
        ("[dice=1d20+2]Attacco (A vs B)[/dice]", ("modifier_mismatch",)),
        ("[dice=1d20]Attacco (A vs B): (+2 [Arma])[/dice]", ("modifier_mismatch",)),
        ("[dice=tanti]Attacco (A vs B)[/dice]", ("bad_expression",)),
    ],
)
def test_what_is_wrong_is_named(text: str, issues: tuple[str, ...]) -> None:
    assert read_tag(text).issues == issues
    assert set(issues) <= set(ISSUES)


def test_a_label_that_never_ends_is_not_read() -> None:
    assert read_tag(f"[dice=1d20]{'x' * 20_001}[/dice]").issues == ("too_long",)


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "１d20",
            "²d6",
            "٣d6",
            "1d2\u200b0",
            "2d6 3",
            "1d20+",
            "1d20++2",
            "1d20+1/0",
            "0d6",
            "1d0",
        ),
        *(
            "7000000d3",
            "1d7000000",
            "(9*9)d6",
            "1d20+2+",
            "1d6x",
            "1e3d6",
            "-1d6",
            "1d-6",
            "dd",
            "d",
        ),
        *("1d20+1.2.3", "1d20+9999999999", "1d20" + "+1" * 60, "1d20+½"),
    ],
)
def test_what_is_no_expression_is_not_guessed(expression: str) -> None:
    assert read_expression(expression) is None


@pytest.mark.parametrize(
    ("expression", "read"),
    [
        ("1d20", (1, 20, Fraction(0))),
        ("d6", (1, 6, Fraction(0))),
        ("2D63", (2, 63, Fraction(0))),
        ("1 d 20", (1, 20, Fraction(0))),
        ("1d12−3", (1, 12, Fraction(-3))),
        ("1d12+2-5", (1, 12, Fraction(-3))),
        ("1d12+2.5", (1, 12, Fraction(5, 2))),
    ],
)
def test_expressions_are_read(expression: str, read: tuple[int, int, Fraction]) -> None:
    assert read_expression(expression) == read


def test_every_tag_of_a_post_is_checked_where_it_stands() -> None:
    post = f"prima {GUARD} in mezzo\n[quote]{ATTACK}[/quote] e [code]{GUARD}[/code] dopo"
    found = check_post(post)
    assert [post[one.start : one.end] for one in found] == [GUARD, ATTACK, GUARD]
    assert [one.source for one in found] == [GUARD, ATTACK, GUARD]
    assert [one.quoted for one in found] == [False, True, True]
    assert [one.tag.issues for one in found] == [(), ("modifier_mismatch",), ()]


def test_brackets_of_a_label_in_the_attribute_are_no_tags_of_the_post() -> None:
    (found,) = check_post("[dice=Colpo [quote] (A vs B)]1d6[/dice]")
    assert (found.quoted, found.tag.items, found.tag.issues) == (False, ("quote",), ())


def test_an_unclosed_tag_ends_where_the_next_begins() -> None:
    first, second = check_post(f"[dice=1d20]Attacco (A vs B) {GUARD}")
    assert first.tag.issues == ("unclosed",)
    assert second.source == GUARD


def test_a_name_cannot_add_a_factor() -> None:
    forged = "[dice=1d12+2]Attacco [Ascia] +9 [Forza] (A vs B): (+2 [Arma])[/dice]"
    assert "modifier_mismatch" in read_tag(forged).issues


@given(hostile_text, hostile_text)
def test_nothing_that_is_pasted_breaks_the_reader(one: str, other: str) -> None:
    for found in check_post(f"{one}[dice=1d12+3]{other}[/dice]{one}"):
        assert set(found.tag.issues) <= set(ISSUES)
        assert found.tag.listed_modifier == sum(factor.value for factor in found.tag.factors)
    read_label(one)


@pytest.mark.parametrize(
    "shape",
    ["(", "[", "+1", "+ ", "[dice=", "[dice=1d20]", GUARD, "[dice=1d20](", "a vs ", ": (", "+1 ["],
)
def test_time_grows_with_the_length_alone(shape: str) -> None:
    text = (shape * (300_000 // len(shape) + 1))[:300_000]
    start = time.perf_counter()
    check_post(text)
    read_label(text[:20_000])
    assert time.perf_counter() - start < 20
