"""A whole combat through the pages, by two players and whoever opened it, each in a browser."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Page, expect

from tests.web.conftest import Site, Visitor
from tests.web.looking import look_at

MOST_POSTS = 14


def open_combat(owner: Page) -> dict[str, str]:
    """Fill in the set-up as somebody would who wants a short fight; give the players' links."""
    owner.goto("/boards/board/scenes/new")
    owner.locator("main").get_by_role("link", name="Combat Dice").click()
    owner.get_by_label("Titolo").fill("Arena di Capua")
    for place, name in enumerate(("Flamma", "Spiculus")):
        fighter = owner.get_by_role("group", name=f"Combattente {place + 1}")
        fighter.get_by_label("Nome").fill(name)
        fighter.get_by_label("Che tipo di combattente").select_option(
            label="Un combattente proprio"
        )
        fighter.get_by_label("Arma 1").select_option(label="Ascia a due mani")
        fighter.get_by_role("combobox", name="Scudo").select_option(label="senza scudo")
    owner.get_by_role("button", name="Apri la scena").last.click()
    expect(owner.get_by_text("La scena è aperta")).to_be_visible()
    links = [owner.locator(f"#link-{number}").input_value() for number in (2, 3)]
    return {name: link.rpartition("/k/")[2] for name, link in zip("ab", links, strict=True)}


def send_orders(page: Page, scene: str, name: str) -> None:
    """Write sealed orders for several turns, and send them."""
    page.goto(scene)
    page.get_by_role("link", name=f"Decidi per {name}").click()
    page.get_by_role("radio", name="sempre, se mi spetta").check()
    page.get_by_role("radio", name="Un elenco mio").check()
    page.get_by_label("1. Azione").select_option(label="Ritirata")
    page.get_by_label("Quando", exact=True).first.select_option(label="Se evita un colpo")
    page.get_by_label("Questi ordini valgono per").select_option(label="10 turni")
    page.get_by_label("Il tuo racconto").fill(f"{name} alza l'ascia.")
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    page.get_by_role("button", name="Sigilla e manda").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()


def test_a_combat_is_fought_from_its_set_up_to_its_end(site: Site, visitor: Visitor) -> None:
    chance = random.Random(8)
    site.world.throw(chance.randint(1, 6) for _ in range(4000))
    owner = visitor(site.owner)
    links = open_combat(owner)
    players = {seat: visitor(secret) for seat, secret in links.items()}
    names = {"a": "Flamma", "b": "Spiculus"}
    scene = re.sub(r"[?#].*", "", players["a"].url)
    for page in players.values():  # each adds a number of its own to the dice
        page.goto(scene)
        expect(page.get_by_role("heading", name="Arena di Capua")).to_be_visible()
    players["b"].wait_for_timeout(300)
    for post in range(MOST_POSTS):
        send_orders(players["a"], scene, names["a"])
        if post == 0:
            look_at(players["b"], f"{scene}/turn/b")
            players["b"].goto(scene)
            expect(players["b"].get_by_text("ordini arrivati")).to_be_visible()
            expect(players["b"].get_by_text("alza l'ascia")).to_have_count(0)
        send_orders(players["b"], scene, names["b"])
        text = players["b"].locator("#post-text").input_value()
        assert "Spiculus alza l'ascia." in text
        assert re.search(r"Attacco \d+ (>|≤) Schivata \d+: \[b\](colpito|mancato)", text)
        if post == 0:
            look_at(owner, scene, f"{scene}/gm")
        owner.goto(scene)
        if owner.get_by_text("Il combattimento è finito").count():
            break
    expect(owner.get_by_role("heading", name="Il combattimento è finito")).to_be_visible()
    for page in players.values():
        page.goto(scene)
        expect(page.get_by_text(re.compile("Vince|Non vince nessuno"))).not_to_have_count(0)
        page.locator("article.entry").last.get_by_role("link").first.click()
        expect(page.get_by_role("heading", name="Che cosa era ordinato")).to_be_visible()
    look_at(owner, scene, owner.url, players["a"].url)
