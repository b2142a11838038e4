"""BBCode as the large forum families take it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.posts.dialects.inert import entities, narrow, told, typed
from app.posts.dialects.markup import Markup
from app.posts.dialects.tables import bbcode_table, bold_head


def _bold(text: str) -> str:
    return f"[b]{text}[/b]"


def _after(first: Callable[[str], str], then: Callable[[str], str]) -> Callable[[str], str]:
    return lambda text: then(first(text))


def _link(text: str, target: str) -> str:
    return f"[url={entities(target)}]{text}[/url]"


BBCODE: Final = Markup(
    text=told,
    prose=typed,
    bold=_bold,
    italic=lambda text: f"[i]{text}[/i]",
    heading=_bold,
    link=_link,
    struck=lambda text: f"[s]{text}[/s]",
)
# phpBB shows an entity as it was typed, so what its old tables cannot hold becomes a box.
NARROW: Final = replace(BBCODE, text=_after(narrow, told), prose=_after(narrow, typed))
# MyBB, SMF and vBulletin keep numeric entities and show the character.
ENTITIES: Final = replace(BBCODE, text=_after(told, entities), prose=_after(typed, entities))
# SMF and vBulletin have tables, too, without a tag of their own for heads.
TABLES: Final = replace(ENTITIES, table=lambda rows: bbcode_table(rows, bold_head))
