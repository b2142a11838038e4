"""What becomes of a scene when something before is changed: whose numbers, and which turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.engine.ruleset import GM
from app.persistence import queries
from app.persistence.codec import encode
from app.services.desk_shapes import NumberChange
from app.services.games import Game
from app.services.log import Course
from app.services.stage import Stage


def changed_by(stage: Stage, was: Course, now: Course) -> tuple[int, ...]:
    """List the entries that come to something else: what is told, or their author's numbers."""
    log = queries.entry_heads(stage.connection, stage.scene.id)
    seats = {head.number: head.seat for head in log}
    return tuple(
        number
        for number, findings in now.findings.items()
        if number in was.states
        and (
            was.findings[number] != findings
            or _own(stage.ruleset, was.states[number], seats[number])
            != _own(stage.ruleset, now.states[number], seats[number])
        )
    )


def _own(ruleset: Game, state: Any, seat: str) -> Mapping[str, str]:
    return seat_numbers(ruleset, state).get(seat, ("", {}))[1]


def number_changes(ruleset: Game, was: Any, now: Any) -> Iterator[NumberChange]:
    """List the values of every seat that differ between two states, as the Master sees them."""
    before, after = seat_numbers(ruleset, was), seat_numbers(ruleset, now)
    for seat in dict.fromkeys((*before, *after)):
        who, old = before.get(seat, (after[seat][0] if seat in after else "", {}))
        _, new = after.get(seat, ("", {}))
        for path in dict.fromkeys((*old, *new)):
            if old.get(path) != new.get(path):
                yield NumberChange(
                    seat=seat,
                    who=who,
                    path=path,
                    before=old.get(path, ""),
                    after=new.get(path, ""),
                )


def seat_numbers(ruleset: Game, state: Any) -> dict[str, tuple[str, dict[str, str]]]:
    """Read off the Master's view what each seat has: a name, and every value by its path."""
    found: dict[str, tuple[str, dict[str, str]]] = {}
    view = encode(ruleset.view(state, GM))
    for listed in view.values() if isinstance(view, dict) else ():
        for one in listed if isinstance(listed, list) else ():
            if isinstance(one, dict) and {"id", "name"} <= one.keys():
                found.setdefault(str(one["id"]), (str(one["name"]), dict(_leaves(one, ""))))
    return found


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    """Go through the plain values of a tree; of a list of records it tells how many there are.

    What became of a register line or an effect is told by the findings, and better.
    """
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _leaves(part, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        records = any(isinstance(part, dict | list) for part in value)
        yield path, str(len(value)) if records else ", ".join(map(str, value))
    elif value is not None:
        yield path, str(value)
