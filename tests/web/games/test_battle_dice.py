"""A battle on its pages: opened, mustered in secret, commanded, asked, fought to its end."""

from __future__ import annotations

import html
import re

import pytest

from app.posts.digest import find_digests
from tests.web.conftest import Client
from tests.web.games.battles import (
    ADA,
    BO,
    Battle,
    army_fields,
    error_at,
    let,
    open_battle,
    setup_form,
)

TEXT = re.compile(r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', re.DOTALL)
OPENED = {"~armies": "open"}
BOTH = {
    **army_fields("entrants.0.army", ADA, "dragon"),
    **army_fields("entrants.1.army", BO, "archmage"),
}


def post_of(page: str) -> str:
    """Read the text to paste from the page of an entry."""
    found = TEXT.search(page)
    assert found is not None
    return html.unescape(found[1])


def mustered(client: Client, **more: str) -> Battle:
    """Open a battle and muster both armies."""
    battle = open_battle(client, **more)
    battle.muster("p1")
    battle.muster("p2")
    return battle


# --------------------------------------------------------------------------- set-up


def test_lists_that_are_wrong_are_said_beside_their_fields(client: Client) -> None:
    client.enter(client.site.owner)
    short = {**ADA, "d6": "3"}
    armies = {
        **army_fields("entrants.0.army", short, "dragon"),
        **army_fields("entrants.1.army", BO, ""),
    }
    page = client.post("/boards/board/scenes/new/battle_dice", setup_form(**OPENED, **armies))
    assert page.status_code == 409
    assert "19 dadi, ma ne servono 20" in error_at(page.text, "entrants.0.army.units")
    assert "nessun tipo di eroe" in error_at(page.text, "entrants.1.army.~hero")
    assert 'value="open" checked' in page.text
    typed = client.post(
        "/boards/board/scenes/new/battle_dice",
        setup_form(**OPENED, **{**BOTH, "entrants.0.army.units.d6": "quattro"}),
    )
    assert typed.status_code == 422
    assert error_at(typed.text, "entrants.0.army.units.d6")


def test_a_battle_under_way_begins_where_it_was(client: Client) -> None:
    state = {
        "turns": "3",
        "entrants.0.lost.d8": "2",
        "entrants.0.ignore": "1",
        "entrants.1.carry_manoeuvre": "2",
        "entrants.1.army.units.d6": "2",
    }
    battle = open_battle(client, **OPENED, **{**BOTH, **state})
    page = battle.page("guest")
    assert "Turno 4" in page
    assert "<strong>20</strong> / 22" in page
    assert "perdite da ignorare: 1" in page
    assert "Punti Manovra dal turno prima: 2" in page


def test_the_form_warns_of_the_severe_morale_and_links_to_the_readings(client: Client) -> None:
    client.enter(client.site.owner)
    page = client.http.get("/boards/board/scenes/new/battle_dice").text
    assert "Il morale è severo" in page
    assert 'href="/boards/board/options?game=battle_dice#AMB-BD-28"' in page
    let(client.site, morale="off", army_size=None)
    page = client.http.get("/boards/board/scenes/new/battle_dice").text
    assert "Il morale è severo" not in page
    assert "lo concordano i giocatori" in page


# --------------------------------------------------------------------------- the muster


def test_a_list_is_shown_to_nobody_else_until_both_are_in(client: Client) -> None:
    battle = open_battle(client)
    entry = battle.muster("p1")
    assert "La tua lista, che l'avversario non vede" in battle.page("p1")
    assert "D8 Arqueiros (Arcieri) <strong>×4</strong>" in battle.page("p1")
    number = re.search(r"voce (\d+)", entry)
    assert number is not None
    for who in ("p2", "gm", "guest"):
        for path in ("", f"/entries/{number[1]}", "/gm" if who == "gm" else ""):
            page = battle.page(who, path)
            assert "Dragão" not in page
            assert "×4" not in page
    assert "Dragão" not in battle.page("p2", "/turn/p2").split('id="preview-muster"')[1]
    battle.muster("p2")
    page = battle.page("guest")
    assert "D20 Dragão (Drago)" in page
    assert "D20 Arquimago (Arcimago)" in page
    post = post_of(battle.page("p2", "/entries/2"))
    assert "D6 Infantaria (Fanteria)" in post
    assert find_digests(post)[0].state == "unchanged"


def test_an_army_that_is_wrong_is_said_while_it_is_written_and_when_it_is_sent(
    client: Client,
) -> None:
    battle = open_battle(client)
    short = army_fields("army", {**ADA, "d20": "3"}, "dragon")
    asked = {"kind": "muster", "by": "p1", "within": "muster-", **short}
    seen = battle.post("p1", "/turn/p1/preview", asked)
    assert "19 dadi, ma ne servono 20" in seen.text
    page = battle.refused("p1", "muster", **short)
    assert "19 dadi, ma ne servono 20" in error_at(page, "army.units", "muster-")
    page = battle.refused("p1", "muster", **army_fields("army", ADA, ""))
    assert "nessun tipo di eroe" in error_at(page, "army.~hero", "muster-")
    shown = battle.decide("p1", "muster", **short, do="preview")  # where scripts do not run
    assert "19 dadi, ma ne servono 20" in shown.text


def test_a_table_of_ones_own_is_written_row_by_row(client: Client) -> None:
    battle = open_battle(client)
    assert "~hero=own" not in battle.page("p1", "/turn/p1")
    let(client.site, custom_heroes=True)
    battle = open_battle(client, key="l" * 22)
    table = {
        "army.custom.name": "Grifoni",
        "army.custom.die": "d6",
        "army.custom.rows.0.low": "1",
        "army.custom.rows.0.high": "3",
        "army.custom.rows.0.name": "Becco",
        "army.custom.rows.0.power": "combat_losses",
        "army.custom.rows.1.low": "",
        "army.custom.rows.1.power": "combat_losses",
        "army.custom.rows.2.low": "4",
        "army.custom.rows.2.high": "5",
        "army.custom.rows.2.name": "Ali",
        "army.custom.rows.2.power": "gain_manoeuvre",
    }
    own = {**army_fields("army", ADA, "own"), **table}
    page = battle.refused("p1", "muster", **own)
    assert "ogni faccia da 1 a 6" in error_at(page, "army.custom.rows", "muster-")
    page = battle.refused("p1", "muster", **{**own, "army.custom.rows.2.high": "6x"})
    assert error_at(page, "army.custom.rows.2.high", "muster-")
    battle.done("p1", "muster", **{**own, "army.custom.rows.2.high": "6"})
    battle.muster("p2")
    assert "D20 Grifoni" in battle.page("guest")
    assert "Grifoni" in post_of(battle.page("p2", "/entries/2"))


# --------------------------------------------------------------------------- turns


def test_a_whole_battle_is_fought_through_the_forms(client: Client) -> None:
    battle = mustered(client)
    client.site.world.face = 3  # nothing happens in this turn
    battle.done("p1", "turn", **{"narration.offensive": "Tenere la linea!"})
    page = battle.page("p2")
    assert "ordini dati" in page
    assert "Tenere la linea!" not in battle.page("p2", "/entries/3")
    battle.done("p2", "turn", **{"policy.free_choice": "withdraw"})
    assert "Turno 2" in battle.page("guest")
    client.site.world.face = 7
    battle.done("p1", "turn", **{"policy.casualties.0": "d12", "policy.spare_pending": "false"})
    entry = battle.done("p2", "turn")
    post = post_of(entry)
    assert "[b]Etapa de Combate / Mischia[/b]" in post
    assert "D6 Infantaria (Fanteria): [b]6[/b] [b]6[/b]" in post
    assert "Ada la Rossa perde 6 dadi. D12: 7 7, D6: 6 6 6 6" in post
    (found,) = find_digests(post)
    assert (found.state, found.outside) == ("unchanged", 0)
    page = battle.page("guest")
    assert "Finita" in page
    assert "Vince Ada la Rossa." in page or "Vince Bo." in page
    assert "Debandada (Rotta)" in page
    assert "Ora non c" in battle.page("p1", "/turn/p1")


def test_orders_of_both_kinds_are_their_players_secret(client: Client) -> None:
    battle = mustered(client)
    assert "D6 · D8 · D10 · D12 · D4 · D20" in battle.page("p1", "/turn/p1")
    ranks = {"policy.casualties.0": "d12", "policy.casualties.2": "d8"}
    battle.done("p1", "stand", **ranks, **{"policy.summon": "d10"})
    page = battle.page("p1", "/turn/p1")
    assert "D12 · D8 · D6 · D10 · D4 · D20" in page
    assert "<dd>D10 Cavalaria (Cavalleria)</dd>" in page
    for who, path in (("p2", "/turn/p2"), ("p2", "/entries/3"), ("gm", "/gm"), ("guest", "")):
        assert "D12 · D8 · D6" not in battle.page(who, path)
    client.site.world.face = 3
    told = {"policy.free_choice": "surround", "narration.offensive": "Li accerchiamo!"}
    battle.done("p1", "turn", **told)
    assert "I tuoi ordini sono dati" in battle.page("p1", "/turn/p1")
    for who in ("p2", "gm", "guest"):
        assert "Li accerchiamo!" not in battle.page(who, "/entries/4")
    battle.done("p2", "turn")
    for who in ("p2", "gm", "guest"):  # once the turn is played, everybody reads its stories
        assert "Li accerchiamo!" in battle.page(who, "/entries/4")
        assert "D12 · D8 · D6" not in battle.page(who, "/entries/3")


def test_a_list_that_names_a_kind_twice_is_said_beside_it(client: Client) -> None:
    battle = mustered(client)
    ranks = {f"policy.target.{place}": "" for place in range(6)}
    twice = {**ranks, "policy.target.0": "d8", "policy.target.3": "d8"}
    for kind in ("turn", "stand"):
        page = battle.refused("p1", kind, **twice)
        assert "due volte" in error_at(page, "policy.target", f"{kind}-")
        chosen = re.findall(r'name="policy.target.3"[^>]*>.*?</select>', page, re.DOTALL)
        assert sum('value="d8" selected' in one for one in chosen) == 1


def test_heroes_cannot_be_summoned_by_an_army_without_a_type(client: Client) -> None:
    battle = open_battle(client)
    battle.done("p1", "muster", **army_fields("army", {"d6": "20"}, ""))
    battle.muster("p2")
    page = battle.page("p1", "/turn/p1")
    summon = re.search(r'name="policy.summon".*?</select>', page, re.DOTALL)
    assert summon is not None
    assert "D20" not in summon[0]
    refused = battle.refused("p1", "stand", **{"policy.summon": "d20"})
    assert "non ha un tipo di eroe" in error_at(refused, "policy.summon", "stand-")


# --------------------------------------------------------------------------- asking


DECISION = re.compile(r'name="decision" value="([^"]+)"')
PICKS = re.compile(r'name="picks" value="([^"]+)"( checked)?')


def asked(client: Client) -> Battle:
    """Bring a battle to where both have casualties to choose, in a turn that asks.

    Ada's one tactical point gains her Initiative, and she is asked where to use it.
    """
    let(client.site, casualty_choice="ask")
    battle = mustered(client)
    battle.done("p1", "turn")
    battle.done("p2", "turn")
    page = battle.page("p1", "/turn/p1")
    assert "sceglie in quale passo agire per primo" in page
    (decision,) = DECISION.findall(page)
    assert PICKS.findall(page) == [("combat", " checked"), ("missile", "")]
    battle.done("p1", "choose", decision=decision, picks="combat", within=f"choose-{decision}-")
    return battle


def test_a_choice_shows_the_dice_and_is_made_by_its_player_alone(client: Client) -> None:
    battle = asked(client)
    page = battle.page("p1", "/turn/p1")
    assert "sceglie i propri dadi da perdere: 6" in page
    assert "I dadi come stanno sul tavolo" in page
    assert '<small class="muted">Etapa dos Projeteis / Tiro</small>' in page
    assert 'aria-label="6, darà ancora un successo"' in page
    decision = DECISION.findall(page)
    picks = PICKS.findall(page)
    assert len(decision) == 1
    assert sum(bool(ticked) for _, ticked in picks) == 6
    assert "I dadi come stanno sul tavolo" in battle.page("guest")
    assert "da perdere: 6" not in battle.page("guest")
    within = f"choose-{decision[0]}-"
    few = [id for id, _ in picks[:5]]
    wrong = battle.refused("p1", "choose", decision=decision[0], picks=few, within=within)
    assert "Ne hai scelti 5, ma ne servono 6" in error_at(wrong, "picks", within)
    assert [id for id, ticked in PICKS.findall(wrong) if ticked] == few
    six = [id for id, _ in picks[-6:]]
    battle.done("p1", "choose", decision=decision[0], picks=six, within=within)
    assert "non atteso" in battle.page("p1")


def test_a_turn_that_waits_is_played_to_its_end_by_answers_and_the_deadline(
    client: Client,
) -> None:
    battle = asked(client)
    seats = {"p1": 0, "p2": 0}
    for _ in range(20):
        page = battle.page("gm")
        if "Finita" in page:
            break
        for seat in seats:
            page = battle.page(seat, f"/turn/{seat}")
            for decision in DECISION.findall(page)[:1]:
                ticked = [id for id, ticked in PICKS.findall(page) if ticked]
                within = f"choose-{decision}-"
                entry = battle.done(seat, "choose", decision=decision, picks=ticked, within=within)
                assert find_digests(post_of(entry))[0].state == "unchanged"
                seats[seat] += 1
    assert all(seats.values())
    assert "Finita" in battle.page("guest")


def test_the_master_plays_for_whoever_is_late(client: Client) -> None:
    battle = asked(client)
    page = battle.page("gm", "/gm")
    form = dict(re.findall(r'type="hidden" name="(version|head|key)" value="([^"]*)"', page))
    late = {"kind": "deadline", "by": "gm", "within": "deadline-", **form}
    assert battle.post("gm", "/orders", late).status_code == 303
    page = battle.page("guest")
    assert "Non si aspetta oltre Ada la Rossa" in page
    assert "Non si aspetta oltre Bo" in page
    assert "Mischia" in page


# --------------------------------------------------------------------------- the end


def test_a_draw_needs_both_and_conceding_one(client: Client) -> None:
    battle = mustered(client)
    battle.done("p1", "draw")
    assert "offre il pareggio" in battle.page("guest")
    page = battle.refused("p1", "draw")
    assert "Hai già offerto il pareggio" in page
    assert "Accetta la patta" in battle.page("p2", "/turn/p2")
    battle.done("p2", "draw")
    assert "Pareggio." in battle.page("guest")
    other = mustered(client, key="m" * 22)
    post = post_of(other.done("p2", "concede"))
    assert "Bo si arrende: vince Ada la Rossa." in post
    assert "Vince Ada la Rossa." in other.page("guest")


def test_the_story_of_a_decision_can_be_corrected(client: Client) -> None:
    battle = mustered(client)
    entry = battle.done("p1", "concede", **{"narration.offensive": "Bandiera bianca."})
    assert "Bandiera bianca." in post_of(entry)
    key = re.search(r'/story".*?name="key" value="([^"]+)"', entry, re.DOTALL)
    assert key is not None
    told = {"wording": "1", "key": key[1], "narration.offensive": "Bandiera nera."}
    assert battle.post("p1", "/entries/3/story", told).status_code == 303
    post = post_of(battle.page("p1", "/entries/3"))
    assert "Bandiera nera." in post
    assert find_digests(post)[0].state == "unchanged"


@pytest.mark.parametrize("language", ["it", "en"])
def test_every_page_speaks_both_languages_beside_the_book_s_own(
    client: Client, language: str
) -> None:
    battle = mustered(client)
    page = battle.page("p1", f"/turn/p1?lang={language}")
    wanted = {"it": "D6 Infantaria (Fanteria)", "en": "D6 Infantaria (infantry)"}
    assert wanted[language] in page
    assert "Liderar" not in page or "Liderança" in page
    assert {"it": "Dragão (Drago)", "en": "Dragão (Dragon)"}[language] in page
