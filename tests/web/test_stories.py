"""Correcting the words of a post on its page, and asking whether a pasted one was edited."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.support.fights import attack
from tests.web.conftest import Client, Duel, Site

STORY = {"narration.initial": "L'aria si fa pesante.", "narration.offensive": "Colpisce."}
SENT = {**STORY, "wording": "1", "key": "story-of-test"}


def told(client: Client) -> Duel:
    """Let the Hollow attack, and enter as its player."""
    opened = client.site.open_duel()
    client.site.decide(opened, attack(by="hollow"))
    client.enter(opened.seats["hollow"])
    return opened


def post_in(text: str) -> str:
    """Give the post that a page offers to copy."""
    found = re.search(r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', text, re.DOTALL)
    assert found is not None
    return html.unescape(found[1])


def test_a_text_is_corrected_and_the_old_wording_can_be_read(client: Client) -> None:
    opened = told(client)
    assert "Correggi il testo" in client.http.get(f"{opened.path}/entries/1").text
    page = client.post(f"{opened.path}/entries/1/story", SENT).text
    assert "Il testo è corretto" in page
    assert "2 stesure" in page
    assert "Colpisce." in post_in(page)
    assert "Testo della voce 1 corretto" in client.http.get(f"{opened.path}/entries/2").text
    assert "testo corretto dalla voce" in client.http.get(opened.path).text


def test_what_stands_in_the_way_is_said_beside_the_form(client: Client) -> None:
    opened = told(client)
    client.post(f"{opened.path}/entries/1/story", SENT)
    for changed, status, says in (
        ({"key": "other-of-test"}, 409, "Qualcuno ha corretto questa storia nel frattempo"),
        ({"key": "third-of-test", "wording": "2"}, 422, "La storia è già scritta così"),
        ({"key": "fourth-of-test", "wording": "due"}, 422, "Il testo non è ancora corretto"),
    ):
        answer = client.post(f"{opened.path}/entries/1/story", {**SENT, **changed})
        assert (answer.status_code, says in answer.text) == (status, True), changed


def test_the_opponent_has_no_form_and_is_not_heard(client: Client) -> None:
    opened = told(client)
    client.http.cookies.clear()
    client.enter(opened.seats["quincy"])
    assert "Correggi il testo" not in client.http.get(f"{opened.path}/entries/1").text
    assert client.post(f"{opened.path}/entries/1/story", SENT).status_code == 404


def test_a_pasted_post_is_said_to_be_edited_or_not(client: Client) -> None:
    opened = told(client)
    client.post(f"{opened.path}/entries/1/story", SENT)
    post = post_in(client.http.get(f"{opened.path}/entries/1").text)
    assert "il testo è quello scritto allora" in client.post("/tags", {"text": post}).text
    edited = post.replace("Colpisce", "Manca")
    assert "il testo non è più quello scritto allora" in client.post("/tags", {"text": edited}).text


def test_the_form_fits_a_phone_and_a_desk(
    site: Site, visitor: Callable[..., Page], tmp_path: Path
) -> None:
    opened = site.open_duel()
    site.decide(opened, attack(by="hollow"))
    page: Any = visitor(opened.seats["hollow"])
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto(f"{site.base}{opened.path}/entries/1")
        page.get_by_text("Correggi il testo").first.click()
        page.screenshot(path=tmp_path / f"{width}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
