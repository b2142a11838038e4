"""A whole duel of Warrior Dice through the pages, by two players, each in their own browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Site, Visitor
from tests.web.looking import look_at

MIRANDA, GREGOR = "Miranda Thorne", "Gregor il Vecchio"
# Starting roll; a Doubler that asks, and a defence; a Defence in attack; three Adders before a
# pistol; a blow that is regained in part; the claws that kill.
DICE = (9, 3, 2, 3, 5, 3, 5, 1, 1, 1, 10, 9, 3, 9, 5, 9)


def open_duel(page: Page) -> tuple[str, dict[str, str]]:
    """Open a duel of Shadow, of a printed warrior that asks and one that its owner has written."""
    page.goto("/boards/board/scenes/new/warrior_dice")
    page.get_by_label("Titolo").fill("Duello d’Ombra")
    printed = page.get_by_label("Guerriero stampato")
    printed.first.select_option(label=MIRANDA)
    printed.last.select_option(label="Gregor Kaprov")
    page.get_by_role("button", name="Scrivi un guerriero tuo").last.click()
    page.get_by_label("Nome", exact=True).fill(GREGOR)
    page.get_by_label("Forza, faccia 9, opzione 1").fill("60")
    page.get_by_label("Forza, faccia 9, opzione 1").blur()
    expect(page.get_by_text("350 punti")).to_be_visible()
    expect(page.get_by_text("Choke ha Forza 60")).to_be_visible()
    page.get_by_label("Forza, faccia 9, opzione 1").fill("10")
    page.get_by_label("Forza, faccia 9, opzione 1").blur()
    expect(page.get_by_text("Il progetto sta nei limiti.")).to_be_visible()
    page.locator("summary", has_text="Ordini permanenti").first.click()
    page.get_by_label("Doubler: quale dado si tiene").first.select_option("ask")
    page.locator("summary", has_text="Da una campagna").first.click()
    page.get_by_label("XP che possiede").first.fill("5")
    page.get_by_label("Duello d’Ombra").select_option("yes")
    page.get_by_label("Campo di battaglia").select_option("none")
    page.locator("summary", has_text="Dadi, lingua").click()
    page.get_by_label("Per quante ore i primi dadi").fill("0")
    page.get_by_role("button", name="Apri la scena").last.click()
    expect(page.get_by_role("link", name="Alla pagina del Master")).to_be_visible()
    secrets = {
        card.get_by_role("heading").inner_text(): card.locator("input").input_value()
        for card in page.locator("section.card").all()
    }
    address = page.get_by_role("link", name="Alla pagina del Master").get_attribute("href")
    assert address is not None
    return address.removesuffix("/gm"), {
        name: re.sub(r".*/k/", "", link) for name, link in secrets.items()
    }


def decide(page: Page, scene: str, name: str, button: str, *choices: str) -> None:
    """Go to the page on which a seat decides, choose, send, and see that it was taken."""
    page.goto(scene)
    page.get_by_role("link", name=f"Decidi per {name}").click()
    for choice in choices:
        page.get_by_role("radio", name=choice).check()
    story = page.get_by_label("Il tuo racconto")
    if story.count():
        story.first.fill("Si lancia [b]avanti[/b].")
    page.get_by_role("button", name=button, exact=True).first.click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def post(page: Page) -> str:
    """Read the post that is to be pasted."""
    return page.locator("#post-text").input_value()


def test_a_shadow_duel_from_its_set_up_to_the_last_purchase(site: Site, visitor: Visitor) -> None:
    site.world.throw(DICE)
    scene, secrets = open_duel(visitor(site.owner))
    miranda, gregor = visitor(secrets[MIRANDA]), visitor(secrets[GREGOR])

    decide(miranda, scene, MIRANDA, "Accetto")
    decide(gregor, scene, GREGOR, "Accetto")
    assert f"{MIRANDA} 9, {GREGOR} 3: comincia {MIRANDA}." in post(gregor)
    gregor.goto(scene)
    expect(gregor.get_by_text("Li vedono solo chi lo gioca e il Master.")).to_have_count(1)

    look_at(visitor(site.owner), f"{scene}/gm")
    miranda.goto(scene)
    miranda.get_by_role("link", name=f"Decidi per {MIRANDA}").click()
    miranda.wait_for_url("**/turn/**")
    turn = miranda.url
    look_at(miranda, scene, turn)
    miranda.goto(turn)
    miranda.wait_for_load_state("networkidle")
    miranda.get_by_role("button", name="Anteprima").click()
    expect(miranda.locator("#preview")).to_contain_text("I dadi cadono quando lo mandi.")
    decide(miranda, scene, MIRANDA, "Attacca")
    assert "2 Doubler: 3 Dodge 30 / 5 Claws 30" in post(miranda)
    look_at(miranda, turn)
    decide(miranda, scene, MIRANDA, "Rispondi", "il secondo dado: Claws 30")
    assert "[b]Attacco[/b]: … > 2 Doubler: [s]3 Dodge 30[/s] > [b]5 Claws 30[/b]" in post(miranda)
    decide(gregor, scene, GREGOR, "Attacca")
    owner = visitor(site.owner)
    look_at(owner, f"/boards/board/desk/{scene.rpartition('/')[2]}/5")
    expect(owner.locator("#override [name=change] option")).to_have_text(["PF"])
    decide(miranda, scene, MIRANDA, "Attacca")
    assert "[b]0 Sleeve Pistol 30 = 60[/b]" in post(miranda)
    decide(gregor, scene, GREGOR, "Rispondi", "Continua a combattere")
    decide(gregor, scene, GREGOR, "Attacca")
    decide(miranda, scene, MIRANDA, "Attacca")
    assert f"[b]{GREGOR} è a 0 PF: vince {MIRANDA}, in 5 turni.[/b]" in post(miranda)

    decide(gregor, scene, GREGOR, "Riforma", "Fanged Bite")
    look_at(miranda, turn)
    miranda.get_by_label("Acquisto 1").select_option("absorb:Fanged Bite")
    miranda.get_by_label("Su quale faccia").select_option("4")
    miranda.get_by_role("button", name="Decidi", exact=True).click()
    expect(miranda.get_by_text("Accettato.")).to_be_visible()
    assert "Fanged Bite" in post(miranda)

    gregor.goto(scene)
    expect(gregor.get_by_text("Finita")).to_be_visible()
    expect(gregor.locator("article.fighter").first).to_contain_text("Vincitore")
    expect(gregor.locator("article.fighter").first).to_contain_text("Valore in punti: 300 → 310")
    expect(gregor.locator("article.fighter").last).to_contain_text("Valore in punti: 300 → 290")
