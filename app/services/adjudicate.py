"""A whole fight adjudicated on the spot, for those who keep their scenes elsewhere."""

from __future__ import annotations

from app.services.shapes import Adjudicated, Adjudication
from app.services.world import World


def adjudicate(world: World, adjudication: Adjudication) -> Adjudicated:
    """Play the steps of a fight one after the other; nothing is stored."""
    raise NotImplementedError
