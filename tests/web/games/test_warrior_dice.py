"""Duels of Warrior Dice through the forms of the pages: set-ups with mistakes, and whole games."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from tests.web.games.test_frame import defaults_in

NEW = "/boards/board/scenes/new/warrior_dice"
FORM = re.compile(r"<form .*?</form>", re.DOTALL)


def blank(client: Any, **changed: str) -> dict[str, str]:
    """Fill the set-up form as it comes, with some fields changed."""
    client.enter(client.site.owner)
    first = defaults_in(client.http.get(NEW).text)
    first["key"] = client.site.world.token()
    named = {name.replace("__", "."): text for name, text in changed.items()}
    return {**first, "title": "Duello", "seal_hours": "0", "do": "open", **named}


def pressed(client: Any, form: dict[str, str], button: str) -> dict[str, str]:
    """Press a button that changes the form, and give the form that comes back."""
    answer = client.post(NEW, {**form, "do": button})
    assert answer.status_code == 200, answer.text
    return {**defaults_in(answer.text), "do": "open"}


def own(client: Any, **changed: str) -> dict[str, str]:
    """Write a warrior of one's own in the first place, from the one that is chosen there."""
    return pressed(client, blank(client, **changed), "own:entrants.0")


def errors(text: str) -> dict[str, str]:
    """Give what is said beside each field."""
    found = re.findall(r'<p class="error" id="[^"]+" data-error-for="([^"]+)">(.+?)</p>', text)
    return {name: html.unescape(re.sub("<[^>]+>", "", said)) for name, said in found}


class Duel:
    """A duel that was opened through its form, with everybody's links."""

    def __init__(self, client: Any, form: dict[str, str]) -> None:
        self.client = client
        opened = client.post(NEW, form)
        assert opened.status_code == 201, opened.text
        self.links = re.findall(r'value="[^"]*(/k/[^"]+)"', opened.text)
        found = re.search(r'href="(/scenes/[^"/]+)/gm"', opened.text)
        assert found is not None
        self.path = found[1]

    def enter(self, *places: int) -> None:
        """Let a browser hold these links only: the Master's comes first."""
        self.client.http.cookies.clear()
        for place in places:
            self.client.post(self.links[place])

    def form(self, seat: str, kind: str) -> dict[str, str]:
        """Give the form of a seat that decides something, as it comes."""
        shown = self.client.http.get(f"{self.path}/turn/{seat}")
        assert shown.status_code == 200, shown.text
        (one,) = (part for part in FORM.findall(shown.text) if f'value="{kind}"' in part)
        return {**defaults_in(one), "do": "send"}

    def decide(self, seat: str, kind: str, **changed: str) -> Any:
        """Send the form of a seat, with some fields changed."""
        named = {name.replace("__", "."): text for name, text in changed.items()}
        sent = {**self.form(seat, kind), **named}
        return self.client.post(f"{self.path}/turn/{seat}", sent)

    def decided(self, seat: str, kind: str, **changed: str) -> str:
        """Send the form of a seat, and give the post that comes of it."""
        answer = self.decide(seat, kind, **changed)
        assert answer.status_code == 200, answer.text
        found = re.search(
            r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', answer.text, re.DOTALL
        )
        assert found is not None, answer.text
        return html.unescape(found[1])

    def page(self) -> str:
        """Show the scene."""
        return str(self.client.http.get(self.path).text)


def shadow(client: Any, *faces: int, **changed: str) -> Duel:
    """Open a duel of Shadow between Miranda and Gregor, and let both accept it."""
    chosen = {"entrants__0__~warrior": "miranda_thorne", "entrants__1__~warrior": "gregor_kaprov"}
    form = blank(client, **{"shadow": "yes", "~field": "none", **chosen, **changed})
    duel = Duel(client, form)
    duel.enter(0, 1, 2)
    client.site.world.throw(faces)
    for seat in ("miranda_thorne", "gregor_kaprov"):
        duel.decided(seat, "ready")
    return duel


# ------------------------------------------------------------------------------ the set-up


def test_every_printed_warrior_can_be_chosen_and_shows_its_ten_faces(client: Any) -> None:
    form = blank(client)
    page = client.post(NEW, {**form, "do": "count", "entrants.0.~warrior": "master_vampire"}).text
    assert page.count('<option value="demon_lord"') == 2
    assert len(set(re.findall(r'<option value="(\w+)"[^>]*>', page.split("</select>")[0]))) == 51
    assert "450 punti" in page
    assert "Mist Form" in page


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"entrants__0__~warrior": "nobody"}, "entrants.0.~warrior", "nobody"),
        ({"entrants__0__hits": "300"}, "entrants.0.hits", "300 PF"),
        ({"entrants__1__skip": "molti"}, "entrants.1.skip", ""),
        ({"entrants__1__sheet__xp": "-3"}, "entrants.1.sheet.xp", ""),
        ({"entrants__0__reforged": "true"}, "entrants.0.reforged", "Guerriero"),
        ({"turns_per_post": "0"}, "turns_per_post", ""),
        ({"~field": "77"}, "~field", ""),
        ({"entrants__0__standing__doubler": "always"}, "entrants.0.standing.doubler", ""),
        ({"title": ""}, "title", ""),
    ],
)
def test_a_mistake_of_the_set_up_is_said_at_its_field(
    client: Any, changed: dict[str, str], field: str, said: str
) -> None:
    refused = client.post(NEW, blank(client, **changed))
    assert refused.status_code in {409, 422}, refused.text
    assert said in errors(refused.text)[field]


@pytest.mark.parametrize(
    ("changed", "field", "said"),
    [
        ({"faces.3.options.0.name": ""}, "faces.3.options.0.name", ""),
        ({"faces.3.options.0.force": "tanto"}, "faces.3.options.0.force", ""),
        ({"faces.3.options.0.what": "spell"}, "faces.3.options.0.what", ""),
        ({"faces.3.options.0.force": "60"}, "options", "Dagger"),
        ({"faces.1.options.0.what": "adder"}, "options", "Faccia 2"),
        ({"hits": "110", "faces.3.options.0.force": "10"}, "sheet", "100"),
        ({"name": ""}, "name", ""),
    ],
)
def test_a_mistake_of_ones_own_warrior_is_said_at_its_row(
    client: Any, changed: dict[str, str], field: str, said: str
) -> None:
    at = "entrants.0.sheet"
    form = {**own(client), **{f"{at}.{name}": text for name, text in changed.items()}}
    refused = client.post(NEW, form)
    assert refused.status_code in {409, 422}, refused.text
    where = at if field == "sheet" else f"{at}.{field}"
    assert said.lower() in errors(refused.text)[where].lower()


def test_a_warrior_of_ones_own_begins_as_a_printed_one_and_can_go_back(client: Any) -> None:
    form = own(client, entrants__0__sheet__xp="7")
    assert form["entrants.0.sheet.name"] == "Guerriero"
    assert form["entrants.0.sheet.faces.9.options.0.name"] == "Chain Mail"
    assert form["entrants.0.sheet.xp"] == "7"
    back = pressed(client, form, "printed:entrants.0")
    assert back["entrants.0.~warrior"] == "guerriero"
    assert back["entrants.0.sheet.xp"] == "7"
    assert "entrants.0.sheet.name" not in back


def test_options_are_added_to_faces_and_removed_and_the_price_is_told(client: Any) -> None:
    form = own(client)
    two = pressed(client, form, "add:entrants.0.sheet.faces.6.options")
    assert two["entrants.0.sheet.faces.6.options.1.force"] == "10"
    counted = client.post(NEW, {**two, "do": "count"}).text
    assert "310 punti" in counted
    one = pressed(client, two, "remove:entrants.0.sheet.faces.6.options.0")
    assert one["entrants.0.sheet.faces.6.options.0.what"] == "attack"
    assert one["entrants.0.sheet.faces.7.options.0.name"] == "Dodge"


@pytest.mark.parametrize("button", ["own:", "own:title", "own:entrants.7", "printed:x.y", "fly"])
def test_a_button_that_no_form_has_changes_nothing(client: Any, button: str) -> None:
    form = blank(client)
    after = pressed(client, form, button)
    assert after["entrants.0.~warrior"] == form["entrants.0.~warrior"]


def test_every_special_of_the_tables_can_be_written_on_a_sheet(client: Any) -> None:
    for id in (
        "demon_lord",
        "gimli",
        "frodo_baggins",
        "chierico",
        "cave_troll_olog_hai",
        "gandalf",
    ):
        form = own(client, **{"entrants__0__~warrior": id})
        opened = client.post(NEW, form)
        assert opened.status_code == 201 or errors(opened.text), opened.text


def test_who_begins_needs_no_acceptance_and_where_they_fight_can_be_chosen(client: Any) -> None:
    duel = Duel(client, blank(client, first="two", **{"~field": "10"}))
    duel.enter(0, 1, 2)
    page = duel.page()
    assert "Nesso" in page or "Nexus" in page
    assert "Decidi per Cavaliere" in page


def test_seats_are_called_after_their_warriors_even_if_they_are_alike(client: Any) -> None:
    duel = Duel(client, blank(client, **{"entrants__1__~warrior": "guerriero"}))
    duel.enter(0, 1, 2)
    assert f"{duel.path}/turn/guerriero_2" in duel.page()


# -------------------------------------------------------------------------------- the duel


def test_a_duel_is_played_to_its_end_through_the_forms(client: Any) -> None:
    duel = Duel(client, blank(client, pace="to_the_end", first="one"))
    duel.enter(0, 1, 2)
    client.site.world.throw([3, 3] * 7)  # Sword 30 against a lance that stops nothing
    post = duel.decided("guerriero", "turn", narration__offensive="Avanti!")
    assert post.startswith("Avanti!")
    assert "Turno 1: Guerriero attacca Cavaliere" in post
    assert "vince Guerriero, in 7 turni" in post
    assert "Finita" in duel.page()


def test_the_preview_tells_what_is_wrong_and_throws_no_die(client: Any) -> None:
    duel = Duel(client, blank(client, first="one"))
    duel.enter(0, 1, 2)
    form = duel.form("guerriero", "turn")
    told = {**form, "narration.offensive": "Si scaglia avanti."}
    seen = client.post(f"{duel.path}/turn/guerriero/preview", told)
    assert "Si scaglia avanti." in seen.text
    assert "I dadi cadono quando lo mandi." in seen.text
    wrong = client.post(f"{duel.path}/turn/guerriero/preview", {**form, "reforge": "true"})
    assert "WD-37" in wrong.text
    assert client.site.world.thrown == []


def test_an_answer_that_is_not_offered_is_refused_at_its_field(client: Any) -> None:
    duel = shadow(client, 9, 3, 2, 3, 5, entrants__0__standing__doubler="ask")
    duel.decided("miranda_thorne", "turn")
    page = client.http.get(f"{duel.path}/turn/miranda_thorne").text
    assert "il primo dado: Dodge 30" in page
    assert page.count('aria-label="faccia 5"') >= 3  # both tables, and the die that fell
    refused = duel.decide("miranda_thorne", "choose", choice="3")
    assert refused.status_code == 409
    assert "choice" in errors(refused.text)
    client.site.world.throw([9])
    assert "tiene il secondo dado" in duel.decided("miranda_thorne", "choose", choice="2")


def test_standing_orders_are_shown_to_their_player_and_the_master_alone(client: Any) -> None:
    duel = shadow(client, 9, 3)
    duel.decided("gregor_kaprov", "standing", standing__surrender="always")
    told = {}
    for name, places in {"gm": (0,), "own": (2,), "other": (1,), "nobody": ()}.items():
        duel.enter(*places)
        told[name] = duel.page().count("<dd>sempre</dd>")
    assert told == {"gm": 1, "own": 1, "other": 0, "nobody": 0}
    duel.enter(1)
    entry = client.http.get(f"{duel.path}/entries/3").text
    assert "always" not in entry


def test_orders_that_can_come_to_nothing_are_not_asked_for_and_kept(client: Any) -> None:
    duel = shadow(client, 9, 3, entrants__1__standing__trade="always")
    form = duel.form("gregor_kaprov", "standing")
    assert "Luogo empio" not in client.http.get(f"{duel.path}/turn/gregor_kaprov").text
    assert form["standing.trade"] == "always"
    duel.decided("gregor_kaprov", "standing", standing__doubler="first")
    assert duel.form("gregor_kaprov", "standing")["standing.trade"] == "always"


def test_a_draw_needs_both_and_resigning_in_time_counts_as_yielding(client: Any) -> None:
    drawn = shadow(client, 9, 3)
    drawn.decided("miranda_thorne", "draw")
    assert "Miranda Thorne offre la patta" in drawn.page()
    assert "patta" in drawn.decided("gregor_kaprov", "draw")
    assert "Finita" in drawn.page()


def test_whoever_resigns_with_many_hits_left_is_killed_and_reforms(client: Any) -> None:
    duel = shadow(client, 9, 3, entrants__0__sheet__xp="25")
    page = client.http.get(f"{duel.path}/turn/gregor_kaprov").text
    assert "vale come essere uccisi" in page
    assert "Gregor Kaprov abbandona" in duel.decided("gregor_kaprov", "resign")
    assert "ucciso, per ora" in duel.page()
    refused = duel.decide("gregor_kaprov", "reform", **{"~cut": "1.1"})
    assert refused.status_code == 409
    assert "~cut" in errors(refused.text)
    assert "290" in duel.decided("gregor_kaprov", "reform", **{"~cut": "7.1"})
    # 25 XP and 5 for the victory pay for three purchases.
    spent = {
        "purchases__0__~what": "hits",
        "purchases__1__~what": "absorb:Fanged Bite",
        "purchases__1__face": "4",
        "purchases__2__~what": "new_defence",
        "purchases__2__face": "1",
        "purchases__2__name": "",
    }
    refused = duel.decide("miranda_thorne", "spend", **spent)
    assert list(errors(refused.text)) == ["purchases.2.name"]
    post = duel.decided("miranda_thorne", "spend", **spent | {"purchases__2__name": "Guardia"})
    assert "assorbe" in post
    assert "Guardia" in duel.page()
    assert "330" in duel.page()


def test_nothing_is_decided_twice_nor_by_a_stranger(client: Any) -> None:
    duel = shadow(client, 9, 3)
    form = duel.form("miranda_thorne", "turn")
    client.site.world.throw([3])
    assert client.post(f"{duel.path}/turn/miranda_thorne", form).status_code == 200
    stale = {**form, "key": client.site.world.token()}
    assert client.post(f"{duel.path}/turn/miranda_thorne", stale).status_code in {409, 412}
    duel.enter()
    assert client.http.get(f"{duel.path}/turn/gregor_kaprov").status_code in {401, 403, 404}


def test_the_master_sees_all_pages_and_lets_a_deadline_pass(client: Any) -> None:
    duel = shadow(client, 9, 3)
    duel.enter(0)
    assert client.http.get(f"{duel.path}/gm").status_code == 200
    client.http.headers["Accept-Language"] = "en"
    for path in ("", "/gm", "/dice", "/luck", "/turn/miranda_thorne", "/entries/1"):
        assert client.http.get(f"{duel.path}{path}?lang=en").status_code == 200


def test_what_was_decided_last_is_told_above_the_history_until_it_is_taken_back(
    client: Any,
) -> None:
    duel = shadow(client, 9, 3, 5, 3)
    told = "<strong>5 Claws 30</strong>"
    duel.decided("miranda_thorne", "turn", narration__offensive="Graffia.")
    assert told in duel.page()
    assert told in client.http.get(f"{duel.path}/turn/gregor_kaprov").text
    master = client.http.get(f"{duel.path}/gm").text
    (back,) = (part for part in FORM.findall(master) if f'action="{duel.path}/void"' in part)
    taken = client.post(f"{duel.path}/void", {**defaults_in(back), "reason": "Un errore."})
    assert taken.status_code == 200, taken.text
    assert told not in duel.page()
    assert "comincia Miranda Thorne" in duel.page()
