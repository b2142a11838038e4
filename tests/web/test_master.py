"""The Master's page and the opening of scenes, as forms that are sent."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Attack, Turn
from app.services.entry_shapes import Submission
from app.services.scenes import read_entry
from app.services.turns import decide
from tests.web.conftest import Client, Duel


def seated(client: Client, **changes: Any) -> Duel:
    """Open a scene and enter as everybody in it."""
    opened = client.site.open_duel(**changes)
    for secret in (opened.gm, *opened.seats.values()):
        client.enter(secret)
    return opened


def version_of(client: Client, opened: Duel) -> str:
    """Read the version that a fresh Master's page carries."""
    found = re.search(r'name="version" value="(\d+)"', client.http.get(f"{opened.path}/gm").text)
    assert found is not None
    return found[1]


def rule(client: Client, opened: Duel, kind: str, **fields: str) -> Any:
    """Send a ruling of the Master, made for the scene as it stands."""
    form = {
        "kind": kind,
        "by": "gm",
        "within": f"{kind}-",
        "version": version_of(client, opened),
        "key": client.site.world.token(),
        "reason": "Perché sì & basta.",
        **fields,
    }
    return client.post(f"{opened.path}/orders", form)


def text_of(answer: Any) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


def attack(client: Client, opened: Duel, **fields: str) -> Any:
    """Let the Hollow attack."""
    form = {
        "version": version_of(client, opened),
        "key": client.site.world.token(),
        "main.pick": "quincy/claws",
        **fields,
    }
    return client.post(opened.turn("hollow"), form)


RULINGS: list[tuple[str, dict[str, str]]] = [
    ("set_value", {"combatant": "hollow", "change": "hp", "value": "150"}),
    ("manual", {"combatant": "quincy", "change": "ep", "amount": "-3"}),
    ("manual", {"combatant": "quincy", "change": "points", "stat": "dexterity", "amount": "+2"}),
    ("manual", {"combatant": "quincy", "change": "stacks", "stack": "stun", "amount": "1"}),
    (
        "place",
        {
            "distances.0.a": "hollow",
            "distances.0.b": "quincy",
            "distances.0.metres": "12",
            "distances.0.metres~was": "5",
            "behind": "hollow/quincy",
            "behind~was": "",
        },
    ),
    (
        "impact",
        {
            "attacker": "hollow",
            "target": "quincy",
            "die": "12",
            "category": "B",
            "stat_bonus": "2,5",
            "guarded": "true",
        },
    ),
    ("withdraw", {"combatant": "quincy", "standing": "defeated"}),
    ("pause", {}),
    ("close", {}),
]


@pytest.mark.parametrize(("kind", "fields"), RULINGS)
def test_a_ruling_is_a_line_of_its_own_with_its_reason(
    client: Client, kind: str, fields: dict[str, str]
) -> None:
    opened = seated(client)
    done = rule(client, opened, kind, **fields)
    assert done.status_code == 200
    assert "Fatto: è la voce 1" in done.text
    assert "Perché sì & basta." in text_of(client.http.get(f"{opened.path}/entries/1"))


@pytest.mark.parametrize(("kind", "fields"), RULINGS)
def test_a_ruling_without_a_reason_is_refused_in_its_own_form(
    client: Client, kind: str, fields: dict[str, str]
) -> None:
    opened = seated(client)
    refused = rule(client, opened, kind, **{**fields, "reason": ""})
    assert refused.status_code == 422
    assert f'href="#f-{kind}-reason"' in refused.text
    assert "Nothing" not in refused.text
    assert "Non è ancora stato deciso niente." in client.http.get(opened.path).text


def test_a_correction_of_places_is_seen_by_everybody(client: Client) -> None:
    opened = seated(client)
    rule(client, opened, *[RULINGS[4][0]], **RULINGS[4][1])
    shown = text_of(client.http.get(opened.path))
    assert "12 m" in shown
    assert "è alle spalle di" in shown


def test_a_value_above_the_sheet_is_said_in_the_reply_and_in_the_post(client: Client) -> None:
    opened = seated(client)
    fields = {"combatant": "hollow", "change": "hp", "value": "9999"}
    done = text_of(rule(client, opened, "set_value", **fields))
    said = re.search(r"Attenzione: Hollow ha così 9999 [^.]*\.", done)
    assert said is not None
    assert said[0] in text_of(client.http.get(f"{opened.path}/entries/1"))


def test_the_form_of_an_impact_begins_with_two_who_can_meet_in_one(client: Client) -> None:
    opened = seated(client)
    page = client.http.get(f"{opened.path}/gm").text
    form = page[page.index('name="kind" value="impact"') :]
    chosen = {}
    for name in ("attacker", "target"):
        select = re.search(rf'name="{name}".*?</select>', form, re.DOTALL)
        assert select is not None
        options = re.findall(r'value="([^"]*)"( selected)?', select[0])
        chosen[name] = next((id for id, mark in options if mark), options[0][0])
    assert chosen == {"attacker": "hollow", "target": "quincy"}
    fields = {**RULINGS[5][1], "target": "hollow"}
    refused = rule(client, opened, "impact", **fields)
    assert refused.status_code == 409
    assert 'href="#f-impact-target"' in refused.text


def test_a_thousand_metres_are_not_taken_for_one(client: Client) -> None:
    opened = seated(client)
    kind, fields = RULINGS[4]
    refused = rule(client, opened, kind, **{**fields, "distances.0.metres": "1.000"})
    assert refused.status_code == 422
    assert 'href="#f-place-distances.0.metres"' in refused.text
    assert "scrivi 1000 oppure 1,0" in refused.text


def test_the_scene_can_be_paused_and_resumed(client: Client) -> None:
    opened = seated(client)
    rule(client, opened, "pause")
    assert "Scrivi il turno" not in client.http.get(opened.path).text
    rule(client, opened, "resume")
    assert "Scrivi il turno di Hollow" in client.http.get(opened.path).text


def test_a_players_line_waits_for_the_master(client: Client) -> None:
    opened = seated(client)
    sent = client.post(
        f"{opened.path}/orders",
        {
            "kind": "manual",
            "by": "quincy",
            "combatant": "quincy",
            "within": "own-quincy-manual-",
            "change": "hp",
            "amount": "-4",
            "reason": "Caduta dal ponte.",
            "version": version_of(client, opened),
            "key": client.site.world.token(),
        },
    )
    assert sent.status_code == 200
    page = client.http.get(f"{opened.path}/gm")
    question = re.search(r'name="question" value="([^"]+)"', page.text)
    assert question is not None
    assert "Conta quando il Master la conferma" in text_of(page)
    done = rule(client, opened, "answer", question=question[1], choice="confirm")
    assert "Fatto" in done.text
    assert "176" in text_of(client.http.get(opened.path))


def test_what_a_player_wrote_stands_beside_what_was_computed(client: Client) -> None:
    opened = seated(client)
    attack(client, opened, **{"figures.hp": "190", "figures.ep": "100"})
    page = text_of(client.http.get(f"{opened.path}/gm"))
    assert re.search(r"PV 190 200 ⚠ −10", page)
    assert re.search(r"PE 100 100 ✓ 0", page)


def test_the_last_decision_can_be_taken_back_and_stays_to_be_read(client: Client) -> None:
    opened = seated(client)
    attack(client, opened)
    form = {
        "reason": "Il dado era di prova.",
        "within": "void-",
        "version": version_of(client, opened),
        "key": client.site.world.token(),
    }
    assert "Fatto" in client.post(f"{opened.path}/void", form).text
    shown = client.http.get(opened.path)
    assert "entry--void" in shown.text
    assert "annullata dalla voce 2" in text_of(shown)
    assert "Il dado era di prova." in text_of(shown)
    assert "Scrivi il turno di Hollow" in shown.text


def test_a_defence_of_the_last_turn_can_be_ruled_inadequate(client: Client) -> None:
    client.site.world.throw([3, 24])
    opened = seated(client)
    attack(client, opened)
    page = client.http.get(opened.turn("quincy")).text
    incoming = re.search(r'name="answers\.(\w+)\.action"', page)
    assert incoming is not None
    client.post(
        opened.turn("quincy"),
        {
            "version": version_of(client, opened),
            "key": client.site.world.token(),
            f"answers.{incoming[1]}.attack": incoming[1],
            f"answers.{incoming[1]}.action": "guard",
        },
    )
    master = client.http.get(f"{opened.path}/gm")
    assert "Protezione – Artigli Affilati (Hollow)" in text_of(master)
    done = rule(
        client, opened, "adequacy", met=f"{incoming[1]}/guard", adequate="false", before="2"
    )
    assert "Fatto" in done.text
    turn = text_of(client.http.get(f"{opened.path}/entries/2"))
    assert "Il Master ha corretto questo turno" in turn
    assert "Com'era all'inizio" in turn
    assert client.site.world.thrown == [3, 24]


def test_no_turn_has_a_number_of_a_thousand_digits(client: Client) -> None:
    opened = seated(client)
    attack(client, opened)
    fields = {"met": "a1/guard", "adequate": "false", "before": "9" * 5000}
    assert rule(client, opened, "adequacy", **fields).status_code == 404


def test_a_new_link_revokes_the_old_one_and_is_shown_once(client: Client) -> None:
    opened = seated(client)
    shown = client.post(f"{opened.path}/links", {"seat": "quincy", "do": "reissue"})
    link = re.search(r'value="https://arbitro\.example/k/([^"]+)"', shown.text)
    assert link is not None
    assert link[1] not in client.http.get(f"{opened.path}/gm").text
    client.post("/logout")
    assert client.enter(opened.seats["quincy"]).status_code == 404
    assert client.enter(link[1]).status_code == 200


def test_a_stored_sheet_can_be_put_in(client: Client) -> None:
    client.site.keep_sheets()
    opened = seated(client)
    page = client.http.get(f"{opened.path}/gm").text
    sheet = re.search(r'name="stored".*?<option value="([^"]+)"[^>]*>Quincy', page, re.DOTALL)
    assert sheet is not None
    done = rule(client, opened, "replace_sheet", combatant="quincy", stored=sheet[1])
    assert "Fatto" in done.text


# ------------------------------------------------------------------------ opening a scene


def opening(client: Client, **fields: str) -> dict[str, str]:
    """Fill in the opening of a scene with two sheets written on the spot."""
    form = {
        "do": "open",
        "key": client.site.world.token(),
        "title": "Al ponte",
        "metres.p1.p2": "7",
        "first": "p2",
    }
    for index, name in enumerate(("Aizen", "Ichigo")):
        row = f"entrants.{index}"
        form |= {
            f"{row}.id": f"p{index + 1}",
            f"{row}.team": "AB"[index],
            f"{row}.~from": "here",
            f"{row}.sheet.name": name,
            f"{row}.sheet.max_hp": "100",
            f"{row}.sheet.max_ep": "50",
            f"{row}.sheet.stats.dexterity": "5",
            f"{row}.sheet.tools.0.id": "t1",
            f"{row}.sheet.tools.0.name": "Lama",
            f"{row}.sheet.tools.0.means": "weapon",
            f"{row}.sheet.tools.0.attacks": "true",
            f"{row}.sheet.tools.0.potential": "10",
            f"{row}.sheet.tools.0.category": "D",
            f"{row}.sheet.tools.0.stat_bonus": "2,5",
        }
    return {**form, **fields}


def test_a_scene_is_opened_with_sheets_written_on_the_spot(client: Client) -> None:
    client.enter(client.site.owner)
    shown = client.post("/boards/board/scenes/new", opening(client))
    assert shown.status_code == 201
    links = re.findall(r'value="https://arbitro\.example/k/([^"]+)"', shown.text)
    assert len(links) == 3
    assert "Aizen" in shown.text
    scene = re.search(r'href="(/scenes/[^"/]+)/gm"', shown.text)
    assert scene is not None
    assert client.http.get(f"{scene[1]}/gm").status_code == 200
    page = text_of(client.http.get(scene[1]))
    assert "7 m" in page
    assert "Turno di Ichigo" in page


@pytest.mark.parametrize("ticked", [True, False])
def test_the_first_dice_of_a_trial_wait_for_nobody(client: Client, ticked: bool) -> None:
    client.enter(client.site.owner)
    form = opening(client, **({"trial": "true"} if ticked else {}))
    shown = client.post("/boards/board/scenes/new", {**form, "seal_hours": "24"})
    found = re.search(r'href="/scenes/([^"/]+)/gm"', shown.text)
    assert found is not None, shown.text
    site, scene = client.site, found[1]
    strike = Turn(by="p2", main=Attack(target="p1", tool="t1"))
    given = Submission(order=strike, version=1, key=site.world.token())
    decide(site.db, site.world, site.principal, scene, given)
    shown = client.http.get(f"/scenes/{scene}/entries/1")
    assert ("rifai il link" in shown.text) == (not ticked)
    assert (read_entry(site.db, site.principal, scene, 1).rolls is not None) == ticked


def test_a_scene_is_opened_in_mid_fight(client: Client) -> None:
    client.enter(client.site.owner)
    shown = client.post(
        "/boards/board/scenes/new",
        opening(
            client,
            **{
                "entrants.0.hp": "40",
                "entrants.0.~stacks.stun": "2",
                "entrants.0.uses.0.~name": "lama",
                "entrants.0.uses.0.count": "3",
                "behind": "p1/p2",
                "underway.0.attacker": "p1",
                "underway.0.target": "p2",
                "underway.0.~name": "Lama",
                "underway.0.die": "9",
                "underway.0.modifier": "+6",
                "underway.0.aim": "head",
            },
        ),
    )
    assert shown.status_code == 201, text_of(shown)
    scene = re.search(r'href="(/scenes/[^"/]+)/gm"', shown.text)
    assert scene is not None
    page = text_of(client.http.get(scene[1]))
    assert "40 / 100" in page
    assert "Stordimento × 2" in page
    assert re.search(r"Aizen è alle spalle di Ichigo", page)
    assert "Probabilità di Colpire 15" in page


def test_every_mistake_of_an_opening_is_beside_its_field(client: Client) -> None:
    client.enter(client.site.owner)
    shown = client.post(
        "/boards/board/scenes/new",
        opening(
            client,
            **{
                "metres.p1.p2": "1.000",
                "entrants.0.sheet.max_hp": "",
                "entrants.1.sheet.tools.0.stat_bonus": "molto",
                "entrants.1.hp": "x",
            },
        ),
    )
    assert shown.status_code == 422
    for field in (
        "metres.p1.p2",
        "entrants.0.sheet.max_hp",
        "entrants.1.sheet.tools.0.stat_bonus",
        "entrants.1.hp",
    ):
        assert f'href="#f-{field}"' in shown.text, field
        assert f'id="f-{field}"' in shown.text, field
    assert 'value="1.000"' in shown.text


def test_what_the_rules_refuse_of_an_opening_is_beside_its_field_too(client: Client) -> None:
    client.enter(client.site.owner)
    wrong = {
        "entrants.1.team": "A",
        "underway.0.attacker": "p1",
        "underway.0.target": "p2",
        "underway.0.~name": "Arco",
        "underway.0.die": "30",
        "underway.0.modifier": "0",
        "underway.0.aim": "body",
    }
    shown = client.post("/boards/board/scenes/new", opening(client, **wrong))
    assert shown.status_code == 409
    for field in ("entrants", "underway.0.~name", "underway.0.die"):
        assert f'href="#f-{field}"' in shown.text, field


def test_nobody_opens_scenes_where_only_the_owner_may(client: Client) -> None:
    assert client.http.get("/boards/board/scenes/new").status_code == 404
    assert client.post("/boards/board/scenes/new", opening(client)).status_code == 404


# ------------------------------------------------------------------------------ the board


def test_the_board_is_the_owners_alone(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.gm)
    assert client.http.get("/boards/board/settings").status_code == 404
    assert client.post("/boards/board/settings", {"name": "Mia"}).status_code == 404
    assert "Mia" not in client.http.get("/").text


def board_form(client: Client) -> dict[str, Any]:
    """Read the board's form as a browser would send it back."""
    text = client.http.get("/boards/board/settings").text
    form: dict[str, Any] = {}
    for name, value in re.findall(r'<input id="[^"]+" name="([^"]+)" value="([^"]*)"', text):
        form[name] = html.unescape(value)
    for name, options in re.findall(
        r'<select id="[^"]+" name="([^"]+)".*?>(.*?)</select>', text, re.DOTALL
    ):
        chosen = re.search(r'value="([^"]*)" selected', options)
        form[name] = chosen[1] if chosen else ""
    for name, value in re.findall(r'type="checkbox" name="([^"]+)" value="([^"]+)" checked', text):
        form.setdefault(name, []).append(value)
    return form


def test_a_board_that_is_saved_untouched_is_the_same(client: Client) -> None:
    from app.services.boards import read_board

    client.enter(client.site.owner)
    before = read_board(client.site.db, FIRST_BOARD)
    saved = client.post("/boards/board/settings", board_form(client))
    assert "Salvato." in saved.text
    assert read_board(client.site.db, FIRST_BOARD) == before


def test_the_board_is_changed_by_its_form(client: Client) -> None:
    from app.services.boards import read_board

    client.enter(client.site.owner)
    form = board_form(client)
    form |= {
        "name": "Il Ponte",
        "dice": "forum",
        "openers": "anyone",
        "options.hp_floor": "0",
        "options.aimable_kinds": ["targeted"],
        "regulation.range_ladder_m": "5, 20, 80",
        **{f"regulation.potential_by_category.{letter}": "4" for letter in "DCBAS"},
    }
    form.pop("options.guard_riders", None)
    saved = client.post("/boards/board/settings", form)
    assert "Salvato." in saved.text
    board = read_board(client.site.db, FIRST_BOARD)
    options, regulation = board.options["guida"], board.regulation["guida"]
    assert (board.name, board.dice, board.openers) == ("Il Ponte", "forum", "anyone")
    assert (options.hp_floor, options.guard_riders) == ("0", False)
    assert options.aimable_kinds == ("targeted",)
    assert regulation.range_ladder_m == (5, 20, 80)
    assert regulation.potential_by_category.D == 4


def test_every_mistake_of_the_board_is_beside_its_field(client: Client) -> None:
    client.enter(client.site.owner)
    form = board_form(client)
    form |= {"options.rounding_mode": "sideways", "regulation.potential_by_category.D": "4"}
    shown = client.post("/boards/board/settings", form)
    assert shown.status_code == 422
    assert 'href="#f-options.rounding_mode"' in shown.text
    assert 'href="#f-regulation.potential_by_category.C"' in shown.text


def test_environmental_damage_takes_hit_points(client: Client) -> None:
    opened = seated(client)
    impact = dict(RULINGS)["impact"]
    assert 'name="stat_bonus"' in client.http.get(f"{opened.path}/gm").text
    assert rule(client, opened, "impact", **impact).status_code == 200
    (quincy,) = [one for one in client.site.view(opened).combatants if one.id == "quincy"]
    assert [line.key for line in quincy.lines] == ["environmental"]
    assert quincy.hp_now < quincy.hp


def test_any_defence_against_an_attack_may_be_ruled_on_beforehand(client: Client) -> None:
    opened = seated(client)
    attack(client, opened)
    (incoming,) = client.site.view(opened).incoming
    shown = client.http.get(f"{opened.path}/gm").text
    for action in ("guard", "parry", "dodge", "unbalance", "counterattack", "direct_counterattack"):
        assert f'value="{incoming.id}/{action}"' in shown
    assert f"{incoming.id}/generic_counterattack" not in shown
    done = rule(
        client, opened, "adequacy", met=f"{incoming.id}/direct_counterattack", adequate="false"
    )
    assert done.status_code == 200


def test_a_turn_that_was_taken_back_can_be_written_again(client: Client) -> None:
    opened = seated(client)
    attack(client, opened, **{"main.aim": "head", "narration.offensive": "Balza avanti."})
    back = {
        "reason": "Mossa fuori turno.",
        "version": version_of(client, opened),
        "key": client.site.world.token(),
    }
    assert client.post(f"{opened.path}/void", back).status_code == 200
    again = f"{opened.turn('hollow')}?again=1"
    assert f'href="{again}"' in client.http.get(f"{opened.path}/entries/1").text
    shown = client.http.get(again).text
    assert re.search(r'value="quincy/claws" selected', shown)
    assert re.search(r'name="main.aim" value="head" checked', shown)
    assert "Balza avanti." in shown
    for other in ("2", "9", "x", "1e9"):
        assert client.http.get(f"{opened.turn('hollow')}?again={other}").status_code == 404
    assert client.http.get(f"{opened.turn('quincy')}?again=1").status_code == 404
