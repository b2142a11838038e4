"""A Master who is new here, on a clean install, from the sign-up to a summary that anybody opens.

By pages only: whoever plays has read the README, and goes where the pages lead. From the sign-up to
the first turn that is adjudicated, with its question answered, the Master presses 29 links and
buttons on 27 pages: the account 2, the board and its format 4, a technique in the book 6, two
sheets 8, an invitation 3, the scene 3, the question 3. A player who was invited presses 6 on 7
pages: the account, the seat, the turn. At 15 seconds each that is nine minutes, writing included.
What stood in the way is told in STUMBLES.md.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, Response, expect

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

    def _count(self, answer: Response) -> None:
        if answer.request.is_navigation_request():
            self.pages += not 300 <= answer.status < 400
            if answer.status >= 400:
                self.wrong.append(f"{answer.status} {answer.url}")

    def open(self, address: str) -> None:
        """Open an address that one was given, or the first page."""
        self.page.goto(address)
        self.look()

    def look(self) -> None:
        """Hold the page to the width of the screen."""
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
    """Write what an account needs."""
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
    expect(page.get_by_text("Non ha ancora una categoria")).to_be_visible()
    master.follow("Proponi una versione nuova", "Zanna del Vento")
    page.get_by_label("Categoria", exact=True).select_option("D")
    master.button("Proponi", "Zanna del Vento")
    master.button("Approva la versione 2", "Zanna del Vento")
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


def post(player: Hand, name: str, *, answer: str = "", claim: str = "") -> None:
    """Write a turn by its form, look at the preview, send it, and copy the post."""
    page = player.page
    player.follow(f"Scrivi il turno di {name}", f"Turno di {name}")
    player.look()
    if answer:
        player.press(page.get_by_role("radio", name=answer).first)
    player.press(page.get_by_role("radio", name="Attacco", exact=True))
    page.get_by_label("Con che cosa, contro chi").select_option(label="Zanna del Vento (5 PE)")
    if claim:
        player.press(page.get_by_role("checkbox", name=claim))
    page.get_by_label("Il tuo racconto").last.fill("Il vento si alza.")
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    player.button("Manda il turno")
    expect(page.get_by_text("Accettato.")).to_be_visible()
    player.look()
    assert "Il vento si alza." in copied(page)


def answer_question(master: Hand) -> None:
    """Follow the notice to the question, and answer it."""
    page = master.page
    master.open("/")
    expect(page.get_by_role("banner").get_by_text("1 avviso non letto")).to_be_attached()
    master.follow("Avvisi", "Avvisi")
    master.press(page.get_by_role("button", name=re.compile("Duello al tramonto")).first)
    master.at("Pagina del Master")
    expect(page.get_by_role("banner").get_by_text("non letto")).to_have_count(0)
    form = page.locator("form:has([name=question])")
    form.get_by_label("Motivo, pubblico").fill("Lo vedeva arrivare.")
    master.press(form.get_by_role("button", name="Nega"))
    expect(page.get_by_text("Fatto: è la voce")).to_be_visible()
    master.look()


def review(master: Hand) -> None:
    """Override once, amend an earlier turn, and approve from the desk."""
    page = master.page
    master.follow("Scrivania", "Scrivania del Master")
    master.press(page.get_by_role("link", name="Akane · Turno").first)
    master.at("Akane")
    master.press(page.locator('[data-key="o"]'))
    form = page.locator("#override form").first
    form.get_by_label("Di chi").select_option(label="Tetsuo")
    form.get_by_label("Valore nuovo").fill("60")
    form.get_by_label("Motivo, pubblico").fill("Era già ferito.")
    master.press(form.get_by_role("button", name="Correggi", exact=True))
    expect(page.get_by_text("Fatto: è la voce")).to_be_visible()
    master.look()
    master.follow("Seguente", "Tetsuo")
    master.press(page.locator('[data-key="o"]'))
    form = page.locator("#override form").first
    form.get_by_label("Di chi").select_option(label="Akane")
    form.get_by_label("Valore nuovo").fill("80")
    form.get_by_label("Motivo, pubblico").fill("Partiva già stanca.")
    master.press(form.get_by_role("button", name="Mostra che cosa cambierebbe"))
    master.at("Che cosa cambierebbe")
    master.button("Correggi e rigioca")
    expect(page.get_by_text("Fatto: è la voce")).to_be_visible()
    master.look()
    for number in (3, 4, 5, 6, 7, 1):
        master.press(page.locator('[data-key="a"]').first)
        expect(page.locator("p[role=status]")).to_contain_text(f"La voce {number} è approvata")
        master.look()
    expect(page.get_by_text("Nulla ti aspetta.")).to_be_visible()


def share(master: Hand) -> str:
    """Make the link of a summary, and give it."""
    page = master.page
    master.follow("Soul Society", "Soul Society")
    master.follow("Duello al tramonto", "Duello al tramonto")
    master.follow("Pagina del Master", "Pagina del Master")
    master.follow("Condividi un riassunto", "Condividi un riassunto")
    master.button("Crea il link", "Condividi un riassunto")
    return page.get_by_label("Link", exact=True).input_value()


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
    scene = players["Akane"].page.url
    players["Akane"].open(scene)
    post(players["Akane"], "Akane", claim="Attacco a Sorpresa")
    answer_question(master)
    assert master.clicks <= 29, "it took fewer once"
    assert master.pages <= 27, "it took fewer once"
    assert (players["Akane"].clicks, players["Akane"].pages) <= (6, 7)
    for name in ("Tetsuo", "Akane") * 2 + ("Tetsuo",):
        players[name].open(scene)
        post(players[name], name, answer="Schivata")
    review(master)
    summary = share(master)
    reader = Hand(visitor(viewport=PHONE))
    reader.open(summary)
    reader.at("Duello al tramonto")
    for reason in ("Lo vedeva arrivare.", "Era già ferito.", "Partiva già stanca."):
        expect(reader.page.get_by_text(reason).first).to_be_visible()
