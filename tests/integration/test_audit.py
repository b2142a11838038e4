"""The trail of what Masters do: complete, with reasons, and as secret as what it tells of."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Preparation, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Place, SetValue
from app.rulesets.guida.terms import Change
from app.services import audit, boards, clock, deadlines, links, reviews, summaries
from app.services.access import ANONYMOUS, Role
from app.services.clock_shapes import NewVacation
from app.services.desk_shapes import Mark, Reviewing, Verdict
from app.services.errors import NotFound
from app.services.shapes import BoardChanges
from tests.support.fights import attack, defend
from tests.support.table import Table
from tests.support.world import START


def lines(table: Table, who: str = "hollow", **more: int) -> list[audit.AuditLine]:
    """Read the trail as a player."""
    return list(audit.read_audit(table.db, table.players[who], table.id, **more).lines)


@pytest.fixture
def busy(table: Table) -> Table:
    """Let a Master do everything that a Master does, a minute apart."""

    def wait() -> None:
        table.world.wait(timedelta(minutes=1))

    table.decide("hollow", attack())
    wait()
    coming = [one.id for one in table.state().incoming]
    table.decide("gm", defend(*coming, by="quincy"))
    wait()
    hurt = SetValue(combatant="quincy", change=Change.HP, value=50, reason="Era già ferito.")
    table.amend(2, hurt)
    wait()
    mark = Mark(on="figure.hp", why="Erano 80.")
    returned = Reviewing(
        verdict=Verdict.RETURNED, marks=(mark,), note="Rileggi.", version=0, key=table.key()
    )
    reviews.review(table.db, table.world, table.gm, table.id, 1, returned)
    wait()
    table.void("Ci ripenso.")
    wait()
    deadlines.set_deadline(table.db, table.world, table.gm, table.id, 48)
    wait()
    links.reissue(table.db, table.world, table.owner, table.id, Role.SEAT, "quincy")
    wait()
    links.revoke(table.db, table.world, table.gm, table.id, Role.SEAT, "quincy")
    wait()
    now = boards.read_board(table.db, FIRST_BOARD).options["guida"].riders_on_tie
    turned = BoardChanges(name="Altra", options={"guida": {"riders_on_tie": not now}})
    boards.change_board(table.db, table.world, table.owner, FIRST_BOARD, turned)
    return table


def test_everything_a_master_did_is_listed_with_who_and_why(busy: Table) -> None:
    told = [(one.kind, one.by, one.entry, one.why) for one in lines(busy)]
    assert told == [
        ("in_place", "gm", 2, ""),
        ("amendment", "gm", 3, "Era già ferito."),
        ("returned", "gm", 1, "Rileggi."),
        ("void", "gm", 4, "Ci ripenso."),
        ("deadline", "gm", None, ""),
        ("link", "owner", None, ""),
        ("link_revoked", "gm", None, ""),
        ("option", "owner", None, ""),
        ("setting", "owner", None, ""),
    ]
    shown = lines(busy)
    assert shown[2].marks == (Mark(on="figure.hp", why="Erano 80."),)
    assert (shown[1].change, shown[3].change, shown[4].change) == ("2", "3", "48")
    assert shown[7].about == "guida.riders_on_tie"
    assert " → " in shown[7].change


def test_what_a_master_does_to_clock_absences_and_summary_is_listed_too(table: Table) -> None:
    where = (table.db, table.world, table.gm, table.id)
    begins = START + timedelta(days=1)
    absence = NewVacation(seat="quincy", begins=begins, ends=begins + timedelta(days=2))
    steps: list[Callable[[], object]] = [
        lambda: clock.stop_clock(*where, "Ferie."),
        lambda: clock.go_on(*where),
        lambda: clock.say_away(*where, absence),
        lambda: clock.come_back(*where, 1),
        lambda: summaries.share(*where, table.key()),
        lambda: summaries.unshare(*where),
        lambda: summaries.unshare(*where),  # there is none in force any more
    ]
    for step in steps:
        step()
        table.world.wait(timedelta(minutes=1))
    own = NewVacation(seat="hollow", begins=begins, ends=begins + timedelta(days=1))
    clock.say_away(table.db, table.world, table.players["hollow"], table.id, own)
    found = lines(table)
    assert [(one.kind, one.by, one.about, one.why) for one in found] == [
        ("clock_stopped", "gm", "", "Ferie."),
        ("clock_went_on", "gm", "", ""),
        ("away", "gm", "quincy", ""),
        ("back", "gm", "quincy", ""),
        ("summary", "gm", "", ""),
        ("summary_revoked", "gm", "", ""),
    ]
    assert found[2].change == "2025-03-30 14:00 UTC → 2025-04-01 14:00 UTC"


def test_the_trail_is_read_a_part_at_a_time(busy: Table) -> None:
    whole = lines(busy)
    assert [one.number for one in whole] == list(range(1, 10))
    assert lines(busy, after=2, limit=3) == whole[2:5]
    assert audit.read_audit(busy.db, busy.gm, busy.id, after=9).lines == ()


def test_only_who_acts_in_the_scene_reads_its_trail(busy: Table) -> None:
    for somebody in (busy.gm, busy.owner):
        assert audit.read_audit(busy.db, somebody, busy.id).total == 9
    with pytest.raises(NotFound):
        audit.read_audit(busy.db, ANONYMOUS, busy.id)
    with pytest.raises(NotFound):
        audit.read_audit(busy.db, busy.owner, "nowhere")


def test_what_is_withheld_of_a_turn_is_withheld_in_its_review_and_in_the_trail(
    table: Table,
) -> None:
    hide = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
    table.decide("gm", hide)
    table.decide("hollow", Turn(main=Preparation()))
    mark = Mark(on="finding.1", why="Troppo vicino al Quincy.")
    returned = Reviewing(
        verdict=Verdict.RETURNED,
        marks=(mark,),
        note="Sei dietro di lui.",
        version=0,
        key=table.key(),
    )
    reviews.review(table.db, table.world, table.gm, table.id, 2, returned)
    blind, seeing = lines(table, "quincy"), lines(table, "hollow")
    assert [one.kind for one in blind] == [one.kind for one in seeing] == ["order", "returned"]
    assert (blind[1].seat, blind[1].why, blind[1].marks) == ("", "", ())
    assert (seeing[1].seat, seeing[1].why, seeing[1].marks) == ("hollow", returned.note, (mark,))
    assert reviews.read_review(table.db, table.players["hollow"], table.id, 2).seat == "hollow"
    with pytest.raises(NotFound):
        reviews.read_review(table.db, table.players["quincy"], table.id, 2)
