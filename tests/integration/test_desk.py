"""The Master's desk: what lies on it, in which order, and what becomes of a turn there."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.persistence.tables import FIRST_BOARD, SceneRow
from app.rulesets.guida.orders import Figures
from app.rulesets.guida.terms import Claim
from app.services import desk, reviews, scenes, wordings
from app.services.access import ANONYMOUS, Principal
from app.services.desk_shapes import (
    DeskRead,
    Mark,
    Review,
    Reviewed,
    Reviewing,
    TurnPlace,
    Verdict,
)
from app.services.entry_shapes import Narration, Rewording
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Stale
from tests.support.counting import counted
from tests.support.fights import HOLLOW, attack
from tests.support.full_desk import fill_desk
from tests.support.table import Table, set_table


def on_desk(table: Table, who: Principal | None = None, **wanted: Any) -> DeskRead:
    """Read the first page of somebody's desk."""
    return desk.read_desk(table.db, who or table.gm, FIRST_BOARD, desk.DeskFilter(**wanted))


def numbers(read: DeskRead) -> list[int]:
    """List which turns a page shows."""
    return [one.number for one in read.turns]


def decide(table: Table, number: int, verdict: Verdict = Verdict.APPROVED, **more: Any) -> Reviewed:
    """Decide about a turn as the Master."""
    wanted = Reviewing(verdict=verdict, **{"version": 0, "key": table.key(), **more})
    return reviews.review(table.db, table.world, table.gm, table.id, number, wanted)


@pytest.fixture
def fought(table: Table) -> Table:
    """Let two turns be posted."""
    table.decide("hollow", attack())
    table.dodge()
    return table


def test_every_turn_of_a_player_lies_on_the_desk_and_no_order_of_the_master(fought: Table) -> None:
    fought.decide("gm", {"kind": "pause", "by": "gm", "reason": "Cena."})
    read = on_desk(fought)
    assert numbers(read) == [1, 2]
    assert [one.who for one in read.turns] == ["Hollow", "Quincy"]
    assert {one.state for one in read.turns} == {Review.OPEN}
    assert (read.open, read.returned, read.dice, read.fresh) == (2, 0, 0, 2)
    assert read.turns[0].title == "Duello"


def test_an_approved_turn_leaves_the_desk_and_names_the_next(fought: Table) -> None:
    done = decide(fought, 1)
    assert (done.state, done.version) == (Review.APPROVED, 1)
    assert done.next == TurnPlace(scene_id=fought.id, number=2)
    assert numbers(on_desk(fought)) == [2]
    assert numbers(on_desk(fought, state=Review.APPROVED)) == [1]
    assert decide(fought, 2).next is None


def test_a_returned_turn_says_which_numbers_are_wrong_and_comes_back_when_mended(
    fought: Table,
) -> None:
    mark = Mark(on="figure.hp", why="Erano 80.")
    decide(fought, 1, Verdict.RETURNED, marks=(mark,), note="Rileggi il registro.")
    assert numbers(on_desk(fought)) == [2]
    read = reviews.read_review(fought.db, fought.players["hollow"], fought.id, 1)
    assert read.state is Review.RETURNED
    assert (read.decisions[-1].marks, read.decisions[-1].note) == ((mark,), "Rileggi il registro.")
    new = Rewording(narration=Narration(offensive="Corretto."), wording=1, key=fought.key())
    wordings.correct(fought.db, fought.world, fought.players["hollow"], fought.id, 1, new)
    assert numbers(on_desk(fought)) == [1, 2]
    again = reviews.read_review(fought.db, fought.gm, fought.id, 1)
    assert [one.state for one in again.decisions] == [Review.RETURNED, Review.OPEN]
    assert again.decisions[-1].cause == 3


def test_a_return_without_a_reason_is_refused(fought: Table) -> None:
    with pytest.raises(Malformed) as caught:
        decide(fought, 1, Verdict.RETURNED, note="  ")
    assert caught.value.mistakes[0].code == "nothing_marked"
    assert numbers(on_desk(fought)) == [1, 2]


def test_a_second_master_s_stale_decision_is_refused(fought: Table) -> None:
    decide(fought, 1)
    with pytest.raises(Stale) as caught:
        decide(fought, 1, Verdict.RETURNED, note="No.")
    assert caught.value.version == 1
    assert decide(fought, 1, Verdict.RETURNED, note="No.", version=1).version == 2


def test_the_same_call_decides_once(fought: Table) -> None:
    first = decide(fought, 1, key="key-of-one-call")
    assert decide(fought, 1, key="key-of-one-call") == first
    with pytest.raises(KeyReused):
        decide(fought, 1, Verdict.RETURNED, note="No.", key="key-of-one-call")
    read = reviews.read_review(fought.db, fought.gm, fought.id, 1)
    assert len(read.decisions) == 1


def test_a_turn_that_was_taken_back_is_not_reviewed(fought: Table) -> None:
    fought.void()
    assert numbers(on_desk(fought)) == [1]
    with pytest.raises(Stale):
        decide(fought, 2)
    with pytest.raises(Conflict) as caught:
        decide(fought, 2, version=1)
    assert caught.value.code == "not_in_effect"
    with pytest.raises(NotFound):
        decide(fought, 3)


def test_a_turn_that_waits_for_dice_lies_aside_until_they_are_given(forum_table: Table) -> None:
    made = forum_table.decide("hollow", attack())
    read = on_desk(forum_table)
    assert (numbers(read), read.dice) == ([], 1)
    assert numbers(on_desk(forum_table, state=Review.DICE)) == [made.number]
    with pytest.raises(Conflict) as caught:
        decide(forum_table, made.number)
    assert caught.value.code == "dice_awaited"
    forum_table.give("hollow", made.number, 7)
    assert numbers(on_desk(forum_table)) == [made.number]


def test_figures_that_differ_are_marked_on_the_desk(table: Table) -> None:
    table.decide("hollow", replace(attack(), figures=Figures(hp=1, ep=1)))
    table.dodge()
    assert numbers(on_desk(table, differs=True)) == [1]
    read = reviews.read_review(table.db, table.gm, table.id, 1)
    assert [one.claimed for one in read.figures] == [1, 1]


def test_a_master_sees_the_own_scenes_and_the_owner_all(fought: Table) -> None:
    other = set_table(fought.db, fought.world, owner=fought.owner, title="Altrove")
    other.decide("hollow", attack())
    assert {one.title for one in on_desk(fought).turns} == {"Duello"}
    assert {one.title for one in on_desk(other).turns} == {"Altrove"}
    assert {one.title for one in on_desk(fought, fought.owner).turns} == {"Duello", "Altrove"}
    for nobody in (ANONYMOUS, fought.players["hollow"]):
        with pytest.raises(NotFound):
            on_desk(fought, nobody)
    with pytest.raises(NotFound):
        reviews.read_review(fought.db, other.players["hollow"], fought.id, 1)


def test_pages_follow_one_another_and_filters_hold(fought: Table) -> None:
    other = set_table(fought.db, fought.world, owner=fought.owner)
    fought.world.wait(timedelta(minutes=1))
    other.decide("hollow", attack())
    seen: list[tuple[str, int]] = []
    after = None
    while True:
        page = desk.read_desk(
            fought.db, fought.owner, FIRST_BOARD, desk.DeskFilter(), after=after, limit=1
        )
        seen += [(one.scene_id, one.number) for one in page.turns]
        if (after := page.after) is None:
            break
    assert seen == [(fought.id, 1), (fought.id, 2), (other.id, 1)]
    owner = fought.owner
    assert numbers(on_desk(fought, owner, scene_id=other.id)) == [1]
    assert numbers(on_desk(fought, owner, seat="quincy")) == [2]
    assert numbers(on_desk(fought, owner, ruleset="warrior_dice")) == []
    assert len(numbers(on_desk(fought, owner, act="turn"))) == 3
    for nonsense in ("", "x", "1.2.", "9" * 30 + ".1.a", "1.1.à"):
        with pytest.raises(NotFound):
            desk.read_desk(fought.db, owner, FIRST_BOARD, desk.DeskFilter(), after=nonsense)


def test_what_came_since_one_looked_is_marked(fought: Table) -> None:
    fought.world.wait(timedelta(hours=1))
    desk.look(fought.db, fought.world, fought.gm, FIRST_BOARD)
    assert (on_desk(fought).fresh, on_desk(fought, fought.owner).fresh) == (0, 2)
    fought.world.wait(timedelta(hours=1))
    fought.decide("hollow", attack())
    read = on_desk(fought)
    assert [one.fresh for one in read.turns] == [False, False, True]
    assert numbers(on_desk(fought, fresh=True)) == [3]
    desk.look(fought.db, fought.world, fought.gm, FIRST_BOARD)
    assert on_desk(fought, fresh=True).fresh == 0


def test_viewed_and_notes_are_everybody_s_own(fought: Table) -> None:
    place = TurnPlace(scene_id=fought.id, number=1)
    desk.see(fought.db, fought.world, fought.gm, place)
    desk.see(fought.db, fought.world, fought.gm, place)
    assert [one.seen for one in on_desk(fought).turns] == [True, False]
    assert [one.seen for one in on_desk(fought, fought.owner).turns] == [False, False]
    desk.see(fought.db, fought.world, fought.gm, place, seen=False)
    assert not any(one.seen for one in on_desk(fought).turns)
    for scene in ("", fought.id):
        desk.write_note(fought.db, fought.world, fought.gm, FIRST_BOARD, scene, f"Nota {scene}")
        assert desk.read_note(fought.db, fought.gm, FIRST_BOARD, scene).text == f"Nota {scene}"
        assert desk.read_note(fought.db, fought.owner, FIRST_BOARD, scene).text == ""
        desk.write_note(fought.db, fought.world, fought.gm, FIRST_BOARD, scene, "")
        assert desk.read_note(fought.db, fought.gm, FIRST_BOARD, scene).text == ""
    with pytest.raises(NotFound):
        desk.read_note(fought.db, fought.players["hollow"], FIRST_BOARD, fought.id)


def test_scenes_tell_whom_they_wait_for_and_since_when(fought: Table) -> None:
    fought.world.wait(timedelta(hours=2))
    other = set_table(fought.db, fought.world, owner=fought.owner, title="Domanda")
    other.decide("hollow", attack(claims=(Claim.SURPRISE,)))
    waiting = desk.read_waiting(fought.db, fought.owner, FIRST_BOARD)
    assert [one.title for one in waiting] == ["Duello", "Domanda"]
    assert waiting[0].awaited.seats == ("hollow",)
    assert waiting[0].since == fought.world.now() - timedelta(hours=2)
    asking = desk.read_waiting(fought.db, fought.owner, FIRST_BOARD, only_questions=True)
    assert [one.title for one in asking] == ["Domanda"]
    assert on_desk(fought, fought.owner).questions == 1


def test_a_page_of_the_desk_is_two_statements(fought: Table) -> None:
    with counted(fought.db) as count:
        on_desk(fought)
    assert len([one for one in count.statements if not one.startswith("BEGIN")]) == 2


def test_previous_and_next_go_by_age(fought: Table) -> None:
    fought.world.wait(timedelta(minutes=1))
    fought.decide("hollow", attack())
    place = TurnPlace(scene_id=fought.id, number=2)
    before, after = desk.beside(fought.db, fought.gm, FIRST_BOARD, place)
    assert (before, after) == (replace(place, number=1), replace(place, number=3))


def test_a_page_of_a_full_desk_is_the_same_two_statements(table: Table) -> None:
    fill_desk(table.db, table, 1_000)
    costs = []
    for wanted in (desk.DeskFilter(), desk.DeskFilter(ruleset="guida", differs=True)):
        with counted(table.db) as count:
            read = desk.read_desk(table.db, table.owner, FIRST_BOARD, wanted)
        costs.append(len([one for one in count.statements if not one.startswith("BEGIN")]))
    assert costs == [2, 2]
    assert read.open == 1_000
    fill = desk.read_desk(table.db, table.owner, FIRST_BOARD, desk.DeskFilter())
    assert len(fill.turns) == desk.A_PAGE
    following = desk.read_desk(
        table.db, table.owner, FIRST_BOARD, desk.DeskFilter(), after=fill.after, limit=100
    )
    assert len(following.turns) == 100
    assert fill.turns[-1].at < following.turns[0].at


def test_whom_a_scene_waits_for_is_called_by_name(fought: Table) -> None:
    def names() -> tuple[str, ...]:
        (waiting,) = desk.read_waiting(fought.db, fought.owner, FIRST_BOARD)
        assert waiting.awaited.seats == ("hollow",)
        return waiting.names

    assert names() == (HOLLOW.name,) != ("hollow",)
    with fought.db.write() as connection:  # a scene that has not moved since names are kept
        connection.execute(update(SceneRow).values(awaited_names=None))
    assert names() == ("hollow",)


def test_what_is_last_in_effect_is_what_would_be_taken_back(fought: Table) -> None:
    def last() -> int | None:
        found = scenes.read_scene(fought.db, fought.gm, fought.id).last_in_effect
        return None if found is None else found.number

    fought.decide("gm", {"kind": "pause", "by": "gm", "reason": "Cena."})
    taken = []
    while (number := last()) is not None:
        voiding = fought.void()
        entry = scenes.read_scene(fought.db, fought.gm, fought.id).entries[voiding.number - 1]
        assert entry.voids == number
        taken.append(number)
    assert taken == [3, 2, 1]
