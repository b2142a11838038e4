"""Every link to a place in a page of ours leads to a place that is there."""

from __future__ import annotations

import html
import re
from pathlib import Path

from tests.web.pages_asked import ROUTES, address
from tests.web.town import Town

LINK = re.compile(r'href="(/[^"#]*)#([^"]+)"')
GAMES = ("warrior_dice", "combat_dice", "battle_dice")
MOST = 40  # targets of one page: beyond it they are of one kind


def test_a_link_to_a_place_in_a_page_finds_it(town: Town, tmp_path: Path) -> None:
    wrong: list[str] = []
    read: dict[str, str] = {}
    with town.copy(tmp_path) as client:

        def page(path: str) -> str:
            if path not in read:
                read[path] = town.ask(client, "owner", "GET", path).text
            return read[path]

        for route in ROUTES:
            method, path = route.split(" ", 1)
            if method != "GET":
                continue
            for game in GAMES if "{game}" in path else ("",):
                where = address(town, route, {"game": game} if game else None)
                links = sorted({*LINK.findall(page(where))})[:MOST]
                wrong += [
                    f"{where}: {target}#{place}"
                    for target, place in (
                        (html.unescape(one), html.unescape(id)) for one, id in links
                    )
                    if f'id="{html.escape(place)}"' not in page(target)
                ]
    assert len(read) > 60
    assert wrong == []
