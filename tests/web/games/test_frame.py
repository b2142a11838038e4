"""The frame of the pages is the same for every game that has a record of pages."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.web.games import PAGES

GAMES = tuple(PAGES.values())
SELECT = re.compile(r'<select id="[^"]*" name="([^"]+)"[^>]*>(.*?)</select>', re.DOTALL)


@pytest.mark.parametrize("game", GAMES, ids=lambda one: one.key)
def test_every_page_of_a_new_scene_is_shown(client: Any, game: Any) -> None:
    client.enter(client.site.owner)
    form = client.http.get(f"/boards/board/scenes/new/{game.key}")
    assert form.status_code == 200, form.text
    key = re.search(r'name="key" value="([^"]+)"', form.text)
    assert key is not None
    sent = {**defaults_in(form.text), "title": "Prova", "key": key[1], "do": "open"}
    opened = client.post(f"/boards/board/scenes/new/{game.key}", sent)
    assert opened.status_code == 201, opened.text
    found = re.search(r'href="(/scenes/[^"/]+)/gm"', opened.text)
    assert found is not None
    scene = found[1]
    for link in re.findall(r'value="[^"]*(/k/[^"]+)"', opened.text):
        client.post(link)
    shown = client.http.get(scene)
    assert shown.status_code == 200, shown.text
    turns = re.findall(rf'href="({scene}/turn/[^"]+)"', shown.text)
    assert turns
    for path in (f"{scene}/gm", f"{scene}/dice", f"{scene}/luck", *turns):
        assert client.http.get(path).status_code == 200, path
    assert client.http.get(f"{scene}/strip").status_code == 404
    for path in turns:  # a sheet is what the set-up says: it is the Guida's that can be corrected
        sheet = path.replace("/turn/", "/sheet/")
        assert client.http.get(sheet).status_code == 404
        assert client.post(sheet, {"do": "save"}).status_code == 404


def defaults_in(text: str) -> dict[str, str]:
    """Gather what the fields of a form hold before anybody types."""
    found: dict[str, str] = {}
    for name, rest in re.findall(
        r'<select id="[^"]*" name="([^"]+)"[^>]*>(.*?)</select>', text, re.DOTALL
    ):
        chosen = re.search(r'<option value="([^"]*)" selected', rest) or re.search(
            r'<option value="([^"]*)"', rest
        )
        found[name] = chosen[1] if chosen else ""
    found |= dict(re.findall(r'<input id="f-[^"]*" name="([^"]+)" value="([^"]*)"', text))
    found |= dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', text))
    found |= dict(re.findall(r'<input type="radio" name="([^"]+)" value="([^"]*)" checked', text))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda one: one.key)
def test_what_is_not_filled_in_is_said_beside_its_field(client: Any, game: Any) -> None:
    client.enter(client.site.owner)
    refused = client.post(
        f"/boards/board/scenes/new/{game.key}", {"do": "open", "title": "", "key": "k" * 22}
    )
    assert refused.status_code in {409, 422}, refused.text
    assert 'role="alert"' in refused.text
