"""Names and titles as long as they may be, without a space: they break, and no page grows wider."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from app.persistence.codec import encode
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import Attack, Figures, Turn
from app.services.boards import change_board
from app.services.scenes import open_scene
from app.services.shapes import BoardChanges, OpenScene, Roller
from app.services.sheets import add_sheet
from tests.support.fights import HOLLOW, QUINCY, duel
from tests.web.conftest import Duel, Site, Visitor
from tests.web.looking import BEYOND, open_everything

LONGEST = 80
WIDTHS = (320, 360, 1280)  # the first is a small window at 200 %


def unbroken(word: str) -> str:
    """Repeat a word until it is as long as a name may be."""
    return (word * LONGEST)[:LONGEST]


@pytest.fixture
def long_duel(site: Site) -> Duel:
    """Open a scene in which everything that has a name has a long one."""
    one, other = (
        replace(
            sheet,
            name=unbroken(sheet.name),
            tools=tuple(replace(tool, name=unbroken(tool.name)) for tool in sheet.tools),
        )
        for sheet in (HOLLOW, QUINCY)
    )
    entrants = (
        Entrant(id="hollow", team=unbroken("notte")[:40], sheet=one),
        Entrant(id="quincy", team=unbroken("giorno")[:40], sheet=other),
    )
    change_board(
        site.db, site.world, site.principal, FIRST_BOARD, BoardChanges(name=unbroken("Karakura"))
    )
    for sheet in (one, other):
        key = site.world.token()
        add_sheet(site.db, site.world, site.principal, FIRST_BOARD, encode(sheet), key)
    opened = open_scene(
        site.db,
        site.world,
        site.principal,
        FIRST_BOARD,
        OpenScene(
            title=unbroken("Ponte"),
            setup=duel(entrants=entrants),
            dice=Roller.SERVICE,
            seal_hours=0,
        ),
        site.world.token(),
    )
    made = Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))
    blow = Attack(target="quincy", tool="claws")
    site.decide(made, Turn(by="hollow", main=blow, figures=Figures(hp=190, ep=100)))
    return made


def pages_of(duel: Duel) -> Iterator[str]:
    """List the pages on which names stand."""
    yield from ("/", "/inbox", "/boards/board")
    yield from (f"/boards/board/{one}" for one in ("sheets", "desk", "desk/scenes", "settings"))
    yield from (f"/boards/board/{one}" for one in ("scenes/new", "members", "books", "beings"))
    yield from (f"/boards/board/books/new?kind={one}" for one in ("technique", "armour", "sheet"))
    yield duel.path
    yield from (
        f"{duel.path}/{one}"
        for one in (
            *("gm", "log", "luck", "timeline", "dice", "clock", "share", "audit", "strip"),
            *("entries/1", "entries/1/compare", "several", "sheet/hollow", "sheet/hollow/paper"),
            *("turn/quincy", "turn/hollow"),
        )
    )


def too_wide(page: Page, path: str) -> list[str]:
    """Name each width at which a page can be moved sideways."""
    page.goto(path)
    open_everything(page)
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        beyond: Any = page.evaluate(BEYOND)
        found += [f"{path} at {width} px: {beyond} px beyond the edge"] if beyond > 0 else []
    return found


def test_a_long_name_without_a_space_makes_no_page_wider(
    site: Site, visitor: Visitor, long_duel: Duel
) -> None:
    page = visitor(site.owner)
    found = [fault for path in pages_of(long_duel) for fault in too_wide(page, path)]
    assert not found, "\n".join(found)


def test_the_distances_of_a_scene_read_as_lines(site: Site, visitor: Visitor) -> None:
    page = visitor(site.owner)
    page.goto(site.open_duel().path)
    assert page.locator(".distances > li").first.inner_text() == "Hollow – Quincy: 5 m"


def test_a_printed_entry_has_no_box_that_is_cut_off(
    site: Site, visitor: Visitor, long_duel: Duel
) -> None:
    page = visitor(site.owner)
    page.goto(f"{long_duel.path}/entries/1")
    open_everything(page)
    page.emulate_media(media="print")
    assert page.locator(".post").is_visible()
    assert not [box for box in page.locator("textarea").all() if box.is_visible()]
