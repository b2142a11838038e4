"""People in real browsers: a board from nothing to its second member, and what axe says of it."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from app.services import people
from tests.support.people import PASSWORD
from tests.web.conftest import Site, Visitor
from tests.web.looking import faults


def sign_up(page: Page, name: str) -> None:
    """Make an account, from the first page on."""
    page.goto("/")
    page.get_by_role("link", name="Iscriviti").first.click()
    page.get_by_label("Nome", exact=True).fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Crea l'account").click()
    page.wait_for_url("**/")


def make_board(page: Page) -> None:
    """Make a board, from the first page on."""
    page.get_by_role("link", name="Crea una board").click()
    page.get_by_label("Nome della board").fill("Seireitei")
    page.get_by_role("button", name="Crea la board").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Seireitei")


def invitation(page: Page) -> str:
    """Invite a player from the board's page; give the link."""
    page.get_by_role("link", name="Membri").click()
    page.get_by_role("button", name="Crea un link").click()
    return page.get_by_label("Link").first.input_value()


def test_a_board_is_made_and_its_invitation_accepted_in_another_browser(
    site: Site, visitor: Visitor
) -> None:
    owner, player = visitor(), visitor()
    sign_up(owner, "Rin")
    make_board(owner)
    link = invitation(owner)
    player.goto(link)
    expect(player.get_by_text("Seireitei")).to_be_visible()
    new = player.locator("form", has=player.get_by_role("button", name="Crea l'account e accetta"))
    new.get_by_label("Nome", exact=True).fill("Sol")
    new.get_by_label("Password").fill(PASSWORD)
    new.get_by_role("button").click()
    expect(player.get_by_role("heading", level=1)).to_have_text("Seireitei")
    owner.reload()
    owner.goto(owner.url.partition("/invitations")[0] + "/members")
    row = owner.get_by_role("listitem").filter(has_text="Sol")
    row.get_by_label("Ruolo di Sol").select_option("gm")
    row.get_by_role("button", name="Cambia").click()
    expect(owner.get_by_role("listitem").filter(has_text="Sol")).to_contain_text("Master")
    player.goto("/me")
    player.get_by_role("button", name="Esci da tutti i browser").click()
    player.goto("/me")
    expect(player.get_by_role("heading", level=1)).to_have_text("Accedi")


def test_axe_finds_nothing_on_the_pages_of_people(site: Site, visitor: Visitor) -> None:
    page = visitor(bypass_csp=True)
    anonymous = visitor(bypass_csp=True)
    sign_up(page, "Una persona dal nome piuttosto lungo e una " + "parolachenonfinisce" * 2)
    home_of_nothing(page)
    make_board(page)
    board = page.url
    link = invitation(page).removeprefix(site.base)
    duel = site.open_duel()
    page.goto(f"/k/{duel.seats['hollow']}")
    page.get_by_role("button", name="Entra e tienilo nel mio account").click()
    page.goto(f"/k/{duel.gm}")
    page.get_by_role("button", name="Entra soltanto").click()
    token = people.reset_link(site.db, site.world, people.list_people(site.db)[0].name)
    found: list[str] = []
    seen = [
        *((page, path) for path in ("/", board, f"{board}/members", f"{board}/settings")),
        *((page, path) for path in ("/me", "/boards/new", link, f"/k/{duel.seats['quincy']}")),
        *((page, path) for path in (f"{duel.path}/gm", "/login")),
        *((anonymous, path) for path in ("/login", "/signup", link, f"/reset/{token}", board)),
    ]
    for browser, path in seen:
        browser.goto(path)
        found += faults(browser, path)
    for path in ("/me", "/login"):  # refused forms
        browser = page if path == "/me" else anonymous
        browser.goto(path)
        for one in browser.locator("main input[required]").all():
            one.fill("abcdefghij")
        browser.locator("main form button").last.click()
        browser.get_by_role("alert").wait_for()
        found += faults(browser, f"{path} refused")
    assert found == []


def home_of_nothing(page: Page) -> None:
    """Look at what a new person is told to do next."""
    expect(page.get_by_text("Non fai ancora parte di nessuna board")).to_be_visible()
