"""Precedents and readings on their pages: kept, suggested, cited, retired; seen by everybody."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from playwright.sync_api import expect

from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.terms import Claim
from app.services import boards, precedents
from app.services.access import ANONYMOUS
from app.services.shapes import BoardChanges
from tests.web.conftest import Client, Duel, Site, Visitor

SURPRISE = Attack(target="quincy", tool="claws", claims=(Claim.SURPRISE,))


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def asked(site: Site) -> Duel:
    """Open a scene in which the Master is asked about a surprise."""
    duel = site.open_duel()
    site.decide(duel, Turn(by="hollow", main=SURPRISE))
    return duel


def answer(client: Client, duel: Duel, **more: Any) -> Any:
    """Send the form of the one open question."""
    page = client.http.get(f"{duel.path}/gm").text
    version = re.search(r'name="version" value="([0-9]+)"', page)
    key = re.search(r'name="key" value="([^"]+)"', page)
    assert version is not None
    assert key is not None
    form = {"by": "gm", "within": "answer-q-a1-surprise-", "question": "q-a1-surprise"}
    return client.post(
        f"{duel.path}/orders",
        {**form, "kind": "answer", "version": version[1], "key": key[1], **more},
        follow_redirects=False,
    )


def test_the_tick_keeps_an_answer_and_the_page_says_under_which_number(client: Client) -> None:
    duel = asked(client.site)
    client.enter(duel.gm)
    sent = answer(client, duel, choice="deny", reason="Era in guardia.", keep_as_precedent="true")
    assert sent.headers["location"].endswith("&kept=1")
    assert 'href="/boards/board/precedents#P1"' in client.http.get(sent.headers["location"]).text
    listed = text_of(client.http.get("/boards/board/precedents").text)
    assert "P1 Attacco di sorpresa: " in listed
    assert "Era in guardia." in listed
    assert "distanza: 5 m" in listed


def test_one_click_answers_as_a_precedent_did_and_the_entry_cites_it(client: Client) -> None:
    client.site.keep_precedent("Era in guardia.")
    duel = asked(client.site)
    client.enter(duel.gm)
    page = client.http.get(f"{duel.path}/gm").text
    assert 'name="precedent" value="1" formnovalidate' in page
    assert "Uguale: tipo d’Attacco:" in text_of(page)
    sent = answer(client, duel, precedent="1", reason="")
    entry = client.http.get(f"{duel.path}/entries/2").text
    assert sent.status_code == 303
    assert "P1 fa testo" in text_of(entry)
    assert 'href="/boards/board/precedents#P1"' in entry
    assert "Era in guardia." in text_of(entry)


def test_an_answer_without_a_reason_is_still_refused_in_its_own_form(client: Client) -> None:
    duel = asked(client.site)
    client.enter(duel.gm)
    sent = answer(client, duel, choice="deny", reason="", keep_as_precedent="true")
    assert sent.status_code == 422
    assert precedents.list_precedents(client.site.db, ANONYMOUS, FIRST_BOARD) == ()


def test_everybody_reads_precedents_but_only_who_may_is_offered_to_retire_one(
    client: Client,
) -> None:
    duel = client.site.keep_precedent()
    assert (
        "/boards/board/precedents/1/retire" not in client.http.get("/boards/board/precedents").text
    )
    refused = client.post(
        "/boards/board/precedents/1/retire", {"reason": "No.", "key": "key-000001"}
    )
    assert refused.status_code == 404
    client.enter(duel.gm)
    assert "/boards/board/precedents/1/retire" in client.http.get("/boards/board/precedents").text
    empty = client.post("/boards/board/precedents/1/retire", {"reason": "", "key": "key-000002"})
    assert empty.status_code == 422
    assert "Non ancora ritirato:" in text_of(empty.text)
    client.post("/boards/board/precedents/1/retire", {"reason": "Superato.", "key": "key-000003"})
    page = text_of(client.http.get("/boards/board/precedents").text)
    assert "non più in vigore" in page
    assert "Superato." in page
    again = client.post(
        "/boards/board/precedents/1/retire", {"reason": "Ancora.", "key": "key-000004"}
    )
    assert again.status_code == 409


def test_precedents_are_narrowed_by_words_kind_and_state(client: Client) -> None:
    client.site.keep_precedent("Era in guardia.")

    def shows(query: str) -> bool:
        return "Era in guardia." in client.http.get(f"/boards/board/precedents?{query}").text

    for query in ("q=guardia", "code=claim_surprise", "state=in_force", "before=abc"):
        assert shows(query), query
    for query in ("q=zanzara", "code=hides", "state=retired", "before=1"):
        assert not shows(query), query


# --------------------------------------------------------------------------------------- readings


def test_everybody_sees_how_the_board_reads_doubts_and_since_when(client: Client) -> None:
    turned = BoardChanges(options={"guida": {"riders_on_tie": True}})
    boards.change_board(
        client.site.db, client.site.world, client.site.principal, FIRST_BOARD, turned
    )
    page = client.http.get("/boards/board/options").text
    assert 'id="AMB-42"' in page
    assert 'id="option-riders_on_tie"' in page
    narrowed = client.http.get("/boards/board/options?q=riders on tie").text
    assert re.findall(r'<article class="card doubt" id="([^"]+)"', narrowed) == ["AMB-42"]
    told = text_of(narrowed)
    assert "no → sì" in told
    assert "Anche con una parità a metà Danni" in told
    assert 'href="/boards/board/settings#option-' not in page
    client.enter(client.site.owner)
    assert (
        'href="/boards/board/settings#option-riders_on_tie"'
        in client.http.get("/boards/board/options").text
    )
    assert 'id="option-riders_on_tie"' in client.http.get("/boards/board/settings").text


@pytest.mark.parametrize("query", ["AMB-18", "dimezzare riuscire", "halving", "guard success"])
def test_a_doubt_is_found_by_number_or_words_in_either_language(client: Client, query: str) -> None:
    assert 'id="AMB-18"' in client.http.get("/boards/board/options", params={"q": query}).text


def test_a_number_finds_that_doubt_or_those_of_that_rule_and_no_others(client: Client) -> None:
    def found(query: str) -> list[str]:
        page = client.http.get("/boards/board/options", params={"q": query}).text
        return re.findall(r'<article class="card doubt" id="([^"]+)"', page)

    assert found("amb-18") == ["AMB-18"]
    assert found("GC-2.14") == ["AMB-18", "AMB-19"]
    assert found("GC-2.14 parata") == ["AMB-19"]
    assert len(found("")) > 100


def test_a_number_of_ones_own_stands_beside_our_default(client: Client) -> None:
    turned = BoardChanges(options={"guida": {"generic_action_die": 15}})
    boards.change_board(
        client.site.db, client.site.world, client.site.principal, FIRST_BOARD, turned
    )
    told = text_of(client.http.get("/boards/board/options?q=AMB-40").text)
    assert "Un numero : 15 ● si gioca qui nostra scelta: 12" in told


def test_a_search_that_finds_no_doubt_says_so(client: Client) -> None:
    page = text_of(client.http.get("/boards/board/options?q=zanzara").text)
    assert "Nessun punto dubbio dice questo." in page


def test_a_scene_shows_where_the_board_has_turned_away_from_it(client: Client) -> None:
    duel = client.site.open_duel()
    assert "diversamente da come fa ora la board" not in client.http.get(duel.path).text
    options = {"riders_on_tie": True, "aimable_kinds": [], "generic_action_die": 15}
    turned = BoardChanges(options={"guida": options})
    boards.change_board(
        client.site.db, client.site.world, client.site.principal, FIRST_BOARD, turned
    )
    page = client.http.get(duel.path).text
    assert "Questa scena legge 3 dubbi diversamente" in text_of(page)
    assert 'href="/boards/board/options?game=guida#AMB-42"' in page
    assert "12 (la board ora: 15)" in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page))
    fresh = client.site.open_duel()
    assert "diversamente da come fa ora la board" not in client.http.get(fresh.path).text


def test_a_finding_leads_to_the_reading_it_used(client: Client) -> None:
    duel = asked(client.site)
    page = client.http.get(f"{duel.path}/entries/1").text
    assert 'href="/boards/board/options?game=guida#AMB-31"' in page


def test_a_precedent_is_cited_with_a_click_in_a_browser(site: Site, visitor: Visitor) -> None:
    site.keep_precedent("Era in guardia.")
    duel = asked(site)
    page = visitor(duel.gm)
    page.goto(f"{duel.path}/gm")
    page.get_by_role("button", name="Decidi come in P1").click()
    expect(page.get_by_role("status").first).to_contain_text("Fatto")
    assert precedents.suggest(site.db, site.principal, duel.id) == ()
