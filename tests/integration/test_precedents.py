"""Precedents of the board: kept with an answer, suggested by likeness, cited, retired."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import update

from app.engine.findings import Question
from app.persistence.codec import store
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD, SceneRow
from app.rulesets.guida.places import Distance, Unseen
from app.rulesets.guida.rulings import Answer, Manual, Place
from app.rulesets.guida.terms import Change, Claim
from app.services import amending, precedents, scenes, turns
from app.services.access import ANONYMOUS, Principal, Role
from app.services.entry_shapes import Decided, Ordered, Series
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Refused
from app.services.precedent_shapes import Circumstance
from app.services.precedents import likeness
from tests.support.fights import attack, duel
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

WHY = "Lo aveva visto arrivare."


def surprise(table: Table, tool: str = "claws") -> str:
    """Let the Hollow claim surprise; give the id of the question."""
    table.decide("hollow", attack(tool=tool, claims=(Claim.SURPRISE,)))
    (question,) = table.state().questions
    return str(question.id)


def answer(question: str, choice: str = "deny", **more: Any) -> Answer:
    """Answer a question as the Master."""
    return Answer(**{"by": "gm", "question": question, "choice": choice, "reason": WHY, **more})


def kept(table: Table, tool: str = "claws", choice: str = "deny") -> Decided:
    """Play an attack, answer and keep the answer."""
    return keep(table, answer(surprise(table, tool), choice))


def keep(table: Table, order: Any, **more: Any) -> Decided:
    """Submit an order of the Master, to be kept."""
    submission = table.submission(order, **more)
    return turns.decide(table.db, table.world, table.gm, table.id, replace(submission, keep=True))


def other(table: Table, metres: int = 5) -> Table:
    """Open another scene of the board."""
    return set_table(
        table.db, table.world, setup=duel(metres=metres), title="Altra", owner=table.owner
    )


def retire(table: Table, number: int, who: Principal | None = None, key: str = "") -> Any:
    """Retire a precedent."""
    return precedents.retire_precedent(
        table.db,
        table.world,
        who or table.gm,
        FIRST_BOARD,
        number,
        "Ci siamo ripensati.",
        key or table.key(),
    )


# ------------------------------------------------------------------------------------- keeping


def test_an_answer_is_kept_with_its_question_its_situation_and_its_place(table: Table) -> None:
    done = kept(table)
    assert done.precedent == 1
    (one,) = precedents.list_precedents(table.db, ANONYMOUS, FIRST_BOARD)
    assert (one.name, one.code, one.rule) == ("P1", "claim_surprise", "GC-4.29")
    assert (one.choice, one.reason) == ("deny", WHY)
    assert (one.scene_id, one.scene_title, one.entry) == (table.id, "Duello", done.number)
    assert (one.kept_by, one.in_force, one.taken_back_by) == (Role.GM, True, None)
    assert Circumstance(key="metres", value="5") in one.situation
    assert one == precedents.read_precedent(table.db, ANONYMOUS, FIRST_BOARD, 1)


def test_without_the_tick_nothing_is_kept(table: Table) -> None:
    done = table.decide("gm", answer(surprise(table)))
    assert done.precedent is None
    assert precedents.list_precedents(table.db, ANONYMOUS, FIRST_BOARD) == ()


def test_only_an_answer_can_be_kept(table: Table) -> None:
    with pytest.raises(Malformed) as caught:
        keep(table, attack(by="hollow"))
    assert [one.code for one in caught.value.mistakes] == ["only_answers_kept"]
    assert table.state().posts == 0


def test_a_refused_answer_keeps_nothing(table: Table) -> None:
    question = surprise(table)
    with pytest.raises(Refused):
        keep(table, answer(question, "perhaps"))
    assert precedents.list_precedents(table.db, ANONYMOUS, FIRST_BOARD) == ()


def test_the_same_call_keeps_once_and_another_one_is_refused(table: Table) -> None:
    question = surprise(table)
    version = table.version
    first = keep(table, answer(question), key="once-only", version=version)
    again = keep(table, answer(question), key="once-only", version=version)
    assert (again, again.replayed) == (first, True)
    with pytest.raises(KeyReused):
        table.decide("gm", answer(question), key="once-only", version=version)
    assert len(precedents.list_precedents(table.db, ANONYMOUS, FIRST_BOARD)) == 1


def test_an_answer_in_a_series_can_be_kept(table: Table) -> None:
    question = surprise(table)
    series = Series(
        orders=(Ordered(order=answer(question), keep=True),),
        version=table.version,
        key=table.key(),
    )
    done = turns.decide_several(table.db, table.world, table.gm, table.id, series)
    assert [one.precedent for one in done.entries] == [1]
    bad = Series(
        orders=(Ordered(order=attack(by="hollow"), keep=True),),
        version=table.version,
        key=table.key(),
    )
    with pytest.raises(Malformed) as caught:
        turns.decide_several(table.db, table.world, table.gm, table.id, bad)
    assert [one.field for one in caught.value.mistakes] == ["orders[0].keep_as_precedent"]


# ------------------------------------------------------------------------- citing and suggesting


def test_a_like_question_is_answered_by_the_number_alone(table: Table) -> None:
    kept(table)
    later = other(table)
    question = surprise(later)
    given = {"kind": "answer", "by": "gm", "question": question, "precedent": 1}
    done = later.decide("gm", given)
    entry = scenes.read_entry(later.db, ANONYMOUS, later.id, done.number)
    assert (entry.order.choice, entry.reason) == ("deny", WHY)
    assert [one.key for one in entry.findings] == ["answered_claim_surprise", "by_precedent"]
    assert entry.findings[1].facts["precedent"] == "P1"


def test_a_reason_of_ones_own_stays_beside_the_number(table: Table) -> None:
    kept(table)
    later = other(table)
    given = {"kind": "answer", "by": "gm", "question": surprise(later), "precedent": 1}
    done = later.decide("gm", {**given, "reason": "Anche qui."})
    assert scenes.read_entry(later.db, ANONYMOUS, later.id, done.number).reason == "Anche qui."


def test_a_precedent_that_decided_otherwise_or_something_else_is_not_cited(table: Table) -> None:
    kept(table)
    later = other(table)
    question = surprise(later)
    with pytest.raises(Refused) as caught:
        later.decide("gm", answer(question, "confirm", precedent=1))
    assert [one.code for one in caught.value.obstacles] == ["precedent_decided_otherwise"]
    later.decide("gm", answer(question))
    third = other(table)
    third.decide("hollow", attack(claims=(Claim.FROM_BEHIND,)))
    (asked,) = third.state().questions
    with pytest.raises(Refused) as caught:
        third.decide("gm", answer(asked.id, precedent=1))
    assert [one.code for one in caught.value.obstacles] == ["precedent_of_other_question"]


@pytest.mark.parametrize("as_data", [True, False])
def test_what_is_not_there_or_no_longer_holds_is_not_cited(table: Table, as_data: bool) -> None:
    kept(table)
    retire(table, 1)
    later = other(table)
    question = surprise(later)
    for number in (1, 7):
        order: Any = answer(question, precedent=number)
        if as_data:
            order = {"kind": "answer", "by": "gm", "question": question, "precedent": number}
        with pytest.raises(Malformed) as caught:
            later.decide("gm", order)
        assert [(one.field, one.code) for one in caught.value.mistakes] == [
            ("order.precedent", "precedent_unknown")
        ]


def test_the_most_alike_comes_first_with_why(table: Table) -> None:
    kept(other(table, metres=50), tool="flame")
    kept(other(table, metres=10))
    kept(other(table, metres=9), tool="flame")
    surprise(table)
    (asked,) = precedents.suggest(table.db, table.gm, table.id)
    assert asked.code == "claim_surprise"
    assert [one.precedent.name for one in asked.suggestions] == ["P2", "P3", "P1"]
    best = asked.suggestions[0]
    assert [(one.key, one.here, one.there) for one in best.different] == [("metres", "5", "10")]
    assert {one.key for one in best.alike} >= {"attack_kind", "attack_form", "category"}


def test_nothing_is_suggested_of_another_kind_or_once_retired(table: Table) -> None:
    kept(other(table))
    kept(other(table))
    retire(table, 2, table.owner)
    surprise(table)
    (asked,) = precedents.suggest(table.db, table.gm, table.id)
    assert [one.precedent.number for one in asked.suggestions] == [1]
    behind = other(table)
    behind.decide("hollow", attack(claims=(Claim.FROM_BEHIND,)))
    (asked,) = precedents.suggest(table.db, behind.gm, behind.id)
    assert asked.suggestions == ()


def test_only_the_master_is_given_suggestions(table: Table) -> None:
    surprise(table)
    for who in (ANONYMOUS, table.players["hollow"], other(table).gm):
        with pytest.raises(NotFound):
            precedents.suggest(table.db, who, table.id)


def test_likeness_counts_shared_circumstances_and_how_near_numbers_are() -> None:
    here = (Circumstance(key="metres", value="5"), Circumstance(key="aim", value="body"))
    assert likeness(here, here) == 1
    near = (Circumstance(key="metres", value="10"), Circumstance(key="aim", value="body"))
    far = (Circumstance(key="metres", value="50"), Circumstance(key="aim", value="body"))
    head = (Circumstance(key="metres", value="5"), Circumstance(key="aim", value="head"))
    assert likeness(here, near) > likeness(here, far) > likeness(here, head) > likeness(here, ())
    assert likeness(here, near) == likeness(near, here)
    assert likeness((), ()) == 1


# ------------------------------------------------------------------ searching, retiring, secrets


def test_precedents_are_found_by_words_in_either_language(table: Table) -> None:
    kept(table)
    kept(other(table), choice="confirm")

    def found(query: str, **more: Any) -> list[int]:
        listed = precedents.list_precedents(table.db, ANONYMOUS, FIRST_BOARD, query=query, **more)
        return [one.number for one in listed]

    assert found("") == [2, 1]
    assert found("sorpr") == found("surprise") == found("visto arrivare") == [2, 1]
    assert found("P1") == found("duello") == [1]
    assert found("GC-4.29 altra") == [2]
    assert found("alle spalle") == []
    assert found("", code="hides") == []
    assert found("", limit=1) == [2]
    assert found("", before=2) == [1]
    retire(table, 1)
    assert found("", in_force=True) == [2]
    assert found("ripensati", in_force=False) == [1]


def test_a_retired_one_stays_readable_and_its_number_is_not_given_again(table: Table) -> None:
    kept(table)
    gone = retire(table, 1).precedent
    assert (gone.in_force, gone.retired_reason) == (False, "Ci siamo ripensati.")
    assert gone.retired_at is not None
    assert precedents.read_precedent(table.db, ANONYMOUS, FIRST_BOARD, 1) == gone
    assert kept(other(table)).precedent == 2


def test_retiring_twice_is_a_conflict_but_the_same_call_is_not(table: Table) -> None:
    kept(table)
    first = retire(table, 1, key="retire-it")
    again = retire(table, 1, key="retire-it")
    assert (again, again.replayed) == (first, True)
    with pytest.raises(Conflict, match="already_retired"):
        retire(table, 1)


def test_only_its_master_and_the_owner_retire_a_precedent(table: Table) -> None:
    kept(table)
    for who in (ANONYMOUS, table.players["hollow"], other(table).gm):
        with pytest.raises(NotFound):
            retire(table, 1, who)
    assert not retire(table, 1, table.owner).precedent.in_force
    with pytest.raises(NotFound):
        retire(table, 9, table.owner)


def test_an_answer_that_is_taken_back_is_no_precedent_any_more(table: Table) -> None:
    kept(table)
    undone = table.void()
    one = precedents.read_precedent(table.db, ANONYMOUS, FIRST_BOARD, 1)
    assert (one.in_force, one.taken_back_by) == (False, undone.number)
    (asked,) = precedents.suggest(table.db, table.gm, table.id)
    assert asked.suggestions == ()
    (question,) = table.state().questions
    with pytest.raises(Malformed):
        table.decide("gm", answer(question.id, precedent=1))
    assert keep(table, answer(question.id)).precedent == 2


def test_a_precedent_of_what_a_reader_may_not_know_is_not_there_for_them(table: Table) -> None:
    hide = Place(
        by="gm",
        reason="Si nasconde.",
        distances=(Distance(a="hollow", b="quincy", metres=5),),
        hidden=(Unseen(who="hollow", observer="quincy"),),
    )
    table.decide("gm", hide)
    asked = Question(
        id="q-secret",
        rule="GC-14.21",
        code="bound_techniques",
        choices=("none", "all", "each"),
        about="hollow",
        by="hollow",
        details=(("bearer", "Hollow"), ("name", "Rete"), ("binds", "leg_block")),
    )
    state = replace(table.state(), questions=(asked,))
    with table.db.write() as connection:
        connection.execute(update(SceneRow).values(state=store(state)))
    done = keep(table, answer("q-secret", "all"))
    assert done.precedent == 1
    seen_by = {
        name: [one.number for one in precedents.list_precedents(table.db, who, FIRST_BOARD)]
        for name, who in (
            ("gm", table.gm),
            ("owner", table.owner),
            ("hollow", table.players["hollow"]),
            ("quincy", table.players["quincy"]),
            ("stranger", other(table).gm),
        )
    }
    assert seen_by == {"gm": [1], "owner": [1], "hollow": [1], "quincy": [], "stranger": []}
    with pytest.raises(NotFound):
        precedents.read_precedent(table.db, table.players["quincy"], FIRST_BOARD, 1)


def test_two_scenes_that_keep_at_once_get_two_numbers(db: Database, world: FixedWorld) -> None:
    first = set_table(db, world)
    second = other(first)
    numbers = [kept(first).precedent, kept(second).precedent]
    assert numbers == [1, 2]


# ---------------------------------------------------------------------------------- amendments


def test_an_answer_put_in_front_of_a_turn_may_follow_and_be_kept(table: Table) -> None:
    line = Manual(combatant="hollow", change=Change.EP, amount=-5, reason="Uno sforzo.")
    for at in (other(table), table):
        at.decide("hollow", line)
    kept_by_number = keep(table, answer(table.state().questions[0].id))
    assert kept_by_number.precedent == 1
    later = other(table)
    later.decide("hollow", line)
    (question,) = later.state().questions
    turn = later.decide("hollow", attack())
    with pytest.raises(Refused) as caught:
        later.amend(turn.number, answer(question.id, "confirm", precedent=1))
    assert [one.code for one in caught.value.obstacles] == ["precedent_decided_otherwise"]
    submission = replace(later.submission(answer(question.id, precedent=1)), keep=True)
    done = amending.amend(later.db, later.world, later.gm, later.id, turn.number, submission)
    assert done.precedent == 2
    one = precedents.read_precedent(later.db, ANONYMOUS, FIRST_BOARD, 2)
    assert (one.entry, one.code) == (done.number, "manual")
    assert Circumstance(key="turn", value="0") in one.situation  # as it was before that turn
