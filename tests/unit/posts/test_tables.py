"""Tables: each forum's own where it has them, a row a line elsewhere; inert in every cell."""

from __future__ import annotations

import re

import pytest

from app.posts.blocks import Line, Piece, Table
from app.posts.dialects import DIALECTS, render
from app.posts.dialects.html import as_html
from app.posts.dialects.markup import write_post
from app.posts.digest import digest_line, find_digests
from tests.unit.posts.hostile import PIECES, active

TABLE = Table((("Tiro", "Attacco"), ("Ann", "2"), ("Ben", "-1")))
AROUND = (Line((Piece("Prima."),)), TABLE, Line((Piece("Dopo."),)))
SMF = "\n".join(
    (
        "Prima.",
        "[table]",
        "[tr][td][b]Tiro[/b][/td] [td][b]Attacco[/b][/td][/tr]",
        "[tr][td][b]Ann[/b][/td] [td]2[/td][/tr]",
        "[tr][td][b]Ben[/b][/td] [td]-1[/td][/tr]",
        "[/table]",
        "Dopo.",
    )
)
XENFORO = "\n".join(
    (
        "Prima.",
        "[table]",
        "[tr][th]Tiro[/th] [th]Attacco[/th][/tr]",
        "[tr][th]Ann[/th] [td]2[/td][/tr]",
        "[tr][th]Ben[/th] [td]-1[/td][/tr]",
        "[/table]",
        "Dopo.",
    )
)
MARKDOWN = "Prima.\n\n| Tiro | Attacco |\n| --- | --- |\n| Ann | 2 |\n| Ben | -1 |\n\nDopo."
LINES = "Prima.\nTiro | Attacco\nAnn | 2\nBen | -1\nDopo."
ENTITY = re.compile("&#[0-9]{5,7};")  # ours, for a character of four bytes
OF_FORUM = {
    **dict.fromkeys(("smf_rolls", "smf_rpg", "vbulletin"), SMF),
    "xenforo": XENFORO,
    **dict.fromkeys(("discourse_dice", "discourse_roller", "nodebb"), MARKDOWN),
}


@pytest.mark.parametrize("key", DIALECTS)
def test_a_table_is_written_as_its_forum_takes_it(key: str) -> None:
    assert render(AROUND, "it", key) == OF_FORUM.get(key, LINES)


@pytest.mark.parametrize("key", DIALECTS)
def test_the_digest_of_a_table_is_the_same_everywhere(key: str) -> None:
    line = digest_line("it", "abc-1", render(AROUND, "it", "plain"))
    (found,) = find_digests(f"{render(AROUND, 'it', key)}\n{line}")
    assert (found.state, found.outside) == ("unchanged", 0)


@pytest.mark.parametrize("key", [key for key, one in DIALECTS.items() if one.markup])
def test_html_has_a_table_of_its_own_on_one_line(key: str) -> None:
    markup = DIALECTS[key].markup
    assert markup is not None
    assert write_post([TABLE], "it", as_html(markup)) == (
        "<table><tr><th>Tiro</th><th>Attacco</th></tr><tr><th>Ann</th><td>2</td></tr>"
        "<tr><th>Ben</th><td>-1</td></tr></table>"
    )


@pytest.mark.parametrize("key", DIALECTS)
def test_nothing_typed_in_a_cell_is_markup_or_another_cell(key: str) -> None:
    own = re.compile(r"\[/?(?:table|tr|td|th|b)\]")
    for piece in PIECES:
        hostile = Table((("Tiro", piece), (piece, "1")))
        text = render([hostile], "it", key)
        assert active(own.sub("", ENTITY.sub("", text))) == [], (piece, text)
        if "| --- |" in text:
            rows = [line for line in text.split("\n") if line.startswith("| ")]
            assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3], text
