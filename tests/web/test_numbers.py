"""Numbers of pages: one minus sign, and the decimal sign of the language."""

from __future__ import annotations

from fractions import Fraction

import pytest

from app.http.language import Language
from app.web.numbers import shown


@pytest.mark.parametrize(
    ("language", "value", "text"),
    [
        ("it", Fraction(-5, 2), "−2,5"),
        ("en", Fraction(-5, 2), "−2.5"),
        ("it", 7, "7"),
        ("it", Fraction(8, 3), "8/3"),
    ],
)
def test_a_number_is_shown_in_a_language(
    language: Language, value: int | Fraction, text: str
) -> None:
    assert shown(language, value) == text


def test_a_sign_is_shown_where_it_is_wanted() -> None:
    assert shown("it", Fraction(1, 2), sign=True) == "+0,5"
    assert shown("it", -3, sign=True) == "−3"
