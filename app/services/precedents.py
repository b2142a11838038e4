"""Precedents of the board: listed and searched by everybody, suggested to Masters, retired."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from app.catalogue import LANGUAGES
from app.engine.text import Reason
from app.persistence import queries
from app.persistence import queries_precedents as rows
from app.persistence.codec import checked, load
from app.persistence.database import Database
from app.persistence.queries_access import board_now
from app.posts.phrases import say
from app.services.access import Principal, ScenePlace
from app.services.answers import call, remember, remembered
from app.services.citing import precedent_read, seen, situation_of
from app.services.errors import Conflict, NotFound
from app.services.games import game
from app.services.lookup import fold
from app.services.precedent_shapes import (
    Circumstance,
    Difference,
    PrecedentRead,
    Retired,
    Suggested,
    Suggestion,
)
from app.services.scene_found import found
from app.services.world import World

MOST_SUGGESTED: Final = 5
MOST_LISTED: Final = 100


def list_precedents(
    db: Database,
    principal: Principal,
    board: str,
    *,
    query: str = "",
    code: str | None = None,
    in_force: bool | None = None,
    before: int | None = None,
    limit: int = MOST_LISTED,
) -> tuple[PrecedentRead, ...]:
    """List the precedents that hold every word of a search, newest first.

    ``before`` is the number of the last one of the page before.
    """
    with db.read() as connection:
        if board_now(connection, board) is None:
            raise NotFound
        stored = seen(connection, principal, rows.precedents(connection, board))
    words = fold(query).split()
    kept = (
        one
        for one in map(precedent_read, stored)
        if (code is None or one.code == code)
        and (in_force is None or one.in_force is in_force)
        and (before is None or one.number < before)
        and _holds_words(one, words)
    )
    page = max(1, min(limit, MOST_LISTED))
    return tuple(one for _, one in zip(range(page), kept, strict=False))


def read_precedent(db: Database, principal: Principal, board: str, number: int) -> PrecedentRead:
    """Read one precedent, in force or not."""
    with db.read() as connection:
        row = rows.precedent(connection, board, number)
        shown = () if row is None else seen(connection, principal, [row])
    if not shown:
        raise NotFound
    return precedent_read(shown[0])


def retire_precedent(
    db: Database,
    world: World,
    principal: Principal,
    board: str,
    number: int,
    reason: str,
    key: str,
) -> Retired:
    """Let a precedent no longer hold, as the owner or as the Master of its scene.

    It stays readable, with the reason; its number is not given again.
    """
    why: str = checked(Reason, reason, "reason")
    with db.write() as connection:
        board_now(connection, board, lock=True)
        row = rows.precedent(connection, board, number)
        place = None if row is None else ScenePlace(row.scene, board)
        if place is None or not principal.is_gm(place):
            raise NotFound
        secret = principal.secret_for(place)
        if secret is None:
            raise NotFound
        this = call(secret, key, "retire_precedent", board, number, why)
        done = remembered(connection, this) is not None
        if not done:
            now = world.now()
            if not rows.retire_precedent(connection, board, number, at=now, reason=why, by=secret):
                raise Conflict("already_retired")
            remember(connection, this, number, now)
            row = rows.precedent(connection, board, number)
        assert row is not None  # it was there, and the board is locked
        return Retired(precedent=precedent_read(row), replayed=done)


def suggest(db: Database, principal: Principal, scene_id: str) -> tuple[Suggested, ...]:
    """Suggest to the Master, for each open question, the precedents of its kind, likest first."""
    with db.read() as connection:
        scene = found(queries.scene_now(connection, scene_id))
        if not principal.is_gm(scene):
            raise NotFound
        ruleset = game(scene.ruleset)
        if scene.edition != ruleset.edition:
            return ()
        state = load(ruleset.state, scene.state)
        questions = ruleset.awaits(state).questions
        codes = {one.code for one in questions}
        stored = rows.precedents_of(connection, scene.board, scene.ruleset, codes) if codes else ()
        kept = [precedent_read(one) for one in seen(connection, principal, stored)]
    suggested = []
    for question in questions:
        here = situation_of(ruleset.situation(state, question))
        fitting = [one for one in kept if one.in_force and one.code == question.code]
        # The newest first among equals: sorting keeps the order of the list.
        fitting.sort(key=lambda one: -likeness(here, one.situation))
        suggested.append(
            Suggested(
                question=question.id,
                code=question.code,
                situation=here,
                suggestions=tuple(_suggestion(here, one) for one in fitting[:MOST_SUGGESTED]),
            )
        )
    return tuple(suggested)


def likeness(here: Iterable[Circumstance], there: Iterable[Circumstance]) -> Fraction:
    """Say how alike two situations are, from 0 to 1.

    Each circumstance counts alike; two numbers are as alike as the smaller is a part of the larger.
    """
    one, other = ({fact.key: fact.value for fact in facts} for facts in (here, there))
    keys = one.keys() | other.keys()
    if not keys:
        return Fraction(1)
    points = (_alike(one[key], other[key]) for key in keys if key in one and key in other)
    return sum(points, Fraction(0)) / len(keys)


def _alike(here: str, there: str) -> Fraction:
    if here == there:
        return Fraction(1)
    try:
        small, large = sorted((Fraction(here), Fraction(there)), key=abs)
    except (ValueError, ZeroDivisionError):
        return Fraction(0)
    return max(Fraction(0), small / large)


def _suggestion(here: tuple[Circumstance, ...], precedent: PrecedentRead) -> Suggestion:
    one = {fact.key: fact.value for fact in here}
    other = {fact.key: fact.value for fact in precedent.situation}
    keys = tuple(dict.fromkeys((*one, *other)))
    return Suggestion(
        precedent=precedent,
        alike=tuple(fact for fact in here if other.get(fact.key) == fact.value),
        different=tuple(
            Difference(key=key, here=one.get(key, ""), there=other.get(key, ""))
            for key in keys
            if one.get(key) != other.get(key)
        ),
    )


def _holds_words(one: PrecedentRead, words: list[str]) -> bool:
    """Say whether each word begins a word of what is told about a precedent, in any language."""
    texts = [one.name, one.rule, one.reason, one.scene_title, one.retired_reason]
    for language in LANGUAGES:
        texts.append(say(language, one.ruleset, "question_kinds", one.code))
        texts.append(say(language, one.ruleset, "choices", one.choice))
        texts += [
            say(language, one.ruleset, "situations", fact.key, {"value": fact.value})
            for fact in one.situation
        ]
    told = fold(" ".join(texts))
    return all(f" {word}" in told for word in words)
