"""What posts cost grows with their length alone: counted in steps of Python, not in seconds (G7).

A step is a line of Python that is gone through. What a pattern does inside is none of them: that is
what the runs against the processor's time are for, which stand with the long tests.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.posts.bbcode import escape, tokenise
from app.posts.blocks import Note, Prose, Title
from app.posts.dialects import DIALECTS, render
from app.posts.digest import find_digests
from app.posts.read import read_post
from tests.unit.posts.test_read import steps

MOST = 15  # times as many steps for ten times the text: linear is 10
LINE = "Impronta del post a-1: 0123456789abcdef; parole: 3; righe con dadi: 0.\n"
SHAPES = {
    "open tags": "[b]",
    "open brackets": "[",
    "closing brackets": "]",
    "nested dice": "[dice=[dice=",
    "closing tags": "[/dice]",
    "signs of HTML": "<",
    "entities": "&#9",
    "addresses": "https://x.test/[b]",
    "blanks": "[ \u200b",
    "signs of Markdown": "*_`~\\",
    "dice that fell": "1d20+8: [16]+8 = 24 ",
    "digests": LINE,
}
WORK: dict[str, Callable[[str], object]] = {
    "escape": escape,
    "tokenise": lambda text: sum(1 for _ in tokenise(text)),
    "read": read_post,
    "digest": lambda text: find_digests(LINE + text),
    **{
        f"write {key}": lambda text, key=key: render(
            [Title(text), Prose(text), Note(text, "")], "it", key
        )
        for key in ("guida", "phpbb_rolls", "smf_rpg", "nodebb", "plain")
    },
    **{f"dice of {key}": DIALECTS[key].read for key in ("guida", "paizo", "vbulletin")},
}


def grows_evenly(work: str, shape: str, length: int) -> None:
    """Hold the steps for a text against those for one that is ten times as long."""

    def steps_of(size: int) -> int:
        text = (SHAPES[shape] * (size // len(SHAPES[shape]) + 1))[:size]
        return steps(lambda: WORK[work](text))

    steps_of(length)  # what is read once and kept costs nothing afterwards
    once, ten = steps_of(length), steps_of(10 * length)
    assert ten <= MOST * once + 50, (work, shape, once, ten)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("work", WORK)
def test_ten_times_the_text_takes_ten_times_the_steps(work: str, shape: str) -> None:
    grows_evenly(work, shape, 600)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("work", WORK)
def test_a_megabyte_takes_ten_times_the_steps_of_a_tenth(work: str, shape: str) -> None:
    grows_evenly(work, shape, 100_000)
