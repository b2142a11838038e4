"""Whoever is faster than the scripts loses nothing: what was typed before is told to them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Site, Visitor
from tests.web.games.test_battle_dice_browser import opened
from tests.web.test_draft import DRAFTS

STORY = "Scritto prima di ogni programma."


@contextmanager
def unheard(page: Page, address: str) -> Iterator[None]:
    """Open a page whose scripts come only when the block has ended, as over a slow line."""
    held: list[Route] = []
    page.route("**/htmx.min.js", lambda route: held.append(route))  # the modules wait for it too
    page.goto(address, wait_until="commit")
    page.locator("main form").last.wait_for()
    yield
    assert held
    assert page.evaluate("document.readyState") != "complete"
    held[0].continue_()
    page.unroute("**/htmx.min.js")
    page.wait_for_load_state()


def test_what_was_typed_before_the_scripts_came_is_previewed(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    with unheard(page, duel.turn("hollow")):
        page.get_by_label("Il tuo racconto").last.fill(STORY)
    expect(page.locator("#preview")).to_contain_text(STORY)


def test_what_was_chosen_before_the_scripts_came_is_previewed(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    with unheard(page, duel.turn("hollow")):
        page.get_by_label("Con che cosa, contro chi").select_option(label="Artigli Affilati (0 PE)")
        page.get_by_role("radio", name="Attacco", exact=True).check()
    expect(page.locator("#preview")).to_contain_text("Artigli Affilati")


def test_what_was_typed_before_the_scripts_came_is_kept_as_a_draft(
    site: Site, visitor: Visitor
) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    with unheard(page, duel.turn("hollow")):
        page.get_by_label("Il tuo racconto").last.fill(STORY)
    page.wait_for_function(f"() => ({DRAFTS}).length === 1")
    page.goto(duel.turn("hollow"))
    expect(page.get_by_label("Il tuo racconto").last).to_have_value(STORY)


def test_an_untouched_form_asks_for_nothing(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with unheard(page, duel.turn("hollow")):
        pass
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(600)  # the longest that a change waits before it is told
    assert not [url for url in asked if url.endswith("/preview")]
    assert page.evaluate(f"({DRAFTS}).length") == 0


def test_a_list_written_before_the_scripts_came_is_looked_at(site: Site, visitor: Visitor) -> None:
    scene, secrets = opened(site, visitor)
    page = visitor(secrets[0])
    with unheard(page, f"{scene}/turn/p1"):
        page.locator("[name='army.units.d4']").fill("2")
    expect(page.locator("#preview-muster")).to_contain_text("ha 2 dadi")
