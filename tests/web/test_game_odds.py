"""The pages of odds: a form in the address, figures with their errors, a warning that helps."""

from __future__ import annotations

import html
import re

import pytest

from tests.web.conftest import Client

EXACT = (
    "/odds/combat_dice?entrants.0.sheet.gladiator=murmillo&entrants.1.sheet.weapons=sword_2h"
    "&entrants.1.sheet.armor=medium&entrants.1.sheet.shield=none&options.damage_dice=off&show=1"
)
STUCK = (
    "/odds/combat_dice?entrants.0.sheet.gladiator=samnites&entrants.1.sheet.gladiator=samnites"
    "&options.damage_dice=off&show=1"
)


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_the_games_are_listed_and_linked_from_every_page(client: Client) -> None:
    page = client.http.get("/odds").text
    assert 'href="/odds/combat_dice"' in page
    assert 'href="/odds/battle_dice"' in page
    assert 'href="/odds"' in client.http.get("/rules").text


def test_a_form_is_shown_before_anything_is_reckoned(client: Client) -> None:
    page = client.http.get("/odds/combat_dice").text
    assert 'method="get"' in page
    assert "Le probabilità" not in text_of(page)
    assert (
        'value="4"' in client.http.get("/odds/battle_dice").text
    )  # the seed's armies to begin with


def test_two_fighters_have_exact_odds_in_the_basic_game(client: Client) -> None:
    page = client.http.get(EXACT)
    said = text_of(page.text)
    assert page.status_code == 200
    assert "Vince Combattente A 83,9%" in said
    assert "sono stati contati tutti i tiri" in said
    assert "±" not in said
    assert '<option value="murmillo" selected>' in page.text


def test_a_match_that_gets_stuck_warns_and_leads_to_what_helps(client: Client) -> None:
    page = client.http.get(STUCK).text
    assert "arrivano al turno 150" in text_of(page)
    (address,) = re.findall(r'href="(\?[^"]*stalemate=escalate[^"]*)"', page)
    assert "entrants.0.sheet.gladiator=samnites" in html.unescape(address)


def test_armies_are_played_and_told_with_their_errors(client: Client) -> None:
    asked = (
        "/odds/battle_dice?lang=en&entrants.0.army.units.d6=20&entrants.1.army.units.d8=20&show=1"
    )
    page = client.http.get(asked).text
    said = text_of(page)
    assert "150 games were played" in said
    assert re.search(r"Army A wins \d+\.\d% ± \d", said)
    assert "closer=1" in page


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("battle_dice?entrants.0.army.units.d6=x&show=1", "Questo non è un numero"),
        ("battle_dice?entrants.0.army.units.d6=20&entrants.1.army.units.d6=19&show=1", "19"),
        ("battle_dice?entrants.0.army.units.d20=20&entrants.1.army.units.d6=20&show=1", "eroi"),
        ("combat_dice?entrants.0.sheet.gladiator=spartacus&show=1", "Questo valore non è previsto"),
        ("combat_dice?options.floor=1&options.more=2&show=1", "Questo campo non è previsto"),
        (
            "combat_dice?entrants=1&options=2&options.damage_dice=off&entrants.0.sheet.weapons.x=1&show=1",
            "Questo valore non è previsto",
        ),
    ],
)
def test_whatever_stands_in_the_address_is_answered(client: Client, asked: str, said: str) -> None:
    page = client.http.get(f"/odds/{asked}")
    assert page.status_code in (200, 409, 422)
    if page.status_code != 200:
        assert said in text_of(page.text)


def test_a_game_without_such_a_page_is_not_found(client: Client) -> None:
    assert client.http.get("/odds/guida").status_code == 404
    assert client.http.get("/odds/chess").status_code == 404
