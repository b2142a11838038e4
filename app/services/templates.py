"""Templates of posts: the board's and those of characters, tried before they are kept."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection

from app.engine.ruleset import Seat
from app.persistence import queries_access as queries
from app.persistence.codec import load, store
from app.posts.template import SceneTemplates, Template
from app.posts.templates import check_template
from app.services.copies import copied
from app.services.errors import Malformed, Mistake


def check(template: Template, dialect: str, language: str, field: str = "template.text") -> None:
    """Raise Malformed for a template that does not serve in this format, naming what is wrong."""
    if template.text.strip():
        faults = check_template(template, dialect, language)
        if faults:
            raise Malformed(*(Mistake(field, fault.code, fault.facts) for fault in faults))


def read(stored: str | None) -> Template:
    """Read a stored template; where there is none its text is empty."""
    return Template() if stored is None else load(Template, stored)


def kept(template: Template) -> str | None:
    """Write a template as it is stored: nothing where there is none."""
    return store(template) if template.text.strip() else None


def read_of_scene(stored: str | None) -> SceneTemplates:
    """Read the templates of a scene; one from before there were any has none."""
    return SceneTemplates() if stored is None else load(SceneTemplates, stored)


def of_scene(connection: Connection, board: Template, setup: object) -> str | None:
    """Gather what a new scene takes along: the board's template, and those of stored sheets."""
    seats: dict[Seat, Template] = {}
    for seat, sheet_id in _sheets_by_seat(setup):
        sheet = queries.sheet_now(connection, sheet_id)
        own = read(None if sheet is None else sheet.template)
        if own.text:
            seats[seat] = own
    if not board.text and not seats:
        return None
    return store(SceneTemplates(board=board, seats=seats))


def _sheets_by_seat(setup: Any) -> list[tuple[Seat, str]]:
    """Tell which entrants come from stored sheets; each copy of one posts as that one."""
    entrants = setup.get("entrants") if isinstance(setup, dict) else None
    if not isinstance(entrants, list):
        return []
    made = copied({"entrants": entrants}).setup["entrants"]
    return [
        (one["id"], one["sheet"])
        for one in made
        if isinstance(one, dict)
        and isinstance(one.get("id"), str)
        and isinstance(one.get("sheet"), str)
    ]
