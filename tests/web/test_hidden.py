"""Pages name nobody who is hidden from their reader, and still say that something happened."""

from __future__ import annotations

import pytest

from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Manual,
    Place,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.terms import Action, Change
from tests.web.conftest import Client, Duel
from tests.web.test_master import text_of

SECRETS = ("Artigli", "Fiamma", "graffiato", "Nel buio", "dileguato")


@pytest.fixture
def dark(client: Client) -> Duel:
    """Play a duel in which the Hollow is hidden and prepares itself out of sight."""
    duel = client.site.open_duel()
    hidden = (Unseen(who="hollow", observer="quincy"),)
    client.site.decide(duel, Place(by="gm", hidden=hidden, reason="Si è mosso."))
    line = {"combatant": "hollow", "change": Change.HP, "amount": -3}
    client.site.decide(duel, Manual(by="hollow", reason="Si è graffiato.", **line))
    client.site.decide(duel, Turn(by="hollow", main=Preparation()))
    return duel


@pytest.mark.parametrize("seat", ["quincy", None])
def test_no_page_tells_of_whoever_is_hidden(client: Client, dark: Duel, seat: str | None) -> None:
    if seat is not None:
        client.enter(dark.seats[seat])
    for path in (dark.path, f"{dark.path}/entries/2", f"{dark.path}/entries/3"):
        page = client.http.get(path)
        assert page.status_code == 200
        named = page.text.replace("Hollow &gt; Quincy", "")  # when it hid, it was in sight
        assert not any(secret in named for secret in (*SECRETS, "Hollow")), path
        assert "Qualcosa che non si vede" in page.text


def test_whoever_owes_a_calculation_is_no_name_on_the_page_while_it_is_hidden(
    client: Client,
) -> None:
    duel = client.site.open_duel()
    client.site.decide(duel, Turn(by="hollow", main=Attack(target="quincy", tool="claws")))
    suffered = Defence(action=Action.NULL_DEFENCE, against=("a1",))
    client.site.decide(duel, Turn(by="quincy", defences=(suffered,)))
    hidden = (Unseen(who="hollow", observer="quincy"),)
    client.site.decide(duel, Place(by="gm", hidden=hidden, reason="Si è mosso."))
    for secret, named in ((duel.seats["quincy"], "???"), (duel.gm, "Hollow")):
        client.enter(secret)
        page = text_of(client.http.get(duel.path))
        assert f"{named} deve postare il calcolo" in page


def test_the_hidden_and_the_master_read_everything(client: Client, dark: Duel) -> None:
    for secret in (dark.seats["hollow"], dark.gm):
        client.enter(secret)
        page = client.http.get(dark.path)
        assert "Hollow" in page.text
        assert "graffiato" in client.http.get(f"{dark.path}/entries/2").text


def test_the_form_offers_a_blind_attack_and_no_page_of_a_sheet(client: Client, dark: Duel) -> None:
    client.enter(dark.seats["quincy"])
    form = client.http.get(dark.turn("quincy"))
    assert form.status_code == 200
    assert not any(secret in form.text for secret in SECRETS)
    assert client.http.get(f"{dark.path}/sheet/hollow").status_code == 404
