"""One order decided on a stage, alone or as one of several in a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from app.engine.findings import Finding, Obstacle, Violation
from app.engine.ruleset import Plan, Said, Veil
from app.persistence.codec import checked
from app.services import beacons, salts
from app.services.book_rule import check_order
from app.services.called import names_in
from app.services.citing import asked_in, check_cited, is_answer
from app.services.entering import hides
from app.services.entry_shapes import (
    Decided,
    Narration,
    Ordered,
)
from app.services.errors import Malformed, Mistake, Refused
from app.services.figures import differs
from app.services.games import signed
from app.services.naming import check_newcomer
from app.services.places import check_places
from app.services.shapes import (
    Provenance,
    Roller,
)
from app.services.stage import Due, Stage
from app.services.throwing import throw


def play(stage: Stage, order: Any, narration: Narration, *, keep: bool = False) -> Decided:
    """Throw an order's dice and resolve it, or declare it where the forum rolls.

    With ``keep`` an answer becomes a precedent of the board. Raises Refused where anything stands
    in the way of the order, the precedent that it cites included.
    """
    state = stage.state()
    ruleset = stage.ruleset
    check_newcomer(ruleset, state, order)
    check_order(stage.connection, stage.scene.board, order)
    if obstacles := ruleset.check(state, order):
        raise Refused(obstacles)
    question = asked_in(ruleset, state, order)
    check_cited(stage.connection, stage.principal, stage.scene.board, ruleset, question, order)
    plan = ruleset.plan(state, order)
    check_places(ruleset.key, narration, plan.asked)
    before = ruleset.veils(state, state, order.by, Said(plan.asked, plan.findings))
    waits = _waits(stage, plan, before)
    if waits:
        stage.add(
            order,
            narration,
            asked=plan.asked,
            rolls=None,
            findings=plan.findings,
            veils=before,
            waits=waits,
            due=_due(stage, state, order, None),
        )
        return stage.wait()
    asked, thrown, resolution = throw(stage, state, order, plan, hidden=hides(before))
    stage.add(
        order,
        narration,
        asked=asked,
        rolls=thrown.rolls,
        provenance=Provenance.SERVICE.value if thrown.rolls else "",
        findings=resolution.findings,
        veils=ruleset.veils(state, resolution.state, order.by, Said(asked, resolution.findings)),
        thrown=thrown if thrown.fields else None,
        due=_due(stage, state, order, resolution.findings),
    )
    return replace(
        stage.move(resolution.state), precedent=stage.keep(state, question, order) if keep else None
    )


def _due(stage: Stage, state: Any, order: Any, findings: tuple[Finding, ...] | None) -> Due | None:
    """Say what the desk shows of a player's order; the Master's own is nobody's to review."""
    if order.by not in stage.principal.seats(stage.scene.id):
        return None
    (who,) = names_in(stage.ruleset, state, (order.by,))
    if findings is None:
        return Due(review="dice", who=who)
    return Due(review="open", who=who, differs=differs(order, findings))


def _waits(stage: Stage, plan: Plan, veils: tuple[Veil, ...]) -> str:
    """Say what the dice of an order wait for, if anything.

    An order of somebody hidden waits like one with dice, so that nobody sees whether it has any.
    """
    hidden = hides(veils)
    if stage.scene.dice == Roller.FORUM:
        if plan.asked:
            return "forum"
        if stage.cup is not None and hidden:
            salts.settle(stage.cup)  # nobody is waited for, but the ledger says so first
        return ""
    if stage.cup is None or not (plan.asked or plan.draws or hidden):
        return ""
    if not salts.settle(stage.cup):
        salts.begin_waiting(stage.cup)
        if not hidden:
            beacons.wait_for_round(stage.cup)
        return "seals"
    return "beacon" if not hidden and beacons.wait_for_round(stage.cup) else ""


def read_series(stage: Stage, series: tuple[Ordered, ...]) -> list[tuple[Any, Narration, bool]]:
    """Read all orders of a series before the first is decided, so that every mistake is said."""
    orders: list[tuple[Any, Narration, bool]] = []
    mistakes: list[Mistake] = []
    for place, one in enumerate(checked(tuple[Ordered, ...], series, "orders")):
        try:
            read = stage.read(one.order, f"orders[{place}].order")
        except Malformed as error:
            mistakes += error.mistakes
            continue
        if not read.by:  # several seats take turns in it: nobody could tell whose it is
            mistakes.append(Mistake(f"orders[{place}].order.by", "missing"))
            continue
        if one.keep and not is_answer(read):
            mistakes.append(Mistake(f"orders[{place}].keep_as_precedent", "only_answers_kept"))
            continue
        orders.append((signed(read, stage.principal, stage.scene), one.narration, one.keep))
    if mistakes:
        raise Malformed(*mistakes)
    return orders


def of_series(mistakes: Iterable[Mistake], place: int) -> Iterator[Mistake]:
    """Let mistakes of one order of a series name where in it that is."""
    for one in mistakes:
        yield replace(one, field=f"orders[{place}].{one.field}")


def in_series(obstacles: Iterable[Obstacle], place: int) -> tuple[Obstacle, ...]:
    """Let what stands in the way of one order of a series name where in it that is."""
    return tuple(
        replace(one, field=".".join(part for part in (f"{place}.order", one.field) if part))
        if isinstance(one, Violation)
        else one
        for one in obstacles
    )
