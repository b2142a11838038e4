"""Ratios of reading posts against a library that renders BBCode: printed, never a failure."""

from __future__ import annotations

import pytest

from app.posts.bbcode import escape, tokenise
from app.posts.dice_tag import check_post
from app.posts.digest import digest_line, find_digests
from tests.bench.ratios import compare

POST = (
    "[b]Hollow[/b]\n[url=https://x.test/?t=1]Scheda[/url]\nPV: 85/100 | PE: 40/60\n\n"
    "[b]Fase Offensiva[/b]\nCorre per 12 metri e [i]colpisce[/i], senza [u]esitare[/u].\n\n"
    "[dice=1d12+9]Attacco [Artigli] (Hollow vs Quincy): (+2 [Raggio], +7 [Destrezza])[/dice]\n"
)
LONG = (POST * 12)[:3_000]
HOSTILE = ("[b" * 1_500, "[dice=" * 500, "[/b]" * 750, "<" * 3_000, "[[]" * 1_000)


def tags() -> None:
    """Read a post into its tags, each with where it ends."""
    assert list(tokenise(LONG))


def tree() -> None:
    """Read a post into tags and checked dice."""
    assert list(tokenise(LONG))
    assert check_post(LONG)


def test_the_ratio_of_reading_a_post_to_a_library_rendering_it_is_printed() -> None:
    bbcode = pytest.importorskip("bbcode", reason="make bench installs it")
    parser = bbcode.Parser()
    print()

    def rendered() -> None:
        parser.format(LONG)

    print(compare("P9 3 kB post to its tags / bbcode", tags, rendered, "≤ 0.167"))
    print(compare("3 kB post, its twelve dice added up / bbcode", tree, rendered, "–"))


def test_the_growth_of_reading_is_printed() -> None:
    print()
    hundred = LONG * 100
    grown = compare(
        "P10 100 posts / 1 post",
        lambda: list(tokenise(hundred)),
        lambda: list(tokenise(LONG)),
        "≤ 120",
    )
    print(grown)
    for text in HOSTILE:
        size = len(LONG) / len(text)

        def hostile(text: str = text) -> None:
            escape(text)
            list(tokenise(text))

        def normal() -> None:
            escape(LONG)
            list(tokenise(LONG))

        name = f"P10 {text[:6]!r}, of equal length within {abs(1 - size):.0%} / a post"
        print(compare(name, hostile, normal, "≤ 4"))


def test_the_cost_of_a_digest_is_printed() -> None:
    text = f"{LONG}\n{digest_line('it', 'abc-1', LONG)}"
    print()
    print(compare("digest found / post checked", lambda: find_digests(text), tree, "–"))
