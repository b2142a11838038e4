"""What pages show and take of chapters 8 to 13, where more than two fight."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Knock,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.terms import Aim, Limb
from app.services.boards import change_board
from app.services.scenes import open_scene, read_entry
from app.services.shapes import (
    BoardChanges,
    OpenScene,
    Roller,
)
from app.services.sheets import add_sheet, list_sheets, read_sheet
from tests.support.fights import QUINCY
from tests.web.conftest import Client, Duel, Site, Visitor
from tests.web.looking import faults, open_everything
from tests.web.melee import melee
from tests.web.test_master import opening, rule, text_of


def open_melee(site: Site, **changes: Any) -> Duel:
    """Open the fight of four, straight through the services."""
    setup = melee(**changes)
    new = OpenScene(title="Quattro al ponte", setup=setup, dice=Roller.SERVICE, seal_hours=0)
    opened = open_scene(site.db, site.world, site.principal, FIRST_BOARD, new, site.world.token())
    return Duel(opened.scene_id, opened.gm_secret, dict(opened.seat_secrets))


def with_dome(site: Site) -> Duel:
    """Let the Quincy create an area that nobody counters, until it has formed."""
    opened = open_melee(site, underway=())
    site.decide(opened, Turn(by="quincy", main=Generic(tool="dome of ash")))
    for seat in ("beast", "mate", "hollow"):
        if site.view(opened).next == seat:
            site.decide(opened, Turn(by=seat))
    for _ in range(4):
        if not site.view(opened).pending:
            break
        site.decide(opened, Turn(by=site.view(opened).next))
    (area,) = site.view(opened).areas
    assert not area.forming
    return opened


# --------------------------------------------------------------------------- what is shown


def test_whoever_may_counter_a_movement_sees_where_it_leads(client: Client) -> None:
    opened = open_melee(client.site, underway=())
    move = Move(distances=(Reach(to="hollow", metres=37),), behind=("hollow",))
    client.site.decide(opened, Turn(by="quincy", main=Movement(move=move, hides=("beast",))))
    seat = client.site.view(opened).next
    client.enter(opened.seats[seat])
    page = text_of(client.http.get(opened.turn(seat)))
    for told in (
        "a 37 m da Hollow",
        "finendo alle spalle di Hollow",
        "fuori dalla vista di Bestia",
    ):
        assert told in page, told
        assert told in text_of(client.http.get(opened.path)), told


def test_a_card_says_which_limbs_are_aimed_at(client: Client) -> None:
    (one, *others) = melee().underway
    opened = open_melee(
        client.site, underway=(replace(one, aim=Aim.LIMBS, limb=Limb.LEGS), *others)
    )
    client.enter(opened.seats["quincy"])
    assert "mira: Arti (Gambe)" in text_of(client.http.get(opened.turn("quincy")))


def test_the_pages_of_a_plain_duel_offer_nothing_of_all_this(client: Client) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    page = client.http.get(opened.turn("hollow")).text
    for name in ("knock", "binds", "also", "frees", "prefers", "destroys", "liberation", "plans"):
        assert f".{name}" not in page, name
    assert 'name="perception"' not in page
    assert 'name="reacts"' not in page


def test_an_area_may_be_destroyed_only_with_what_has_the_numbers_for_it(client: Client) -> None:
    site = client.site
    measured = BoardChanges(options={"guida": {"area_coverage_measure": "radius"}})
    change_board(site.db, site.world, site.principal, FIRST_BOARD, measured)
    opened = with_dome(site)
    seat = client.site.view(opened).next
    client.enter(opened.seats[seat])
    page = client.http.get(opened.turn(seat)).text
    field = r'<div data-show-if="main\.pick=([^"]*)">(?:(?!<div data).)*?name="main\.destroys"'
    (shown,) = re.findall(field, page, re.DOTALL)
    assert shown == "hollow/wave beast/wave"  # of all that the Quincy has, it alone has a radius


# ----------------------------------------------------------------------- what the Master does


def test_the_master_places_the_centre_of_an_area_and_ends_it(client: Client) -> None:
    opened = with_dome(client.site)
    client.enter(opened.gm)
    (area,) = client.site.view(opened).areas
    page = client.http.get(f"{opened.path}/gm").text
    found = re.search(rf'name="distances\.(\d+)\.a" value="{area.id}"', page)
    assert found is not None
    row = f"distances.{found[1]}"
    moved = {f"{row}.a": area.id, f"{row}.b": "beast", f"{row}.metres": "90"}
    answer = rule(client, opened, "place", **moved, **{f"{row}.metres~was": "5"})
    assert answer.status_code == 200, text_of(answer)
    (area,) = client.site.view(opened).areas
    assert "beast" not in area.inside
    assert "Cupola" in text_of(client.http.get(opened.path))
    ended = rule(client, opened, "end_area", area=area.id)
    assert ended.status_code == 200, text_of(ended)
    assert client.site.view(opened).areas == ()
    assert 'value="end_area"' not in client.http.get(f"{opened.path}/gm").text


def test_the_master_says_who_is_hidden_and_nothing_else_changes(client: Client) -> None:
    opened = open_melee(client.site, underway=())
    client.enter(opened.gm)
    before = client.site.view(opened)
    hidden = {"hidden": "hollow/quincy", "hidden~was": "", "behind~was": ""}
    assert rule(client, opened, "place", **hidden).status_code == 200
    (pair,) = client.site.view(opened).hidden
    assert (pair.who, pair.observer) == ("hollow", "quincy")
    assert client.site.view(opened).behind == before.behind
    shown = client.http.get(f"{opened.path}/gm").text
    assert 'name="hidden~was" value="hollow/quincy"' in shown
    away = rule(client, opened, "place", **{"hidden~was": "hollow/quincy", "behind~was": ""})
    assert away.status_code == 200
    assert client.site.view(opened).hidden == ()


def test_the_master_sets_the_order_of_turns(client: Client) -> None:
    opened = open_melee(client.site, underway=())
    client.enter(opened.gm)
    ids = [one.id for one in client.site.view(opened).combatants]
    places = {f"places.{at}.who": id for at, id in enumerate(ids)}
    order = {f"places.{at}.at": str(len(ids) - at) for at in range(len(ids))}
    answer = rule(client, opened, "turn_order", **places, **order, next="mate")
    assert answer.status_code == 200, text_of(answer)
    assert client.site.view(opened).next == "mate"
    client.site.decide(opened, Turn(by="mate"))
    assert client.site.view(opened).next == "beast"


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("abc", "non è un numero"),
        ("2,5", "non è un numero"),
        ("1e9", "non è un numero"),
        ("NaN", "non è un numero"),
        ("", "manca"),
        ("-5", "fuori dai limiti"),
        ("0", "fuori dai limiti"),
        ("9" * 24, "fuori dai limiti"),
        ("2", "compare due volte"),
    ],
)
def test_a_place_in_the_order_of_turns_that_is_none_is_refused_at_its_field(
    client: Client, typed: str, said: str
) -> None:
    opened = open_melee(client.site, underway=())
    client.enter(opened.gm)
    before = client.site.view(opened)
    places = {f"places.{at}.who": one.id for at, one in enumerate(before.combatants)}
    order = {f"places.{at}.at": str(at + 1) for at in range(len(before.combatants))}
    answer = rule(client, opened, "turn_order", **places, **{**order, "places.2.at": typed})
    assert answer.status_code == 422
    found = re.search(r'href="#f-turn_order-places\.2\.at">([^<]*)<', answer.text)
    assert found is not None
    assert said in found[1]
    assert client.site.view(opened) == before


def test_places_in_the_order_of_turns_may_leave_gaps(client: Client) -> None:
    opened = open_melee(client.site, underway=())
    client.enter(opened.gm)
    ids = [one.id for one in client.site.view(opened).combatants]
    places = {f"places.{at}.who": id for at, id in enumerate(ids)}
    order = {f"places.{at}.at": f" {90 - 10 * at} " for at in range(len(ids))}
    assert rule(client, opened, "turn_order", **places, **order).status_code == 200
    assert [one.id for one in client.site.view(opened).combatants] == ids[::-1]


def test_the_master_lets_somebody_enter_with_a_stored_sheet(client: Client) -> None:
    site = client.site
    sheet = replace(QUINCY, name="Arciere")
    add_sheet(site.db, site.world, site.principal, FIRST_BOARD, sheet, site.world.token())
    opened = open_melee(site, underway=())
    client.enter(opened.gm)
    (stored,) = list_sheets(site.db, site.principal, FIRST_BOARD)
    page = client.http.get(f"{opened.path}/gm").text
    newcomer = re.search(r'name="entrant\.id" value="([^"]+)"', page)
    assert newcomer is not None
    ids = ["hollow", "quincy", "beast", "mate"]
    places = {f"places.{at}.to": id for at, id in enumerate(ids)}
    metres = {f"places.{at}.metres": "20" for at in range(len(ids))}
    entrant = {"entrant.id": newcomer[1], "entrant.team": "day", "stored": stored.id}
    typo = {**metres, "places.1.metres": "far"}
    wrong = rule(client, opened, "join", **entrant, **places, **typo)
    assert wrong.status_code == 422
    assert 'href="#f-join-places.1.metres"' in wrong.text
    answer = rule(client, opened, "join", **entrant, **places, **metres, after="quincy")
    assert answer.status_code == 200, text_of(answer)
    came = next(one for one in site.view(opened).combatants if one.id == newcomer[1])
    assert (came.name, came.team) == (stored.name, "day")


# ------------------------------------------------------------------------- sheets and openings


def test_a_scene_is_opened_with_bonds_and_with_somebody_hidden(client: Client) -> None:
    client.enter(client.site.owner)
    bound = {
        "entrants.0.bound.value": "14,5",
        "entrants.0.bound.loosening": "2",
        "entrants.0.bound.by.0.name": "Rete",
        "entrants.0.bound.by.0.user": "p2",
        "entrants.0.bound.by.0.binds": ["arm_block", "leg_block"],
        "hidden": "p2/p1",
    }
    shown = client.post("/boards/board/scenes/new", {**opening(client), **bound})
    assert shown.status_code == 201, text_of(shown)
    scene = re.search(r'href="(/scenes/[^"/]+)/gm"', shown.text)
    assert scene is not None
    page = text_of(client.http.get(scene[1]))
    assert "Blocco Braccia, Blocco Gambe" in page
    assert "per liberarsi: 14,5" in page or "per liberarsi: 14.5" in page
    assert re.search(r"(Aizen|Ichigo) è nascosto a (Aizen|Ichigo)", page)
    wrong = {**opening(client), **bound, "entrants.0.bound.loosening": "3"}
    refused = client.post("/boards/board/scenes/new", wrong)
    assert refused.status_code == 409
    assert 'href="#f-entrants.0.bound.loosening"' in refused.text


EFFECTS: dict[str, dict[str, Any]] = {
    "constraint": {"binds": ["arm_block", "distance_limit"], "max_range_m": "12"},
    "liberation": {},
    "gigantism": {"size": "2", "turns": "3"},
    "knockback": {},
    "area": {"form": "static", "radius_m": "25", "curtain": ""},
    "perception": {"radius_m": "40", "passive": "true"},
    "camouflage": {"turns": "2"},
    "masking": {},
    "blinding": {"turns": "1"},
    "stack_removal": {"stack": "poison", "count": "2"},
}


def test_every_effect_is_written_kept_and_shown_again(client: Client) -> None:
    client.enter(client.site.owner)
    form: dict[str, Any] = {
        "name": "Nona",
        "max_hp": "100",
        "max_ep": "50",
        "stats.strength": "5",
        "size": "1",
        "talents": "alternative_senses_to_sight",
        "key": "sheet-of-effects",
        "do": "save",
        "tools.0.id": "t1",
        "tools.0.name": "Tutto",
        "tools.0.attacks": "true",
        "tools.0.potential_bonus": "3",
    }
    for index, (kind, fields) in enumerate(EFFECTS.items()):
        row = f"tools.0.effects.{index}"
        form |= {f"{row}.kind": kind, **{f"{row}.{name}": text for name, text in fields.items()}}
    saved = client.post("/boards/board/sheets/new", form)
    assert saved.status_code == 200, text_of(saved)
    site = client.site
    (line,) = list_sheets(site.db, site.principal, FIRST_BOARD)
    sheet = read_sheet(site.db, site.principal, line.id).sheet
    assert (sheet.size, sheet.talents) == (1, ("alternative_senses_to_sight",))
    assert [effect.kind for effect in sheet.tools[0].effects] == list(EFFECTS)
    assert sheet.tools[0].effects[0].binds == ("arm_block", "distance_limit")
    shown = client.http.get(f"/sheets/{line.id}").text
    for index, (kind, fields) in enumerate(EFFECTS.items()):
        row = f"tools.0.effects.{index}"
        assert f'name="{row}.kind" value="{kind}"' in shown
        for name in fields:
            assert f'name="{row}.{name}"' in shown, (kind, name)
    ticked = re.findall(r'name="tools\.0\.effects\.0\.binds" value="(\w+)" checked', shown)
    assert sorted(ticked) == ["arm_block", "distance_limit"]


# ----------------------------------------------------------------------------- on a phone


def beyond(page: Page) -> int:
    """Measure how far a page goes past the right edge."""
    width = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(page.evaluate(width))


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_guard_that_throws_back_and_one_for_an_ally_on_a_phone(
    site: Site, visitor: Visitor, scripts: bool
) -> None:
    opened = open_melee(site)
    phone = {"width": 360, "height": 740}
    page = visitor(opened.seats["quincy"], java_script_enabled=scripts, viewport=phone)
    page.goto(opened.turn("quincy"))
    assert beyond(page) <= 0
    if scripts:
        expect(page.locator('[name="answers.a1.knock.guards.on"]')).to_be_hidden()
        expect(page.locator('[name="main.knock.on"]')).to_be_hidden()
    page.locator('[name="answers.a1.action"][value="guard"]').check()
    page.locator('[name="answers.a1.with.guards"]').select_option("shield")
    page.locator('[name="answers.a1.knock.guards.on"]').check()
    page.get_by_text("Al posto di Compagno").click()
    page.locator('[name="answers.a3.action"][value="ally_guard"]').check()
    page.locator('[name="answers.a3.move.distances.1.metres"]').fill("2")
    page.locator('[name="answers.a3.move.distances.2.metres"]').fill("3")
    if scripts:
        expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    assert beyond(page) <= 0
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    turn = read_entry(site.db, site.principal, opened.id, 1).order
    first, ally = turn.defences
    assert (first.action, first.tool, first.knock is not None) == ("guard", "shield", True)
    assert (ally.action, ally.against) == ("ally_guard", ("a3",))


def test_a_recovery_shows_with_the_answers_that_allow_it(site: Site, visitor: Visitor) -> None:
    opened = open_melee(site, underway=())
    thrown = Attack(target="hollow", tool="bow", knock=Knock(metres=3))
    site.decide(opened, Turn(by="quincy", main=thrown))
    while site.view(opened).next != "hollow":
        site.decide(opened, Turn(by=site.view(opened).next))
    (attack,) = site.view(opened).incoming
    phone = {"width": 360, "height": 740}
    page = visitor(opened.seats["hollow"], viewport=phone)
    page.goto(opened.turn("hollow"))
    expect(page.get_by_text("sbalza, fino a 3 m")).to_be_visible()
    recover = page.locator(f'[name="answers.{attack.id}.reacts"]')
    page.locator(f'[name="answers.{attack.id}.action"][value="dodge"]').check()
    expect(recover).to_be_hidden()
    page.locator(f'[name="answers.{attack.id}.action"][value="guard"]').check()
    recover.check()
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    expect(page.locator("#preview")).to_contain_text("Reazione")
    assert beyond(page) <= 0


def test_the_place_of_an_area_shows_with_its_technique(site: Site, visitor: Visitor) -> None:
    opened = open_melee(site, underway=())
    page = visitor(opened.seats["quincy"], viewport={"width": 360, "height": 740})
    page.goto(opened.turn("quincy"))
    where = page.locator("details", has_text="Dove si forma l'Area")
    expect(where).to_be_hidden()
    page.locator('[name="main.kind"][value="generic_action"]').check()
    page.locator('[name="main.generic_action.tool"]').select_option("dome of ash")
    where.locator("summary").first.click()
    page.get_by_label("Intorno a chi").select_option("hollow")
    where.get_by_text("Altrove").click()
    where.get_by_label("Da Quincy").fill("30")
    expect(page.locator("#preview")).to_contain_text("Così il turno è valido")
    assert beyond(page) <= 0
    page.get_by_role("button", name="Manda il turno").click()
    expect(page.get_by_text("Accettato.")).to_be_visible()
    (plan,) = read_entry(site.db, site.principal, opened.id, 1).order.areas
    assert (plan.tool, plan.around) == ("dome of ash", "hollow")
    assert [(reach.to, reach.metres) for reach in plan.distances] == [("quincy", 30)]


def test_whoever_is_inside_an_area_reads_how_it_is_left(client: Client) -> None:
    opened = with_dome(client.site)
    seat = client.site.view(opened).next
    client.enter(opened.seats[seat])
    page = text_of(client.http.get(opened.turn(seat)))
    assert "Metri dal centro di Cupola" in page
    assert "se ne esce solo con uno Spostamento" in page


def test_the_odds_of_an_attack_fit_a_phone(site: Site, visitor: Visitor) -> None:
    opened = site.open_duel()
    page = visitor(opened.seats["hollow"], viewport={"width": 360, "height": 740})
    page.goto(opened.turn("hollow"))
    page.get_by_role("radio", name="Attacco", exact=True).check()
    page.get_by_label("Con che cosa, contro chi").select_option("quincy/claws")
    table = page.locator("table.odds").first
    expect(table).to_be_visible()
    assert beyond(page) <= 0
    fits = "table => table.scrollWidth <= table.parentElement.clientWidth"
    assert table.evaluate(fits)


def test_the_same_defence_goes_away_with_what_it_cannot_share(site: Site, visitor: Visitor) -> None:
    opened = open_melee(site)
    page = visitor(opened.seats["quincy"])
    page.goto(opened.turn("quincy"))
    same = page.locator('[name="answers.a2.action"][value="with:a1"]')
    expect(same).to_be_hidden()
    page.locator('[name="answers.a1.action"][value="dodge"]').check()
    same.check()
    page.locator('[name="answers.a1.action"][value=""]').check()
    expect(same).to_be_hidden()
    expect(page.locator('[name="answers.a2.action"][value=""]')).to_be_checked()


def test_axe_finds_nothing_where_everything_is_open(site: Site, visitor: Visitor) -> None:
    opened = open_melee(site, bound=True)
    page = visitor(opened.seats["quincy"], viewport={"width": 360, "height": 740})
    for address in (opened.turn("quincy"), opened.path):
        page.goto(address)
        open_everything(page)
        show = "for (const part of document.querySelectorAll('#turn [hidden]')) part.hidden = false"
        page.evaluate(show)
        assert faults(page, address, (360,)) == []
