"""Every page in both themes, on a phone and on a desk: nothing for axe, nothing off the edge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from app.ops.casebook import casebook
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Figures,
    Turn,
)
from app.rulesets.guida.terms import Action, Aim, Claim
from app.services import summaries
from app.services.shapes import (
    Roller,
)
from tests.integration.test_many import pack
from tests.support.ledgers import short
from tests.web.conftest import Duel, Site, Visitor
from tests.web.looking import WIDTHS, faults

LONG = (
    "/rules",
    "/cases",
    "/docs/errors",
    "/boards/board/options",
)  # the same rows by the hundred: looked at on a phone only
LESSON = (
    "[dice=1d12+6]Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): (+2 [Raggio Corto], "
    "+2 [Bonus Arma] -1 [Mirato Arti] +6 [Destrezza])[/dice]"
)


def play_a_little(site: Site, page: Page) -> tuple[Duel, Duel]:
    """Play an attack, a guard, a claim and a turn that waits, so that pages have much to show."""
    duel, forum = site.open_duel(), site.open_duel(Roller.FORUM)
    claws = Attack(target="quincy", tool="claws", aim=Aim.HEAD)
    site.decide(duel, Turn(by="hollow", main=claws, figures=Figures(hp=200, ep=100)))
    incoming = site.view(duel).incoming[0].id
    guard = Defence(action=Action.GUARD, against=(incoming,), tool="bow")
    bow = Attack(target="hollow", tool="bow", claims=(Claim.SURPRISE,))
    figures = Figures(hp=170, ep=120)
    site.decide(duel, Turn(by="quincy", defences=(guard,), main=bow, figures=figures))
    line = {"combatant": "hollow", "change": "hp", "amount": -3, "reason": "Una caduta."}
    site.decide(duel, {"kind": "manual", "by": "hollow", **line})
    site.decide(forum, Turn(by="hollow", main=claws))
    for secret in (*duel.seats.values(), duel.gm, forum.seats["hollow"]):
        page.goto(f"/k/{secret}")
        page.wait_for_url(lambda url: "/k/" not in url)
    return duel, forum


def paste_dice(page: Page) -> None:
    """Let a post be read that shows nothing of what is awaited."""
    page.get_by_label("Il post come lo mostra il forum").fill("1d12+3: 4")
    page.get_by_role("button", name="Leggi i dadi").click()
    page.get_by_role("table", name="Ciò che si è letto").wait_for()


def teach(page: Page) -> None:
    """Teach the board how its forum shows a roll."""
    page.get_by_label("Un tiro, copiato dalla pagina").fill("Punch » 1d12+6 » 8 + 6 » 14")
    page.get_by_label("La sua etichetta").fill("Punch")
    page.get_by_label("Che cosa è stato tirato").fill("1d12+6")
    page.get_by_label("Numero naturale").fill("8")
    page.get_by_label("Totale").fill("14")
    page.get_by_role("button", name="Impara da qui").click()
    page.get_by_role("button", name="Dimenticalo").wait_for()


def visits(site: Site, page: Page) -> list[tuple[str, Callable[[Page], Any] | None]]:
    """List the pages to look at, and what to do on them first."""
    for case in casebook().cases:  # once in a process: the page of the cases waits for all of them
        casebook().outcome(case)
    site.keep_sheets()
    site.keep_precedent()
    duel, forum = play_a_little(site, page)
    fresh = site.open_duel()
    wild = pack()
    hunt = site.open_duel(entrants=wild.entrants, distances=wild.distances, first="wolf1")
    site.decide(hunt, Turn(by="wolf1", main=Attack(target="quincy", tool="claws")))
    page.goto(f"/k/{hunt.gm}")
    page.wait_for_url(lambda url: "/k/" not in url)
    page.goto(f"/k/{fresh.seats['hollow']}")
    page.wait_for_url(lambda url: "/k/" not in url)

    def press(name: str) -> Callable[[Page], None]:
        return lambda page: page.get_by_role("button", name=name).last.click()

    def check_tag(page: Page) -> None:
        page.get_by_label("Tag o post").fill(LESSON)
        press("Controlla")(page)
        expect(page.get_by_text("i fattori elencati danno +9")).to_be_visible()

    def check_ledger(page: Page) -> None:
        ledger = short()
        file = {"name": "ledger.jsonl", "mimeType": "text/plain", "buffer": ledger.data}
        page.get_by_label("Il verbale che hai scaricato").set_input_files([file])
        page.get_by_label("L’impronta dell’ultimo post").fill(f"{ledger.head[:-1]}g")
        press("Controlla")(page)
        expect(page.get_by_text("Non tutto torna.")).to_be_visible()
        expect(page.get_by_text("I dadi, tirati di nuovo")).to_be_visible()

    def make_feed(page: Page) -> None:
        press("Crea l’indirizzo")(page)
        page.locator("#feed-address").wait_for()

    def empty_scene(page: Page) -> None:
        page.get_by_label("Titolo").fill("Senza nessuno")
        press("Apri la scena")(page)
        expect(page.get_by_role("alert")).to_be_visible()

    def paste_thread(page: Page) -> None:
        page.get_by_label("Il post, copiato").fill("PV: 190/200\n" + LESSON + "\n+++\nChi lo sa.")
        press("Leggi i post")(page)
        expect(page.get_by_text("Come stanno tutti")).to_be_visible()

    def compare_post(page: Page) -> None:
        page.get_by_label("Post, copiato").fill("PV: 190/200\nRegistro\nUn urlo: -7 PE\n" + LESSON)
        press("Confronta")(page)
        expect(page.get_by_text("numeri sono diversi")).to_be_visible()

    def throw_and_seal(page: Page) -> None:
        page.get_by_label("Che cosa vale da adesso").fill("C'è una trappola.")
        press("Sigilla")(page)
        page.get_by_label("Per che cosa").fill("Chi la nota?")
        page.get_by_label("Facce di ognuno").fill("1")
        press("Tira")(page)
        expect(page.get_by_role("alert")).to_be_visible()

    def share(page: Page) -> None:
        expect(page.get_by_role("heading", name="Da incollare")).to_be_visible()

    summary = summaries.share(site.db, site.world, site.principal, duel.id, site.world.token())
    return [
        ("/", None),
        ("/boards/board/sheets", None),
        ("/boards/board/sheets/new", None),
        ("/boards/board/sheets", lambda page: page.get_by_role("link", name="Hollow").click()),
        ("/tags", check_tag),
        ("/rules", None),
        ("/rules/GC-5.3", None),
        ("/rules/AMB-18", None),
        ("/rules/GC-11.22", None),
        ("/rules?q=schivata", None),
        ("/cases", None),
        ("/cases/A-5-1", None),
        ("/cases/A-T-1", None),
        ("/docs/runner", None),
        ("/docs/errors", None),
        ("/boards/board/settings", None),
        ("/boards/board/options", None),
        ("/boards/board/options?q=AMB-18", None),
        ("/boards/board/dialects", None),
        ("/boards/board/pattern", teach),
        ("/boards/board/template", None),
        ("/boards/board/precedents", None),
        ("/boards/board/time", make_feed),
        ("/inbox", None),
        ("/inbox/settings", make_feed),
        ("/mail/something-that-opens-nothing", None),
        ("/zone", None),
        ("/verify", check_ledger),
        ("/boards/board/scenes/new", empty_scene),
        ("/boards/board/scenes/import", None),
        ("/boards/board/scenes/import", paste_thread),
        (duel.path, None),
        (f"{duel.path}/gm", None),
        (f"{hunt.path}/strip?from=wolf3", None),
        (f"{hunt.path}/several", None),
        (f"{hunt.path}/joint/1/1", None),
        (f"{duel.path}/entries/2", None),
        (f"{duel.path}/entries/1/compare", compare_post),
        (f"{duel.path}/luck", None),
        (f"{duel.path}/timeline", None),
        (f"{duel.path}/log", None),
        (f"{duel.path}/share", share),
        (f"/s/{summary.token}", None),
        (f"{duel.path}/sheet/hollow/paper", None),
        (f"{duel.path}/clock", None),
        (f"{duel.path}/dice", throw_and_seal),
        (f"{fresh.path}/dice", None),
        (f"{forum.path}/dice", None),
        (f"/verify?scene={duel.id}", None),
        (duel.turn("hollow"), None),
        (fresh.turn("hollow"), None),
        (f"{fresh.path}/sheet/hollow", None),
        (f"{forum.path}/entries/1", paste_dice),
        ("/k/something-that-opens-nothing", lambda page: page.wait_for_url("**")),
        ("/nowhere", None),
    ]


def test_no_page_has_anything_for_axe_loads_from_elsewhere_or_breaks_a_policy(
    site: Site, visitor: Visitor
) -> None:
    page = visitor(site.owner)
    seen: list[str] = []
    wrong: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda said: wrong.append(said.text) if "Policy" in said.text else None)
    for path, prepare in visits(site, page):
        page.goto(path)
        if prepare is not None:
            prepare(page)
        wrong += faults(page, path, WIDTHS[: 1 if path in LONG else None])
    assert wrong == []
    assert [url for url in seen if not url.startswith((site.base, "data:"))] == []


def test_the_theme_can_be_chosen_and_stays(site: Site, visitor: Visitor) -> None:
    page = visitor(color_scheme="light")
    page.goto("/")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.get_by_label("Tema").select_option("dark")
    dark = page.evaluate(ground)
    assert dark != light
    page.goto("/rules")
    assert page.evaluate(ground) == dark
    page.get_by_label("Tema").select_option("auto")
    assert page.evaluate(ground) == light


def test_a_turn_can_be_sent_by_keyboard_alone(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    page.goto(duel.path)
    page.keyboard.press("Tab")
    expect(page.get_by_text("Vai al contenuto")).to_be_focused()
    page.get_by_role("link", name="Scrivi il turno di Hollow").focus()
    page.keyboard.press("Enter")
    page.get_by_label("I tuoi PV adesso").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "main.kind":
            break
    page.keyboard.press("Space")
    expect(page.get_by_role("radio", name="Attacco", exact=True)).to_be_checked()
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Corpo")).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").strip() == "Manda il turno":
            break
    page.keyboard.press("Enter")
    expect(page.get_by_text("Accettato.")).to_be_visible()


def test_enter_in_a_field_previews_and_decides_nothing(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    page.goto(duel.turn("hollow"))
    page.get_by_label("I tuoi PV adesso").fill("cento")
    page.keyboard.press("Enter")
    expect(page.locator("#preview")).to_contain_text("1 cosa da correggere")
    expect(page.get_by_label("I tuoi PV adesso")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#announcer")).to_have_text("1 cosa da correggere")
    page.goto(duel.path)
    expect(page.get_by_text("Non è ancora stato deciso niente.")).to_be_visible()


def test_a_copy_that_the_browser_forbids_selects_the_text(site: Site, visitor: Visitor) -> None:
    duel = site.open_duel()
    page = visitor(duel.seats["hollow"])
    page.goto(duel.turn("hollow"))
    page.get_by_role("button", name="Manda il turno").click()
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')); }")
    page.get_by_role("button", name="Copia il post").click()
    expect(page.get_by_text("Il testo è selezionato").first).to_be_visible()
    chosen = page.evaluate(
        "document.activeElement.value.slice(0, document.activeElement.selectionEnd)"
    )
    assert chosen == page.get_by_label("Testo da incollare nel forum").input_value()


def test_the_masters_queue_goes_by_keyboard(site: Site, visitor: Visitor) -> None:
    page = visitor(site.owner)
    duel, _ = play_a_little(site, page)
    page.goto(f"{duel.path}/gm")
    page.keyboard.press("j")
    first = page.locator("[data-queue-item]").first
    expect(first).to_be_focused()
    expect(first).to_contain_text("170")
    page.keyboard.press("o")
    expect(first.locator("details").first).to_have_attribute("open", "")
    page.keyboard.press("x")
    expect(first.locator("[data-seen]")).to_be_visible()
    page.keyboard.press("j")
    expect(page.locator("[data-queue-item]").nth(1)).to_be_focused()
    page.reload()
    expect(page.locator("[data-queue-item]").first.locator("[data-seen]")).to_be_visible()
