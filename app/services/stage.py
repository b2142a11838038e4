"""One scene, locked, while something is being decided in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.engine.dice import Roll
from app.engine.findings import Finding, Question
from app.engine.ruleset import GM, Asked, Awaited, Seat, Veil
from app.engine.seal import SCHEME
from app.persistence import queries
from app.persistence.codec import load, store
from app.persistence.queries import SceneNow
from app.persistence.queries_ledger import has_head
from app.services.access import Principal
from app.services.answers import Call, call
from app.services.called import names_in
from app.services.campaign import Leaving
from app.services.casting import as_cast
from app.services.citing import keep_answer
from app.services.cup import Cup, Thrown
from app.services.entering import Entering
from app.services.entry_shapes import (
    Decided,
    Narration,
)
from app.services.errors import Conflict, NotFound, Stale
from app.services.games import Game, act_of, game, reason_of
from app.services.log import Restated
from app.services.notices import Teller, tell_moved
from app.services.opened import open_all
from app.services.ruled import Entered, concerns_others, tell_entered
from app.services.shapes import (
    EntryKind,
    Status,
)
from app.services.sight import kept
from app.services.stored import read_given
from app.services.ticking import wind
from app.services.until import Until, before_of, until
from app.services.unveiling import unveil
from app.services.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """What the desk shows of a player's order: how it stands, whose it is, whether it differs."""

    review: str
    who: str
    differs: bool = False


@dataclass(slots=True)
class Stage:
    """A scene that nobody else can move, who acts in it, and the number of the entry to come.

    ``saw`` is the head of the ledger that whoever acts has quoted, ``act`` what the entry does;
    ``lost`` are entries whose approval it costs.
    """

    connection: Connection
    scene: SceneNow
    ruleset: Game
    principal: Principal
    secret_id: str
    now: datetime
    number: int
    world: World
    saw: str = ""
    act: str = ""
    lost: tuple[int, ...] = ()
    _cup: Cup | None = None
    _entered: Entered | None = None

    @classmethod
    def locked(
        cls,
        connection: Connection,
        world: World,
        principal: Principal,
        scene_id: str,
        *,
        as_gm: bool = False,
    ) -> Stage:
        """Lock a scene; raise NotFound for whoever has nothing to decide in it."""
        scene = queries.scene_now(connection, scene_id, lock=True)
        secret_id = None if scene is None else principal.secret_for(scene)
        if scene is None or secret_id is None or (as_gm and not principal.is_gm(scene)):
            raise NotFound
        actor = as_cast(principal, scene)
        return cls.of(connection, world, scene, actor, secret_id)

    @classmethod
    def of(
        cls,
        connection: Connection,
        world: World,
        scene: SceneNow,
        actor: Principal,
        secret_id: str,
    ) -> Stage:
        """Set up a scene that was locked."""
        ruleset = game(scene.ruleset)
        now = world.now()
        return cls(connection, scene, ruleset, actor, secret_id, now, scene.last + 1, world)

    @property
    def cup(self) -> Cup | None:
        """Give the dice of the scene; None where it is from before that they could be checked."""
        if self._cup is None and self.scene.scheme == SCHEME:
            self._cup = Cup.of(self.connection, self.world, self.scene.id, self.now)
        return self._cup

    def read(self, order: object, at: str = "order") -> Any:
        """Read an order of this scene's game."""
        return read_given(
            self.connection, self.principal, self.scene.board, self.ruleset, order, at
        )

    def call(self, key: str, *content: object) -> Call:
        """Describe the call that is being served."""
        return call(self.secret_id, key, self.scene.id, *content)

    def check_version(self, seen: int) -> None:
        """Raise unless the scene can go on and is where the client saw it."""
        check_edition(self.ruleset, self.scene)
        if seen != self.scene.version:
            raise Stale(self.scene.version)

    def check_free(self, seen: int, head: str = "") -> None:
        """Raise unless the scene is where the client saw it and waits for no dice.

        ``head`` is that of the ledger that the client saw: one of another history is refused.
        """
        self.check_version(seen)
        check_no_dice_awaited(self.scene)
        if head:
            self.check_head(head)

    def check_head(self, head: str) -> None:
        """Raise Conflict for a head that this scene's ledger never had; note it if it did."""
        if not has_head(self.connection, self.scene.id, head):
            raise Conflict("head_unknown")
        self.saw = head

    def state(self) -> Any:
        """Read the state."""
        return load(self.ruleset.state, self.scene.state)

    def setup(self) -> Any:
        """Read what the scene started from."""
        return load(self.ruleset.setup, self.scene.setup)

    def add(
        self,
        order: Any,
        narration: Narration | None = None,
        *,
        asked: Sequence[Asked] = (),
        rolls: tuple[Roll, ...] | None = (),
        provenance: str = "",
        findings: tuple[Finding, ...] = (),
        veils: tuple[Veil, ...] = (),
        restated: tuple[Restated, ...] | None = None,
        voids: int | None = None,
        before: int | None = None,
        corrects: int | None = None,
        seat: Seat = GM,
        reason: str = "",
        thrown: Thrown | None = None,
        waits: str = "",
        due: Due | None = None,
    ) -> None:
        """Write the entry and its line; without rolls it is declared, and its dice are awaited.

        ``thrown`` is how its dice were thrown, ``waits`` what a declared one waits for; ``seat`` is
        whose an entry without an order is. What is ``due`` to be reviewed goes onto the desk.
        """
        seat = seat if order is None else order.by
        self.act = "" if order is None else act_of(order)
        stored = None if order is None else store(order)
        told = None if narration is None else store(narration)
        why = reason or reason_of(order)
        if corrects is None:
            self._entered = Entered(
                number=self.number,
                order=order,
                seat=seat,
                veils=veils,
                reason=why,
                voids=voids,
                before=before,
            )
        if self.cup is not None:
            Entering(
                number=self.number,
                order=stored,
                narration=told,
                seat=seat,
                act="" if order is None else act_of(order),
                veils=veils,
                saw=self.saw,
                voids=voids,
                before=before,
                corrects=corrects,
                reason=reason,
            ).into(self.cup, asked, thrown, waits)
        queries.add_entry(
            self.connection,
            scene=self.scene.id,
            number=self.number,
            kind=_kind(order, corrects).value,
            act="" if order is None else act_of(order),
            seat=seat,
            order=stored,
            narration=told,
            places=True,
            asked=store(tuple(asked)),
            rolls=None if rolls is None else store(rolls),
            provenance=provenance,
            dice_by=None,
            dice_at=None,
            dice_remarks=None,
            findings=store(findings, tuple[Finding, ...]),
            veils=kept(veils),
            restated=None if restated is None else store(restated),
            voids=voids,
            before=before,
            corrects=corrects,
            status=(Status.DECLARED if rolls is None else Status.RESOLVED).value,
            reason=why,
            edition=self.scene.edition,
            at=self.now,
            key_id=self.secret_id or None,  # the service itself has none
            desk=None if due is None else self.scene.board,
            review=None if due is None else due.review,
            who=None if due is None else due.who,
            differs=due is not None and due.differs,
        )

    def keep(self, state: Any, question: Question | None, order: Any) -> int | None:
        """Keep the answer of the entry that was just added as a precedent; give its number."""
        if question is None:
            return None
        return keep_answer(
            self.connection,
            self.ruleset,
            question,
            self.ruleset.situation(state, question),
            order,
            board=self.scene.board,
            scene_id=self.scene.id,
            entry=self.scene.last,
            at=self.now,
            secret_id=self.secret_id,
        )

    def wait(self) -> Decided:
        """Let the scene wait for the dice of the entry just declared."""
        decided = self._move(self.scene.state, None, None, Status.DECLARED, before_of(self.scene))
        entered = self._entered
        if entered is not None and concerns_others(entered, self.principal, self.scene.id):
            teller = self.teller(self.state(), str(self.scene.version))
            self._tell_entered(teller)
            teller.write()
        return decided

    def move(self, state: Any) -> Decided:
        """Put the scene where the decision leads."""
        unveil(self.connection, self.cup, self.ruleset, self.scene.id, state)
        awaited = self.ruleset.awaits(state)
        scene = self.scene
        before = before_of(scene)
        after = until(self.ruleset, state, awaited, scene.answer_within, self.now, before)
        after = wind(self.connection, scene, before, after, awaited.seats)
        was_over, entry = scene.ended_at is not None, self.number
        reason = "" if self._entered is None else self._entered.reason
        names = names_in(self.ruleset, state, awaited.seats)
        decided = self._move(store(state), awaited, names, Status.RESOLVED, after)
        if self.ruleset.campaign is not None and (was_over or awaited.ended):
            left = self.ruleset.campaign.left(state)
            Leaving(
                connection=self.connection,
                scene=self.scene.id,
                entry=entry,
                at=self.now,
                secret_id=self.secret_id or None,
            ).write_back(left)
        teller = self.teller(state, str(self.scene.version))
        self._tell_entered(teller)
        tell_moved(teller, load(Awaited, scene.awaited), awaited, self.act, reason)
        return decided

    def _move(
        self,
        state: str,
        awaited: Awaited | None,
        names: tuple[str, ...] | None,
        status: Status,
        answer: Until,
    ) -> Decided:
        ended = self.scene.ended_at
        if awaited is not None:
            ended = (ended or self.now) if awaited.ended else None
        moved: dict[str, Any] = {
            "state": state,
            "awaited": self.scene.awaited if awaited is None else store(awaited),
            "awaited_names": self.scene.awaited_names if names is None else store(names),
            "version": self.scene.version + 1,
            "last": max(self.scene.last, self.number),  # stories may be corrected while it waits
            "waiting": self.number if status is Status.DECLARED else None,
            "ended_at": ended,
            "asks": self.scene.asks if awaited is None else len(awaited.questions),
            "since": self.now,
            **answer._asdict(),
        }
        if ended is not None and self.cup is not None:  # and what is sealed after the end as well
            open_all(self.cup)
        queries.move_scene(self.connection, self.scene.id, **moved)
        decided = Decided(number=self.number, version=moved["version"], status=status)
        self.scene = self.scene._replace(**moved)
        self.number = self.scene.last + 1
        return decided

    def _tell_entered(self, teller: Teller) -> None:
        entered, lost = self._entered, self.lost
        self._entered, self.lost = None, ()
        if entered is not None:  # else only the dice of one that was told before were awaited
            tell_entered(teller, entered, self.principal, lost)

    def teller(self, state: Any, about: str) -> Teller:
        """Give somebody who tells what becomes of the scene; ``about`` names the moment."""
        return Teller(self.connection, self.scene, self.ruleset, state, self.now, about)

    def note(self) -> None:
        """Count the entry just added, which leaves the scene where it is.

        Its version stays as well: what somebody is writing meanwhile meets the same state.
        """
        if self.scene.ended_at is not None and self.cup is not None:
            open_all(self.cup)
        values = {name: getattr(self.scene, name) for name in queries.MOVED if name != "last"}
        queries.move_scene(self.connection, self.scene.id, last=self.number, **values)
        self.scene = self.scene._replace(last=self.number)
        self.number += 1


def _kind(order: Any, corrects: int | None) -> EntryKind:
    if order is not None:
        return EntryKind.ORDER
    return EntryKind.VOID if corrects is None else EntryKind.CORRECTION


def check_edition(ruleset: Game, scene: SceneNow) -> None:
    """Raise Conflict for a scene whose rules have changed since it began."""
    if scene.edition != ruleset.edition:
        raise Conflict("other_edition")


def check_no_dice_awaited(scene: SceneNow) -> None:
    """Raise Conflict while a declared entry waits for its dice."""
    if scene.waiting is not None:
        raise Conflict("dice_awaited")
