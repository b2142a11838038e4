"""The page of a scene's luck: what it says of whom, what it draws, and what it keeps to itself."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest

from app.engine.luck import FaceCounts
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.places import Unseen
from app.rulesets.guida.rulings import Place
from app.services.entry_shapes import TakeBack
from app.services.scenes import open_scene, read_scene
from app.services.shapes import OpenScene
from app.services.turns import void_last
from app.web.luck import BASE, HEIGHT, LABEL, TOP, WIDTH, chart_of
from tests.support.fights import attack
from tests.web.conftest import Client, Duel, Site
from tests.web.test_desk import as_player, text_of

NONE_YET = "Non ci sono ancora dadi da contare."


def play(site: Site, duel: Duel, *faces: int) -> None:
    """Let the two attack each other in turn, each with a die of twelve, nobody defending."""
    site.world.throw(faces)
    for place, _ in enumerate(faces):
        who, whom, tool = [("hollow", "quincy", "claws"), ("quincy", "hollow", "bow")][place % 2]
        site.decide(duel, attack(whom, tool, by=who))


def warriors(site: Site, **seats: str) -> Duel:
    """Open a duel of two warriors whose seats are called otherwise than they."""
    entrants = [
        {"id": seat, "sheet": {"kind": "printed", "warrior": warrior}}
        for seat, warrior in seats.items()
    ]
    opening = OpenScene(
        title="Duello",
        ruleset="warrior_dice",
        setup={"entrants": entrants, "first": next(iter(seats))},
        seal_hours=0,
    )
    made = open_scene(site.db, site.world, site.principal, FIRST_BOARD, opening, site.world.token())
    return Duel(made.scene_id, made.gm_secret, dict(made.seat_secrets))


def take_back(site: Site, duel: Duel) -> None:
    """Take back the last decision."""
    version = read_scene(site.db, site.principal, duel.id).version
    back = TakeBack(reason="Era un errore.", version=version, key=site.world.token())
    void_last(site.db, site.world, site.principal, duel.id, back)


def said(answer: Any) -> str:
    """Read a page as people do, without marks."""
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


def test_everybody_is_told_in_both_languages_how_they_fared(client: Client) -> None:
    duel = client.site.open_duel()
    play(client.site, duel, 12, 4)
    italian = said(client.http.get(f"{duel.path}/luck"))
    # Of the twelve throws of a die eleven are worse than 12, and three worse than 4.
    worse = "con questi dadi: peggio 91,7%, meglio 0%, allo stesso modo 8,3%."
    assert worse in italian
    assert "peggio 25,0%, meglio 66,7%, allo stesso modo 8,3%." in italian
    assert "Somma attesa 6,5, più o meno 3,45" in italian
    assert "Tutta la scena" in italian
    english = said(client.http.get(f"{duel.path}/luck?lang=en"))
    assert "91.7% would have gone worse, 0% better, 8.3% just as well." in english
    assert "The whole scene" in english


def test_the_page_of_a_scene_leads_to_its_luck_once_something_was_decided(client: Client) -> None:
    duel = client.site.open_duel()
    link = f'href="{duel.path}/luck"'
    assert link not in client.http.get(duel.path).text
    play(client.site, duel, 12)
    assert link in client.http.get(duel.path).text


def test_a_scene_without_dice_says_so(client: Client) -> None:
    duel = client.site.open_duel()
    assert NONE_YET in said(client.http.get(f"{duel.path}/luck"))
    assert client.http.get("/scenes/nowhere/luck").status_code == 404


def test_the_luck_of_one_alone_is_not_told_twice(client: Client) -> None:
    duel = client.site.open_duel()
    play(client.site, duel, 9)
    page = said(client.http.get(f"{duel.path}/luck"))
    assert page.count("Come sarebbero andate tutte le scene") == 1
    assert "Tutta la scena" not in page


def test_what_was_taken_back_is_told_apart(client: Client) -> None:
    duel = client.site.open_duel()
    play(client.site, duel, 9, 2)
    before = said(client.http.get(f"{duel.path}/luck"))
    take_back(client.site, duel)
    after = said(client.http.get(f"{duel.path}/luck"))
    note = "Con ciò che è stato annullato: 1 dado, somma 2."
    assert note not in before
    assert note in after
    assert NONE_YET in after  # nothing of the Quincy's counts now


def test_the_drawing_and_the_table_say_the_same(client: Client) -> None:
    duel = client.site.open_duel()
    play(client.site, duel, 9, 2, 9, 2, 3)
    text = client.http.get(f"{duel.path}/luck").text
    hollow = text[text.index("Hollow</bdi></h2>") : text.index("Quincy</bdi></h2>")]
    rows = re.findall(r'<th scope="row"[^>]*>(\d+)</th><td[^>]*>(\d+)</td>', hollow)
    assert rows == [("3", "1"), ("9", "2")]
    assert hollow.count('class="faces__bar"') == 2
    assert re.search(r'role="img" aria-label="[^"]*12 facce', hollow)


def test_dice_that_a_reader_may_not_know_of_leave_no_trace(client: Client) -> None:
    duel = client.site.open_duel()
    hidden = Place(hidden=(Unseen(who="hollow", observer="quincy"),), reason="si è dileguato")
    client.site.decide(duel, hidden)
    client.site.decide(duel, Turn(by="hollow"))
    before = client.http.get(f"{duel.path}/luck").text
    client.site.world.throw([11])
    blind = Turn(by="quincy", main=Attack(target="hollow", tool="bow", blind=True))
    client.site.decide(duel, blind)
    assert client.http.get(f"{duel.path}/luck").text == before
    client.enter(duel.seats["quincy"])
    assert "Quincy" in said(client.http.get(f"{duel.path}/luck"))


@pytest.mark.parametrize("sides", [2, 6, 12, 18, 20, 24, 100])
def test_a_chart_stays_within_its_box_and_its_labels_apart(sides: int) -> None:
    chart = chart_of(FaceCounts(sides, tuple(face % 4 for face in range(sides))))
    assert len(chart.bars) == sides
    for bar in chart.bars:
        assert 0 <= bar.x < bar.x + bar.width <= WIDTH
        assert TOP <= bar.y <= BASE < HEIGHT
        assert bar.height == pytest.approx(BASE - bar.y)
    places = [bar.middle for bar in chart.bars if bar.label]
    assert len(places) > 1
    assert all(after - before >= LABEL for before, after in pairwise(places))
    assert TOP <= chart.even <= BASE


def test_where_every_face_fell_equally_often_the_line_lies_on_the_bars() -> None:
    chart = chart_of(FaceCounts(6, (2,) * 6))
    assert {bar.y for bar in chart.bars} == {chart.even} == {TOP}


def test_how_often_is_written_only_where_it_has_room() -> None:
    assert chart_of(FaceCounts(12, (10,) * 12)).counted
    assert not chart_of(FaceCounts(100, (1,) * 100)).counted
    assert not chart_of(FaceCounts(24, (100,) * 24)).counted


def test_of_too_many_faces_there_is_only_the_table() -> None:
    chart = chart_of(FaceCounts(1_000, (0,) * 998 + (1, 2)))
    assert chart.bars == ()
    assert chart.fell == ((999, 1), (1_000, 2))


def test_in_a_game_of_dice_everybody_is_called_by_name(client: Client) -> None:
    site = client.site
    duel = warriors(site, akane="guerriero", tetsuo="ladro")
    site.world.throw((3, 5, 4, 2, 1, 6, 2, 3) * 20)
    as_player(client, duel, "akane", {"kind": "turn"})
    names = [one.name for one in site.view(duel).fighters]
    client.enter(duel.gm)
    page = client.http.get(f"{duel.path}/luck")
    assert "akane" not in page.text
    assert names[0] in said(page)
    reviewed = text_of(client.http.get(f"/boards/board/desk/{duel.id}/1"))
    assert "Fortuna finora" in reviewed
    assert "ancora nessun dado" not in reviewed
