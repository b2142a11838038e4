"""Odds through the API: figures, warnings in words, bounds, and no way to keep others waiting."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from app.api.openapi import examples_of
from app.http import aside
from app.http.aside import at_length
from app.services.errors import Busy
from tests.api.conftest import Api

EXACT = examples_of("tell_odds")["Il gioco base, esatto"]
ENDLESS: dict[str, Any] = {
    "ruleset": "combat_dice",
    "setup": {
        "entrants": [
            {"id": id, "sheet": {"name": id, "wounds": {"hurt_arm": 20}}} for id in ("ann", "ben")
        ],
        "options": {"damage_dice": "off", "wounds_persist": True},
    },
}


def test_exact_odds_come_without_errors_and_sum_to_one(api: Api) -> None:
    told = api("POST", "/odds", EXACT).json()
    assert (told["method"], told["runs"], told["warnings"]) == ("exact", 0, [])
    shares = [*(one["wins"] for one in told["seats"]), told["draws"]]
    assert [one["error"] for one in shares] == [None, None, None]
    assert sum(one["value"] for one in shares) == pytest.approx(1, abs=1e-5)


def test_a_likely_stalemate_is_said_in_both_languages_with_what_helps(api: Api) -> None:
    told = api("POST", "/odds?lang=en", ENDLESS).json()
    (warning,) = told["warnings"]
    assert warning["code"] == "turn_cap_likely"
    assert warning["offers"] == {"stalemate": "escalate"}
    assert warning["message"].startswith("About 100 of 100")
    assert warning["messages"]["it"].startswith("Circa 100 scontri su 100")
    assert told["capped"] == {"value": 1, "error": None}


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"runs": 4_001}, "runs", "out_of_range"),
        ({"runs": 0}, "runs", "out_of_range"),
        ({"seed": -1}, "seed", "out_of_range"),
        ({"ruleset": "guida"}, "ruleset", "unknown_choice"),
        ({"setup": {"entrants": []}}, "setup.entrants", "too_short"),
        ({"more": 1}, "more", "unknown_field"),
    ],
)
def test_what_is_wrong_is_named_with_its_field(
    api: Api, change: dict[str, Any], field: str, code: str
) -> None:
    refused = api("POST", "/odds", {**EXACT, **change})
    assert refused.status_code == 422
    assert [(one["field"], one["code"]) for one in refused.json()["errors"]] == [(field, code)]


def test_what_the_rules_refuse_is_named_as_it_stands_in_the_body(api: Api) -> None:
    setup = {
        "entrants": [{"id": id, "sheet": {"name": id, "charms": 3}} for id in ("ann", "ben")],
    }
    refused = api("POST", "/odds", {"ruleset": "combat_dice", "setup": setup})
    assert refused.status_code == 409
    fields = {one["field"] for one in refused.json()["errors"]}
    assert fields >= {"setup.entrants[0].sheet.spells", "setup.entrants[1].sheet.spells"}


def test_whoever_asks_when_too_many_wait_is_told_so_and_nobody_else_waits() -> None:
    begun, gate = threading.Event(), threading.Event()

    def work() -> int:
        begun.set()
        gate.wait(10)
        return 1

    async def ask() -> None:
        waiting = [asyncio.ensure_future(at_length(work)) for _ in range(aside.MOST_WAITING)]
        await asyncio.to_thread(begun.wait, 10)  # the loop goes on meanwhile
        with pytest.raises(Busy):
            await at_length(work)
        gate.set()
        assert await asyncio.gather(*waiting) == [1] * aside.MOST_WAITING
        assert await at_length(work) == 1

    asyncio.run(ask())
