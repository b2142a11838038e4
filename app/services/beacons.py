"""Waiting for a public beacon, in the scenes that were opened with one (DICE_TRUST 4)."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from app.integrations.beacon import Beacon, round_at, spelled, time_of
from app.services.cup import Cup
from app.services.errors import Conflict
from app.services.world import World

AHEAD: Final = timedelta(seconds=30)
"""How long after its acceptance an order's round is: nobody may know it when they declare."""


PATIENCE: Final = timedelta(hours=24)
"""How long after a round was due the Master may do without it."""


def beacon_of(cup: Cup) -> Beacon | None:
    """Give the beacon of a scene; raise Conflict where this service no longer has it."""
    if cup.row.beacon is None:
        return None
    beacon = cup.world.beacon
    if beacon is None or beacon.chain_hash != cup.row.beacon:
        raise Conflict("beacon_missing")
    return beacon


def wait_for_round(cup: Cup) -> bool:
    """Name the round that an order's dice wait for; say whether there is one."""
    beacon = beacon_of(cup)
    if beacon is None:
        return False
    cup.move(beacon_round=round_at(beacon, cup.ledger.now + AHEAD))
    return True


def is_out(cup: Cup) -> bool:
    """Say whether the round that the dice wait for can be had; true where they wait for none."""
    number = cup.row.beacon_round
    beacon = beacon_of(cup)
    return number is None or (beacon is not None and beacon.get(number) is not None)


def is_due(cup: Cup) -> bool:
    """Say whether the round that is awaited can be had by anybody, even where it was not yet."""
    number = cup.row.beacon_round
    beacon = beacon_of(cup)
    return number is not None and beacon is not None and cup.ledger.now >= time_of(beacon, number)


def told(cup: Cup) -> tuple[str, str | None]:
    """Give what the beacon said in the round waited for, as the key of a roll has it, and signed.

    Where none is waited for there is nothing to give. Raises Conflict while the round is not out.
    """
    number = cup.row.beacon_round
    beacon = beacon_of(cup)
    if number is None or beacon is None:
        return "", None
    signature = beacon.get(number)
    if signature is None:
        raise Conflict("beacon_awaited")
    return spelled(beacon.chain_hash, number, signature), signature.hex()


def is_late(cup: Cup) -> bool:
    """Say whether a day has passed since the round that is awaited was due."""
    number = cup.row.beacon_round
    beacon = beacon_of(cup)
    if number is None or beacon is None:
        return False
    return cup.ledger.now >= _late_at(beacon, number)


def late_at(world: World, chain_hash: str | None, number: int | None) -> datetime | None:
    """Tell from when on the Master may do without a round; None where none is awaited here."""
    beacon = world.beacon
    if number is None or beacon is None or beacon.chain_hash != chain_hash:
        return None
    return _late_at(beacon, number)


def _late_at(beacon: Beacon, number: int) -> datetime:
    return time_of(beacon, number) + PATIENCE
