"""The strip map: what it says of who stands where, and to whom."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from app.engine.ruleset import GM, SPECTATOR
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.places import Behind, Distance, Unseen
from app.rulesets.guida.rulings import Place
from app.rulesets.guida.setup import start
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import AreaForm, Curtain, Standing
from app.rulesets.guida.underway import (
    ControlArea,
)
from app.rulesets.guida.view import view
from app.web.strip import LINE, Strip, strip_of
from tests.support.fights import HOLLOW, QUINCY, duel
from tests.web.conftest import Client, Duel, Visitor

FAR = {"quincy": 0, "hero": 4, "wolf1": 7, "wolf2": 8, "wolf3": 300}
SMOKE = ControlArea(
    id="area1",
    creator="wolf1",
    tool="smoke",
    name="Fumo & ombra",
    form=AreaForm.STATIC,
    curtain=Curtain.SMOKE,
    radius_m=3,
)


def five(far: dict[str, int] | None = None, **more: Any) -> Any:
    """Set up two against three, on a line."""
    at = far or FAR
    entrants = tuple(
        Entrant(
            id=id,
            team="day" if id in ("quincy", "hero") else "night",
            sheet=replace(HOLLOW if id.startswith("wolf") else QUINCY, name=id.title()),
        )
        for id in at
    )
    ids = list(at)
    distances = tuple(
        Distance(a=a, b=b, metres=Fraction(abs(at[a] - at[b])))
        for place, a in enumerate(ids)
        for b in ids[place + 1 :]
    )
    return duel(**{"entrants": entrants, "distances": distances, "first": "wolf1", **more})


def smoked(centre: int = 6) -> Scene:
    """Put a curtain around the nearer wolves."""
    state = replace(start(five()), areas=(SMOKE,))
    rows = [Distance(a="area1", b=id, metres=Fraction(abs(at - centre))) for id, at in FAR.items()]
    return state.placed(rows, frozenset({Behind(who="wolf1", whom="hero")}))


def drawn(state: Scene, seat: str = GM, wanted: str = "quincy") -> Strip:
    """Draw a scene as a seat sees it."""
    strip = strip_of(view(state, seat), wanted=wanted)
    assert strip is not None
    return strip


def test_everybody_is_at_the_distance_from_the_viewer() -> None:
    strip = drawn(smoked())
    assert strip.viewer.id == "quincy"
    assert [(one.id, one.metres) for one in strip.others] == [
        ("hero", 4),
        ("wolf1", 7),
        ("wolf2", 8),
        ("wolf3", 300),
    ]
    assert [(one.lane.low, one.lane.high) for one in strip.others] == [
        (0, 5),
        (5, 10),
        (5, 10),
        (250, None),
    ]


@pytest.mark.parametrize(("metres", "low"), [(5, 0), (6, 5), (250, 100), (251, 250)])
def test_a_bound_belongs_to_the_nearer_range(metres: int, low: int) -> None:
    strip = drawn(start(five({"quincy": 0, "wolf1": metres})))
    assert strip.others[0].lane.low == low


def test_the_ranges_end_with_the_farthest_of_all() -> None:
    assert len(drawn(start(five({"quincy": 0, "wolf1": 7}))).lanes) == 2
    assert len(drawn(smoked()).lanes) == 7


def test_no_name_covers_another_however_many_stand_close() -> None:
    crowd = {"quincy": 0, **{f"wolf{index}": 1 for index in range(1, 12)}}
    strip = drawn(start(five(crowd)))
    lines = [one.line for one in strip.others]
    assert len(lines) == 11
    assert all(low + LINE <= high for low, high in pairwise(lines))
    assert strip.own.line + LINE <= lines[0]
    assert lines[-1] < strip.lanes[0].bottom


def test_an_area_reaches_from_where_it_begins_to_where_it_ends() -> None:
    (patch,) = drawn(smoked()).patches
    assert (patch.letter, patch.metres, patch.inside) == ("A", 6, False)
    five_m = drawn(smoked()).lanes[0]
    assert patch.top == pytest.approx(five_m.height * 3 / 5)
    ten = drawn(smoked()).lanes[1]
    assert patch.bottom == pytest.approx(ten.top + ten.height * 4 / 5)
    inside = {one.id: one.inside for one in drawn(smoked()).others}
    assert inside == {"hero": ("A",), "wolf1": ("A",), "wolf2": ("A",), "wolf3": ()}


def test_an_area_that_holds_the_viewer_begins_at_the_viewer() -> None:
    (patch,) = drawn(smoked(2)).patches
    assert (patch.top, patch.inside) == (0, True)


def test_the_map_begins_where_the_reader_wants_or_sits_or_whose_turn_it_is() -> None:
    seen = view(smoked(), GM)
    first = [
        strip_of(seen, wanted="hero"),
        strip_of(seen, ("wolf2",)),
        strip_of(seen),
        strip_of(seen, wanted="nobody"),
    ]
    assert [one.viewer.id for one in first if one] == ["hero", "wolf2", "wolf1", "wolf1"]


def test_whoever_is_hidden_is_not_on_the_map() -> None:
    hidden = frozenset({Unseen(who="wolf2", observer="quincy")})
    state = replace(start(five()), hidden=hidden)
    assert "wolf2" not in {one.id for one in drawn(state, "quincy").others}
    assert "wolf2" not in {one.id for one in drawn(state, SPECTATOR).others}
    assert "wolf2" in {one.id for one in drawn(state, "hero").others}
    assert drawn(state, "quincy", "wolf2").viewer.id == "wolf1"


def test_where_nobody_is_seen_there_is_no_map() -> None:
    pairs = (("quincy", "wolf1"), ("wolf1", "quincy"))
    hidden = frozenset(Unseen(who=who, observer=observer) for who, observer in pairs)
    state = replace(start(five({"quincy": 0, "wolf1": 7})), hidden=hidden)
    assert strip_of(view(state, SPECTATOR)) is None


# ----------------------------------------------------------------------------------- the pages


def text_of(answer: Any) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text)))


def seated(client: Client, *seats: str) -> Duel:
    """Open a scene of five and enter as some of them."""
    setup = five()
    opened = client.site.open_duel(
        entrants=setup.entrants, distances=setup.distances, first="wolf1"
    )
    for seat in seats:
        client.enter(opened.seats[seat] if seat != GM else opened.gm)
    return opened


def test_the_table_says_what_the_drawing_shows(client: Client) -> None:
    opened = seated(client, "quincy")
    place = Place(by=GM, behind=(Behind(who="wolf1", whom="quincy"),), reason="Aggirato.")
    client.site.decide(opened, place)
    page = client.http.get(opened.path)
    assert 'role="img"' in page.text
    said = text_of(page)
    assert "Chi sta dove, visto da Quincy" in said
    assert "Wolf1 Squadra night 7 m 5–10 m tocca a lui · alle spalle di Quincy" in said
    assert "Wolf3 Squadra night 300 m oltre 250 m" in said
    assert "Wolf1 gli è alle spalle" in said


@pytest.mark.parametrize("where", ["", "/turn/hollow", "/entries/1", "/strip"])
def test_the_map_is_on_every_page_about_the_fight(client: Client, where: str) -> None:
    opened = client.site.open_duel()
    client.enter(opened.seats["hollow"])
    pause = Place(
        by=GM, distances=(Distance(a="hollow", b="quincy", metres=Fraction(6)),), reason="Qui."
    )
    client.site.decide(opened, pause)
    assert 'id="strip"' in client.http.get(f"{opened.path}{where}").text


def test_the_map_is_seen_from_whom_one_chooses(client: Client) -> None:
    opened = seated(client, "quincy")
    path = f"{opened.path}/strip?from=wolf3"
    assert "visto da Wolf3" in text_of(client.http.get(path))
    part = client.http.get(path, headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert 'id="strip"' in part


def test_the_map_shows_no_hidden_character_by_any_address(client: Client) -> None:
    opened = seated(client, "quincy")
    hide = Place(by=GM, hidden=(Unseen(who="wolf2", observer="quincy"),), reason="Nascosto.")
    client.site.decide(opened, hide)
    for query in ("", "?from=wolf2", "?from=hero"):
        assert "Wolf2" not in client.http.get(f"{opened.path}/strip{query}").text
    assert client.http.get(f"{opened.path}/strip?seat=wolf2").status_code == 404
    assert client.http.get(f"{opened.path}/strip?seat=%00").status_code == 404


def test_whoever_is_out_is_marked_as_such(client: Client) -> None:
    state = start(five())
    state = state.put(replace(state.who("wolf3"), standing=Standing.LEFT))
    assert [one.id for one in drawn(state).others if one.out] == ["wolf3"]


def test_the_map_fits_a_phone_and_changes_place_without_a_new_page(
    visitor: Visitor, site: Any
) -> None:
    setup = five()
    opened = site.open_duel(entrants=setup.entrants, distances=setup.distances, first="wolf1")
    page = visitor(opened.seats["quincy"], viewport={"width": 360, "height": 740})
    page.goto(opened.path)
    page.locator("#strip-from").select_option("wolf3")
    page.locator("#strip h2", has_text="Wolf3").wait_for()
    assert page.url.endswith(opened.path)
    row = page.locator(".strip-table tr", has_text="Quincy")
    assert "300 m" in row.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_the_map_works_without_scripts(visitor: Visitor, site: Any) -> None:
    opened = site.open_duel()
    page = visitor(opened.seats["quincy"], java_script_enabled=False)
    page.goto(opened.path)
    page.locator("#strip-from").select_option("hollow")
    page.get_by_role("button", name="Mostra").click()
    page.locator("#strip h2", has_text="Hollow").wait_for()
