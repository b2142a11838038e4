"""A ledger is checked from its bytes: a sound one passes, whatever is done to it is named."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.services.ledger_check import FAULTS, LedgerReport, check_ledger
from app.services.ledger_lines import heads_of, lines_of
from tests.support.ledgers import Ledger, forum, long, rewritten, short
from tests.support.spoilt import Spoilt, garbled, spoilt
from tests.support.tampering import ATTACKS, SEEN_BY_THE_HEAD_ALONE

SPOILT = list(spoilt())
NO_HEAD = [(None, "no_head")]


def codes(report: LedgerReport) -> list[tuple[int | None, str]]:
    """Say what was found, and where."""
    return [(fault.line, fault.code) for fault in report.faults]


@pytest.mark.parametrize("ledger", [short(), long(), forum()], ids=["short", "long", "forum"])
def test_a_sound_ledger_passes(ledger: Ledger) -> None:
    report = check_ledger(ledger.data, ledger.head)
    assert report.ok, report.faults
    assert report.lines == len(ledger.lines)
    assert report.heads[-1] == ledger.head
    assert codes(check_ledger(ledger.data, None)) == NO_HEAD


def test_a_report_counts_what_it_looked_at() -> None:
    report = check_ledger(long().data, long().head)
    assert (report.rolls, report.checks, report.hidden) == (2, 2, 3)
    assert (report.opened, report.sealed) == (7, 0)
    ledger = short()
    cut = ledger.copy(ledger.lines[:10])
    report = check_ledger(cut.data, cut.head)
    assert report.ok
    assert (report.opened, report.sealed) == (0, 1)


def test_a_head_may_be_typed_in_capitals_and_with_blanks() -> None:
    assert check_ledger(short().data, f" {short().head.upper()}\n").ok


@pytest.mark.parametrize("one", SPOILT, ids=lambda one: one.code)
def test_a_spoilt_ledger_is_found_out_by_the_code_that_says_how(one: Spoilt) -> None:
    report = check_ledger(one.data, one.head)
    assert not report.ok
    assert one.code in {fault.code for fault in report.faults}


def test_every_code_has_a_ledger_that_it_is_found_in_and_no_other_facts_than_it_says() -> None:
    assert {one.code for one in SPOILT} == set(FAULTS)
    for one in SPOILT:
        for fault in check_ledger(one.data, one.head).faults:
            assert set(fault.facts) == set(FAULTS[fault.code]), fault


# --------------------------------------------------------------------------------------- G10


def test_every_flipped_bit_is_caught_against_the_posted_head() -> None:
    ledger = short()
    data, posted = ledger.data, ledger.head
    assert len(ledger.lines) == 12
    assert heads_of(lines_of(data))[-1] == posted
    caught = flips = 0
    for at in range(len(data)):
        for bit in range(8):
            flipped = bytearray(data)
            flipped[at] ^= 1 << bit
            flips += 1
            lines = lines_of(bytes(flipped))
            caught += heads_of(lines)[-1] != posted or not flipped.endswith(b"\n")
            if flips % 61 == 0:  # the whole checker says the same, and survives it
                assert not check_ledger(bytes(flipped), posted).ok
    assert flips > 20_000
    assert caught == flips


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_on_the_structure_is_caught_against_the_posted_head(name: str) -> None:
    ledger = short()
    attacked = ATTACKS[name](ledger)
    assert attacked.data != ledger.data
    assert check_ledger(ledger.data, ledger.head).ok
    report = check_ledger(attacked.data, ledger.head)
    assert {"head_differs", "head_earlier"} & {fault.code for fault in report.faults}


@pytest.mark.parametrize("name", ATTACKS)
def test_without_a_head_a_ledger_that_does_not_contradict_itself_passes(name: str) -> None:
    """What shows that the posted head is what catches the others."""
    found = codes(check_ledger(ATTACKS[name](short()).data, None))
    assert (found == NO_HEAD) == (name in SEEN_BY_THE_HEAD_ALONE)


def test_there_are_attacks_enough_and_some_need_a_head() -> None:
    assert len(ATTACKS) >= 12
    assert set(ATTACKS) > SEEN_BY_THE_HEAD_ALONE


# ------------------------------------------------------------------------------ never raises


@given(st.binary(max_size=400), st.text(max_size=70))
def test_whatever_the_bytes_are_they_get_a_report(data: bytes, head: str) -> None:
    assert not check_ledger(data, head).ok


@pytest.mark.parametrize("seed", range(200))
def test_whatever_stands_in_the_fields_gets_a_report(seed: int) -> None:
    ledger = garbled(random.Random(seed))
    report = check_ledger(ledger.data, None)
    assert codes(report)[:1] == NO_HEAD
    assert report.lines >= len(ledger.lines)


def test_a_field_that_no_check_knows_is_nobodys_business() -> None:
    ledger = Ledger()
    ledger.open()
    ledger.add("seal", seat="hollow", seal="00" * 32, saw=[], sealed=7, mood="fine")
    assert check_ledger(ledger.data, ledger.head).faults == ()


def test_one_broken_line_does_not_hide_what_is_wrong_with_the_others() -> None:
    ledger = short()
    spoiled = rewritten(ledger, 3, lambda line: line.update(request="{ }"))
    spoiled = rewritten(spoiled, 6, lambda line: line["dice"][0].update(faces=[21]))
    spoiled.lines[8] = b"{"
    found = codes(check_ledger(spoiled.data, ledger.head))
    assert found[0] == (None, "head_differs")
    assert {(3, "turn_differs"), (6, "faces_differ"), (8, "not_json")} <= set(found)
    assert [code for _, code in found].count("head_differs") == 1
