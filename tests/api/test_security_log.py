"""What an investigation would ask for is in the log, and nothing that anybody typed is."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import pytest
from fastapi.routing import iter_route_contexts

from app.config import Settings
from app.http import access_log
from app.http.access_log import speak
from app.http.security_log import EVENTS
from app.main import create_app
from app.services.people import reset_link
from tests.api.conftest import BASE, Api, Browser, Table, signed_up

PASSWORD = "quattro parole qualunque"
LINE = re.compile(
    r"(?P<event>\w+) (?P<how>done|refused|failed) who=(?P<who>\S+) from=(?P<from>\S+) "
    r"board=(?P<board>\S+) (?P<method>[A-Z]+) (?P<place>\S+) (?P<status>\d+|unanswered)"
)


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[list[re.Match[str]]]:
    """Gather the lines about security as they are written."""
    found: list[re.Match[str]] = []

    class Gather(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            line = LINE.fullmatch(record.getMessage())
            assert line is not None, record.getMessage()
            found.append(line)

    caplog.set_level(logging.INFO, "arbitro")
    log, handler = logging.getLogger("arbitro.security"), Gather()
    log.addHandler(handler)
    yield found
    log.removeHandler(handler)


def told(lines: list[re.Match[str]]) -> list[tuple[str, str, str]]:
    """Give event, outcome and person of every line, and forget them."""
    given = [(line["event"], line["how"], line["who"].split(",")[0]) for line in lines]
    lines.clear()
    return given


def post(api: Api, path: str, somebody: Browser | None = None, **form: str) -> int:
    """Send a form of a page of ours; give the status of the answer."""
    how = {"Sec-Fetch-Site": "same-origin"}
    if somebody is not None:
        how["Cookie"] = somebody.how()["Cookie"]
    answer = api.client.post(path, data=form, headers=how, follow_redirects=False)
    if somebody is not None:
        somebody.how()
    api.client.cookies.clear()
    return answer.status_code


def test_every_event_is_that_of_a_route() -> None:
    app = create_app(Settings(database_url="sqlite:///unused.db"))
    routes = {
        f"{method} {getattr(route, 'path_format', '')}"
        for route in iter_route_contexts(app.routes)
        for method in route.methods or ()
    }
    assert EVENTS.keys() <= routes


def test_coming_in_and_going_out_are_logged(api: Api, lines: list[re.Match[str]]) -> None:
    rin = signed_up(api, "Rin")
    me = f"person:{rin.person}"
    assert post(api, "/login", name="Rin", password="un'altra cosa del tutto") == 422
    assert told(lines) == [("log_in", "failed", "-")]
    assert post(api, "/login", name="Rin", password=PASSWORD) == 303
    assert told(lines) == [("log_in", "done", me)]
    new = "cinque altre parole qualunque"
    assert post(api, "/me/password", rin, old="sbagliata del tutto", new=new) == 422
    assert post(api, "/me/password", rin, old=PASSWORD, new=new) == 303
    assert told(lines) == [("password_changed", "failed", me), ("password_changed", "done", me)]
    assert post(api, "/logout", rin) == 303
    assert told(lines) == [("log_out", "done", me)]
    token = reset_link(api.client.app.state.shared.database, api.world, "Rin")
    assert post(api, f"/reset/{token}", new=PASSWORD) == 303
    assert post(api, f"/reset/{token}", new=PASSWORD) == 404
    assert told(lines) == [("password_reset", "done", me), ("password_reset", "refused", "-")]
    assert post(api, "/signup", name="Sol", password=PASSWORD) == 303
    assert [event for event, _, _ in told(lines)] == ["sign_up"]


def test_guessing_is_logged_as_refused(api: Api, lines: list[re.Match[str]]) -> None:
    statuses = [post(api, "/login", name="Rin", password="sbagliata " * 2) for _ in range(11)]
    assert statuses[-1] == 429
    assert told(lines)[-1] == ("log_in", "refused", "-")


def test_roles_and_keys_that_change_are_logged(
    api: Api, table: Table, lines: list[re.Match[str]]
) -> None:
    rin, sol = signed_up(api, "Rin"), signed_up(api, "Sol")
    board = rin("POST", "/boards", {"name": "Karakura"}).json()["board_id"]
    made = rin("POST", f"/boards/{board}/invitations", {"role": "player"}).json()
    sol("POST", "/invitations/accept", {"secret": made["secret"]})
    rin("PUT", f"/boards/{board}/members/{sol.person}", {"role": "gm"})
    assert [line["board"] for line in lines] == ["-", board, "-", board]
    assert told(lines) == [
        ("board_made", "done", f"person:{rin.person}"),
        ("invitation_made", "done", f"person:{rin.person}"),
        ("invitation_accepted", "done", f"person:{sol.person}"),
        ("role_changed", "done", f"person:{rin.person}"),
    ]
    api("POST", f"/scenes/{table.id}/links/seat/hollow", secret=table.gm)
    api("DELETE", f"/scenes/{table.id}/links/seat/hollow", secret=table.gm)
    assert [event for event, _, _ in told(lines)] == ["link_made", "link_revoked"]


def test_refused_access_is_logged_with_who_was_refused(
    api: Api, table: Table, lines: list[re.Match[str]]
) -> None:
    rin = signed_up(api, "Rin")
    assert rin("GET", f"/scenes/{table.id}/links").status_code == 404
    assert told(lines) == [("access", "refused", f"person:{rin.person}")]
    assert api("GET", "/boards/board", secret="x" * 43).status_code == 401
    assert api("GET", f"/scenes/{table.id}/links", secret=table.seats["hollow"]).status_code == 404
    assert [how for _, how, _ in told(lines)] == ["refused"] * 2
    crossed = api.client.post("/logout", headers={"Sec-Fetch-Site": "cross-site"})
    assert (crossed.status_code, told(lines)) == (403, [("access", "refused", "-")])
    assert api.client.get("/nothing").status_code == 404
    assert api("GET", "/boards/board").status_code == 200
    assert told(lines) == []


@pytest.mark.parametrize(
    "host", ["1.2.3.4\nlog_in done", "x y", "<script>", "\x1b[31m", "1.2.3.4 who=person:rin"]
)
def test_nothing_that_comes_from_outside_can_write_a_line_of_its_own(
    api: Api, caplog: pytest.LogCaptureFixture, host: str
) -> None:
    caplog.set_level(logging.INFO, "arbitro")
    headers = {"X-Forwarded-For": host.encode().hex(), "User-Agent": "x"}
    for path in ("/scenes/a%0Alog_in%20done", "/boards/a%0d%0ab", "/k/a%1b%5b31m", "/%0a"):
        api.client.get(path, headers=headers)
    api.client.request("GE\tT", "/") if host.isprintable() else None
    for record in caplog.records:
        if record.name.startswith("arbitro"):
            assert record.getMessage().isprintable(), record.getMessage()


def test_a_line_says_its_time_in_utc(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging.Logger, "hasHandlers", lambda _: False)
    log = logging.getLogger("arbitro")
    before, level = log.handlers[:], log.level
    try:
        speak()
        (ours,) = [one for one in log.handlers if one not in before]
        record = access_log.LOG.makeRecord("arbitro.access", logging.INFO, "", 1, "x", (), None)
        record.created, record.msecs = 1_800_000_000.25, 250.0
        assert ours.format(record) == "2027-01-15T08:00:00.250Z INFO arbitro.access x"
    finally:
        log.handlers[:] = before
        log.setLevel(level)


def test_no_line_holds_what_was_typed(api: Api, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "arbitro")
    typed = "parola-canarino-0123456789"
    for path in ("/login", "/signup", "/me", "/me/password", f"/reset/{typed}", f"/k/{typed}"):
        post(api, path, name=typed, password=typed, email=f"{typed}@example.org", new=typed)
    for path in (f"/feeds/{typed}.atom", f"/mail/{typed}", f"/s/{typed}", f"/i/{typed}"):
        api.client.get(f"{path}?next={typed}", headers={"Origin": BASE})
    ours = [one.getMessage() for one in caplog.records if one.name.startswith("arbitro")]
    assert len(ours) > 10
    assert [line for line in ours if typed in line] == []
