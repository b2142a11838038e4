"""Several turns in one go: the short forms, what they become, and the one post that tells them."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from app.engine.ruleset import GM
from app.persistence.tables import FIRST_BOARD
from app.services.shapes import Roller
from tests.integration.test_many import PACK, pack, summon
from tests.web.conftest import Client, Duel, Site, Visitor


def hunt(site: Site, **more: Any) -> Duel:
    """Open the scene of the wolves, which are up first."""
    setup = pack()
    return site.open_duel(entrants=setup.entrants, distances=setup.distances, first="wolf1", **more)


def seated(client: Client, **more: Any) -> Duel:
    """Open it and enter as its Master."""
    opened = hunt(client.site, **more)
    client.enter(opened.gm)
    return opened


def sent(client: Client, opened: Duel, **fields: str) -> Any:
    """Send the forms, made for the scene as it stands."""
    page = client.http.get(f"{opened.path}/several").text
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    form = {"version": version[1], "key": client.site.world.token(), "count": "3", **fields}
    return client.post(f"{opened.path}/several", form)


def text_of(answer: Any) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


ALL_STRIKE = {
    "turns.0.main": "attack:quincy/claws",
    "turns.1.main": "alike",
    "turns.2.main": "alike",
    "turns.0.story": "Il branco scatta.",
}


def test_the_master_takes_the_turns_of_a_pack_in_one_go(client: Client) -> None:
    opened = seated(client)
    assert "Scrivi 3 turni in una volta" in text_of(client.http.get(f"{opened.path}/gm"))
    done = sent(client, opened, **ALL_STRIKE)
    assert done.status_code == 200
    assert str(done.url).endswith(f"{opened.path}/joint/1/3?sent")
    text = re.search(r'<textarea id="post-text"[^>]*>(.*?)</textarea>', done.text, re.DOTALL)
    assert text is not None
    for name in PACK:
        assert name in text[1]
    assert text[1].index("Il branco scatta.") < text[1].index("wolf2")
    view = client.site.view(opened)
    assert [one.attacker for one in view.incoming] == list(PACK)
    assert view.next == "quincy"


def test_only_as_many_turns_are_taken_as_were_asked_for(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **{**ALL_STRIKE, "count": "2"})
    assert client.site.view(opened).next == "wolf3"


def test_where_one_is_refused_none_is_sent_and_nothing_written_is_lost(client: Client) -> None:
    opened = seated(client)
    wrong = {**ALL_STRIKE, "turns.1.main": "attack:quincy/none"}
    refused = sent(client, opened, **wrong)
    assert refused.status_code == 409
    assert 'href="#f-turns.1.main"' in refused.text
    assert "Il branco scatta." in refused.text
    assert client.site.view(opened).incoming == ()


def test_the_pack_answers_what_comes_at_it(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **ALL_STRIKE)
    quincy = {
        "version": "4",
        "key": client.site.world.token(),
        "main.pick": "wolf1/bow",
        **{f"answers.{one.id}.id": one.id for one in client.site.view(opened).incoming},
    }
    client.enter(opened.seats["quincy"])
    assert client.post(opened.turn("quincy"), quincy).status_code == 200
    (shot,) = client.site.view(opened).incoming
    page = client.http.get(f"{opened.path}/several")
    assert f'name="turns.0.reply.{shot.id}"' in page.text
    done = sent(client, opened, **{f"turns.0.reply.{shot.id}": "guard/claws"})
    assert "joint" in str(done.url)
    assert client.site.view(opened).incoming == ()


def test_the_page_is_for_those_who_play_the_turns(client: Client) -> None:
    opened = hunt(client.site)
    assert client.http.get(f"{opened.path}/several").status_code == 404
    client.enter(opened.seats["quincy"])
    there = client.http.get(f"{opened.path}/several")
    assert str(there.url).endswith(opened.path)
    assert "in una volta" not in text_of(there)
    assert client.post(f"{opened.path}/several", {"version": "1"}).status_code == 404


def test_a_player_takes_the_turns_of_the_summons_too(client: Client) -> None:
    opened = client.site.open_duel()
    client.site.decide(opened, summon())
    client.enter(opened.seats["hollow"])
    assert "Scrivi 2 turni in una volta" in text_of(client.http.get(opened.path))
    fields = {"turns.0.main": "attack:quincy/claws", "turns.1.main": "alike", "count": "2"}
    assert "joint" in str(sent(client, opened, **fields).url)
    assert [one.attacker for one in client.site.view(opened).incoming] == ["hollow", "imp"]


STORIES = {f"turns.{place}.story": f"Storia di {name}." for place, name in enumerate(PACK)}


def form_of(client: Client, opened: Duel, **fields: str) -> dict[str, str]:
    """Fill in the forms as a browser does, with all that is hidden in them."""
    page = client.http.get(f"{opened.path}/several").text
    hidden = dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', page))
    return {**hidden, "count": "3", **ALL_STRIKE, **STORIES, **fields}


@pytest.mark.parametrize("count", ["1", "2", "3"])
@pytest.mark.parametrize("faster", ["1", "2", "3"])
def test_what_was_written_stays_with_its_seat_when_somebody_was_faster(
    client: Client, faster: str, count: str
) -> None:
    opened = seated(client)
    late = form_of(client, opened, count=count)
    sent(client, opened, **{**ALL_STRIKE, "count": faster})
    refused = client.post(f"{opened.path}/several", late)
    assert refused.status_code == 412
    gone = int(faster)
    for place, name in enumerate(PACK):
        story = re.escape(f"Storia di {name}.")
        row = f'name="turns.{place - gone}.story"' if place >= gone else "readonly"
        assert re.search(rf"<textarea [^>]*{row}[^>]*>\s*{story}<", refused.text), name
    assert len(client.site.view(opened).incoming) == gone


@pytest.mark.parametrize("count", ["0", "4", "-1"])
def test_a_count_that_the_scene_does_not_wait_for_is_not_found(client: Client, count: str) -> None:
    opened = seated(client)
    assert sent(client, opened, **{**ALL_STRIKE, "count": count}).status_code == 404


def test_where_the_forum_rolls_the_page_says_what_goes_together(client: Client) -> None:
    opened = seated(client, dice=Roller.FORUM)
    assert "solo turni senza dadi" in text_of(client.http.get(f"{opened.path}/several"))
    refused = sent(client, opened, **ALL_STRIKE)
    assert refused.status_code == 409
    assert "nulla è stato deciso" in text_of(refused)


def test_what_was_taken_back_is_not_in_the_joint_post(client: Client) -> None:
    opened = seated(client)
    sent(client, opened, **ALL_STRIKE)
    client.post(
        f"{opened.path}/void",
        {"reason": "No.", "version": "4", "key": client.site.world.token(), "by": GM},
    )
    page = client.http.get(f"{opened.path}/joint/1/3")
    text = re.search(r'<textarea id="post-text"[^>]*>(.*?)</textarea>', page.text, re.DOTALL)
    assert text is not None
    assert "wolf3" not in text[1]
    assert client.http.get(f"{opened.path}/joint/4/4").status_code == 404
    assert client.http.get(f"{opened.path}/joint/3/1").status_code == 404
    assert client.http.get(f"{opened.path}/joint/1/99").status_code == 404


def test_a_pack_is_played_on_a_phone(visitor: Visitor, site: Site) -> None:
    opened = hunt(site)
    page = visitor(opened.gm, viewport={"width": 360, "height": 740})
    page.goto(f"{opened.path}/several")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_label("Azione Principale").first.select_option(index=1)
    page.get_by_label("Azione Principale").nth(1).select_option("alike")
    page.get_by_role("button", name="Manda i turni").click()
    page.wait_for_url("**/joint/1/3?sent")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert "wolf2" in page.locator("#post-text").input_value()


# --------------------------------------------------------------------------------- the stable


def in_stable(client: Client, name: str = "Lupo") -> str:
    """Keep a wolf as a model, by the form of the sheets; give its id."""
    client.enter(client.site.owner)
    wolf = {
        "key": client.site.world.token(),
        "name": name,
        "max_hp": "30",
        "max_ep": "10",
        "stats.strength": "3",
        "stats.dexterity": "3",
        "stats.constitution": "3",
        "stats.intelligence": "1",
        "model": "true",
        "do": "save",
    }
    saved = client.post("/boards/board/sheets/new", wolf)
    assert saved.status_code == 200, saved.text
    assert 'name="model" value="true" checked' in saved.text
    return str(saved.url).split("/sheets/")[1].split("?")[0]


def opening(client: Client, sheet: str, **fields: str) -> dict[str, str]:
    """Fill the form that opens a scene: a hero, and a row of three from the stable."""
    return {
        "key": client.site.world.token(),
        "title": "Caccia",
        "do": "open",
        "entrants.0.id": "p1",
        "entrants.0.team": "A",
        "entrants.0.~from": "stored",
        "entrants.0.~sheet": sheet,
        "entrants.1.id": "p2",
        "entrants.1.team": "B",
        "entrants.1.~from": "stored",
        "entrants.1.~sheet": sheet,
        "entrants.1.copies": "3",
        "entrants.1.npc": "true",
        "~metres": "8",
        **fields,
    }


def scene_of(client: Client) -> Any:
    """Look at the only scene there is."""
    from app.services.scenes import list_scenes, read_scene

    (line,) = list_scenes(client.site.db, client.site.principal, FIRST_BOARD)
    return read_scene(client.site.db, client.site.principal, line.id)


def test_a_row_of_copies_is_opened_with_few_distances(client: Client) -> None:
    sheet = in_stable(client)
    assert "Scuderia: modelli da copiare" in text_of(client.http.get("/boards/board/sheets"))
    opened = client.post(
        "/boards/board/scenes/new", opening(client, sheet, **{"metres.p1.p2": "20"})
    )
    assert opened.status_code == 201, text_of(opened)
    view = scene_of(client).view
    assert [(one.id, one.name, one.npc) for one in view.combatants] == [
        ("p1", "Lupo", False),
        ("p2-1", "Lupo 1", True),
        ("p2-2", "Lupo 2", True),
        ("p2-3", "Lupo 3", True),
    ]
    metres = {frozenset((one.a, one.b)): one.metres for one in view.distances}
    assert metres[frozenset(("p1", "p2-3"))] == 20
    assert metres[frozenset(("p2-1", "p2-2"))] == 8


def test_places_on_a_line_give_the_distances(client: Client) -> None:
    sheet = in_stable(client)
    bear = {"entrants.1.copies": "1", "entrants.1.~sheet": in_stable(client, "Orso")}
    fields = {**bear, "line.p1": "-3", "line.p2": "14"}
    assert (
        client.post("/boards/board/scenes/new", opening(client, sheet, **fields)).status_code == 201
    )
    assert [one.metres for one in scene_of(client).view.distances] == [17]


def test_two_of_one_name_do_not_enter_by_the_form_that_opens_a_scene(client: Client) -> None:
    sheet = in_stable(client)
    alike = {"entrants.1.copies": "1", "entrants.1.~sheet": in_stable(client, "LUРО")}  # Cyrillic
    refused = client.post("/boards/board/scenes/new", opening(client, sheet, **alike))
    assert refused.status_code == 422
    assert "Questo nome si confonde con quello di Lupo" in text_of(refused)
    assert 'href="#f-entrants.1.' in refused.text


def test_nobody_enters_by_the_form_under_a_name_that_is_taken(client: Client) -> None:
    sheet = in_stable(client, "Ηollow")  # a Greek Η
    opened = client.site.open_duel()
    refused = enter(client, opened, sheet, copies="1")
    assert refused.status_code == 422
    assert "Questo nome si confonde con quello di Hollow" in text_of(refused)
    assert len(client.site.view(opened).combatants) == 2


def test_a_distance_that_is_missing_is_named_at_its_field(client: Client) -> None:
    sheet = in_stable(client)
    refused = client.post("/boards/board/scenes/new", opening(client, sheet, **{"~metres": ""}))
    assert refused.status_code == 422
    assert 'href="#f-metres.p1.p2"' in refused.text
    assert 'href="#f-metres.p2.p2"' in refused.text


@pytest.mark.parametrize("count", ["0", "13", "tre"])
def test_a_number_of_copies_that_cannot_be_is_refused_at_its_field(
    client: Client, count: str
) -> None:
    sheet = in_stable(client)
    refused = client.post(
        "/boards/board/scenes/new", opening(client, sheet, **{"entrants.1.copies": count})
    )
    assert refused.status_code == 422
    assert 'href="#f-entrants.1.copies"' in refused.text


def enter(client: Client, opened: Duel, sheet: str, without: str = "", **fields: str) -> Any:
    """Let copies of a kept sheet enter, by the form on the Master's page."""
    page = client.http.get(f"{opened.path}/gm").text
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version is not None
    form = {
        "kind": "join",
        "by": "gm",
        "within": "join-",
        "version": version[1],
        "key": client.site.world.token(),
        "reason": "Arrivano.",
        "stored": sheet,
        "entrant.id": "p1",
        "entrant.team": "night",
        "entrant.npc": "true",
        "copies": "2",
        "~apart": "3",
        "after": "hollow",
        "places.0.to": "hollow",
        "places.0.metres": "6",
        "places.1.to": "quincy",
        "places.1.metres": "9",
        **fields,
    }
    form.pop(without, None)
    return client.post(f"{opened.path}/orders", form)


def test_several_copies_enter_a_fight_at_once(client: Client) -> None:
    sheet = in_stable(client)
    opened = client.site.open_duel()
    done = enter(client, opened, sheet)
    assert "Fatto: è la voce 2" in done.text, text_of(done)
    view = client.site.view(opened)
    assert [(one.id, one.name) for one in view.combatants] == [
        ("hollow", "Hollow"),
        ("p1-1", "Lupo 1"),
        ("p1-2", "Lupo 2"),
        ("quincy", "Quincy"),
    ]
    metres = {frozenset((one.a, one.b)): one.metres for one in view.distances}
    assert metres[frozenset(("p1-1", "p1-2"))] == 3
    assert metres[frozenset(("p1-2", "quincy"))] == 9


def test_what_is_wrong_with_entering_copies_is_shown_at_its_field(client: Client) -> None:
    sheet = in_stable(client)
    opened = client.site.open_duel()
    refused = enter(client, opened, sheet, **{"~apart": "vicini"})
    assert refused.status_code == 422
    assert 'href="#f-join-~apart"' in refused.text
    assert len(client.site.view(opened).combatants) == 2
    assert enter(client, opened, sheet, reason="").status_code == 422


@pytest.mark.parametrize("count", ["0", "00", "13", "-1", "1,5", "tre", "²", "9" * 20])
def test_entering_in_a_number_that_cannot_be_is_refused_at_its_field(
    client: Client, count: str
) -> None:
    sheet = in_stable(client)
    opened = client.site.open_duel()
    refused = enter(client, opened, sheet, copies=count)
    assert refused.status_code == 422
    assert 'href="#f-join-copies"' in refused.text
    assert f'name="copies" value="{count}"' in refused.text
    assert "Arrivano." in refused.text
    assert len(client.site.view(opened).combatants) == 2


@pytest.mark.parametrize(("count", "entered"), [("", 1), (" 3 ", 3), ("10", 10)])
def test_as_many_enter_as_the_form_says_and_one_where_it_says_nothing(
    client: Client, count: str, entered: int
) -> None:
    sheet = in_stable(client)
    opened = client.site.open_duel()
    answer = enter(client, opened, sheet, copies=count)
    assert answer.status_code == 200, text_of(answer)
    assert len(client.site.view(opened).combatants) == 2 + entered


def test_nobody_enters_by_a_form_without_a_name_for_the_newcomer(client: Client) -> None:
    sheet = in_stable(client)
    opened = client.site.open_duel()
    refused = enter(client, opened, sheet, without="entrant.id", copies="1")
    assert refused.status_code == 422
    assert len(client.site.view(opened).combatants) == 2
