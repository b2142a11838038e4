"""A draft survives a closed tab and a scene that moved on; only an accepted turn ends it."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Duel, Site, Visitor

STORY = "Una lunga storia 🐉, con «virgolette» e\nuna seconda riga."
DRAFTS = "Object.keys(localStorage).filter((key) => key.startsWith('arbitro:draft:'))"


def write(page: Page, duel: Duel, story: str = STORY) -> None:
    """Write something into the form and wait until it is kept."""
    page.goto(duel.turn("hollow"))
    page.get_by_role("radio", name="Attacco", exact=True).check()
    page.get_by_label("Con che cosa, contro chi").select_option(label="Artigli Affilati (0 PE)")
    page.get_by_role("radio", name="Testa").check()
    page.get_by_label("Il tuo racconto").last.fill(story)
    expect(page.get_by_text(re.compile(r"Bozza salvata \d{2}:\d{2}"))).to_be_visible()


def holds(page: Page, story: str = STORY) -> None:
    """See that the form holds what was written."""
    expect(page.get_by_label("Il tuo racconto").last).to_have_value(story)
    expect(page.get_by_role("radio", name="Testa")).to_be_checked()
    expect(page.get_by_label("Con che cosa, contro chi")).to_have_value("quincy/claws")


def test_a_draft_comes_back_in_a_new_tab_and_says_so(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    write(page, duel)
    context = page.context
    page.close()
    page = context.new_page()
    page.goto(duel.turn("hollow"))
    holds(page)
    notice = page.locator("[data-draft-notice=restored]")
    expect(notice).to_be_visible()
    expect(page.locator("#preview")).to_contain_text("Una lunga storia")
    notice.get_by_role("button", name="Ricomincia").click()
    expect(page.get_by_label("Il tuo racconto").last).to_have_value("")
    expect(notice).to_be_hidden()
    page.wait_for_function(f"() => ({DRAFTS}).length === 0")  # a script forgets it after the load


def test_what_is_typed_in_the_last_moment_is_kept_too(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    page.goto(duel.turn("hollow"))
    page.get_by_label("Il tuo racconto").last.fill("Subito via")
    page.goto(duel.path)
    page.goto(duel.turn("hollow"))
    expect(page.get_by_label("Il tuo racconto").last).to_have_value("Subito via")


def test_an_accepted_turn_ends_its_draft(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    write(page, duel)
    assert len(page.evaluate(DRAFTS)) == 1
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    page.wait_for_function(f"() => ({DRAFTS}).length === 0")  # a script forgets it after the load
    assert "sent" not in page.url


def test_a_stale_turn_keeps_its_text_and_its_choices(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    write(page, duel)
    gm = visitor(duel.gm)
    gm.goto(f"{duel.path}/gm")
    gm.get_by_text("Correggi le distanze, chi è alle spalle di chi e chi è nascosto").click()
    gm.get_by_label("Hollow – Quincy (metri)").fill("8")
    gm.locator("details[open] [name=reason]").fill("Il ponte è più corto.")
    gm.get_by_role("button", name="Correggi le posizioni").click()
    expect(gm.get_by_text("Fatto: è la voce 1")).to_be_visible()

    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Intanto la scena è andata avanti")).to_be_visible()
    holds(page)
    expect(page.locator("[name='main.move.distances.0.metres']")).to_have_value("8")
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    page.wait_for_function(f"() => ({DRAFTS}).length === 0")  # a script forgets it after the load


def test_a_draft_for_an_older_scene_is_offered_and_brings_no_old_numbers(
    site: Site, visitor: Visitor
) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    write(page, duel)
    gm = visitor(duel.gm)
    gm.goto(f"{duel.path}/gm")
    gm.get_by_text("Correggi le distanze, chi è alle spalle di chi e chi è nascosto").click()
    gm.get_by_label("Hollow – Quincy (metri)").fill("9")
    gm.locator("details[open] [name=reason]").fill("Si era contato male.")
    gm.get_by_role("button", name="Correggi le posizioni").click()
    expect(gm.get_by_text("Fatto: è la voce 1")).to_be_visible()

    page.goto(duel.turn("hollow"))
    expect(page.get_by_label("Il tuo racconto").last).to_have_value("")
    page.get_by_role("button", name="Recuperala").click()
    holds(page)
    expect(page.locator("[name='main.move.distances.0.metres']")).to_have_value("9")


def test_two_clicks_send_one_turn(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    write(page, duel)
    page.get_by_role("button", name="Manda il turno").dblclick()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    page.goto(duel.path)
    expect(page.locator("article.entry")).to_have_count(1)
