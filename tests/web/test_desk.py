"""The Master's desk as pages and forms: the queue, a turn, a second Master, the trail."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.terms import Claim
from app.services.boards import owner_link
from app.services.entry_shapes import Submission
from app.services.links import principal_of_secret
from app.services.scenes import open_scene, read_scene
from app.services.shapes import OpenScene
from app.services.turns import decide
from tests.support.counting import counted
from tests.support.fights import attack, defend
from tests.support.people import board_of, signed_up
from tests.web.conftest import Client, Duel
from tests.web.games.test_warrior_dice import Duel as DiceDuel
from tests.web.games.test_warrior_dice import blank as opening


def text_of(answer: Any) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


def as_player(client: Client, duel: Duel, seat: str, order: Any) -> None:
    """Let a player decide, straight through the services."""
    site = client.site
    who = principal_of_secret(site.db, site.world, duel.seats[seat])
    assert who is not None
    version = read_scene(site.db, who, duel.id).version
    given = Submission(order=order, version=version, key=site.world.token())
    decide(site.db, site.world, who, duel.id, given)


@pytest.fixture
def fought(client: Client) -> Duel:
    """Let two turns be posted, and the Master in."""
    duel = client.site.open_duel()
    as_player(client, duel, "hollow", attack())
    coming = [one.id for one in client.site.view(duel).incoming]
    as_player(client, duel, "quincy", defend(*coming))
    client.enter(duel.gm)
    return duel


def fields_of(page: str, action: str) -> dict[str, str]:
    """Read the hidden fields of the form that goes to an address."""
    form = page.split(f'action="{action}"', 1)[1].split("</form>", 1)[0]
    found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found}


def verdict(client: Client, duel: Duel, number: int, do: str, **more: str) -> Any:
    """Send a decision from the page of a turn."""
    at = f"/boards/board/desk/{duel.id}/{number}"
    fields = fields_of(client.http.get(at).text, at)
    return client.post(at, {**fields, "do": do, **more})


def test_the_queue_shows_every_turn_and_counts_them(client: Client, fought: Duel) -> None:
    shown = text_of(client.http.get("/boards/board/desk"))
    assert "Da rivedere 2" in shown
    assert shown.index("Hollow · Turno") < shown.index("Quincy · Turno")
    assert "2 nuovi dall'ultima volta che hai guardato" in shown
    client.post("/boards/board/desk/looked")
    assert "Nulla di nuovo" in text_of(client.http.get("/boards/board/desk"))
    assert "Nessun turno corrisponde" in text_of(client.http.get("/boards/board/desk?fresh=true"))
    assert "Hollow · Turno" not in text_of(client.http.get("/boards/board/desk?seat=quincy"))


def test_a_page_of_the_desk_is_four_statements_with_the_reader_s_own_and_its_head(
    client: Client, fought: Duel
) -> None:
    with counted(client.site.db) as count:
        assert client.http.get("/boards/board/desk").status_code == 200
    assert len([one for one in count.statements if not one.startswith("BEGIN")]) == 4


def test_every_state_of_the_desk_has_a_page(client: Client, fought: Duel) -> None:
    for query in (
        *("state=open", "state=returned", "state=dice", "state=questions", "state=approved"),
        *("state=nonsense", "game=warrior_dice", "differs=true", f"scene={fought.id}", "seat=%00"),
    ):
        assert client.http.get(f"/boards/board/desk?{query}").status_code == 200, query
    assert client.http.get("/boards/board/desk?after=nonsense").status_code == 404
    assert "Duello al ponte" in text_of(client.http.get("/boards/board/desk/scenes"))


def test_an_approval_leads_to_the_next_turn_and_the_last_back_to_the_desk(
    client: Client, fought: Duel
) -> None:
    done = verdict(client, fought, 1, "approve")
    assert done.url.path == f"/boards/board/desk/{fought.id}/2"
    assert "La voce 1 è approvata." in text_of(done)
    done = verdict(client, fought, 2, "approve")
    assert done.url.path == "/boards/board/desk"
    assert "Nulla ti aspetta." in text_of(client.http.get("/boards/board/desk"))
    assert "Hollow · Turno" in text_of(client.http.get("/boards/board/desk?state=approved"))


def test_a_row_of_the_queue_can_be_approved_and_viewed_where_it_stands(
    client: Client, fought: Duel
) -> None:
    at = f"/boards/board/desk/{fought.id}/1"
    listed = client.http.get("/boards/board/desk").text
    client.post(f"{at}/seen", fields_of(listed, f"{at}/seen"))
    assert "visto" in text_of(client.http.get("/boards/board/desk"))
    done = client.post(at, {**fields_of(listed, at), "do": "approve"})
    assert done.url.path == "/boards/board/desk"
    assert "Hollow · Turno" not in text_of(done)


def test_a_returned_turn_tells_its_player_which_numbers_are_wrong(
    client: Client, fought: Duel
) -> None:
    at = f"/boards/board/desk/{fought.id}/1"
    page = client.http.get(at).text
    marks = re.findall(r'name="(marks\.\d+)\.on" value="([^"]+)"', page)
    die = next(name for name, on in marks if on == "die.1")
    verdict(client, fought, 1, "return", note="Rileggi <b>.", **{f"{die}.why": "Era un altro."})
    client.http.cookies.clear()
    client.enter(fought.seats["hollow"])
    shown = text_of(client.http.get(fought.path))
    assert "Il Master ti ha restituito la voce 1." in shown
    assert "1 numero segnato" in shown
    entry = text_of(client.http.get(f"{fought.path}/entries/1"))
    assert "Rileggi <b>." in entry
    assert re.search(r"1d12 ?: Era un altro\.", entry)
    client.http.cookies.clear()
    assert "Era un altro." not in client.http.get(f"{fought.path}/entries/1").text


def test_a_return_without_marks_comes_back_with_what_was_written(
    client: Client, fought: Duel
) -> None:
    refused = verdict(client, fought, 1, "return", note=" ")
    assert refused.status_code == 422
    assert "Una restituzione deve dire perché" in text_of(refused)


def test_a_second_master_s_stale_decision_meets_a_page_that_tells_what_changed(
    client: Client, fought: Duel
) -> None:
    at = f"/boards/board/desk/{fought.id}/1"
    stale = fields_of(client.http.get(at).text, at)
    verdict(client, fought, 1, "return", note="Manca la fase difensiva.")
    late = client.post(at, {**stale, "do": "approve"})
    assert late.status_code == 412
    shown = text_of(late)
    assert "Qualcuno è stato più svelto" in shown
    assert "Manca la fase difensiva." in shown
    assert "restituito" in shown


def test_a_stale_row_of_the_list_tells_the_decision_and_nothing_older(
    client: Client, fought: Duel
) -> None:
    at = f"/boards/board/desk/{fought.id}/1"
    row = fields_of(client.http.get("/boards/board/desk").text, at)
    verdict(client, fought, 1, "approve")
    late = client.post(at, {**row, "do": "approve"})
    assert late.status_code == 412
    since = late.text.split('id="since"', 1)[1].split("</section>", 1)[0]
    assert "approvato" in since
    assert "/entries/" not in since
    assert "Quello che avevi scritto" not in since


def override(client: Client, duel: Duel, number: int, **more: str) -> Any:
    """Send an override from the page of a turn."""
    at = f"/boards/board/desk/{duel.id}/{number}/order"
    fields = fields_of(client.http.get(f"/boards/board/desk/{duel.id}/{number}").text, at)
    given = {"combatant": "quincy", "change": "hp", "value": "50", "reason": "Era già ferito."}
    return client.post(at, {**fields, "within": "override-", **given, **more})


def test_an_override_is_an_entry_of_its_own_with_a_public_reason(
    client: Client, fought: Duel
) -> None:
    refused = override(client, fought, 2, reason="")
    assert refused.status_code == 422
    done = override(client, fought, 2)
    assert "è la voce 3" in text_of(done)
    assert "Era già ferito." in text_of(client.http.get(f"{fought.path}/entries/3"))
    assert (
        next(one for one in client.site.view(fought).combatants if one.id == "quincy").hp_now == 50
    )


def test_a_stale_override_meets_what_was_decided_meanwhile(client: Client, fought: Duel) -> None:
    at = f"/boards/board/desk/{fought.id}/2/order"
    stale = fields_of(client.http.get(f"/boards/board/desk/{fought.id}/2").text, at)
    override(client, fought, 2)
    given = {"combatant": "quincy", "change": "hp", "value": "99", "reason": "Un altro motivo."}
    late = client.post(at, {**stale, **given})
    assert late.status_code == 412
    shown = text_of(late)
    assert "Qualcuno è stato più svelto" in shown
    assert "Era già ferito." in shown
    assert 'value="99"' in late.text
    assert "Un altro motivo." in shown


def test_an_amendment_shows_what_it_changes_before_it_is_done(client: Client, fought: Duel) -> None:
    verdict(client, fought, 1, "approve")
    verdict(client, fought, 2, "approve")
    shown = override(client, fought, 2, do="preview")
    told = text_of(shown)
    assert "Che cosa cambierebbe" in told
    assert "approvato: torna sulla scrivania" in told
    assert f"{fought.path}/entries/3" not in client.http.get(fought.path).text
    at = f"/boards/board/desk/{fought.id}/2/order"
    done = client.post(at, fields_of(shown.text, at))
    assert "è la voce 3" in text_of(done)
    assert "Quincy · Turno" in text_of(client.http.get("/boards/board/desk"))
    assert "corretta dalla voce 3" in text_of(client.http.get(f"{fought.path}/entries/2"))


def test_the_last_decision_is_taken_back_from_a_turn_s_page(client: Client, fought: Duel) -> None:
    at = f"/boards/board/desk/{fought.id}/2/void"
    fields = fields_of(client.http.get(f"/boards/board/desk/{fought.id}/2").text, at)
    assert client.post(at, {**fields, "reason": ""}).status_code == 422
    done = client.post(at, {**fields, "reason": "Postato per sbaglio."})
    assert "è la voce 3" in text_of(done)
    assert "annullato" in text_of(done)


def test_only_what_is_to_review_is_new(client: Client, fought: Duel) -> None:
    page = text_of(client.http.get("/boards/board/desk"))
    assert page.count("✦") == 2
    assert "2 nuovi dall'ultima volta" in page
    verdict(client, fought, 1, "return", note="Rileggi.")
    page = text_of(client.http.get("/boards/board/desk"))
    assert page.count("✦") == 1
    assert "1 nuovo dall'ultima volta" in page
    assert "✦" not in text_of(client.http.get("/boards/board/desk?state=returned"))


def test_a_note_to_oneself_is_kept(client: Client, fought: Duel) -> None:
    client.post("/boards/board/desk/note", {"text": "Chiedere della spada."})
    assert "Chiedere della spada." in client.http.get("/boards/board/desk").text
    about = {"text": "Qui piove.", "scene": fought.id, "number": "1"}
    assert "Qui piove." in client.post("/boards/board/desk/note", about).text
    assert client.post("/boards/board/desk/note", {"text": "x" * 4001}).status_code == 422


def test_notes_and_looking_keep_the_filters(client: Client, fought: Duel) -> None:
    filtered = "/boards/board/desk?seat=hollow&state=open"
    page = client.http.get(filtered).text
    for action, more in (("looked", {}), ("note", {"text": "Piove."})):
        at = f"/boards/board/desk/{action}"
        done = client.post(at, {**fields_of(page, at), **more})
        assert dict(done.url.params) == {"seat": "hollow", "state": "open"}
    hostile = {"here": "next=//evil.example&seat=hollow", "text": "x"}
    assert dict(client.post("/boards/board/desk/note", hostile).url.params) == {"seat": "hollow"}


def test_the_keys_that_are_told_are_those_of_the_page(client: Client, fought: Duel) -> None:
    for path, told in (("", "j k Enter a x"), (f"/{fought.id}/1", "j k a r x o u")):
        page = client.http.get(f"/boards/board/desk{path}").text
        keys = page.split('class="keys"', 1)[1].split("</dl>", 1)[0]
        found = re.findall(r"<kbd[^>]*>([^<]+)</kbd>", keys)
        assert found == [*told.split(), "?", "Ctrl", "Enter"]


def test_an_answer_at_the_desk_is_kept_as_a_precedent_and_suggested(client: Client) -> None:
    client.site.keep_precedent("Lo aspettava.")
    duel = client.site.open_duel()
    client.enter(client.site.owner)
    as_player(client, duel, "hollow", attack(claims=(Claim.SURPRISE,)))
    at = f"/boards/board/desk/{duel.id}/1"
    page = client.http.get(at).text
    assert "Lo aspettava." in page
    fields = fields_of(page, f"{at}/order")
    given = {"choice": "deny", "reason": "Anche qui.", "keep_as_precedent": "true"}
    done = client.post(f"{at}/order", {**fields, **given})
    assert "Conservata come precedente: P2" in text_of(done)


def test_whoever_was_logged_out_is_told_where_to_log_in(client: Client, fought: Duel) -> None:
    at = f"/boards/board/desk/{fought.id}/1"
    fields = fields_of(client.http.get(at).text, at)
    client.http.cookies.clear()
    order = client.post(f"{at}/order", {**fields, "kind": "close"})
    given = client.post(at, {**fields, "do": "approve"})
    for answer, steps in ((client.http.get(at), 0), (given, 0), (order, 1)):
        assert answer.status_code == 404
        assert f'href="/login" data-log-in="{steps}"' in answer.text
        assert fought.id not in answer.text  # an address may hold a secret


def test_the_trail_is_read_by_players_and_not_by_strangers(client: Client, fought: Duel) -> None:
    override(client, fought, 2)
    client.http.cookies.clear()
    assert client.http.get(f"{fought.path}/audit").status_code == 404
    client.enter(fought.seats["hollow"])
    shown = text_of(client.http.get(f"{fought.path}/audit"))
    assert "Era già ferito." in shown
    assert client.http.get("/boards/board/desk").status_code == 404
    assert client.http.get(f"/boards/board/desk/{fought.id}/1").status_code == 404


def test_the_queue_asks_again_for_its_rows_alone(client: Client, fought: Duel) -> None:
    page = client.http.get("/boards/board/desk").text
    again = re.search(r'hx-get="([^"]+)"', page)
    assert again is not None
    address = html.unescape(again[1])
    sent = {"HX-Request": "true"}
    assert client.http.get(address, headers=sent).status_code == 204
    verdict(client, fought, 1, "approve")
    fresh = client.http.get(address, headers=sent)
    assert fresh.status_code == 200
    assert 'id="queue"' in fresh.text
    assert "Da rivedere 1" in text_of(fresh)  # what is counted above the rows is true as well
    assert "1 nuovo dall'ultima volta" in text_of(fresh)
    assert "<html" not in fresh.text


OTHERS = {
    "warrior_dice": (
        {
            "entrants": [
                {"id": seat, "sheet": {"kind": "printed", "warrior": warrior}}
                for seat, warrior in (("hollow", "guerriero"), ("quincy", "ladro"))
            ],
            "first": "hollow",
        },
        {"kind": "turn"},
        "hollow",
    ),
}


@pytest.mark.parametrize("game", OTHERS)
def test_a_turn_of_another_game_lies_on_the_desk_as_well(client: Client, game: str) -> None:
    setup, order, seat = OTHERS[game]
    site = client.site
    opening = OpenScene(title="Altro gioco", ruleset=game, setup=setup, seal_hours=0)
    opened = open_scene(
        site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token()
    )
    duel = Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))
    as_player(client, duel, seat, order)
    client.enter(duel.gm)
    assert "Guerriero" in text_of(client.http.get("/boards/board/desk"))
    shown = client.http.get(f"/boards/board/desk/{duel.id}/1")
    assert shown.status_code == 200
    assert "Correggi d'autorità" in text_of(shown).split("Tasti della scrivania")[-1]
    assert verdict(client, duel, 1, "return", note="Rileggi.").status_code == 200
    client.enter(duel.seats[seat])
    assert "Il Master ti ha restituito" in text_of(client.http.get(duel.path))
    assert client.http.get(f"{duel.path}/audit").status_code == 200


def test_of_dice_that_several_threw_each_is_called_its_owner_s(client: Client) -> None:
    site = client.site
    sheets = {"hollow": "Ann", "quincy": "Ben"}
    kit = {"weapons": ["spear", "sword"], "armor": "none"}
    entrants = [{"id": seat, "sheet": {"name": name, **kit}} for seat, name in sheets.items()]
    opening = OpenScene(
        title="Arena", ruleset="combat_dice", setup={"entrants": entrants}, seal_hours=0
    )
    opened = open_scene(
        site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token()
    )
    duel = Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))
    as_player(client, duel, "hollow", {"kind": "open"})
    for seat in sheets:
        as_player(client, duel, seat, {"kind": "orders"})
    client.enter(duel.gm)
    page = client.http.get(f"/boards/board/desk/{duel.id}/3").text
    named = re.findall(r'aria-label="Segna come sbagliato: ([^"]+ · 1d6[^"]*)"', page)
    assert len(named) == len(set(named)) > 2
    assert {one.split(" · ")[0] for one in named} == {"Ann", "Ben"}


@pytest.mark.parametrize("what", ["", "/void", "/order", "/seen"])
def test_a_turn_is_decided_on_only_from_the_desk_of_its_own_board(
    client: Client, fought: Duel, what: str
) -> None:
    site, duel = client.site, fought
    other = board_of(signed_up(site.db, site.world, "Rin"))
    client.enter(site.owner)
    client.enter(owner_link(site.db, site.world, other))  # the Master of both boards
    version = {"": "0"}.get(what, str(read_scene(site.db, site.principal, duel.id).version))
    form = {"do": "approve", "key": "k" * 22, "reason": "No.", "seen": "true", "version": version}
    own, away = (f"/boards/{board}/desk/{duel.id}/1" for board in (FIRST_BOARD, other))
    assert client.post(away + what, form, follow_redirects=False).status_code == 404
    assert client.http.get(own).status_code == 200
    if what != "/order":  # its form is another one
        assert client.post(own + what, form, follow_redirects=False).status_code == 303


def test_a_game_of_dice_is_overridden_on_the_desk_as_well(client: Client) -> None:
    board, here = "/boards/board", DiceDuel(client, opening(client, first="one"))
    here.enter(0, 1, 2)
    client.site.world.throw([3, 3])  # Sword 30, and a lance that stops nothing
    here.decided("guerriero", "turn")
    at = f"{board}/desk/{here.path.removeprefix('/scenes/')}/1"
    shown = client.http.get(at)
    form = shown.text.split(f'action="{at}/order"', 1)[1].split("</form>", 1)[0]
    assert re.findall(r'<option value="(\w+)"[^>]*>PF</option>', form) == ["hits"]
    assert "registro" not in form
    fields = {**fields_of(shown.text, f"{at}/order"), "combatant": "cavaliere", "change": "hits"}
    refused = client.post(f"{at}/order", {**fields, "value": "300", "reason": "Era più ferito."})
    assert refused.status_code == 409
    assert "300 PF" in text_of(refused)
    assert 'value="300"' in refused.text
    assert ">\nEra più ferito.</textarea>" in refused.text
    preview = client.post(
        f"{at}/order", {**fields, "value": "60", "reason": "Era più ferito.", "do": "preview"}
    )
    assert "Che cosa cambierebbe" in text_of(preview)
    before = {**fields_of(preview.text, f"{at}/order"), "when": "before"}
    done = client.post(f"{at}/order", before)
    assert "è la voce 2" in text_of(done)
    entry = text_of(client.http.get(f"{here.path}/entries/2"))
    assert "Il Master porta i PF di Cavaliere da" in entry
    assert "Era più ferito." in entry
    post = text_of(client.http.get(f"{here.path}/entries/1"))
    assert "Cavaliere 30/" in post
    back = fields_of(client.http.get(at).text, f"{at}/void")
    assert "è la voce 3" in text_of(client.post(f"{at}/void", {**back, "reason": "No."}))
    assert "Cavaliere 30/" not in text_of(client.http.get(here.path))
