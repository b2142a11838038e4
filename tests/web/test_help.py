"""Help answers from where somebody stands, in both languages, and leads only to pages there are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from app.web.help_topics import topic_of, topics
from tests.web.town import ROLES, Town


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_topic_is_told_in_both_languages(client: Any, language: str) -> None:
    page = client.http.get(f"/help?lang={language}").text
    for topic in topics():
        assert f'id="{topic.id}"' in page
        assert topic.title[language] in page.replace("&#39;", "'")
        assert len(topic.text["it"]) == len(topic.text["en"])


def test_a_page_leads_to_its_own_topic(client: Any) -> None:
    client.enter(client.site.owner)
    for address, topic in (
        ("/", "begin"),
        ("/boards/board/settings", "settings"),
        ("/boards/board/sheets", "sheets"),
        ("/tags", "dice"),
        ("/rules", "rules"),
    ):
        assert f'href="/help#{topic}"' in client.http.get(address).text, address
    assert topic_of("a part that nobody has written of") == topics()[0].id


def test_help_leads_only_to_pages_that_are_there(client: Any) -> None:
    client.enter(client.site.owner)
    main = client.http.get("/help").text.partition("<main")[2].partition("</main>")[0]
    addresses = {one for one in re.findall(r'href="(/[^"#]*)"', main) if one != "/cases"}
    assert len(addresses) > 8
    for address in addresses:
        assert client.http.get(address).status_code == 200, address


def test_help_leads_nobody_to_what_is_closed_to_them(town: Town, tmp_path: Path) -> None:
    for place in ("", f"?board={town.here.board}"):
        with town.copy(tmp_path) as client:
            for role in ROLES:
                page = town.ask(client, role, "GET", f"/help{place}").text
                main = page.partition("<main")[2].partition("</main>")[0]
                for address in set(re.findall(r'href="(/boards/[^"#]*)"', main)):
                    answer = town.ask(client, role, "GET", address)
                    assert answer.status_code == 200, (role, address)
    assert {link.who for topic in topics() for link in topic.see} == {"", "owner", "opener"}


def test_a_new_board_counts_its_first_steps_until_they_are_done(client: Any) -> None:
    assert "Primi passi" not in client.http.get("/boards/board").text
    client.enter(client.site.owner)
    page = client.http.get("/boards/board").text
    assert page.count("Fatto:") == 0
    assert "/boards/board/sheets/new" in page
    client.site.keep_sheets()
    assert client.http.get("/boards/board").text.count("Fatto:") == 1
    duel = client.site.open_duel()
    page = client.http.get("/boards/board").text
    assert page.count("Fatto:") == 2
    assert f"/scenes/{duel.id}" in page
