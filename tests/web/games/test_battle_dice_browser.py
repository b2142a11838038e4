"""A whole battle in browsers: opened by a Master, mustered, commanded, asked and lost by two."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from app.posts.digest import find_digests
from tests.web.conftest import Site, Visitor
from tests.web.games.battles import LIST, let
from tests.web.looking import look_at

HERO = {"dragon": "Dragão (Drago)", "archmage": "Arquimago (Arcimago)"}


def opened(site: Site, visitor: Visitor) -> tuple[str, list[str]]:
    """Let the owner open a battle; give its address and the links of the players."""
    page = visitor(site.owner)
    page.goto("/boards/board/scenes/new")
    page.locator("main").get_by_role("link", name="Battle Dice (Guerra dos Dados)").click()
    page.get_by_label("Titolo").fill("La pianura")
    page.get_by_label("Nome del giocatore 1").fill("Ada la Rossa")
    page.get_by_label("Nome del giocatore 2").fill("Bo")
    expect(page.get_by_label("D8 Arqueiros (Arcieri)").first).to_be_hidden()
    page.get_by_role("button", name="Apri la scena").last.click()
    expect(page.locator("input[value*='/k/']")).to_have_count(3)
    links = [str(one.get_attribute("value")) for one in page.locator("input[value*='/k/']").all()]
    address = page.locator("a[href$='/gm']").first.get_attribute("href")
    assert address is not None
    return address.removesuffix("/gm"), [link.rpartition("/k/")[2] for link in links[1:]]


def muster(page: Page, scene: str, seat: str) -> None:
    """Write an army list, see at once what is wrong with it, mend it and send it."""
    page.goto(scene)
    page.get_by_role("link", name="Decidi per").click()
    units, hero = LIST[seat]
    for kind, count in units.items():
        page.locator(f"[name='army.units.{kind}']").fill(count)
    expect(page.locator("#preview-muster")).to_contain_text("nessun tipo di eroe")
    page.get_by_label("Tipo di tutti i tuoi eroi").select_option(label=HERO[hero])
    expect(page.locator("#preview-muster")).to_contain_text("Così il turno è valido")
    page.get_by_role("button", name="Schiera questo esercito").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def command(page: Page, turn: str, story: str, first: str = "") -> None:
    """Give the orders of a turn, the most expendable kind among them."""
    page.goto(turn)
    page.get_by_label("Il tuo racconto").first.fill(story)
    if first:
        page.get_by_text("Ordini per questo turno").click()
        page.get_by_label("Le tue perdite, 1").first.select_option(label=first)
    page.get_by_role("button", name="Dai gli ordini").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def answer(page: Page, scene: str, seat: str) -> bool:
    """Take what is ticked, where something is asked."""
    page.goto(f"{scene}/turn/{seat}")
    choose = page.get_by_role("button", name="Scegli", exact=True)
    if not choose.count():
        return False
    expect(page.get_by_role("heading", name="I dadi come stanno sul tavolo")).to_be_visible()
    choose.first.click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    return True


def test_a_battle_from_the_muster_to_the_rout(site: Site, visitor: Visitor) -> None:
    let(site, casualty_choice="ask")
    scene, secrets = opened(site, visitor)
    ada, bo = (visitor(secret) for secret in secrets)
    look_at(ada, f"{scene}/turn/p1")
    muster(ada, scene, "p1")
    bo.goto(scene)
    expect(bo.locator("main")).not_to_contain_text("Dragão")
    muster(bo, scene, "p2")
    expect(bo.locator(".post")).to_contain_text("Dragão (Drago)")
    site.world.face = 3  # a turn in which nothing happens
    command(ada, f"{scene}/turn/p1", "Tenere la linea!")
    command(bo, f"{scene}/turn/p2", "Ferme le lance.")
    expect(bo.get_by_role("heading", name="Etapa de Combate / Mischia")).to_be_visible()
    bo.goto(scene)
    expect(bo.get_by_role("heading", name="Turno 2")).to_be_visible()
    look_at(bo, scene, f"{scene}/turn/p2")
    look_at(visitor(site.owner), f"{scene}/gm")
    site.world.face = 7
    command(ada, f"{scene}/turn/p1", "Avanti!", first="D12 Conjuradores (Incantatori)")
    command(bo, f"{scene}/turn/p2", "Tirate!")
    look_at(ada, f"{scene}/turn/p1")  # where it is asked which dice are lost
    for _ in range(10):
        answered = [answer(page, scene, seat) for seat, page in (("p1", ada), ("p2", bo))]
        if not any(answered):
            break
    ada.goto(scene)
    expect(ada.get_by_role("heading", name="Com'è finita")).to_be_visible()
    expect(ada.locator(".notice--good")).to_contain_text("Debandada (Rotta)")
    ada.set_viewport_size({"width": 360, "height": 800})
    assert ada.evaluate("document.documentElement.scrollWidth") == 360
    ada.locator("article.entry h3 a").first.click()
    post = ada.locator("#post-text").input_value()
    look_at(ada, scene, ada.url)
    assert "vince" in post
    assert find_digests(post)[0].state == "unchanged"
