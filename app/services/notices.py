"""Notices: written in the transaction of what they tell, each only what its addressee may know."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Connection

from app.engine.ruleset import GM, SPECTATOR, Awaited, Seat
from app.persistence import queries_notices as queries
from app.persistence.codec import write_json
from app.persistence.queries import SceneNow, scene_now
from app.persistence.queries_notices import KeyNow, KeysNow
from app.services.access import Role
from app.services.called import name_in
from app.services.games import Game
from app.services.jobs import Kind, plan
from app.services.scene_found import found

LAPSES: Final = ("lapse", "deadline")
"""Orders after which somebody who was awaited before is awaited for something else."""
CLOSE: Final = "close"
"""The order by which the Master ends a scene."""


class Telling(StrEnum):
    """What a notice tells."""

    YOUR_TURN = "your_turn"
    QUESTION = "question"
    APPROVED = "approved"
    RETURNED = "returned"
    DEADLINE_NEAR = "deadline_near"
    DEADLINE_PASSED = "deadline_passed"
    CLOCK = "clock"
    ENDED = "ended"
    RULED = "ruled"
    TAKEN_BACK = "taken_back"
    APPROVAL_LOST = "approval_lost"
    AWAY = "away"
    ROLE_CHANGED = "role_changed"
    PIECE_PROPOSED = "piece_proposed"
    PIECE_DECIDED = "piece_decided"


OF_THE_BOARD: Final = (
    *(Telling.YOUR_TURN, Telling.DEADLINE_PASSED, Telling.ENDED),
    *(Telling.RULED, Telling.TAKEN_BACK),
)
"""What the whole board is told, as far as spectators may know it."""


def addressees(
    keys: Iterable[KeyNow], ruleset: Game, state: Any
) -> Mapping[Seat, tuple[KeyNow, ...]]:
    """Say who hears what a seat of a scene, or its Master, is told: the holders of which keys.

    A seat without a link of its own is played by its master's player, or by the Master.
    """
    found: dict[Seat, tuple[KeyNow, ...]] = {}
    for key in keys:
        seat = GM if key.role in (Role.GM, Role.OWNER) else key.seat
        if seat is not None:
            found[seat] = (*found.get(seat, ()), key)
    for one in ruleset.roster(state):
        if one.seat not in found:
            found[one.seat] = found.get(one.by or GM, ())
    return found


@dataclass(slots=True)
class Teller:
    """Collects what a change of a scene has to tell, and writes all of it at once.

    ``about`` tells one moment of the scene from another, so that the same is told once for each.
    """

    connection: Connection
    scene: SceneNow
    ruleset: Game
    state: Any
    now: datetime
    about: str
    _rows: dict[str, dict[str, Any]] = field(default_factory=dict)
    _jobs: list[tuple[Kind, str]] = field(default_factory=list)
    _heard: dict[Seat, tuple[KeyNow, ...]] | None = None
    _found: KeysNow | None = None

    def tell(
        self,
        kind: Telling,
        seats: Iterable[Seat],
        *,
        unless: Collection[str] = (),
        **facts: str | int,
    ) -> None:
        """Tell seats, or the Master, something that each of them may know; but not some keys."""
        heard = self._keys()
        for seat in seats:
            for key in heard.get(seat, ()):
                if key.id not in unless:
                    self.tell_key(kind, key, seat, **facts)

    def tell_key(self, kind: Telling, key: KeyNow, seat: Seat, **facts: str | int) -> None:
        """Tell the holder of a key something, as a seat that they play."""
        uid = self._keep(kind, key.id, seat, facts)
        if key.mailed is not None:
            self._jobs.append((Kind.MAIL, uid))

    def players(self) -> Mapping[KeyNow, tuple[Seat, ...]]:
        """List the keys of players, each with the seats that its holder plays."""
        found: dict[KeyNow, tuple[Seat, ...]] = {}
        for seat, keys in self._keys().items():
            for key in keys:
                if key.role == Role.SEAT:
                    found[key] = (*found.get(key, ()), seat)
        return found

    def tell_all(self, kind: Telling, **facts: str | int) -> None:
        """Tell the Master and every player, each once, what everybody may know."""
        seats = {keys: seat for seat, keys in reversed(self._keys().items())}
        self.tell(kind, seats.values(), unless=(), **facts)

    def tell_board(self, kind: Telling, seats: Iterable[Seat] = (), **facts: str | int) -> None:
        """Tell the whole board something of seats that anybody may see."""
        for seat in seats:
            uid = self._keep(kind, None, seat, facts)
            if self._hears().hooked:
                self._jobs.append((Kind.HOOK, uid))

    def write(self) -> None:
        """Write what was told, and plan to send it where somebody wants it sent."""
        queries.add_notices(self.connection, tuple(self._rows.values()))
        for kind, uid in self._jobs:
            plan(self.connection, kind, uid, self.now)

    def _keys(self) -> dict[Seat, tuple[KeyNow, ...]]:
        if self._heard is None:
            self._heard = dict(addressees(self._hears().keys, self.ruleset, self.state))
        return self._heard

    def _hears(self) -> KeysNow:
        if self._found is None:
            scene = self.scene
            self._found = queries.keys_of_scene(self.connection, scene.id, scene.board)
        return self._found

    def _keep(
        self, kind: Telling, key: str | None, seat: Seat, facts: Mapping[str, str | int]
    ) -> str:
        scene = self.scene
        row = row_of(scene.board, key, scene.id, seat, kind, self.about, facts, self.now)
        uid = str(row["uid"])
        self._rows[uid] = row
        return uid


def row_of(
    board: str,
    key: str | None,
    scene: str | None,
    seat: Seat,
    kind: Telling,
    about: str,
    facts: Mapping[str, str | int],
    now: datetime,
) -> dict[str, Any]:
    """Write a notice as it is kept; its name is a digest of what it tells, whom, and of when."""
    told = write_json(dict(facts))
    parts = (board, key or "", scene or "", seat, kind, about, told)
    return {
        "uid": hashlib.sha256(write_json(list(parts)).encode()).hexdigest(),
        "board": board,
        "key_id": key,
        "scene": scene,
        "seat": seat or None,
        "kind": kind.value,
        "facts": told,
        "at": now,
    }


def tell_moved(teller: Teller, before: Awaited, after: Awaited, act: str, reason: str = "") -> None:
    """Tell whose turn it is now, what the Master is asked, and that a scene is over.

    ``act`` is the kind of the order that brought it about, ``reason`` the one it gives in public.
    """
    scene, state, ruleset = teller.scene, teller.state, teller.ruleset
    if after.ended and not before.ended:
        why = reason if act == CLOSE else ""
        teller.tell_all(Telling.ENDED, reason=why)
        teller.tell_board(Telling.ENDED, ("",), reason=why)
    known = {one.id for one in before.questions}
    for question in after.questions:
        if question.id not in known:
            details = write_json(dict(question.details))
            teller.tell(Telling.QUESTION, (GM,), code=question.code, details=details)
    anew = [seat for seat in after.seats if seat not in before.seats or act in LAPSES]
    until = "" if scene.answer_by is None else scene.answer_by.isoformat()
    for seat in anew:
        facts = decision_of(ruleset, state, seat)
        teller.tell(Telling.YOUR_TURN, (seat,), until=until, **facts)
    if anew:
        seen = ruleset.awaits_for(state, SPECTATOR).seats
        public = [seat for seat in anew if seat in seen]
        view = ruleset.view(state, SPECTATOR)
        for seat in public:
            teller.tell_board(Telling.YOUR_TURN, (seat,), until=until, who=name_in(view, seat))
    teller.write()


def tell_opened(
    connection: Connection, scene_id: str, ruleset: Game, state: Any, now: datetime
) -> None:
    """Tell whose turn it is in a scene that was just opened."""
    scene = found(scene_now(connection, scene_id))
    teller = Teller(connection, scene, ruleset, state, now, str(scene.version))
    tell_moved(teller, Awaited(seats=()), ruleset.awaits(state), "")


def tell_reviewed(
    teller: Teller, seat: Seat, number: int, *, approved: bool, reason: str = ""
) -> None:
    """Tell a seat that the Master has approved an entry of theirs, or gives it back to them."""
    kind = Telling.APPROVED if approved else Telling.RETURNED
    who = name_in(teller.ruleset.view(teller.state, seat), seat)
    teller.tell(kind, (seat,), number=number, reason=reason, who=who)
    teller.write()


def decision_of(ruleset: Game, state: Any, seat: Seat) -> dict[str, str]:
    """Name who is to decide, and what: a turn with what comes at it, or the stage of a game.

    Only what the seat sees itself is told.
    """
    view = ruleset.view(state, seat)
    who = name_in(view, seat)
    coming = [
        f"{one.name} ({one.attacker_name})"
        for one in getattr(view, "incoming", ())
        if one.target == seat
    ]
    if coming:
        return {"who": who, "decision": "defend", "about": ", ".join(coming)}
    stage, *asked = ruleset.awaiting(state).split(" ")
    if stage.isdecimal() and any(asked):
        return {"who": who, "decision": "choose", "about": ""}
    return {"who": who, "decision": "turn" if stage == seat else stage, "about": ""}
