"""Beacons: which round a moment waits for, how a round is written, and which files are refused."""

from __future__ import annotations

import hashlib
import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.seal import mix_of, roll_key
from app.integrations.beacon import (
    LATEST_GENESIS,
    LONGEST_PERIOD,
    Beacon,
    BeaconFault,
    RecordedBeacon,
    recorded_beacon,
    round_at,
    spelled,
    time_of,
)

CHAIN = "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce"
GENESIS = 1_595_431_050
SIGNATURE = "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20"
START = datetime.fromtimestamp(GENESIS, UTC)


def content(**changes: Any) -> dict[str, Any]:
    """Make the content of a file of two rounds, 30 seconds apart."""
    whole = {
        "chain_hash": CHAIN,
        "genesis": GENESIS,
        "period": 30,
        "rounds": {"7": SIGNATURE, "8": "00"},
    }
    return {**whole, **changes}


def recorded(folder: Path, text: str | None = None, **changes: Any) -> Path:
    """Write a file of a beacon."""
    path = folder / "beacon.json"
    path.write_text(json.dumps(content(**changes)) if text is None else text, encoding="utf-8")
    return path


def every(period: int, genesis: int = GENESIS) -> Beacon:
    """Make a beacon of which only the times matter."""
    return RecordedBeacon(Path("beacon.json"), CHAIN, genesis, period)


@pytest.mark.parametrize(
    ("after", "number"),
    [
        (timedelta(days=-400), 1),
        (timedelta(0), 1),
        (timedelta(microseconds=1), 2),
        (timedelta(seconds=30), 2),
        (timedelta(seconds=30, microseconds=1), 3),
        (timedelta(days=1), 2881),
    ],
)
def test_a_moment_waits_for_the_first_round_that_is_not_before_it(
    after: timedelta, number: int
) -> None:
    assert round_at(every(30), START + after) == number


@given(
    st.integers(0, LATEST_GENESIS),
    st.integers(1, LONGEST_PERIOD),
    st.timedeltas(timedelta(0), timedelta(days=230 * 365)),
)
def test_no_round_between_a_moment_and_the_one_it_waits_for_is_passed_over(
    genesis: int, period: int, since_1970: timedelta
) -> None:
    beacon, moment = every(period, genesis), datetime.fromtimestamp(0, UTC) + since_1970
    number = round_at(beacon, moment)
    assert time_of(beacon, number) >= moment
    assert number == 1 or time_of(beacon, number - 1) < moment


def test_there_is_no_round_before_the_first() -> None:
    assert time_of(every(30), 1) == START
    with pytest.raises(ValueError, match="from 1"):
        time_of(every(30), 0)


def test_a_moment_without_a_time_zone_is_refused() -> None:
    with pytest.raises(TypeError):
        round_at(every(30), START.replace(tzinfo=None))


def test_a_round_is_written_with_the_digest_of_its_signature() -> None:
    signature = bytes.fromhex(SIGNATURE)
    written = spelled(CHAIN, 7, signature)
    assert written == f"{CHAIN}:7:{hashlib.sha256(signature).hexdigest()}"
    keys = {roll_key(b"s" * 32, "m", 1, mix_of({}), beacon) for beacon in ("", written)}
    assert len(keys) == 2


def test_a_recorded_beacon_gives_what_its_file_has(tmp_path: Path) -> None:
    beacon = recorded_beacon(recorded(tmp_path))
    assert (beacon.chain_hash, beacon.genesis, beacon.period) == (CHAIN, GENESIS, 30)
    assert beacon.get(7) == bytes.fromhex(SIGNATURE)
    assert beacon.get(8) == b"\0"
    assert beacon.get(9) is None


def test_a_round_that_is_added_while_the_service_runs_is_found(tmp_path: Path) -> None:
    beacon = recorded_beacon(recorded(tmp_path, rounds={}))
    assert beacon.get(7) is None
    recorded(tmp_path)
    assert beacon.get(7) == bytes.fromhex(SIGNATURE)


@pytest.mark.parametrize(
    "text", ["", '{"chain_hash":', json.dumps(content(chain_hash="0" * 64, rounds={"7": "ff"}))]
)
def test_a_file_that_is_spoilt_later_gives_nothing_and_says_so(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    beacon = recorded_beacon(recorded(tmp_path))
    recorded(tmp_path, text)
    with caplog.at_level(logging.WARNING, "arbitro"):
        assert beacon.get(7) is None
    assert str(beacon.path) in caplog.text


def test_a_published_randomness_is_held_against_the_signature(tmp_path: Path) -> None:
    randomness = hashlib.sha256(bytes.fromhex(SIGNATURE)).hexdigest()
    pair = {"signature": SIGNATURE, "randomness": randomness}
    beacon = recorded_beacon(recorded(tmp_path, rounds={"7": pair, "8": {"signature": "01"}}))
    assert beacon.get(7) == bytes.fromhex(SIGNATURE)
    assert beacon.get(8) == b"\x01"
    pair["randomness"] = f"{randomness[:-1]}{int(randomness[-1], 16) ^ 1:x}"
    with pytest.raises(BeaconFault, match=r"rounds\.7: randomness is not the SHA-256"):
        recorded_beacon(recorded(tmp_path, rounds={"7": pair}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"chain_hash": CHAIN.upper()}, "chain_hash is 64"),
        ({"chain_hash": f"{CHAIN}\n"}, "chain_hash is 64"),
        ({"chain_hash": 7}, "chain_hash is 64"),
        ({"genesis": "1595431050"}, "genesis is a whole number"),
        ({"genesis": True}, "genesis is a whole number"),
        ({"genesis": -1}, "genesis is a whole number"),
        ({"genesis": 10**30}, "genesis is a whole number"),
        ({"period": 0}, "period is a whole number"),
        ({"period": 3.0}, "period is a whole number"),
        ({"rounds": []}, "rounds is an object"),
        ({"rounds": {"07": SIGNATURE}}, "'07' is not a number"),
        ({"rounds": {"0": SIGNATURE}}, "'0' is not a number"),
        ({"rounds": {"٧": SIGNATURE}}, "is not a number"),
        ({"rounds": {"7": SIGNATURE[1:]}}, r"rounds\.7: a signature is"),
        ({"rounds": {"7": ""}}, r"rounds\.7: a signature is"),
        ({"rounds": {"7": {"signature": None}}}, r"rounds\.7: a signature is"),
        ({"rounds": {"7": None}}, r"rounds\.7 is a signature, or"),
        ({"rounds": {"7": {"randomness": SIGNATURE}}}, r"rounds\.7 is a signature, or"),
        ({"rounds": {"7": {"signature": SIGNATURE, "round": 7}}}, r"rounds\.7 is a signature, or"),
        ({"rounds": {"7": {"signature": "00", "randomness": None}}}, r"rounds\.7: randomness"),
        ({"title": "ours"}, "and nothing else"),
    ],
)
def test_what_is_wrong_in_a_file_is_said_with_its_place(
    tmp_path: Path, changes: dict[str, Any], message: str
) -> None:
    path = recorded(tmp_path, **changes)
    with pytest.raises(BeaconFault, match=message) as refused:
        recorded_beacon(path)
    assert str(refused.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it is an object of"),
        ("{}", "it is an object of"),
        ('{"rounds": {}, "rounds": {}}', "rounds is written twice"),
        (json.dumps(content()).replace('"8"', '"7"'), "7 is written twice"),
    ],
)
def test_a_file_of_something_else_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BeaconFault, match=message):
        recorded_beacon(recorded(tmp_path, text))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(BeaconFault, match="it cannot be read"):
            recorded_beacon(path)
    path = recorded(tmp_path)
    path.write_bytes(b'{"chain_hash": "\xff"}')
    with pytest.raises(BeaconFault, match="it is not JSON"):
        recorded_beacon(path)


def test_a_file_without_an_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.integrations.beacon.MOST_BYTES", 100)
    with pytest.raises(BeaconFault, match="more than 100 bytes"):
        recorded_beacon(recorded(tmp_path))
