"""What leaves the house by a job: written here, sent by a courier, and only where it is wanted."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from sqlalchemy import Connection

from app.config import Settings
from app.integrations.mail import Mail, Mailer, mailer_of
from app.integrations.webhook import HookPoster
from app.persistence import queries_notices as queries
from app.persistence import queries_time as times
from app.persistence.codec import write_json
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_notices import MailboxNow
from app.posts.phrases import SERVICE, say
from app.services.jobs import Job, Kind
from app.services.told import Message, message, said_at

LONGEST: Final = 1900  # characters; Discord takes 2000
_MARKUP: Final = re.compile(r"([\\*_~`|>\[\]()#<@:-])")


@dataclass(frozen=True, slots=True)
class Couriers:
    """Whoever takes messages out of the house, and the address that links in them begin with."""

    base_url: str
    mail: Mailer | None
    hook: HookPoster


def couriers_of(settings: Settings) -> Couriers:
    """Give the couriers of a deployment."""
    return Couriers(settings.base_url, mailer_of(settings), HookPoster())


def prepare(db: Database, job: Job, couriers: Couriers) -> Callable[[], None] | None:
    """Write what a job is to send; None where nobody wants it any more."""
    with db.read() as connection:
        if job.kind is Kind.CONFIRM:
            return _confirm(connection, job, couriers)
        if job.kind is Kind.MAIL:
            return _mail(connection, job, couriers)
        return _hook(connection, job, couriers)


def _confirm(connection: Connection, job: Job, couriers: Couriers) -> Callable[[], None] | None:
    box = next(iter(queries.mailboxes(connection, token=job.subject)), None)
    if box is None or couriers.mail is None or box.confirmed_at is not None:
        return None
    link = f"{couriers.base_url}/mail/{box.token}"
    mail = Mail(
        to=box.address,
        subject=say(box.language, SERVICE, "mails", "confirm_subject"),
        text=say(box.language, SERVICE, "mails", "confirm", {"link": link}),
        id=f"confirm.{job.row.id}",
    )
    return partial(couriers.mail.send, mail)


def _mail(connection: Connection, job: Job, couriers: Couriers) -> Callable[[], None] | None:
    stored = queries.notice(connection, job.subject)
    key = None if stored is None else stored.notice.key_id
    if stored is None or key is None or couriers.mail is None:
        return None
    box = next(iter(queries.mailboxes(connection, keys=(key,))), None)
    if box is None or box.confirmed_at is None or stored.notice.at != job.row.due_at:
        return None
    if (key, "mail", stored.notice.kind) in queries.mutes(connection, (key,)):
        return None
    zone = _zone(connection, stored.notice.board)
    return partial(
        couriers.mail.send, _written(message(stored, box.language), box, zone, couriers.base_url)
    )


def _written(told: Message, box: MailboxNow, zone: str, base_url: str) -> Mail:
    stop = f"{base_url}/mail/{box.token}/stop"
    lines = [told.text]
    if told.until is not None:
        facts = {"until": said_at(told.until, zone)}
        lines.append(say(box.language, SERVICE, "mails", "until", facts))
    lines += [f"{base_url}{told.path}", "", "-- "]
    lines.append(say(box.language, SERVICE, "mails", "stop", {"link": stop}))
    return Mail(
        to=box.address,
        subject=told.title,
        text="\n".join(lines) + "\n",
        id=f"notice.{told.uid}",
        headers=(
            ("List-Unsubscribe", f"<{stop}>"),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ),
    )


def _hook(connection: Connection, job: Job, couriers: Couriers) -> Callable[[], None] | None:
    stored = queries.notice(connection, job.subject)
    if stored is None or stored.notice.at != job.row.due_at:
        return None
    board = stored.notice.board
    kept, found = times.board_time(connection, board), board_now(connection, board)
    if kept is None or not kept.webhook or found is None:
        return None
    if (board, "hook", stored.notice.kind) in queries.mutes(connection, (board,)):
        return None
    told = message(stored, found.language)
    text = plain_there(told.text)
    if told.until is not None:
        facts = {"until": said_at(told.until, kept.zone)}
        text += "\n" + say(found.language, SERVICE, "mails", "until", facts)
    body = {
        "content": f"{text[:LONGEST]}\n<{couriers.base_url}{told.path}>",
        "allowed_mentions": {"parse": []},  # nobody's name may call everybody
    }
    return partial(couriers.hook.post, kept.webhook, write_json(body).encode())


def plain_there(text: str) -> str:
    """Let a text be only text where it is read as Markdown."""
    return _MARKUP.sub(r"\\\1", text)


def _zone(connection: Connection, board: str) -> str:
    kept = times.board_time(connection, board)
    return "UTC" if kept is None else kept.zone
