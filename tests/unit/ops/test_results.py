"""How cases went is kept for the very code and cases that it was found with, and for no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.ops import casebook as module
from app.ops.casebook import Casebook, Numbered
from app.ops.cases import Case
from app.ops.results import MOST_KEPT, digest_of, keep_results, read_results
from app.ops.runner import Outcome


def numbered(number: int, id: str) -> Numbered:
    """Make a case of which only the id matters."""
    case = Case(
        id=id, title=id, game="guida", op="power", rules=(), chapter=None, given={}, expect={}
    )
    return Numbered(number, "a.json", case)


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Note which cases run; those whose id begins with a capital fail."""
    noted: list[str] = []

    def run(case: Case) -> Outcome:
        noted.append(case.id)
        return Outcome({}, ("wrong",) if case.id[0].isupper() else ())

    monkeypatch.setattr(module, "outcome_of", run)
    monkeypatch.setattr(module, "read_results", lambda digest: read_results(digest, tmp_path))
    monkeypatch.setattr(
        module, "keep_results", lambda digest, passed: keep_results(digest, passed, tmp_path)
    )
    return noted


def book(digest: str, *ids: str) -> Casebook:
    """Open a book of a digest anew, as another process would."""
    cases = tuple(numbered(number, id) for number, id in enumerate(ids, start=1))
    return Casebook(cases=cases, by_id={one.id: one for one in cases}, by_rule={}, digest=digest)


def test_another_process_does_not_run_the_cases_again(ran: list[str]) -> None:
    book("one", "a", "B").run_all()
    assert ran == ["a", "B"]
    again = book("one", "a", "B")
    again.run_all()
    assert [again.passes(one) for one in again.cases] == [True, False]
    assert ran == ["a", "B"]


def test_other_code_runs_them_again(ran: list[str]) -> None:
    book("one", "a").run_all()
    book("two", "a").run_all()
    assert ran == ["a", "a"]


def test_whoever_looks_at_a_case_sees_it_run_although_its_result_is_kept(ran: list[str]) -> None:
    book("one", "a", "B").run_all()
    again = book("one", "a", "B")
    assert again.outcome(again.cases[1]).wrong == ("wrong",)
    assert ran == ["a", "B", "B"]


def test_results_of_a_part_are_not_kept_for_the_whole(ran: list[str]) -> None:
    book("one", "a", "b").keep({"a": True})
    book("one", "a", "b").run_all()
    assert ran == ["a", "b"]
    book("two", "a", "b").keep({"a": True, "b": True, "of another file": False})
    book("two", "a", "b").run_all()
    assert ran == ["a", "b"]


@pytest.mark.parametrize("damage", ["", "[1, 2]", '{"a": 1}', "{"])
def test_a_damaged_file_is_no_result(ran: list[str], tmp_path: Path, damage: str) -> None:
    book("one", "a").run_all()
    (kept,) = tmp_path.glob("cases-*.json")
    kept.write_text(damage, encoding="utf-8")
    book("one", "a").run_all()
    assert ran == ["a", "a"]


def test_where_nothing_can_be_written_the_cases_only_run_again(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    keep_results("one", {"a": True}, blocked)
    assert read_results("one", blocked) == {}


def test_few_sets_of_results_are_kept(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 3):
        keep_results(f"{number:032}", {"a": True}, tmp_path)
    assert len(list(tmp_path.iterdir())) == MOST_KEPT


def test_a_changed_case_has_another_digest(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text("[]", encoding="utf-8")
    before = digest_of([file])
    assert digest_of([file]) == before
    file.write_text("[ ]", encoding="utf-8")
    assert digest_of([file]) != before
