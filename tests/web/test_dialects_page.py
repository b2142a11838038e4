"""The page of formats: a sample as each forum takes it, to whoever chooses among them."""

from __future__ import annotations

import html
import re

import pytest

from app.posts.dialects import DIALECTS
from app.posts.dice_tag import check_post
from app.posts.phrases import say
from tests.web.conftest import Client


def samples(page: str) -> dict[str, str]:
    """Read the samples of the page by their dialects."""
    found = re.findall(r'<textarea id="text-(\w+)"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    return {key: html.unescape(text) for key, text in found}


@pytest.mark.parametrize(("language", "story"), [("it", "Salta dal tetto"), ("en", "He leaps")])
def test_every_format_is_shown_with_a_sample_in_the_readers_language(
    client: Client, language: str, story: str
) -> None:
    page = client.http.get("/boards/board/dialects", params={"lang": language}).text
    shown = samples(page)
    assert list(shown) == list(DIALECTS)
    for key, text in shown.items():
        assert html.escape(say(language, "guida", "words", key)) in page
        assert story in text
        fallen = DIALECTS[key].read(text)
        assert [(one.naturals, one.total, one.issues) for one in fallen] == [((8,), 15, ())]
        tags = check_post(text)
        assert [one.tag.issues for one in tags] == [()] * DIALECTS[key].has_tags


def test_the_boards_own_format_is_marked_and_its_form_leads_to_the_samples(client: Client) -> None:
    client.enter(client.site.owner)
    board = client.http.get("/boards/board/settings").text
    assert 'href="/boards/board/dialects"' in board
    assert all(f'<option value="{key}"' in board for key in DIALECTS)
    page = client.http.get("/boards/board/dialects").text
    assert page.count("il formato di questa board") == 1
    assert page.index("il formato di questa board") < page.index('id="forumotion-title"')


def test_a_format_that_is_chosen_is_kept(client: Client) -> None:
    client.enter(client.site.owner)
    page = client.http.get("/boards/board/settings").text
    form = dict(re.findall(r'<input [^>]*name="([^"]+)" value="([^"]*)"', page))
    chosen = re.findall(
        r'<select [^>]*name="([^"]+)".*?<option value="([^"]*)" selected', page, re.DOTALL
    )
    form |= {**dict(chosen), "dialect": "smf_rpg"}
    sent = client.post("/boards/board/settings", form, follow_redirects=False)
    assert sent.status_code == 303, sent.text[:2000]
    page = client.http.get("/boards/board/dialects").text
    start = page.index('id="smf_rpg-title"')
    assert "il formato di questa board" in page[start : start + 400]
