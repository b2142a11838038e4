"""Deciding: every order of every game goes through here, dice and all, in one transaction."""

from __future__ import annotations

from app.persistence.database import Database
from app.services.access import Principal
from app.services.shapes import Decided, GivenDice, Preview, Submission, TakeBack
from app.services.world import World


def decide(
    db: Database, world: World, principal: Principal, scene_id: str, submission: Submission
) -> Decided:
    """Accept an order: throw its dice and resolve it, or declare it where the forum rolls.

    An order's ``by`` names its seat, or "gm"; left empty it is the principal's one seat, else the
    Master. The same key with the same content gives the first answer again.
    """
    raise NotImplementedError


def preview(db: Database, principal: Principal, scene_id: str, order: object) -> Preview:
    """Say what an order would meet, without storing anything and without a die."""
    raise NotImplementedError


def give_dice(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    number: int,
    given: GivenDice,
) -> Decided:
    """Resolve a declared entry with the natural faces that the forum rolled."""
    raise NotImplementedError


def void_last(
    db: Database, world: World, principal: Principal, scene_id: str, take_back: TakeBack
) -> Decided:
    """Take back the last decision in effect, as the Master."""
    raise NotImplementedError


def amend(
    db: Database,
    world: World,
    principal: Principal,
    scene_id: str,
    before: int,
    submission: Submission,
) -> Decided:
    """Put an order of the Master in front of the last turn in effect; the same dice meet it."""
    raise NotImplementedError
