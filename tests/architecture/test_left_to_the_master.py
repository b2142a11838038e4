"""Whatever the book leaves to the Master is a question that waits, or an order of the Master's."""

from __future__ import annotations

import ast
from typing import get_type_hints

import pytest

from app import catalogue
from app.rulesets.guida import orders, rulings
from tests.architecture.emitted import QUESTIONS, RULES

# Where each rule that speaks of the Master's judgement is judged: a question's code, an order's
# kind, or why nothing is asked.
JUDGED = {
    "GC-2.1": "nobody judges: it says that Masters and players are judged alike",
    "GC-4.5": "adequacy",
    "GC-4.28": "claim_surprise claim_from_behind place_behind",
    "GC-4.71": "adequacy",
    "GC-8.12": "constraint_overlap",
    "GC-8.13": "improper_constraint",
    "GC-10.2": "claim_object",
    "GC-13.2": "target_in_reach",
    "GC-13.5": "target_in_reach",
    "GC-13.9": "annulled_for_all",
    "GC-13.16": "counter_goes_on",
    "GC-14.5": "adequacy",
    "GC-14.11": "nobody judges: dependencies are in the shape of an order (decision 23)",
    "GC-14.21": "bound_techniques bound_technique",
    "GC-14.27": "claim_surprise hides",
    "GC-14.28": "blind_radius blind_radius_beyond",
}
KINDS = {order.kind for order in orders.ORDERS}


def speaks_of_the_master(id: str) -> bool:
    """Say whether a rule leaves something to the Master."""
    rule = catalogue.rule(id)
    text = f"{rule.title['it']} {rule.statement['it']}"
    return "Master" in text or "caso per caso" in text.lower()


def test_every_rule_that_leaves_something_to_the_master_is_judged_somewhere() -> None:
    guida = [id for id, rule in catalogue.rules().items() if rule.ruleset == "guida"]
    assert sorted(filter(speaks_of_the_master, guida)) == sorted(JUDGED)


@pytest.mark.parametrize("id", sorted(JUDGED))
def test_where_it_is_judged_is_there(id: str) -> None:
    if not JUDGED[id].startswith("nobody judges"):
        assert set(JUDGED[id].split()) <= {*QUESTIONS, *KINDS}


def test_every_question_has_choices_a_rule_and_waits_for_as_few_as_it_may() -> None:
    for path in sorted(RULES.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Question":
                given = {keyword.arg: keyword.value for keyword in node.keywords}
                assert {"id", "rule", "code", "choices", "about", "by"} <= set(given), path.name
                choices = given["choices"]
                assert isinstance(choices, ast.Tuple)
                assert len(choices.elts) >= 2
                # What an answer does not change for a turn blocks nobody's.
                assert ("blocks" in given) is (ast.unparse(given["code"]) not in UNBLOCKING)


UNBLOCKING = {
    f"'{code}'"
    for code in (
        *("manual", "place_behind"),
        *("constraint_overlap", "bound_techniques", "bound_technique"),
    )
}


def test_an_answer_needs_a_reason() -> None:
    hints = get_type_hints(rulings.Answer, include_extras=True)
    assert hints["reason"] is get_type_hints(rulings.Pause, include_extras=True)["reason"]
    fields = rulings.Answer.__dataclass_fields__
    assert fields["reason"].default is fields["question"].default  # there is none
