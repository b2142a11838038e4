"""Combat Dice on the pages: the set-up and its mistakes, a whole combat, and what stays sealed."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.entry_shapes import Submission
from app.services.scenes import read_entry, read_scene
from app.services.turns import decide
from tests.web.conftest import Client, Site
from tests.web.games.test_frame import defaults_in

NEW = "/boards/board/scenes/new/combat_dice"
FORM = re.compile(r"<form [^>]*>.*?</form>", re.DOTALL)
SECRET = "Finge di guardare altrove."


def opening(client: Client, **changes: str) -> dict[str, str]:
    """Fill in the form of a new combat; nobody is waited for before the first dice."""
    client.enter(client.site.owner)
    text = client.http.get(NEW).text
    return {**defaults_in(text), "title": "Arena", "do": "open", "seal_hours": "0", **changes}


def error_at(text: str, field: str) -> str:
    """Give what is said beside a field."""
    found = re.search(rf'data-error-for="{re.escape(field)}">(.*?)</p>', text, re.DOTALL)
    assert found is not None, field
    return found[1]


class Seat:
    """A player with a browser of its own, who knows only the seat's link."""

    def __init__(self, client: Client, link: str, scene: str, seat: str) -> None:
        http = TestClient(client.site.app, base_url=client.site.base, follow_redirects=False)
        http.headers["Accept-Language"] = "it"
        self.browser = Client(client.site, http)
        self.browser.post(link)
        self.scene, self.seat = scene, seat
        self.turn = f"{scene}/turn/{seat}"

    def see(self, path: str = "") -> str:
        """Read a page of the scene."""
        answer = self.browser.http.get(f"{self.scene}{path}")
        assert answer.status_code == 200, answer.text
        return str(answer.text)

    def form(self, kind: str) -> dict[str, str]:
        """Read the form of one kind of order as it is before anybody touches it."""
        text = self.see(f"/turn/{self.seat}")
        form = next(one for one in FORM.findall(text) if f'name="kind" value="{kind}"' in one)
        return {**defaults_in(form), "do": "send"}

    def decide(self, kind: str, **changes: str) -> Any:
        """Send a form, with changes."""
        return self.browser.post(self.turn, {**self.form(kind), **changes})


def opened(client: Client, **changes: str) -> tuple[Seat, Seat]:
    """Open a combat through the form, and let both players in."""
    answer = client.post(NEW, opening(client, **changes))
    assert answer.status_code == 201, answer.text
    scene = re.search(r'href="(/scenes/[^"/]+)/gm"', answer.text)
    assert scene is not None
    _, *links = re.findall(r'value="[^"]*(/k/[^"]+)"', answer.text)  # the first is the Master's
    one, other = (
        Seat(client, link, scene[1], seat) for link, seat in zip(links, "ab", strict=True)
    )
    return one, other


BASIC = {"entrants.0.~who": "standard", "entrants.1.~who": "standard"}


def state_of(site: Site, seat: Seat) -> Any:
    """Look at the combat as the owner."""
    return read_scene(site.db, site.principal, seat.scene.rpartition("/")[2]).view


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"sheet.weapons.1": "spear", "sheet.weapons.2": "net"}, "sheet.weapons", "5 oggetti"),
        ({"sheet.skills": "berserker"}, "sheet.skills", "1 abilità"),
        ({"sheet.forgone": "2"}, "sheet.spells", "ne spettano 2"),
        ({"sheet.forgone": "5"}, "sheet.forgone", "Resterebbero 1"),
        ({"sheet.charms": "x"}, "sheet.charms", "numero"),
        ({"sheet.wounds.hurt_arm": "1"}, "sheet.wounds", "non si portano oltre"),
        ({"sheet.name": ""}, "sheet.name", ""),
    ],
)
def test_what_is_wrong_with_a_fighter_stands_beside_its_field(
    client: Client, changes: dict[str, str], field: str, says: str
) -> None:
    sent = {f"entrants.0.{name}": text for name, text in {"~who": "own", **changes}.items()}
    refused = client.post(NEW, opening(client, **sent))
    assert refused.status_code in {409, 422}, refused.text
    said = error_at(refused.text, f"entrants.0.{field}")
    assert "<span>" in said
    assert says in said


def test_only_the_chosen_kind_of_fighter_counts(client: Client) -> None:
    left_over = {"entrants.0.sheet.weapons.1": "net", "entrants.0.sheet.skills": "berserker"}
    ann, _ = opened(client, **{"entrants.0.~who": "murmillo", **left_over})
    first, second = (one.fighter for one in state_of(client.site, ann).fighters)
    assert (first.weapons, first.skills) == (("large_sword",), ())
    assert second.weapons == ("net", "trident", "dagger")


def test_an_advanced_caster_is_rolled_and_finished_on_the_pages(client: Client) -> None:
    client.site.world.throw([4, 3])
    own = {"~who": "advanced", "sheet.forgone": "1", "sheet.spells": "curse", "sheet.armor": "none"}
    ann, _ = opened(client, **{f"entrants.0.{name}": text for name, text in own.items()})
    assert ann.decide("build").status_code == 303
    form = ann.form("finish")
    assert [name for name in form if name.startswith("picks.")] == [f"picks.{n}" for n in range(3)]
    twice = ann.decide("finish", **{"picks.0": "spell:curse", "picks.1": "die:strength"})
    assert "due volte lo stesso incantesimo" in error_at(twice.text, "picks")
    done = ann.decide("finish", **{"picks.0": "spell:heal", "picks.1": "die:evasion"})
    assert done.status_code == 303, done.text
    who = state_of(client.site, ann).fighters[0].fighter
    assert (who.hp, who.spells, len(who.specialty)) == (14, ("curse", "heal"), 2)


def test_a_whole_combat_is_played_through_the_forms(client: Client) -> None:
    chance = random.Random(3)
    client.site.world.throw(chance.randint(1, 6) for _ in range(4000))
    frail = {"~who": "own", "sheet.armor": "none", "sheet.shield": "small"}
    kits = {f"entrants.{at}.{name}": text for at in (0, 1) for name, text in frail.items()}
    seats = opened(client, **kits)
    kinds: set[str] = set()
    asks = {"rethrow": "ask", "plan": "ask"}
    for number in range(120):
        view = state_of(client.site, seats[0])
        if view.outcome is not None:
            break
        for seat in seats:
            text = seat.see(f"/turn/{seat.seat}")
            (kind, *_) = re.findall(r'name="kind" value="(\w+)"', text)
            if kind in ("resign", "draw"):
                continue
            kinds.add(kind)
            changes = {"orders": asks if number % 3 else {"plan": "ready_made", "pace": "2"}}
            if kind == "orders" and "I tuoi ordini sono arrivati" in text:
                continue
            answer = seat.decide(kind, **changes.get(kind, {}))
            assert answer.status_code == 303, answer.text
            entry = seat.browser.http.get(answer.headers["location"])
            assert entry.status_code == 200, entry.text
    assert state_of(client.site, seats[0]).outcome is not None
    assert {"orders", "again", "act"} <= kinds
    for seat in seats:
        assert "Il combattimento è finito" in seat.see()
        assert "niente da decidere" in seat.see(f"/turn/{seat.seat}")


def test_sealed_orders_are_shown_to_their_author_alone_until_the_turn_is_played(
    client: Client,
) -> None:
    ann, ben = opened(client, **BASIC)
    sealed = {"rethrow": "never", "plan": "list", "wishes.1.action": "feint"}
    sent = ann.decide("orders", **sealed, **{"narration.offensive": SECRET})
    assert sent.status_code == 303, sent.text
    number = re.search(r"/entries/(\d+)", sent.headers["location"])
    assert number is not None
    pages = ("", f"/entries/{number[1]}", "/dice", "/turn/b", "/luck")
    api = f"/api/v1{ann.scene}"
    reads = (f"{api}/entries/{number[1]}", f"{api}/ledger", f"{api}/ledger/export", api)
    for page in pages:
        text = ben.see(page)
        assert SECRET not in text
        assert "Che cosa era ordinato" not in text
    for path in reads:
        answer = ben.browser.http.get(path)
        assert SECRET not in answer.text
        assert '"feint"' not in answer.text
    own = ann.form("orders")
    assert (own["rethrow"], own["plan"], own["wishes.0.action"]) == ("never", "list", "feint")
    assert SECRET in ann.see(f"/entries/{number[1]}")
    assert ben.decide("orders").status_code == 303
    shown = ben.see(f"/entries/{number[1]}")
    assert SECRET in shown
    assert "Azioni speciali: Finta (sempre)" in shown
    assert SECRET in ben.browser.http.get(reads[0]).text


def test_what_is_wrong_with_orders_stands_beside_its_field(client: Client) -> None:
    charm = {"~who": "own", "sheet.charms": "1", "sheet.spells": "aid", "sheet.shield": "none"}
    ann, _ = opened(
        client,
        **{f"entrants.0.{name}": text for name, text in charm.items()},
        **{"entrants.1.~who": "standard"},
    )
    refused = ann.decide("orders", spell="aid", plan="list", **{"wishes.2.action": "x"})
    assert refused.status_code == 422, refused.text
    assert "<span>" in error_at(refused.text, "wishes.2.action")
    refused = ann.decide("orders", spell="aid")
    assert refused.status_code == 409, refused.text
    assert "Manca il tipo dei dadi" in error_at(refused.text, "aid_type")
    assert 'value="aid" selected' in refused.text
    seen = ann.browser.post(f"{ann.turn}/preview", {**ann.form("orders"), "spell": "aid"})
    assert "Manca il tipo dei dadi" in seen.text


def test_a_net_fighter_is_offered_the_plan_for_the_net(client: Client) -> None:
    client.site.world.throw([1])  # no turn at range
    _, ben = opened(client)
    assert ben.decide("open").status_code == 303
    assert ben.decide("orders", plan="advice", weapon="dagger").status_code == 303
    own = ben.form("orders")
    assert own["weapon"] == "net"
    assert own["wishes.0.action"] == "retreat"


def test_a_draw_needs_both_and_resigning_one(client: Client) -> None:
    ann, ben = opened(client, **BASIC)
    assert ann.decide("draw").status_code == 303
    assert "propone la patta" in ben.see()
    assert ben.decide("resign").status_code == 303
    assert "Vince Secutor" in ann.see()


def test_the_master_lets_the_defaults_play_with_a_reason(client: Client) -> None:
    ann, _ = opened(client, **BASIC)
    text = client.http.get(f"{ann.scene}/gm").text
    form = next(one for one in FORM.findall(text) if 'name="kind" value="deadline"' in one)
    refused = client.post(f"{ann.scene}/orders", defaults_in(form))
    assert refused.status_code == 422
    assert error_at(refused.text, "reason")
    sent = client.post(f"{ann.scene}/orders", {**defaults_in(form), "reason": "Tempo scaduto."})
    assert "Fatto: è la voce" in sent.text
    assert state_of(client.site, ann).turn == 2


def test_a_combat_that_will_hardly_end_says_so_until_it_begins(client: Client) -> None:
    samnites = {f"entrants.{seat}.~who": "samnites" for seat in (0, 1)}
    one, other = opened(client, **samnites)
    for seat in (one, other):
        assert "150" in warned(seat.see())
        assert "escalate" in warned(seat.see()) or "stallo" in warned(seat.see())
    for seat in (one, other):
        assert seat.decide("orders").status_code == 303
    assert warned(one.see()) == ""


def test_a_combat_that_soon_ends_warns_nobody(client: Client) -> None:
    one, _ = opened(client, **BASIC)
    assert warned(one.see()) == ""


def warned(text: str) -> str:
    """Give what the page of a scene warns of."""
    return " ".join(re.findall(r'<p class="notice notice--warn">(.*?)</p>', text, re.DOTALL))


def test_orders_written_while_the_other_sent_his_are_kept_and_can_be_sent_again(
    client: Client,
) -> None:
    ann, ben = opened(client, **BASIC)
    early = {**ben.form("orders"), "rethrow": "never", "narration.offensive": SECRET}
    assert ann.decide("orders").status_code == 303
    stale = ben.browser.post(ben.turn, early)
    assert stale.status_code == 412
    form = next(one for one in FORM.findall(stale.text) if 'value="orders"' in one)
    again = {**defaults_in(form), "narration.offensive": SECRET, "do": "send"}
    assert SECRET in form
    assert again["rethrow"] == "never"
    assert ben.browser.post(ben.turn, again).status_code == 303
    assert state_of(client.site, ann).turn == 2


@pytest.mark.parametrize("ticked", [True, False])
def test_the_first_dice_of_a_trial_wait_for_nobody(client: Client, ticked: bool) -> None:
    client.enter(client.site.owner)
    trial = {"trial": "true"} if ticked else {}
    answer = client.post(NEW, opening(client, **BASIC, seal_hours="24", **trial))
    found = re.search(r'href="/scenes/([^"/]+)/gm"', answer.text)
    assert found is not None, answer.text
    site = client.site
    for version, seat in enumerate("ab", 1):
        order = {"kind": "orders", "by": seat}
        given = Submission(order=order, version=version, key=site.world.token())
        decide(site.db, site.world, site.principal, found[1], given)
    assert (read_entry(site.db, site.principal, found[1], 2).rolls is not None) == ticked
