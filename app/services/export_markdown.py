"""The log of a scene as Markdown: every entry in its order, told as its post tells it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from babel.dates import format_datetime

from app import catalogue
from app.posts.dialects.markdown import MARKDOWN
from app.posts.dialects.markup import write_post
from app.posts.phrases import SERVICE, say
from app.posts.write import write_blocks
from app.services.entry_shapes import EntryRead
from app.services.export import SceneExport
from app.services.games import game
from app.services.retold import source_of
from app.services.shapes import EntryKind, SceneRead

# A post stands below the heading of its entry.
_POST: Final = replace(MARKDOWN, heading=lambda text: f"### {text}")

_ITEM: Final = "• "


def write_log(exported: SceneExport) -> str:
    """Write the log in the language of the scene; whatever somebody typed in it stays text."""
    scene = exported.scene
    book = catalogue.books()[scene.ruleset].name
    lines = [
        f"# {_text(scene.title)}",
        _text(_say(scene, "head", {"book": book, "edition": scene.edition})),
    ]
    names = _names(scene)
    for entry in exported.entries:
        lines += _entry(scene, entry, names)
    if exported.next is not None:
        lines.append(_say(scene, "goes_on", {"entry": exported.next}))
    return "\n\n".join(lines) + "\n"


def _names(scene: SceneRead) -> Mapping[str, str]:
    if scene.view is None:
        return {}
    return {one.id: one.name for one in game(scene.ruleset).glance(scene.view).people}


def _entry(scene: SceneRead, entry: EntryRead, names: Mapping[str, str]) -> Iterator[str]:
    """Write one entry: what it is, what became of it, its post or what may be known of it."""
    at = format_datetime(entry.at, "d MMMM y, HH:mm", locale=scene.language.value)
    title = _title(scene, entry, names)
    yield f"## {entry.number}. {_text(title)}"
    yield f"*{at} UTC*"
    if entry.voided_by is not None:
        yield f"**{_say(scene, 'taken_back', {'entry': entry.voided_by})}**"
    for number in entry.amended_by:
        yield _say(scene, "amended", {"entry": number})
    if entry.reason:
        yield _text(_say(scene, "reason", {"reason": entry.reason}))
    if entry.kind is EntryKind.ORDER and entry.seat:
        post = write_post(write_blocks(source_of(entry)), scene.language, _POST)
        yield _broken(post)
    else:
        for found in entry.findings:
            said = say(scene.language, scene.ruleset, "findings", found.key, found.facts)
            yield f"- {_text(said)}"


def _broken(post: str) -> str:
    """Keep the lines of a post apart: in a file they run together, which they do in no forum.

    A line ends in two blanks where another follows; lines of the register are a list, and what
    follows a list stands apart from it.
    """
    lines = post.split("\n")
    told: list[str] = []
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        is_item, more = line.startswith(_ITEM), after.startswith(_ITEM)
        text = f"- {line.removeprefix(_ITEM)}" if is_item else line
        if is_item and after and not more:
            text += "\n"
        elif line and after and not (is_item or more) and not line.startswith(("#", "|")):
            text += "  "
        told.append(text)
    return "\n".join(told)


def _title(scene: SceneRead, entry: EntryRead, names: Mapping[str, str]) -> str:
    if entry.kind is EntryKind.VOID:
        return _say(scene, "void", {"entry": entry.voids or 0})
    if entry.kind is EntryKind.CORRECTION:
        return _say(scene, "correction", {"entry": entry.corrects or 0})
    if not entry.seat:
        return _say(scene, "out_of_sight", {})
    act = say(scene.language, scene.ruleset, "words", entry.act, {})
    who = names.get(entry.seat) or _seat(scene, entry.seat)
    return f"{act[:1].upper()}{act[1:]} · {who}"


def _seat(scene: SceneRead, seat: str) -> str:
    return say(scene.language, SERVICE, "words", seat, {}) if seat == "gm" else seat


def _say(scene: SceneRead, key: str, facts: Mapping[str, str | int]) -> str:
    return say(scene.language, SERVICE, "log", key, facts)


def _text(text: str) -> str:
    """Write a text in one line so that it is neither Markdown nor HTML."""
    return MARKDOWN.text(" ".join(text.split()))
