"""Pasting a post, withdrawing a turn and teaching a board, without a browser."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.persistence.codec import decode
from app.persistence.tables import FIRST_BOARD
from app.services.boards import change_board
from app.services.patterns import Sample, learn_pattern
from app.services.shapes import BoardChanges, Roller
from tests.support.fights import attack
from tests.web.conftest import Client, Duel

LABEL = "Attacco [Artigli Affilati] (Hollow vs Quincy): (+2 [Raggio], +2 [Bonus Arma], +6 [X])"
POST = f"Salta <giù>.\n\n1d12+10 → 14 (4 + 10) — {LABEL}\n"
SAMPLE = {
    "sample": "✦ Punch ✦ 1d12+6 » 8 + 6 » 14 ✦",
    "label": "Punch",
    "die": "1d12+6",
    "natural": "8",
    "total": "14",
}
PLACE = "/boards/board/pattern"


def waiting(client: Client, dialect: str = "mybb_feathertail", seal_hours: int = 0) -> Duel:
    """Let the Hollow's attack wait for its die."""
    site = client.site
    change_board(site.db, site.world, site.principal, FIRST_BOARD, BoardChanges(dialect=dialect))
    opened = site.open_duel(Roller.SERVICE if seal_hours else Roller.FORUM, seal_hours)
    site.decide(opened, attack(by="hollow"))
    client.enter(opened.seats["hollow"])
    return opened


def paste(client: Client, opened: Duel, text: str = POST, **more: str) -> Any:
    """Send the form of a pasted post."""
    form = {"text": text, "version": "2", "key": "paste-of-test", **more}
    return client.post(f"{opened.path}/entries/1/dice/post", form)


def test_a_post_is_shown_die_by_die_before_it_counts(client: Client) -> None:
    opened = waiting(client)
    shown = paste(client, opened)
    assert shown.status_code == 200
    assert "Attacco [Artigli Affilati] (Hollow vs Quincy)" in shown.text
    assert re.search(r"<strong>4</strong></td><td[^>]*>\+10</td><td[^>]*>14</td>", shown.text)
    assert "Salta &lt;giù&gt;." in shown.text
    assert "si aspettano i dadi" in client.http.get(f"{opened.path}/entries/1").text
    taken = paste(client, opened, seen="true")
    assert "Dadi tirati dal forum e letti dal suo post." in taken.text
    assert "si aspettano i dadi" not in taken.text
    assert "I dadi ci sono, e il turno è deciso." in taken.text
    assert "incollalo nel forum" not in taken.text  # the post with its tags is there, and stays
    assert "Dadi tirati dal forum e letti dal suo post." in client.http.get(opened.path).text


@pytest.mark.parametrize("seen", ["", "true"])
def test_a_wrong_post_stays_in_its_field_with_what_is_wrong(client: Client, seen: str) -> None:
    opened = waiting(client)
    wrong = POST.replace("→ 14", "→ 15")
    answer = paste(client, opened, wrong, seen=seen)
    assert answer.status_code == 422
    said = "il totale 15 non torna: 1d12+10 con 4 fa 14"
    assert answer.text.count(said) >= 2  # at the head of the form, and beside the field
    assert "→ 15 (4 + 10)" in answer.text
    assert "Consegna questi dadi" not in answer.text
    assert "non preso" in answer.text


def test_an_old_page_does_not_bring_dice(client: Client) -> None:
    opened = waiting(client)
    assert paste(client, opened, seen="true", version="1").status_code == 412
    assert paste(client, opened, "", seen="true").status_code == 422
    assert paste(client, opened, "\0", seen="true").status_code == 422


def test_the_fields_to_type_are_folded_where_the_forum_is_known(client: Client) -> None:
    opened = waiting(client)
    page = client.http.get(f"{opened.path}/entries/1").text
    assert re.search(r'<details class="block">\s*<summary>Scrivi i numeri a mano', page)
    other = waiting(client, dialect="guida")
    page = client.http.get(f"{other.path}/entries/1").text
    assert re.search(r'<details class="block" open>\s*<summary>Scrivi i numeri a mano', page)


def test_what_was_noticed_is_shown_with_the_entry(client: Client) -> None:
    opened = waiting(client)
    text = f"{POST}\nEdited by Kai & Rin - 3/5/2024, 21:10"
    assert "modificato da Kai &amp; Rin" in paste(client, opened, text).text
    paste(client, opened, text, seen="true")
    page = client.http.get(f"{opened.path}/entries/1").text
    assert "Notato nel post da cui sono stati letti i dadi" in page
    assert "modificato da Kai &amp; Rin" in page


# ----------------------------------------------------------------------------------- withdrawing


@pytest.mark.parametrize("seal_hours", [0, 24])
def test_a_turn_is_withdrawn_on_its_page_and_written_again(client: Client, seal_hours: int) -> None:
    opened = waiting(client, seal_hours=seal_hours)
    page = client.http.get(f"{opened.path}/entries/1").text
    assert "Ritira questo Turno" in page
    form = {"version": "2", "key": "back-of-test", "reason": "Ho <sbagliato>."}
    done = client.post(f"{opened.path}/entries/1/withdraw", form)
    assert "Il Turno è ritirato" in done.text
    assert f"{opened.turn('hollow')}?again=1" in done.text
    assert "Ho &lt;sbagliato&gt;." in client.http.get(opened.path).text
    again = client.post(
        f"{opened.path}/entries/1/withdraw", {**form, "key": "another-key", "version": "3"}
    )
    assert again.status_code == 409
    assert "non aspetta dadi" in again.text


def test_only_whose_turn_it_is_sees_the_button(client: Client) -> None:
    opened = waiting(client)
    client.http.cookies.clear()
    client.enter(opened.gm)
    page = client.http.get(f"{opened.path}/entries/1").text
    assert "Leggi i dadi" in page  # the Master brings dice, and voids elsewhere
    assert "Ritira questo Turno" not in page
    client.http.cookies.clear()
    page = client.http.get(f"{opened.path}/entries/1").text
    assert "Leggi i dadi" not in page
    assert "La porta qui" not in page


# -------------------------------------------------------------------------------------- teaching


def test_a_board_is_taught_and_forgets(client: Client) -> None:
    client.enter(client.site.owner)
    assert f'href="{PLACE}"' in client.http.get("/boards/board/settings").text
    assert f'href="{PLACE}"' in client.http.get("/boards/board/dialects").text
    wrong = client.post(PLACE, {**SAMPLE, "total": "15"})
    assert wrong.status_code == 422
    assert "non si trova nell&#39;esempio" in wrong.text
    assert "✦ Punch ✦" in wrong.text
    learnt = client.post(PLACE, SAMPLE)
    assert "riletto senza differenze" in learnt.text
    mark = "imparato da un esempio, non verificato"
    assert mark in learnt.text
    assert mark in client.http.get("/boards/board/dialects").text
    client.post(f"{PLACE}/forget")
    assert mark not in client.http.get(PLACE).text
    assert mark not in client.http.get("/boards/board/dialects").text


def test_nobody_else_sees_or_teaches(client: Client) -> None:
    opened = waiting(client)
    for secret in (opened.seats["hollow"], opened.gm):
        client.http.cookies.clear()
        client.enter(secret)
        assert client.http.get(PLACE).status_code == 404
        assert client.post(PLACE, SAMPLE).status_code == 404
        assert client.post(f"{PLACE}/forget").status_code == 404
        assert PLACE not in client.http.get("/boards/board/dialects").text


def test_the_checker_of_posts_reads_by_what_the_board_learnt(client: Client) -> None:
    shown = f"✦ {LABEL} ✦ 1d12+10 » 4 + 10 » 15 ✦"
    before = client.post("/tags", {"text": shown}).text
    assert "È già stato tirato" not in before
    site = client.site
    sample = decode(Sample, {**SAMPLE, "natural": 8})
    learn_pattern(site.db, site.principal, FIRST_BOARD, sample)
    after = client.post("/tags", {"text": shown}).text
    assert "È già stato tirato" in after
    assert "Letto come insegnato da un esempio: non verificato." in after
    assert "il totale" in after.casefold()
