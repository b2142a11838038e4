"""The book of cases: numbered, run once, read again when a file changes; and what it proves."""

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from app.catalogue import rules
from app.ops import casebook as module
from app.ops.casebook import Casebook, Filter, casebook

LEFT = {id for id, rule in rules().items() if rule.status in ("narrative", "external")}


def case(id: str, named: Iterable[str] = ("GC-3.5",), **changes: Any) -> dict[str, Any]:
    """Make a case that passes, unless it is changed."""
    made = {
        "id": id,
        "title": f"Title of {id}",
        "chapter": "3 Potenza",
        "op": "power",
        "rules": list(named),
        "given": {"potential": 7, "stat_bonus": 1},
        "expect": {"power": 8},
    }
    return {**made, **changes}


def write(path: Path, *cases: dict[str, Any]) -> None:
    """Write a file of cases."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(cases), encoding="utf-8")


@pytest.fixture
def book(tmp_path: Path) -> Casebook:
    """Write four cases, one of which fails, and open the book."""
    wrong = {"expect": {"power": 9}}
    write(tmp_path / "b.json", case("B-1", ["GC-3.6", "GC-3.5"], **wrong), case("B-2", ["GC-3.7"]))
    write(tmp_path / "a.json", case("A-1", ["GC-3.5", "GC-3.5"]))
    fight = case("C-1", ["GC-3.8"], op="fly")
    del fight["chapter"]
    write(tmp_path / "c" / "fight.json", fight)
    return casebook(tmp_path)


def ids(cases: Iterable[Any]) -> list[str]:
    """List the ids of cases."""
    return [one.id for one in cases]


def test_cases_are_numbered_in_the_order_of_their_files(book: Casebook) -> None:
    told = [(one.number, one.id, one.file) for one in book.cases]
    assert told == [
        (1, "A-1", "a.json"),
        (2, "B-1", "b.json"),
        (3, "B-2", "b.json"),
        (4, "C-1", "c/fight.json"),
    ]
    assert ids(book.by_rule["GC-3.5"]) == ["A-1", "B-1"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), ["A-1", "B-1", "B-2", "C-1"]),
        (Filter(chapter=3), ["A-1", "B-1", "B-2"]),
        (Filter(chapter=0), ["C-1"]),
        (Filter(chapter=9), []),
        (Filter(op="fly"), ["C-1"]),
        (Filter(rule="GC-3.5"), ["A-1", "B-1"]),
        (Filter(rule="GC-9.9"), []),
        (Filter(passed=True), ["A-1", "B-2"]),
        (Filter(passed=False), ["B-1", "C-1"]),
        (Filter(rule="GC-3.5", passed=False, chapter=3, op="power"), ["B-1"]),
    ],
)
def test_cases_are_found_by_what_is_asked_for(
    book: Casebook, wanted: Filter, found: list[str]
) -> None:
    assert ids(book.find(wanted)) == found


def test_a_rule_is_proved_by_a_case_that_passes_if_none_fails(book: Casebook) -> None:
    *chapters, total = book.coverage()
    (part,) = [one for one in chapters if (one.game, one.chapter) == ("guida", 3)]
    assert part.proved == total.proved == 1  # GC-3.7 alone: B-1 fails GC-3.5 and GC-3.6
    assert "GC-3.7" not in part.unproved
    assert {"GC-3.5", "GC-3.6", "GC-3.8"} <= set(part.unproved)
    assert total.chapter is None


def test_coverage_counts_every_rule_once(book: Casebook) -> None:
    *chapters, total = book.coverage()
    told = [id for one in chapters for id in (*one.unproved, *one.left_to_people)]
    assert len(told) == len(set(told)) == len(rules()) - 1
    assert set(total.left_to_people) == LEFT
    assert total.rules == sum(one.rules for one in chapters) == len(rules()) - len(LEFT)
    assert total.share == 100 // total.rules


def test_a_case_runs_once(book: Casebook, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    real = module.outcome_of

    def outcome_of(one: Any) -> Any:
        ran.append(one.id)
        return real(one)

    monkeypatch.setattr(module, "outcome_of", outcome_of)
    book.find(Filter(passed=True))
    book.coverage()
    assert book.outcome(book.cases[1]).wrong == ("power: expected 9, got 8",)
    assert sorted(ran) == ["A-1", "B-1", "B-2", "C-1"]


def test_the_book_is_kept_until_a_file_changes(tmp_path: Path, book: Casebook) -> None:
    assert casebook(tmp_path) is book
    write(tmp_path / "b.json", case("B-1", ["GC-3.6"]))
    os.utime(tmp_path / "b.json", (1, 1))
    again = casebook(tmp_path)
    assert again is not book
    assert ids(again.find(Filter(passed=False))) == ["C-1"]
    (tmp_path / "a.json").unlink()
    assert ids(casebook(tmp_path).cases) == ["B-1", "C-1"]


def test_a_deployment_without_cases_has_an_empty_book(tmp_path: Path) -> None:
    book = casebook(tmp_path / "none")
    assert book.cases == ()
    assert book.coverage()[-1].proved == 0


def test_a_rule_knows_its_chapter() -> None:
    assert [rules()[id].chapter for id in ("GC-5.3", "GC-14.21", "WD-18")] == [5, 14, 3]


def test_coverage_and_cases_can_be_kept_to_a_game(tmp_path: Path, book: Casebook) -> None:
    assert ids(book.find(Filter(game="guida"))) == ["A-1", "B-1", "B-2", "C-1"]
    assert ids(book.find(Filter(game="warrior_dice"))) == []
    *chapters, total = book.coverage("warrior_dice")
    assert {one.game for one in (*chapters, total)} == {"warrior_dice"}
    of_the_game = [one for one in rules().values() if one.ruleset == "warrior_dice"]
    assert total.rules + len(total.left_to_people) == len(of_the_game)
    assert [one.chapter for one in chapters] == list(range(1, 13))
    assert book.coverage()[-1].game == ""
