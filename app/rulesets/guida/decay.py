"""How stacks and saturation wear off by themselves: by bands, the lowest every other turn."""

from __future__ import annotations

from dataclasses import dataclass

from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.readings import (
    SlowDecay,
)
from app.rulesets.guida.tables import Band


@dataclass(frozen=True, slots=True)
class Worn:
    """What one tick takes: the stacks lost, and the ticks spent in a slow band since the last."""

    loss: int
    slow: int


def band_of(bands: tuple[Band, ...], count: int) -> Band | None:
    """Give the last band whose threshold is not above ``count``; None where nothing is left."""
    fitting = [band for band in bands if band.threshold <= count]
    return fitting[-1] if fitting else None


def settle_decay(
    options: Options, bands: tuple[Band, ...], count: int, *, slow: int, turn: int
) -> Worn:
    """Settle one tick of decay; ``slow`` counts the ticks waited, ``turn`` is the turn's number.

    In a slow band the first tick takes nothing; leaving the band starts the count anew (AMB-88).
    """
    band = band_of(bands, count)
    if band is None:
        return Worn(0, 0)
    if band.every == 1:
        return Worn(band.loss, 0)
    if options.slow_decay_counter is SlowDecay.SCENE_PARITY:
        return Worn(band.loss if turn % band.every == 0 else 0, 0)
    waited = slow + 1
    return Worn(band.loss, 0) if waited >= band.every else Worn(0, waited)
