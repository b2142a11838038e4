"""Rules to search and cases to look at: forms that need no script, addresses that can be shared."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app import catalogue
from app.ops import casebook as module
from app.ops.casebook import casebook
from app.ops.lint import printed_tables
from tests.web.conftest import Client, Site, Visitor

FAILING = {
    "id": "X-1",
    "title": "A case that fails <b>",
    "chapter": "3 Potenza",
    "op": "power",
    "rules": ["GC-3.5"],
    "given": {"potential": 7.5, "stat_bonus": -1, "ruleset": {"stat_bonus_source": "input"}},
    "expect": {"power": 7, "weight": 3},
    "note": "7.5 - 1 = 6.5",
}


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def results(page: str) -> list[str]:
    """List the rules that a search shows, in their order."""
    part = page.partition('class="bare results"')[2]
    return re.findall(r'<h3><a href="/rules/([^"]+)">', part)


@pytest.fixture
def failing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the book hold a case that fails, and one that has no chapter."""
    fight = {**FAILING, "id": "X-2", "title": "Fine", "expect": {"power": 6.5}}
    del fight["chapter"]
    (tmp_path / "x.json").write_text(json.dumps([FAILING, fight]), encoding="utf-8")
    real = module.casebook
    for user in ("app.web.cases", "app.web.rules"):
        monkeypatch.setattr(f"{user}.casebook", lambda: real(tmp_path))


# ------------------------------------------------------------------------------------- rules


@pytest.mark.parametrize("query", ["schivata", "SCHIVÀTA", "dodge", "GC-4.57", "4.57"])
def test_a_rule_is_found_and_the_words_that_were_found_are_marked(
    client: Client, query: str
) -> None:
    page = client.http.get("/rules", params={"q": query}).text
    assert "GC-4.57" in results(page)
    assert "<mark>" in page
    assert "Trovata in:" in page
    assert f'value="{query}"' in page


def test_a_search_says_what_matched(client: Client) -> None:
    page = text_of(client.http.get("/rules", params={"q": "GC-4.57"}).text)
    assert "Trovata in: numero" in page
    page = text_of(client.http.get("/rules", params={"q": "null_defence"}).text)
    assert "glossario (Difesa Nulla)" in page
    assert "Nel glossario" in page


def test_what_matched_in_the_other_language_is_shown_in_it(client: Client) -> None:
    page = client.http.get("/rules", params={"q": "doubles", "chapter": "4"}).text
    assert "GC-4.21" in results(page)
    shown = re.findall(r'<p class="muted" lang="en">(.*?)</p>', page)
    title = catalogue.rule("GC-4.21").title["en"]
    assert [one for one in shown if title in re.sub(r"</?mark>", "", one) and "<mark>" in one]


def test_a_search_may_be_narrowed_to_a_chapter_and_a_state(client: Client) -> None:
    page = client.http.get("/rules", params={"q": "danno", "chapter": "6"}).text
    assert results(page)
    assert all(id.startswith("GC-6.") for id in results(page))
    page = client.http.get("/rules", params={"status": "narrative"}).text
    wanted = [id for id, rule in catalogue.rules().items() if rule.status == "narrative"]
    assert results(page) == wanted != []
    for id in wanted:
        assert catalogue.rule(id).reason["it"] in html.unescape(page)
    assert '<option value="narrative" selected>' in page


@pytest.mark.parametrize("query", ["zzzz", "<script>alert", "' zz OR 1=1", "%00", "[" * 500])
def test_a_search_for_nothing_says_so_and_repeats_the_words_harmlessly(
    client: Client, query: str
) -> None:
    answer = client.http.get("/rules", params={"q": query})
    assert answer.status_code == 200
    assert "Nessuna regola lo dice" in answer.text
    typed = re.search(r'id="q" name="q" value="([^"]*)"', answer.text)
    assert typed is not None
    assert html.unescape(typed[1]) == query[:100]
    assert "<script>alert" not in answer.text


def test_an_empty_search_shows_the_whole_book(client: Client) -> None:
    page = client.http.get("/rules?q=&game=guida&status=&chapter=").text
    assert results(page) == []
    assert 'id="rulings"' in page
    page = client.http.get("/rules?q=&game=&status=").text
    assert results(page) == []
    assert 'href="/rules?game=guida#c14"' in page


def test_a_search_stays_when_the_language_changes(client: Client) -> None:
    page = client.http.get("/rules", params={"q": "più"}).text
    address = html.unescape(re.search(r'href="(\?[^"]*lang=en)"', page)[1])
    english = client.http.get(f"/rules{address}").text
    assert 'lang="en"' in english
    assert results(english) == results(page) != []


def test_a_rule_links_its_options_its_readings_and_every_case_that_proves_it(
    client: Client,
) -> None:
    page = client.http.get("/rules/GC-4.21").text
    for ruling in catalogue.rule("GC-4.21").rulings:
        assert f'href="/rules/{ruling}"' in page
        for option in catalogue.ruling(ruling).options:
            assert f'id="option-{option}"' in page
    cases = casebook().by_rule["GC-4.21"]
    assert len(cases) > 4
    for one in cases:
        assert f'href="/cases/{one.id}"' in page
    assert 'href="/cases?rule=GC-4.21"' in page


def test_a_rule_that_no_dice_decide_says_why(client: Client) -> None:
    page = text_of(client.http.get("/rules/GC-3.9").text)
    assert catalogue.rule("GC-3.9").reason["it"] in page


def test_a_printed_table_is_shown_with_its_faults(client: Client) -> None:
    shown = 0
    for table in printed_tables():
        answer = client.http.get(f"/rules/{table.rule}")
        if answer.status_code == 404:  # a chapter that is not in the catalogue yet
            assert table.rule not in catalogue.rules()
            continue
        page = text_of(answer.text)
        assert table.title["it"] in page
        for defect in table.defects:
            assert f"{defect.at}" in page
            assert table.known[f"{defect.fault} {defect.at}"] in page
        shown += 1
    assert shown > 10


# ------------------------------------------------------------------------------------- cases


def test_the_cases_are_listed_by_number_with_how_they_went(client: Client) -> None:
    page = client.http.get("/cases").text
    book = casebook()
    passed = sum(map(book.passes, book.cases))
    assert f"<strong>{passed}</strong>" in page
    total = book.coverage()[-1]
    assert f"{total.proved} su {total.rules}" in text_of(page)
    for id in total.unproved:
        assert f'href="/rules/{id}"' in page
    assert page.count('class="cases__number"') == 60
    assert re.findall(r'cases__number">(\d+)<', page)[:2] == ["1", "2"]


def test_cases_are_narrowed_down_and_paged(client: Client) -> None:
    page = client.http.get("/cases?chapter=5&op=power_outcome").text
    ids = re.findall(r'cases__what"><a href="/cases/([^"]+)"', page)
    assert ids == [one.id for one in casebook().cases if one.case.op == "power_outcome"]
    first = client.http.get("/cases?chapter=4").text
    following = html.unescape(re.search(r'rel="next" href="([^"]+)"', first)[1])
    assert following == "/cases?chapter=4&page=2"
    second = client.http.get(following).text
    assert 'rel="prev" href="/cases?chapter=4&amp;page=1"' in second.replace("4&page", "4&amp;page")
    assert not set(re.findall(r'cases__number">(\d+)<', first)) & set(
        re.findall(r'cases__number">(\d+)<', second)
    )


@pytest.mark.parametrize(
    "query", ["chapter=x", "chapter=999999999999", "op=fly", "rule=GC-99.1", "chapter=-1"]
)
def test_what_no_case_is_like_finds_none(client: Client, query: str) -> None:
    answer = client.http.get(f"/cases?{query}")
    assert answer.status_code == 200
    assert "Nessun caso è così" in answer.text


@pytest.mark.parametrize("number", ["0", "-1", "x", "9999999999", "5000"])
def test_a_page_that_is_not_there_is_the_last_or_the_first(client: Client, number: str) -> None:
    page = client.http.get("/cases", params={"chapter": "5", "page": number}).text
    assert 'class="cases__number"' in page


def test_a_case_is_shown_with_what_is_given_expected_and_come_out(client: Client) -> None:
    page = text_of(client.http.get("/cases/A-5-1").text)
    for told in ("y category D", "1.75", '"x_halved"', "outcomes[2]", "power_outcome", "GC-5.4"):
        assert told in page
    assert "✓ passa" in page
    assert "✗" not in page


def test_a_case_that_fails_says_where(client: Client, failing: None) -> None:
    raw = client.http.get("/cases/X-1").text
    page = text_of(raw)
    assert "✗ fallisce" in page
    assert "power: expected 7, got 6.5" in page
    assert "weight: expected 3, got nothing" in page
    assert raw.count('class="compared--wrong"') == 2
    assert "7.5 - 1 = 6.5" in page
    assert "<b>" not in raw.partition("<h1>")[2].partition("</h1>")[0].replace("</b>", "")
    listed = client.http.get("/cases?result=failed").text
    assert re.findall(r'cases__what"><a href="/cases/([^"]+)"', listed) == ["X-1"]
    whole = client.http.get("/cases?chapter=0").text
    assert re.findall(r'cases__what"><a href="/cases/([^"]+)"', whole) == ["X-2"]
    assert "✗ fallisce" in text_of(client.http.get("/rules/GC-3.5").text)


@pytest.mark.parametrize("id", ["nothing", "A-5-1 ", "../x", "%00"])
def test_a_case_that_is_not_there_is_not_found(client: Client, id: str) -> None:
    assert client.http.get(f"/cases/{id}").status_code == 404


def test_every_case_has_a_page_in_both_languages(client: Client) -> None:
    shortest: dict[str, str] = {}
    for one in sorted(casebook().cases, key=lambda one: len(str(one.case.given))):
        shortest.setdefault(one.case.op, one.id)
    for id in (*shortest.values(), "A-T-1"):
        for language in catalogue.LANGUAGES:
            answer = client.http.get(f"/cases/{id}?lang={language}")
            assert answer.status_code == 200, id


def test_the_schema_and_the_contract_are_published(client: Client) -> None:
    page = client.http.get("/docs/runner").text
    address = "/static/schemas/cases.json"
    assert f'href="{address}"' in page
    assert client.http.get(address).json()["$id"] == "urn:arbitro:schema:cases"
    assert f'href="{address}"' in client.http.get("/cases").text


def test_rules_are_searched_and_cases_narrowed_without_scripts(
    site: Site, visitor: Visitor
) -> None:
    page = visitor(java_script_enabled=False, viewport={"width": 360, "height": 800})
    page.goto("/rules")
    page.get_by_label("Cerca nelle regole").fill("SCHIVATA")
    page.get_by_role("button", name="Cerca").click()
    page.wait_for_url("**/rules?q=SCHIVATA**")
    expect(page.locator("mark").first).to_have_text("Schivata")
    page.get_by_role("link", name=re.compile(r"^GC-4\.57")).click()
    page.get_by_role("link", name=re.compile("casi svolti$")).click()
    page.locator(".proofs a").first.click()
    expect(page.get_by_text("passa").first).to_be_visible()
    page.goto("/cases")
    page.get_by_label("Capitolo", exact=True).select_option("5")
    page.get_by_role("button", name="Mostra", exact=True).click()
    page.wait_for_url("**/cases?*chapter=5**")
    expect(page.locator(".cases__what").first).to_contain_text("A-5-1")
