"""The Master's desk driven by the keyboard alone, in a browser, through thirty turns."""

from __future__ import annotations

from urllib.parse import quote

from playwright.sync_api import Page, expect

from app.services.entry_shapes import Submission
from app.services.links import principal_of_secret
from app.services.scenes import read_scene
from app.services.turns import decide
from tests.support.fights import attack, defend
from tests.web.conftest import Duel, Site, Visitor
from tests.web.looking import faults, open_everything

TURNS = 30
DESK = "/boards/board/desk"


def played(site: Site) -> Duel:
    """Let both players post their turns, straight through the services."""
    duel = site.open_duel()
    players = {
        seat: principal_of_secret(site.db, site.world, secret)
        for seat, secret in duel.seats.items()
    }
    for number in range(TURNS):
        seat = ("hollow", "quincy")[number % 2]
        who = players[seat]
        assert who is not None
        scene = read_scene(site.db, who, duel.id)
        coming = [one.id for one in scene.view.incoming]
        order = attack() if seat == "hollow" else defend(*coming)
        given = Submission(order=order, version=scene.version, key=site.world.token())
        decide(site.db, site.world, who, duel.id, given)
    return duel


def at(page: Page, duel: Duel, number: int) -> None:
    """Insist that the page of a turn is shown, and is ready for keys."""
    page.wait_for_url(lambda url: f"/boards/board/desk/{duel.id}/{number}" in url)
    ready(page)


def ready(page: Page) -> None:
    """Wait until the page listens to keys: a script shows the button that tells them."""
    expect(page.locator("[data-desk-help]").first).to_be_visible()


def test_thirty_turns_are_reviewed_by_keyboard_alone(site: Site, visitor: Visitor) -> None:
    duel = played(site)
    page = visitor(duel.gm)
    page.goto("/boards/board/desk")
    keys = page.keyboard
    expect(page.locator("[data-desk-row]")).to_have_count(TURNS)
    ready(page)

    keys.press("?")
    expect(page.get_by_role("dialog", name="Tasti della scrivania")).to_be_visible()
    keys.press("Escape")
    expect(page.locator("#desk-keys")).not_to_be_visible()

    keys.press("j")  # the first row, then the second, and back
    keys.press("j")
    expect(page.locator(f"#open-{duel.id}-2")).to_be_focused()
    keys.press("x")  # viewed, where it stands
    expect(page.locator(f"#turn-{duel.id}-2")).to_contain_text("visto")
    expect(page.locator(f"#open-{duel.id}-2")).to_be_focused()
    keys.press("k")
    expect(page.locator(f"#open-{duel.id}-1")).to_be_focused()
    keys.press("a")  # approved, where it stands: the row goes, the next one takes the focus
    expect(page.locator("[data-desk-row]")).to_have_count(TURNS - 1)
    expect(page.locator(f"#open-{duel.id}-2")).to_be_focused()
    keys.press("Enter")
    at(page, duel, 2)

    keys.press("j")
    at(page, duel, 3)
    keys.press("k")
    at(page, duel, 2)

    # Returned with a mark and a note: no letter of what is written presses anything.
    keys.press("r")
    expect(page.locator('#verdict input[type="checkbox"]').first).to_be_focused()
    keys.type("manca la difesa: oltre")  # whoever begins to write has begun the note
    expect(page.locator('#verdict [name="note"]')).to_have_value("manca la difesa: oltre")
    at(page, duel, 2)
    keys.press("Escape")  # out of the form: letters decide again
    keys.press("r")
    keys.press("Space")
    keys.press("Tab")
    keys.type("j a r x")
    expect(page.locator('#verdict [name="marks.0.why"]')).to_have_value("j a r x")
    keys.press("Control+Enter")
    at(page, duel, 3)
    expect(page.locator("p[role=status]")).to_contain_text("La voce 2 è restituita")

    # Overridden with a public reason, and taken back.
    keys.press("o")
    expect(page.locator("#override summary")).to_be_visible()
    for _ in ("whose", "what"):
        keys.press("Tab")
    keys.type("90")
    for _ in ("from when", "why"):
        keys.press("Tab")
    keys.type("Era già ferito.")
    keys.press("Control+Enter")
    expect(page.locator("p[role=status]")).to_contain_text(f"è la voce {TURNS + 1}")
    ready(page)
    keys.press("u")
    expect(page.locator('#undo [name="reason"]')).to_be_focused()
    keys.type("Ci ripenso.")
    keys.press("Control+Enter")
    expect(page.locator("p[role=status]")).to_contain_text(f"è la voce {TURNS + 2}")

    for number in range(3, TURNS + 1):
        at(page, duel, number)
        keys.press("a")
    page.wait_for_url(lambda url: "/boards/board/desk?" in url)
    expect(page.locator("#queue")).to_contain_text("Nulla ti aspetta.")


def test_a_second_master_s_late_override_is_told_what_changed(site: Site, visitor: Visitor) -> None:
    duel = played_once(site)
    first, second = visitor(duel.gm), visitor(site.owner)
    for page in (first, second):
        page.goto(f"/boards/board/desk/{duel.id}/1")
        ready(page)
        page.keyboard.press("o")
    for page, value, reason in ((first, "90", "Era già ferito."), (second, "80", "Anche di più.")):
        page.locator('#override [name="value"]').fill(value)
        page.locator('#override [name="reason"]').first.fill(reason)
        with page.expect_navigation() as landed:
            page.keyboard.press("Control+Enter")
        assert landed.value is not None
    assert landed.value.status == 412
    expect(second.locator("#since")).to_contain_text("Era già ferito.")
    expect(second.locator('#override [name="reason"]').first).to_have_value("Anche di più.")


def test_what_was_typed_is_there_after_another_form_of_the_page_was_sent(
    site: Site, visitor: Visitor
) -> None:
    duel = played_once(site)
    page = visitor(duel.gm)
    page.goto(f"/boards/board/desk/{duel.id}/1")
    ready(page)
    note, reason = page.locator("#note textarea"), page.locator("#override [name=reason]").first
    note.fill("Chiedere della spada.")
    page.keyboard.press("Escape")
    page.locator("#override > summary").click()
    reason.fill("Era già ferito.")
    page.get_by_role("button", name="Restituisci con questi segni").click()  # nothing is marked
    expect(page.get_by_text("Non ancora deciso").first).to_be_visible()
    expect(note).to_have_value("Chiedere della spada.")
    expect(reason).to_have_value("Era già ferito.")
    page.get_by_role("button", name="Conserva la nota").click()
    page.wait_for_url("**#note")
    expect(note).to_have_value("Chiedere della spada.")
    expect(reason).to_have_value("Era già ferito.")


def test_what_was_typed_survives_a_session_that_ended(site: Site, visitor: Visitor) -> None:
    duel = played_once(site)
    page = visitor(duel.gm)
    address = f"/boards/board/desk/{duel.id}/1"
    page.goto(address)
    ready(page)
    cookies = page.context.cookies()
    page.locator("#verdict textarea").fill("Manca la fase difensiva.")
    page.context.clear_cookies()
    page.get_by_role("button", name="Restituisci con questi segni").click()
    log_in = page.get_by_role("link", name="Accedi al tuo account")
    expect(log_in).to_have_attribute("href", f"/login?next={quote(address, safe='')}")
    page.context.add_cookies(cookies)
    page.goto(address)
    expect(page.locator("#verdict textarea")).to_have_value("Manca la fase difensiva.")


def test_without_scripts_the_desk_is_plain_forms(site: Site, visitor: Visitor) -> None:
    duel = played_once(site)
    page = visitor(duel.gm, java_script_enabled=False)
    page.goto(f"/boards/board/desk/{duel.id}/1")
    expect(page.locator("[data-desk-help]").first).not_to_be_visible()
    page.get_by_role("button", name="Approva e avanti").last.click()
    page.wait_for_url(lambda url: "/boards/board/desk?" in url)


def played_once(site: Site) -> Duel:
    """Let one turn be posted."""
    duel = site.open_duel()
    hollow = principal_of_secret(site.db, site.world, duel.seats["hollow"])
    assert hollow is not None
    given = Submission(order=attack(), version=1, key=site.world.token())
    decide(site.db, site.world, hollow, duel.id, given)
    return duel


def test_no_page_of_the_desk_has_anything_for_axe(site: Site, visitor: Visitor) -> None:
    duel = played_once(site)
    page = visitor(duel.gm, bypass_csp=True)
    turn = f"/boards/board/desk/{duel.id}/1"

    def preview(page: Page) -> None:
        open_everything(page)
        page.locator('#override [name="value"]').fill("90")
        page.locator('#override [name="reason"]').first.fill("Era già ferito.")
        page.get_by_role("button", name="Mostra che cosa cambierebbe davanti").click()
        expect(page.get_by_role("heading", name="Che cosa cambierebbe")).to_be_visible()

    def give_back(page: Page) -> None:
        page.locator('#verdict [name="note"]').fill("Rileggi il registro.")
        page.get_by_role("button", name="Restituisci con questi segni").click()
        page.wait_for_url(lambda url: "done=" in url)

    found: list[str] = []
    for path, prepare in (
        *(("/boards/board/desk", None), (turn, None), (turn, preview), (turn, give_back)),
        *(
            (turn, None),
            ("/boards/board/desk?state=returned", None),
            ("/boards/board/desk/scenes", None),
        ),
        *((f"{duel.path}/audit", None), (f"{duel.path}/entries/1", None)),
    ):
        page.goto(path)
        if prepare is not None:
            prepare(page)
        found += faults(page, path)
    assert found == []
