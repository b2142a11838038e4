"""Notices about no scene: another role on a board, and what becomes of proposals for its book."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.services import books, inbox, members
from app.services.access import Principal, Role
from app.services.book_shapes import ToolPiece
from app.services.channels import Channel, Mute
from app.services.inbox import Wishes
from app.services.notices import Telling
from app.services.told import Message
from tests.integration.test_jobs import Sink
from tests.integration.test_notices import confirmed, send
from tests.integration.test_technique_books import BLADE, SHARPER, propose
from tests.support.people import Person, board_of, signed_up
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

PIECE = ToolPiece(data=BLADE)


def heard(table: Table, who: Principal, kind: Telling, language: str = "it") -> list[Message]:
    """Read what somebody was told of one kind, the oldest first."""
    found = inbox.read_inbox(table.db, who, FIRST_BOARD, language).notices
    return [one for one in reversed(found) if one.kind is kind]


def member(table: Table, name: str, role: Role = Role.PLAYER) -> Person:
    """Let somebody with an account be something on the board."""
    person = signed_up(table.db, table.world, name)
    with table.db.write() as connection:
        members.give_role(connection, table.world, FIRST_BOARD, person.id, role)
    return person


def set_role(table: Table, person: Person, role: Role | None, by: Principal | None = None) -> None:
    """Give somebody another role, as the owner unless somebody else is named."""
    owner = by or table.owner
    members.set_role(table.db, table.world, owner, FIRST_BOARD, person.id, role)


@pytest.fixture
def at_board(db: Database, world: FixedWorld) -> Table:
    """Set a table, to whose board things happen."""
    return set_table(db, world)


def test_another_role_is_told_to_the_one_who_has_it(at_board: Table) -> None:
    rukia, other = member(at_board, "Rukia"), member(at_board, "Renji")
    set_role(at_board, rukia, Role.GM)
    (one,) = heard(at_board, rukia.now, Telling.ROLE_CHANGED)
    assert one.title == "Arbitro: il tuo ruolo"
    assert one.text == "Il proprietario ti ha dato un altro ruolo: ora qui sei Master."
    assert (one.path, one.scene_id) == (f"/boards/{FIRST_BOARD}", "")
    for role, word in ((Role.PLAYER, "player"), (Role.GM, "Master"), (Role.GM, "Master")):
        set_role(at_board, rukia, role)
        (last,) = heard(at_board, rukia.now, Telling.ROLE_CHANGED, "en")
        assert last.text == f"The owner has given you another role: here you are {word} now."
    assert heard(at_board, other.now, Telling.ROLE_CHANGED) == []
    assert heard(at_board, at_board.owner, Telling.ROLE_CHANGED) == []


def test_a_role_that_was_taken_away_is_told_by_whatever_else_they_hold(at_board: Table) -> None:
    rukia = member(at_board, "Rukia")
    board_of(rukia)
    set_role(at_board, rukia, None)
    assert rukia.now.role_on(FIRST_BOARD) is None
    (one,) = heard(at_board, rukia.now, Telling.ROLE_CHANGED)
    assert one.text.startswith("Il proprietario ti ha tolto il ruolo")
    assert one.path == "/"


def test_who_holds_nothing_any_more_is_told_by_mail(at_board: Table) -> None:
    rukia, renji, sink = member(at_board, "Rukia"), member(at_board, "Renji"), Sink()
    confirmed(at_board, rukia.now, sink, "rukia@example.org")
    for person in (rukia, renji):  # who gave no address cannot be reached at all
        set_role(at_board, person, None)
    send(at_board, sink)
    assert [one.subject for one in sink.sent[1:]] == ["Arbitro: il tuo ruolo"]


def test_who_gives_up_their_own_role_knows(at_board: Table) -> None:
    rukia = member(at_board, "Rukia")
    board_of(rukia)
    set_role(at_board, rukia, None, by=rukia.now)
    assert heard(at_board, rukia.now, Telling.ROLE_CHANGED) == []


def test_a_proposal_is_told_to_those_who_decide_and_only_once(at_board: Table) -> None:
    master, player = member(at_board, "Urahara", Role.GM), member(at_board, "Rukia")
    made = propose(at_board, PIECE, player.now, note="Più corta.", key="key-blade")
    propose(at_board, PIECE, player.now, note="Più corta.", key="key-blade")
    for who in (master.now, at_board.owner):
        (one,) = heard(at_board, who, Telling.PIECE_PROPOSED)
        assert one.title == "Arbitro: una proposta per il libro"
        assert one.text == "Si propone Lama: aspetta un Master. Più corta."
        assert one.path == f"/boards/{FIRST_BOARD}/books/pieces/{made.id}"
    for who in (player.now, *at_board.players.values()):
        assert heard(at_board, who, Telling.PIECE_PROPOSED) == []


def test_who_proposes_as_a_master_is_not_told_of_it(at_board: Table) -> None:
    master = member(at_board, "Urahara", Role.GM)
    propose(at_board, PIECE, master.now)
    assert heard(at_board, master.now, Telling.PIECE_PROPOSED) == []
    (one,) = heard(at_board, at_board.owner, Telling.PIECE_PROPOSED, "en")
    assert one.text == "Lama is proposed, and waits for a Master."
    other = ToolPiece(data=replace(BLADE, id="spada", name="Spada"))
    propose(at_board, other, master.now, approve=True)
    assert len(heard(at_board, at_board.owner, Telling.PIECE_PROPOSED)) == 1


def test_whoever_proposed_is_told_what_was_decided(at_board: Table) -> None:
    table, player, master = (
        at_board,
        member(at_board, "Rukia"),
        member(at_board, "Urahara", Role.GM),
    )
    made = propose(table, PIECE, player.now)
    at = (FIRST_BOARD, made.id)
    mine, theirs = ((table.db, table.world, who, *at) for who in (player.now, master.now))
    step = books.return_piece(*theirs, made.version, reason="Troppo forte.")
    step = books.propose_version(*mine, PIECE, step.version)
    step = books.approve_piece(*theirs, step.version)
    sharper = ToolPiece(data=SHARPER)
    step = books.propose_version(*mine, sharper, step.version)
    dull = ToolPiece(data=replace(BLADE, potential=Fraction(5)))
    step = books.propose_version(*theirs, dull, step.version, note="Così va meglio.")
    books.retire_piece(*theirs, step.version, reason="Superata.")
    told = heard(table, player.now, Telling.PIECE_DECIDED)
    assert [one.text for one in told] == [
        "Lama torna a te, da rivedere: Troppo forte.",
        "Lama è approvato: è nel libro.",
        "Al posto di Lama ora si propone un’altra versione: Così va meglio.",
        "Lama è ritirato, e non si usa più: Superata.",
    ]
    assert {one.path for one in told} == {f"/boards/{FIRST_BOARD}/books/pieces/{made.id}"}
    for who in (master.now, table.owner, *table.players.values()):
        assert heard(table, who, Telling.PIECE_DECIDED) == []


def test_whoever_decides_about_their_own_proposal_is_told_nothing(at_board: Table) -> None:
    master = member(at_board, "Urahara", Role.GM)
    made = propose(at_board, PIECE, master.now)
    at = (at_board.db, at_board.world, master.now, FIRST_BOARD, made.id)
    books.approve_piece(*at, made.version)
    assert heard(at_board, master.now, Telling.PIECE_DECIDED) == []


def test_a_link_that_proposed_is_told_by_the_same_link(at_board: Table) -> None:
    made = propose(at_board, PIECE)
    at = (at_board.db, at_board.world, at_board.owner, FIRST_BOARD, made.id)
    books.approve_piece(*at, made.version, reason="Bella.")
    (one,) = heard(at_board, at_board.players["hollow"], Telling.PIECE_DECIDED, "en")
    assert one.text == "Lama is approved: it is in the book. Bella."


def test_what_is_about_no_scene_can_be_kept_away_as_well(at_board: Table) -> None:
    rukia = member(at_board, "Rukia", Role.GM)
    token = inbox.new_feed(at_board.db, at_board.world, rukia.now, FIRST_BOARD)
    muted = (Mute(channel=Channel.FEED, kind=Telling.PIECE_PROPOSED),)
    inbox.change_wishes(at_board.db, rukia.now, Wishes(muted=muted))
    propose(at_board, PIECE)
    assert inbox.read_feed(at_board.db, token, "it").notices == ()
    assert len(heard(at_board, rukia.now, Telling.PIECE_PROPOSED)) == 1
