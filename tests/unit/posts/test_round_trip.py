"""What we wrote is read back, in every dialect: from editor, page and quotation."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from app.posts.blocks import Die, Note, RegisterLine
from app.posts.dialects import DIALECTS, WITH_TAGS, render
from app.posts.digest import Digest, digest_line, find_digests, turn_name
from app.posts.read import Reading, read_post
from app.posts.write import PostSource, write_blocks
from tests.unit.posts.fights import Played, Told, fight
from tests.unit.posts.hostile import HOSTILE, PIECES
from tests.unit.posts.pages import NOISE, page, two_lines
from tests.unit.posts.test_dialects import written

NAMES = [
    *("Hollow", "Artigli Affilati", "Sonìdo", "Getsuga", "Cura", "Hierro", "Bonus Arma"),
    *("Zanpakutō", "O'Hara & Sons"),
]
STORIES = (
    "L'aria si fa pesante :) e 3 guerrieri attendono.\n\nNiente si muove.",
    "«Non oggi», dice. <Forse domani> — pensa. xD",
    "Corre per 12 metri, poi colpisce (due volte)!\n- Basta così, 1/2 vita è 0,5.",
    "https://x.test/una_foto?a=[1] 🐉 arriva.",
    "",
)
SCENE = "k3-Jx90aa_zz"
# Shapes of two lines are read by their dialect alone.
TWO_LINES = frozenset({"vbulletin", "discourse_dice"})


def turns(count: int, seed: str) -> Iterator[tuple[Played, Told]]:
    """Play real turns by chance, and tell a story of each."""
    chance = random.Random(seed)
    number = 0
    while True:
        for played in fight(NAMES, chance.randrange(10**6), 8):
            if any(one.key == "vitals" for one in played.result.findings):
                yield played, Told(*(chance.choice(STORIES) for _ in range(3)))
                number += 1
                if number == count:
                    return


def opened(played: Played, told: Told) -> PostSource:
    """Give the post of a turn whose dice the forum rolls, with everything that was found."""
    name = turn_name(SCENE, 7)
    return played.source("it", told, rolls=None, provenance="forum", turn=name)


def held(reading: Reading, source: PostSource) -> None:
    """Hold the header that was read against what was written."""
    found = {one.key: one.facts for one in source.findings if one.key == "vitals"}["vitals"]
    header = reading.header
    assert (header.hp, header.max_hp) == (found["hp"], found["max_hp"])
    assert (header.ep, header.max_ep) == (found["ep"], found["max_ep"])
    stats = [one.facts for one in source.findings if one.key == "stat"]
    assert [(one.stat, one.base, one.points) for one in header.stats] == [
        (one["stat"], one["base"], one["points"]) for one in stats
    ]
    lines = [one.text for one in write_blocks(source) if isinstance(one, RegisterLine)]
    # What an effect costs each turn from now on changes nothing yet.
    pattern = re.compile(r"([+-][0-9]+) (PV|PE)\b(?! a ogni )")
    told = [found for line in lines for found in pattern.findall(line)]
    changes = [(int(amount), {"PV": "hp", "PE": "ep"}[unit]) for amount, unit in told]
    assert [(one.amount, one.unit) for one in header.register or ()] == changes
    story = " ".join(" ".join(reading.story).split())
    assert all(" ".join(line.split()) in story for line in lines)


def unchanged(text: str) -> Digest:
    """Find the one digest of a text, and hold that nothing was changed."""
    (found,) = find_digests(text)
    assert found.state == "unchanged", (found, text)
    return found


def label(text: str) -> str:
    """Return a label as it is compared: brackets of either kind are alike."""
    return re.sub(r"[\u2060\\]", "", text).translate(str.maketrans("[]{}‹›", "()()()"))


def round_trip(key: str, count: int) -> None:
    """Write turns and read them back, each way in which people paste them."""
    chance = random.Random(key)
    for played, told in turns(count, key):
        source = opened(played, told)
        blocks = write_blocks(source)
        dice = [one for one in blocks if isinstance(one, Die)]
        raw = render(blocks, "it", key)
        reading = read_post(raw)
        held(reading, source)
        assert unchanged(raw).outside == 0
        assert [one.facts["state"] for one in reading.claims if one.kind == "digest"] == [
            "unchanged"
        ]
        vitals = next(one.facts for one in source.findings if one.key == "vitals")
        if key != "plain":
            assert reading.header.sheet_link == str(vitals["link"]).replace("[", "%5B").replace(
                "]", "%5D"
            )
        if key in WITH_TAGS:
            assert [
                (f"{one.tag.count}d{one.tag.faces}", one.tag.declared_modifier, one.tag.actor)
                for one in reading.tags
            ] == [
                (f"1d{die.sides}", die.modifier, asked.actor)
                for die, asked in zip(dice, source.asked, strict=True)
            ]
            assert all(not one.tag.issues for one in reading.tags)
        shown, fallen = page(key, raw, chance)
        held(read_post(shown), source)
        for text in (shown, two_lines(shown)):
            unchanged(text)
            for noise in NOISE:
                unchanged(noise(text))
        if fallen:
            read = [(one.expression, *one.naturals, one.total) for one in DIALECTS[key].read(shown)]
            if DIALECTS[key].verified:
                assert read == fallen
            if key not in TWO_LINES:
                assert all(one.roll.agrees for one in read_post(shown).rolls)
        service = write_blocks(played.source("it", told, turn=turn_name(SCENE, 7)))
        text = render(service, "it", key)
        unchanged(text)
        settled = [one for one in service if isinstance(one, Die)]
        assert [
            (label(one.label), one.naturals, one.modifier, one.total)
            for one in DIALECTS[key].read(text)
            if one.own
        ] == [(label(d.label), (d.face,), d.modifier, (d.face or 0) + d.modifier) for d in settled]


@pytest.mark.parametrize("key", DIALECTS)
def test_turns_are_read_back_as_they_were_written(key: str) -> None:
    round_trip(key, 20)


@pytest.mark.slow
@pytest.mark.parametrize("key", DIALECTS)
def test_a_thousand_turns_are_read_back_as_they_were_written(key: str) -> None:
    round_trip(key, 1_000)


def test_a_changed_word_or_number_is_noticed_and_nothing_else_is() -> None:
    chance = random.Random("edits")
    for played, told in turns(30, "edits"):
        source = played.source("it", told, turn=turn_name(SCENE, 7))
        text = render(write_blocks(source), "it", "guida")
        digest = unchanged(text)
        body, line = text[: digest.start], text[digest.start :]
        lines = body.split("\n")
        for _ in range(6):
            place = chance.choice([n for n, one in enumerate(lines) if touchable(one)])
            for change in (digit, word, longer, shorter):
                changed = [*lines]
                changed[place] = change(lines[place])
                if changed[place] != lines[place]:
                    (found,) = find_digests("\n".join(changed) + line)
                    assert found.state == "edited", (lines[place], changed[place])
        extra = "\n".join([*lines[:-1], "Tira ancora 1d12+9: (12)+9 = 21", lines[-1]])
        (found,) = find_digests(extra + line)
        assert found.state == "edited"  # a line with a die more than were written
        (found,) = find_digests(f"{text}\nE poi vince.")
        assert (found.state, found.outside) == ("unchanged", 3)
        (found,) = find_digests(text.replace(digest.turn, "k3Jx90aa-8"))
        assert found.state == "edited"


def touchable(line: str) -> bool:
    """Say whether a line has words and no die: dice are held against the entry instead."""
    bare = re.sub(r"\[[^\]]*\]|https?://\S+", "", line)
    return bool(re.search(r"[a-z]{3}", bare)) and not re.search(r"[0-9]d[0-9]", line)


def digit(line: str) -> str:
    """Change the last figure."""
    return re.sub(r"([0-9])(?=[^0-9]*\Z)(?![^\[]*\])", lambda f: str((int(f[1]) + 1) % 10), line)


def word(line: str) -> str:
    """Change the last letter of a word outside of tags."""
    return re.sub(r"([a-z]{3})(?=[^a-z\[\]]*(?:\[/[bi]\])?\Z)", r"\1x", line)


def longer(line: str) -> str:
    """Put a word in."""
    return f"{line} non"


def shorter(line: str) -> str:
    """Take a word out."""
    return re.sub(r"(?<![\w/:.])[a-z]{3,}(?=[ ,.])", "", line, count=1)


def test_a_text_without_its_line_breaks_is_said_to_be_unclear() -> None:
    played, told = next(turns(1, "breaks"))
    text = render(write_blocks(opened(played, told)), "it", "guida")
    (found,) = find_digests(text.replace("\n", " "))
    assert found.state in ("unclear", "unchanged")


def test_a_post_in_two_pieces_has_two_digests_and_each_speaks_for_its_own() -> None:
    parts = [
        render(
            write_blocks(played.source("it", told, turn=turn_name(SCENE, number))), "it", "guida"
        )
        for number, (played, told) in enumerate(turns(2, "joint"), 1)
    ]
    found = find_digests("\n\n".join(parts))
    assert [(one.entry, one.state, one.outside) for one in found] == [
        (1, "unchanged", 0),
        (2, "unchanged", 0),
    ]
    found = find_digests("\n\n".join([parts[0].replace("Registro", "Regesto"), parts[1]]))
    assert [one.state for one in found] == ["edited", "unchanged"]


def fuzz(key: str, posts: int) -> None:
    """Write posts of garbled words with their digest, and find it unchanged."""
    chance = random.Random(f"fuzz {key}")
    for _ in range(posts):
        title, one, two, story = (garbled(chance) for _ in range(4))
        text = holds(key, (title, one, two, story))
        read_post(text)
        for noise in NOISE:
            find_digests(noise(text))


def holds(key: str, typed: tuple[str, str, str, str]) -> str:
    """Write a post of these words in a dialect; its digest, made of plain text, holds there."""
    blocks = written(typed)
    line = digest_line("it", "abc-1", render(blocks, "it", "plain"))
    text = render([*blocks, Note(line, "")], "it", key)
    (found,) = [one for one in find_digests(text) if one.turn == "abc-1"]
    assert found.state == "unchanged", (typed, found, text)
    return text


@pytest.mark.parametrize("key", DIALECTS)
@pytest.mark.parametrize(
    "typed",
    [
        ("x", "Scudo[url=javascript:", "dice&dice=1d20]x", ""),  # a tag that another part ends
        ("x", "[dice=1d20b-1", "b]", ""),
        ("x", "y", ":b", "[font=Times New Roman]z[/font] [url=a b]c"),
        ("x", "(:b0", "[DICE(", ""),  # a smiley that ends where emphasis does
        ("x", "y", "z", "https://x.test/&#91;dice=1d20&#93;x&#91;/dice&#93;"),
        ("x", "y", "z", "https://x.test/?[b]=1&lbrack;dice=1d20]x[url=JaVa&#9;script:aler"),
    ],
)
def test_what_begins_in_one_part_of_a_post_ends_in_no_other(
    key: str, typed: tuple[str, str, str, str]
) -> None:
    holds(key, typed)


def garbled(chance: random.Random) -> str:
    """Make a text of pieces that try to be more than text."""
    text = "".join(chance.choices([*PIECES, *HOSTILE], k=chance.randint(1, 8)))
    return " ".join(text.split())[:80] or "x"


@pytest.mark.parametrize("key", DIALECTS)
def test_garbled_posts_are_written_and_read_and_their_digests_hold(key: str) -> None:
    fuzz(key, 60)


@pytest.mark.slow
@pytest.mark.parametrize("key", DIALECTS)
def test_ten_thousand_garbled_posts_are_read_and_their_digests_hold(key: str) -> None:
    fuzz(key, 10_000)
