"""Links, cookies, hostile texts: what a page must never do, whoever asks."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any
from urllib.parse import unquote

import pytest
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.posts.dialects import DIALECTS
from app.services.boards import owner_link
from app.services.entry_shapes import Narration, Submission
from app.services.scenes import open_scene
from app.services.shapes import OpenScene, Roller
from app.services.turns import decide
from tests.support.fights import HOLLOW, attack, duel
from tests.support.world import FixedWorld
from tests.web.conftest import Client, Duel, Site, Visitor

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "Rin [/b][dice]1d20[/dice]",
    'O\'Hara & "Sons" </textarea><script>alert(1)</script>',
    "{{ 1237 * 7919 }} {% raw %}",
    "Wave [/quote] [url=javascript:alert(1)]x[/url]",
)
PRODUCT = str(1237 * 7919)  # so long that no figure of a page is ever the same


def turn_form(**fields: str) -> dict[str, str]:
    """Fill in the least that the first turn of a scene needs."""
    return {"key": "a-key-of-the-test", "version": "1", "main.pick": "quincy/claws", **fields}


class Active(HTMLParser):
    """Notes whatever in a page could run or be drawn because somebody typed it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one tag."""
        values = dict(attrs)
        if tag in {"img", "iframe", "object", "embed", "style"}:
            self.found.append(tag)
        if tag == "script" and not (values.get("src") or "").startswith("/static/"):
            self.found.append(tag)
        for name, value in attrs:
            address = (value or "").strip().lower()
            leads = name in {"href", "src", "action"}
            runs = leads and address.startswith(("javascript:", "data:"))
            if name.startswith("on") or name == "style" or runs:
                self.found.append(f"{tag} {name}={value}")


def active_parts(page: str) -> list[str]:
    """List what could run in a page, beside our own scripts."""
    parser = Active()
    parser.feed(page)
    return parser.found


def count_rows(client: Client) -> dict[str, int]:
    """Count what is stored, table by table."""
    from sqlalchemy import inspect, text

    with client.site.db.read() as connection:
        tables = inspect(connection).get_table_names()
        return {
            name: connection.execute(text(f'SELECT count(*) FROM "{name}"')).scalar_one()
            for name in tables
        }


def test_looking_at_a_link_changes_nothing_and_tells_nothing(client: Client) -> None:
    duel = client.site.open_duel()
    before = count_rows(client)
    real = client.http.get(f"/k/{duel.gm}")
    unknown = client.http.get("/k/arb_nothing-of-the-kind")
    assert count_rows(client) == before
    assert real.status_code == unknown.status_code == 200
    assert real.text == unknown.text
    assert "set-cookie" not in real.headers
    assert duel.gm not in real.text
    assert real.headers["referrer-policy"] == "no-referrer"


def test_entering_sets_a_cookie_that_scripts_cannot_read_and_leads_to_a_clean_address(
    client: Client,
) -> None:
    duel = client.site.open_duel()
    answer = client.http.post(
        f"/k/{duel.seats['hollow']}",
        headers={"Sec-Fetch-Site": "same-origin"},
        follow_redirects=False,
    )
    assert answer.status_code == 303
    assert answer.headers["location"] == duel.path
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" in cookie


def test_an_unknown_link_is_not_found_and_leaves_no_cookie(client: Client) -> None:
    answer = client.post("/k/arb_nothing-of-the-kind")
    assert answer.status_code == 404
    assert "set-cookie" not in answer.headers
    assert "chiedine uno nuovo al Master" in answer.text


def test_leaving_forgets_the_browser(client: Client) -> None:
    duel = client.site.open_duel()
    client.enter(duel.gm)
    assert client.http.get(f"{duel.path}/gm").status_code == 200
    client.post("/logout")
    assert client.http.get(f"{duel.path}/gm").status_code == 404


@pytest.mark.parametrize("path", ["/gm", "/turn/hollow", "/turn/quincy", "/sheet/hollow"])
def test_pages_of_others_are_not_found(client: Client, path: str) -> None:
    duel = client.site.open_duel()
    other = client.site.open_duel()
    client.enter(other.gm)
    client.enter(other.seats["hollow"])
    found = client.http.get(duel.path + path)
    nowhere = client.http.get(f"/scenes/no-such-scene{path}")
    assert found.status_code == nowhere.status_code == 404
    assert found.text == nowhere.text


def test_the_first_page_says_whose_turn_it_is(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["quincy"])
    assert "Scrivi il tuo turno" not in client.http.get("/").text
    client.enter(opened.seats["hollow"])
    page = client.http.get("/").text
    assert "Tocca a te" in page
    assert opened.turn("hollow") in page


def test_a_seat_cannot_write_the_turn_of_another(client: Client) -> None:
    duel = client.site.open_duel()
    client.enter(duel.seats["quincy"])
    answer = client.post(duel.turn("hollow"), turn_form())
    assert answer.status_code == 404
    assert count_rows(client)["entries"] == 0


def test_a_spectator_reads_a_scene_and_decides_nothing(client: Client) -> None:
    duel = client.site.open_duel()
    shown = client.http.get(duel.path)
    assert shown.status_code == 200
    assert "Scrivi il turno" not in shown.text
    answer = client.post(
        f"{duel.path}/orders",
        {"kind": "pause", "by": "gm", "reason": "x", "version": "0", "key": "a-key-of-mine"},
    )
    assert answer.status_code == 404
    assert count_rows(client)["entries"] == 0


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_form_from_another_site_is_refused_as_a_page(client: Client, site: str) -> None:
    duel = client.site.open_duel()
    client.enter(duel.seats["hollow"])
    answer = client.http.post(
        duel.turn("hollow"), data=turn_form(), headers={"Sec-Fetch-Site": site}
    )
    assert answer.status_code == 403
    assert answer.headers["content-type"].startswith("text/html")
    assert count_rows(client)["entries"] == 0


def hostile_duel(client: Client, text: str, dice: Roller = Roller.SERVICE) -> Duel:
    """Open a scene whose names are all hostile, and play a turn with a hostile story."""
    setup = duel()
    tool = replace(HOLLOW.tools[0], name=text)
    sheet = replace(HOLLOW, name=text, link=text, tools=(tool,))
    entrants = (replace(setup.entrants[0], sheet=sheet, team=text[:40]), setup.entrants[1])
    opened = client.site.open_duel(dice, entrants=entrants)
    for secret in (opened.gm, *opened.seats.values()):
        client.enter(secret)
    answer = client.post(
        opened.turn("hollow"),
        turn_form(**{"narration.offensive": text, "main.claims": "surprise"}),
    )
    assert answer.status_code == 200, answer.text
    return opened


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("dice", list(Roller))
def test_hostile_texts_are_shown_as_they_are_and_do_nothing(
    client: Client, text: str, dice: Roller
) -> None:
    opened = hostile_duel(client, text, dice)
    if dice is Roller.FORUM:
        client.post(
            f"{opened.path}/entries/1/dice", {"faces.0": "7", "version": "2", "key": "dice-of-test"}
        )
    pages = ["", "/gm", "/entries/1", "/turn/quincy", "/sheet/hollow"]
    for page in pages:
        shown = client.http.get(opened.path + page)
        assert shown.status_code == 200, page
        assert active_parts(shown.text) == [], page
        assert PRODUCT not in shown.text, "a template ran what somebody typed"


def test_a_hostile_sheet_link_is_never_a_link(client: Client) -> None:
    opened = hostile_duel(client, "javascript:alert(document.cookie)")
    for page in ("", "/entries/1"):
        assert 'href="javascript' not in client.http.get(opened.path + page).text


RUNS = (
    "<img src=/runs-as-master onerror=\"document.title='run'\">"
    "<script>document.title='run'</script>"
    "<svg onload=\"document.title='run'\"></svg>"
    "<a href=\"javascript:document.title='run'\">x</a>[img]/runs-as-master[/img]"
)


def test_what_a_player_wrote_runs_nothing_and_fetches_nothing_when_the_master_opens_it(
    site: Site, visitor: Visitor
) -> None:
    setup = duel()
    sheet = replace(HOLLOW, name=RUNS[:80], tools=(replace(HOLLOW.tools[0], name=RUNS[:80]),))
    entrants = (replace(setup.entrants[0], sheet=sheet), setup.entrants[1])
    opened = site.open_duel(entrants=entrants)
    told = Narration(initial=RUNS, offensive=RUNS)
    submission = Submission(
        order=attack(by="hollow"), version=1, key="a-key-of-the-test", narration=told
    )
    decide(site.db, site.world, site.principal, opened.id, submission)
    master = visitor(opened.gm)
    asked: list[str] = []
    said: list[str] = []
    master.on("request", lambda request: asked.append(request.url))
    master.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    for page in ("", "/gm", "/entries/1", "/entries/1/compare", "/sheet/hollow", "/dice"):
        answer = master.goto(opened.path + page, wait_until="networkidle")
        assert answer is not None
        assert answer.status == 200, page
        policy = answer.headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert master.title() != "run", page
    assert said == []
    assert [url for url in asked if "runs-as-master" in url or not url.startswith(site.base)] == []
    # Whatever got into a page in spite of all this would be kept from running by the policy.
    with master.expect_event("requestfailed") as stopped:
        master.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", BADLY_PUT)
    assert stopped.value.failure == "csp"
    assert master.title() != "run"


BADLY_PUT = (
    "<svg onload=\"document.title='run'\"></svg>"
    "<img src=//x.test/a.png onerror=\"document.title='run'\">"
)


LINK = "https://x.test/a?b[c]=1&d=[2]"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_an_address_with_brackets_stays_whole_from_the_form_to_the_post(
    client: Client, dialect: str
) -> None:
    site = client.site
    opening = OpenScene(title="Duello", setup=duel(), seal_hours=0, dialect=dialect)
    made = open_scene(site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token())
    opened = Duel(made.scene_id, made.gm_secret, dict(made.seat_secrets))
    client.enter(opened.seats["hollow"])
    form = turn_form(**{"narration.offensive": f"Vedi {LINK} e poi. {HOSTILE[4]}"})
    seen = client.post(f"{opened.turn('hollow')}/preview", form)
    assert seen.status_code == 200
    assert LINK in shown_as_text(seen.text)
    assert active_parts(seen.text) == []
    assert client.post(opened.turn("hollow"), form).status_code == 200
    page = client.http.get(f"{opened.path}/entries/1").text
    assert active_parts(page) == []
    assert LINK in shown_as_text(page)


def shown_as_text(page: str) -> str:
    """Read a page as a forum reads the post in it: no escapes, of HTML, Markdown or addresses."""
    return unquote(re.sub(r"\\([_*~#>+=|`-])", r"\1", html.unescape(page)))


def test_hidden_directions_in_a_story_are_refused_at_their_field(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    answer = client.post(
        opened.turn("hollow"), turn_form(**{"narration.offensive": "Kai\u202enimdA"})
    )
    assert answer.status_code == 422
    assert 'data-error-for="narration.offensive"><span>' in answer.text.replace("\n", "")
    assert count_rows(client)["entries"] == 0


def test_what_a_form_holds_comes_back_with_every_trouble_at_once(client: Client) -> None:
    opened = client.site.open_duel(metres=50)
    client.enter(opened.seats["hollow"])
    answer = client.post(
        opened.turn("hollow"),
        turn_form(**{"main.aim": "limbs", "narration.offensive": "Resta <qui>."}),
    )
    assert answer.status_code == 409
    assert "Resta &lt;qui&gt;." in answer.text
    assert "arriva al massimo a 10" in answer.text
    assert "scegli braccia o gambe" in answer.text
    assert 'href="#f-main.limb"' in answer.text


def test_the_same_key_sent_twice_is_one_turn(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    first = client.post(opened.turn("hollow"), turn_form())
    second = client.post(opened.turn("hollow"), turn_form())
    assert first.url == second.url
    assert count_rows(client)["entries"] == 1


def test_a_key_that_comes_back_with_another_turn_is_refused(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    client.post(opened.turn("hollow"), turn_form())
    again = client.post(opened.turn("hollow"), turn_form(**{"main.aim": "head"}))
    assert again.status_code == 422
    assert count_rows(client)["entries"] == 1


def test_a_preview_stores_nothing_and_throws_nothing(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    before = count_rows(client)
    answer = client.post(f"{opened.turn('hollow')}/preview", turn_form())
    assert answer.status_code == 200
    assert "Così il turno è valido" in answer.text
    assert "[dice" not in answer.text
    assert count_rows(client) == before
    assert client.site.world.thrown == []


@pytest.mark.parametrize(
    ("path", "status"), [("/nowhere", 404), ("/scenes/nothing", 404), ("/rules/GC-99.9", 404)]
)
def test_a_refusal_is_a_page_that_says_what_to_do(client: Client, path: str, status: int) -> None:
    answer = client.http.get(path)
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("text/html")
    assert "Che cosa puoi fare adesso" in answer.text


def test_a_broken_page_says_what_to_do_and_nothing_else(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("app.web.home.list_scenes", fail)
    answer = client.http.get("/")
    assert answer.status_code == 500
    assert "secret detail" not in answer.text
    assert "Che cosa puoi fare adesso" in answer.text


@pytest.mark.parametrize("path", ["/scenes/%00", "/sheets/%00", "/?after=%00", "/rules/%00"])
def test_a_nul_in_an_address_is_not_found_on_either_database(database_url: str, path: str) -> None:
    settings = Settings(database_url=database_url, base_url="https://arbitro.example")
    app = create_app(settings, FixedWorld())
    database = app.state.shared.database
    upgrade(database)
    secret = owner_link(database, app.state.shared.world, FIRST_BOARD)
    with TestClient(app, base_url="https://arbitro.example") as http:
        http.post(f"/k/{secret}", headers={"Sec-Fetch-Site": "same-origin"})
        assert http.get(path).status_code == (200 if path.startswith("/?") else 404)
        stored = {"kind": "replace_sheet", "by": "gm", "stored": "\0", "reason": "x"}
        sent = http.post("/scenes/x/orders", data=stored, headers={"Sec-Fetch-Site": "same-origin"})
        assert sent.status_code == 404


def test_a_field_name_as_deep_as_a_well_is_refused(client: Client) -> None:
    answer = client.post("/tags", {".".join("a" * 50): "x"})
    assert answer.status_code == 422


def test_the_language_is_chosen_in_the_footer_and_remembered(client: Client) -> None:
    assert 'lang="it"' in client.http.get("/rules/GC-5.3").text
    english = client.http.get("/rules/GC-5.3?lang=en")
    assert '<html lang="en">' in english.text
    assert "How doubts are read" in english.text
    assert '<html lang="en">' in client.http.get("/").text
    assert '<html lang="it">' in client.http.get("/?lang=it").text
    assert '<html lang="it">' in client.http.get("/?lang=xx").text


def test_every_page_in_english_says_nothing_in_italian(client: Client) -> None:
    opened = client.site.open_duel()
    for secret in (client.site.owner, opened.gm, *opened.seats.values()):
        client.enter(secret)
    client.http.get("/?lang=en")
    paths = [
        "/",
        "/boards/board/sheets/new",
        "/tags",
        "/boards/board/settings",
        "/boards/board/scenes/new",
        opened.path,
        f"{opened.path}/gm",
    ]
    for path in (*paths, opened.turn("hollow")):
        text = client.http.get(path).text.partition('id="preview"')[0]  # the post keeps its own
        for word in ("Scheda", "Turno", "Salva", "Perché", "Motivo", "Squadra", "Registro"):
            assert word not in text, (path, word)


def test_no_page_has_an_inline_script_or_style(client: Client) -> None:
    opened = hostile_duel(client, "Hollow")
    for path in (
        "/",
        "/rules",
        "/tags",
        opened.path,
        f"{opened.path}/gm",
        f"{opened.path}/entries/1",
    ):
        text = client.http.get(path).text
        assert active_parts(text) == []
        for address in re.findall(r'<(?:script|link)[^>]+(?:src|href)="([^"]+)"', text):
            assert address.startswith("/static/")
