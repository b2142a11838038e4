"""A transcript is closed: whatever of a fight a case does not list makes it fail."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from app.ops.cases import Case, read_cases
from app.ops.runner import run_case

FIGHTS = sorted((Path(__file__).parents[2] / "cases" / "guida" / "transcripts").glob("*.json"))


def read(path: Path) -> Case:
    """Read the one fight of a file."""
    (fight,) = read_cases(path, named=True)
    return fight


def changed(fight: Case, expect: Any) -> Case:
    """Give the same fight with another expectation."""
    return Case(**{name: getattr(fight, name) for name in Case.__slots__} | {"expect": expect})


def test_there_are_two_fights_of_eight_posts_or_more() -> None:
    posts = [json.loads(path.read_text(encoding="utf-8"))[0]["given"]["posts"] for path in FIGHTS]
    turns = [sum(post["order"]["kind"] == "turn" for post in fight) for fight in posts]
    assert turns == [8, 8]


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_a_fight_passes_as_it_is_written(path: Path) -> None:
    assert run_case(read(path)) == ()


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("part", ["outcomes", "register", "dice"])
def test_a_fight_fails_without_any_one_line_of_it(path: Path, part: str) -> None:
    fight = read(path)
    tried = 0
    for index, post in enumerate(fight.expect["posts"]):  # type: ignore[index]
        for line in range(len(post[part])):
            expect = copy.deepcopy(fight.expect)
            del expect["posts"][index][part][line]  # type: ignore[index]
            assert run_case(changed(fight, expect)), f"post {index}, {part} {line}"
            tried += 1
    assert tried > 5


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_a_fight_lists_all_five_parts_of_every_post(path: Path) -> None:
    for post in read(path).expect["posts"]:  # type: ignore[index]
        assert {"vitals", "stats", "register", "balance", "outcomes", "dice", "next"} <= set(post)
