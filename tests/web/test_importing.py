"""An old thread is pasted, completed and gone on with; a post is compared with its entry."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from typing import Any

import pytest

from app.posts.thread import MOST_POSTS
from app.rulesets.guida.orders import Attack, Turn
from app.services.scenes import read_scene
from app.services.shapes import Openers
from app.services.threads import list_old_posts
from tests.support.table import let_open
from tests.web.conftest import Client
from tests.web.test_safety import HOSTILE, active_parts

ADDRESS = "/boards/board/scenes/import"
DIE = "Attacco [Artigli] (Hollow vs Quincy): (+8 [Destrezza]) 1d12+8: (7)+8 = 15\n"
HOLLOW = (
    "Scheda: https://forum.example/?t=1\nPV: 190/200 | PE: 95/100\n"
    "Forza 8 (+0) | Destrezza 6 (+2) | Costituzione 5 (+0) | Intelligenza 2 (+0)\n\n"
    "Registro\nDanni da Freccia: -10 PV\n\nFase Offensiva\n" + DIE
)
QUINCY = (
    "Scheda: https://forum.example/?t=2\nPV: 166 | PE: 120/120\n"
    "Forza 4 (+0) | Destrezza 9 (+0) | Costituzione 4 (-1) | Intelligenza 6 (+0)\n\n"
    "Registro\nUstione da Artigli: +2 Stack\n"
)


class Fields(HTMLParser):
    """Gathers what a browser would send of one form."""

    def __init__(self, form: str) -> None:
        super().__init__()
        self.form, self.inside, self.area, self.select = form, False, "", ""
        self.found: dict[str, Any] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a control."""
        values = dict(attrs)
        name = values.get("name") or ""
        if tag == "form":
            self.inside = values.get("id") == self.form
        if not self.inside:
            return
        unticked = values.get("type") in ("checkbox", "radio") and "checked" not in values
        if tag == "input" and name and not unticked:
            self.found[name] = values.get("value") or ""
        elif tag == "textarea":
            self.area = name
            self.found[name] = ""
        elif tag == "select":
            self.select = name
        elif tag == "option" and ("selected" in values or self.select not in self.found):
            self.found[self.select] = values.get("value") or ""

    def handle_data(self, data: str) -> None:
        """Note what stands in a text area, without the newline that begins it."""
        if self.area:
            self.found[self.area] += data

    def handle_endtag(self, tag: str) -> None:
        """Leave a form or a text area."""
        if tag == "textarea" and self.area:
            self.found[self.area] = self.found[self.area].removeprefix("\n")
            self.area = ""
        elif tag == "form":
            self.inside = False


def fields(page: str, form: str) -> dict[str, Any]:
    """Give what a form of a page would send."""
    parser = Fields(form)
    parser.feed(page)
    return parser.found


def read(client: Client, *posts: tuple[str, str], **more: str) -> Any:
    """Paste posts as the owner, each with a name or none, and read them."""
    client.enter(client.site.owner)
    form = fields(client.http.get(ADDRESS).text, "thread-form")
    for number, (who, text) in enumerate(posts):
        form |= {f"posts.{number}.who": who, f"posts.{number}.text": text}
    return client.post(ADDRESS, {**form, "do": "read", **more})


def opened(client: Client) -> tuple[str, Any]:
    """Open a scene from two posts; give its id and the answer."""
    answer = read(client, ("", HOLLOW), ("Quincy", QUINCY))
    form = fields(answer.text, "scene-form")
    form |= {"title": "Il ponte", "entrants.1.sheet.max_hp": "180", "do": "open"}
    done = client.post(ADDRESS, form)
    found = re.search(r"/scenes/([A-Za-z0-9_-]+)/gm", done.text)
    assert found is not None, done.text
    return found[1], done


def test_what_was_read_fills_the_form_that_opens_the_scene(client: Client) -> None:
    answer = read(client, ("", f"{HOLLOW}\n+++\n{HOLLOW}"), ("Quincy", QUINCY))
    assert answer.status_code == 200
    form = fields(answer.text, "scene-form")
    assert [form[f"posts.{number}.text"].strip() for number in range(3)] == [
        HOLLOW.strip(),
        HOLLOW.strip(),
        QUINCY.strip(),
    ]
    first, second = (
        {key.removeprefix(at): form[key] for key in form if key.startswith(at)}
        for at in ("entrants.0.", "entrants.1.")
    )
    told = ("sheet.name", "sheet.link", "sheet.max_hp", "hp", "ep", "sheet.stats.dexterity")
    assert [first[name] for name in told] == [
        *("Hollow", "https://forum.example/?t=1", "200", "190", "95", "6")
    ]
    assert first["~points.dexterity"] == "+2"
    assert (second["sheet.max_hp"], second["hp"], second["~stacks.burn"]) == ("", "166", "2")
    # By its burns alone, which are in the form already.
    assert second["~points.constitution"] == ""


def test_the_scene_begins_as_the_posts_end_with_the_posts_above_its_history(
    client: Client,
) -> None:
    id, done = opened(client)
    assert done.status_code == 201
    scene = read_scene(client.site.db, client.site.principal, id)
    assert [(one.hp_now, one.ep_now) for one in scene.view.combatants] == [(190, 95), (166, 120)]
    page = client.http.get(f"/scenes/{id}").text
    assert page.index("La discussione di prima") < page.index("Storia</h2>")
    thread = client.http.get(f"/scenes/{id}/thread").text
    assert thread.count("dalla vecchia discussione") == 2
    assert "non verificato" in thread
    assert "Danni da Freccia: -10 PV" in thread


def test_what_no_post_tells_is_asked_for_at_its_field(client: Client) -> None:
    answer = read(client, ("", HOLLOW), ("Quincy", QUINCY))
    form = {**fields(answer.text, "scene-form"), "title": "Il ponte", "do": "open"}
    refused = client.post(ADDRESS, form)
    assert refused.status_code == 422
    assert 'href="#f-entrants.1.sheet.max_hp"' in refused.text
    again = fields(refused.text, "scene-form")
    assert {key: again[key] for key in form if key != "do"} == {
        key: form[key] for key in form if key != "do"
    }


def test_rows_of_the_form_come_and_go_without_losing_the_posts(client: Client) -> None:
    answer = read(client, ("", HOLLOW), ("Quincy", QUINCY))
    form = {**fields(answer.text, "scene-form"), "do": "add:entrants.0.sheet.tools"}
    page = client.post(ADDRESS, form, headers={"HX-Request": "true"})
    again = fields(page.text, "scene-form")
    assert again["entrants.0.sheet.tools.0.id"] == "t1"
    assert again["posts.1.text"].strip() == QUINCY.strip()
    assert again["entrants.0.hp"] == "190"


def test_whoever_changes_the_posts_keeps_what_was_typed_of_the_sheets(client: Client) -> None:
    answer = read(client, ("", HOLLOW), ("Quincy", QUINCY))
    form = {**fields(answer.text, "scene-form"), "do": "posts"}
    form["entrants.1.sheet.max_hp"] = "180"
    back = fields(client.post(ADDRESS, form).text, "thread-form")
    assert back["posts.0.text"].strip() == HOLLOW.strip()
    back |= {"posts.1.text": QUINCY.replace("166", "150"), "do": "read"}
    again = fields(client.post(ADDRESS, back).text, "scene-form")
    assert (again["entrants.1.hp"], again["entrants.1.sheet.max_hp"]) == ("150", "180")
    assert again["key"] == form["key"]


def test_errors_are_told_by_post_and_line_and_stop_nothing(client: Client) -> None:
    wrong = HOLLOW.replace("(7)+8 = 15", "(7)+8 = 16")
    answer = read(client, ("", wrong), ("", "Chi lo sa."))
    assert answer.status_code == 200
    assert "Riga 9" in answer.text
    assert "Non si capisce di chi è questo post" in answer.text
    assert fields(answer.text, "scene-form")["entrants.0.hp"] == "190"


def test_nothing_and_too_much_are_refused_with_the_posts_still_there(client: Client) -> None:
    assert read(client, ("", " ")).status_code == 422
    many = "\n+++\n".join(["PV: 3/4"] * (MOST_POSTS + 1))
    refused = read(client, ("A", many))
    assert refused.status_code == 422
    assert fields(refused.text, "thread-form")[f"posts.{MOST_POSTS}.text"].strip() == "PV: 3/4"


def test_a_character_that_misbehaves_is_refused_at_its_post(client: Client) -> None:
    refused = read(client, ("", HOLLOW), ("Kai\u202enimdA", QUINCY))
    assert refused.status_code == 422
    assert 'href="#f-posts.1.who"' in refused.text


@pytest.mark.parametrize("bad", HOSTILE)
def test_a_hostile_thread_is_shown_as_it_is_and_does_nothing(client: Client, bad: str) -> None:
    answer = read(client, (bad[:80], f"{bad}\n{HOLLOW}\n{bad}: -3 PV"), ("Quincy", QUINCY))
    assert answer.status_code == 200
    assert active_parts(answer.text) == []
    form = fields(answer.text, "scene-form")
    form |= {"title": "Il ponte", "entrants.1.sheet.max_hp": "180", "do": "open"}
    done = client.post(ADDRESS, form)
    found = re.search(r"/scenes/([A-Za-z0-9_-]+)/gm", done.text)
    assert found is not None
    for path in ("", "/thread"):
        page = client.http.get(f"/scenes/{found[1]}{path}").text
        assert active_parts(page) == []
        assert str(1237 * 7919) not in page
    principal = client.site.principal
    assert list_old_posts(client.site.db, principal, found[1])[0].who == bad[:80]


def test_whoever_may_open_no_scene_finds_no_import(client: Client) -> None:
    assert client.http.get(ADDRESS).status_code == 404
    assert client.post(ADDRESS, {"do": "read", "posts.0.text": HOLLOW}).status_code == 404
    let_open(client.site.db, client.site.world, client.site.principal, Openers.ANYONE)
    assert client.http.get(ADDRESS).status_code == 200


def test_a_post_is_compared_with_its_entry_number_by_number(client: Client) -> None:
    duel = client.site.open_duel()
    client.site.decide(duel, Turn(by="hollow", main=Attack(target="quincy", tool="claws")))
    address = f"{duel.path}/entries/1"
    shown = client.http.get(address).text
    assert f'href="{address}/compare"' in shown
    found = re.search(r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', shown, re.DOTALL)
    assert found is not None
    post = found[1].replace("&#39;", "'").replace("&#34;", '"').replace("&amp;", "&")
    right = client.post(f"{address}/compare", {"text": post})
    assert "Tutti i numeri sono uguali." in right.text
    wrong = client.post(f"{address}/compare", {"text": post.replace("200/200", "190/200")})
    assert "1 numero è diverso." in wrong.text
    assert "non a 190" in wrong.text
    assert client.post(f"{address}/compare", {"text": "PV \x00"}).status_code == 422
    assert client.post(f"{duel.path}/entries/9/compare", {"text": "PV"}).status_code == 404


@pytest.mark.parametrize("bad", HOSTILE)
def test_a_hostile_post_is_compared_and_does_nothing(client: Client, bad: str) -> None:
    duel = client.site.open_duel()
    client.site.decide(duel, Turn(by="hollow"))
    text = f"{bad}\nPV: 3/4\nRegistro\n{bad}: -3 PV\n{bad}\n1d12+3: (4)+3 = 7 — {bad}"
    answer = client.post(f"{duel.path}/entries/1/compare", {"text": text})
    assert answer.status_code == 200
    assert active_parts(answer.text) == []
    assert str(1237 * 7919) not in answer.text
