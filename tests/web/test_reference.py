"""Pages that anybody may read: the tag checker, the rulebook, the codes."""

from __future__ import annotations

import html
import re

import pytest

from app import catalogue
from app.http.problem import kinds
from app.posts.phrases import sections
from app.web.docs import groups
from tests.web.conftest import Client

LESSON = (
    "[dice=1d12+6]Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): (+2 [Raggio Corto], "
    "+2 [Bonus Arma] -1 [Mirato Arti] +6 [Destrezza])[/dice]"
)
GUARD = (
    "[dice=1d24+6]Protezione [Scudo] (Quincy vs Hollow): (+2 [Protezione], +4 [Destrezza])[/dice]"
)


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def test_the_guidas_own_example_is_caught_and_a_sound_one_passes(client: Client) -> None:
    page = text_of(
        client.post("/tags", {"text": f"{LESSON}\n{GUARD}\n[quote]{GUARD}[/quote]"}).text
    )
    assert "Il tag tira +6, ma i fattori elencati danno +9" in page
    assert page.count("i fattori danno +6, come dice il dado.") == 2
    assert page.count("Sta in una citazione") == 1


def test_the_die_of_an_action_is_checked_as_its_label_is(client: Client) -> None:
    page = text_of(client.post("/tags", {"text": GUARD.replace("1d24", "2d12")}).text)
    assert "Il tag tira 2 dadi in una volta" in page
    assert "il tag ha un dado da 12 facce: usane uno da 24." in page
    assert "come dice il dado." not in page


def test_a_post_before_that_cannot_be_read_is_said_to_be_so(client: Client) -> None:
    text = f"PV: 85/100 | PE: 40/60\n{GUARD}"
    unread = "il Registro non è stato sommato"
    assert unread in text_of(client.post("/tags", {"text": text, "before": "PV: 97"}).text)
    read = {"text": text, "before": "PV: 97/100 | PE: 45/60"}
    assert unread not in text_of(client.post("/tags", read).text)


@pytest.mark.parametrize("text", ["", "niente dadi", "[dice=]", "[dice=1d12", "[" * 5_000])
def test_whatever_is_pasted_gets_an_answer(client: Client, text: str) -> None:
    answer = client.post("/tags", {"text": text})
    assert answer.status_code == 200
    assert "Risultato" in answer.text


def test_every_rule_and_every_ruling_has_a_page(client: Client) -> None:
    for id in (*catalogue.rules(), *catalogue.rulings()):
        for language in catalogue.LANGUAGES:
            answer = client.http.get(f"/rules/{id}?lang={language}")
            assert answer.status_code == 200, id
            found = catalogue.rules().get(id) or catalogue.rulings()[id]
            assert found.statement[language] in html.unescape(answer.text), id


def test_every_code_is_listed_in_both_languages(client: Client) -> None:
    page = client.http.get("/docs/errors").text
    codes = {row.code for rows in groups().values() for row in rows}
    assert codes >= set(kinds()) | set(sections("it", "guida")["violations"])
    assert codes >= set(sections("en", "guida")["violations"]) | set(
        sections("en", "service")["mistakes"]
    )
    for rows in groups().values():
        for row in rows:
            assert f'id="{row.code}"' in page
            assert row.it
            assert row.en
            assert row.it != row.en
    assert "{{{{" not in page  # a brace that is written is shown once, beside places for facts
    assert "Write {{ {slot} }} in the loop, outside of every {% if %}." in html.unescape(page)


def test_a_rule_is_shown_with_worked_cases_of_its_own(client: Client) -> None:
    text = client.http.get("/rules/GC-5.3").text
    assert "Esempi svolti" in text
    assert "power_comparison" in text


def test_a_whole_post_is_told_what_it_lacks_and_what_is_only_a_hint(client: Client) -> None:
    post = "Akane colpisce.\nSe si sposta, allora lo inseguo.\n"
    text = client.post("/tags", {"text": post}).text
    assert "GC-1.1" in text
    assert "Solo un suggerimento" in text


POST = """view post Posted on 3/4/2021, 12:30
PV: <img src=x onerror=alert(1)>85/100 | PE: "molti"
Registro
Danni da Freccia: -12 PV
Stanco ‮morto

Schivata (Hollow vs Quincy): (+8 [Destrezza]) 1d12+8: (5)+8 = 14
Edited by Hollow - 3/4/2021, 14:11
"""


def test_every_place_that_was_read_or_not_is_shown(client: Client) -> None:
    answer = client.post("/tags", {"text": POST}).text
    page = text_of(answer)
    assert "Questo è il sorgente HTML di un post." in page
    assert "questo post è stato modificato" in page
    assert "È già stato tirato" in page
    assert "fanno 13, ma il totale scritto è 14" in page
    read = page.partition("Ciò che si è letto")[2]
    assert "Riga 2 PV: <img src=x onerror=alert(1)>85/100 Punti Vita: 85 su 100" in read
    assert "Riga 4 -12 PV Variazione: -12 PV" in read
    unread = page.partition("Ciò che non si è capito")[2].partition("Ciò che si è letto")[0]
    assert 'Riga 2 PE: "molti" Per «PE» c\'è «"molti"» e non un numero intero' in unread
    assert "<img src=x" not in answer
    assert "<bdi>Stanco ‮morto</bdi>" in answer


def test_a_text_without_anything_to_read_says_so(client: Client) -> None:
    page = text_of(client.post("/tags", {"text": "Kuro ride."}).text)
    assert "non si trovano intestazione, Registro o dadi" in page
    assert "Ciò che non si è capito" not in page
