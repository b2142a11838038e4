"""Pasted posts are read as claims with their places; what is not understood is only listed."""

from __future__ import annotations

import random
import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.posts.dice_tag import MOST_TAGS
from app.posts.lint import Lint, lint_post
from app.posts.phrases import LANGUAGES
from app.posts.read import (
    KINDS,
    LONGEST_EXCERPT,
    MOST_CLAIMS,
    PASTES,
    UNREAD,
    Claim,
    Reading,
    read_post,
    say_claim,
)
from app.posts.shows import shows_of
from tests.unit.posts.hostile import HOSTILE, PIECES

FOLDER = Path(__file__).parent / "posts"
POSTS: dict[str, dict[str, Any]] = {
    post["name"]: post
    for path in sorted(FOLDER.glob("*.toml"))
    for post in tomllib.loads(path.read_text(encoding="utf-8"))["post"]
}
STEPS_PER_CHARACTER = 1.25  # how much more than twice as many steps a text twice as long may take


def told(lint: Lint) -> dict[str, Any]:
    """Tell what was read of a post the way the examples do, without what is not there."""
    reading, header = lint.reading, lint.header
    found: dict[str, Any] = {
        "link": header.sheet_link,
        "hp": vital(header.hp, header.max_hp),
        "ep": vital(header.ep, header.max_ep),
        "stats": [
            f"{one.stat} {one.base}" + (f" ({one.points:+})" if one.points is not None else "")
            for one in header.stats
        ],
        "register": None
        if header.register is None
        else [f"{one.amount:+} {one.unit}" for one in header.register],
        "also": places(reading.claims, "temp", "stacks", "phase"),
        "tags": [one.facts["dice"] for one in reading.claims if one.kind == "tag"],
        "rolls": [
            f"{one.facts['dice']}: {one.facts['faces']} = {one.facts['total']}"
            for one in reading.claims
            if one.kind == "roll"
        ],
        "digests": [one.facts["state"] for one in reading.claims if one.kind == "digest"],
        "unread": places(reading.unread, *UNREAD),
        "wrong": [
            issue.code
            for issue in lint.issues
            if issue.tag is not None or not issue.code.startswith("missing_")
        ],
    }
    empty = {"register"} if header.register == () else set()
    there = {key: value for key, value in found.items() if value or key in empty}
    return there | {"paste": reading.paste} | ({"edited": True} if reading.edited else {})


def vital(now: int | None, most: int | None) -> str:
    """Write hit points or energy the way the examples do."""
    return "" if now is None else f"{now}" if most is None else f"{now}/{most}"


def places(claims: tuple[Claim, ...], *kinds: str) -> list[str]:
    """List what stands at the places of some claims."""
    return [f"{one.kind}: {one.text}" for one in claims if one.kind in kinds]


def sound(text: str) -> Reading:
    """Read a text, and hold every claim against the place it names."""
    reading = read_post(text)
    assert reading.paste in PASTES
    for claims, kinds in ((reading.claims, KINDS), (reading.unread, UNREAD)):
        assert len(claims) <= MOST_CLAIMS
        for claim in claims:
            assert claim.kind in kinds
            assert 0 <= claim.start <= claim.end <= len(text)
            assert claim.text == text[claim.start : claim.end][:LONGEST_EXCERPT]
            assert claim.line == text.count("\n", 0, claim.start) + 1
    return reading


@pytest.mark.parametrize("name", POSTS)
def test_a_post_is_read_right_or_it_is_said_what_could_not_be_read(name: str) -> None:
    post = POSTS[name]
    sound(post["text"])
    expected = {key: value for key, value in post.items() if key not in ("name", "text")}
    assert told(lint_post(post["text"])) == expected


def test_there_are_forty_posts_and_every_kind_of_answer_is_among_them() -> None:
    assert len(POSTS) >= 40
    readings = [read_post(post["text"]) for post in POSTS.values()]
    assert {one.paste for one in readings} == set(PASTES)
    assert {one.kind for reading in readings for one in reading.claims} == set(KINDS)
    assert {one.kind for reading in readings for one in reading.unread} == set(UNREAD)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", POSTS)
def test_every_place_can_be_said(name: str, language: str) -> None:
    reading = read_post(POSTS[name]["text"])
    for claim in (*reading.claims, *reading.unread):
        assert say_claim(language, claim).strip()


def test_the_figures_of_a_claim_stand_at_its_place() -> None:
    for post in POSTS.values():
        for claim in read_post(post["text"]).claims:
            for name in ("now", "most", "base", "points", "amount"):
                figure = claim.facts.get(name)
                if isinstance(figure, int):
                    assert str(abs(figure)) in re.findall(r"[0-9]+", claim.text), (claim, name)


def test_a_place_is_that_of_the_pasted_text_whatever_was_decoded() -> None:
    text = "&amp;&amp;<b>x</b>\r\n<p>Scheda: https://x.test/?a=1&amp;b=2</p>PV:&nbsp;85"
    reading = sound(text)
    assert {one.kind: (one.text, one.line) for one in reading.claims} == {
        "link": ("https://x.test/?a=1&amp;b=2", 2),
        "hp": ("PV:&nbsp;85", 2),
    }


def test_a_character_of_four_bytes_moves_no_place() -> None:
    (claim,) = sound("🐉 Kuro vola.\nPV: 85/100").claims
    assert (claim.text, claim.line) == ("PV: 85/100", 2)


@pytest.mark.parametrize("text", ["1d2\u200b0: (15) = 15", "1d2\u20600: (15) = 15"])
def test_what_is_not_seen_inside_a_die_makes_no_smaller_one(text: str) -> None:
    assert [one.roll.sides for one in sound(text).rolls] == [20]


@pytest.mark.parametrize("text", ["2d6 3", "2d63", "٣d6 = 7", "²d6: 3", "1d12+９: (8)+９ = 17"])
def test_what_only_looks_like_a_result_is_none(text: str) -> None:
    assert sound(text).rolls == ()


def test_a_shown_die_reads_alike_wherever_it_is_put() -> None:
    block = "[b]1d12+8: (5)+8 = 13[/b] — Schivata (Hollow vs Quincy): (+8 [Destrezza])"
    for text in (block, f"Prima.\n\n{block}\nDopo.", f"[quote=Rin]{block}[/quote]", f"> {block}"):
        ((roll, tag),) = [(one.roll, one.tag) for one in sound(text).rolls]
        assert (roll.faces, roll.total, roll.agrees) == ((5,), 13, True)
        assert (tag.action_name, tag.actor, tag.issues) == ("Schivata", "Hollow", ())


TWO_LINES = {
    "vBulletin": ("Dice Roll: 1d20+1\nd20 Results: 19 (Total = 20)", 19, 20, ""),
    "Gamers' Plane": ("Bow Attack (Robin) - (1d20+10)\n(17) + 10 = 27", 17, 27, "Bow Attack"),
    "Discourse": ("> 1d20+6\n> 13 +6 = 19\n\n— Punch", 13, 19, "Punch"),
}


@pytest.mark.parametrize("forum", TWO_LINES)
@pytest.mark.parametrize("dialect", ["", "guida", "vbulletin", "discourse_dice"])
def test_a_roll_on_two_lines_is_read_with_its_place(forum: str, dialect: str) -> None:
    text, face, total, label = TWO_LINES[forum]
    around = f"🐉 Prima: 1d6 = 3\n\n{text}\n\nDopo.\n&amp; 1d12+8: (5)+8 = 13"
    rolls = read_post(around, shows=shows_of(dialect)).rolls
    assert [(one.roll.faces, one.roll.total) for one in rolls] == [
        ((3,), 3),
        ((face,), total),
        ((5,), 13),
    ]
    shown = rolls[1]
    assert (shown.claim.line, shown.roll.agrees) == (3, True)
    assert label in shown.roll.label
    core = text[text.index("1d20") : text.rindex(str(total)) + len(str(total))]
    place = around[shown.claim.start : shown.claim.end]
    assert place == (f"{core})" if forum == "vBulletin" else core)
    assert around[rolls[2].claim.start : rolls[2].claim.end] == "1d12+8: (5)+8 = 13"


def test_a_roll_of_a_page_around_the_post_or_of_a_quotation_is_none() -> None:
    quoted = "[quote]Dice Roll: 1d20+1\nd20 Results: 19 (Total = 20)[/quote]\nRispondo."
    assert read_post(quoted).rolls == ()
    copied = "Prima.\nCITAZIONE\nDice Roll: 1d20+1\nd20 Results: 19 (Total = 20)\n\nRispondo."
    assert read_post(copied).rolls == ()
    code = "Prima.\n[code]1d12+8: (5)+8 = 13[/code]\n1d12+8: (6)+8 = 14"
    assert [(one.roll.faces, one.quoted) for one in read_post(code).rolls] == [
        ((5,), True),
        ((6,), False),
    ]


def test_a_die_that_is_told_is_never_one_to_roll() -> None:
    reading = sound("Kuro ride. 1d20+9: (20)+9 = 29 — Attacco (Kuro vs Rin): (+9 [Forza])")
    assert reading.tags == ()
    assert [one.kind for one in reading.claims] == ["roll"]


@pytest.mark.parametrize("bad", ["\0", "\ud800", "\u202e", "\x85", "\u2028", "\r", "\U0010ffff"])
def test_a_character_that_upsets_others_upsets_nothing_here(bad: str) -> None:
    reading = sound(f"{bad}PV: 85/100{bad}\nRegistro{bad}\n-12 PV{bad}")
    assert reading.header.hp == 85


def test_dice_beyond_the_most_are_said_not_to_be_checked() -> None:
    line = "Schivata (A vs B): (+8 [Destrezza]) 1d12+8: (5)+8 = 13\n"
    lint = lint_post(line * (MOST_TAGS + 5))
    assert len(lint.reading.rolls) == MOST_TAGS
    assert "too_many_dice" in [issue.code for issue in lint.issues]


def test_places_beyond_the_most_are_counted() -> None:
    reading = sound("Registro\n" + "Stanco\n" * (MOST_CLAIMS + 7))
    assert (len(reading.unread), reading.left_out) == (MOST_CLAIMS, 7)


@pytest.mark.parametrize("times", [1, 300])
@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_no_hostile_text_upsets_the_reader(place: int, times: int) -> None:
    bad = HOSTILE[place] * times
    sound(bad)
    sound(f"PV 85/100\nRegistro\n{bad}\n1d12+{bad}: (8)+9 = 17")


@pytest.mark.parametrize(
    "count", [300, pytest.param(10_000, marks=pytest.mark.slow)], ids=["some", "many"]
)
def test_no_garbled_post_upsets_the_reader(count: int) -> None:
    chance = random.Random(6)
    texts = [post["text"] for post in POSTS.values()]
    for _ in range(count):
        sound(garbled(chance, texts))


def garbled(chance: random.Random, texts: list[str]) -> str:
    """Cut posts to pieces, and put them together with whatever breaks a reader."""
    pieces: list[str] = []
    for _ in range(chance.randint(1, 8)):
        text = chance.choice(texts)
        start = chance.randrange(len(text))
        pieces.append(text[start : start + chance.randint(1, 200)])
        pieces.append(chance.choice((*PIECES, *HOSTILE, chr(chance.randrange(0x110000)))))
    return "".join(pieces)


SHAPES = {
    "vitals": "PV: 85/100 | ",
    "register": "Registro\n-12 PV\n",
    "gaps": "\n",
    "brackets": "[",
    "tags": "[dice=1d12+8]x (A vs B): (+8 [F])[/dice]\n",
    "results": "1d20 + 11 ⇒ (5) + 11 = 16",
    "dice": "d6",
    "elements": "<b><!-- <style>",
    "links": "<a href=x>",
    "entities": "&amp;",
    "quotes": "[quote]",
    "cited": "> PV 1\n",
    "page": "CITAZIONE\nx\nShare\n",
    "unknown": "Forza 12 (+3) Carisma 9 (+1) \n",
    "apart": "PV\n85\n",
    "unseen": "\u200b",
    "sums": "1d1+1+1+1+1+1+1+1 ",
    "attributes": '[a a="' + ' a="a' * 8,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_steps_grow_with_the_length_alone(shape: str) -> None:
    def steps_of(length: int) -> int:
        text = (SHAPES[shape] * (length // len(SHAPES[shape]) + 1))[:length]
        return steps(lambda: read_post(text))

    fixed, once, twice = steps_of(0), steps_of(6_000), steps_of(12_000)
    assert twice - fixed <= 2 * STEPS_PER_CHARACTER * (once - fixed) + 100


def steps(call: Callable[[], object]) -> int:
    """Count the lines of Python that a call goes through."""
    count = 0

    def trace(_frame: Any, event: str, _given: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_a_million_characters_are_read(shape: str) -> None:
    text = (SHAPES[shape] * (1_000_000 // len(SHAPES[shape]) + 1))[:1_000_000]
    reading = read_post(text)
    assert len(reading.claims) <= MOST_CLAIMS


def test_the_balance_of_a_register_is_understood() -> None:
    reading = read_post("Registro\nDanni: -3 PV\nPV: 60 − 3 + 0 = 57, il Registro quadra.\n")
    assert [one.kind for one in reading.claims] == ["change"]
    assert reading.unread == ()
