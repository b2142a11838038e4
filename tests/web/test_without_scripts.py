"""Without scripts: everything that matters still works, one page after the other."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from app.services.shapes import (
    Roller,
)
from tests.web.conftest import Site, Visitor


def test_a_link_is_opened_and_a_turn_is_sent(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel(Roller.FORUM)
    page = visitor(duel.seats["hollow"], java_script_enabled=False)
    page.get_by_role("link", name="Scrivi il turno di Hollow").click()
    page.get_by_role("radio", name="Attacco", exact=True).check()
    page.get_by_label("Con che cosa, contro chi").select_option(label="Artigli Affilati (0 PE)")
    page.get_by_role("radio", name="Arti").check()
    page.get_by_label("Il tuo racconto").last.fill("Senza script.")
    page.get_by_role("button", name="Anteprima").last.click()
    expect(page.locator("#preview")).to_contain_text("scegli braccia o gambe")
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_role("alert")).to_contain_text("scegli braccia o gambe")
    expect(page.get_by_label("Il tuo racconto").last).to_have_value("Senza script.")
    page.get_by_label("Quali arti").select_option(label="Braccia")
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    expect(page.get_by_label("Testo da incollare nel forum")).to_have_value(re.compile(r"\[dice="))
    page.get_by_label(re.compile(r"Dado 1: 1d12")).fill("11")
    page.get_by_role("button", name="Consegna i dadi").click()
    expect(page.get_by_text("Dadi tirati dal forum, numeri scritti a mano.").first).to_be_visible()


def test_a_sheet_is_written_row_by_row(site: Site, visitor: Visitor) -> None:
    page = visitor(site.owner, java_script_enabled=False)
    page.goto("/boards/board/sheets/new")
    page.get_by_label("Nome", exact=True).first.fill("Senza Script")
    page.get_by_label("Punti Vita (massimo)").fill("50")
    page.get_by_label("Punti Energia (massimo)").fill("20")
    page.get_by_role("button", name="Aggiungi una tecnica o un'arma").click()
    page.locator('[name="tools.0.name"]').fill("Lama")
    page.get_by_role("checkbox", name="per attaccare").check()
    page.get_by_label("Genere di effetto da aggiungere").select_option(label="Stack")
    page.get_by_role("button", name="Aggiungi questo effetto").click()
    page.get_by_label("Quante Stack").fill("molte")
    page.get_by_role("button", name="Salva la scheda").last.click()
    expect(page.get_by_role("alert")).to_contain_text("Questo non è un numero")
    expect(page.locator('[id="e-tools.0.effects.0.count"]')).to_contain_text("non è un numero")
    page.get_by_label("Quante Stack").fill("2")
    page.get_by_role("button", name="Salva la scheda").last.click()
    expect(page.get_by_text("Salvato.")).to_be_visible()
    page.goto("/boards/board/sheets")
    page.get_by_role("link", name="Senza Script").click()
    expect(page.locator('[name="tools.0.name"]')).to_have_value("Lama")
    expect(page.locator('[name="tools.0.effects.0.count"]')).to_have_value("2")
