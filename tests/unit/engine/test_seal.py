"""The construction of the dice against its published vectors, and its faces against uniformity."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from app.engine.dice import Address
from app.engine.seal import (
    LINKS,
    OutOfSeeds,
    SealedDice,
    encode,
    face_of,
    first_face,
    mix_of,
    next_head,
    roll_key,
    seal_of,
    seed_before,
    seed_of,
    turn_digest,
)

STATS = hashlib.sha256(b"stats").digest()
TOP = hashlib.sha256(b"demo top seed").digest()
SALTS = {"A": "00112233445566778899aabbccddeeff", "B": "ffeeddccbbaa99887766554433221100"}


@pytest.mark.parametrize(
    ("place", "index", "sides", "face"),
    [(0, 0, 20, 6), (0, 1, 20, 18), (1, 0, 6, 3), (2, 0, 100, 48)],
)
def test_the_published_faces_come_out(place: int, index: int, sides: int, face: int) -> None:
    assert face_of(STATS, place, index, sides) == face


def test_a_word_past_the_last_multiple_is_passed_over() -> None:
    """Its first word is 4,294,965,561, past 4,294,960,461: plain modulo would have said 5,101."""
    assert face_of(STATS, 187_065, 0, 9_999) == 4_563


def test_the_published_chain_comes_out() -> None:
    anchor = "f27a2bc31e54af1cc078ea5f74fa62d61c3a3aca3c18fd4a03998a7bf9b9a510"
    first = "aab7129673304e32e4d74ee397d6731748d93fd1d3067040871de89116fe3c61"
    assert seed_of("m-0001", TOP, 0, 64).hex() == anchor
    assert seed_of("m-0001", TOP, 1, 64).hex() == first
    assert seed_before("m-0001", 1, bytes.fromhex(first)).hex() == anchor


def test_the_published_first_roll_comes_out() -> None:
    key = roll_key(seed_of("m-0001", TOP, 1, 64), "m-0001", 1, mix_of(SALTS))
    dice = SealedDice(key)
    assert dice.face(Address(0), 20) == 2
    assert [dice.face(Address(1, index), 6) for index in range(3)] == [4, 4, 2]
    assert dice.face(Address(2), 100) == 61
    assert dice.tags() == {}


def test_the_mix_does_not_depend_on_the_order_in_which_seats_came() -> None:
    assert mix_of(dict(reversed(SALTS.items()))) == mix_of(SALTS)
    assert mix_of({"A": ""}) != mix_of({})


def test_no_two_lists_of_parts_are_encoded_alike() -> None:
    assert encode("ab", "c") != encode("a", "bc")
    assert encode("ab") != encode("a", "b")
    assert encode(7) == encode("7") == encode(b"7")


def test_a_chain_ends() -> None:
    assert seed_of("m", TOP, LINKS) == TOP
    with pytest.raises(OutOfSeeds):
        seed_of("m", TOP, LINKS + 1)


def test_what_is_public_before_a_roll_does_not_tell_its_faces() -> None:
    """Whoever takes the newest seed that was told for the next is right by chance alone."""
    mix = mix_of(SALTS)
    right = 0
    for number in range(1, 201):
        told, next_one = (seed_of("m", TOP, place, 256) for place in (number - 1, number))
        face, guess = (
            face_of(roll_key(seed, "m", number, mix), 0, 0, 20) for seed in (next_one, told)
        )
        right += face == guess
    assert right <= 20  # ten are to be expected


@pytest.mark.parametrize("sides", [0, 1, 10_001])
def test_there_is_no_die_of_one_side_or_of_too_many(sides: int) -> None:
    with pytest.raises(ValueError, match="sides"):
        face_of(STATS, 0, 0, sides)


def test_a_digest_depends_on_everything_that_went_into_it() -> None:
    seals = {seal_of(*parts) for parts in [("m", "A", "00"), ("n", "A", "00"), ("m", "B", "00")]}
    assert len(seals) == 3
    assert turn_digest("m", 1, "{}") != turn_digest("m", 2, "{}")
    assert next_head("", b"{}") != next_head(next_head("", b"{}"), b"{}")


@pytest.mark.parametrize("bits", range(1, 9))
def test_each_face_comes_from_as_many_words(bits: int) -> None:
    """Of all words of so few bits every face takes as many as it can, and all alike (G9)."""
    space = 2**bits
    for sides in range(2, space + 1):
        faces = Counter(first_face((word,), sides, space) for word in range(space))
        passed_over = faces.pop(None, 0)
        assert set(faces) == set(range(1, sides + 1))
        assert set(faces.values()) == {space // sides}
        assert passed_over == space % sides


@pytest.mark.parametrize("bits", range(2, 9))
def test_plain_modulo_would_favour_some_faces(bits: int) -> None:
    """Without this, the test above might count what cannot differ."""
    faces = Counter(1 + word % 3 for word in range(2**bits))
    assert len(set(faces.values())) == 2


@pytest.mark.parametrize("sides", [2, 6, 12, 18, 20, 100])
def test_faces_of_many_keys_are_spread_evenly(sides: int) -> None:
    """Chi-square of 20,000 faces, with fixed keys: between the quantiles of 1e-4 and 1 - 1e-4."""
    key = hashlib.sha256(f"spread {sides}".encode()).digest()
    count = 20_000
    faces = Counter(face_of(key, place, 0, sides) for place in range(count))
    expected = count / sides
    square = sum((faces[face] - expected) ** 2 / expected for face in range(1, sides + 1))
    free = sides - 1
    # Wilson and Hilferty: the cube root of chi-square is nearly normal.
    score = ((square / free) ** (1 / 3) - (1 - 2 / (9 * free))) / (2 / (9 * free)) ** 0.5
    assert -3.72 < score < 3.72
