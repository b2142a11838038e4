"""Draw the templates of the gallery: ``python -m tests.gallery`` makes their pictures anew.

With a folder as argument it draws them whole instead, as on a phone and as on a desk, to look at.
"""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from markupsafe import Markup
from playwright.sync_api import Page, sync_playwright

from app.config import ROOT, STATIC
from app.posts.gallery import designs
from app.posts.template_sample import sample
from app.posts.templates import fill
from app.web.look import shown
from app.web.pages import environment
from tests.conftest import BROWSER_FLAGS

GALLERY = STATIC / "gallery"
WIDE, HIGH, QUALITY = 640, 540, 72
LOOKED_AT = (360, 1280)


def documents() -> Iterator[tuple[str, str]]:
    """Give each design in each markup as a page in Italian."""
    for design in designs():
        for markup, template in design.templates.items():
            text = fill(sample("it", live=False), template, "guida")
            yield (
                f"{design.key}-{markup.value}",
                environment("it")
                .get_template("board/look.html")
                .render(
                    faults=(), empty=False, text="", shown=Markup(shown(text, template, "guida"))
                ),
            )


def draw(page: Page, name: str, document: str) -> bytes:
    """Draw the beginning of a post as a small picture."""
    page.set_viewport_size({"width": WIDE, "height": HIGH})
    page.set_content(document)
    wire = page.context.new_cdp_session(page)
    made = wire.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    wire.detach()
    return base64.b64decode(made["data"])


def main(folder: str = "") -> None:
    """Draw them all."""
    with sync_playwright() as playwright:
        found = subprocess.check_output(["sh", "tests/browser.sh"], cwd=ROOT, text=True).strip()
        browser = playwright.chromium.launch(executable_path=found, args=list(BROWSER_FLAGS))
        page = browser.new_page()
        for name, document in documents():
            if not folder:
                (GALLERY / f"{name}.webp").write_bytes(draw(page, name, document))
                continue
            for width in LOOKED_AT:
                page.set_viewport_size({"width": width, "height": 800})
                page.set_content(document)
                page.screenshot(path=Path(folder) / f"{name}-{width}.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    GALLERY.mkdir(exist_ok=True)
    main(*sys.argv[1:])
