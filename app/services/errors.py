"""The ways in which a use case says no: the class gives the HTTP status, the code the words."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType
from typing import Final

from app.engine.findings import Facts, Obstacle
from app.persistence.errors import MISTAKES, ArbitroError, Busy, Malformed, Mistake

__all__ = [
    "CONFLICTS",
    "MISTAKES",
    "STATUS",
    "ArbitroError",
    "Busy",
    "Conflict",
    "KeyReused",
    "LoginNeeded",
    "Malformed",
    "Mistake",
    "NotFound",
    "Refused",
    "Stale",
    "TooMany",
]

CONFLICTS: Final = (
    "already_retired",
    "already_told",
    "beacon_awaited",
    "beacon_missing",
    "beacon_not_awaited",
    "beacon_not_late",
    "being_has_successor",
    "being_is_fighting",
    "being_moved_on",
    "being_not_active",
    "being_not_banished",
    "clock_runs",
    "clock_stopped",
    "deadline_not_passed",
    "dice_awaited",
    "dice_between",
    "dice_key_lost",
    "dice_not_awaited",
    "dice_settled",
    "dice_uncheckable",
    "dice_used_up",
    "head_unknown",
    "last_owner",
    "mail_too_soon",
    "no_deadline",
    "no_default",
    "no_story",
    "nothing_proposed",
    "nothing_to_compare",
    "nothing_to_void",
    "nothing_to_withdraw",
    "opening_reserved",
    "not_in_effect",
    "other_dice_needed",
    "other_edition",
    "other_wording",
    "piece_not_in_use",
    "piece_unchanged",
    "proposal_open",
    "proposals_waiting",
    "salts_awaited",
    "salts_shown",
    "scene_over",
    "seals_awaited",
    "story_taken_back",
    "vacation_over",
    "vacations_used_up",
)
"""Every code of ``Conflict``.

already_retired: the precedent no longer holds, and was retired with a reason before ·
already_told: what the line had sealed was told before ·
beacon_awaited: the round of the beacon is not out yet ·
beacon_missing: this service does not have the beacon of the scene ·
beacon_not_awaited: nothing waits for a beacon ·
beacon_not_late: no day has passed since the round was due ·
being_has_successor: another being took the place of the banished one already ·
being_is_fighting: a being is in one running duel at a time ·
being_moved_on: what a duel left of a being cannot be taken back, since it has gone on from there ·
being_not_active: the being was banished or retired, and fights no more ·
being_not_banished: only for a banished being another one enters ·
clock_runs: the clock of the scene was not stopped ·
clock_stopped: the clock of the scene was stopped before ·
deadline_not_passed: the awaited may still answer, until the instant that is told ·
dice_awaited: a declared entry waits for its dice, nothing else is accepted meanwhile ·
dice_between: where the forum rolls, only the last of several orders may need dice ·
dice_key_lost: the service no longer has the key from which the dice of the scene are made ·
dice_not_awaited: dice were given for an entry that does not wait for any ·
dice_settled: everything is there that the dice of the declared turn are made of ·
dice_uncheckable: the scene is from before that dice could be checked · dice_used_up: the scene has
no seed left for another roll · head_unknown: the ledger of the scene never had this head ·
last_owner: nobody would own the board any more ·
mail_too_soon: a mail that asks to confirm an address was sent just before ·
no_deadline: nobody is awaited until a certain time · no_default: the game says nothing of what a
passed deadline comes to here ·
no_story: the entry takes another back, or corrects one, and tells nothing itself ·
nothing_proposed: no version of the piece waits for a decision ·
nothing_to_compare: the entry is no decision with a post that its reader may see ·
nothing_to_void: no entry is in effect · nothing_to_withdraw: the entry does not wait for dice ·
not_in_effect: the entry was taken back,
waits for its dice, or is no decision of its own, so that it can be neither amended nor reviewed ·
opening_reserved: only the owner of the board opens scenes there ·
other_dice_needed: after the amendment the entry would need dice that never fell ·
other_edition: the scene began under rules that have changed since; it can be read only ·
other_wording: the story was corrected since its author has read it ·
piece_not_in_use: only what is in use is retired ·
piece_unchanged: the proposal is the same as the version that it would follow ·
proposal_open: another player's proposal for the piece waits for the Master ·
proposals_waiting: as many proposals of the same person wait for the Master as may ·
salts_awaited: no die can fall before every seat has given its salt ·
salts_shown: after salts were shown a seat can seal anew only once ·
scene_over: nobody is awaited any more, so that no clock goes ·
seals_awaited: salts are shown once every seat has sealed ·
story_taken_back: what was taken back is not told any more, so that its story is not corrected ·
vacation_over: the vacation has passed, or ended before ·
vacations_used_up: the seat said too often that it is away.
"""


class Refused(ArbitroError):
    """Understood, but not allowed: everything that stands in the way, violations and questions.

    ``entry`` is set where it stands in the way of an earlier decision, which an amendment would
    make illegal.
    """

    code = "refused"

    def __init__(self, obstacles: Iterable[Obstacle], entry: int | None = None) -> None:
        self.obstacles = tuple(obstacles)
        self.entry = entry
        super().__init__(", ".join(obstacle.code for obstacle in self.obstacles))


class Conflict(ArbitroError):
    """Understood, but not at this point of the scene; ``code`` is one of ``CONFLICTS``."""

    def __init__(self, code: str, facts: Facts | None = None) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts or {}


class Stale(ArbitroError):
    """Somebody moved first; ``version`` is the one that holds now."""

    code = "stale"

    def __init__(self, version: int) -> None:
        super().__init__(f"version {version} holds now")
        self.version = version


class NotFound(ArbitroError):
    """Not there, or not yours: nobody can tell which."""

    code = "not_found"


class LoginNeeded(ArbitroError):
    """Only somebody who has logged in to an account can do this."""

    code = "login_needed"


class TooMany(ArbitroError):
    """There were too many attempts lately; the next one is heard after so many ``seconds``."""

    code = "too_many"

    def __init__(self, seconds: int) -> None:
        super().__init__(f"{seconds} s to wait")
        self.seconds = seconds


class KeyReused(ArbitroError):
    """An Idempotency-Key came back with other content."""

    code = "key_reused"


STATUS: Final = MappingProxyType(
    {
        Malformed: 422,
        Refused: 409,
        Conflict: 409,
        Stale: 412,
        LoginNeeded: 401,
        NotFound: 404,
        KeyReused: 422,
        TooMany: 429,
        Busy: 503,
    }
)
"""The HTTP status of each error."""
