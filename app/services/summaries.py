"""The summary of a fight, to be shared by a link that needs no account and can be taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import Connection

from app.engine.ruleset import SPECTATOR
from app.persistence import queries
from app.persistence import queries_summaries as links
from app.persistence.codec import load
from app.persistence.database import Database
from app.persistence.queries_ledger import last_line
from app.services.access import ANONYMOUS, Principal
from app.services.answers import call, remember, remembered
from app.services.deeds import DeedKind, note_deed
from app.services.errors import NotFound
from app.services.moments import Moment, moments_of
from app.services.run import takes_long
from app.services.scene_found import found
from app.services.shapes import Language, Roller
from app.services.timeline import Timeline, timeline_of
from app.services.whole import Whole
from app.services.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRead:
    """A fight in short, as a spectator may know it; who fights is in its timeline.

    ``decisions`` counts the entries of its history, ``head`` is that of its ledger by now, empty
    where it has none. The language is that of the scene.
    """

    scene_id: str
    title: str
    ruleset: str
    edition: str
    language: Language
    began_at: datetime
    ended_at: datetime | None
    decisions: int
    dice: Roller
    scheme: str
    head: str
    timeline: Timeline
    moments: tuple[Moment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryToken:
    """What a link to a summary is found by; ``replayed`` says that the call was answered before."""

    token: str
    made_at: datetime
    replayed: bool = field(default=False, compare=False)  # the answer is the same one


@dataclass(frozen=True, slots=True)
class _Made:
    """What is remembered of a link, so that the same call gets the same one."""

    token: str
    at: str


@takes_long
def read_summary(db: Database, token: str) -> SummaryRead:
    """Read the summary that a token leads to, whoever asks; raise NotFound for one out of force."""
    with db.read() as connection:
        link = links.link_by_token(connection, token)
        if link is None:
            raise NotFound
        return summary_of(connection, link.scene)


def summary_of(connection: Connection, scene_id: str) -> SummaryRead:
    """Sum up a scene through a spectator's eyes, whoever has the link."""
    whole = Whole.of(connection, ANONYMOUS, scene_id)
    scene, entries = whole.scene, whole.entries()
    timeline = timeline_of(connection, scene, (SPECTATOR,))
    last = last_line(connection, scene_id)
    return SummaryRead(
        scene_id=scene_id,
        title=scene.title,
        ruleset=scene.ruleset,
        edition=scene.edition,
        language=Language(scene.language),
        began_at=scene.created_at,
        ended_at=scene.ended_at,
        decisions=len(entries),
        dice=Roller(scene.dice),
        scheme=scene.scheme,
        head="" if last is None else last.head,
        timeline=timeline,
        moments=moments_of(timeline, entries),
    )


def shared_link(db: Database, principal: Principal, scene_id: str) -> SummaryToken | None:
    """Give the link to a scene's summary that is in force, to its Master; None if there is none."""
    with db.read() as connection:
        if not principal.is_gm(found(queries.scene_now(connection, scene_id))):
            raise NotFound
        link = links.link_of_scene(connection, scene_id)
    return None if link is None else SummaryToken(token=link.token, made_at=link.made_at)


def share(
    db: Database, world: World, principal: Principal, scene_id: str, key: str
) -> SummaryToken:
    """Make a link to the summary of a scene, as its Master; the one before opens nothing more."""
    with db.write() as connection:
        board, by = _master(connection, principal, scene_id)
        this = call(by, key, "share", scene_id)
        done = remembered(connection, this)
        if done is not None:
            made = load(_Made, done)
            return SummaryToken(
                token=made.token, made_at=datetime.fromisoformat(made.at), replayed=True
            )
        now = world.now()
        link = SummaryToken(token=world.token(), made_at=now)
        links.revoke_links(connection, scene_id, now, by)
        links.add_link(
            connection,
            id=world.scene_id(),
            scene=scene_id,
            token=link.token,
            made_at=now,
            key_id=by,
            revoked_at=None,
            revoked_by=None,
        )
        remember(connection, this, _Made(link.token, now.isoformat()), now)
        note_deed(connection, world, principal, board, DeedKind.SUMMARY, scene=scene_id)
    return link


def unshare(db: Database, world: World, principal: Principal, scene_id: str) -> None:
    """Revoke the link to the summary of a scene, as its Master, at once."""
    with db.write() as connection:
        board, by = _master(connection, principal, scene_id)
        if links.link_of_scene(connection, scene_id) is not None:
            links.revoke_links(connection, scene_id, world.now(), by)
            note_deed(connection, world, principal, board, DeedKind.SUMMARY_REVOKED, scene=scene_id)


def _master(connection: Connection, principal: Principal, scene_id: str) -> tuple[str, str]:
    """Lock a scene; give its board and its Master's key, or raise NotFound for anybody else."""
    scene = found(queries.scene_now(connection, scene_id, lock=True))
    by = principal.secret_for(scene)
    if by is None or not principal.is_gm(scene):
        raise NotFound
    return scene.board, by
