"""What the seats give to the dice: sealed first, then shown, and frozen by the first roll.

A seat that does not come in time plays with an empty salt, which harms nobody but itself; one that
sealed and does not show begins the whole anew, once (DICE_TRUST 2.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from app.engine.ruleset import Seat
from app.persistence.queries_ledger import Salt
from app.services.cup import Cup


def waited_for(rows: Iterable[Salt]) -> tuple[Seat, ...]:
    """List the seats whose salts are not known yet."""
    return tuple(row.seat for row in rows if row.salt is None)


def may_show(rows: Iterable[Salt]) -> bool:
    """Say whether salts are shown now: once every seat has sealed, or was waited for."""
    return all(row.seal or row.salt is not None for row in rows)


def settle(cup: Cup) -> bool:
    """Go on with whoever did not come in time; say whether the dice can be thrown.

    The wait begins with the first turn that needs dice.
    """
    if cup.row.frozen:
        return True
    while True:
        late = [row for row in cup.salts if row.salt is None]
        if not late:
            if cup.row.since is not None:
                cup.move(since=None)
            return True
        if not _is_over(cup):
            return False
        unsealed = [row for row in late if not row.seal]
        if unsealed or cup.row.redone or not cup.row.wait_hours:
            go_without(cup, unsealed or late)
        else:
            begin_anew(cup, "unrevealed")
        if cup.row.wait_hours:
            cup.move(since=cup.ledger.now)


def begin_waiting(cup: Cup) -> None:
    """Let the wait for salts begin, if it has not."""
    if cup.row.since is None:
        cup.move(since=cup.ledger.now)


def go_without(cup: Cup, rows: Iterable[Salt], why: str = "limit") -> None:
    """Let seats play with an empty salt, for everybody to see."""
    rows = tuple(rows)
    for row in rows:
        cup.ledger.add("salt", seat=row.seat, salt="", missing=why)
    cup.set_salts(row._replace(seal="", salt="", missing=why) for row in rows)


def begin_anew(cup: Cup, why: str) -> None:
    """Make another chain and forget every seal and salt, in public and once only."""
    cup.redo(why)
    cup.set_salts(Salt(row.seat, "", None, "") for row in cup.salts)
    if cup.row.since is not None:  # nobody has less time because another seat began anew
        cup.move(since=cup.ledger.now)


def _is_over(cup: Cup) -> bool:
    if not cup.row.wait_hours:
        return True
    since = cup.row.since
    return since is not None and cup.ledger.now >= since + timedelta(hours=cup.row.wait_hours)
