"""Bringing back dice whose tag had another modifier, and noting down a stat beyond the four."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.persistence.tables import FIRST_BOARD
from app.services.boards import change_board
from app.services.shapes import (
    BoardChanges,
    Roller,
)
from app.services.sheets import list_sheets, read_sheet
from tests.support.fights import attack
from tests.web.conftest import Client, Duel

DICE = {"faces.0": "4", "version": "2", "key": "dice-of-test"}


def waiting(client: Client, setting: str) -> Duel:
    """Let the Hollow's attack wait for its die, on a board that reads tags this way."""
    site = client.site
    changes = BoardChanges(options={"guida": {"dice_tag_mismatch": setting}})
    change_board(site.db, site.world, site.principal, FIRST_BOARD, changes)
    opened = site.open_duel(Roller.FORUM)
    site.decide(opened, attack(by="hollow"))
    client.enter(opened.seats["hollow"])
    return opened


def field(text: str, name: str) -> str:
    """Give what a field of a page holds."""
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', text)
    assert found is not None, name
    return found[1]


def test_the_form_holds_the_modifier_of_the_label(client: Client) -> None:
    opened = waiting(client, "reject")
    shown = client.http.get(f"{opened.path}/entries/1").text
    assert field(shown, "modifiers.0") == "+10"
    assert "Modificatore nel tag del dado 1" in shown
    given = client.post(f"{opened.path}/entries/1/dice", {**DICE, "modifiers.0": "+10"})
    assert given.status_code == 200
    assert "1d12+10: (4)+10 = 14" in given.text
    assert "Correzione del tag" not in given.text


@pytest.mark.parametrize(
    ("setting", "says", "corrected"),
    [
        ("warn_use_factors", "contano i fattori", False),
        ("warn_use_modifier", "conta il modificatore del tag", True),
    ],
)
def test_another_modifier_is_told_with_both_numbers(
    client: Client, setting: str, says: str, corrected: bool
) -> None:
    opened = waiting(client, setting)
    given = client.post(f"{opened.path}/entries/1/dice", {**DICE, "modifiers.0": "7"})
    assert given.status_code == 200
    assert "1d12+7: (4)+7 = 11" in given.text
    assert "è tirato con +7, ma i fattori danno +10" in given.text
    assert says in given.text
    assert ("Correzione del tag" in given.text) is corrected


@pytest.mark.parametrize("typed", ["7", "six"])
def test_a_refused_modifier_is_beside_its_field_and_the_turn_goes_on_waiting(
    client: Client, typed: str
) -> None:
    opened = waiting(client, "reject")
    told: Any = client.post(f"{opened.path}/entries/1/dice", {**DICE, "modifiers.0": typed})
    assert told.status_code in (409, 422)
    assert 'href="#f-modifiers.0"' in told.text
    assert (field(told.text, "faces.0"), field(told.text, "modifiers.0")) == ("4", typed)
    again = client.post(
        f"{opened.path}/entries/1/dice", {**DICE, "modifiers.0": "", "key": "another-key"}
    )
    assert "1d12+10: (4)+10 = 14" in again.text


def test_a_stat_beyond_the_four_is_added_kept_and_shown_again(client: Client) -> None:
    client.enter(client.site.owner)
    form = {
        "name": "Nona",
        "max_hp": "100",
        "max_ep": "50",
        "stats.strength": "5",
        "key": "sheet-of-test",
    }
    more = client.post("/boards/board/sheets/new", {**form, "do": "add:stats.extra"}).text
    assert field(more, "stats.extra.0.level") == ""
    filled = {**form, "stats.extra.0.name": "Reiryoku", "stats.extra.0.level": "9"}
    saved = client.post("/boards/board/sheets/new", {**filled, "do": "save"})
    assert saved.status_code == 200, saved.text
    site = client.site
    (line,) = list_sheets(site.db, site.principal, FIRST_BOARD)
    (extra,) = read_sheet(site.db, site.principal, line.id).sheet.stats.extra
    assert (extra.name, extra.level) == ("Reiryoku", 9)
    assert field(client.http.get(f"/sheets/{line.id}").text, "stats.extra.0.name") == "Reiryoku"
    nameless = client.post(
        "/boards/board/sheets/new", {**filled, "stats.extra.0.name": "", "do": "save"}
    )
    assert nameless.status_code == 422
    assert 'href="#f-stats.extra.0.name"' in nameless.text
