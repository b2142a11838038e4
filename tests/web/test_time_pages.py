"""The pages of time and notices: clocks, zones, the inbox, feeds, and the links in mails."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree as Xml

import pytest

from app.services import deadlines, inbox, links
from app.services.access import Principal
from app.services.book_shapes import ToolPiece
from app.services.books import propose_piece
from app.services.errors import Malformed
from app.web.moments import instant_in, typed
from tests.integration.test_technique_books import BLADE
from tests.support.fights import attack
from tests.web.conftest import Client, Duel

ATOM = "{http://www.w3.org/2005/Atom}"
OPENED = datetime(2025, 3, 29, 13, 0, tzinfo=UTC)  # 14:00 in Rome


def duel(client: Client) -> Duel:
    """Open a duel in which the first is awaited for 48 hours."""
    made = client.site.open_duel()
    site = client.site
    site.world.time = OPENED
    deadlines.set_deadline(site.db, site.world, site.principal, made.id, 48)
    return made


def player(client: Client, made: Duel, seat: str) -> Principal:
    """Tell who plays a seat."""
    found = links.principal_of_secret(client.site.db, client.site.world, made.seats[seat])
    assert found is not None
    return found


def test_48_hours_across_the_change_of_the_clocks_are_one_instant_shown_in_both_zones(
    client: Client,
) -> None:
    made = duel(client)
    at = 'datetime="2025-03-31T13:00:00+00:00"'
    page = client.http.get(f"/scenes/{made.id}").text
    assert f"<time {at} data-local>31 marzo 2025, 13:00 UTC</time>" in page
    assert client.post("/zone", {"zone": "Europe/Rome"}).status_code == 200
    page = client.http.get(f"/scenes/{made.id}").text
    assert f"<time {at}>31 marzo 2025, 15:00 CEST</time>" in page
    client.post("/zone", {"zone": "America/New_York"})
    page = client.http.get(f"/scenes/{made.id}").text
    assert f"<time {at}>31 marzo 2025, 09:00 EDT</time>" in page


def test_an_unknown_zone_is_refused_and_one_in_a_cookie_is_not_believed(client: Client) -> None:
    answer = client.post("/zone", {"zone": "Mars/Olympus"})
    assert answer.status_code == 422
    assert "Questo fuso orario non esiste" in answer.text
    for value in ("Mars/Olympus", "../../etc/passwd", "x" * 3000, "Europe%2FRome"):
        page = client.http.get("/zone", headers={"Cookie": f"zone={value}"})
        assert page.status_code == 200
        assert ("Europe/Rome" in page.text.split("colophon")[-1]) is (value == "Europe%2FRome")


def test_times_are_typed_in_the_zone_in_which_they_are_shown() -> None:
    at = instant_in({"begins": "2025-03-30T03:30"}, "begins", "Europe/Rome")
    assert at == datetime(2025, 3, 30, 1, 30, tzinfo=UTC)
    assert typed(at, "Europe/Rome") == "2025-03-30T03:30"
    twice = instant_in({"begins": "2025-10-26T02:30"}, "begins", "Europe/Rome")
    assert twice == datetime(2025, 10, 26, 0, 30, tzinfo=UTC)  # the first of the two
    for text in ("", "domani", "2025-13-01T00:00", "0001-01-01T00:00", "9999-12-31T23:59"):
        with pytest.raises(Malformed):
            instant_in({"begins": text}, "begins", "Europe/Rome")


def test_the_master_sets_stops_and_lets_go_on_from_the_page_of_the_clock(client: Client) -> None:
    made = duel(client)
    path = f"/scenes/{made.id}/clock"
    assert "Ferma l’orologio" not in client.http.get(path).text
    client.enter(made.gm)
    form = {"remind_hours": "6", "grace_hours": "3", "automatic": "true"}
    assert "Salvato." in client.post(path, form).text
    page = client.http.get(path).text
    assert "Ciò che è previsto si applica da sé. Ore di promemoria: 6" in page
    bad = client.post(path, {"remind_hours": "mai", "grace_hours": "9999"})
    assert bad.status_code == 422
    assert bad.text.count("data-error-for") >= 2
    assert client.post(f"{path}/stop", {"reason": ""}).status_code == 422
    assert "È fermo da:" in client.post(f"{path}/stop", {"reason": "Ferie <b>"}).text
    scene = client.http.get(f"/scenes/{made.id}").text
    assert "Il Master ha fermato l’orologio" in scene
    assert "Ferie &lt;b&gt;" in scene
    assert client.post(f"{path}/stop", {"reason": "Ancora"}).status_code == 409
    assert "Si aspettano risposte, termine:" in client.post(f"{path}/go-on").text
    assert client.post(f"{path}/go-on").status_code == 409


def test_a_player_says_that_they_are_away_and_comes_back(client: Client) -> None:
    made = duel(client)
    client.enter(made.seats["hollow"])
    path = f"/scenes/{made.id}"
    form = {"seat": "hollow", "begins": "2025-03-29T20:00", "ends": "2025-04-02T20:00"}
    page = client.post(f"{path}/vacations", form)
    assert page.status_code == 200
    assert "4 aprile 2025, 13:00 UTC" in page.text
    assert "non ancora" in page.text
    assert "Annullala" in page.text
    client.site.world.time = datetime(2025, 3, 30, 12, 0, tzinfo=UTC)
    page = client.http.get(f"{path}/clock").text
    assert "non ancora" not in page
    assert re.search(r"</span> assente</span>\s*<form", page)
    client.site.world.time = OPENED
    assert client.post(f"{path}/vacations", {**form, "seat": "quincy"}).status_code == 404
    wrong = client.post(f"{path}/vacations", {**form, "ends": "2025-03-28T20:00"})
    assert wrong.status_code == 422
    assert "Un’assenza finisce dopo che comincia" in wrong.text
    back = client.post(f"{path}/vacations/1/end")
    assert "31 marzo 2025, 13:00 UTC" in back.text
    assert client.post(f"{path}/vacations/1/end").status_code == 409
    assert "Hollow è di nuovo qui." in back.text


def test_the_inbox_shows_marks_and_links(client: Client) -> None:
    assert "Apri il link" in client.http.get("/inbox").text
    made = duel(client)
    client.enter(made.seats["hollow"])
    page = client.http.get("/inbox").text
    assert "tocca a Hollow" in page
    assert f'name="about" value="/scenes/{made.id}"' in page
    assert "1 avviso non letto" in client.http.get("/").text
    uid = re.search(r'name="id" value="([0-9a-f]{64})"', page)
    assert uid is not None
    opened = client.post("/inbox/read", {"id": uid[1], "about": f"/scenes/{made.id}"})
    assert opened.url.path == f"/scenes/{made.id}"
    page = client.http.get("/inbox").text
    assert "non letto" not in page
    assert f'href="/scenes/{made.id}"' in page
    elsewhere = client.post("/inbox/read", {"about": "//evil.test/"}, follow_redirects=False)
    assert elsewhere.headers["location"] == "/inbox"
    assert "È tutto letto." in client.http.get("/inbox?unread").text
    assert client.http.get("/inbox?before=../x").status_code == 200


def test_what_is_unticked_is_not_told_by_that_way(client: Client) -> None:
    made = duel(client)
    client.enter(made.seats["hollow"])
    every = [one for one in inbox_kinds() if one != "your_turn"]
    assert client.post("/inbox/settings", {"inbox": every, "feed": every}).status_code == 200
    assert "tocca a Hollow" not in client.http.get("/inbox").text
    page = client.http.get("/inbox/settings").text
    assert re.search(r'name="inbox" value="your_turn">', page)
    assert re.search(r'name="inbox" value="ended" checked>', page)
    assert 'name="mail"' not in page  # this service sends no mails
    assert "Questo servizio non invia e-mail" in page


def test_what_the_master_decided_leads_to_the_entry(client: Client) -> None:
    made = duel(client)
    hurt = {"kind": "set_value", "combatant": "hollow", "change": "hp", "value": 50}
    client.site.decide(made, {**hurt, "by": "gm", "reason": "Era già <ferito>."})
    client.enter(made.seats["quincy"])
    page = client.http.get("/inbox").text
    assert "Il Master ha deciso con la voce 1: Valore fissato, Hollow." in page
    assert "Era già &lt;ferito&gt;." in page
    assert f'name="about" value="/scenes/{made.id}/entries/1"' in page
    assert client.http.get(f"/scenes/{made.id}/entries/1").status_code == 200


def test_what_is_about_no_scene_leads_to_the_board(client: Client) -> None:
    made = duel(client)
    site = client.site
    blade = ToolPiece(data=BLADE)
    proposed = propose_piece(
        site.db, site.world, player(client, made, "hollow"), "board", blade, site.world.token()
    )
    client.enter(site.owner)
    path = f"/boards/board/books/pieces/{proposed.id}"
    page = client.http.get("/inbox").text
    assert "Si propone Lama: aspetta un Master." in page
    assert f'name="about" value="{path}"' in page
    assert client.http.get(path).status_code == 200
    feed = feed_of(client.post("/inbox/feed").text)
    assert "Si propone Lama" in client.http.get(feed).text


def inbox_kinds() -> list[str]:
    """List the kinds of notices."""
    from app.web.inbox import KINDS

    return [kind.value for kind in KINDS]


def feed_of(page: str) -> str:
    """Find the address of a feed on the page that shows it once."""
    found = re.search(r'id="feed-address">https://arbitro\.example(/feeds/[^<]+)<', page)
    assert found is not None
    return found[1]


def test_a_feed_is_valid_atom_keeps_its_ids_and_says_when_nothing_is_new(client: Client) -> None:
    made = duel(client)
    client.enter(made.seats["hollow"])
    path = feed_of(client.post("/inbox/feed").text)
    client.post("/logout")
    first = client.http.get(path)
    assert first.headers["content-type"] == "application/atom+xml; charset=utf-8"
    root = Xml.fromstring(first.content)
    assert root.tag == f"{ATOM}feed"
    for name in ("id", "title", "updated", "author"):
        assert root.find(f"{ATOM}{name}") is not None, name
    (self_link,) = (one for one in root.iter(f"{ATOM}link") if one.get("rel") == "self")
    assert self_link.get("href") == f"https://arbitro.example{path}"
    (entry,) = root.iter(f"{ATOM}entry")
    said = {one.tag.removeprefix(ATOM): one for one in entry}
    assert said["id"].text is not None
    assert re.fullmatch(r"urn:sha256:[0-9a-f]{64}", said["id"].text)
    assert said["title"].text == "Duello al ponte: tocca a Hollow"
    assert said["updated"].text is not None
    assert datetime.fromisoformat(said["updated"].text)
    assert path.removeprefix("/feeds/arb_").removesuffix(".atom") not in said["id"].text
    again = client.http.get(path, headers={"If-None-Match": f'"x", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    site = client.site
    site.decide(made, attack("quincy", "claws", by="hollow"))
    site.decide(made, {"kind": "turn", "by": "quincy"})
    new = client.http.get(path, headers={"If-None-Match": first.headers["etag"]})
    assert new.status_code == 200
    ids = [one.text for one in Xml.fromstring(new.content).iter(f"{ATOM}id")]
    assert said["id"].text in ids
    assert ids[0] == root.findtext(f"{ATOM}id")


def test_a_feed_holds_up_whatever_an_old_row_has(client: Client) -> None:
    """What XML cannot hold is refused today; it was not always."""
    made = duel(client)
    client.enter(made.seats["hollow"])
    path = feed_of(client.post("/inbox/feed").text)
    with client.site.db.write() as connection:
        title = {"title": "Du\uffffel\ufffelo <al> \U0001fffe ponte"}
        connection.exec_driver_sql("UPDATE scenes SET title = :title", title)
    (entry,) = Xml.fromstring(client.http.get(path).content).iter(f"{ATOM}entry")
    told = "Du\ufffdel\ufffdlo <al> \U0001fffe ponte: tocca a Hollow"
    assert entry.findtext(f"{ATOM}title") == told


def test_a_feed_that_was_revoked_is_like_one_that_never_was(client: Client) -> None:
    made = duel(client)
    client.enter(made.seats["hollow"])
    path = feed_of(client.post("/inbox/feed").text)
    client.post("/inbox/feed", {"do": "revoke"})
    gone = client.http.get(path)
    never = client.http.get("/feeds/arb_0123456789012345678901234567890123456789012.atom")
    assert gone.status_code == never.status_code == 404
    assert client.http.get("/feeds/x.atom").status_code == 404


def test_the_owner_says_how_the_board_keeps_time(client: Client) -> None:
    made = duel(client)
    client.enter(made.gm)
    assert client.http.get("/boards/board/time").status_code == 404
    assert client.post("/boards/board/time", {"zone": "UTC"}).status_code == 404
    client.enter(client.site.owner)
    form: dict[str, Any] = {"remind_hours": "6", "grace_hours": "2", "zone": "Europe/Rome"}
    form |= {"webhook": "https://hooks.example/1", "feed": ["ended"], "hook": ["your_turn"]}
    page = client.post("/boards/board/time", form).text
    assert "Salvato." in page
    assert "hooks.example/…" in page
    assert "https://hooks.example/1" not in page
    assert re.search(r'name="hook" value="your_turn" checked>', page)
    bad = client.post("/boards/board/time", {**form, "webhook": "http://127.0.0.1/"})
    assert bad.status_code == 422
    assert "A questo indirizzo non si può inviare nulla" in bad.text
    gone = client.post("/boards/board/time", {**form, "webhook": "", "no_webhook": "true"}).text
    assert "hooks.example" not in gone
    path = feed_of(client.post("/boards/board/time/feed").text)
    assert client.http.get(path).status_code == 200


def test_the_links_in_mails_change_nothing_by_being_looked_at(client: Client) -> None:
    made = duel(client)
    site, who = client.site, player(client, made, "hollow")
    settings = site.app.state.shared.settings.model_copy(update={"smtp_host": "mail.example"})
    inbox.set_address(site.db, site.world, who, settings, "anna@example.org", "it")
    with site.db.read() as connection:
        token = connection.exec_driver_sql("SELECT token FROM mailboxes").scalar()
    for path in (f"/mail/{token}", f"/mail/{token}/stop", "/mail/none", "/mail/none/stop"):
        assert client.http.get(path).status_code == 200
    assert not inbox.read_wishes(site.db, who, settings).confirmed
    assert client.post("/mail/none").status_code == 404
    assert "L’indirizzo è confermato" in client.post(f"/mail/{token}").text
    assert inbox.read_wishes(site.db, who, settings).confirmed
    # A mail program sends this by itself: no cookie, no origin (RFC 8058).
    one_click = client.http.post(f"/mail/{token}/stop", data={"List-Unsubscribe": "One-Click"})
    assert one_click.status_code == 200
    assert inbox.read_wishes(site.db, who, settings).address == ""
