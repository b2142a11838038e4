"""A post held against its entry: none of ours differs, and each wrong number is found with why."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.engine.findings import Finding
from app.engine.tally import Tally, Term
from app.posts.bbcode import JOINER
from app.posts.compare import compare_post
from app.posts.compared import (
    NUMBERS,
    REASONS,
    Compared,
    Other,
    say_number,
    say_reason,
    say_value,
)
from app.posts.dialects import DIALECTS, WITH_TAGS, render
from app.posts.phrases import LANGUAGES, sections
from app.posts.read import read_post
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.options import Options
from app.rulesets.guida.readings import HpFloor
from tests.unit.posts.fights import Told, fight

NAMES = [
    *("Hollow", "Artigli Affilati", "Sonìdo", "Scudo"),
    *("Freccia", "Rilascio", "Uniforme", "Bonus Arma"),
]
STORY = Told("Parte.", "Si difende 3 volte.", "Corre.")
WRONG: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parent / "wrong" / "posts.toml").read_text(encoding="utf-8")
)["post"]


@dataclass(frozen=True)
class Base:
    """An entry, and others of the same character."""

    source: PostSource
    others: tuple[Other, ...] = ()


def played(seed: int, place: int, options: Options | None = None) -> Base:
    """Take one entry out of a fight, with the others of its character."""
    plays = list(fight(NAMES, seed, 20, options))

    def bearer(one: Any) -> object:
        return next((it.facts["bearer"] for it in one.result.findings if it.key == "vitals"), None)

    others = tuple(
        Other(
            number=number,
            findings=one.result.findings,
            asked=one.plan.asked,
            rolls=one.rolls,
        )
        for number, one in enumerate(plays, 1)
        if number != place + 1 and bearer(one) == bearer(plays[place])
    )
    return Base(plays[place].source("it", STORY), others)


def healed() -> Base:
    """Make the entry of somebody whose heal stopped at the maximum."""
    base = played(4, 6)
    working = Tally(
        (
            Term("GC-7.5", "potential", Fraction(15)),
            Term("GC-7.1", "up_to_maximum", Fraction(-5)),
        )
    )
    line: dict[str, Any] = {
        "change": "hp",
        "amount": Fraction(10),
        "name": "Scudo",
        "subject": "",
        "working": working,
        "reason": "",
        "by_hand": "",
    }
    balance = {"before": 190, "now": 200, "losses": 0, "gains": 10}
    findings: list[Finding] = []
    for one in base.source.findings:
        if one.key == "vitals":
            one = replace(one, facts={**one.facts, "hp": 200, "max_hp": 200})
        elif one.key == "balance" and one.facts["what"] == "hp":
            findings.append(Finding("GC-7.5", "line_heal", line))
            one = replace(one, facts={**one.facts, **balance})
        elif one.key == "line_by_hand" and one.facts["change"] == "hp":
            continue
        findings.append(one)
    return Base(replace(base.source, findings=tuple(findings)))


@cache
def bases() -> Mapping[str, Base]:
    """Give the entries whose posts are spoilt."""
    floor = played(27, 16, Options(hp_floor=HpFloor.ZERO))
    return {"guard": played(4, 6), "floor": floor, "heal": healed()}


def spoil(text: str, post: Mapping[str, Any]) -> str:
    """Do to a post what an example says."""
    if "cut" in post:
        start, end = (text.index(mark) for mark in post["cut"])
        text = text[:start] + text[end:]
    old, new = post.get("old", []), post.get("new", [])
    pairs = [(old, new)] if isinstance(old, str) else list(zip(old, new, strict=True))
    for was, becomes in pairs:
        assert was in text, was
        text = text.replace(was, becomes, 1)
    return text


def differences(rows: tuple[Compared, ...]) -> list[str]:
    """Tell the differences the way the examples do."""
    return [
        f"{one.kind} {one.claimed} | {one.computed}: {', '.join(why.code for why in one.because)}"
        for one in rows
        if not one.same
    ]


def compare(base: Base, text: str) -> tuple[Compared, ...]:
    """Compare a text with an entry, and hold every place against the text."""
    rows = compare_post(read_post(text), base.source, others=base.others)
    for one in rows:
        assert one.kind in NUMBERS
        assert one.same is not bool(one.because)
        if one.claim is not None:
            assert text[one.claim.start : one.claim.end].startswith(one.claim.text)
        for language in LANGUAGES:
            assert say_number(language, one)
            assert say_value(language, one.kind, one.claimed)
            assert all(say_reason(language, why) for why in one.because)
    return rows


@pytest.mark.parametrize("post", WRONG, ids=[post["name"] for post in WRONG])
def test_each_wrong_number_is_found_with_its_reason_and_nothing_else(post: dict[str, Any]) -> None:
    base = bases()[post["base"]]
    text = render(write_blocks(base.source), "it", "guida")
    assert differences(compare(base, spoil(text, post))) == post["found"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_post_of_ours_differs_in_any_dialect(dialect: str) -> None:
    for seed in range(3):
        for one in fight(NAMES, seed, 10):
            for language in LANGUAGES:
                sources = [one.source(language, STORY)]
                if dialect in WITH_TAGS:
                    sources.append(one.open_source(language, STORY))
                for source in sources:
                    text = render(write_blocks(source), language, dialect)
                    assert differences(compare(Base(source), text)) == [], text


def test_what_agrees_is_told_too_number_by_number() -> None:
    base = bases()["guard"]
    rows = compare(base, render(write_blocks(base.source), "it", "guida"))
    kinds = [one.kind for one in rows]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "hp": 1,
        "max_hp": 1,
        "ep": 1,
        "max_ep": 1,
        "base": 4,
        "points": 4,
        "change": 4,
        "stacks": 1,
        "effect": 4,
        "phase": 3,
        "die": 2,
        "factors": 2,
        "modifier": 2,
        "face": 2,
        "total": 2,
    }
    assert all(one.claim is not None for one in rows if one.kind != "effect")


def test_dice_that_a_reader_may_not_know_are_not_told_to_it() -> None:
    base = bases()["guard"]
    text = render(write_blocks(base.source), "it", "guida")
    hidden = base.source.asked[1].address
    veiled = replace(
        base.source,
        asked=tuple(one for one in base.source.asked if one.address != hidden),
        rolls=tuple(one for one in base.source.rolls or () if one.address != hidden),
    )
    right = compare(Base(veiled), text)
    wrong = compare(Base(veiled), text.replace("(11)+7 = 18", "(3)+7 = 10"))
    assert differences(right) == differences(wrong) == ["die 1d12 | None: die_unknown"]


def test_a_source_may_be_shortened_and_be_of_the_other_language() -> None:
    base = bases()["guard"]
    text = render(write_blocks(base.source), "it", "guida")
    text = text.replace("[Destrezza]", "[Des.]").replace(
        "[Mirato agli arti]", "[Aimed at the limbs]"
    )
    assert differences(compare(base, text)) == []


def test_dice_exchanged_between_two_actions_are_noticed() -> None:
    seeds = ((seed, one) for seed in range(40) for one in fight(NAMES, seed, 20))
    for _, one in seeds:
        faces = [(roll.sides, roll.face) for roll in one.rolls]
        if len(faces) == 2 and faces[0][0] == faces[1][0] and faces[0] != faces[1]:
            break
    source = one.source("it", STORY)
    other = replace(
        source,
        rolls=tuple(
            replace(roll, face=twin.face)
            for roll, twin in zip(one.rolls, reversed(one.rolls), strict=True)
        ),
    )
    rows = compare(Base(source), render(write_blocks(other), "it", "guida"))
    codes = [why.code for row in rows if row.kind == "face" for why in row.because]
    assert codes == ["face_of_ledger", "face_of_other_die"] * 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_and_every_reason_has_a_phrase(language: str) -> None:
    assert set(sections(language, "guida")["compared"]) == set(NUMBERS)
    assert set(sections(language, "guida")["reasons"]) == set(REASONS)


def test_every_reason_is_found_in_some_example() -> None:
    shown = {
        code
        for post in WRONG
        for found in post["found"]
        for code in found.rsplit(": ")[-1].split(", ")
    }
    assert set(REASONS) - shown == {"face_of_other_die"}  # which has a test of its own


def test_joiners_of_ours_are_no_difference() -> None:
    base = bases()["guard"]
    text = render(write_blocks(base.source), "it", "guida")
    assert differences(compare(base, text.replace(JOINER, ""))) == []
