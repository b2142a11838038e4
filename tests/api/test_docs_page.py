"""The page that shows the document, in a real browser that holds it to its content policy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI

from tests.api.test_examples import OPERATIONS
from tests.support.serving import a_door, serving


@pytest.fixture
def address(app: FastAPI) -> Iterator[str]:
    """Serve the application on a port of its own."""
    with serving(app, a_door()) as served:
        yield served


def test_the_docs_page_shows_every_operation_and_nothing_goes_wrong(
    address: str, page: Any
) -> None:
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/api/docs")
    page.wait_for_selector(".opblock-tag")
    shown = 0
    # One group at a time: of more than 150 lines the page draws only those in sight.
    for group in page.locator(".opblock-tag").all():
        group.click()
        shown += page.locator(".opblock").count()
        group.click()
    assert shown == len(OPERATIONS)
    page.click('.opblock-tag[data-tag="turns"]')
    page.click("#operations-turns-submit_order .opblock-summary")
    page.wait_for_selector("#operations-turns-submit_order .responses-wrapper")
    page.click('.opblock-tag[data-tag="board"]')
    page.wait_for_selector("text=Leggi le impostazioni della board")
    assert complaints == []
    assert [url for url in asked if not url.startswith((address, "data:"))] == []


def test_the_docs_page_tries_an_operation(address: str, page: Any) -> None:
    page.goto(f"{address}/api/docs")
    page.click('.opblock-tag[data-tag="reference"]')
    page.click("#operations-reference-list_errors .opblock-summary")
    page.click("#operations-reference-list_errors .execute")
    answered = page.locator("#operations-reference-list_errors .live-responses-table")
    answered.wait_for()
    assert "200" in answered.inner_text()
