"""Names that look alike are found to, others are not, and looking twice changes nothing."""

from __future__ import annotations

import random
import sys

import pytest

from app.engine.alike import alike, drawn, folded, plain

SAME = [
    ("Kai", "Kai"),
    ("Kai", "KAI"),
    ("Kai", "ᴷᴬᴵ"),
    ("KAI", "kаi"),  # a Cyrillic а
    ("Kai", "ᴋᴀɪ"),
    ("Kai", "Ｋａｉ"),
    ("Kai", "𝕶𝖆𝖎"),
    ("Kai", " Kai\u00a0"),
    ("Kai", "K\u200bai"),
    ("Kai", "Kai\ufe0f"),
    ("Kai", "Ka\u00adi"),
    ("Kai Ito", "Kai\u3000 Ito"),
    ("KAI", "KAl"),
    ("KAI", "ΚΑΙ"),  # Greek
    ("Nikos", "nikοs"),
    ("ναι", "ΝΑΙ"),
    ("Perù", "Peru\u0300"),
    ("Roma", "Rоmа"),
    ("МАКС", "MAKC"),
    ("Lupo 1", "Lupo l"),
    ("Zoe0", "ZoeO"),
    ("Straße", "STRASSE"),
]
OTHER = [
    ("Kai", "Kaito"),
    ("Maia", "Mala"),
    ("Mila", "Milla"),
    ("Perù", "Peru"),
    ("Lupo 1", "Lupo 2"),
    ("Lupo 1", "Lupo 11"),
    ("Kai II", "Kai III"),
    ("Hollow", "Quincy"),
    ("Анна", "Инна"),
    ("🐉", "🐺"),
    ("龍", "竜"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_names_that_look_alike_are_found_whatever_their_letters(one: str, other: str) -> None:
    assert alike(one, other)
    assert alike(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_names_that_a_reader_tells_apart_are_not_alike(one: str, other: str) -> None:
    assert not alike(one, other)


def settles(names: int) -> None:
    """Reduce random names twice, of all of Unicode and of characters that are known to shift."""
    chance = random.Random(names)
    shifty = (
        "ᴷᴬᴵſKÅῼİıßŉǰΐẞﬀﬁ½ℌ\u0345\u0399\u03b9\u1fbe\u037a\u00b5\ufdfaЁё1I|0O\u3164\u200d \u00a0"
    )
    for _ in range(names):
        letters = [
            chance.choice(shifty)
            if chance.random() < 0.5
            else chr(chance.randrange(sys.maxunicode))
            for _ in range(chance.randint(1, 12))
        ]
        name = "".join(letters)
        for seen in (plain, folded, drawn):
            assert seen(seen(name)) == seen(name), ascii(name)
        assert alike(name, name)


def test_a_name_that_was_reduced_is_reduced_no_further() -> None:
    settles(1_000)


@pytest.mark.slow
def test_ten_thousand_names_that_were_reduced_are_reduced_no_further() -> None:
    settles(10_000)


def test_each_character_alone_is_reduced_once_and_for_all() -> None:
    for code in range(0x30000):
        for seen in (plain, folded, drawn):
            assert seen(seen(chr(code))) == seen(chr(code)), hex(code)
