"""Facts that are put together later are the same facts, and put together once at most."""

from __future__ import annotations

from app.engine.findings import Facts, Finding, Later
from app.persistence.codec import encode


def test_later_facts_are_made_when_somebody_reads_them_and_only_once() -> None:
    made: list[int] = []

    def facts() -> Facts:
        made.append(1)
        return {"name": "Ann", "hp": 3}

    found = Finding("CD-9", "status", Later(facts))
    assert made == []
    assert found.facts["hp"] == 3
    assert list(found.facts) == ["name", "hp"]
    assert len(found.facts) == 2
    assert made == [1]


def test_later_facts_equal_the_same_facts_made_at_once() -> None:
    at_once: Facts = {"name": "Ann", "hp": 3}
    one, two = Finding("CD-9", "status", at_once), Finding("CD-9", "status", Later(lambda: at_once))
    assert one == two
    assert repr(one) == repr(two)
    assert encode(one) == encode(two)
