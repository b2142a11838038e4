"""Every page that no other test looks at, in both themes and widths: nothing for axe, nothing cut.

The pages are those that the application has, so that a new one is looked at from its first day.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from app.config import Settings
from app.http.session import PLAIN_COOKIE
from app.main import create_app
from tests.support.serving import a_door, serving
from tests.support.world import FixedWorld
from tests.web.looking import faults
from tests.web.pages_asked import ROUTES, address
from tests.web.town import Town

# Looked at, with something to show, by test_pages, test_technique_books, test_desk_browser and
# test_people_in_browsers; what /template/look gives is shown in a frame of /template, where no
# script may run.
ELSEWHERE = frozenset(
    {
        *(
            "/",
            "/boards/new",
            "/cases",
            "/cases/{case_id}",
            "/docs/errors",
            "/docs/runner",
            "/inbox",
        ),
        *(
            "/inbox/settings",
            "/k/{secret}",
            "/login",
            "/me",
            "/rules",
            "/rules/{rule_id}",
            "/signup",
        ),
        *("/reset/{token}", "/i/{secret}", "/s/{token}", "/tags", "/verify", "/zone"),
        *(
            f"/boards/{{board_id}}{path}"
            for path in (
                *("", "/books", "/books/format", "/books/import", "/books/new", "/books/trail"),
                *("/books/pieces/{piece_id}", "/books/pieces/{piece_id}/edit", "/desk"),
                *("/desk/scenes", "/desk/{scene_id}/{number}", "/dialects", "/members", "/options"),
                *(
                    "/pattern",
                    "/precedents",
                    "/scenes/import",
                    "/scenes/new",
                    "/settings",
                    "/sheets",
                ),
                *("/sheets/new", "/template", "/template/look", "/time"),
            )
        ),
        *(
            f"/scenes/{{scene_id}}{path}"
            for path in (
                *(
                    "",
                    "/audit",
                    "/clock",
                    "/dice",
                    "/entries/{number}",
                    "/entries/{number}/compare",
                ),
                *("/gm", "/joint/{first}/{last}", "/log", "/luck", "/several", "/share", "/strip"),
                *("/sheet/{seat}", "/sheet/{seat}/paper", "/timeline", "/turn/{seat}"),
            )
        ),
    }
)
GAMES = ("warrior_dice", "combat_dice", "battle_dice")
MORE = ("/warriors/design?warrior=guerriero", "/warriors/duel?first=guerriero&second=ladro")
"""With something chosen, where the address alone shows an empty form."""


@pytest.fixture
def base(town: Town, tmp_path: Path) -> Iterator[str]:
    """Serve a copy of the town."""
    path = tmp_path / "served.sqlite3"
    shutil.copy(town.path, path)
    settings = Settings(database_url=f"sqlite:///{path}", base_url="http://127.0.0.1", jobs=False)
    with serving(create_app(settings, FixedWorld(seed="served")), a_door()) as address:
        yield address


def addresses(town: Town) -> Iterator[str]:
    """List the addresses to look at."""
    for route in ROUTES:
        method, path = route.split(" ", 1)
        if method == "GET" and path not in ELSEWHERE:
            places = [{"game": game} for game in GAMES] if "{game}" in path else [{}]
            yield from (address(town, route, one) for one in places)
    yield from MORE


def test_every_other_page_is_looked_at(
    base: str, town: Town, browser: Browser, browser_context_args: dict[str, Any]
) -> None:
    contexts = []
    for role in ("owner", "player"):
        context = browser.new_context(**{**browser_context_args, "base_url": base})
        context.add_cookies([{"name": PLAIN_COOKIE, "value": town.cookies[role], "url": base}])
        contexts.append(context)
    pages = [context.new_page() for context in contexts]
    found: list[str] = []
    looked: set[str] = set()
    for path in addresses(town):
        for page, context in zip(pages, contexts, strict=True):
            answer = context.request.get(path, max_redirects=0)
            if answer.ok and answer.headers["content-type"].startswith("text/html"):
                page.goto(path)
                found += faults(page, path)
                looked.add(path)
                break
    for context in contexts:
        context.close()
    assert not found, "\n".join(found)
    assert len(looked) >= 20, sorted(looked)


def test_what_is_looked_at_elsewhere_is_there() -> None:
    assert {route.split(" ", 1)[1] for route in ROUTES} >= ELSEWHERE
