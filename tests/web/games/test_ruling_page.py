"""The Master's page of the games of dice: every form says what it does, and why is public."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.games.battles import open_battle
from tests.web.games.test_correcting import FORM, battle, combat, duel, shown
from tests.web.games.test_frame import defaults_in
from tests.web.games.test_warrior_dice import Duel, blank

WHY = "Non gioca più nessuno."
PART = re.compile(r'<details class="block".*?</details>|<form .*?</form>', re.DOTALL)
FALSE = ("Tempo scaduto", "risposto in tempo", "È passata la scadenza", "Scadenza passata")


def new_duel(client: Any) -> str:
    """Open a duel that both have still to accept."""
    one = Duel(client, blank(client))
    one.enter(0)
    return one.path


def unmustered(client: Any) -> str:
    """Open a battle that waits for both lists."""
    return open_battle(client).path


def page(client: Any, path: str) -> str:
    """Read a page of a scene as the Master."""
    answer = client.http.get(path)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def rulings(client: Any, path: str) -> dict[str, str]:
    """Give the forms of the Master's own orders, each under its kind, with its title."""
    parts = PART.findall(page(client, f"{path}/gm"))
    kinds = ((re.search(r'name="kind" value="(\w+)"', part), part) for part in parts)
    return {found[1]: part for found, part in kinds if found is not None}


def rule(client: Any, path: str, kind: str, **more: str) -> Any:
    """Send one of these forms with a reason."""
    (form,) = FORM.findall(rulings(client, path)[kind])
    sent = client.post(f"{path}/orders", {**defaults_in(form), "reason": WHY, **more})
    assert sent.status_code == 200, sent.text
    return sent


EVERY = [new_duel, duel, combat, unmustered, battle]


@pytest.mark.parametrize("opens", EVERY)
def test_each_form_begins_with_a_verb_and_says_what_follows(
    client: Any, opens: Callable[[Any], str]
) -> None:
    path = opens(client)
    titles = {
        "pause": "Metti in pausa la scena",
        "close": "Chiudi la scena",
        "set_value": "Fissa un valore",
        "lapse": "Non aspettare oltre",
        "deadline": "Non aspettare oltre",
    }
    parts = rulings(client, path)
    assert "close" in parts
    for kind, part in parts.items():
        assert titles[kind] in shown(part)
        assert re.search(r'<p class="hint" data-does>\s*\S', part), kind


@pytest.mark.parametrize("opens", EVERY)
def test_a_closing_gives_its_reason_to_everybody(client: Any, opens: Callable[[Any], str]) -> None:
    path = opens(client)
    assert WHY in shown(rule(client, path, "close").text)
    client.http.cookies.clear()
    seen = shown(page(client, path))
    assert WHY in seen
    assert "Pareggio." not in seen


@pytest.mark.parametrize("opens", [duel, combat, battle])
def test_without_a_clock_nobody_is_said_to_be_late(
    client: Any, opens: Callable[[Any], str]
) -> None:
    path = opens(client)
    kind = "lapse" if opens is duel else "deadline"
    form = shown(rulings(client, path)[kind])
    rule(client, path, kind)
    seen = shown(page(client, path))
    assert "Non si aspetta oltre" in seen
    assert "Fine dell'attesa" in seen.replace("’", "'")
    assert not [one for one in FALSE if one in seen + form]


def test_the_form_says_whom_nobody_waits_for_any_longer(client: Any) -> None:
    path = battle(client)
    assert "Ora si attende: Ada la Rossa, Bo." in shown(rulings(client, path)["deadline"])


def test_in_a_new_duel_the_master_says_for_whom_he_does_not_wait(client: Any) -> None:
    path = new_duel(client)
    part = rulings(client, path)["lapse"]
    first, second = re.findall(r'<option value="([^"]+)"[^>]*>(.*?)</option>', part)
    rule(client, path, "lapse", combatant=second[0])
    left = shown(rulings(client, path)["lapse"])
    assert f"Ora si attende: {first[1]}." in left
    assert second[1] not in left


def test_a_scene_that_is_over_and_taken_back_no_more_has_no_empty_heading(client: Any) -> None:
    path = unmustered(client)
    assert "Decisioni" in shown(page(client, f"{path}/gm"))
    rule(client, path, "close")
    text = page(client, f"{path}/gm")
    heading = re.search(r'aria-labelledby="rule-title".*?</section>', text, re.DOTALL)
    assert heading is None or "<form" in heading[0]
