"""The warriors as pages: tables, heat map, duels, and a workshop that says everything at once."""

from __future__ import annotations

import html
import re

import pytest

from app.rulesets.warrior_dice.printed import PRINTED
from app.web.warrior_form import blank_design
from tests.web.conftest import Client, Visitor


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def texts_of(id: str, **other: str) -> dict[str, str]:
    """Fill the form of the workshop with a printed warrior, and what is to be otherwise."""
    found = {"name": "Ronin"}
    for name, value in blank_design(PRINTED[id].sheet).items():
        if isinstance(value, dict):
            found |= {f"{name}.{part}": str(text) for part, text in value.items()}
        elif name != "name":
            found[name] = str(value)
    return {**found, **other}


def test_every_printed_warrior_has_a_card_and_a_page(client: Client) -> None:
    page = client.http.get("/warriors").text
    assert page.count('class="card warrior"') == len(PRINTED)
    for id in ("guerriero", "demon_lord"):
        shown = text_of(client.http.get(f"/warriors/{id}").text)
        assert PRINTED[id].sheet.name in shown
        assert "%" in shown
    assert client.http.get("/warriors/nobody").status_code == 404
    english = text_of(client.http.get("/warriors/guerriero?lang=en").text)
    assert "Warrior" in english


def test_the_heat_map_says_every_chance_in_figures_too(client: Client) -> None:
    page = client.http.get("/warriors/matrix").text
    cells = re.findall(r'<td class="heat heat-(\d+)">(\d+)</td>', page)
    assert len(cells) == len(PRINTED) ** 2
    assert all(abs(int(shade) * 10 - int(share)) <= 6 for shade, share in cells)
    sheet = client.http.get("/warriors/matrix.csv")
    assert sheet.headers["content-type"].startswith("text/csv")
    rows = [line.split(",") for line in sheet.text.split()]
    assert {len(row) for row in rows} == {len(PRINTED) + 1}
    assert rows[1][1] == "0.50000000"


def test_a_duel_is_worked_out_with_an_explanation(client: Client) -> None:
    page = client.http.get("/warriors/duel?first=guerriero&second=elfo&battlefield=&begins=roll")
    assert page.status_code == 200
    shown = text_of(page.text)
    assert "Vince Guerriero 42,4%" in shown
    assert "Vince Elfo 57,6%" in shown
    assert "I passanti" not in shown
    parked = client.http.get("/warriors/duel?first=guerriero&second=elfo&battlefield=9")
    assert "Lo interrompono i passanti" in text_of(parked.text)


def test_better_choices_are_worked_out_when_asked_for(client: Client) -> None:
    asked = "/warriors/duel?first=guerriero&second=elfo&best=1&begins=first"
    shown = text_of(client.http.get(asked).text)
    found = re.search(r"nessuno: tutti e due tengono il migliore (\S+)% Guerriero (\S+)%", shown)
    assert found is not None
    assert found[1] < found[2]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("first=nobody&second=elfo", 409),
        ("first=guerriero&second=elfo&battlefield=99", 422),
        ("first=guerriero&second=elfo&begins=never", 422),
        ("first=demon_lord&second=demon_lord&best=1", 422),
    ],
)
def test_a_duel_that_cannot_be_worked_out_says_why(client: Client, query: str, status: int) -> None:
    page = client.http.get(f"/warriors/duel?{query}")
    assert page.status_code == status
    assert "notice--bad" in page.text


def test_a_design_meets_all_the_printed_ones(client: Client) -> None:
    page = client.post("/warriors/design", texts_of("guerriero"))
    assert page.status_code == 200
    assert "300 punti" in text_of(page.text)
    rows = re.findall(r'<th scope="row"><a href="/warriors/(\w+)">', page.text)
    assert sorted(rows) == sorted(PRINTED)
    assert 'value="Katana"' in client.http.get("/warriors/design").text
    assert client.http.get("/warriors/design?from=nobody").status_code == 404


def test_a_design_is_refused_with_everything_that_is_wrong_beside_its_field(client: Client) -> None:
    wrong = texts_of("guerriero", **{"face3a.force": "70", "face2a.what": "adder", "hits": "105"})
    page = client.post("/warriors/design", wrong)
    assert page.status_code == 409
    shown = text_of(page.text)
    assert page.text.count("data-within") >= 3
    assert "WD-A1" in shown
    assert 'value="70"' in page.text
    odd = client.post("/warriors/design", texts_of("guerriero", **{"face3a.force": "much"}))
    assert odd.status_code == 422
    assert 'data-field="face3a.force"' in odd.text
    nameless = client.post("/warriors/design", texts_of("guerriero", name=""))
    assert nameless.status_code == 422
    assert 'data-field="name"' in nameless.text


@pytest.mark.parametrize("width", [360, 1280])
def test_wide_tables_scroll_in_their_own_box(visitor: Visitor, width: int) -> None:
    page = visitor(viewport={"width": width, "height": 800})
    for address in ("/warriors", "/warriors/matrix", "/warriors/guerriero", "/warriors/design"):
        page.goto(address)
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) <= 0, address
