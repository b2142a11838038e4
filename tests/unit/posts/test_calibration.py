"""One marked sample teaches how a forum shows its rolls; what cannot be learnt is said by name."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from app.posts.calibration import (
    CODES,
    LONGEST_SAMPLE,
    Marks,
    Uncalibrated,
    calibrate,
    mark,
)
from app.posts.pattern import Part, Pattern, calibrated
from app.posts.phrases import LANGUAGES, SERVICE, say
from tests.unit.posts.forums import SHOWS, Rolled, thrown
from tests.unit.posts.hostile import HOSTILE, PIECES

SAMPLE = Rolled("Attacco (Rin vs Kai)", 12, (8,), 9)
# Those that show one die as this sample does; Paizo drops the bracket of a die without a modifier.
ALIKE = ["phpbb_rolls", "mybb_cortalabs", "smf_rolls", "smf_rpg", "nodebb", "phpbb_fancydice"]


def learnt(sample: str, label: str, die: str, total: str) -> Pattern:
    """Learn from three texts."""
    return calibrate(sample, mark(sample, label, die, total))


@pytest.mark.parametrize("key", ALIKE)
def test_one_sample_of_any_forum_teaches_to_read_the_others(key: str) -> None:
    chance = random.Random(key)
    sample = SHOWS[key](SAMPLE)
    label = SAMPLE.label if SAMPLE.label in sample else ""
    die = "1d12 + 9" if "1d12 + 9" in sample else "1d12+9"
    read = calibrated(learnt(sample, label, die, "17"))
    for _ in range(100):
        one = thrown(chance)
        one = replace(one, naturals=one.naturals[:1], label=one.label or "Sonìdo")
        (found,) = read(f"Corre.\n{SHOWS[key](one)}\nPoi si ferma.")
        assert (found.expression, found.total, found.naturals) == (
            one.expression,
            one.total,
            one.naturals,
        )
        assert found.label == (one.label if label else "")
        assert (found.issues, found.verified) == ((), False)


@pytest.mark.parametrize(
    ("sample", "marks", "text", "expected"),
    [
        (
            "Il dado di Rin: Attacco - 1d20 ha dato 8 = 8",
            ("Attacco", "1d20", "8"),
            "Il dado di Rin: Parata - 1d20−5 ha dato 13−5 = 8",
            ("Parata", "1d20-5", (13,), 8),
        ),
        (
            "Attacco\nTiro: 1d12+9\nRisultato 8, totale 17",
            ("Attacco", "1d12+9", "17"),
            "Sonìdo\nTiro: 1d15+2\nRisultato 15, totale 17",
            ("Sonìdo", "1d15+2", (15,), 17),
        ),
        (
            "1d12+9 = 17 — Attacco [Lama]",
            ("Attacco [Lama]", "1d12+9", "17"),
            "1d12+1 = 13 — Guardia [Scudo]",
            ("Guardia [Scudo]", "1d12+1", (12,), 13),
        ),
        (
            "1d12+9 → 17 (8 + 9)",
            ("", "1d12+9", "17"),
            "1d20 + 5 → 6 (1 + 5)",
            ("", "1d20+5", (1,), 6),
        ),
        ("Esce 17 con 1d12+9", ("", "1d12+9", "17"), "Esce 4 con 1d4", ("", "1d4", (4,), 4)),
        (
            "#123456 1d12+9: 17",
            ("", "1d12+9", "17"),
            "#9 1d12+9: 10",
            ("", "1d12+9", (1,), 10),
        ),
    ],
)
def test_a_label_before_or_behind_and_any_order_are_learnt(
    sample: str, marks: tuple[str, str, str], text: str, expected: tuple[object, ...]
) -> None:
    (one,) = calibrated(learnt(sample, *marks))(text)
    assert (one.label, one.expression, one.naturals, one.total) == expected


def test_places_say_the_same_as_texts() -> None:
    sample = "Attacco: 1d12+9 [8] +9 = 17"
    assert mark(sample, "Attacco", "1d12+9", "17") == Marks((0, 7), (9, 15), (25, 27))


def test_learnt_rolls_that_run_on_are_cut_where_the_dice_say() -> None:
    read = calibrated(learnt("1d12+9 [8] +9 = 17", "", "1d12+9", "17"))
    found = read("1d12+9 [8] +9 = 171d20+1 [20] +1 = 212d6 [1, 2] = 3")
    assert [(one.naturals, one.total) for one in found] == [((8,), 17), ((20,), 21), ((1, 2), 3)]


def test_an_impossible_total_is_refused_by_name_after_learning_too() -> None:
    read = calibrated(learnt("1d12+9 = 17", "", "1d12+9", "17"))
    found = read("1d12+9 = 21\n1d12+9 = 22\n1d12+9 = 9")
    assert [one.issues for one in found] == [(), ("impossible_total",), ("impossible_total",)]
    assert [one.naturals for one in found] == [(12,), (), ()]


@pytest.mark.parametrize(
    ("sample", "marks", "code", "part"),
    [
        ("x" * (LONGEST_SAMPLE + 1) + " 1d6 = 3", ("", "1d6", "3"), "too_long", ""),
        ("1d12+9 = 17", ("Attacco", "1d12+9", "17"), "absent", "label"),
        ("1d12+9 = 17", ("", "1d20", "17"), "absent", "die"),
        ("1d12+9 = 17", ("", "", "17"), "absent", "die"),
        ("1d12+9 = 17", ("", "1d12+9", "7"), "absent", "total"),
        ("1d12+9 = 17", ("", "1d12+9", "diciassette"), "bad_total", "total"),
        ("Tiro: 17", ("", "Tiro", "17"), "bad_die", "die"),
        ("1d12+9 = 30", ("", "1d12+9", "30"), "impossible_total", "total"),
        ("1d12+9 (Attacco) = 17", ("Attacco", "1d12+9", "17"), "label_inside", "label"),
        ("1d12+9" + " puff" * 99 + " 17", ("", "1d12+9", "17"), "too_far_apart", "total"),
        ("Attacco\n\n\n1d12+9 = 17", ("Attacco", "1d12+9", "17"), "too_far_apart", "label"),
        ("17 su 1d12+9 «Colpo»!", ("Colpo", "1d12+9", "17"), "unreadable", ""),
    ],
)
def test_a_sample_that_cannot_be_understood_is_refused_by_name(
    sample: str, marks: tuple[str, str, str], code: str, part: str
) -> None:
    with pytest.raises(Uncalibrated) as refused:
        learnt(sample, *marks)
    assert (refused.value.code, refused.value.part) == (code, part)


@pytest.mark.parametrize(
    ("marks", "code"),
    [
        (Marks((0, 0), (0, 6), (9, 99)), "absent"),
        (Marks((0, 0), (0, 6), (11, 9)), "absent"),
        (Marks((0, 0), (-1, 6), (9, 11)), "absent"),
        (Marks((0, 3), (0, 6), (9, 11)), "overlapping"),
        (Marks((0, 0), (0, 6), (7, 9)), "bad_total"),
    ],
)
def test_places_that_are_none_are_refused_by_name(marks: Marks, code: str) -> None:
    with pytest.raises(Uncalibrated) as refused:
        calibrate("1d12+9 = 17", marks)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "pattern",
    [
        Pattern((), "none"),
        Pattern((Part("die"),), "none"),
        Pattern((Part("die"), Part("total"), Part("total")), "none"),
        Pattern((Part("die"), Part("regex", ".*"), Part("total")), "none"),
        Pattern((Part("die"), Part("total")), "somewhere"),
        Pattern((Part("die"), *[Part("blank")] * 1000, Part("total")), "none"),
    ],
)
def test_a_stored_pattern_that_was_spoilt_is_refused(pattern: Pattern) -> None:
    with pytest.raises(ValueError, match="no pattern that was learnt"):
        calibrated(pattern)


def test_signs_of_a_sample_are_taken_literally() -> None:
    read = calibrated(learnt("1d12+9 (.*)+ [^a] = 17", "", "1d12+9", "17"))
    assert [one.total for one in read("1d12+9 (.*)+ [^a] = 18")] == [18]
    assert read("1d12+9 anything at all = 18") == ()


def test_no_garbled_sample_breaks_the_teacher_and_what_is_learnt_reads_anything() -> None:
    chance = random.Random(7)
    codes = set()
    for _ in range(1500):
        pieces = "".join(chance.choices(PIECES, k=chance.randint(0, 5)))
        one = thrown(chance)
        sample = chance.choice(list(SHOWS.values()))(one)
        at = chance.randrange(len(sample) + 1)
        sample = chance.choice(("", pieces)) + sample[:at] + pieces + sample[at:]
        try:
            pattern = learnt(sample, one.label, one.expression, str(one.total))
        except Uncalibrated as refused:
            codes.add(refused.code)
            continue
        codes.add("learnt")
        for text in (sample, chance.choice(HOSTILE), sample * 3):
            calibrated(pattern)(text)
    assert codes <= {*CODES, "learnt"}
    assert {"learnt", "absent", "unreadable"} <= codes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_against_a_sample_can_be_said(language: str) -> None:
    said = {say(language, SERVICE, "mistakes", f"sample_{code}") for code in CODES}
    assert len(said) == len(CODES)
