"""Each forum's post: as that forum takes it, inert where it was typed, and read back."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.posts.bbcode import JOINER, tokenise
from app.posts.blocks import Block, Die, Field, Heading, Note, Prose, RegisterLine, SheetLink, Title
from app.posts.dialects import DIALECTS, GUIDA, WITH_TAGS, offered, render
from app.posts.dice_tag import check_post, read_label
from app.posts.names import safe_name
from tests.unit.posts.hostile import HOSTILE, PIECES, active, hostile_name, hostile_text, rolled

GOLDEN = Path(__file__).parent / "golden"
LABEL = (
    "Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): "
    "(+2 [Raggio 0–5 m], +2 [Bonus Arma 2], -1 [Mirato agli arti], +6 [Destrezza])"
)
OPEN = Die(sides=12, modifier=Fraction(9), label=LABEL, live=True)
FALLEN = replace(OPEN, live=False, face=8)
POST: Sequence[Block] = (
    Title("Hollow 🐉 *il_primo*"),
    SheetLink("Scheda", "https://x.test/?t=1[b]"),
    Field("Punti Vita", "60/60"),
    Field("Forza", "5 (+0)"),
    Heading("Registro"),
    RegisterLine("Spesa per Sonìdo: -5 PE"),
    Note("PE: 60 − 5 + 0 = 55, il Registro quadra.", "GC-2.5"),
    Heading("Fase Offensiva"),
    Prose("# Corre (nel 18) 🐉 :)\n- e [b]via[/b] https://x.test/_a_*b*\n/roll 3d6"),
    OPEN,
    FALLEN,
)
MARKDOWN = frozenset({"discourse_dice", "discourse_roller", "nodebb"})
# Old databases cut a post at a character of four bytes.
NARROW = frozenset({"phpbb_rolls", "phpbb_fancydice"})
ENTITIES = frozenset(
    {"mybb_feathertail", "mybb_cortalabs", "mybb_vaultbb", "smf_rolls", "smf_rpg", "vbulletin"}
)
UNSMILING = frozenset(DIALECTS) - {"guida", "plain"}
IN_ATTRIBUTE = frozenset({"mybb_cortalabs", "mybb_vaultbb", "smf_rpg", "paizo"})
OURS = frozenset({"b", "i", "url", "heading", "dice", "roll", "wrap"})
A_QUARTER = settings(max_examples=settings.default.max_examples // 4)

LINK = re.compile(r"https?://[^\s<>\"\[]+", re.IGNORECASE)
LINE_OR_LINK = re.compile(r"\](?=[(\[:])|^[ \t]|^[#>+=-]|^[0-9]+[.)](?:\s|$)", re.MULTILINE)
typed = st.tuples(hostile_name, hostile_name, hostile_name, hostile_text)


def written(names: tuple[str, str, str, str]) -> tuple[Block, ...]:
    """Make a post of what somebody typed, with an open die and a fallen one."""
    title, one, two, story = names
    label = f"Attacco [{safe_name(title)}] ({safe_name(one)} vs {safe_name(two)}): (+9 [Forza])"
    return (
        Title(title),
        SheetLink("Scheda", story),
        Field(one, two),
        RegisterLine(one),
        Note(two, ""),
        Prose(story),
        replace(OPEN, label=label),
        replace(FALLEN, label=label),
    )


def shown(text: str) -> str:
    """Return a text as a reader sees it."""
    return " ".join(text.replace(JOINER, "").split())


def markup(text: str, key: str) -> list[str]:
    """Return the BBCode of a post that some forum would obey, without our own dice."""
    text = re.sub(r"&#[0-9]{5,7};", "\ue000", text) if key in ENTITIES else text
    ours = re.compile(
        r"\[/?(?:b|i|heading|heading=2|url|url=https?://[^\]\s]*)\]|\]\(<https?://[^>\s]*>\)",
        re.IGNORECASE,
    )
    return active(ours.sub("", text))


@pytest.mark.parametrize("key", DIALECTS)
def test_a_whole_post_is_written_as_its_forum_takes_it(key: str) -> None:
    expected = (GOLDEN / f"{key}.txt").read_text(encoding="utf-8")
    assert render(POST, "it", key) + "\n" == expected


@pytest.mark.parametrize("key", DIALECTS)
@A_QUARTER
@given(names=typed)
def test_nothing_that_was_typed_is_markup_or_a_live_tag(
    key: str, names: tuple[str, str, str, str]
) -> None:
    blocks = written(names)
    closed = [block for block in blocks if not (isinstance(block, Die) and block.live)]
    text = render(closed, "it", key)
    assert rolled(text) == []
    assert markup(text, key) == []
    assert not re.search(r"(?<![\w/:])/roll", LINK.sub("u", text)) or key not in MARKDOWN


BRACKETED = "https://x.test/a?b[c]=1&d=[2]"


@pytest.mark.parametrize("key", DIALECTS)
def test_an_address_with_brackets_stays_whole_in_every_dialect(key: str) -> None:
    text = render([Prose(f"Vedi {BRACKETED} e poi."), SheetLink("Scheda", BRACKETED)], "it", key)
    (story, *_) = text.split("\n")
    (address,) = re.findall(r"https?://\S+", story)
    if key in MARKDOWN:
        address = re.sub(r"\\([\\`*_~|#>+=-])", r"\1", address)
    assert unquote(address.rstrip(">")) == BRACKETED
    assert unquote(text).count(BRACKETED) == 2
    # A bracket that a forum would read as a tag is not there any more.
    assert markup(text, key) == []


RUNS = (
    "[url=JaVa&#9;script:alert(1)]x[/url]",
    "[url=javascript:alert(1)]x[/url]",
    "[url]javascript:alert(1)[/url]",
    '[img]x" onerror=alert(1)[/img]',
    "[img=https://x.test/a.png]x[/img]",
    "[color=red;background:url(//e)]x[/color]",
    "[style=position:fixed]x[/style]",
    "[x](javascript:alert(1))",
    "![x](https://x.test/a.png)",
    "[x]: javascript:alert(1)",
    "<javascript:alert(1)>",
)


@pytest.mark.parametrize("text", RUNS)
@pytest.mark.parametrize("key", DIALECTS)
def test_no_script_comes_through_an_address_in_any_dialect(key: str, text: str) -> None:
    label = f"Attacco [{safe_name(text)}] (A vs B): (+9 [Forza])"
    blocks = [
        Title(text),
        SheetLink("Scheda", text),
        SheetLink("Scheda", "JaVa\tscript:alert(1)"),
        Field(text, text),
        RegisterLine(text),
        Note(text, ""),
        Prose(text),
        replace(FALLEN, label=label),
    ]
    written = render(blocks, "it", key)
    assert markup(written, key) == []
    if key in MARKDOWN:
        bare = re.sub(r"\\.", "", written)
        assert not re.search(r"\]\(<?(?!https?:)|\]\[|^\[[^\]]*\]:|!\[|<j", bare, re.MULTILINE)


@pytest.mark.parametrize("key", sorted(WITH_TAGS))
@A_QUARTER
@given(names=typed)
def test_an_open_die_is_one_tag_that_holds_its_label(
    key: str, names: tuple[str, str, str, str]
) -> None:
    blocks = written(names)
    (found,) = check_post(render(blocks, "it", key))
    assert (found.tag.count, found.tag.faces, found.tag.declared_modifier) == (1, 12, 9)
    assert found.tag.issues == ()
    assert len(found.tag.targets) == 1
    assert [one.source for one in found.tag.factors] == ["Forza"]


@pytest.mark.parametrize("key", DIALECTS)
def test_what_has_fallen_is_read_back_in_every_dialect(key: str) -> None:
    chance = random.Random(key)
    for _ in range(200):
        sides = chance.choice([8, 12, 15, 18, 24])
        modifier = Fraction(chance.randint(-60, 60), chance.choice([1, 1, 1, 2]))
        dice = [
            Die(sides=sides, modifier=modifier, label=LABEL, face=chance.randint(1, sides))
            for _ in range(chance.randint(1, 3))
        ]
        text = render([Prose("Corre."), *dice, Note("Poi.", "")], "it", key)
        read = DIALECTS[key].read(text)
        assert [(one.label, one.naturals, one.modifier, one.issues) for one in read] == [
            (LABEL, (die.face,), modifier, ()) for die in dice
        ]
        assert all(one.own and read_label(one.label).total == 9 for one in read)


@pytest.mark.parametrize("key", sorted(IN_ATTRIBUTE))
def test_no_square_bracket_stands_in_an_attribute(key: str) -> None:
    text = render([OPEN], "it", key)
    opening = next(tokenise(text))
    assert "[" not in opening.value
    assert opening.end == text.index("]") + 1
    assert read_label(opening.value.removeprefix('label="')).items == (
        "Artigli Affilati",
        "Sonìdo",
    )


@pytest.mark.parametrize("key", sorted(UNSMILING))
@A_QUARTER
@given(names=typed)
def test_no_digit_stands_before_a_bracket(key: str, names: tuple[str, str, str, str]) -> None:
    text = render([*written(names), *POST], "it", key)
    assert not re.search(r"[0-9]\)", LINK.sub("", text))


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("key", sorted(UNSMILING))
def test_no_face_makes_a_smiley_where_we_write_it(key: str, language: str) -> None:
    for sides, face in ((8, 8), (12, 3), (15, 8), (24, 11)):
        for modifier in (-8, 0, 3, Fraction(7, 2)):
            die = replace(FALLEN, sides=sides, face=face, modifier=Fraction(modifier))
            blocks = [die, replace(die, live=True, face=None), Note("Ha (3, 8): D, p, o", "GC-2.5")]
            text = render(blocks, language, key)
            assert not re.search(r"[0-9]\)|:-?[)(DPpOo|/]", LINK.sub("", text)), text


@pytest.mark.parametrize("key", sorted(UNSMILING))
def test_no_smiley_is_made_of_what_is_adjudicated(key: str) -> None:
    smileys = (
        *(":)", ":(", ":D", ":P", ":p", ":o", ";)", "B)", "8)", "8-)", "^_^", "-_-", ":lol:"),
    )
    names = " ".join((*smileys, ">_<", ">:(", ":-)"))
    text = render([Title(names), Note(names, ""), replace(FALLEN, label=names)], "it", key)
    assert [code for code in (*smileys, ">_<", ">:(", ":-)") if code in text] == []
    # One that a player typed in a story was wanted.
    assert ":)" in render([Prose("Sorride :)")], "it", key)


@pytest.mark.parametrize("key", sorted(NARROW | ENTITIES))
@A_QUARTER
@given(names=typed)
def test_no_character_of_four_bytes_reaches_an_old_database(
    key: str, names: tuple[str, str, str, str]
) -> None:
    hidden = "[d🐉ice=1d20]x[/d🐉ice] [𝐝𝐢𝐜𝐞=1d20] &🐉#91; https://x.test/🐉"
    blocks = [*written(names), Prose(hidden), SheetLink("🐉", "https://x.test/🐉")]
    text = render([one for one in blocks if one != blocks[-4]], "it", key)
    assert max(text) <= "\uffff"
    assert rolled(render([Prose(hidden), Title(hidden)], "it", key)) == []


@pytest.mark.parametrize("key", DIALECTS)
def test_a_post_that_begins_with_a_dragon_is_read_to_its_end(key: str) -> None:
    story = "🐉 Il drago si alza 🐉 e il duello finisce."
    text = render([Prose(story), FALLEN], "it", key)
    # An old database keeps what stands before the first character that it cannot hold.
    kept = re.split("[\U00010000-\U0010ffff]", text)[0] if key in NARROW | ENTITIES else text
    assert "finisce." in kept
    assert [one.naturals for one in DIALECTS[key].read(kept)] == [(8,)]


def test_letters_that_only_look_special_stay_letters_where_dragons_become_boxes() -> None:
    text = render([Prose("🐉 𝕶𝖆𝖎 parte. Fine.")], "it", "phpbb_rolls")
    assert text == "□ Kai parte. Fine."


@pytest.mark.parametrize("key", sorted(MARKDOWN))
@A_QUARTER
@given(names=typed)
def test_no_sign_of_markdown_is_obeyed(key: str, names: tuple[str, str, str, str]) -> None:
    for block in (Prose(names[3]), Prose("\n".join(names))):
        text = render([block], "it", key)
        bare = re.sub(r"\\[\\`*_~|#>+=-]", "x", LINK.sub("u", text))
        assert not re.search(r"[`*_~|]", bare)
        assert not LINE_OR_LINK.search(bare)


@pytest.mark.parametrize("text", [*HOSTILE, "a\n===\n- b\n1. c\n# d\n    e", "_x_ *y* `z` ~~w~~"])
@pytest.mark.parametrize("key", DIALECTS)
def test_nothing_vanishes_that_was_typed(key: str, text: str) -> None:
    safe = re.sub("[\U00010000-\U0010ffff]|\u200d|\ufe0f", "", text)
    safe = re.sub(r"https?://\S+", "", safe)
    written = render([Prose(safe)], "it", key)
    if key in MARKDOWN:
        written = re.sub(r"\\([\\`*_~|#>+=-])", r"\1", written)
    # A line that looks like ours is set off as a quotation where nothing else tells them apart.
    marks = re.compile("^> " if key == "plain" else "(?!)", re.MULTILINE)
    assert shown(marks.sub("", written)) == shown(safe)


def test_a_post_is_offered_in_its_own_dialect_the_guidas_and_plain_text() -> None:
    assert offered("paizo") == ("guida", "paizo", "plain")
    assert offered(GUIDA) == ("guida", "plain")


def fuzz(posts: int) -> None:
    """Write posts of garbled words in every dialect, and read them as a forum would."""
    chance = random.Random(posts)
    for _ in range(posts):
        words = [
            "".join(chance.choices([*PIECES, *HOSTILE], k=chance.randint(1, 8))) for _ in range(4)
        ]
        names = [" ".join(word.split())[:80] or "x" for word in words[:3]]
        blocks = written((names[0], names[1], names[2], words[3]))
        for key, dialect in DIALECTS.items():
            text = dialect.write(blocks, "en")
            assert [one.naturals for one in dialect.read(text) if one.own] == [(8,)], (key, text)
            closed = dialect.write([one for one in blocks if one != blocks[-2]], "en")
            assert rolled(closed) == [], (key, closed)


def test_garbled_words_make_whole_posts_in_every_dialect() -> None:
    fuzz(100)


@pytest.mark.slow
def test_ten_thousand_garbled_posts_are_written_and_read_in_every_dialect() -> None:
    fuzz(10_000)
