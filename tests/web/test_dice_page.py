"""The page of a scene's dice: what it shows to whom, the file, and the check of it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from app.engine.seal import seal_of
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Place
from app.services import sealing
from app.services.ledger_check import check_ledger
from app.services.proofs import read_ledger
from app.services.shapes import Roller
from app.web.dice import spoken
from tests.support.fights import attack
from tests.support.world import FixedWorld, SealedWorld
from tests.web.conftest import Client, Site, Visitor
from tests.web.dice_scenes import SALTS, give_salts, ledger_of, opened
from tests.web.test_luck import take_back


@pytest.fixture(autouse=True)
def real_dice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Throw the dice as in production, so that ledgers hold."""
    monkeypatch.setattr(FixedWorld, "dice", SealedWorld.dice)


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


def test_where_nobody_gave_a_salt_the_page_says_what_that_means(client: Client) -> None:
    site = client.site
    alone, together = opened(site), opened(site, hours=24)
    give_salts(site, together, "hollow", "quincy")
    for fight in (alone, together):
        site.decide(fight, attack(by="hollow"))
    pages = [client.http.get(f"{fight.path}/dice").text for fight in (alone, together)]
    assert ["va creduto sulla parola" in page for page in pages] == [True, False]
    assert pill_of(pages[0], "Quincy") == "gioca senza sale"


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
    assert "Fase Offensiva · Attacco · Hollow &gt; Quincy +" in rows[1][1]
    entry = client.http.get(f"{fight.path}/entries/1").text
    link = re.search(rf'href="({fight.path}/dice\?before=(\d+))#line-(\d+)"', entry)
    assert link is not None
    assert f'id="line-{link[3]}"' in client.http.get(link[1]).text
    heads = check_ledger(client.http.get(f"{fight.path}/ledger.jsonl").content, None).heads
    assert f"<code>{heads[int(link[3])]}</code>" in entry


def test_what_was_taken_back_stays_and_says_so(client: Client) -> None:
    site = client.site
    fight = opened(site)
    site.decide(fight, attack(by="hollow"))
    assert ">✕<" not in client.http.get(f"{fight.path}/dice").text
    take_back(site, fight)
    page = client.http.get(f"{fight.path}/dice").text
    assert "</span> annullato</span>" in page
    assert "Tiro 1<" in page


def test_a_roll_that_not_everybody_may_know_shows_no_face_before_the_end(client: Client) -> None:
    site = client.site
    fight = opened(site)
    hidden = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
    site.decide(fight, hidden)
    site.decide(fight, Turn(by="hollow"))
    site.decide(fight, Turn(by="quincy", main=Attack(target="hollow", tool="bow", blind=True)))
    address = f"{fight.path}/dice"

    def rows() -> list[str]:
        return re.findall(r"<tr id=.*?</tr>", client.http.get(address).text, re.DOTALL)

    # That the first of the two threw nothing must not be seen either.
    assert [len(re.findall("Tiro coperto|</span> sigillato</span>", row)) for row in rows()] == [
        2,
        2,
    ]
    assert not any('<strong class="number">' in row for row in rows())
    site.decide(fight, {"kind": "close", "by": "gm", "reason": "Pari."})
    secrets = [line["secret"] for line in ledger_of(site, fight)[0] if line.get("secret")]
    blind, idle = rows()
    assert '<strong class="number">' in blind
    assert secrets[1] in blind
    assert "Alla fine nessun dado." in idle
    assert secrets[0] in idle


def test_a_player_sees_the_salt_that_their_own_browser_kept(site: Site, visitor: Visitor) -> None:
    fight = opened(site)
    page = visitor()
    page.goto(f"{fight.path}/dice")
    kept = page.get_by_role("heading", name="Conservati da questo browser")
    expect(kept).to_be_hidden()
    anchor = ledger_of(site, fight)[0][0]["anchor"]
    seal = seal_of(fight.id, "hollow", SALTS["hollow"])
    key = f"arbitro:salt:{fight.id}:{anchor}:hollow:{seal}"
    page.evaluate("([key, salt]) => localStorage.setItem(key, salt)", [key, SALTS["hollow"]])
    page.reload()
    expect(kept).to_be_visible()
    expect(page.locator("[data-own-salts] dt")).to_have_text("Hollow")
    expect(page.locator("[data-own-salts] dd")).to_have_text(SALTS["hollow"])


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
    assert "[b]Verbale della scena[/b]" in page
    assert "sali dei giocatori" not in page
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


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("defensive guard Quincy > Hollow +3", "Defensive Phase · Guard · Quincy > Hollow +3"),
        ("Fortuna", "Fortuna"),
        ("offensive plan", "offensive plan"),
        ("", ""),
    ],
)
def test_only_the_codes_of_the_rules_are_said_in_words(label: str, said: str) -> None:
    assert spoken("en", "guida", label) == said


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
    page.locator("#ledger").set_input_files([file])
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
