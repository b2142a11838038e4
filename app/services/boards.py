"""Boards: each one forum, or one campaign on it, with the settings that its new scenes copy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.engine.text import Name
from app.persistence import queries_access as queries
from app.persistence.codec import checked, decode, encode, load, write_json
from app.persistence.database import Database
from app.persistence.queries_access import BoardNow
from app.persistence.queries_invitations import revoke_invitations_of_links
from app.persistence.revision import check_revision
from app.persistence.tables import FIRST_BOARD
from app.posts.dialects import DIALECTS
from app.posts.template import Template
from app.rulesets import RULESETS
from app.services import templates
from app.services.access import Principal, Role
from app.services.deeds import ARROW, DeedKind, note_deed, note_options
from app.services.errors import Conflict, Malformed, Mistake, NotFound
from app.services.games import board_types
from app.services.readings import held_by, note_changes
from app.services.secret import new_secret, secret_row
from app.services.shapes import (
    BoardChanges,
    BoardRead,
    Joining,
    Language,
    Openers,
    Roller,
    SealHours,
)
from app.services.world import World

SETTINGS: Final = ("name", "language", "dialect", "dice", "openers", "joining", "seal_hours")
"""What a board says of itself beside options and templates; each change of it is noted."""


def ensure_board(db: Database) -> None:
    """Refuse to go on unless the database is of this version of the code and has its board."""
    check_revision(db)
    read_board(db, FIRST_BOARD)


def owner_link(db: Database, world: World, board: str) -> str:
    """Make a new owner's secret and revoke the ones before; whoever runs the service may do so."""
    secret = new_secret(world.token())
    with db.write() as connection:
        if queries.board_now(connection, board, lock=True) is None:
            raise NotFound
        queries.revoke_secrets(connection, Role.OWNER, board, None, None, world.now())
        revoke_invitations_of_links(connection, board, world.now())
        queries.add_secrets(connection, [secret_row(world, secret, Role.OWNER, board)])
    return secret


def may_open(board: BoardRead, principal: Principal) -> bool:
    """Say whether a board lets somebody open scenes."""
    if board.openers is Openers.ANYONE or principal.is_owner(board.id):
        return True
    return board.openers is Openers.GMS and principal.is_any_gm(board.id)


def check_may_open(board: BoardRead, principal: Principal) -> None:
    """Raise Conflict for a Master of a board that lets only its owner open scenes.

    Raises NotFound for anybody else who may not: to them there is no such thing here.
    """
    if not may_open(board, principal):
        raise Conflict("opening_reserved") if principal.is_any_gm(board.id) else NotFound


def all_boards(db: Database) -> tuple[tuple[str, str], ...]:
    """List every board by name, each as id and name; whoever runs the service may."""
    with db.read() as connection:
        return queries.board_names(connection)


def read_board(db: Database, board: str) -> BoardRead:
    """Read the settings."""
    with db.read() as connection:
        return board_read(queries.board_now(connection, board))


def change_board(
    db: Database, world: World, principal: Principal, board_id: str, changes: BoardChanges
) -> BoardRead:
    """Change settings, as the owner; running scenes keep their own.

    Each option that changes is noted, so that everybody can see since when it holds.
    """
    if not principal.is_owner(board_id):
        raise NotFound
    with db.write() as connection:
        board = board_read(queries.board_now(connection, board_id, lock=True))
        queries.change_board(connection, board_id, _values(board, changes))
        changed = board_read(queries.board_now(connection, board_id))
        for key in RULESETS:
            before, after = (held_by(one.options, one.regulation, key) for one in (board, changed))
            note_changes(connection, board_id, key, before, after, world.now())
            note_options(connection, world, principal, board_id, key, before, after)
        for name in SETTINGS:
            if (new := str(getattr(changed, name))) != (old := str(getattr(board, name))):
                setting = {"about": name, "change": f"{old}{ARROW}{new}"}
                note_deed(connection, world, principal, board_id, DeedKind.SETTING, **setting)
        return changed


def check_dialect(dialect: str, field: str) -> None:
    """Raise Malformed for a dialect that nobody has described."""
    if dialect not in DIALECTS:
        raise Malformed(Mistake(field, "unknown_choice", {"choices": tuple(DIALECTS)}))


def board_read(row: BoardNow | None) -> BoardRead:
    """Read the stored settings; what a board never set has the default of the ruleset."""
    if row is None:
        raise NotFound
    return BoardRead(
        id=row.id,
        name=row.name,
        language=Language(row.language),
        dialect=row.dialect,
        dice=Roller(row.dice),
        openers=Openers(row.openers),
        joining=Joining(row.joining),
        seal_hours=row.seal_hours,
        options=_of_each_game("options", row.options),
        regulation=_of_each_game("regulation", row.regulation),
        template=templates.read(row.template),
        created_at=row.created_at,
    )


def _of_each_game(name: str, text: str) -> dict[str, Any]:
    stored = load(Mapping[str, object], text)
    return {
        key: load(board_types(key)[name], write_json(encode(stored.get(key, {}))))
        for key in RULESETS
        if name in board_types(key)
    }


def _values(board: BoardRead, changes: BoardChanges) -> dict[str, object]:
    """Give the columns to change; everything wrong with the changes is said at once."""
    mistakes: list[Mistake] = []
    values: dict[str, object] = {
        name: str(value)
        for name in ("name", "language", "dialect", "dice", "openers", "joining")
        if (value := getattr(changes, name)) is not None
    }
    if changes.seal_hours is not None:
        values["seal_hours"] = changes.seal_hours
    try:
        if changes.seal_hours is not None:
            checked(SealHours, changes.seal_hours, "seal_hours")
        if changes.dialect is not None:
            check_dialect(changes.dialect, "dialect")
        if changes.name is not None:
            checked(Name, changes.name, "name")
    except Malformed as error:
        mistakes += error.mistakes
    try:
        if changes.dialect in (None, *DIALECTS):
            values |= _template(board, changes)
    except Malformed as error:
        mistakes += error.mistakes
    for name, stored in (("options", board.options), ("regulation", board.regulation)):
        given: Mapping[str, object] | None = getattr(changes, name)
        if given is None:
            continue
        new = dict(stored)
        for key, data in given.items():
            try:
                new[key] = _changed(name, key, stored, data)
            except Malformed as error:
                mistakes += error.mistakes
        values[name] = write_json(encode(new))
    if mistakes:
        raise Malformed(*mistakes)
    return values


def _template(board: BoardRead, changes: BoardChanges) -> dict[str, object]:
    """Try the template that will hold in the format that will; one of the two may be new."""
    if changes.template is None and changes.dialect in (None, board.dialect):
        return {}
    template = board.template
    if changes.template is not None:
        template = checked(Template, changes.template, "template")
    field = "template.text" if changes.template is not None else "dialect"
    language = changes.language or board.language
    templates.check(template, changes.dialect or board.dialect, language, field)
    return {"template": templates.kept(template)}


def _changed(name: str, key: str, stored: Mapping[str, Any], data: object) -> Any:
    """Read what is to change of a game's options or regulation, over what holds now."""
    at = f"{name}.{key}"
    if key not in stored:
        raise Malformed(Mistake(at, "unknown_field"))
    wanted = board_types(key)[name]
    if isinstance(data, wanted):
        return checked(wanted, data, at)
    merged = {**encode(stored[key]), **data} if isinstance(data, dict) else data
    return decode(wanted, merged, at)
