"""Several turns in one go: the short forms, what they become, and the one post that tells them."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.services.shapes import Roller
from tests.integration.test_many import PACK, pack, summon
from tests.web.conftest import Client, Duel, Site, Visitor


def hunt(site: Site, **more: Any) -> Duel:
    """Open the scene of the wolves, which are up first."""
    setup = pack()
    return site.open_duel(entrants=setup.entrants, distances=setup.distances, first="wolf1", **more)


def seated(client: Client, **more: Any) -> Duel:
    """Open it and enter as its Master."""
    opened = hunt(client.site, **more)
    client.enter(opened.gm)
    return opened


def sent(client: Client, opened: Duel, **fields: str) -> Any:
    """Send the forms, made for the scene as it stands."""
    page = client.http.get(f"{opened.path}/several").text
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    form = {"version": version[1], "key": client.site.world.token(), "count": "3", **fields}
    return client.post(f"{opened.path}/several", form)


def text_of(answer: Any) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


ALL_STRIKE = {
    "turns.0.main": "attack:quincy/claws",
    "turns.1.main": "alike",
    "turns.2.main": "alike",
    "turns.0.story": "Il branco scatta.",
}


def test_the_master_takes_the_turns_of_a_pack_in_one_go(client: Client) -> None:
    opened = seated(client)
    assert "Scrivi 3 turni in una volta" in text_of(client.http.get(f"{opened.path}/gm"))
    done = sent(client, opened, **ALL_STRIKE)
    assert done.status_code == 200
    assert str(done.url).endswith(f"{opened.path}/joint/1/3?sent")
    text = re.search(r'<textarea id="post-text"[^>]*>(.*?)</textarea>', done.text, re.DOTALL)
    assert text is not None
    for name in PACK:
        assert name in text[1]
    assert text[1].index("Il branco scatta.") < text[1].index("wolf2")
    view = client.site.view(opened)
    assert [one.attacker for one in view.incoming] == list(PACK)
    assert view.next == "quincy"


def test_only_as_many_turns_are_taken_as_were_asked_for(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **{**ALL_STRIKE, "count": "2"})
    assert client.site.view(opened).next == "wolf3"


def test_where_one_is_refused_none_is_sent_and_nothing_written_is_lost(client: Client) -> None:
    opened = seated(client)
    wrong = {**ALL_STRIKE, "turns.1.main": "attack:quincy/none"}
    refused = sent(client, opened, **wrong)
    assert refused.status_code == 409
    assert 'href="#f-turns.1.main"' in refused.text
    assert "Il branco scatta." in refused.text
    assert client.site.view(opened).incoming == ()


def test_the_pack_answers_what_comes_at_it(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **ALL_STRIKE)
    quincy = {
        "version": "4",
        "key": client.site.world.token(),
        "main.pick": "wolf1/bow",
        **{f"answers.{one.id}.id": one.id for one in client.site.view(opened).incoming},
    }
    client.enter(opened.seats["quincy"])
    assert client.post(opened.turn("quincy"), quincy).status_code == 200
    (shot,) = client.site.view(opened).incoming
    page = client.http.get(f"{opened.path}/several")
    assert f'name="turns.0.reply.{shot.id}"' in page.text
    done = sent(client, opened, **{f"turns.0.reply.{shot.id}": "guard/claws"})
    assert "joint" in str(done.url)
    assert client.site.view(opened).incoming == ()


def test_the_page_is_for_those_who_play_the_turns(client: Client) -> None:
    opened = hunt(client.site)
    assert client.http.get(f"{opened.path}/several").status_code == 404
    client.enter(opened.seats["quincy"])
    there = client.http.get(f"{opened.path}/several")
    assert str(there.url).endswith(opened.path)
    assert "in una volta" not in text_of(there)
    assert client.post(f"{opened.path}/several", {"version": "1"}).status_code == 404


def test_a_player_takes_the_turns_of_the_summons_too(client: Client) -> None:
    opened = client.site.open_duel()
    client.site.decide(opened, summon())
    client.enter(opened.seats["hollow"])
    assert "Scrivi 2 turni in una volta" in text_of(client.http.get(opened.path))
    fields = {"turns.0.main": "attack:quincy/claws", "turns.1.main": "alike", "count": "2"}
    assert "joint" in str(sent(client, opened, **fields).url)
    assert [one.attacker for one in client.site.view(opened).incoming] == ["hollow", "imp"]


@pytest.mark.parametrize("count", ["0", "4", "-1"])
def test_a_count_that_the_scene_does_not_wait_for_is_not_found(client: Client, count: str) -> None:
    opened = seated(client)
    assert sent(client, opened, **{**ALL_STRIKE, "count": count}).status_code == 404


def test_where_the_forum_rolls_the_page_says_what_goes_together(client: Client) -> None:
    opened = seated(client, dice=Roller.FORUM)
    assert "solo turni senza dadi" in text_of(client.http.get(f"{opened.path}/several"))
    refused = sent(client, opened, **ALL_STRIKE)
    assert refused.status_code == 409
    assert "nulla è stato deciso" in text_of(refused)


def test_what_was_taken_back_is_not_in_the_joint_post(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **ALL_STRIKE)
    client.post(
        f"{opened.path}/void",
        {"reason": "No.", "version": "4", "key": client.site.world.token(), "by": GM},
    )
    page = client.http.get(f"{opened.path}/joint/1/3")
    text = re.search(r'<textarea id="post-text"[^>]*>(.*?)</textarea>', page.text, re.DOTALL)
    assert text is not None
    assert "wolf3" not in text[1]
    assert client.http.get(f"{opened.path}/joint/4/4").status_code == 404
    assert client.http.get(f"{opened.path}/joint/3/1").status_code == 404
    assert client.http.get(f"{opened.path}/joint/1/99").status_code == 404


def test_a_pack_is_played_on_a_phone(visitor: Visitor, site: Site) -> None:
    opened = hunt(site)
    page = visitor(opened.gm, viewport={"width": 360, "height": 740})
    page.goto(f"{opened.path}/several")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_label("Azione Principale").first.select_option(index=1)
    page.get_by_label("Azione Principale").nth(1).select_option("alike")
    page.get_by_role("button", name="Manda i turni").click()
    page.wait_for_url("**/joint/1/3?sent")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert "wolf2" in page.locator("#post-text").input_value()
