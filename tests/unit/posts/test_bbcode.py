"""What a player types stays text, and looks as it was typed."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.posts.bbcode import JOINER, escape, link_target, tokenise
from tests.unit.posts.hostile import HOSTILE, active, hostile_text

HANG = 20.0  # seconds: ten times what a million characters may take


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_inert(text: str) -> None:
    assert active(text) or active(escape(text)) == []
    assert active(escape(text)) == []


@given(hostile_text, hostile_text)
def test_no_text_is_obeyed_whatever_stands_around_it(one: str, other: str) -> None:
    ours = f"[b]{escape(one)}[/b]\n{escape(other)}[i]{escape(one)}[/i]"
    assert sorted(active(ours)) == sorted(active("[b][/b][i][/i]"))


@given(st.text() | hostile_text)
def test_outside_of_links_only_invisible_characters_are_added(text: str) -> None:
    plain = text.replace(JOINER, "").replace("http", "")
    assert escape(plain).replace(JOINER, "") == plain


@pytest.mark.parametrize(
    "text",
    [
        "he [really] runs",
        "[1] e [2], poi […] e [ ]",
        "OFF [scusate il ritardo]",
        "a <3 b, 5 < 6 & 7 > 6, <_<",
        'O\'Hara & "Sons"',
        "https://x.test/a?b[c]=1",
        "vedi https://x.test/?a=1&b=2#c, poi torna",
        "C'è un $pecchio {rotto}",
        "Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): (+2 [Raggio 0–5 m])",
    ],
)
def test_ordinary_brackets_and_links_stay_as_they_are(text: str) -> None:
    assert escape(text) == text


def test_a_bracket_in_a_link_that_reads_as_a_tag_is_percent_encoded() -> None:
    assert escape("https://x.test/?[b]=1") == "https://x.test/?%5Bb]=1"
    assert escape("[img]https://x.test/a.png[/img]") == (
        f"[{JOINER}img]https://x.test/a.png[{JOINER}/img]"
    )


def test_a_tag_gets_a_joiner_behind_its_bracket() -> None:
    assert escape("[dice=1d20]x[/dice]") == f"[{JOINER}dice=1d20]x[{JOINER}/dice]"


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "JaVa\tscript:alert(1)",
        "data:text/html,x",
        "//x.test/a",
        "https://x.test/a b",
        "https://x.test/\u202ea",
        'https://x.test/" onmouseover=',
        "https://",
        "",
    ],
)
def test_only_plain_web_addresses_become_links(address: str) -> None:
    assert link_target(address) is None


@given(hostile_text)
def test_an_address_never_leaves_its_tag(text: str) -> None:
    target = link_target(f"https://x.test/{text}")
    assert target is None or not set(target) & set("[]<>\"' \n")


def test_a_link_target_keeps_its_brackets_encoded() -> None:
    assert link_target(" https://x.test/a?b[c]=1 ") == "https://x.test/a?b%5Bc%5D=1"


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("[dice=1d20]x[/dice]", [("dice", False, "1d20"), ("dice", True, "")]),
        ("[B]x[/B]", [("b", False, ""), ("b", True, "")]),
        ("[dice=Colpo [1] (B)]1d6[/dice]", [("dice", False, "Colpo [1] (B)"), ("dice", True, "")]),
        ("[dice=1d20[]x[/dice]", [("dice", False, "1d20["), ("dice", True, "")]),
        ("[b", []),
        ("[1] [ x]", []),
    ],
)
def test_tags_are_found(text: str, tags: list[tuple[str, bool, str]]) -> None:
    assert [(tag.name, tag.closing, tag.value) for tag in tokenise(text)] == tags


@given(hostile_text)
def test_a_tag_is_the_slice_it_says(text: str) -> None:
    for tag in tokenise(text):
        source = text[tag.start : tag.end]
        assert source.startswith("[")
        assert source.endswith("]")


@pytest.mark.parametrize(
    "shape",
    [
        *(
            "[",
            "[ ",
            "[a",
            "[a=",
            "[/",
            "[b]",
            "]",
            "[[[]",
            "[\u200b",
            "[a\u200b",
            "&#",
            "&a",
            "<a",
        ),
        *("[dice=1d20]", '[a a="', "https://x/[b]", "http", "[" + " " * 99, "[[b]", "[b][/b]"),
    ],
)
def test_time_grows_with_the_length_alone(shape: str) -> None:
    text = (shape * (300_000 // len(shape) + 1))[:300_000]
    start = time.perf_counter()
    escape(text)
    for _ in tokenise(text):
        pass
    assert time.perf_counter() - start < HANG
