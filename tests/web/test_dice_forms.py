"""Forms of the page of a scene's dice: what is thrown or sealed beside the turns, and told."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from app.integrations.beacon import RecordedBeacon
from app.services.ledger_check import check_ledger
from tests.support.fights import attack
from tests.support.world import FixedWorld, SealedWorld
from tests.web.conftest import Client, Site, Visitor
from tests.web.dice_scenes import give_salts, ledger_of, opened

TRAP = "Sotto la terza panca c'è un sigillo esplosivo."


@pytest.fixture(autouse=True)
def real_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Throw the dice as in production, so that ledgers hold."""
    monkeypatch.setattr(FixedWorld, "dice", SealedWorld.dice)


def listen(page: Page) -> list[str]:
    """Keep the text of everything that a page fetches from now on."""
    told: list[str] = []

    def keep(answer: Response) -> None:
        if answer.status == 200 and "/static/" not in answer.url:
            told.append(answer.text())

    page.on("response", keep)
    return told


def throw_hidden(page: Page, label: str) -> None:
    """Let the Master throw three hidden dice of 10000 faces, whose numbers stand nowhere else."""
    page.get_by_label("Per che cosa").fill(label)
    page.get_by_label("Quanti").fill("3")
    page.get_by_label("Facce di ognuno").fill("10000")
    page.get_by_label("coperti finché non li rivelo").check()
    page.get_by_role("button", name="Tira", exact=True).click()
    expect(page.get_by_text("Fatto.")).to_be_visible()


# ------------------------------------------------------------------- what is sealed and told


def test_hidden_dice_are_seen_by_nobody_else_until_the_master_tells_them(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    master, player = visitor(fight.gm), visitor(fight.seats["quincy"])
    told = listen(player)
    master.goto(f"{fight.path}/dice")
    throw_hidden(master, "Chi vede Zangetsu?")
    own = master.get_by_role("article").filter(has_text="Tiro coperto 1")
    faces = own.locator("strong").inner_text().split(", ")
    assert len(faces) == 3

    for path in ("", "/dice", "/luck", "/ledger.jsonl?", "/gm"):
        if path == "/ledger.jsonl?":
            told.append(player.request.get(f"{fight.path}/ledger.jsonl").text())
        else:
            player.goto(f"{fight.path}{path}")
    api = player.request.get(f"/api/v1{fight.path}/extras")
    told.append(api.text())
    assert len(told) >= 5
    assert any("Tiro coperto" in text for text in told)
    for secret in ("Zangetsu", *faces):
        assert not any(re.search(rf"\b{secret}\b", text) for text in told), secret

    own.get_by_role("button", name="Rivela a tutti").click()
    expect(own).to_contain_text("rivelato alla riga")
    player.goto(f"{fight.path}/dice")
    seen = player.get_by_role("article").filter(has_text="Tiro coperto 1")
    expect(seen).to_contain_text("Chi vede Zangetsu?")
    expect(seen.locator("strong")).to_have_text(", ".join(faces))
    lines, head = ledger_of(site, fight)
    data = player.request.get(f"{fight.path}/ledger.jsonl").body()
    assert check_ledger(data, head).ok
    assert lines[-1]["kind"] == "opened"


def test_a_declaration_is_read_by_its_author_alone_and_told_later(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    author, other = visitor(fight.seats["hollow"]), visitor(fight.seats["quincy"])
    author.goto(f"{fight.path}/dice")
    author.get_by_label("Che cosa vale da adesso").fill(TRAP)
    author.get_by_role("button", name="Sigilla", exact=True).click()
    own = author.get_by_role("article").filter(has_text="Dichiarazione sigillata · Hollow")
    expect(own).to_contain_text(TRAP)
    expect(own).to_contain_text("puoi leggerlo solo tu")
    other.goto(f"{fight.path}/dice")
    seen = other.get_by_role("article").filter(has_text="Dichiarazione sigillata · Hollow")
    expect(seen).to_contain_text("può leggerlo solo chi l’ha sigillato")
    assert "panca" not in other.content()
    master = visitor(fight.gm)
    master.goto(f"{fight.path}/dice")
    assert "panca" not in master.content()
    expect(master.get_by_role("button", name="Rivela a tutti")).to_have_count(0)

    own.get_by_role("button", name="Rivela a tutti").click()
    expect(own).to_contain_text("rivelato alla riga")
    other.reload()
    expect(seen).to_contain_text(TRAP)


def test_an_open_check_shows_its_faces_and_its_seed_to_everybody(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    master = visitor(fight.gm)
    master.goto(f"{fight.path}/dice")
    master.get_by_label("Per che cosa").fill("Percezione")
    master.get_by_role("button", name="Tira", exact=True).click()
    (check,) = [line for line in ledger_of(site, fight)[0] if line["kind"] == "check"]
    anybody = visitor()
    anybody.goto(f"{fight.path}/dice")
    shown = anybody.get_by_role("article").filter(has_text="Prova del Master 1")
    expect(shown.locator("strong")).to_have_text(str(check["dice"][0]["faces"][0]))
    shown.locator("summary").click()
    expect(shown.get_by_text(check["seed"], exact=True)).to_be_visible()
    expect(anybody.get_by_role("button", name="Tira", exact=True)).to_have_count(0)
    expect(anybody.get_by_role("button", name="Sigilla", exact=True)).to_have_count(0)


# ---------------------------------------------------------------------------------- the forms


def test_a_refused_throw_comes_back_with_its_field_named_and_nothing_lost(client: Client) -> None:
    fight = opened(client.site)
    client.enter(fight.gm)
    form = {"label": "Fortuna", "count": "2", "sides": "1", "hidden": "true", "key": "a" * 20}
    answer = client.post(f"{fight.path}/dice/throw", form)
    assert answer.status_code == 422
    page = answer.text
    assert 'value="Fortuna"' in page
    assert re.search(r'name="hidden" value="true" checked', page)
    assert re.search(r'id="e-throw-sides"[^>]*><span>[^<]*da 2 a 10000', page)
    assert [line["kind"] for line in ledger_of(client.site, fight)[0]] == ["open"]
    assert client.post(f"{fight.path}/dice/throw", {**form, "sides": "6"}).status_code == 200
    assert ledger_of(client.site, fight)[0][-1]["kind"] == "hidden"


def test_a_declaration_that_is_empty_or_too_long_comes_back_whole(client: Client) -> None:
    fight = opened(client.site)
    client.enter(fight.seats["hollow"])
    long = "Trappola. " * 500
    for text in ("", long):
        form = {"seat": "hollow", "text": text, "key": "b" * 20}
        answer = client.post(f"{fight.path}/dice/seal", form)
        assert answer.status_code == 422
        assert re.search(r'id="e-seal-text"[^>]*><span>', answer.text)
        assert text in answer.text
    assert len(ledger_of(client.site, fight)[0]) == 1


@pytest.mark.parametrize(
    ("who", "act", "form"),
    [
        ("quincy", "throw", {"label": "x", "sides": "6"}),
        ("quincy", "seal", {"seat": "hollow", "text": "x"}),
        ("quincy", "seal", {"seat": "gm", "text": "x"}),
        ("gm", "seal", {"seat": "hollow", "text": "x"}),
        ("quincy", "tell", {"line": "1"}),
        ("gm", "tell", {"line": "1"}),
        ("hollow", "tell", {"line": "one"}),
        ("hollow", "tell", {"line": "77"}),
        ("quincy", "beacon", {"reason": "x"}),
    ],
)
def test_nobody_acts_for_somebody_else(
    client: Client, who: str, act: str, form: dict[str, str]
) -> None:
    fight = opened(client.site)
    client.enter(fight.seats["hollow"])
    sealed = {"seat": "hollow", "text": TRAP, "key": "c" * 20}
    assert client.post(f"{fight.path}/dice/seal", sealed).status_code == 200
    before = ledger_of(client.site, fight)
    client.http.cookies.clear()
    client.enter(fight.gm if who == "gm" else fight.seats[who])
    answer = client.post(f"{fight.path}/dice/{act}", {**form, "key": "d" * 20})
    assert answer.status_code == 404
    assert ledger_of(client.site, fight) == before


def test_what_was_told_is_not_told_twice_and_the_page_says_so(client: Client) -> None:
    fight = opened(client.site)
    client.enter(fight.seats["hollow"])
    sealed = {"seat": "hollow", "text": TRAP, "key": "c" * 20}
    client.post(f"{fight.path}/dice/seal", sealed)
    told = {"line": "1", "key": "d" * 20}
    assert client.post(f"{fight.path}/dice/tell", told).status_code == 200
    assert client.post(f"{fight.path}/dice/tell", told).status_code == 200  # the same call again
    assert len(ledger_of(client.site, fight)[0]) == 3
    answer = client.post(f"{fight.path}/dice/tell", {**told, "key": "e" * 20})
    assert answer.status_code == 409
    assert "è già stato rivelato" in answer.text


def test_before_the_salts_are_there_the_master_is_told_why_no_die_can_fall(
    client: Client,
) -> None:
    fight = opened(client.site, hours=24)
    client.enter(fight.gm)
    throw = f'action="{fight.path}/dice/throw"'
    page = client.http.get(f"{fight.path}/dice").text
    assert throw not in page
    assert "appena ogni posto ha mostrato il suo sale" in page
    form = {"label": "Fortuna", "sides": "6", "key": "a" * 20}
    answer = client.post(f"{fight.path}/dice/throw", form)
    assert answer.status_code == 409
    assert "Nessun dado può cadere prima" in answer.text
    give_salts(client.site, fight, "hollow", "quincy")
    assert throw in client.http.get(f"{fight.path}/dice").text
    assert client.post(f"{fight.path}/dice/throw", form).status_code == 200


def test_without_scripts_the_master_throws_and_tells(site: Site, visitor: Visitor) -> None:
    fight = opened(site)
    page = visitor(fight.gm, java_script_enabled=False)
    page.goto(fight.path)
    page.get_by_role("link", name="tirati da Arbitro, verificabili").click()
    throw_hidden(page, "Che tempo fa?")
    page.get_by_role("button", name="Rivela a tutti").click()
    expect(page.get_by_text("rivelato alla riga")).to_be_visible()


# -------------------------------------------------------------------------------- the beacon


def test_only_a_day_late_the_master_does_without_the_beacon(client: Client) -> None:
    site = client.site
    genesis = int(site.world.now().timestamp()) - 3_000
    empty = RecordedBeacon(Path("none"), "ab" * 32, genesis, 30)
    site.world.beacon = empty
    fight = opened(site, beacon=True)
    site.decide(fight, attack(by="hollow"))
    client.enter(fight.gm)
    form = f'action="{fight.path}/dice/beacon"'
    page = client.http.get(f"{fight.path}/dice").text
    assert "del faro pubblico" in page
    assert form not in page
    early = client.post(f"{fight.path}/dice/beacon", {"reason": "Manca."})
    assert early.status_code == 409
    assert "aspetta ancora" in early.text
    site.world.wait(timedelta(days=1, minutes=2))
    assert form in client.http.get(f"{fight.path}/dice").text
    refused = client.post(f"{fight.path}/dice/beacon", {"reason": ""})
    assert refused.status_code == 422
    assert re.search(r'id="e-beacon-reason"[^>]*><span>', refused.text)
    assert client.post(f"{fight.path}/dice/beacon", {"reason": "Manca."}).status_code == 200
    kinds = [line["kind"] for line in ledger_of(site, fight)[0]]
    assert kinds[-2:] == ["fallback", "roll"]
