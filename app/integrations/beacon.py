"""Public beacons: numbers that nobody knows before their time, for dice nobody can foresee.

A beacon publishes a signature at each of its rounds; its randomness is the SHA-256 of that, which
whoever holds both can check. Whether the signature is the beacon's own is not checked here: the
ledger keeps it, so that anybody can ask the beacon itself (DICE_TRUST 4).
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Protocol

MOST_BYTES: Final = 32 * 1024 * 1024
LATEST_GENESIS: Final = 2**32 - 1  # seconds, in the year 2106: later is a slip of the pen
LONGEST_PERIOD: Final = 24 * 3600
LOG: Final = logging.getLogger("arbitro")
_FIELDS: Final = frozenset({"chain_hash", "genesis", "period", "rounds"})
_OF_A_ROUND: Final = ({"signature"}, {"signature", "randomness"})
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,11}\Z", re.ASCII)
_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")
_SIGNATURE: Final = re.compile(r"(?:[0-9a-f]{2}){1,256}\Z")


class BeaconFault(ValueError):
    """A beacon's file is none, or contradicts itself; the message says where, and what is due."""


class Beacon(Protocol):
    """A chain of rounds, the first at ``genesis`` and one every ``period`` after it."""

    @property
    def chain_hash(self) -> str:
        """Name the chain, by 64 hexadecimal digits."""

    @property
    def genesis(self) -> int:
        """Give the time of round 1, in seconds of Unix time."""

    @property
    def period(self) -> int:
        """Give the seconds from one round to the next."""

    def get(self, number: int) -> bytes | None:
        """Give the signature of a round; None while it cannot be had."""


def time_of(beacon: Beacon, number: int) -> datetime:
    """Tell when a round is published; raise ValueError for a number below 1."""
    if number < 1:
        raise ValueError(f"rounds count from 1, not from {number}")
    return datetime.fromtimestamp(beacon.genesis + (number - 1) * beacon.period, UTC)


def round_at(beacon: Beacon, moment: datetime) -> int:
    """Give the first round that is published at a moment or after it."""
    since = moment - time_of(beacon, 1)
    return 1 + max(0, -(-since // timedelta(seconds=beacon.period)))


def spelled(chain_hash: str, number: int, signature: bytes) -> str:
    """Write a round as it enters the key of a roll: ``chain_hash:round:randomness``."""
    return f"{chain_hash}:{number}:{randomness_of(signature)}"


def randomness_of(signature: bytes) -> str:
    """Give the randomness of a round, in hexadecimal digits, from its signature."""
    return hashlib.sha256(signature).hexdigest()


@dataclass(frozen=True, slots=True)
class RecordedBeacon:
    """A beacon whose rounds stand in a file: for tests, and for machines without internet.

    The file is read anew for every round that is asked for, since somebody adds to it while the
    service runs.
    """

    path: Path
    chain_hash: str
    genesis: int
    period: int

    def get(self, number: int) -> bytes | None:
        """Give the signature of a round; None while the file lacks it or is not in order."""
        try:
            recorded, signatures = _read(self.path)
        except BeaconFault as fault:
            # Somebody may be writing it just now. A turn that waits goes on waiting.
            LOG.warning("beacon: %s", fault)
            return None
        if recorded != self:
            LOG.warning("beacon: %s now is of another chain than when it was opened", self.path)
            return None
        return signatures.get(number)


def recorded_beacon(path: Path) -> RecordedBeacon:
    """Open the file of a beacon; raise BeaconFault where anything in it is wrong."""
    return _read(path)[0]


def _read(path: Path) -> tuple[RecordedBeacon, Mapping[int, bytes]]:
    try:
        data = _json(path)
        return _chain(path, data), _signatures(data["rounds"])
    except BeaconFault as fault:
        raise BeaconFault(f"{path}: {fault}") from fault.__cause__


def _json(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BeaconFault(f"it has more than {MOST_BYTES} bytes")
        data = json.loads(path.read_bytes().decode("utf-8"), object_pairs_hook=_object)
    except BeaconFault:
        raise
    except OSError as error:
        raise BeaconFault(f"it cannot be read ({error.strerror or error})") from error
    except (ValueError, RecursionError) as error:
        raise BeaconFault(f"it is not JSON ({error})") from error
    if not isinstance(data, dict) or data.keys() != _FIELDS:
        raise BeaconFault(f"it is an object of {', '.join(sorted(_FIELDS))} and nothing else")
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise BeaconFault(f"{key} is written twice")
        found[key] = value
    return found


def _chain(path: Path, data: Mapping[str, Any]) -> RecordedBeacon:
    chain_hash = data["chain_hash"]
    if not isinstance(chain_hash, str) or not _DIGEST.match(chain_hash):
        raise BeaconFault("chain_hash is 64 hexadecimal digits in lower case")
    genesis = _whole(data, "genesis", 0, LATEST_GENESIS)
    return RecordedBeacon(path, chain_hash, genesis, _whole(data, "period", 1, LONGEST_PERIOD))


def _whole(data: Mapping[str, Any], name: str, least: int, most: int) -> int:
    value = data[name]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise BeaconFault(f"{name} is a whole number of seconds from {least} to {most}")
    return value


def _signatures(rounds: object) -> Mapping[int, bytes]:
    if not isinstance(rounds, dict):
        raise BeaconFault("rounds is an object with a signature for each number")
    for key in rounds:
        if not _NUMBER.match(key):
            raise BeaconFault(f"rounds: {key!r} is not a number, from 1 on")
    return {int(key): _signature(key, value) for key, value in rounds.items()}


def _signature(key: str, value: object) -> bytes:
    """Read a round: its signature, or an object that has its randomness as well."""
    given = {"signature": value} if isinstance(value, str) else value
    if not isinstance(given, dict) or given.keys() not in _OF_A_ROUND:
        raise BeaconFault(f"rounds.{key} is a signature, or an object of signature and randomness")
    text = given["signature"]
    if not isinstance(text, str) or not _SIGNATURE.match(text):
        raise BeaconFault(f"rounds.{key}: a signature is hexadecimal digits in lower case")
    signature = bytes.fromhex(text)
    if "randomness" in given and given["randomness"] != randomness_of(signature):
        raise BeaconFault(f"rounds.{key}: randomness is not the SHA-256 of the signature")
    return signature
