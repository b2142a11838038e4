"""Beings in scenes: each enters as it stands; what the scene leaves of it is its next version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.engine.campaign import Left
from app.persistence import queries_beings as queries
from app.persistence.codec import read_stored, store
from app.persistence.queries_beings import BeingNow, BeingVersion, SceneBeing
from app.services.access import Principal
from app.services.being_shapes import BeingCause, BeingOutcome, BeingState
from app.services.errors import Conflict, Malformed, Mistake
from app.services.games import Game


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A set-up in which beings stand as they are now, and who they are, by place."""

    setup: Any
    beings: Mapping[int, BeingNow]


def call_beings(
    connection: Connection, principal: Principal, board: str, ruleset: Game, setup: Any
) -> Called:
    """Put beings where entrants name them, as ``{"being": id}``, and keep everybody else off them.

    Raises Malformed for one that is not theirs to send, Conflict for one that cannot fight now.
    """
    entrants = setup.get("entrants") if isinstance(setup, dict) else None
    if ruleset.campaign is None or not isinstance(entrants, list):
        return Called(setup=setup, beings={})
    complete, mistakes = list(entrants), []
    named: dict[int, str] = {}
    for place, one in enumerate(entrants):
        being_id = _named(one)
        if being_id is None:
            continue
        field = f"setup.entrants[{place}].sheet.being"
        if not isinstance(being_id, str):
            mistakes.append(Mistake(field, "wrong_type", {"expected": "text"}))
        elif being_id in named.values():
            mistakes.append(Mistake(field, "duplicate"))
        else:
            named[place] = being_id
    found: dict[int, BeingNow] = {}
    # In the order of their ids, so that two who call the same beings wait for one another.
    for place, being_id in sorted(named.items(), key=lambda item: item[1]):
        being = queries.being_now(connection, being_id, lock=True)
        ours = being is not None and (being.board, being.ruleset) == (board, ruleset.key)
        if being is None or not ours or not principal.is_keeper(being.id, board):
            field = f"setup.entrants[{place}].sheet.being"
            mistakes.append(Mistake(field, "missing"))
            continue
        check_free(connection, being)
        version = queries.being_version(connection, being.id, being.version)
        # WD-A1: it was checked when it entered the campaign, and is not checked again.
        sheet = read_stored(version.data)
        complete[place] = {**entrants[place], "sheet": sheet, "grown": True}
        found[place] = being
    if mistakes:
        raise Malformed(*mistakes)
    return Called(setup={**setup, "entrants": complete}, beings=found)


def _named(entrant: Any) -> Any:
    sheet = entrant.get("sheet") if isinstance(entrant, dict) else None
    return sheet.get("being") if isinstance(sheet, dict) and "being" in sheet else None


def check_free(connection: Connection, being: BeingNow) -> None:
    """Raise Conflict for a being that cannot begin anything: banished, retired or in a duel."""
    if being.state != BeingState.ACTIVE:
        raise Conflict("being_not_active", {"name": being.name})
    places = queries.places_of_being(connection, being.id)
    if any(place.ended_at is None for place in places):
        raise Conflict("being_is_fighting", {"name": being.name})


def seat_beings(connection: Connection, scene_id: str, setup: Any, called: Called) -> None:
    """Note which being has which seat of a new scene."""
    for place, being in called.beings.items():
        queries.add_place(
            connection,
            scene=scene_id,
            seat=setup.entrants[place].id,
            being=being.id,
            version=being.version,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaving:
    """The scene that writes back what it leaves of beings: by which entry, when, through whom."""

    connection: Connection
    scene: str
    entry: int
    at: datetime
    secret_id: str | None

    def write_back(self, left: tuple[Left, ...]) -> None:
        """Let every being of the scene stand as the scene leaves it; nothing for one that runs.

        Raises Conflict where a being has gone on from what is to be taken back or changed.
        """
        by_seat = {one.seat: one for one in left}
        for place in queries.places_of_scene(self.connection, self.scene):
            self._leave(place, by_seat.get(place.seat))

    def _leave(self, place: SceneBeing, left: Left | None) -> None:
        being = queries.being_now(self.connection, place.being, lock=True)
        assert being is not None
        given = queries.last_version_of_scene(self.connection, being.id, self.scene)
        if given is not None and given.cause != BeingCause.DUEL:
            given = None  # it was taken back before
        if given is None:
            if left is not None:
                self._add(being, left)
        elif left is None or not _says(given, left):
            self._check_still(being, given)
            if left is None:
                self._take_back(being, place)
            else:
                self._add(being, left)

    def _check_still(self, being: BeingNow, given: BeingVersion) -> None:
        places = queries.places_of_being(self.connection, being.id)
        later = any(one.version >= given.number for one in places if one.scene != self.scene)
        if later or being.version != given.number:
            raise Conflict("being_moved_on", {"name": being.name})

    def _add(self, being: BeingNow, left: Left) -> None:
        state = BeingState.BANISHED if left.banished else BeingState.ACTIVE
        queries.add_version(
            self.connection,
            being=being.id,
            number=being.version + 1,
            cause=BeingCause.DUEL.value,
            state=state.value,
            data=store(left.sheet),
            points=left.points,
            xp=left.sheet.xp,
            outcome=store(_outcome(left)),
            scene=self.scene,
            entry=self.entry,
            at=self.at,
            key_id=self.secret_id,
        )

    def _take_back(self, being: BeingNow, place: SceneBeing) -> None:
        before = queries.being_version(self.connection, being.id, place.version)
        queries.add_version(
            self.connection,
            being=being.id,
            number=being.version + 1,
            cause=BeingCause.TAKEN_BACK.value,
            state=before.state,
            data=before.data,
            points=before.points,
            xp=before.xp,
            outcome=None,
            scene=self.scene,
            entry=self.entry,
            at=self.at,
            key_id=self.secret_id,
        )


def _outcome(left: Left) -> BeingOutcome:
    return BeingOutcome(
        ending=str(left.ending),
        won=left.won,
        earned=left.earned,
        killed=left.killed,
        banished=left.banished,
    )


def _says(given: BeingVersion, left: Left) -> bool:
    """Say whether a version is already what the scene leaves."""
    return given.data == store(left.sheet) and given.outcome == store(_outcome(left))
