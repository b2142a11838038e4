"""The Master sets a value of a game of dice on the Master's page, with a public reason."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.games.battles import open_battle
from tests.web.games.test_combat_dice import BASIC, opened
from tests.web.games.test_frame import defaults_in
from tests.web.games.test_warrior_dice import Duel, blank

FORM = re.compile(r"<form .*?</form>", re.DOTALL)
WHY = "Il conto era sbagliato."


def duel(client: Any) -> str:
    """Open a duel that has begun."""
    one = Duel(client, blank(client, first="one"))
    one.enter(0, 1, 2)
    return one.path


def combat(client: Any) -> str:
    """Open a combat of two standard fighters."""
    return opened(client, **BASIC)[0].scene


def battle(client: Any) -> str:
    """Open a battle in which both armies stand."""
    one = open_battle(client)
    one.muster("p1")
    one.muster("p2")
    return one.path


def form_of(client: Any, path: str) -> str:
    """Give the form in which a value is set."""
    page = client.http.get(f"{path}/gm")
    assert page.status_code == 200, page.text
    (form,) = (one for one in FORM.findall(page.text) if 'value="set_value"' in one)
    return str(form)


def shown(text: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text)))


@pytest.mark.parametrize(
    ("opens", "words", "value", "wrong", "says", "told"),
    [
        (
            duel,
            ["PF"],
            "40",
            "4000",
            "4000 PF sono più",
            "Il Master porta i PF di Guerriero da 100",
        ),
        (
            combat,
            ["Punti Vita"],
            "4",
            "99",
            "99 Punti Vita sono più",
            "Il Master porta i Punti Vita di Secutor da 10 a 4.",
        ),
        (
            battle,
            ["Comandante D4", "Fanteria D6", "Arcieri D8", "Cavalleria D10", "Incantatori D12"],
            "1",
            "2",
            "ha già 2 dadi di questo tipo, Comandante D4",
            "Il Master corregge l’esercito di Ada la Rossa: Comandante D4 da 2 a 1",
        ),
    ],
)
def test_the_master_sets_a_value_in_every_game_of_dice(
    client: Any,
    opens: Callable[[Any], str],
    words: list[str],
    value: str,
    wrong: str,
    says: str,
    told: str,
) -> None:
    path = opens(client)
    client.enter(client.site.owner)
    form = form_of(client, path)
    change = re.search(r'<select id="[^"]+" name="change".*?</select>', form, re.DOTALL)
    assert change is not None
    assert re.findall(r"<option[^>]*>([^<]+)<", change[0]) == words
    sent = {**defaults_in(form), "reason": WHY}
    refused = client.post(f"{path}/orders", {**sent, "value": wrong})
    assert refused.status_code == 409, refused.text
    assert says in shown(refused.text)
    kept = next(one for one in FORM.findall(refused.text) if 'value="set_value"' in one)
    assert f'value="{wrong}"' in kept
    assert f">\n{WHY}</textarea>" in kept
    ids = re.findall(r' id="([^"]+)"', refused.text)
    assert len(ids) == len(set(ids))
    nameless = client.post(f"{path}/orders", {**sent, "value": value, "reason": " "})
    assert nameless.status_code == 422
    done = client.post(f"{path}/orders", {**sent, "value": value})
    assert done.status_code == 200, done.text
    assert told in shown(done.text)
    page = shown(client.http.get(path).text)
    assert f"Correzione del Master: {told}" in page
    assert WHY in page
