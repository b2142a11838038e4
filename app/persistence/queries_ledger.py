"""Every statement about the ledger of a scene and its dice, by name; none of them decides."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, and_, bindparam, delete, func, insert, select, update
from sqlmodel import col

from app.persistence.queries import is_id
from app.persistence.tables import EntryRow, SceneRow
from app.persistence.tables_ledger import LedgerRow, SaltRow, SceneDiceRow, SealedLineRow


class LedgerLine(NamedTuple):
    """A line of a ledger, and the head after it."""

    number: int
    entry: int | None
    line: bytes
    head: str


class SceneDice(NamedTuple):
    """Where the dice of a scene stand."""

    key_name: str
    key_print: str
    noise: bytes
    secret_noise: bytes
    anchor: str
    links: int
    wait_hours: int
    beacon: str | None
    rolls: int
    hidden: int
    committed: int
    checks: int
    frozen: bool
    redone: bool
    since: datetime | None
    beacon_round: int | None


class Salt(NamedTuple):
    """A seat's part in the dice of a scene."""

    seat: str
    seal: str
    salt: str | None
    missing: str


class Standing(NamedTuple):
    """Where a scene's ledger ends and its dice stand; no ``dice`` where none can be checked."""

    last: LedgerLine | None
    dice: SceneDice | None
    salts: tuple[Salt, ...]


class SealedLine(NamedTuple):
    """What a line commits to."""

    line: int
    kind: str
    seat: str
    nonce: str
    payload: str
    secret: str | None
    opened: int | None


def _columns(table: type[Any], shape: type[Any]) -> list[Any]:
    return [col(getattr(table, name)) for name in shape._fields]


_LINES: Final[Select[Any]] = (
    select(*_columns(LedgerRow, LedgerLine))
    .where(col(LedgerRow.scene) == bindparam("scene"))
    .order_by(col(LedgerRow.number))
)
_LAST: Final[Select[Any]] = (
    select(*_columns(LedgerRow, LedgerLine))
    .where(col(LedgerRow.scene) == bindparam("scene"))
    .order_by(col(LedgerRow.number).desc())
    .limit(1)
)
_SALTS: Final[Select[Any]] = (
    select(*_columns(SaltRow, Salt))
    .where(col(SaltRow.scene) == bindparam("scene"))
    .order_by(col(SaltRow.seat))
)
_STANDING: Final[Select[Any]] = (
    select(
        *_columns(LedgerRow, LedgerLine),
        *_columns(SceneDiceRow, SceneDice),
        *_columns(SaltRow, Salt),
    )
    .select_from(SceneRow)
    .outerjoin(SceneDiceRow, col(SceneDiceRow.scene) == col(SceneRow.id))
    .outerjoin(SaltRow, col(SaltRow.scene) == col(SceneRow.id))
    .outerjoin(
        LedgerRow,
        and_(
            col(LedgerRow.scene) == col(SceneRow.id),
            col(LedgerRow.number)
            == select(func.max(LedgerRow.number))
            .where(col(LedgerRow.scene) == bindparam("scene"))
            .scalar_subquery(),
        ),
    )
    .where(col(SceneRow.id) == bindparam("scene"))
    .order_by(col(SaltRow.seat))
)
_SEALED: Final[Select[Any]] = (
    select(*_columns(SealedLineRow, SealedLine))
    .where(col(SealedLineRow.scene) == bindparam("scene"))
    .order_by(col(SealedLineRow.line))
)


def ledger(connection: Connection, scene: str) -> tuple[LedgerLine, ...]:
    """List the lines of a scene's ledger, from the first on."""
    if not is_id(scene):
        return ()
    return tuple(LedgerLine._make(row) for row in connection.execute(_LINES, {"scene": scene}))


def last_line(connection: Connection, scene: str) -> LedgerLine | None:
    """Read the newest line of a scene's ledger."""
    row = connection.execute(_LAST, {"scene": scene}).first()
    return None if row is None else LedgerLine._make(row)


def standing(connection: Connection, scene: str) -> Standing:
    """Read at once the end of a scene's ledger, its dice and what the seats gave to them."""
    rows = connection.execute(_STANDING, {"scene": scene}).all()
    ends, dice = len(LedgerLine._fields), len(LedgerLine._fields) + len(SceneDice._fields)
    first = rows[0]
    return Standing(
        None if first[0] is None else LedgerLine._make(first[:ends]),
        None if first[ends] is None else SceneDice._make(first[ends:dice]),
        tuple(Salt._make(row[dice:]) for row in rows if row[dice] is not None),
    )


def lines_about(
    connection: Connection, scene: str, entries: Iterable[int]
) -> tuple[LedgerLine, ...]:
    """List the lines that are about some entries."""
    wanted = _LINES.where(col(LedgerRow.entry).in_(tuple(entries)))
    return tuple(LedgerLine._make(row) for row in connection.execute(wanted, {"scene": scene}))


def has_head(connection: Connection, scene: str, head: str) -> bool:
    """Say whether a ledger ever had a head."""
    wanted = (
        select(func.count())
        .select_from(LedgerRow)
        .where(col(LedgerRow.scene) == scene, col(LedgerRow.head) == head)
    )
    return bool(connection.execute(wanted).scalar())


def add_line(connection: Connection, **values: object) -> None:
    """Add a line to a ledger."""
    connection.execute(insert(LedgerRow), [values])


def add_dice(connection: Connection, scene: str, dice: SceneDice) -> None:
    """Insert where the dice of a new scene stand."""
    connection.execute(insert(SceneDiceRow), [{"scene": scene, **dice._asdict()}])


def move_dice(connection: Connection, scene: str, **values: object) -> None:
    """Note where the dice of a scene have come to."""
    connection.execute(update(SceneDiceRow).where(col(SceneDiceRow.scene) == scene).values(values))


def salts(connection: Connection, scene: str) -> tuple[Salt, ...]:
    """List what the seats of a scene have given to its dice, by seat."""
    return tuple(Salt._make(row) for row in connection.execute(_SALTS, {"scene": scene}))


def set_salts(connection: Connection, scene: str, rows: Iterable[Salt]) -> None:
    """Put what seats have given in the place of what they gave before."""
    rows = tuple(rows)
    if not rows:
        return
    seats = tuple(row.seat for row in rows)
    connection.execute(
        delete(SaltRow).where(col(SaltRow.scene) == scene, col(SaltRow.seat).in_(seats))
    )
    connection.execute(insert(SaltRow), [{"scene": scene, **row._asdict()} for row in rows])


def sealed(connection: Connection, scene: str, *, closed: bool = False) -> tuple[SealedLine, ...]:
    """List what lines of a ledger commit to; with ``closed`` only what is not told yet."""
    wanted = _SEALED.where(col(SealedLineRow.opened).is_(None)) if closed else _SEALED
    return tuple(SealedLine._make(row) for row in connection.execute(wanted, {"scene": scene}))


def sealed_in_vain(connection: Connection, scene: str) -> tuple[SealedLine, ...]:
    """List what lines have sealed, and not told, of entries of which nothing is withheld."""
    entry = col(LedgerRow.entry)
    wanted = (
        _SEALED.join(
            LedgerRow,
            and_(
                col(LedgerRow.scene) == col(SealedLineRow.scene),
                col(LedgerRow.number) == col(SealedLineRow.line),
            ),
        )
        .join(
            EntryRow,
            and_(col(EntryRow.scene) == col(LedgerRow.scene), col(EntryRow.number) == entry),
        )
        .where(col(SealedLineRow.opened).is_(None), col(EntryRow.veils).is_(None))
    )
    return tuple(SealedLine._make(row) for row in connection.execute(wanted, {"scene": scene}))


def add_sealed(connection: Connection, scene: str, line: SealedLine) -> None:
    """Keep what a line commits to."""
    connection.execute(insert(SealedLineRow), [{"scene": scene, **line._asdict()}])


def mark_opened(connection: Connection, scene: str, line: int, opened: int) -> None:
    """Note in which line was told what another had sealed."""
    connection.execute(
        update(SealedLineRow)
        .where(col(SealedLineRow.scene) == scene, col(SealedLineRow.line) == line)
        .values(opened=opened)
    )


def scenes_that_wait(connection: Connection) -> tuple[str, ...]:
    """List the scenes in which a turn waits for salts, or for a beacon."""
    wanted = (
        select(col(SceneRow.id))
        .join(SceneDiceRow, col(SceneDiceRow.scene) == col(SceneRow.id))
        .where(col(SceneRow.waiting).is_not(None), col(SceneRow.dice) == "service")
    )
    return tuple(connection.execute(wanted).scalars())
