"""How a board reads doubtful points, since when, and where a scene began under other readings."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from app import catalogue
from app.persistence import queries
from app.persistence.codec import Malformed, encode, load, read_stored, write_json
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.persistence.queries_precedents import OptionChange, add_option_changes, option_changes
from app.services.errors import NotFound
from app.services.games import OF_THE_BOARD, board_types, game

GUIDA: Final = "guida"
Held = dict[str, Any]  # by option, its value as it is written


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """One change of an option: what it was, what it became, when."""

    before: Any
    after: Any
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way of reading a doubtful point, with what follows from it.

    ``value`` is the option's value for it; ``number``, ``list``, ``table`` and ``none`` stand for
    any of these. ``played`` says that the board reads it so.
    """

    value: str
    text: Mapping[str, str]
    default: bool
    played: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionRead:
    """What a board has chosen of an option, among which readings, and what we would choose.

    ``since`` is null where no change was ever noted; ``changes`` are all of them in their order.
    """

    option: str
    value: Any
    default: Any
    since: datetime | None
    changes: tuple[Turned, ...]
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguity:
    """A doubtful point of the book, the rules it touches, and the options that settle it.

    Without options it is settled alike for every board.
    """

    id: str
    title: Mapping[str, str]
    statement: Mapping[str, str]
    rules: tuple[str, ...]
    options: tuple[OptionRead, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedOption:
    """An option that a scene took along when it was opened, and the board's by now."""

    option: str
    ambiguity: str
    scene: Any
    board: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedOptions:
    """The edition and the options of a scene; ``differing`` are those that the board has changed.

    ``options`` is null where a scene of another edition can no longer be read.
    """

    edition: str
    options: Mapping[str, Any] | None
    differing: tuple[PinnedOption, ...]


def note_changes(
    connection: Connection,
    board: str,
    ruleset: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
    at: datetime,
) -> None:
    """Write down which options of a game a change of the board has changed."""
    counted = {
        change.option: change.number
        for change in option_changes(connection, board)
        if change.ruleset == ruleset
    }
    add_option_changes(
        connection,
        board,
        [
            OptionChange(
                ruleset=ruleset,
                option=name,
                number=counted.get(name, 0) + 1,
                before=write_json(before[name]),
                after=write_json(now),
                at=at,
            )
            for name, now in after.items()
            if before[name] != now
        ],
    )


def ambiguities(db: Database, board: str, ruleset: str = GUIDA) -> tuple[Ambiguity, ...]:
    """List the doubtful points of a book and how a board reads them; everybody may know.

    Raise NotFound for a game that is not played here.
    """
    game(ruleset)
    with db.read() as connection:
        held = _held(connection, board, ruleset)
        changes = [one for one in option_changes(connection, board) if one.ruleset == ruleset]
    defaults = _written(part() for part in board_types(ruleset).values())
    touched: dict[str, list[str]] = {}
    for rule in catalogue.rules().values():
        for id in rule.rulings:
            touched.setdefault(id, []).append(rule.id)
    return tuple(
        Ambiguity(
            id=ruling.id,
            title=ruling.title,
            statement=ruling.statement,
            rules=tuple(touched.get(ruling.id, ())),
            options=tuple(
                _option(ruleset, name, held[name], defaults[name], changes)
                for name in ruling.options
            ),
        )
        for ruling in catalogue.rulings().values()
        if ruling.ruleset == ruleset
    )


def scene_options(db: Database, scene_id: str) -> PinnedOptions:
    """Read what a scene was opened with, and where the board has turned away from it since."""
    with db.read() as connection:
        scene = queries.scene_now(connection, scene_id)
        if scene is None:
            raise NotFound
        ruleset = game(scene.ruleset)
        board = _held(connection, scene.board, ruleset.key)
    try:
        setup = load(ruleset.setup, scene.setup)
    except Malformed:
        if scene.edition == ruleset.edition:
            raise
        return PinnedOptions(edition=scene.edition, options=None, differing=())
    pinned = _written(getattr(setup, name) for name in board_types(ruleset.key))
    settles = {
        name: one.id
        for one in catalogue.rulings().values()
        if one.ruleset == ruleset.key  # games may call options of their own alike
        for name in one.options
    }
    return PinnedOptions(
        edition=scene.edition,
        options=pinned,
        differing=tuple(
            PinnedOption(
                option=name, ambiguity=settles.get(name, ""), scene=mine, board=board[name]
            )
            for name, mine in pinned.items()
            if mine != board[name]
        ),
    )


def keys_of(value: Any, known: Collection[str]) -> frozenset[str]:
    """Tell under which keys the readings of a written value stand, among those there are."""
    match value:
        case bool():
            return frozenset({"true" if value else "false"})
        case None:
            return frozenset({"none"})
        case list() | tuple():
            return frozenset(known).intersection(map(str, value)) or frozenset({"list"})
        case dict():
            return frozenset({"table"})
        case _:
            return frozenset({str(value) if str(value) in known else "number"})


def held_by(options: Mapping[str, Any], regulation: Mapping[str, Any], ruleset: str) -> Held:
    """Write what a board has chosen of one game, options and numbers together."""
    parts = {"options": options, "regulation": regulation}
    return _written(parts[name][ruleset] for name in board_types(ruleset))


def _option(
    ruleset: str, name: str, value: Any, default: Any, changes: list[OptionChange]
) -> OptionRead:
    turned = tuple(
        Turned(before=read_stored(one.before), after=read_stored(one.after), at=one.at)
        for one in changes
        if one.option == name
    )
    known = catalogue.readings(ruleset)[name]
    played, ours = keys_of(value, known), keys_of(default, known)
    return OptionRead(
        option=name,
        value=value,
        default=default,
        since=turned[-1].at if turned else None,
        changes=turned,
        readings=tuple(
            Reading(value=key, text=text, default=key in ours, played=key in played)
            for key, text in known.items()
        ),
    )


def _held(connection: Connection, board: str, ruleset: str) -> Held:
    """Read what a board has chosen; what it never set has the default."""
    row = board_now(connection, board)
    if row is None:
        raise NotFound
    stored = {name: load(Mapping[str, object], getattr(row, name)) for name in OF_THE_BOARD}
    return _written(
        load(wanted, write_json(encode(stored[name].get(ruleset, {}))))
        for name, wanted in board_types(ruleset).items()
    )


def _written(parts: Iterator[Any]) -> Held:
    return {name: value for part in parts for name, value in encode(part).items()}
