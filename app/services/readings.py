"""How a board reads doubtful points, since when, and where a scene began under other readings."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.persistence import queries
from app.persistence.codec import Malformed, encode, load, read_stored, write_json
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_precedents import (
    OptionChange,
    add_option_changes,
    option_changes,
)
from app.services.errors import NotFound
from app.services.games import board_types, game


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """One change of an option: what it was, what it became, when."""

    before: Any
    after: Any
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRead:
    """How a board reads one doubtful point, and our default.

    ``since`` is null where no change was noted: then it has been so from the beginning.
    ``changes`` are all changes in their order.
    """

    option: str
    value: Any
    default: Any
    since: datetime | None
    changes: tuple[Turned, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedOption:
    """An option that a scene took along when it was opened, and the board's by now."""

    option: str
    scene: Any
    board: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedOptions:
    """The edition and the options of a scene; ``differing`` are those that the board has changed.

    ``options`` is null where a scene of another edition can no longer be read.
    """

    edition: str
    options: Any
    differing: tuple[PinnedOption, ...]


def note_changes(
    connection: Connection, before: Mapping[str, Any], after: Mapping[str, Any], at: datetime
) -> None:
    """Write down which options a change of the board has changed."""
    counted: dict[tuple[str, str], int] = {}
    for change in option_changes(connection):
        counted[change.ruleset, change.option] = change.number
    add_option_changes(
        connection,
        [
            OptionChange(
                ruleset=ruleset,
                option=name,
                number=counted.get((ruleset, name), 0) + 1,
                before=write_json(was),
                after=write_json(now),
                at=at,
            )
            for ruleset in after
            for name, was, now in _differing(before[ruleset], after[ruleset])
        ],
    )


def board_options(db: Database, ruleset: str = "guida") -> tuple[OptionRead, ...]:
    """List the options of a game as the board has them; everybody may read them."""
    with db.read() as connection:
        held = _held(connection, ruleset)
        changes = [one for one in option_changes(connection) if one.ruleset == ruleset]
    defaults = encode(board_types(ruleset)["options"]())
    read = []
    for name, value in encode(held).items():
        turned = tuple(
            Turned(before=read_stored(one.before), after=read_stored(one.after), at=one.at)
            for one in changes
            if one.option == name
        )
        read.append(
            OptionRead(
                option=name,
                value=value,
                default=defaults[name],
                since=turned[-1].at if turned else None,
                changes=turned,
            )
        )
    return tuple(read)


def scene_options(db: Database, scene_id: str) -> PinnedOptions:
    """Read what a scene was opened with, and where the board has turned away from it since."""
    with db.read() as connection:
        scene = queries.scene_now(connection, scene_id)
        if scene is None:
            raise NotFound
        ruleset = game(scene.ruleset)
        if "options" not in board_types(ruleset.key):
            return PinnedOptions(edition=scene.edition, options=None, differing=())
        board = _held(connection, ruleset.key)
    try:
        pinned = load(ruleset.setup, scene.setup).options
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return PinnedOptions(edition=scene.edition, options=None, differing=())
    return PinnedOptions(
        edition=scene.edition,
        options=pinned,
        differing=tuple(
            PinnedOption(option=name, scene=mine, board=now)
            for name, mine, now in _differing(pinned, board)
        ),
    )


def _held(connection: Connection, ruleset: str) -> Any:
    """Read the options of the board; what it never set has the default."""
    row = board_now(connection)
    types = board_types(ruleset)
    if row is None or "options" not in types:
        raise NotFound
    stored = load(Mapping[str, object], row.options)
    return load(types["options"], write_json(encode(stored.get(ruleset, {}))))


def _differing(one: Any, other: Any) -> list[tuple[str, Any, Any]]:
    """List the fields in which two values of a type differ, as they are written."""
    mine, yours = encode(one), encode(other)
    return [
        (field.name, mine[field.name], yours[field.name])
        for field in dataclasses.fields(one)
        if mine[field.name] != yours[field.name]
    ]
