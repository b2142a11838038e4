"""The book of a board: proposed by players, decided by Masters, kept in versions, then usable."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from sqlalchemy import delete, update
from sqlalchemy.exc import DBAPIError

from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.persistence.tables_books import PieceEventRow, PieceVersionRow
from app.rulesets.guida.rulings import ReplaceSheet
from app.rulesets.guida.sheet import Armour, Modifier, Tool
from app.rulesets.guida.terms import Category, Score
from app.services import book_reading, books, claims, members, scenes, sheets
from app.services.access import ANONYMOUS, Principal, Role
from app.services.book_shapes import (
    ArmourPiece,
    BonusPiece,
    Piece,
    PieceAct,
    PieceKind,
    PieceRead,
    PieceState,
    SheetPiece,
    SourceOfPart,
    Takes,
    ToolPiece,
    VersionState,
)
from app.services.book_shelf import MOST_WAITING
from app.services.errors import Conflict, KeyReused, Malformed, NotFound, Stale
from app.services.shapes import OpenScene
from tests.support.fights import CLAWS, HOLLOW, duel
from tests.support.people import signed_up
from tests.support.table import Table

BLADE = Tool(
    id="lama",
    name="Lama",
    attacks=True,
    potential=Fraction(15, 2),
    category=Category.D,
    modifiers=(Modifier(name="Filo", score=Score.HIT, points=1),),
)
SHARPER = replace(BLADE, potential=Fraction(9))


def mistakes(error: Malformed) -> dict[str, str]:
    """Give the code of each field."""
    return {one.field: one.code for one in error.mistakes}


def propose(table: Table, piece: Piece, who: Principal | None = None, **more: Any) -> PieceRead:
    """Propose a piece, as a player unless somebody else is named."""
    by = who or table.players["hollow"]
    key = more.pop("key", "") or table.key()
    return books.propose_piece(table.db, table.world, by, FIRST_BOARD, piece, key, **more)


def in_use(table: Table, *pieces: Piece) -> None:
    """Put pieces into the book, as the Master."""
    for piece in pieces:
        propose(table, piece, table.gm, approve=True)


def again(table: Table, piece: Piece, who: Principal, version: int, **more: Any) -> PieceRead:
    """Propose another version of the blade."""
    return books.propose_version(
        table.db, table.world, who, FIRST_BOARD, "lama", piece, version, **more
    )


def decide(table: Table, name: str, version: int, **more: Any) -> PieceRead:
    """Let the Master approve, return or retire the blade."""
    use_case = getattr(books, f"{name}_piece")
    found: PieceRead = use_case(
        table.db, table.world, table.gm, FIRST_BOARD, "lama", version, **more
    )
    return found


def states(piece: PieceRead) -> list[VersionState]:
    """Give the state of each version."""
    return [one.state for one in piece.versions]


# -------------------------------------------------------------------------- proposed and decided


def test_a_player_proposes_and_a_master_approves(table: Table) -> None:
    player = table.players["hollow"]
    new = propose(table, ToolPiece(data=BLADE), note="Come sul forum.")
    assert (new.id, new.kind, new.state) == ("lama", PieceKind.TECHNIQUE, PieceState.PROPOSED)
    assert (new.versions[0].by.role, new.versions[0].by.name) == ("seat", "hollow")
    assert new.versions[0].mine
    assert (new.approved, new.proposed) == (None, 1)
    done = decide(table, "approve", new.version)
    assert (done.state, done.approved, done.proposed) == (PieceState.APPROVED, 1, None)
    assert [(one.act, one.by.role) for one in done.trail] == [
        (PieceAct.APPROVED, "gm"),
        (PieceAct.PROPOSED, "seat"),
    ]
    told = book_reading.read_trail(table.db, table.players["quincy"], FIRST_BOARD)
    assert [one.piece for one in told] == ["lama", "lama"]
    assert book_reading.read_piece(table.db, player, FIRST_BOARD, "lama").versions[
        0
    ].piece == ToolPiece(data=BLADE)


def test_a_newer_version_is_proposed_beside_the_one_in_use(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    player = table.players["hollow"]
    newer = again(table, ToolPiece(data=SHARPER), player, 2)
    assert (newer.approved, newer.proposed) == (1, 2)
    assert states(newer) == [VersionState.APPROVED, VersionState.PROPOSED]
    change = newer.versions[1].changes
    assert [(one.field, one.before, one.after) for one in change] == [("potential", "7.5", "9")]
    done = decide(table, "approve", newer.version)
    assert states(done) == [VersionState.FORMER, VersionState.APPROVED]


def test_a_mark_is_on_a_field_of_what_was_proposed(table: Table) -> None:
    made = propose(table, ToolPiece(data=BLADE))
    with pytest.raises(Malformed) as refused:
        decide(table, "return", made.version, reason="Troppo.", marks=("potential", "nowhere"))
    (mistake,) = refused.value.mistakes
    assert (mistake.field, mistake.code) == ("marks", "unknown_choice")
    assert "potential" in mistake.facts["choices"]
    assert book_reading.read_piece(table.db, table.owner, FIRST_BOARD, made.id).proposed == 1


def test_a_returned_proposal_has_a_reason_and_marks_and_what_is_in_use_stays(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    newer = again(table, ToolPiece(data=SHARPER), table.players["hollow"], 2)
    back = decide(table, "return", newer.version, reason="Troppo.", marks=("potential",))
    assert (back.approved, back.proposed) == (1, None)
    assert states(back) == [VersionState.APPROVED, VersionState.RETURNED]
    assert (back.trail[0].reason, back.trail[0].marks) == ("Troppo.", ("potential",))


def test_a_first_proposal_that_is_returned_may_be_mended(table: Table) -> None:
    new = propose(table, ToolPiece(data=BLADE))
    back = decide(table, "return", new.version, reason="Rivedi.")
    assert back.state is PieceState.RETURNED
    mended = again(table, ToolPiece(data=SHARPER), table.players["hollow"], back.version)
    assert mended.state is PieceState.PROPOSED
    assert states(mended) == [VersionState.RETURNED, VersionState.PROPOSED]


def test_an_own_open_proposal_gives_way_and_that_of_another_does_not(table: Table) -> None:
    new = propose(table, ToolPiece(data=BLADE))
    with pytest.raises(Conflict, match="proposal_open"):
        again(table, ToolPiece(data=SHARPER), table.players["quincy"], new.version)
    newer = again(table, ToolPiece(data=SHARPER), table.players["hollow"], new.version)
    assert states(newer) == [VersionState.REPLACED, VersionState.PROPOSED]
    by_master = again(table, ToolPiece(data=BLADE), table.gm, newer.version, approve=True)
    assert (by_master.approved, by_master.proposed) == (3, None)


def test_so_many_proposals_of_one_person_wait_and_no_more(table: Table) -> None:
    kaito = signed_up(table.db, table.world, "Kaito")
    give(table, kaito.id, Role.SPECTATOR)
    blades = [replace(BLADE, id=f"lama-{one}", name=f"Lama {one}") for one in range(MOST_WAITING)]
    made = [propose(table, ToolPiece(data=blade), kaito.now) for blade in blades]
    one_more = ToolPiece(data=BLADE)
    with pytest.raises(Conflict, match="proposals_waiting") as caught:
        propose(table, one_more, kaito.now)
    assert caught.value.facts == {"most": MOST_WAITING}
    # Who leaves and comes again, or holds a seat too, is the same person.
    members.set_role(table.db, table.world, kaito.now, FIRST_BOARD, kaito.id, None)
    give(table, kaito.id, Role.PLAYER)
    with pytest.raises(Conflict, match="proposals_waiting"):
        propose(table, one_more, kaito.now)
    claims.claim(table.db, table.world, kaito.now, table.opened.seat_secrets["quincy"])
    with pytest.raises(Conflict, match="proposals_waiting"):
        propose(table, one_more, kaito.now)
    assert propose(table, one_more, table.players["hollow"]).state is PieceState.PROPOSED
    books.approve_piece(
        table.db, table.world, table.gm, FIRST_BOARD, made[0].id, made[0].version, reason=""
    )
    other = ToolPiece(data=replace(SHARPER, id="spada", name="Spada"))
    assert propose(table, other, kaito.now).state is PieceState.PROPOSED


def test_the_masters_proposals_wait_as_many_as_they_are(table: Table) -> None:
    for one in range(MOST_WAITING + 1):
        propose(table, ToolPiece(data=replace(BLADE, id=f"l{one}", name=f"L{one}")), table.gm)


def test_an_own_proposal_is_mended_though_no_more_may_wait(table: Table) -> None:
    new = propose(table, ToolPiece(data=BLADE))
    for one in range(MOST_WAITING - 1):
        propose(table, ToolPiece(data=replace(BLADE, id=f"l{one}", name=f"L{one}")))
    mended = again(table, ToolPiece(data=SHARPER), table.players["hollow"], new.version)
    assert mended.proposed == 2


def give(table: Table, person: str, role: Role) -> None:
    """Let somebody be this on the board."""
    with table.db.write() as connection:
        members.give_role(connection, table.world, FIRST_BOARD, person, role)


def test_a_retired_piece_is_readable_and_a_new_version_brings_it_back(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    gone = decide(table, "retire", 2, reason="Superata.")
    assert (gone.state, states(gone)) == (PieceState.RETIRED, [VersionState.RETIRED])
    with pytest.raises(Conflict, match="piece_not_in_use"):
        decide(table, "retire", gone.version, reason="Ancora.")
    newer = again(table, ToolPiece(data=SHARPER), table.players["hollow"], gone.version)
    back = decide(table, "approve", newer.version)
    assert (back.state, back.approved) == (PieceState.APPROVED, 2)


def test_what_is_as_it_was_is_no_proposal_and_what_is_decided_is_not_decided_again(
    table: Table,
) -> None:
    in_use(table, ToolPiece(data=BLADE))
    with pytest.raises(Conflict, match="piece_unchanged"):
        again(table, ToolPiece(data=BLADE), table.players["hollow"], 2)
    for name, more in (("approve", {}), ("return", {"reason": "No."})):
        with pytest.raises(Conflict, match="nothing_proposed"):
            decide(table, name, 2, **more)


def test_whoever_moves_second_is_told_so(table: Table) -> None:
    new = propose(table, ToolPiece(data=BLADE))
    decide(table, "approve", new.version)
    with pytest.raises(Stale):
        decide(table, "return", new.version, reason="Tardi.")
    with pytest.raises(Stale):
        again(table, ToolPiece(data=SHARPER), table.players["hollow"], new.version)


def test_the_same_key_proposes_once_and_another_content_is_refused(table: Table) -> None:
    first = propose(table, ToolPiece(data=BLADE), key="una-chiave")
    second = propose(table, ToolPiece(data=BLADE), key="una-chiave")
    assert (second.replayed, second) == (True, first)
    with pytest.raises(KeyReused):
        propose(table, ToolPiece(data=SHARPER), key="una-chiave")


def test_no_version_and_no_line_of_the_trail_is_ever_changed(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    for row, values in ((PieceVersionRow, {"note": "x"}), (PieceEventRow, {"reason": "x"})):
        for statement in (update(row).values(values), delete(row)):
            with pytest.raises(DBAPIError, match="only added to"), table.db.write() as connection:
                connection.execute(statement)


# ------------------------------------------------------------------------------- who may do what


def test_strangers_see_nothing_and_players_decide_nothing(table: Table) -> None:
    new = propose(table, ToolPiece(data=BLADE))
    for read in (book_reading.read_book, book_reading.list_pieces, book_reading.read_trail):
        with pytest.raises(NotFound):
            read(table.db, ANONYMOUS, FIRST_BOARD)
    with pytest.raises(NotFound):
        propose(table, ToolPiece(data=replace(BLADE, id="x", name="X")), ANONYMOUS)
    player = table.players["hollow"]
    with pytest.raises(NotFound):
        books.approve_piece(table.db, table.world, player, FIRST_BOARD, "lama", new.version)
    with pytest.raises(NotFound):
        propose(
            table,
            BonusPiece(id="b", data=Modifier(name="B", score=Score.HIT, points=1)),
            approve=True,
        )
    with pytest.raises(NotFound):
        books.change_book(table.db, table.gm, FIRST_BOARD, Takes.PIECES)


def test_a_whole_sheet_is_read_by_its_player_and_the_masters_only(table: Table) -> None:
    propose(table, SheetPiece(id="hollow", data=HOLLOW))
    for who, sees in (
        (table.players["hollow"], True),
        (table.gm, True),
        (table.players["quincy"], False),
    ):
        piece = book_reading.read_piece(table.db, who, FIRST_BOARD, "hollow")
        (line,) = book_reading.list_pieces(table.db, who, FIRST_BOARD)
        assert (piece.versions[0].piece is not None) is sees
        assert (line.piece is not None) is sees
        assert len(book_reading.read_trail(table.db, who, FIRST_BOARD)) == 1


# ------------------------------------------------------------------------------- names and ids


def test_no_two_pieces_in_use_look_alike(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    for name in ("LAMA", "Lаma", "Lama\u200b"):  # the second has a Cyrillic letter
        with pytest.raises(Malformed) as caught:
            propose(table, ToolPiece(data=replace(BLADE, id="altra", name=name)))
        assert mistakes(caught.value) == {"piece.data.name": "piece_name_taken"}
    decide(table, "retire", 2, reason="Via.")
    propose(table, ToolPiece(data=replace(BLADE, id="altra", name="LAMA")))


def test_an_id_is_made_of_the_name_where_none_is_given(table: Table) -> None:
    plain = replace(BLADE, id="new", name="Soffio d'Àlito 1")
    assert propose(table, ToolPiece(data=plain)).id == "soffio-d-alito-1"
    again_so = replace(BLADE, id="new", name="Soffio d Alito! 1")
    assert propose(table, ToolPiece(data=again_so)).id == "soffio-d-alito-1-2"


@pytest.mark.parametrize("id", ["Lama", "1lama", "lama=1", "lama lama", "-lama", "làma"])
def test_an_id_survives_addresses_and_spreadsheets(table: Table, id: str) -> None:
    with pytest.raises(Malformed) as caught:
        propose(table, ArmourPiece(id=id, data=Armour(name="A", potential=Fraction(1))))
    assert mistakes(caught.value) == {"piece.id": "piece_id_form"}


def test_an_id_is_used_once_and_keeps_its_kind(table: Table) -> None:
    in_use(table, ToolPiece(data=BLADE))
    with pytest.raises(Malformed) as caught:
        propose(table, ToolPiece(data=replace(BLADE, name="Altra")))
    assert mistakes(caught.value) == {"piece.data.id": "piece_id_taken"}
    with pytest.raises(Malformed) as caught:
        again(
            table, ArmourPiece(id="lama", data=Armour(name="L", potential=Fraction(1))), table.gm, 2
        )
    assert mistakes(caught.value) == {"piece.id": "piece_other_kind"}


# ------------------------------------------------------------------------- listing and searching


def test_the_book_is_searched_by_words_kind_and_state(table: Table) -> None:
    armour = ArmourPiece(id="corazza", data=Armour(name="Corazza d'Ossa", potential=Fraction(9)))
    in_use(table, ToolPiece(data=BLADE), armour)
    propose(table, ToolPiece(data=replace(CLAWS, id="artigli")))

    def found(**asked: Any) -> list[str]:
        lines = book_reading.list_pieces(table.db, table.players["quincy"], FIRST_BOARD, **asked)
        return [one.id for one in lines]

    assert found() == ["lama", "corazza", "artigli"]
    assert found(query="ossa CORÀZZA") == ["corazza"]
    assert found(kind=PieceKind.WEAPON) == ["artigli"]
    assert found(state=PieceState.APPROVED) == ["lama", "corazza"]
    assert found(waiting=True) == ["artigli"]
    assert found(after="lama", limit=1) == ["corazza"]
    book = book_reading.read_book(table.db, table.gm, FIRST_BOARD)
    assert (book.states["approved"], book.states["proposed"], book.waiting) == (2, 1, 1)


# --------------------------------------------------------------------------------- whole sheets


def test_an_approved_sheet_is_stored_and_a_newer_version_changes_it(table: Table) -> None:
    in_use(table, ToolPiece(data=replace(CLAWS, id="artigli")))
    source = SourceOfPart(place="tools.claws", piece="artigli", version=1)
    piece = SheetPiece(id="hollow", data=HOLLOW, sources=(source,))
    new = propose(table, piece)
    assert new.sheet is None
    done = books.approve_piece(table.db, table.world, table.gm, FIRST_BOARD, "hollow", new.version)
    assert done.sheet is not None
    kept = sheets.read_sheet(table.db, table.gm, done.sheet)
    assert kept.sheet == HOLLOW
    stronger = replace(piece, data=replace(HOLLOW, max_hp=HOLLOW.max_hp + 5))
    player = table.players["hollow"]
    newer = books.propose_version(
        table.db, table.world, player, FIRST_BOARD, "hollow", stronger, done.version
    )
    assert sheets.read_sheet(table.db, table.gm, done.sheet).sheet == HOLLOW
    books.approve_piece(table.db, table.world, table.gm, FIRST_BOARD, "hollow", newer.version)
    assert sheets.read_sheet(table.db, table.gm, done.sheet).sheet == stronger.data


def test_a_stored_sheet_that_is_proposed_as_it_is_stays_one_sheet(table: Table) -> None:
    kept = sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key())
    piece = propose(table, SheetPiece(id="hollow", data=HOLLOW), table.gm, approve=True)
    assert piece.sheet == kept.id
    assert len(sheets.list_sheets(table.db, table.gm, FIRST_BOARD)) == 1


def test_a_source_leads_to_a_part_and_to_a_piece(table: Table) -> None:
    sources = (
        SourceOfPart(place="tools.claws", piece="nessuno", version=1),
        SourceOfPart(place="tools.mai", piece="hollow", version=1),
        SourceOfPart(place="tools.mai", piece="hollow", version=1),
    )
    with pytest.raises(Malformed) as caught:
        propose(table, SheetPiece(id="hollow", data=HOLLOW, sources=sources))
    assert mistakes(caught.value) == {
        "piece.sources[0].piece": "piece_unknown",
        "piece.sources[1].place": "part_unknown",
        "piece.sources[1].piece": "piece_unknown",
        "piece.sources[2].place": "part_unknown",
        "piece.sources[2].piece": "piece_unknown",
    }


# ------------------------------------------------------------------------------ what scenes take


def open_with(table: Table, **changes: Any) -> None:
    """Open a scene of two."""
    data: dict[str, Any] = encode(duel())
    del data["options"], data["regulation"]
    opening = OpenScene(title="Altra", setup={**data, **changes})
    scenes.open_scene(table.db, table.world, table.owner, FIRST_BOARD, opening, table.key())


def everything_of_the_duel() -> tuple[Piece, ...]:
    """List every part of the two sheets as a piece, each once."""
    tools = {tool.name: tool for one in duel().entrants for tool in one.sheet.tools}
    bonuses = {bonus.name: bonus for one in duel().entrants for bonus in one.sheet.modifiers}
    armours = {
        one.sheet.armour.name: one.sheet.armour for one in duel().entrants if one.sheet.armour
    }
    return (
        *(ToolPiece(data=replace(tool, id="new")) for tool in tools.values()),
        *(BonusPiece(id="new", data=bonus) for bonus in bonuses.values()),
        *(ArmourPiece(id="new", data=armour) for armour in armours.values()),
    )


def test_a_board_that_says_nothing_takes_any_sheet(table: Table) -> None:
    open_with(table)
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.ANYTHING)
    open_with(table)


def test_where_only_approved_pieces_are_taken_every_part_must_be_in_use(table: Table) -> None:
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.PIECES)
    with pytest.raises(Malformed) as caught:
        open_with(table)
    told = mistakes(caught.value)
    assert told["setup.entrants[0].sheet.tools[0]"] == "piece_not_approved"
    assert set(told.values()) == {"piece_not_approved"}
    in_use(table, *everything_of_the_duel())
    open_with(table)


def test_what_gave_way_to_a_newer_version_is_not_taken_any_more(table: Table) -> None:
    in_use(table, *everything_of_the_duel())
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.PIECES)
    piece = book_reading.read_piece(table.db, table.gm, FIRST_BOARD, "artigli-affilati")
    weaker = ToolPiece(data=replace(CLAWS, potential=Fraction(3)))
    books.propose_version(
        table.db, table.world, table.gm, FIRST_BOARD, piece.id, weaker, piece.version, approve=True
    )
    with pytest.raises(Malformed) as caught:
        open_with(table)
    assert set(mistakes(caught.value).values()) == {"piece_not_approved"}


def test_where_only_approved_sheets_are_taken_a_whole_one_must_be_in_use(table: Table) -> None:
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.SHEETS)
    with pytest.raises(Malformed) as caught:
        open_with(table)
    assert mistakes(caught.value) == {
        "setup.entrants[0].sheet": "sheet_not_approved",
        "setup.entrants[1].sheet": "sheet_not_approved",
    }
    in_use(table, *(SheetPiece(id=one.id, data=one.sheet) for one in duel().entrants))
    open_with(table)


def test_what_the_master_plays_is_not_asked(table: Table) -> None:
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.SHEETS)
    in_use(table, SheetPiece(id="hollow", data=HOLLOW))
    data: dict[str, Any] = encode(duel())
    hollow, quincy = data["entrants"]
    open_with(table, entrants=[hollow, {**quincy, "npc": True}])


def test_a_player_brings_no_unapproved_sheet_into_a_scene_and_the_master_may(table: Table) -> None:
    books.change_book(table.db, table.owner, FIRST_BOARD, Takes.PIECES)
    sheet = replace(HOLLOW, tools=(BLADE,))
    order = ReplaceSheet(combatant="hollow", sheet=sheet, reason="Un'altra scheda.")
    with pytest.raises(Malformed) as caught:
        table.decide("hollow", replace(order, by="hollow"))
    assert mistakes(caught.value)["order.sheet.tools[0]"] == "piece_not_approved"
    table.decide("gm", replace(order, by="gm"))
