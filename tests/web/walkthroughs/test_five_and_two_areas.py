"""Three rounds of five fighters with two control areas, on a phone, from the opening to the end.

Rin and Kaede stand in the way of a chief, who has a player too, and of two wolves of the Master's,
who begin hidden from Kaede. On a line: Rin 0, Kaede 3, the wolves 8, the chief 12.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page, expect

from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.services.sheets import add_sheet
from tests.web.conftest import Site, Visitor
from tests.web.test_play import SETTLED, copied, settled_dice
from tests.web.walkthroughs.cast import CHIEF, KAEDE, RIN, WOLF

PHONE = {"width": 360, "height": 740}
PLACES = {"Rin": "0", "Kaede": "3", "Capo": "12", "Lupo": "8"}
# What htmx says of a preview that a newer one replaced; a request that fails has another name.
REPLACED = ("htmx:afterRequest", "htmx:sendAbort")


def look(page: Page) -> None:
    """Hold a page to the width of the phone, as it comes and with everything unfolded."""
    width = "document.documentElement.scrollWidth"
    assert page.evaluate(width) <= PHONE["width"], page.url
    folds = "[...document.querySelectorAll('details:not([open])')]"
    page.evaluate(f"window.folds = {folds}; folds.forEach((fold) => (fold.open = true))")
    assert page.evaluate(width) <= PHONE["width"], f"{page.url}, unfolded"
    page.evaluate("folds.forEach((fold) => (fold.open = false))")


@dataclass
class Walk:
    """Somebody's phone, on which every page is looked at."""

    site: Site
    page: Page
    wrong: list[str] = field(default_factory=list)
    path: str = ""

    def __post_init__(self) -> None:
        """Listen for whatever a page complains about."""
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, said: object) -> None:
        text = str(getattr(said, "text", said))
        if getattr(said, "type", "") in ("error", "warning") and not text.startswith(REPLACED):
            self.wrong.append(text)

    def look(self) -> None:
        """Look at the page as it is now."""
        look(self.page)
        assert self.wrong == [], self.page.url

    def visit(self, path: str = "") -> Page:
        """Go to a page of the scene."""
        self.page.goto(self.path + path)
        self.look()
        return self.page

    def turn(self, name: str) -> Page:
        """Go the way of a player from the scene to the form of a turn."""
        self.visit().get_by_role("link", name=f"Scrivi il turno di {name}", exact=True).click()
        expect(self.page.get_by_role("heading", name=f"Turno di {name}")).to_be_visible()
        self.look()
        return self.page

    def send(self, *faces: int, gives: tuple[int, ...]) -> None:
        """Send the turn that is written, let these dice fall, and read its post's results."""
        expect(self.page.locator("#preview")).to_contain_text("Così il turno è valido")
        self.look()
        with self.dice(*faces):
            self.page.get_by_role("button", name="Manda il turno").click()
            expect(self.page.get_by_text("Accettato.")).to_be_visible()
        self.look()
        assert results(copied(self.page)) == gives

    @contextmanager
    def dice(self, *faces: int) -> Iterator[None]:
        """Let these dice fall, and no others."""
        before = len(self.site.world.thrown)
        self.site.world.throw(faces)
        yield
        assert self.site.world.thrown[before:] == list(faces)


def results(post: str) -> tuple[int, ...]:
    """Read what each die of a post comes to, its modifier included; each label adds up."""
    assert "[dice" not in post, "the forum would roll again what the service rolled"
    dice = tuple(int(found[4]) for found in SETTLED.finditer(post))
    assert len(dice) == len(list(settled_dice(post)))
    assert all(modifier == total for modifier, total in settled_dice(post)), post
    return dice


def choose(page: Page, name: str, value: str) -> None:
    """Choose one of several answers."""
    page.locator(f'[name="{name}"][value="{value}"]').check()


def pick(page: Page, name: str, value: str) -> None:
    """Choose from a list."""
    page.locator(f'select[name="{name}"]').select_option(value)


def card(page: Page, name: str) -> Locator:
    """Find the card of an attack on whoever writes the turn."""
    return page.get_by_role("group", name=re.compile(rf"^Attacco \d: {name}$"))


def unfold(page: Page, summary: str, within: str = "#turn") -> None:
    """Open what is folded away."""
    page.locator(f"{within} details:not([open]) > summary:visible", has_text=summary).first.click()


def keep_sheets(site: Site) -> None:
    """Store the sheets that the opening form chooses from."""
    for sheet in (RIN, KAEDE, CHIEF, WOLF):
        add_sheet(
            site.db, site.world, site.principal, FIRST_BOARD, encode(sheet), site.world.token()
        )


def open_scene(master: Walk) -> dict[str, str]:
    """Fill in the form that opens the scene; give the secret of each link."""
    page = master.visit("/boards/board/scenes/new")
    page.get_by_label("Titolo").fill("Cinque nel fumo")
    for rows in (3, 4):
        page.get_by_role("button", name="Aggiungi un combattente").click()
        expect(page.get_by_role("group", name=f"Combattente {rows}")).to_be_visible()
    for index, name in enumerate(PLACES):
        row = f"entrants.{index}"
        page.locator(f'[name="{row}.~sheet"]').select_option(label=name)
        page.locator(f'[name="{row}.team"]').fill("guardie" if index < 2 else "branco")
    page.locator('[name="entrants.3.copies"]').fill("2")
    page.locator('[name="entrants.3.npc"]').check()
    unfold(page, "Dadi, lingua e formato", "#scene-form")
    page.locator('[name="seal_hours"]').fill("0")
    page.locator('[name="~metres"]').fill("2")
    unfold(page, "Oppure mettili su una linea", "#scene-form")
    for index, place in enumerate(PLACES.values()):
        page.locator(f'[name="line.p{index + 1}"]').fill(place)
    unfold(page, "A combattimento iniziato: attacchi", "#scene-form")
    choose(page, "hidden", "p4/p2")
    master.look()
    page.get_by_role("button", name="Apri la scena").last.click()
    expect(page.get_by_role("heading", name="Cinque nel fumo")).to_be_visible()
    master.look()
    cards = page.locator("section.card")
    links = {
        card.get_by_role("heading").inner_text(): card.locator("input").input_value()
        for card in cards.all()
    }
    page.get_by_role("link", name="Alla pagina del Master").click()
    expect(page.get_by_role("heading", name="Pagina del Master")).to_be_visible()
    master.path = re.sub(r"/gm$", "", page.url)
    return {name: link.rpartition("/")[2] for name, link in links.items()}


def take_seats(site: Site, visitor: Visitor) -> dict[str, Walk]:
    """Let the Master open the scene, and three players enter by their links."""
    keep_sheets(site)
    master = Walk(site, visitor(site.owner, viewport=PHONE))
    links = open_scene(master)
    people = {"Master": master}
    for name in ("Rin", "Kaede", "Capo"):
        people[name] = Walk(site, visitor(links[name], viewport=PHONE), path=master.path)
    return people


def play_pack(
    master: Walk, *faces: int, main: tuple[str, str], gives: tuple[int, ...], **replies: str
) -> None:
    """Let the Master post for both wolves in one go, and read the one post."""
    page = master.visit("/gm")
    page.get_by_role("link", name="Scrivi 2 turni in una volta").click()
    expect(page.get_by_role("heading", name="Più turni in una volta")).to_be_visible()
    for number, value in enumerate(main):
        pick(page, f"turns.{number}.main", value)
    for number, value in replies.items():
        page.locator(
            f'select[name^="turns.{number[-1]}.reply."]:has(option[value="{value}"])'
        ).select_option(value)
    page.locator('[name="turns.0.story"]').fill("Il branco ringhia.")
    master.look()
    with master.dice(*faces):
        page.get_by_role("button", name="Manda i turni").click()
        expect(page.get_by_text("Accettato.")).to_be_visible()
    master.look()
    post = copied(page)
    assert "Il branco ringhia." in post
    assert post.index("Lupo 1") < post.index("Lupo 2")
    assert results(post) == gives


def first_round(people: dict[str, Walk]) -> None:
    """Two areas begin to form, a wave goes at two, the wolves strike."""
    rin = people["Rin"].turn("Rin")
    choose(rin, "main.kind", "generic_action")
    pick(rin, "main.generic_action.tool", "smoke")
    people["Rin"].send(5, gives=(15,))

    kaede = people["Kaede"].turn("Kaede")
    choose(kaede, "main.kind", "generic_action")
    pick(kaede, "main.generic_action.tool", "dome")
    unfold(kaede, "Dove si forma l'Area: Cupola")
    kaede.get_by_label("Intorno a chi").select_option("p3")
    people["Kaede"].send(4, gives=(13,))

    chief = people["Capo"].turn("Capo")
    choose(chief, "main.kind", "attack")
    pick(chief, "main.pick", "p2/wave")
    choose(chief, "main.also", "p1")
    people["Capo"].send(7, gives=(17,))  # 15 at Rin, who is a range farther

    # The second wolf strikes from hiding, which counts as a surprise until the Master says no.
    strikes = ("attack:p1/claws", "attack:p2/claws")
    play_pack(people["Master"], 6, 5, main=strikes, gives=(12, 15))


def answer(people: dict[str, Walk], about: str, button: str, reason: str) -> None:
    """Let the Master decide the one thing that waits for an answer."""
    page = people["Master"].visit("/gm")
    form = page.locator("form:has([name=question])")
    expect(form).to_have_count(1)
    expect(form).to_contain_text(about)
    form.get_by_label("Motivo, pubblico").fill(reason)
    form.get_by_role("button", name=button).click()
    expect(page.get_by_text("Nessuna domanda aperta.")).to_be_visible()
    people["Master"].look()


def second_round(people: dict[str, Walk]) -> None:
    """Rin shields herself and her ally, Kaede throws the chief at a wall, the wolves hold out."""
    rin = people["Rin"].turn("Rin")
    wave = card(rin, "Onda")
    wave.locator('[name$=".action"][value="guard"]').check()
    wave.locator('select[name$=".with.guards"]').select_option("bow")
    claws = card(rin, "Artigli")
    claws.get_by_role("radio", name="La stessa difesa che contro").check()
    ally = rin.locator("details.block", has_text="Al posto di Kaede: Artigli").first
    ally.locator("summary").first.click()
    ally.locator('[name$=".action"][value="ally_guard"]').check()
    ally.locator('select[name$=".with.guards"]').select_option("bow")
    for name, metres in (("Kaede", "3"), ("Capo", "6"), ("Lupo 1", "2"), ("Lupo 2", "2")):
        ally.get_by_label(f"Metri da {name}", exact=True).fill(metres)
    ally.get_by_label("Metri dal centro di Fumogeno").fill("6")
    ally.get_by_label("Metri dal centro di Cupola").fill("6")
    choose(rin, "main.kind", "attack")
    pick(rin, "main.pick", "p4-1/bow")
    choose(rin, "main.also", "p4-2")
    people["Rin"].send(12, 14, 8, gives=(20, 20, 18))

    kaede = people["Kaede"].turn("Kaede")
    wave = card(kaede, "Onda")
    wave.locator('[name$=".action"][value="guard"]').check()
    wave.locator('select[name$=".with.guards"]').select_option("spear")
    choose(kaede, "main.kind", "attack")
    pick(kaede, "main.pick", "p3/spear")
    unfold(kaede, "Che altro fa")
    choose(kaede, "main.knock.on", "true")
    kaede.locator('[name="main.knock.metres"]').fill("3")
    kaede.locator('[name="main.knock.object_m"]').fill("3")
    people["Kaede"].send(10, 6, gives=(17, 13))
    expect(people["Capo"].visit().get_by_role("link", name="Scrivi il turno")).to_have_count(0)
    answer(people, "a 3 metri dietro Capo", "Conferma", "C'è il muro del cortile.")

    chief = people["Capo"].turn("Capo")
    thrust = card(chief, "Lancia")
    thrust.locator('[name$=".action"][value="null_defence"]').check()
    thrust.locator('[name$=".reacts"]').check()
    people["Capo"].send(3, gives=(11,))

    play_pack(
        people["Master"],
        12,
        3,
        main=("preparation", ""),
        gives=(20, 11),
        reply0="guard/claws",
        reply1="guard/claws",
    )


def third_round(people: dict[str, Walk]) -> None:
    """Rin walks out of the smoke, Kaede finds a wolf in it, the chief strikes back."""
    rin = people["Rin"].turn("Rin")
    choose(rin, "main.kind", "movement")
    steps = rin.locator("#f-main\\.movement\\.move")
    for name, metres in (("Kaede", "14"), ("Capo", "26"), ("Lupo 1", "19"), ("Lupo 2", "19")):
        steps.get_by_label(f"Metri da {name}", exact=True).fill(metres)
    steps.get_by_label("Metri dal centro di Fumogeno").fill("11")
    steps.get_by_label("Metri dal centro di Cupola").fill("23")
    people["Rin"].send(9, gives=(19,))

    kaede = people["Kaede"].turn("Kaede")
    pick(kaede, "perception", "eye")
    choose(kaede, "main.kind", "attack")
    pick(kaede, "main.pick", "p4-2/spear")
    people["Kaede"].send(4, 9, gives=(6, 18))

    chief = people["Capo"].turn("Capo")
    choose(chief, "main.kind", "attack")
    pick(chief, "main.pick", "p2/wave")
    people["Capo"].send(4, gives=(8,))

    idle = ("preparation", "preparation")
    play_pack(people["Master"], 20, main=idle, reply1="guard/claws", gives=(28,))


# Hit points and energy after three rounds, by hand.
# Rin: two guards halve 20 - 4 and 14 - 4, a third the 14 - 4 meant for Kaede; energy 10 + 3 × 5.
# Kaede: her guard halves 20 - 6; energy 15 + 3.
# The chief: 22 - 5 of the spear, (6 / 2 + 8 - 5) / 2 of the wall; energy of two waves.
# The wolves: 18 - 4 of the arrows, which the first one halves; (22 - 4) / 2 for the second.
REGISTER = {
    "Rin": ("82 / 100", "35 / 60"),
    "Kaede": ("113 / 120", "42 / 60"),
    "Capo": ("130 / 150", "64 / 80"),
    "Lupo 1": ("33 / 40", "10 / 10"),
    "Lupo 2": ("17 / 40", "10 / 10"),
}
# How far everybody ends from Rin, and in which area: A is the smoke, B the dome.
STANDS = {
    "Rin": ("0 m", "fuori da ogni area"),
    "Kaede": ("14 m", "dentro A"),
    "Lupo 1": ("19 m", "dentro A, B"),
    "Lupo 2": ("19 m", "dentro A, B"),
    "Capo": ("26 m", "dentro B"),
}


def read_end(reader: Walk) -> None:
    """Read the register, the areas and the table beside the strip map, as Rin sees them."""
    page = reader.visit()
    for name, vitals in REGISTER.items():
        lines = page.get_by_role("article", name=name).locator(".vital__line")
        for line, vital in zip(lines.all(), vitals, strict=True):
            expect(line).to_contain_text(vital)
    rows = page.locator(".strip-table tbody tr")
    expect(rows).to_have_count(len(STANDS))
    for row, (name, (metres, inside)) in zip(rows.all(), STANDS.items(), strict=True):
        expect(row.get_by_role("rowheader")).to_contain_text(name)
        expect(row.locator("td").first).to_contain_text(metres)
        expect(row.locator("td").last).to_contain_text(re.compile(rf"(^|· ){inside}$"))
    areas = page.locator(".strip-map__areas li")
    expect(areas).to_contain_text(
        [
            "A Fumogeno: centro a 11 m, raggio 10 m. Rin è fuori.",
            "B Cupola: centro a 23 m, raggio 5 m. Rin è fuori.",
        ]
    )
    expect(page.locator("main")).to_contain_text("saturazione 4")  # of 5: the second wave took one
    expect(page.locator("article.entry")).to_have_count(17)  # fifteen turns and two answers


def test_three_rounds_of_five_with_two_areas(site: Site, visitor: Visitor) -> None:
    people = take_seats(site, visitor)
    first_round(people)
    answer(people, "Attacco a sorpresa", "Nega", "Kaede lo sentiva arrivare.")
    second_round(people)
    third_round(people)
    read_end(people["Rin"])
