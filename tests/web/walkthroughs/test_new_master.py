"""A Master who is new here, on a clean install, from the sign-up to a summary that anybody opens.

By pages only: whoever plays has read the README, and goes where the pages lead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from tests.support.people import PASSWORD
from tests.web.conftest import Site, Visitor
from tests.web.test_play import copied

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}


@dataclass
class Hand:
    """Somebody's browser, which counts what they press and which pages they see."""

    page: Page
    clicks: int = 0
    pages: int = 0
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Listen for pages that come, and for whatever one complains about."""
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("response", self._count)

    def _count(self, response: object) -> None:
        request = getattr(response, "request", None)
        if request is None or not request.is_navigation_request():
            return
        status = getattr(response, "status", 0)
        if status >= 500:
            self.wrong.append(request.url)
        self.pages += status < 300 or status >= 400

    def open(self, address: str) -> None:
        """Open an address that one was given, or the first page."""
        self.page.goto(address)
        self.look()

    def look(self) -> None:
        """Hold the page to the width of the screen, and to know where it belongs."""
        import os, re as r
        if os.environ.get("SHOTS"):
            Hand.n = getattr(Hand, "n", 0) + 1
            vp = self.page.viewport_size["width"]
            self.page.screenshot(path=f"/tmp/s8/shots/{Hand.n:02d}-{vp}.png", full_page=True)
        beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert self.page.evaluate(beyond) <= 0, self.page.url
        assert self.wrong == [], self.page.url

    def press(self, what: Locator) -> None:
        """Press something, and look at what comes."""
        self.clicks += 1
        what.click()

    def follow(self, name: str, to: str) -> None:
        """Follow a link to the page with this heading."""
        self.press(self.page.get_by_role("link", name=name).first)
        self.at(to)

    def button(self, name: str, to: str = "") -> None:
        """Press a button, and arrive at the page with this heading."""
        self.press(self.page.get_by_role("button", name=name, exact=True).last)
        if to:
            self.at(to)

    def at(self, heading: str) -> None:
        """Insist on the page with this heading."""
        expect(self.page.get_by_role("heading", level=1)).to_have_text(re.compile(heading))
        self.look()

    def fill(self, label: str, text: str) -> None:
        """Write into a field."""
        self.page.get_by_label(label, exact=True).first.fill(text)


def sign_up(hand: Hand, name: str) -> None:
    hand.fill("Nome", name)
    hand.fill("Password", PASSWORD)


def make_board(master: Hand) -> None:
    """Sign up, make a board and choose the format of its posts."""
    page = master.page
    master.open("/")
    master.follow("Iscriviti", "Iscriviti")
    sign_up(master, "Yuna")
    master.button("Crea l'account", "Arbitro")
    master.follow("Crea una board", "Crea una board")
    master.fill("Nome della board", "Soul Society")
    master.button("Crea la board", "Soul Society")
    expect(page.get_by_role("heading", name="Primi passi")).to_be_visible()
    master.follow("scegli il formato", "Impostazioni")
    page.get_by_label("Formato dei post").select_option(label="ForumFree e ForumCommunity")
    master.button("Salva la board", "Impostazioni")
    expect(page.get_by_text("Salvato.")).to_be_visible()


def fill_the_book(master: Hand) -> None:
    """Put a technique into the book of the board, and approve it."""
    page = master.page
    master.follow("Soul Society", "Soul Society")
    master.follow("Metti nel libro una tecnica", "Proponi")
    master.fill("Nome", "Zanna del Vento")
    master.fill("Costo in PE", "5")
    page.get_by_label("per attaccare o contrattaccare").check()
    master.fill("Potenziale", "12")
    master.fill("Bonus Statistica", "7")
    master.button("Proponi", "Zanna del Vento")
    master.button("Approva la versione 1", "Zanna del Vento")
    expect(page.get_by_text("in uso").first).to_be_visible()


def write_sheets(master: Hand) -> None:
    """Write the sheets of two fighters, with the technique of the book."""
    page = master.page
    master.follow("Scrivi una scheda che la copi", "Scheda nuova")
    for name in ("Akane", "Tetsuo"):
        master.fill("Nome", name)
        master.fill("Punti Vita (massimo)", "100")
        master.fill("Punti Energia (massimo)", "50")
        master.button("Trova")
        master.button("Copia Zanna del Vento")
        expect(page.get_by_text("Dal libro:")).to_be_visible()
        master.button("Salva la scheda", name)
        if name == "Akane":
            master.follow("Scrivi un'altra scheda", "Scheda nuova")


def invite(master: Hand) -> str:
    """Make the link by which both players come onto the board."""
    page = master.page
    master.follow("Torna alla board", "Soul Society")
    master.follow("Invita i tuoi giocatori", "Membri")
    master.fill("Quante persone", "2")
    master.button("Crea un link", "Membri")
    expect(page.get_by_text("Manda questo link")).to_be_visible()
    return page.get_by_label("Link", exact=True).input_value()


def accept(player: Hand, link: str, name: str) -> None:
    """Open an invitation, sign up by it, and arrive on the board."""
    player.open(link)
    player.at("Hai un invito")
    sign_up(player, name)
    player.button("Crea l'account e accetta", "Soul Society")


def open_scene(master: Hand) -> dict[str, str]:
    """Open a scene with both, and give the link of each seat."""
    page = master.page
    master.follow("Soul Society", "Soul Society")
    master.follow("Apri una scena", "Apri una scena")
    master.fill("Titolo", "Duello al tramonto")
    for index, name in enumerate(("Akane", "Tetsuo")):
        page.locator(f'[name="entrants.{index}.~sheet"]').select_option(label=name)
    master.button("Apri la scena", "Duello al tramonto")
    return {
        name: page.locator("section.card").filter(has_text=name).locator("input").input_value()
        for name in ("Akane", "Tetsuo")
    }


def take_seat(player: Hand, link: str, name: str) -> None:
    """Open the link of a seat, and keep it in the account."""
    player.open(link)
    player.button("Entra e tienilo nel mio account", "Duello al tramonto")


def test_a_new_master(site: Site, visitor: Visitor) -> None:
    master = Hand(visitor(viewport=DESKTOP))
    make_board(master)
    fill_the_book(master)
    write_sheets(master)
    link = invite(master)
    players = {name: Hand(visitor(viewport=PHONE)) for name in ("Akane", "Tetsuo")}
    for name, person in zip(players, ("Rin", "Sol"), strict=True):
        accept(players[name], link, person)
    links = open_scene(master)
    for name, player in players.items():
        take_seat(player, links[name], name)
