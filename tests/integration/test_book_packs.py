"""Packs of a board's book: looked at first, taken whole or not at all, and the same elsewhere."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import jsonschema_rs
import pytest
from typer.testing import CliRunner

from app import cli
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.sheet import Modifier
from app.rulesets.guida.terms import Score
from app.services import book_copies, book_import, book_reading, books, sheets
from app.services.book_import import pack_text
from app.services.book_packs import CSV, JSON, pack_schema, write_pack
from app.services.book_shapes import (
    BonusPiece,
    PackAction,
    PackResult,
    PieceState,
    SheetPiece,
    SourceOfPart,
    ToolPiece,
)
from app.services.errors import KeyReused, Malformed, NotFound
from tests.support.fights import BOW, CLAWS, HOLLOW
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

BLADE = ToolPiece(data=replace(CLAWS, id="lama", name="Lama"))
ARC = ToolPiece(data=replace(BOW, id="arco"))
CALM = BonusPiece(id="calma", data=Modifier(name="Calma", score=Score.SUCCESS, points=1))
TABLE = "id,kind,name,potential\nlama,weapon,Lama,4\narco,weapon,Arco,5\n"


def bring(table: Table, text: str, kind: str = CSV, key: str = "", **more: bool) -> PackResult:
    """Bring a pack in, as the Master."""
    return book_import.import_pack(
        table.db,
        table.world,
        table.gm,
        FIRST_BOARD,
        text.encode(),
        kind,
        key or table.key(),
        **more,
    )


def actions(result: PackResult) -> list[tuple[int, str, str]]:
    """Give line, id and action of each piece of a pack."""
    return [(one.line, one.id, one.action.value) for one in result.lines]


def codes(mistakes: object) -> list[tuple[str, str]]:
    """Give field and code of mistakes."""
    return [(one.field, one.code) for one in mistakes]


def names(table: Table) -> list[str]:
    """List what the book has in use."""
    lines = book_reading.list_pieces(table.db, table.gm, FIRST_BOARD, state=PieceState.APPROVED)
    return [one.name for one in lines]


def test_a_pack_is_looked_at_first_and_nothing_of_it_is_kept(table: Table) -> None:
    found, wrong = book_import.try_pack(
        table.db, table.world, table.gm, FIRST_BOARD, TABLE.encode(), CSV
    )
    assert (found.kept, wrong) == (False, ())
    assert actions(found) == [(2, "lama", "added"), (3, "arco", "added")]
    assert names(table) == []
    assert book_reading.read_trail(table.db, table.gm, FIRST_BOARD) == ()


def test_a_pack_is_in_use_at_once_or_proposed(table: Table) -> None:
    assert bring(table, TABLE).kept
    assert names(table) == ["Lama", "Arco"]
    result = bring(table, "id,kind,name\nscudo,weapon,Scudo\n", approve=False)
    assert result.lines[0].version == 1
    assert book_reading.read_book(table.db, table.gm, FIRST_BOARD).waiting == 1


def test_a_second_import_shows_what_is_different_and_leaves_the_rest(table: Table) -> None:
    bring(table, TABLE)
    again = bring(table, TABLE.replace(",4", ",6"))
    assert actions(again) == [(2, "lama", "changed"), (3, "arco", "unchanged")]
    change = again.lines[0].changes[0]
    assert (change.field, change.before, change.after) == ("potential", "4", "6")
    piece = book_reading.read_piece(table.db, table.gm, FIRST_BOARD, "lama")
    assert (piece.approved, len(piece.versions)) == (2, 2)


def test_a_single_mistake_keeps_everything_out_unless_it_is_to_be_skipped(table: Table) -> None:
    spoilt = f"{TABLE}scudo,weapon,Scudo,molto\n"
    with pytest.raises(Malformed) as caught:
        bring(table, spoilt)
    assert codes(caught.value.mistakes) == [("lines[4].potential", "not_a_number")]
    assert names(table) == []
    result = bring(table, spoilt, skip=True)
    assert [one.action for one in result.lines][-1] is PackAction.REFUSED
    assert names(table) == ["Lama", "Arco"]


def test_names_that_look_alike_are_refused_within_a_pack_and_against_the_book(
    table: Table,
) -> None:
    bring(table, TABLE)
    rows = "id,kind,name\nx,weapon,LАMA\ny,weapon,Scudo\nz,weapon,ScudO\nw,armour,Arco\n"
    _, wrong = book_import.try_pack(
        table.db, table.world, table.gm, FIRST_BOARD, rows.encode(), CSV
    )
    assert codes(wrong) == [
        ("lines[2].name", "piece_name_taken"),
        ("lines[4].name", "piece_name_taken"),
        ("lines[5].potential", "missing"),
    ]


def test_the_same_key_brings_a_pack_once(table: Table) -> None:
    first = bring(table, TABLE, key="una-chiave")
    assert bring(table, TABLE, key="una-chiave") == first
    assert len(book_reading.read_trail(table.db, table.gm, FIRST_BOARD)) == 4
    with pytest.raises(KeyReused):
        bring(table, TABLE.replace(",4", ",6"), key="una-chiave")


def test_only_masters_bring_packs(table: Table) -> None:
    for use_case in (book_import.try_pack, book_import.import_pack):
        more = () if use_case is book_import.try_pack else (table.key(),)
        with pytest.raises(NotFound):
            use_case(table.db, table.world, table.players["hollow"], FIRST_BOARD, b"x", CSV, *more)


def test_a_book_with_its_sheets_is_the_same_on_another_board(
    table: Table, migrated_file: Path, tmp_path: Path
) -> None:
    source = SourceOfPart(place="tools.claws", piece="lama", version=1)
    hollow = replace(HOLLOW, tools=(replace(BLADE.data, id="claws"),))
    for piece in (BLADE, ARC, CALM, SheetPiece(id="hollow", data=hollow, sources=(source,))):
        books.propose_piece(
            table.db, table.world, table.gm, FIRST_BOARD, piece, table.key(), approve=True
        )
    loose = replace(HOLLOW, name="Sciolto")
    sheets.add_sheet(table.db, table.world, table.gm, FIRST_BOARD, loose, table.key())
    text = pack_text(book_import.export_pack(table.db, table.gm, FIRST_BOARD, sheets=True))
    without = book_import.export_pack(table.db, table.players["hollow"], FIRST_BOARD, sheets=True)
    assert {one["kind"] for one in without["pieces"]} == {"tool", "bonus"}

    elsewhere = Database(f"sqlite:///{shutil.copy(migrated_file, tmp_path / 'other.sqlite3')}")
    other = set_table(elsewhere, FixedWorld())
    bring(other, text, JSON)
    same = pack_text(book_import.export_pack(other.db, other.gm, FIRST_BOARD, sheets=True))
    assert same == text
    kept = {one.name: one.id for one in sheets.list_sheets(other.db, other.gm, FIRST_BOARD)}
    found = sheets.read_sheet(other.db, other.gm, kept[HOLLOW.name])
    assert (found.sheet, found.sources) == (hollow, (source,))
    again = bring(other, text, JSON)
    assert {one.action for one in again.lines} == {PackAction.UNCHANGED}
    elsewhere.close()


def test_a_sheet_that_names_what_is_nowhere_is_refused(table: Table) -> None:
    source = SourceOfPart(place="tools.claws", piece="hollow", version=1)
    sheet = SheetPiece(id="hollow", data=HOLLOW, sources=(source,))
    text = pack_text(write_pack([sheet]))
    with pytest.raises(Malformed) as caught:
        bring(table, text, JSON)
    assert [one.code for one in caught.value.mistakes] == ["piece_unknown"]


def test_a_copy_knows_its_version_and_that_another_is_in_use(table: Table) -> None:
    bring(table, TABLE)
    source = SourceOfPart(place="tools.claws", piece="lama", version=1)
    kept = sheets.add_sheet(
        table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key(), sources=(source,)
    )
    assert kept.sources == (source,)
    bring(table, TABLE.replace(",4", ",6"))
    origin = book_copies.origins(table.db, table.gm, FIRST_BOARD, [("lama", 1), ("mai", 1)])
    assert set(origin) == {("lama", 1)}
    assert (origin["lama", 1].is_older, origin["lama", 1].in_use) == (True, 2)
    saved = sheets.save_sheet(table.db, table.world, table.gm, kept.id, HOLLOW, 1)
    assert saved.sources == (source,)
    bare = replace(HOLLOW, tools=())
    assert sheets.save_sheet(table.db, table.world, table.gm, kept.id, bare, 2).sources == ()
    for wrong, code in (
        (replace(source, piece="mai"), "piece_unknown"),
        (replace(source, place="tools.mai"), "part_unknown"),
    ):
        with pytest.raises(Malformed) as caught:
            sheets.add_sheet(
                table.db, table.world, table.gm, FIRST_BOARD, HOLLOW, table.key(), sources=(wrong,)
            )
        assert [one.code for one in caught.value.mistakes] == [code]


def test_the_schema_describes_what_is_exported(table: Table) -> None:
    judge = jsonschema_rs.validator_for(pack_schema())
    sheet = SheetPiece(id="hollow", data=HOLLOW)
    document = write_pack([BLADE, ARC, CALM, sheet])
    assert list(judge.iter_errors(document)) == []
    document["pieces"][0]["data"]["potential"] = "much"
    assert list(judge.iter_errors(document)) != []


def test_the_command_exports_imports_and_describes(
    sqlite: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARBITRO_DATABASE_URL", str(sqlite.url))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    runner = CliRunner()
    file = tmp_path / "pack.csv"
    file.write_text(TABLE, encoding="utf-8")
    tried = runner.invoke(cli.app, ["books", "import", "--dry-run", str(file)])
    assert (tried.exit_code, tried.stdout.splitlines()[-1]) == (0, "Nothing was kept.")
    assert runner.invoke(cli.app, ["books", "import", str(file)]).exit_code == 0
    written = runner.invoke(cli.app, ["books", "export"])
    assert '"id":"lama"' in written.stdout
    as_table = runner.invoke(cli.app, ["books", "export", "--format", "csv"])
    assert "lama" in as_table.stdout.splitlines()[1]
    file.write_text(f"{TABLE}x,spell,X,1\n", encoding="utf-8")
    refused = runner.invoke(cli.app, ["books", "import", str(file)])
    assert refused.exit_code == 1
    assert "kind [unknown_choice]" in refused.output
    assert runner.invoke(cli.app, ["books", "import", str(tmp_path / "mai")]).exit_code == 2
    assert '"arbitro-book/1"' in runner.invoke(cli.app, ["books", "schema"]).stdout
    assert runner.invoke(cli.app, ["books", "export", "--format", "xls"]).exit_code == 2
