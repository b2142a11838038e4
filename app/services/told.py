"""What a notice says, in words: the same in the inbox, in feeds, in mails and on other services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from app.persistence.codec import read_json
from app.persistence.queries_notices import NoticeNow
from app.persistence.queries_notices import Told as Stored
from app.posts.phrases import SERVICE, say, sections
from app.services.notices import Telling

NO_DECISION = "turn"
"""What is said to be awaited where a game names it in a way that nobody would understand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A notice in words; ``path`` leads to where one can answer, ``until`` when at the latest."""

    uid: str
    kind: Telling
    title: str
    text: str
    path: str
    scene_id: str
    scene: str
    at: datetime
    until: datetime | None = None
    read: bool = False


def message(stored: Stored, language: str) -> Message:
    """Put a notice into words."""
    notice = stored.notice
    kind, facts = Telling(notice.kind), _facts(notice)
    until = facts.get("until")
    said = {
        "scene": stored.title,
        "who": notice.seat or "",
        "what": "",
        "reason": "",
        "number": 0,
        **facts,
        "decision": _decision(language, facts),
        "question": _question(language, stored.ruleset, facts),
        "public": notice.key_id is None,
    }
    return Message(
        uid=notice.uid,
        kind=kind,
        title=say(language, SERVICE, "notice_titles", kind.value, said),
        text=say(language, SERVICE, "notices", kind.value, said),
        path=_path(notice, kind, facts),
        scene_id=notice.scene or "",
        scene=stored.title,
        at=notice.at,
        until=datetime.fromisoformat(str(until)) if until else None,
        read=notice.read_at is not None,
    )


def said_at(moment: datetime, zone: str) -> str:
    """Write an instant in a zone, and name the zone."""
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%d %H:%M} {zone}"


def _facts(notice: NoticeNow) -> Mapping[str, str | int]:
    found = read_json(notice.facts.encode())
    assert isinstance(found, dict)
    return found


def _decision(language: str, facts: Mapping[str, str | int]) -> str:
    code, about = str(facts.get("decision", "")), str(facts.get("about", ""))
    known = sections(language, SERVICE)["decisions"]
    text = say(language, SERVICE, "decisions", code if code in known else NO_DECISION)
    return f"{text}: {about}" if about else text


def _question(language: str, ruleset: str, facts: Mapping[str, str | int]) -> str:
    if "code" not in facts:
        return ""
    details = read_json(str(facts["details"]).encode())
    assert isinstance(details, dict)
    return say(language, ruleset, "questions", str(facts["code"]), details)


def _path(notice: NoticeNow, kind: Telling, facts: Mapping[str, str | int]) -> str:
    scene = f"/scenes/{notice.scene}"
    if kind is Telling.QUESTION:
        return f"{scene}/gm"
    if kind in (Telling.APPROVED, Telling.RETURNED):
        return f"{scene}/entries/{facts['number']}"
    return scene
