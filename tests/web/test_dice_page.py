"""The page of a scene's dice: what it shows to whom, its forms, the file, and the check of it."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Response, expect

from app.engine.seal import seal_of
from app.integrations.beacon import RecordedBeacon
from app.services import sealing
from app.services.ledger_check import check_ledger
from app.services.links import principal_of_secret
from app.services.proofs import read_ledger
from app.services.scenes import open_scene
from app.services.shapes import OpenScene, Roller
from tests.support.fights import attack, duel
from tests.support.world import FixedWorld, SealedWorld
from tests.web.conftest import Client, Duel, Site, Visitor

SALTS = {"hollow": "00112233445566778899aabbccddeeff", "quincy": "ffeeddccbbaa99887766554433221100"}
TRAP = "Sotto la terza panca c'è un sigillo esplosivo."


@pytest.fixture(autouse=True)
def real_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Throw the dice as in production, so that ledgers hold."""
    monkeypatch.setattr(FixedWorld, "dice", SealedWorld.dice)


def opened(site: Site, dice: Roller = Roller.SERVICE, hours: int = 0, **more: Any) -> Duel:
    """Open a scene of two that waits so many hours for the salts."""
    opening = OpenScene(title="Duello al ponte", setup=duel(), dice=dice, seal_hours=hours, **more)
    made = open_scene(site.db, site.world, site.principal, opening, site.world.token())
    return Duel(made.scene_id, made.gm_secret, dict(made.seat_secrets))


def give_salts(site: Site, fight: Duel, *seats: str, show: bool = True) -> None:
    """Let seats seal their salts, and show them afterwards."""
    for act, wanted in ((sealing.seal, True), (sealing.show, show)):
        for seat in seats if wanted else ():
            player = principal_of_secret(site.db, site.world, fight.seats[seat])
            assert player is not None
            salt = SALTS[seat]
            given = seal_of(fight.id, seat, salt) if act is sealing.seal else salt
            act(site.db, site.world, player, fight.id, seat, given)


def ledger_of(site: Site, fight: Duel) -> tuple[list[dict[str, Any]], str]:
    """Read the lines of a scene's ledger, and the head after them."""
    ledger = read_ledger(site.db, fight.id)
    return [json.loads(line) for line in ledger.lines], ledger.head


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


# ---------------------------------------------------------------------------- what it shows


def pill_of(page: str, name: str) -> str:
    """Read the pill beside a seat's name."""
    found = re.search(rf"<p><bdi>{name}</bdi> <span[^>]*><span[^>]*>.</span> ([^<]*)</span>", page)
    assert found is not None
    return found[1]


def test_each_state_of_a_salt_is_named(client: Client) -> None:
    site = client.site
    fight = opened(site, hours=24)
    address = f"{fight.path}/dice"
    page = client.http.get(address).text
    assert "li aspetta per 24 ore" in page
    assert [pill_of(page, name) for name in ("Hollow", "Quincy")] == ["atteso", "atteso"]
    give_salts(site, fight, "hollow", show=False)
    assert pill_of(client.http.get(address).text, "Hollow") == "sigillato"
    site.decide(fight, attack(by="hollow"))
    page = client.http.get(address).text
    assert "Il turno dichiarato aspetta i sali" in page
    assert 'datetime="2025-03-30T14:00:00+00:00"' in page
    give_salts(site, fight, "hollow", "quincy")
    page = client.http.get(address).text
    assert [pill_of(page, name) for name in ("Hollow", "Quincy")] == ["mostrato", "mostrato"]
    assert SALTS["quincy"] in page
    assert "aspetta i sali" not in page


def test_a_seat_that_does_not_come_in_time_is_shown_as_such(client: Client) -> None:
    site = client.site
    fight = opened(site, hours=24)
    site.decide(fight, attack(by="hollow"))
    give_salts(site, fight, "hollow", show=False)
    site.world.wait(timedelta(hours=25))
    assert not sealing.go_on(site.db, site.world, fight.id)
    assert (
        pill_of(client.http.get(f"{fight.path}/dice").text, "Quincy") == "non è arrivato in tempo"
    )


def test_dice_that_began_anew_ask_for_the_new_anchor(client: Client) -> None:
    site = client.site
    fight = opened(site, hours=24)
    first = ledger_of(site, fight)[0][0]["anchor"]
    site.decide(fight, attack(by="hollow"))
    give_salts(site, fight, "hollow", "quincy", show=False)
    site.world.wait(timedelta(hours=25))
    assert not sealing.go_on(site.db, site.world, fight.id)
    page = client.http.get(f"{fight.path}/dice").text
    assert "non ha mostrato il suo sale, perciò i dadi sono ricominciati" in page
    assert first not in page
    assert page.count(ledger_of(site, fight)[0][-1]["anchor"]) == 2  # in the facts and in the post


def test_every_roll_stands_there_with_its_entry_its_seed_and_its_faces(client: Client) -> None:
    site = client.site
    fight = opened(site)
    for who, whom, tool in (("hollow", "quincy", "claws"), ("quincy", "hollow", "bow")):
        site.decide(fight, attack(whom, tool, by=who))
    page = client.http.get(f"{fight.path}/dice").text
    rolls = [line for line in ledger_of(site, fight)[0] if line["kind"] == "roll"]
    assert len(rolls) == 2
    rows = re.findall(r'<tr id="line-(\d+)">(.*?)</tr>', page, re.DOTALL)
    assert [int(number) for number, _ in rows] == [4, 3]  # after the opening and two empty salts
    for (_, row), line in zip(rows, reversed(rolls), strict=True):
        assert f"Tiro {line['r']}" in row
        assert f'href="{fight.path}/entries/{line["entry"]}"' in row
        assert line["seed"] in row
        (place,) = [one for one in line["dice"] if one["count"]]
        faces = ", ".join(str(face) for face in place["faces"])
        assert f'<strong class="number">{faces}</strong>' in row
    entry = client.http.get(f"{fight.path}/entries/1").text
    link = re.search(rf'href="({fight.path}/dice\?before=(\d+))#line-(\d+)"', entry)
    assert link is not None
    assert f'id="line-{link[3]}"' in client.http.get(link[1]).text
    heads = check_ledger(client.http.get(f"{fight.path}/ledger.jsonl").content, None).heads
    assert f"<code>{heads[int(link[3])]}</code>" in entry


def test_older_rolls_are_on_the_next_page(client: Client) -> None:
    site = client.site
    fight = opened(site)
    for place in range(21):
        who, whom, tool = [("hollow", "quincy", "claws"), ("quincy", "hollow", "bow")][place % 2]
        site.decide(fight, attack(whom, tool, by=who))
    page = client.http.get(f"{fight.path}/dice").text
    assert "Tiro 21<" in page
    assert "Tiro 1<" not in page
    older = re.search(rf'href="({fight.path}/dice\?before=\d+)#rolls-title"', page)
    assert older is not None
    page = client.http.get(older[1]).text
    assert page.count("<tr id=") == 1
    assert "Tiro 1<" in page


def test_the_dice_of_the_forum_are_shown_as_what_they_are(client: Client) -> None:
    fight = opened(client.site, Roller.FORUM)
    client.site.decide(fight, attack(by="hollow"))
    address = f"{fight.path}/dice"
    page = client.http.get(address).text
    assert "li tira il forum" in page
    assert "aspetta i dadi che tira il forum" in page
    assert "Àncora" not in page
    client.enter(fight.seats["hollow"])
    form = {"faces.0": "9", "modifiers.0": "", "version": "2", "key": "a" * 20}
    assert client.post(f"{fight.path}/entries/1/dice", form).status_code == 200
    page = client.http.get(address).text
    assert "Dadi del forum" in page
    assert '<strong class="number">9</strong>' in page


def test_a_scene_from_before_says_so_and_offers_nothing_to_check(client: Client) -> None:
    fight = opened(client.site)
    with client.site.db.write() as connection:
        connection.exec_driver_sql("UPDATE scenes SET scheme = 'system'")
    page = client.http.get(f"{fight.path}/dice").text
    assert "con il caso della sua macchina" in page
    assert "ledger.jsonl" not in page
    assert client.http.get(f"/verify?scene={fight.id}").status_code == 404


def test_the_scene_leads_to_its_dice(client: Client) -> None:
    fight = opened(client.site)
    page = client.http.get(fight.path).text
    assert f'<a href="{fight.path}/dice">tirati da Arbitro, verificabili</a>' in page


def test_the_opening_post_names_all_by_which_the_dice_are_fixed(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    page = visitor(fight.gm)
    page.goto(f"{fight.path}/dice")
    (first,), head = ledger_of(site, fight)
    post = page.get_by_label("Testo da incollare nel forum").input_value()
    assert post.startswith("[b]Dadi verificabili[/b]\n")
    for said in ("pbf1", fight.id, first["anchor"], head, first["key"]):
        assert f"[/b]: {said}\n" in post
    assert post.endswith(f"{site.base}/verify?scene={fight.id}")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copia il post").click()
    expect(page.get_by_text("Copiato").first).to_be_visible()


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


# ------------------------------------------------------------------------ the file, the check


def test_the_download_is_the_ledger_byte_by_byte_while_the_scene_runs(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    site.decide(fight, attack(by="hollow"))
    page = visitor()
    page.goto(f"{fight.path}/dice")
    with page.expect_download() as found:
        page.get_by_role("link", name="Scarica il verbale").click()
    assert found.value.suggested_filename == f"arbitro-{fight.id}.jsonl"
    data = Path(found.value.path()).read_bytes()
    head = page.locator(".facts code").nth(1).inner_text()
    report = check_ledger(data, head)
    assert report.ok
    assert report.rolls == 1


def test_the_file_has_a_type_of_its_own_and_a_scene_that_is_not_there_has_none(
    client: Client,
) -> None:
    fight = opened(client.site)
    answer = client.http.get(f"{fight.path}/ledger.jsonl")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-disposition"].startswith("attachment;")
    assert client.http.get("/scenes/nowhere/ledger.jsonl").status_code == 404


@pytest.mark.parametrize(
    ("locale", "sound", "wrong"),
    [
        ("it", "Tutto torna.", "Il verbale non è quello dell’impronta pubblicata"),
        ("en", "Everything fits.", "The ledger is not the one of the posted head"),
    ],
)
def test_a_scene_is_checked_with_nothing_but_the_head_of_the_post(
    site: Site, visitor: Visitor, locale: str, sound: str, wrong: str
) -> None:
    fight = opened(site)
    site.decide(fight, attack(by="hollow"))
    page = visitor(locale=locale)
    page.goto(f"{fight.path}/dice")
    page.locator(f'a[href="/verify?scene={fight.id}"]').click()
    head = ledger_of(site, fight)[1]
    other = ("0" if head[0] != "0" else "1") + head[1:]
    verdict = page.locator("[data-verify-verdict]")
    for said, sentence in ((other, wrong), (head, sound)):
        page.locator("#head").fill(said)
        page.locator("[data-verify] button").click()
        expect(verdict).to_contain_text(sentence)
    expect(page.locator("[data-slot=rolls] tr")).to_have_count(1)


def test_the_check_fetches_the_ledger_anew_and_a_chosen_file_comes_first(
    site: Site, visitor: Visitor
) -> None:
    fight = opened(site)
    page = visitor()
    page.goto(f"/verify?scene={fight.id}")
    before = read_ledger(site.db, fight.id)
    site.decide(fight, attack(by="hollow"))
    head = ledger_of(site, fight)[1]
    verdict = page.locator("[data-verify-verdict]")
    page.locator("#head").fill(head)
    page.get_by_role("button", name="Controlla").click()
    expect(verdict).to_contain_text("Tutto torna.")
    data = f"{before.lines[0]}\n".encode()
    file = {"name": "old.jsonl", "mimeType": "text/plain", "buffer": data}
    page.locator("#ledger").set_input_files([file])  # type: ignore[list-item]
    page.get_by_role("button", name="Controlla").click()
    expect(verdict).to_contain_text("Non tutto torna.")


def test_a_ledger_that_cannot_be_fetched_is_said_to_be(site: Site, visitor: Visitor) -> None:
    fight = opened(site)
    page = visitor()
    page.goto(f"/verify?scene={fight.id}")
    page.route("**/ledger.jsonl", lambda route: route.abort())
    page.locator("#head").fill("0" * 64)
    page.get_by_role("button", name="Controlla").click()
    expect(page.locator("[data-verify-verdict]")).to_contain_text("Il file non si può leggere")


def test_without_scripts_the_master_throws_and_tells(site: Site, visitor: Visitor) -> None:
    fight = opened(site)
    page = visitor(fight.gm, java_script_enabled=False)
    page.goto(fight.path)
    page.get_by_role("link", name="tirati da Arbitro, verificabili").click()
    throw_hidden(page, "Che tempo fa?")
    page.get_by_role("button", name="Rivela a tutti").click()
    expect(page.get_by_text("rivelato alla riga")).to_be_visible()
