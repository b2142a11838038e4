"""The book of a board as players and Masters meet it: proposed, sent back, approved, copied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from playwright.sync_api import Page, expect

from app.persistence.tables import FIRST_BOARD
from app.services import book_import, books
from app.services.book_packs import CSV
from app.services.book_shapes import ToolPiece
from tests.support.fights import CLAWS
from tests.web.conftest import Site, Visitor
from tests.web.looking import faults

TABLE = "id;kind;name;attacks;potential;stat_bonus;ep\nlama;weapon;Lama;x;12;7,5;0\n"


def put_in(site: Site, table: str = TABLE) -> None:
    """Put a table into the book, straight through the services."""
    book_import.import_pack(
        site.db, site.world, site.principal, FIRST_BOARD, table.encode(), CSV, site.world.token()
    )


def test_a_player_proposes_the_master_sends_it_back_and_approves_it_mended(
    site: Site, visitor: Visitor
) -> None:
    duel = site.open_duel()
    player = visitor(duel.seats["hollow"], java_script_enabled=False)
    player.goto("/boards/board/books")
    expect(player.get_by_text("Il libro è vuoto.")).to_be_visible()
    player.get_by_role("link", name="Proponi una tecnica o un'arma").click()
    player.get_by_label("Nome", exact=True).fill("Lama di Luna")
    player.get_by_label("Potenziale", exact=True).fill("molto")
    player.get_by_role("button", name="Aggiungi un bonus").click()
    player.locator('[name="data.modifiers.0.name"]').fill("Filo")
    player.locator('[name="data.modifiers.0.points"]').fill("+2")
    player.get_by_role("button", name="Proponi").last.click()
    expect(player.get_by_role("alert")).to_contain_text("Questo non è un numero")
    player.get_by_label("Potenziale", exact=True).fill("7,5")
    player.get_by_role("button", name="Proponi").last.click()
    expect(player.get_by_role("heading", name="Lama di Luna")).to_be_visible()
    expect(player.get_by_text("aspetta il Master").first).to_be_visible()
    expect(player.get_by_role("button", name="Approva")).to_have_count(0)
    address = player.url

    master = visitor(duel.gm, java_script_enabled=False)
    master.goto("/boards/board/books")
    master.get_by_role("link", name="1 proposta aspetta te.").click()
    master.get_by_role("link", name="Lama di Luna").click()
    master.get_by_label("Segna Potenziale").check()
    master.get_by_label("Perché torna indietro").fill("È poco.")
    master.get_by_role("button", name="Rimandala").click()
    expect(master.get_by_text("da rivedere").first).to_be_visible()

    player.goto(address)
    expect(player.get_by_text("È poco.").first).to_be_visible()
    player.get_by_role("link", name="Correggi").click()
    expect(player.get_by_role("link", name="Potenziale")).to_have_attribute(
        "href", "#f-data.potential"
    )
    player.get_by_label("Potenziale", exact=True).fill("9")
    player.get_by_role("button", name="Proponi").last.click()

    master.goto(address)
    expect(master.get_by_role("row", name="Potenziale 7.5 9")).to_be_visible()
    master.get_by_role("button", name="Approva la versione 2").click()
    expect(master.get_by_text("in uso").first).to_be_visible()
    master.goto("/boards/board/books/trail")
    expect(master.get_by_role("listitem").filter(has_text="Lama di Luna")).to_have_count(4)


def test_a_piece_is_copied_onto_a_sheet_and_brought_to_the_newer_version(
    site: Site, visitor: Visitor
) -> None:
    put_in(site)
    page = visitor(site.owner, java_script_enabled=False)
    page.goto("/boards/board/sheets/new")
    page.get_by_label("Cerca nel libro").fill("lama")
    page.get_by_role("button", name="Trova").click()
    page.get_by_role("button", name="Copia Lama").click()
    expect(page.locator('[name="tools.0.name"]')).to_have_value("Lama")
    expect(page.locator('[name="tools.0.stat_bonus"]')).to_have_value("7.5")
    page.get_by_label("Nome", exact=True).first.fill("Chi Copia")
    page.get_by_label("Punti Vita (massimo)").fill("50")
    page.get_by_label("Punti Energia (massimo)").fill("20")
    page.get_by_role("button", name="Salva la scheda").last.click()
    expect(page.get_by_text("Salvato.")).to_be_visible()
    address = page.url
    expect(page.get_by_role("button", name="Aggiorna")).to_have_count(0)

    put_in(site, TABLE.replace(";12;", ";14;"))
    page.goto(address)
    page.locator("#f-tools\\.0 summary").click()
    expect(page.get_by_text("ora è in uso la versione 2")).to_be_visible()
    expect(page.locator('[name="tools.0.potential"]')).to_have_value("12")
    page.get_by_role("button", name="Aggiornale tutte").click()
    expect(page.locator('[name="tools.0.potential"]')).to_have_value("14")
    page.get_by_role("button", name="Salva la scheda").last.click()
    expect(page.get_by_role("button", name="Aggiornale tutte")).to_have_count(0)


def test_a_table_is_looked_at_mended_and_imported(site: Site, visitor: Visitor) -> None:
    put_in(site)
    page = visitor(site.owner)
    page.goto("/boards/board/books/import")
    file = {"name": "libro.csv", "mimeType": "text/csv"}
    spoilt = f"{TABLE.replace(';12;', ';14;')}arco;weapon;Sonìdo;x;1.000;;\n"
    page.get_by_label("Un file").set_input_files([{**file, "buffer": spoilt.encode("cp1252")}])
    page.get_by_role("button", name="Mostra che cosa farebbe").click()
    expect(page.get_by_role("alert")).to_contain_text("1 cosa da correggere")
    expect(page.get_by_role("row", name="3 potential")).to_be_visible()
    expect(page.get_by_role("row", name="2 Lama")).to_contain_text("Potenziale: 12 → 14")
    page.get_by_role("button", name="Importa", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("1 cosa da correggere")
    page.get_by_label("Oppure incollala qui").fill(spoilt.replace("1.000", "10"))
    page.get_by_role("button", name="Mostra che cosa farebbe").click()
    page.get_by_role("button", name="Importa", exact=True).click()
    expect(page.get_by_text("È nel libro.")).to_be_visible()
    page.goto("/boards/board/books?q=sonido")
    expect(page.get_by_role("row", name="Sonìdo")).to_be_visible()


def test_a_whole_sheet_goes_from_proposal_to_the_stored_sheets(
    site: Site, visitor: Visitor
) -> None:
    put_in(site)
    duel = site.open_duel()
    player = visitor(duel.seats["hollow"], java_script_enabled=False)
    player.goto("/boards/board/books/new?kind=sheet")
    player.get_by_role("button", name="Trova").click()
    player.get_by_role("button", name="Copia Lama").click()
    player.get_by_label("Nome", exact=True).first.fill("Il Nuovo")
    player.get_by_label("Punti Vita (massimo)").fill("50")
    player.get_by_label("Punti Energia (massimo)").fill("20")
    player.get_by_role("button", name="Proponi").last.click()
    expect(player.get_by_role("heading", name="Il Nuovo")).to_be_visible()
    other = visitor(duel.seats["quincy"], java_script_enabled=False)
    other.goto(player.url.removeprefix(site.base))
    expect(other.get_by_text("Una scheda intera la leggono")).to_be_visible()
    owner = visitor(site.owner, java_script_enabled=False)
    owner.goto(player.url.removeprefix(site.base))
    owner.get_by_role("button", name="Approva la versione 1").click()
    owner.get_by_role("link", name="la scheda conservata").click()
    owner.locator("#f-tools\\.0 summary").click()
    expect(owner.get_by_text("Dal libro:")).to_be_visible()


def test_a_stranger_is_told_where_to_begin_and_sees_nothing(site: Site, visitor: Visitor) -> None:
    books.propose_piece(
        site.db,
        site.world,
        site.principal,
        FIRST_BOARD,
        ToolPiece(data=replace(CLAWS, id="lama")),
        site.world.token(),
        approve=True,
    )
    page = visitor()
    page.goto("/boards/board/books")
    expect(page.get_by_text("Apri il link che ti è stato dato")).to_be_visible()
    for path in (
        "/boards/board/books/pieces/lama",
        "/boards/board/books/export.csv",
        "/boards/board/books/trail",
        "/boards/board/books/import",
    ):
        answer = page.goto(path)
        assert answer is not None
        assert answer.status == 404, path


def test_no_page_of_the_book_has_anything_for_axe_or_runs_off_the_edge(
    site: Site, visitor: Visitor
) -> None:
    page = visitor(site.owner, bypass_csp=True)
    page.goto("/boards/board/books")  # empty
    found = faults(page, "empty")
    put_in(site)
    put_in(site, TABLE.replace(";12;", ";14;"))
    books.propose_version(
        site.db,
        site.world,
        site.principal,
        FIRST_BOARD,
        "lama",
        ToolPiece(data=replace(CLAWS, name="Lama")),
        4,
    )

    def search(page: Page) -> None:
        page.get_by_role("button", name="Trova").click()
        page.get_by_role("button", name="Copia Lama").click()
        expect(page.get_by_text("Dal libro:")).to_be_visible()

    def spoil(page: Page) -> None:
        page.get_by_label("Oppure incollala qui").fill(f"{TABLE}x;spell;X;;;;\n")
        page.get_by_role("button", name="Mostra che cosa farebbe").click()
        expect(page.get_by_role("alert")).to_be_visible()

    pages: list[tuple[str, Callable[[Page], None] | None]] = [
        ("/boards/board/books", None),
        ("/boards/board/books?q=nulla", None),
        ("/boards/board/books/pieces/lama", None),
        ("/boards/board/books/pieces/lama/edit", None),
        ("/boards/board/books/new?kind=armour", None),
        ("/boards/board/books/new?kind=bonus", None),
        ("/boards/board/books/new?kind=sheet", search),
        ("/boards/board/books/import", spoil),
        ("/boards/board/books/format", None),
        ("/boards/board/books/trail", None),
        ("/boards/board/sheets/new", search),
    ]
    for path, prepare in pages:
        page.goto(path)
        if prepare is not None:
            prepare(page)
        found += faults(page, path)
    assert found == []
