"""Ratio of dice that anybody can verify against the system's own; printed, never a failure."""

from __future__ import annotations

import hashlib
import secrets

from app.engine.dice import Address
from app.engine.seal import SealedDice
from tests.bench.ratios import compare

DICE = 5_000
SIDES = 20


def test_the_ratio_of_verifiable_dice_is_printed() -> None:
    dice = SealedDice(hashlib.sha256(b"bench").digest())

    def sealed() -> list[int]:
        return [dice.face(Address(place), SIDES) for place in range(DICE)]

    def drawn() -> list[int]:
        return [1 + secrets.randbelow(SIDES) for _ in range(DICE)]

    assert set(sealed()) == set(drawn()) == set(range(1, SIDES + 1))
    print()
    # Dice in a second against dice in a second: the sides change places.
    print(
        compare("P29 secrets.randbelow / pbf1, one die (dice per second)", drawn, sealed, "≥ 0.3")
    )
