"""The beings of a campaign: entered, read with all that they were, retired, followed by others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection

from app.engine.alike import alike
from app.engine.campaign import Campaign
from app.engine.text import Name
from app.persistence import queries_beings as queries
from app.persistence.codec import checked, decode, load, store
from app.persistence.database import Database
from app.persistence.queries_access import add_secrets, board_now, revoke_secrets
from app.persistence.queries_beings import BeingNow
from app.services.access import Principal, Role, ScenePlace
from app.services.answers import call, remember, remembered
from app.services.being_shapes import (
    BeingCause,
    BeingDuel,
    BeingLine,
    BeingOutcome,
    BeingRead,
    BeingState,
    BeingVersionRead,
    EnteredBeing,
)
from app.services.boards import board_read
from app.services.campaign import check_free
from app.services.errors import Conflict, Malformed, Mistake, NotFound, Refused, Stale
from app.services.games import Game, game, known_game, sheet_type
from app.services.secret import derived_secret, new_secret, secret_row
from app.services.world import World


@dataclass(frozen=True, slots=True)
class _Made:
    """What is remembered of an entering: enough to derive the same secret from the same key."""

    being_id: str
    salt: str

    def told(self, key: str) -> EnteredBeing:
        secret = derived_secret(self.salt, key, Role.BEING, self.being_id)
        return EnteredBeing(being_id=self.being_id, secret=secret)


def list_beings(db: Database, principal: Principal, board: str) -> tuple[BeingLine, ...]:
    """List the beings of the campaign: to Masters all, to others those whose links they opened."""
    among = None if principal.is_any_gm(board) else principal.beings()
    with db.read() as connection:
        if board_now(connection, board) is None:
            raise NotFound
        rows = queries.beings(connection, board, among)
    return tuple(
        BeingLine(
            id=row.id,
            ruleset=row.ruleset,
            name=row.name,
            state=BeingState(row.state),
            version=row.version,
            points=row.points,
            xp=row.xp,
            duels=row.duels,
            updated_at=row.updated_at,
        )
        for row in rows
    )


def read_being(db: Database, principal: Principal, being_id: str) -> BeingRead:
    """Read a being with every version of it, as its owner or a Master."""
    with db.read() as connection:
        return _read(connection, principal, _kept(connection, principal, being_id))


def add_being(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    sheet: object,
    key: str,
    ruleset: str = "warrior_dice",
    *,
    name: str | None = None,
) -> EnteredBeing:
    """Let a new being enter the campaign; the same key gives the same being again.

    With a ``name`` it is called so instead of as its sheet; nobody active may be taken for it.
    """
    if not principal.is_any_gm(board):
        raise NotFound
    found = known_game(ruleset, "ruleset")
    return _enter(db, world, principal, board, found, sheet, key, None, name)


def add_successor(
    db: Database,
    world: World,
    principal: Principal,
    being_id: str,
    sheet: object,
    key: str,
    *,
    name: str | None = None,
) -> EnteredBeing:
    """Let the owner of a banished being enter another one in its place (WD-A13)."""
    with db.read() as connection:
        old = _kept(connection, principal, being_id)
    return _enter(db, world, principal, old.board, game(old.ruleset), sheet, key, old.id, name)


def retire_being(
    db: Database, world: World, principal: Principal, being_id: str, version: int
) -> BeingRead:
    """Let a being go that fights no more; what it was is kept."""
    with db.write() as connection:
        being = _kept(connection, principal, being_id, lock=True)
        if being.version != version:
            raise Stale(being.version)
        check_free(connection, being)
        before = queries.being_version(connection, being.id, being.version)
        queries.add_version(
            connection,
            being=being.id,
            number=being.version + 1,
            cause=BeingCause.RETIRED.value,
            state=BeingState.RETIRED.value,
            data=before.data,
            points=before.points,
            xp=before.xp,
            outcome=None,
            scene=None,
            entry=None,
            at=world.now(),
            key_id=_key_of(principal, being.id, being.board),
        )
        return _read(connection, principal, _kept(connection, principal, being_id))


def reissue_being_link(db: Database, world: World, principal: Principal, being_id: str) -> str:
    """Make a new secret for the owner of a being, and revoke the one before."""
    secret = new_secret(world.token())
    with db.write() as connection:
        being = _kept(connection, principal, being_id, lock=True)
        revoke_secrets(connection, Role.BEING, being.board, None, being.id, world.now())
        row = secret_row(world, secret, Role.BEING, being.board, None, being.id)
        add_secrets(connection, [row])
    return secret


def _enter(
    db: Database,
    world: World,
    principal: Principal,
    board_id: str,
    ruleset: Game,
    sheet: object,
    key: str,
    follows: str | None,
    name: str | None,
) -> EnteredBeing:
    campaign = _campaign_of(ruleset)
    value = _sheet_of(ruleset, sheet)
    called: str | None = checked(Name | None, name, "name")
    acting = _key_of(principal, follows or "", board_id)
    whose = principal.callers(board_id)
    this = call(whose, key, "add_being", board_id, ruleset.key, value, follows, called)
    with db.write() as connection:
        board = board_read(board_now(connection, board_id, lock=True))
        mine = principal.beings()
        done = remembered(connection, this, lambda was: load(_Made, was).being_id in mine)
        if done is not None:
            return replace(load(_Made, done).told(key), replayed=True)
        if follows is not None:
            _check_follows(connection, principal, follows)
        options = board.options[ruleset.key]
        if obstacles := campaign.check(value, options, follows is not None):
            raise Refused(obstacles)
        entered = campaign.enter(value, options)
        if called is not None:
            entered = replace(entered, name=called)
        _check_name(connection, board_id, entered.name, "sheet.name" if called is None else "name")
        points, xp = campaign.worth(entered, options)
        made, now = _Made(world.scene_id(), world.token()), world.now()
        queries.add_being(
            connection,
            id=made.being_id,
            board=board_id,
            ruleset=ruleset.key,
            name=entered.name,
            state=BeingState.ACTIVE.value,
            version=1,
            follows=follows,
            created_at=now,
        )
        queries.add_version(
            connection,
            being=made.being_id,
            number=1,
            cause=BeingCause.ENTERED.value,
            state=BeingState.ACTIVE.value,
            data=store(entered),
            points=points,
            xp=xp,
            outcome=None,
            scene=None,
            entry=None,
            at=now,
            key_id=acting,
        )
        told = made.told(key)
        row = secret_row(world, told.secret, Role.BEING, board_id, None, made.being_id)
        add_secrets(connection, [row])
        remember(connection, this, made, now)
    return told


def _check_follows(connection: Connection, principal: Principal, being_id: str) -> None:
    old = _kept(connection, principal, being_id, lock=True)
    if old.state != BeingState.BANISHED:
        raise Conflict("being_not_banished", {"name": old.name})
    if queries.successor_of(connection, old.id) is not None:
        raise Conflict("being_has_successor", {"name": old.name})


def _check_name(connection: Connection, board: str, name: str, field: str) -> None:
    """Raise Malformed for a name that is taken for that of an active being: they may meet."""
    for other in queries.beings(connection, board, None):
        if other.state == BeingState.ACTIVE and alike(name, other.name):
            raise Malformed(Mistake(field, "being_name_taken", {"other": other.name}))


def _campaign_of(ruleset: Game) -> Campaign[Any]:
    """Give what a game says of beings; raise Malformed for one that knows none."""
    if ruleset.campaign is None:
        raise Malformed(Mistake("ruleset", "no_campaign"))
    return ruleset.campaign


def _sheet_of(ruleset: Game, sheet: object) -> Any:
    wanted = sheet_type(ruleset.key)
    if isinstance(sheet, wanted):
        return checked(wanted, sheet, "sheet")
    return decode(wanted, sheet, "sheet")


def _kept(
    connection: Connection, principal: Principal, being_id: str, *, lock: bool = False
) -> BeingNow:
    """Find a being that the principal looks after; raise NotFound for any other."""
    found = queries.being_now(connection, being_id, lock=lock)
    if found is None or not principal.is_keeper(found.id, found.board):
        raise NotFound
    return found


def _read(connection: Connection, principal: Principal, being: BeingNow) -> BeingRead:
    places = queries.places_of_being(connection, being.id)
    versions = tuple(_versions(connection, principal, being))
    newest = versions[-1]
    return BeingRead(
        id=being.id,
        ruleset=being.ruleset,
        name=being.name,
        state=BeingState(being.state),
        version=being.version,
        sheet=newest.sheet,
        points=newest.points,
        xp=newest.xp,
        fighting=any(place.ended_at is None for place in places),
        follows=being.follows,
        successor=queries.successor_of(connection, being.id),
        duels=tuple(
            BeingDuel(
                scene=place.scene if _may_know(principal, being, place.scene) else None,
                seat=place.seat,
                version=place.version,
                running=place.ended_at is None,
            )
            for place in sorted(places, key=lambda place: place.version)
        ),
        versions=versions,
        created_at=being.created_at,
    )


def _versions(
    connection: Connection, principal: Principal, being: BeingNow
) -> Iterator[BeingVersionRead]:
    ruleset = game(being.ruleset)
    campaign, wanted = _campaign_of(ruleset), sheet_type(being.ruleset)
    before = None
    for row in queries.versions(connection, being.id):
        sheet = load(wanted, row.data)
        knows = row.scene is not None and _may_know(principal, being, row.scene)
        yield BeingVersionRead(
            number=row.number,
            cause=BeingCause(row.cause),
            state=BeingState(row.state),
            sheet=sheet,
            points=row.points,
            xp=row.xp,
            outcome=None if row.outcome is None else load(BeingOutcome, row.outcome),
            changes=() if before is None else campaign.changes(before, sheet),
            scene=row.scene if knows else None,
            entry=row.entry if knows else None,
            at=row.at,
        )
        before = sheet


def _may_know(principal: Principal, being: BeingNow, scene_id: str) -> bool:
    """Say whether somebody may know a scene, since its address lets anybody read it."""
    place = ScenePlace(scene_id, being.board)
    return principal.secret_for(place) is not None or being.id in principal.beings()


def _key_of(principal: Principal, being_id: str, board: str) -> str | None:
    """Name the key by which somebody acts for a being: its own link, or what they are here."""
    own = (one.secret_id for one in principal.grants if one.role is Role.BEING)
    mine = next((id for id in own if being_id in principal.beings()), None)
    return principal.any_secret(board) or mine
