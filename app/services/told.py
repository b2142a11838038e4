"""What a notice says, in words: the same in the inbox, in feeds, in mails and on other services."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from app.engine.ruleset import GM
from app.persistence.codec import read_json
from app.persistence.queries_notices import NoticeNow
from app.persistence.queries_notices import Told as Stored
from app.posts.phrases import SERVICE, find, say, sections
from app.services.notices import Telling

OF_ENTRIES: Final = (
    *(Telling.APPROVED, Telling.RETURNED, Telling.APPROVAL_LOST),
    *(Telling.RULED, Telling.TAKEN_BACK),
)
NO_DECISION = "turn"
"""What is said to be awaited where a game names it in a way that nobody would understand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A notice in words; ``path`` leads to where one can answer, ``until`` when at the latest.

    One that is about no scene has the name of its board as ``scene``, and an empty ``scene_id``.
    """

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
        "reason": "",
        "number": 0,
        **facts,
        "what": _what(language, stored.ruleset, facts),
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


def _what(language: str, ruleset: str, facts: Mapping[str, str | int]) -> str:
    """Say in words of the game what was decided, about whom, and how it was answered."""
    if not ruleset or "act" not in facts:
        return str(facts.get("what", ""))
    act, about, choice = (str(facts[fact]) for fact in ("act", "about", "choice"))
    text = say(language, ruleset, "words", act)
    text = f"{text}, {about}" if about else text
    if choice and find(language, ruleset, "choices", choice):
        return f"{text}: {say(language, ruleset, 'choices', choice)}"
    return text


def _question(language: str, ruleset: str, facts: Mapping[str, str | int]) -> str:
    if "code" not in facts:
        return ""
    details = read_json(str(facts["details"]).encode())
    assert isinstance(details, dict)
    return say(language, ruleset, "questions", str(facts["code"]), details)


def _path(notice: NoticeNow, kind: Telling, facts: Mapping[str, str | int]) -> str:
    board = f"/boards/{notice.board}"
    if kind is Telling.ROLE_CHANGED:
        return board if facts["role"] else "/"
    if kind in (Telling.PIECE_PROPOSED, Telling.PIECE_DECIDED):
        return f"{board}/books/pieces/{facts['piece']}"
    scene = f"/scenes/{notice.scene}"
    if kind is Telling.QUESTION:
        return f"{scene}/gm"
    if kind is Telling.APPROVAL_LOST and notice.seat == GM:
        return f"{board}/desk/{notice.scene}/{facts['number']}"
    if kind is Telling.AWAY:
        return f"{scene}/clock"
    if kind in OF_ENTRIES:
        return f"{scene}/entries/{facts['number']}"
    return scene
