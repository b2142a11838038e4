"""Beings on their pages: entered by a form, shown with all that they were, followed after a ban."""

from __future__ import annotations

import html
import re
from datetime import timedelta
from typing import Any

import pytest

from app.engine.seal import SealedDice
from app.persistence.tables import FIRST_BOARD
from app.services import beings, boards
from app.services.shapes import BoardChanges
from tests.web.conftest import Client, Duel, Site

A, B = "Miranda Thorne", "Gregor Kaprov"


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def enter(site: Site, warrior: str) -> tuple[str, str]:
    """Let a printed warrior enter, straight through the services; give its id and its secret."""
    sheet = {"kind": "printed", "warrior": warrior}
    made = beings.add_being(
        site.db, site.world, site.principal, FIRST_BOARD, sheet, site.world.token()
    )
    return made.being_id, made.secret


def key_in(page: str) -> str:
    """Find the key of the form on a page."""
    found = re.search(r'name="key" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.fixture(autouse=True)
def at_once(client: Client) -> None:
    """Wait for nobody's salt, and throw real dice: a tie is thrown again until there is none."""
    site = client.site
    change = BoardChanges(seal_hours=0)
    boards.change_board(site.db, site.world, site.principal, FIRST_BOARD, change)
    site.world.dice = SealedDice


def meet(client: Client, first: str, second: str, **more: str) -> Any:
    """Send the form that lets two beings meet."""
    key = key_in(client.http.get("/boards/board/beings").text)
    form = {"title": "Il vicolo", "first": first, "second": second, "shadow": "true"}
    return client.post("/boards/board/beings/duel", {**form, "key": key, **more})


def opened(page: str) -> Duel:
    """Read from the page of links which duel was opened, and its secrets."""
    scene = re.search(r'href="/scenes/([^"/]+)/gm"', page)
    assert scene is not None, text_of(page)
    gm, one, other = re.findall(r'value="[^"]*/k/([^"]+)"', page)
    return Duel(scene[1], gm, {A: one, B: other})


def test_a_printed_warrior_enters_and_its_owner_gets_a_link(client: Client) -> None:
    client.enter(client.site.owner)
    key = key_in(client.http.get("/boards/board/beings/new").text)
    form = {"~from": "printed", "warrior": "miranda_thorne", "key": key}
    made = client.post("/boards/board/beings/new", form)
    assert made.status_code == 201
    secret = re.search(r'value="[^"]*/k/([^"]+)"', made.text)
    assert secret is not None
    client.post("/logout")
    assert "Apri il link" in text_of(client.http.get("/boards/board/beings").text)
    shown = client.enter(secret[1])
    assert "Miranda Thorne" in text_of(shown.text)
    assert "300 punti, 0 XP, 100 PF iniziali" in text_of(shown.text)
    assert "Miranda Thorne" in client.http.get("/boards/board/beings").text
    assert client.http.get("/boards/board/beings/new").status_code == 404


def own_form(page: str, **more: str) -> dict[str, str]:
    """Fill the ten faces as the form offers them, each with a name."""
    form = {"~from": "own", "name": "Vesper", "hits": "100", "trait": "3", "key": key_in(page)}
    for place in range(10):
        row = f"~faces.{place}"
        what = re.search(rf'name="{re.escape(row)}.what".*?value="(\w+)" selected', page, re.DOTALL)
        force = re.search(rf'name="{re.escape(row)}.force" value="(\d*)"', page)
        assert what is not None
        assert force is not None
        form |= {f"{row}.name": f"Mossa {place}", f"{row}.what": what[1], f"{row}.force": force[1]}
    return {**form, **more}


def test_a_warrior_of_ones_own_enters_or_is_told_what_to_mend(client: Client) -> None:
    client.enter(client.site.owner)
    page = client.http.get("/boards/board/beings/new").text
    refused = client.post("/boards/board/beings/new", own_form(page, **{"~faces.2.force": "35"}))
    assert refused.status_code == 409
    assert "WD-A1" in refused.text
    named = client.post("/boards/board/beings/new", own_form(page, **{"~faces.4.force": "molto"}))
    assert named.status_code == 422
    assert 'aria-invalid="true"' in named.text
    assert re.search(r'id="e-~faces.4.force"[^>]*>\s*<span>', named.text)
    untold = client.post("/boards/board/beings/new", own_form(page, trait=""))
    assert "tratti soprannaturali" in text_of(untold.text)
    made = client.post("/boards/board/beings/new", own_form(page))
    assert made.status_code == 201, text_of(made.text)


def test_two_beings_meet_and_their_pages_say_what_came_of_it(client: Client) -> None:
    site = client.site
    first, _ = enter(site, "miranda_thorne")
    second, _ = enter(site, "gregor_kaprov")
    client.enter(site.owner)
    duel = opened(meet(client, first, second).text)
    assert "in un duello" in client.http.get(f"/beings/{first}").text
    again = meet(client, first, second)
    assert again.status_code == 409
    assert "è in un duello che non è finito" in text_of(again.text)
    site.decide(duel, {"kind": "ready", "by": A})
    site.decide(duel, {"kind": "ready", "by": B})
    site.decide(duel, {"kind": "resign", "by": A})
    site.decide(duel, {"kind": "reform", "by": A, "face": 4})
    page = text_of(client.http.get(f"/beings/{first}").text)
    assert "Versione 2: è stato ucciso in un duello" in page
    assert "Tiger Stance : 20 → 10" in page
    assert "290 punti, 0 XP, 100 PF iniziali" in page
    assert f'href="/scenes/{duel.id}#entry-4"' in client.http.get(f"/beings/{first}").text
    assert "XP: 0 → 5" in text_of(client.http.get(f"/beings/{second}").text)


def test_the_same_being_twice_is_refused_at_its_field(client: Client) -> None:
    first, _ = enter(client.site, "miranda_thorne")
    enter(client.site, "gregor_kaprov")
    client.enter(client.site.owner)
    refused = meet(client, first, first)
    assert refused.status_code == 422
    assert re.search(r'id="f-second"[^>]*aria-invalid="true"', refused.text)


def test_after_a_ban_the_owner_of_the_link_lets_another_one_enter(client: Client) -> None:
    site = client.site
    first, secret = enter(site, "miranda_thorne")
    second, _ = enter(site, "gregor_kaprov")
    change = BoardChanges(options={"warrior_dice": {"banish_below": 300}})
    boards.change_board(site.db, site.world, site.principal, FIRST_BOARD, change)
    client.enter(site.owner)
    duel = opened(meet(client, first, second).text)
    for order in ("ready", "ready", "resign"):
        seat = B if order == "ready" and site.view(duel).fighters[0].ready else A
        site.decide(duel, {"kind": order, "by": seat})
    client.post("/logout")
    page = client.enter(secret).text
    assert "bandito" in page
    address = f"/beings/{first}/successor"
    assert f'href="{address}"' in page
    form = {"~from": "printed", "key": key_in(client.http.get(address).text)}
    refused = client.post(address, {**form, "warrior": "demon_lord"})
    assert refused.status_code == 409
    assert "300 punti" in text_of(refused.text)
    assert client.post(address, {**form, "warrior": "jasmine"}).status_code == 201
    assert client.http.get(address).status_code == 404


def test_a_being_is_retired_from_its_page_and_its_link_made_anew(client: Client) -> None:
    being, secret = enter(client.site, "jasmine")
    client.enter(secret)
    anew = client.post(f"/beings/{being}/link")
    assert "quello di prima" in text_of(anew.text).lower() or anew.status_code == 201
    assert client.http.get(f"/beings/{being}").status_code == 404
    fresh = re.search(r'value="[^"]*/k/([^"]+)"', anew.text)
    assert fresh is not None
    client.enter(fresh[1])
    stale = client.post(f"/beings/{being}/retire", {"version": "7"})
    assert stale.status_code == 412
    gone = client.post(f"/beings/{being}/retire", {"version": "1"})
    assert "ritirato" in gone.text
    assert "Ritira questo essere" not in gone.text


def test_a_scene_says_until_when_answers_are_awaited_and_lets_the_default_be_applied(
    client: Client,
) -> None:
    site = client.site
    first, _ = enter(site, "miranda_thorne")
    second, _ = enter(site, "gregor_kaprov")
    client.enter(site.owner)
    duel = opened(meet(client, first, second, answer_within="24").text)
    client.post("/logout")
    client.enter(duel.seats[B])
    page = client.http.get(duel.path).text
    assert '<time datetime="2025-03-30T14:00:00+00:00"' in page
    assert "Fai valere" not in page
    version = re.search(r'name="version" value="([0-9]+)"', page)
    early = client.post(f"{duel.path}/lapse", {"version": "1", "key": "key-00000001"})
    assert early.status_code == 409
    assert "può ancora rispondere" in text_of(early.text)
    site.world.wait(timedelta(hours=24))
    page = client.http.get(duel.path).text
    assert "Fai valere ciò che è previsto" in page
    version = re.search(r'name="version" value="([0-9]+)"', page)
    assert version is not None
    form = {"version": version[1], "key": key_in(page)}
    done = client.post(f"{duel.path}/lapse", form, follow_redirects=False)
    assert done.status_code == 303
    assert "Applicata da Gregor Kaprov." in text_of(client.http.get(duel.path).text)
    client.post("/logout")
    assert "Fai valere" not in client.http.get(duel.path).text


@pytest.mark.parametrize("hours", ["0", "1441", "tanto", "-1", "9" * 30])
def test_the_master_sets_the_deadline_on_the_page(client: Client, hours: str) -> None:
    duel = client.site.open_duel()
    client.enter(duel.gm)
    refused = client.post(f"{duel.path}/deadline", {"answer_within": hours})
    assert refused.status_code == 422
    assert 'id="e-deadline-answer_within"' in refused.text
    shown = client.post(f"{duel.path}/deadline", {"answer_within": "48"})
    assert "2025-03-31T14:00:00+00:00" in shown.text
    assert "decide il Master" in text_of(shown.text)  # the Guida has no default
    gone = client.post(f"{duel.path}/deadline", {"answer_within": ""})
    assert "2025-03-31T14" not in gone.text


def test_the_form_of_a_scene_asks_for_a_deadline(client: Client) -> None:
    client.enter(client.site.owner)
    for path in ("/boards/board/scenes/new", "/boards/board/scenes/new/warrior_dice"):
        assert 'name="answer_within"' in client.http.get(path).text
