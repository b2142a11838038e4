"""A transcript is closed: whatever of a fight a case does not list makes it fail."""

import copy
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from app.ops.cases import Case, read_cases
from app.ops.given import Given
from app.ops.guida.fights import transcript
from app.ops.matching import differences
from app.ops.runner import run_case
from app.rulesets.guida.terms import Action, DamageType

FIGHTS = sorted((Path(__file__).parents[2] / "cases" / "guida" / "transcripts").glob("*.json"))

# How a phase may close or stay open, and what may become of what was declared in it.
GATES = {
    *("undefended", "null_defence", "defence_auto_failed", "defence_inadequate"),
    *("defence_overcome", "cover_spent", "independent_in_time", "independent_outpaced"),
    *("offensive_annulled", "offensive_lost", "no_main_action", "counter_ends"),
    *("generic_countered", "generic_not_countered", "generic_carried_out", "hits_nothing"),
    *("suspended_confirmed", "suspended_annulled", "label_superseded", "prepared"),
    *("speed_attacker_wins", "speed_tie", "speed_defender_wins", "attack_avoided"),
    *("power_comparison", "armour_down", "additional_due", "additional_without_stacks"),
    *("stacks_need_damage", "stacks_applied", "stacks_end", "impact", "healed", "regenerated"),
    *("asked_defeat", "asked_surprise"),
}


def read(path: Path) -> Case:
    """Read the one fight of a file."""
    (fight,) = read_cases(path, named=True)
    return fight


@cache
def played(path: Path) -> dict[str, object]:
    """Play a fight, once for all tests."""
    return transcript(Given(read(path).given))


def outcomes() -> Iterator[dict[str, Any]]:
    """Go through everything that the fights expect to be found."""
    for path in FIGHTS:
        for post in read(path).expect["posts"]:
            yield from post["outcomes"]


def test_there_are_eight_fights_or_more_of_eight_to_twenty_posts() -> None:
    posts = [json.loads(path.read_text(encoding="utf-8"))[0]["given"]["posts"] for path in FIGHTS]
    turns = [sum(post["order"]["kind"] == "turn" for post in fight) for fight in posts]
    assert len(turns) >= 8
    assert all(8 <= number <= 20 for number in turns), turns


def test_between_them_the_fights_use_every_action() -> None:
    rolled = {
        die["action"]
        for path in FIGHTS
        for post in read(path).expect["posts"]
        for die in post["dice"]
    }
    found = {outcome["key"] for outcome in outcomes()}
    without_die = {"null_defence": Action.NULL_DEFENCE, "prepared": Action.PREPARATION}
    assert rolled | {action for key, action in without_die.items() if key in found} == set(Action)


def test_between_them_the_fights_do_every_kind_of_damage() -> None:
    due = [outcome for outcome in outcomes() if outcome["key"] == "damage_due"]
    kinds = {outcome["rule"] for outcome in due if "rule" in outcome}
    assert kinds == {"GC-6.10", "GC-6.11", "GC-6.13"}
    assert len(kinds) == len(DamageType)
    assert {outcome.get("hit") for outcome in due} >= {"full", "guarded", "tied"}


def test_between_them_the_fights_pass_every_gate() -> None:
    assert {outcome["key"] for outcome in outcomes()} >= GATES


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_a_fight_passes_as_it_is_written(path: Path) -> None:
    assert run_case(read(path)) == ()


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("part", ["outcomes", "register", "dice"])
def test_a_fight_fails_without_any_one_line_of_it(path: Path, part: str) -> None:
    fight = read(path)
    tried = 0
    for index, post in enumerate(fight.expect["posts"]):
        for line in range(len(post[part])):
            expect = copy.deepcopy(fight.expect)
            del expect["posts"][index][part][line]
            assert list(differences(expect, played(path))), f"post {index}, {part} {line}"
            tried += 1
    assert tried > 5


@pytest.mark.parametrize("path", FIGHTS, ids=lambda path: path.stem)
def test_a_fight_lists_all_five_parts_of_every_post(path: Path) -> None:
    for post in read(path).expect["posts"]:
        assert {"vitals", "stats", "register", "balance", "outcomes", "dice", "next"} <= set(post)
