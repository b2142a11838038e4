"""Answers and precedents: one that is kept, and those that an answer may follow."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from app.engine.findings import Question, Violation
from app.persistence import queries
from app.persistence import queries_precedents as rows
from app.persistence.codec import load, store
from app.persistence.queries_access import board_now
from app.persistence.queries_precedents import PrecedentNow
from app.services.access import Principal, Role
from app.services.casting import as_cast
from app.services.errors import Malformed, Mistake, Refused
from app.services.games import Game
from app.services.log import Corrections
from app.services.precedent_shapes import Circumstance, PrecedentRead
from app.services.scene_found import found
from app.services.sight import eyes_of, veil_over, veils_in

Pairs = tuple[tuple[str, str], ...]


def asked_in(ruleset: Game, state: Any, order: Any) -> Question | None:
    """Find the open question that an order answers, if it answers one."""
    id = getattr(order, "question", None)
    return next((one for one in ruleset.awaits(state).questions if one.id == id), None)


def is_answer(order: Any) -> bool:
    """Say whether an order answers a question; only such a one can be kept."""
    return isinstance(getattr(order, "question", None), str)


def check_kept(order: Any, *, keep: bool) -> None:
    """Raise Malformed where something is to be kept that is no answer."""
    if keep and not is_answer(order):
        raise Malformed(Mistake("keep_as_precedent", "only_answers_kept"))


def check_cited(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    question: Question | None,
    order: Any,
) -> None:
    """Raise unless the precedent that an answer cites holds, for this question and this choice."""
    number = getattr(order, "precedent", None)
    if number is None or question is None:
        return
    found = _citable(connection, principal, board, ruleset, number)
    if found is None:
        raise Malformed(_unknown("order", number))
    facts = {"precedent": name_of(number)}
    if found.code != question.code:
        raise Refused([Violation(question.rule, "precedent_of_other_question", "precedent", facts)])
    if found.choice != order.choice:
        raise Refused([Violation(question.rule, "precedent_decided_otherwise", "choice", facts)])


def filled_in(
    connection: Connection,
    principal: Principal,
    board: str,
    ruleset: Game,
    given: dict[str, Any],
    at: str,
) -> dict[str, Any]:
    """Fill in choice and reason of an answer from the precedent it cites, where it has none."""
    number = given.get("precedent")
    if type(number) is not int or given.get("kind") != "answer":
        return given
    found = _citable(connection, principal, board, ruleset, number)
    if found is None:
        raise Malformed(_unknown(at, number))
    filled = {name: given.get(name) or getattr(found, name) for name in ("choice", "reason")}
    return {**given, **filled}


def keep_answer(
    connection: Connection,
    ruleset: Game,
    question: Question,
    situation: Pairs,
    order: Any,
    *,
    board: str,
    scene_id: str,
    entry: int,
    at: datetime,
    secret_id: str,
) -> int:
    """Keep an answer under the board's next number; the entry it became is there already."""
    board_now(connection, board, lock=True)  # two scenes may be about to take the same number
    number = rows.last_precedent(connection, board) + 1
    rows.add_precedent(
        connection,
        board=board,
        number=number,
        ruleset=ruleset.key,
        code=question.code,
        rule=question.rule,
        situation=store(situation, Pairs),
        choice=order.choice,
        reason=order.reason,
        scene=scene_id,
        entry=entry,
        at=at,
        key_id=secret_id,
    )
    return number


def name_of(number: int) -> str:
    """Name a precedent as it is cited."""
    return f"P{number}"


def seen(
    connection: Connection, principal: Principal, found: Iterable[PrecedentNow]
) -> tuple[PrecedentNow, ...]:
    """Leave out the precedents of answers that a reader may not know of (GC-9.1)."""
    found = tuple(found)
    scenes = {one.scene for one in found}
    restated = {
        (scene, number): one.veils
        for scene, corrections in _corrections(connection, scenes).items()
        for number, one in corrections.restated.items()
    }
    shown: list[PrecedentNow] = []
    for one in found:
        veils = restated.get((one.scene, one.entry), veils_in(one.veils))
        if not veils or veil_over(veils, _eyes(connection, principal, one.scene)) is None:
            shown.append(one)
    return tuple(shown)


def _corrections(connection: Connection, scenes: set[str]) -> dict[str, Corrections]:
    by_scene: dict[str, list[queries.Correction]] = {}
    for scene, row in rows.amendments(connection, scenes):
        by_scene.setdefault(scene, []).append(row)
    return {scene: Corrections.of(found) for scene, found in by_scene.items()}


def _eyes(connection: Connection, principal: Principal, scene_id: str) -> tuple[str, ...]:
    scene = found(queries.scene_now(connection, scene_id))
    return eyes_of(as_cast(principal, scene), scene)


def _citable(
    connection: Connection, principal: Principal, board: str, ruleset: Game, number: int
) -> PrecedentNow | None:
    row = rows.precedent(connection, board, number)
    if row is None or row.ruleset != ruleset.key or not _holds(row):
        return None
    return next(iter(seen(connection, principal, [row])), None)


def _holds(found: PrecedentNow) -> bool:
    return found.retired_at is None and found.voided_by is None


def _unknown(at: str, number: int) -> Mistake:
    return Mistake(f"{at}.precedent", "precedent_unknown", {"precedent": name_of(number)})


def situation_of(pairs: Pairs) -> tuple[Circumstance, ...]:
    """Read what a question is about."""
    return tuple(Circumstance(key=key, value=value) for key, value in pairs)


def precedent_read(row: PrecedentNow) -> PrecedentRead:
    """Read a stored precedent."""
    return PrecedentRead(
        number=row.number,
        name=name_of(row.number),
        ruleset=row.ruleset,
        rule=row.rule,
        code=row.code,
        choice=row.choice,
        reason=row.reason,
        situation=situation_of(load(Pairs, row.situation)),
        scene_id=row.scene,
        scene_title=row.title,
        entry=row.entry,
        at=row.at,
        kept_by=Role(row.role),
        in_force=_holds(row),
        retired_at=row.retired_at,
        retired_reason=row.retired_reason or "",
        taken_back_by=row.voided_by,
    )
