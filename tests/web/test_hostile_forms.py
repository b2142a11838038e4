"""Forms and addresses that no page of ours makes: refused where they are wrong, with nothing done.

Each came from somebody who tried to break what a board, its people, book and desk are made of.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from app.persistence.tables import BoardRow
from app.services import people
from app.services.errors import NotFound
from app.web import invited
from app.web.visit import MOST_FIELDS
from tests.web.pages_asked import FORMS, ROUTES, address
from tests.web.test_who_may_pages import told_by
from tests.web.town import ROLES, Town

KEY = "key-of-a-form"
FORM_KEY = {"key": KEY}


def text_of(answer: Any) -> str:
    """Read a page without its markup."""
    return " ".join(re.sub(r"<[^>]+>", " ", answer.text).split())


NO_BOARD = ("a.b", "%C3%A8", "a%20b", "x" * 80)


def test_what_no_board_can_be_called_is_no_board(town: Town, tmp_path: Path) -> None:
    with town.copy(tmp_path) as client:
        before = told_by(tmp_path / "copy.sqlite3")
        for route in (one for one in ROUTES if "{board_id}" in one):
            method = route.split(" ", 1)[0]
            form = FORMS.get(route, lambda _: {"key": KEY})(town)
            for name in NO_BOARD:
                path = address(town, route, {"board_id": name})
                answer = town.ask(client, "owner", method, path, form)
                assert answer.status_code == 404, (route, name)
        assert told_by(tmp_path / "copy.sqlite3") == before


@pytest.mark.parametrize("seat", ["gm", "nobody", "spectator", "%C3%A8"])
@pytest.mark.parametrize("role", ["owner", "gm", "overseer"])
def test_a_seat_that_is_not_there_has_no_form(
    town: Town, tmp_path: Path, role: str, seat: str
) -> None:
    at = f"/scenes/{town.here.scene.scene_id}/turn/{seat}"
    with town.copy(tmp_path) as client:
        assert town.ask(client, role, "GET", at).status_code == 404
        for path in (at, f"{at}/preview"):
            answer = town.ask(client, role, "POST", path, {"version": "1", "key": KEY})
            assert answer.status_code == 404, path


CHARSETS = ("undefined", "punycode", "unicode_escape", "raw_unicode_escape", "utf-16", "latin-1")


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_form_in_another_encoding_is_refused(town: Town, tmp_path: Path, charset: str) -> None:
    here = town.here
    body = b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nabc\\ud800\xff\r\n--b--\r\n'
    paths = (
        *("/me", "/login", "/inbox/mail", f"/scenes/{here.scene.scene_id}/clock/stop"),
        f"/boards/{here.board}/books/import",
    )
    with town.copy(tmp_path) as client:
        for path in paths:
            headers = {
                "Content-Type": f"multipart/form-data; boundary=b; charset={charset}",
                "Sec-Fetch-Site": "same-origin",
                "Cookie": f"__Host-arbitro={town.cookies['owner']}",
            }
            client.cookies.clear()
            answer = client.post(path, content=body, headers=headers, follow_redirects=False)
            assert answer.status_code == 422, path
            assert "UTF-8" in answer.text


PART = b'--b\r\nContent-Disposition: form-data; name="x"%s\r\n\r\nx\r\n'
UNREADABLE = {
    "too many fields": (PART % b"") * (MOST_FIELDS + 1) + b"--b--\r\n",
    "too many files": (PART % b'; filename="x"') * 2 + b"--b--\r\n",
    "a part without a name": b"--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--\r\n",
    "no parts": b"nothing of the kind",
}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_form_that_cannot_be_read_is_told_how_to_mend_it(
    town: Town, tmp_path: Path, body: bytes
) -> None:
    with town.copy(tmp_path) as client:
        for path in ("/login", f"/boards/{town.here.board}/books/import"):
            headers = {
                "Content-Type": "multipart/form-data; boundary=b",
                "Sec-Fetch-Site": "same-origin",
                "Accept-Language": "it",
                "Cookie": f"__Host-arbitro={town.cookies['owner']}",
            }
            client.cookies.clear()
            answer = client.post(path, content=body, headers=headers, follow_redirects=False)
            assert answer.status_code == 422, path
            assert "Ricarica la pagina" in answer.text


def test_a_note_about_a_scene_that_is_too_long_stays_one_about_the_scene(
    town: Town, tmp_path: Path
) -> None:
    at, scene = f"/boards/{town.here.board}/desk/note", town.here.scene.scene_id
    with town.copy(tmp_path) as client:
        town.ask(client, "owner", "POST", at, {"text": "Della board."})
        long = {"scene": scene, "number": "1", "text": "x" * 4001}
        refused = town.ask(client, "owner", "POST", at, long)
        assert refused.status_code == 422
        kept = dict(
            re.findall(r'type="hidden" name="(scene|number)" value="([^"]*)"', refused.text)
        )
        assert kept == {"scene": scene, "number": "1"}
        town.ask(client, "owner", "POST", at, {**kept, "text": "Della scena."})
        desk = town.ask(client, "owner", "GET", f"/boards/{town.here.board}/desk").text
        assert "Della board." in desk


def test_a_note_is_about_a_scene_of_its_own_board(town: Town, tmp_path: Path) -> None:
    at = f"/boards/{town.here.board}/desk/note"
    with town.copy(tmp_path) as client:
        for scene in (town.there.scene.scene_id, "nothing"):
            form = {"scene": scene, "number": "1", "text": "Da vedere."}
            assert town.ask(client, "owner", "POST", at, form).status_code == 404


def test_who_logs_in_for_an_invitation_that_is_used_up_is_logged_in(
    town: Town, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(*_: Any) -> None:
        raise NotFound

    monkeypatch.setattr(invited, "accept_invitation", gone)
    with town.copy(tmp_path) as client:
        form = {"do": "login", "name": "somebody", "password": "una password lunga"}
        password_of(client, "somebody", form["password"])
        path = f"/i/{town.here.invitation_secret}"
        answer = town.ask(client, "somebody", "POST", path, form)
        assert answer.status_code == 303
        assert answer.headers["location"] == path
        assert "__Host-arbitro=" in answer.headers["set-cookie"]


def password_of(client: Any, name: str, password: str) -> None:
    """Give somebody a password of which the test knows."""
    common = client.app.state.shared
    token = people.reset_link(common.database, common.world, name)
    people.reset_password(common.database, common.world, token, password)


def test_a_decision_about_a_piece_that_came_too_late_says_so_and_keeps_its_words(
    town: Town, tmp_path: Path
) -> None:
    piece = f"/boards/{town.here.board}/books/pieces/{town.here.piece}"
    mine = {"version": "1", "reason": "Il mio motivo."}
    with town.copy(tmp_path) as client:
        sent = {"version": "1", "reason": "Troppo forte."}
        assert town.ask(client, "overseer", "POST", f"{piece}/return", sent).status_code == 303
        for what in ("return", "approve", "retire"):
            late = town.ask(client, "owner", "POST", f"{piece}/{what}", mine)
            assert late.status_code in (409, 412), what
            assert 'role="alert"' in late.text, what
            assert "Il mio motivo." in text_of(late), what


@pytest.mark.parametrize("seat", ["fantasma", "", "gm"])
def test_nobody_is_away_who_is_not_there(town: Town, tmp_path: Path, seat: str) -> None:
    at = f"/scenes/{town.here.scene.scene_id}/vacations"
    form = {"seat": seat, "begins": "2025-04-10T12:00", "ends": "2025-04-12T12:00"}
    with town.copy(tmp_path) as client:
        before = told_by(tmp_path / "copy.sqlite3")
        assert town.ask(client, "owner", "POST", at, form).status_code == 404
        assert told_by(tmp_path / "copy.sqlite3") == before


@pytest.mark.parametrize("role", ["spectator", "gm", "owner"])
def test_a_refused_invitation_keeps_its_role(town: Town, tmp_path: Path, role: str) -> None:
    form = {"role": role, "uses": "0", "days": "3"}
    with town.copy(tmp_path) as client:
        at = f"/boards/{town.here.board}/invitations"
        refused = town.ask(client, "owner", "POST", at, form)
    assert refused.status_code == 422
    assert f'<option value="{role}" selected>' in refused.text


def test_what_no_button_says_does_nothing(town: Town, tmp_path: Path) -> None:
    here = town.here
    forms: dict[str, dict[str, str]] = {
        f"/boards/{here.board}/books/settings": {"takes": "zzz"},
        f"/boards/{here.board}/desk/{here.scene.scene_id}/1": {
            "do": "frob",
            "note": "Ciao.",
            "version": "0",
            "key": KEY,
        },
        f"/scenes/{here.scene.scene_id}/share": {"do": "frob", "key": KEY},
    }
    with town.copy(tmp_path) as client:
        before = told_by(tmp_path / "copy.sqlite3")
        for path, form in forms.items():
            assert town.ask(client, "owner", "POST", path, form).status_code == 422, path
        assert told_by(tmp_path / "copy.sqlite3") == before


MARKS = (
    "finding.999",
    "finding.²",
    "die.-1",
    "die.x",
    "figure.",
    "figure.__class__",
    "<img src=x>",
)


@pytest.mark.parametrize("mark", MARKS)
def test_a_mark_is_on_a_number_of_the_turn(town: Town, tmp_path: Path, mark: str) -> None:
    at = f"/boards/{town.here.board}/desk/{town.here.scene.scene_id}/1"
    marked = {"marks.0.on": mark, "marks.0.ticked": "true"}
    form = {"do": "return", "version": "0", "key": KEY, **marked}
    with town.copy(tmp_path) as client:
        before = told_by(tmp_path / "copy.sqlite3")
        assert town.ask(client, "owner", "POST", at, form).status_code == 422
        assert told_by(tmp_path / "copy.sqlite3") == before


def test_a_password_that_is_changed_rightly_is_no_failed_log_in(town: Town, tmp_path: Path) -> None:
    with town.copy(tmp_path) as client:
        now = "una password lunga 0"
        password_of(client, "somebody", now)
        logged = town.ask(client, "", "POST", "/login", {"name": "somebody", "password": now})
        cookie = logged.cookies["__Host-arbitro"]
        for count in range(1, 13):
            headers = {"Sec-Fetch-Site": "same-origin", "Cookie": f"__Host-arbitro={cookie}"}
            client.cookies.clear()
            new = f"una password lunga {count}"
            form = {"old": now, "new": new}
            done = client.post("/me/password", data=form, headers=headers, follow_redirects=False)
            assert done.status_code == 303, count
            cookie, now = done.cookies["__Host-arbitro"], new


@pytest.mark.parametrize("email", ["a@@b.c", "a@.", '"<x>"@b.c', "a@b", "a@b..c"])
def test_an_address_of_mail_is_one(town: Town, tmp_path: Path, email: str) -> None:
    with town.copy(tmp_path) as client:
        form = {"name": "somebody", "email": email}
        assert town.ask(client, "somebody", "POST", "/me", form).status_code == 422


def test_a_default_where_nothing_was_due_says_why_it_was_not_applied(
    town: Town, tmp_path: Path
) -> None:
    at = f"/scenes/{town.here.scene.scene_id}/lapse"
    with town.copy(tmp_path) as client:
        for version in ("1", "2"):
            answer = town.ask(client, "player", "POST", at, {"version": version, "key": KEY})
            assert answer.status_code in (409, 412)
            assert 'role="alert"' in answer.text


TURN = "/boards/{board}/desk/{scene}/1"
FORMS_WITH_ANSWERS = {
    "/scenes/{scene}/orders": ({"kind": "set_value"}, "/scenes/{scene}"),
    f"{TURN}/order": ({"kind": "set_value"}, TURN),
    "/boards/{board}/desk/note": ({"text": "x" * 4001}, "/boards/{board}/desk"),
    "/scenes/{scene}/clock/stop": ({"reason": ""}, "/scenes/{scene}/clock"),
    "/boards/{board}/invitations": (
        {"role": "player", "uses": "1", "days": "1"},
        "/boards/{board}",
    ),
}


@pytest.mark.parametrize("path", FORMS_WITH_ANSWERS)
def test_what_answers_a_form_offers_no_address_that_only_takes_forms(
    town: Town, tmp_path: Path, path: str
) -> None:
    places = {"scene": town.here.scene.scene_id, "board": town.here.board}
    form, above = FORMS_WITH_ANSWERS[path]
    with town.copy(tmp_path) as client:
        for role in ("owner", "gm"):  # with an account, and by a link
            answer = town.ask(client, role, "POST", path.format(**places), form)
            if role == "owner":
                assert answer.status_code in (200, 201, 412, 422)
            links = re.findall(r'href="([^"]*)"', answer.text)
            assert not [one for one in links if "lang=" in one]
            asked = [one for one in links if one.startswith("/login")]
            wanted = f"/login?next={above.format(**places).replace('/', '%2F')}"
            if answer.status_code != 404:  # a page that says only that has no such link
                assert asked == ([wanted] if role == "gm" else [])
        page = town.ask(client, "gm", "GET", f"/scenes/{places['scene']}").text
        assert "?lang=en" in page


def test_what_anybody_of_the_board_proposes_is_shown_to_everybody(
    town: Town, tmp_path: Path
) -> None:
    book = f"/boards/{town.here.board}/books"
    with town.copy(tmp_path) as client:
        for role in ROLES[5:]:
            form = {"data.name": f"Lama {role}", "data.supports": "true", "data.ep": "5"}
            sent = {**form, "do": "save", "key": f"key-of-{role}"}
            made = town.ask(client, role, "POST", f"{book}/new?kind=technique", sent)
            assert made.status_code == 303, role
            for reader in ROLES[5:]:
                for path in (made.headers["location"], f"{book}/trail", book):
                    assert town.ask(client, reader, "GET", path).status_code == 200, (role, path)
        told = town.ask(client, "owner", "GET", f"{book}/trail").text
        assert "il giocatore member" in told.lower()
        assert "lo spettatore watcher" in told.lower()


def test_a_master_who_may_not_open_scenes_is_told_who_may(town: Town, tmp_path: Path) -> None:
    board = f"/boards/{town.here.board}"
    with town.copy(tmp_path) as client:
        db = client.app.state.shared.database
        with db.write() as connection:
            connection.execute(update(BoardRow).values(openers="owner"))
        for path in (f"{board}/scenes/new", f"{board}/scenes/new/combat_dice"):
            refused = town.ask(client, "overseer", "GET", path)
            assert refused.status_code == 409
            assert "nelle impostazioni della board" in refused.text
            assert town.ask(client, "member", "GET", path).status_code == 404
            assert town.ask(client, "owner", "GET", path).status_code == 200
        steps = town.ask(client, "overseer", "GET", board).text
        assert f'href="{board}/scenes/new' not in steps


def test_the_trail_says_settings_in_words_and_who_did_what(town: Town, tmp_path: Path) -> None:
    board, scene = f"/boards/{town.here.board}", f"/scenes/{town.here.scene.scene_id}"
    with town.copy(tmp_path) as client:
        page = town.ask(client, "owner", "GET", f"{board}/settings").text
        form = dict(re.findall(r'<input[^>]* name="(name|seal_hours)"[^>]* value="([^"]*)"', page))
        form |= {"openers": "anyone", "joining": "open", "dice": "forum", "language": "it"}
        form |= {"dialect": "guida", "seal_hours": "3", "options.hp_floor": "0"}
        for wrong in ("", "   "):
            refused = town.ask(client, "owner", "POST", f"{board}/settings", form | {"name": wrong})
            assert refused.status_code == 422, wrong
        assert town.ask(client, "owner", "POST", f"{board}/settings", form).status_code == 303
        value = {"kind": "set_value", "combatant": "quincy", "change": "hp", "value": "90"}
        value |= {"by": "gm", "version": "2", "reason": "Era già ferito.", **FORM_KEY}
        done = town.ask(client, "overseer", "POST", f"{scene}/orders", value)
        assert done.status_code == 303
        for role in ("player", "owner"):
            told = town.ask(client, role, "GET", f"{scene}/audit").text
            text = " ".join(re.sub(r"<[^>]+>", " ", told).split())
            assert "Chi può aprire scene, il proprietario e i Master delle scene → chiunque" in text
            assert "Chi può diventare giocatore, chi è invitato → chiunque abbia un account" in text
            assert "→ 3" in text
            assert not re.search(r"seal_hours|openers|joining|hp_floor|gms|anyone", text)
            assert "il Master overseer" in text


def test_what_will_be_taken_back_is_named_before_and_after(town: Town, tmp_path: Path) -> None:
    scene = town.here.scene.scene_id
    with town.copy(tmp_path) as client:
        at = f"/boards/{town.here.board}/desk/{scene}/1"
        for path in (at, f"/scenes/{scene}/gm"):
            page = town.ask(client, "gm", "GET", path).text
            assert re.search(
                rf'Verrà annullata: <a href="/scenes/{scene}/entries/1">1\. Turno', page
            )
        form = {"reason": "Un errore.", "version": "2", **FORM_KEY}
        done = town.ask(client, "gm", "POST", f"{at}/void", form)
        assert done.status_code == 303
        page = town.ask(client, "gm", "GET", done.headers["location"]).text
        assert "è la voce 2 della storia. Annullata la voce 1." in page
        assert "Verrà annullata" not in page
