"""Looking at a page as everybody sees it: on a phone and on a desk, in the light and in the dark.

With a folder in `ARBITRO_PICTURES` each page that is looked at leaves its four pictures there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from playwright.sync_api import Page

AXE: Final = (Path(__file__).parents[1] / "vendor" / "axe.min.js").read_text(encoding="utf-8")
TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""What depends on the theme; all else is the same in the dark, where it is not asked again."""
WIDTHS: Final = (360, 1280)
PICTURES: Final = os.environ.get("ARBITRO_PICTURES")
IN_A_ROW: Final = (
    "[...document.querySelectorAll('[role=group]:not(.scroll)')].map((one) => one.outerHTML)"
)
"""What Pico sets side by side like the buttons of a bar, whatever is in it: write a fieldset."""
BEYOND: Final = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def open_everything(page: Page) -> None:
    """Unfold whatever is folded, so that it is looked at too."""
    page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")


def faults(page: Page, where: str, widths: Sequence[int] = WIDTHS) -> list[str]:
    """List what axe finds on a page, and what of it lies beyond the edge, in either theme."""
    page.wait_for_load_state()  # a click that leads here has waited for its beginning only
    open_everything(page)
    found = [f"{where}: set in a row: {one[:100]}" for one in page.evaluate(IN_A_ROW)]
    before = page.viewport_size
    page.evaluate(AXE)
    for width in widths:
        page.set_viewport_size({"width": width, "height": 800})
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            at = f"{where} at {width} px, {theme}"
            if PICTURES:
                _picture(page, at)
            if theme == "light":
                beyond = page.evaluate(BEYOND)
                found += [f"{at}: {beyond} px beyond the edge"] if beyond > 0 else []
            only = (
                {"type": "tag", "values": TAGS}
                if theme == "light"
                else {"type": "rule", "values": OF_COLOURS}
            )
            result = page.evaluate(
                "(only) => axe.run(document, { runOnly: only, resultTypes: ['violations'] })", only
            )
            for one in result["violations"]:
                targets = [node["target"] for node in one["nodes"]][:3]
                found.append(f"{at}: {one['id']} {targets}")
    page.emulate_media(color_scheme="null", reduced_motion="null")
    if before is not None:
        page.set_viewport_size(before)
    return found


def look_at(page: Page, *paths: str) -> None:
    """Go to pages of one person and hold each to what ``faults`` asks."""
    for path in paths:
        page.goto(path)
        found = faults(page, path)
        assert not found, "; ".join(found)


def _picture(page: Page, at: str) -> None:
    assert PICTURES
    name = re.sub(r"[^\w.-]+", "_", at)[:120]
    page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)
