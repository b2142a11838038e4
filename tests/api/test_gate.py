"""What every request passes before a route sees it, and every answer before it leaves."""

import logging
import time
from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from sqlalchemy.exc import IntegrityError
from starlette.testclient import TestClient

from app.config import LARGEST_BODY, Settings
from app.http.access_log import WithoutSecrets
from app.main import create_app

CHECK = "/api/v1/tags/check"
SECRET = "canary-9f3a7c51e2-canary-9f3a7c51e2"


@pytest.fixture
def app(sqlite_url: str) -> FastAPI:
    """Put an application together that is not started, so that nothing touches a database."""
    return create_app(Settings(database_url=sqlite_url, base_url="https://arbitro.example"))


@pytest.fixture
def client(app: FastAPI) -> TestClient:
    """Call the application."""
    return TestClient(app, base_url="https://arbitro.example", raise_server_exceptions=False)


def failing(app: FastAPI) -> None:
    """Give the application a page that fails with a secret in its message."""

    @app.get("/api/failing")
    async def fail() -> None:
        raise RuntimeError("nobody foresaw this")


# ------------------------------------------------------------------------------------- headers

ADDRESSES = [
    ("GET", "/api/docs", 200),
    ("GET", "/api/v1/openapi.json", 200),
    ("GET", "/static/vendor/swagger-ui.css", 200),
    ("GET", "/static/nothing", 404),
    ("GET", "/api/nothing", 404),
    ("GET", "/nothing", 404),
    ("DELETE", CHECK, 405),
    ("GET", "/api/failing", 500),
    ("POST", CHECK, 413),
]


@pytest.mark.parametrize(("method", "path", "status"), ADDRESSES)
def test_every_answer_keeps_foreign_hosts_and_referrers_out(
    app: FastAPI, client: TestClient, method: str, path: str, status: int
) -> None:
    failing(app)
    body = b"x" * (LARGEST_BODY + 1) if status == 413 else b""
    answer = client.request(method, path, content=body)
    assert answer.status_code == status
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["strict-transport-security"]
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_only_files_may_be_kept_by_a_browser(client: TestClient) -> None:
    assert client.get("/api/docs").headers["cache-control"] == "no-store"
    first = client.get("/static/vendor/swagger-ui.css")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get(
        "/static/vendor/swagger-ui.css", headers={"If-None-Match": first.headers["etag"]}
    )
    assert again.status_code == 304


def test_without_tls_no_browser_is_told_to_insist_on_it(sqlite_url: str) -> None:
    plain = TestClient(create_app(Settings(database_url=sqlite_url)))
    assert "strict-transport-security" not in plain.get("/api/docs").headers


def test_no_origin_is_granted_anything(client: TestClient) -> None:
    asked = {
        "Origin": "https://forum.example",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    answer = client.options(CHECK, headers=asked)
    assert not [name for name in answer.headers if name.startswith("access-control")]


# -------------------------------------------------------------------------------------- bodies


def too_long() -> Iterator[bytes]:
    """Send a body piece by piece, without saying how long it will be."""
    for _ in range(LARGEST_BODY // 1024 + 1):
        yield b" " * 1024


@pytest.mark.parametrize("body", [b" " * (LARGEST_BODY + 1), too_long()], ids=["told", "untold"])
@pytest.mark.parametrize("path", [CHECK, "/tags", "/k/x"])
def test_a_body_that_is_too_long_is_refused_before_it_is_read(
    client: TestClient, body: bytes | Iterator[bytes], path: str
) -> None:
    answer = client.post(path, content=too_long() if not isinstance(body, bytes) else body)
    assert answer.status_code == 413
    assert "256" in answer.text


def test_the_longest_body_is_read(client: TestClient) -> None:
    body = b'{"text":""}'.ljust(LARGEST_BODY)
    answer = client.post(CHECK, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 200


@pytest.mark.parametrize("length", ["9" * 30, "-1", "²", "1e3", ""])
def test_no_content_length_brings_the_gate_down(client: TestClient, length: str) -> None:
    headers = {"Content-Length": length.encode("latin-1")}
    answer = client.request("POST", CHECK, headers=headers, content=None)
    assert answer.status_code in {413, 415}


def test_a_compressed_body_is_refused_without_being_inflated(client: TestClient) -> None:
    answer = client.post(CHECK, content=b"\x1f\x8b", headers={"Content-Encoding": "gzip"})
    assert (answer.status_code, answer.json()["code"]) == (415, "encoding_unsupported")


# ------------------------------------------------------------------------------ other sites

COOKIE = {"Cookie": "__Host-arbitro=abcdefghijklmnopqrstuvwxyz"}


@pytest.mark.parametrize(
    ("headers", "may"),
    [
        ({}, True),
        (COOKIE, False),
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "same-site"}, False),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://arbitro.example"}, False),
        ({"Sec-Fetch-Site": ""}, False),
        ({"Origin": "https://arbitro.example"}, True),
        ({"Origin": "https://ARBITRO.example"}, True),
        ({"Origin": "https://arbitro.example.evil.test"}, False),
        ({"Origin": "http://arbitro.example"}, False),
        ({"Origin": "null"}, False),
        ({"Origin": ""}, False),
    ],
)
@pytest.mark.parametrize("cookie", [{}, COOKIE], ids=["", "cookie"])
def test_a_page_of_another_site_changes_nothing(
    client: TestClient, headers: dict[str, str], may: bool, cookie: dict[str, str]
) -> None:
    if cookie and not headers:
        may = False  # with a cookie, a request must say where it comes from
    answer = client.post("/api/docs", headers={**cookie, **headers})
    assert answer.json()["code"] == ("method_not_allowed" if may else "cross_site")


@pytest.mark.parametrize("header", ["Authorization", "X-API-Key"])
def test_who_presents_a_secret_may_come_from_anywhere(client: TestClient, header: str) -> None:
    headers = {**COOKIE, "Origin": "https://forum.example", header: "Bearer x"}
    assert client.post("/api/docs", headers=headers).status_code == 405


def test_reading_is_free_to_every_site(client: TestClient) -> None:
    answer = client.get("/api/docs", headers={**COOKIE, "Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200


# -------------------------------------------------------------------------------- methods, HEAD


@pytest.mark.parametrize(
    ("method", "path", "allow"),
    [
        ("DELETE", "/api/v1/boards/board", "GET, PATCH"),
        ("POST", "/api/v1/scenes/x", "GET"),
        ("PUT", "/api/v1/scenes/x/links/seat/a", "DELETE, POST"),
        ("OPTIONS", "/api/v1/boards/board", "GET, PATCH"),
        ("POST", "/static/vendor/swagger-ui.css", "GET, HEAD"),
        ("POST", "/api/docs", "GET"),
    ],
)
def test_a_method_that_is_not_answered_says_which_are(
    client: TestClient, method: str, path: str, allow: str
) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"] == allow


def test_head_is_get_without_the_body(client: TestClient) -> None:
    get, head = client.get("/api/docs"), client.head("/api/docs")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == get.headers["content-length"]
    assert client.head("/api/nothing").status_code == 404


def test_a_trailing_slash_is_another_address(client: TestClient) -> None:
    assert client.get("/api/docs/").status_code == 404
    assert client.get("https://arbitro.example//evil.test/").status_code == 404


# ----------------------------------------------------------------------------- failing, logging


def test_what_nobody_foresaw_is_logged_and_answered_without_a_word_of_it(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    failing(app)
    answer = client.get("/api/failing?lang=en")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
    assert answer.headers["content-type"] == "application/problem+json"
    assert "foresaw this" not in answer.text
    assert "nobody foresaw this" in caplog.text


def test_a_failed_statement_is_logged_without_its_values(
    app: FastAPI, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    @app.get("/api/failing")
    async def fail() -> None:
        try:
            raise IntegrityError("INSERT INTO secrets VALUES (?)", (SECRET,), Exception("twice"))
        except IntegrityError as error:
            raise RuntimeError("so it went") from error

    assert client.get("/api/failing").status_code == 500
    assert "INSERT INTO secrets" in caplog.text
    assert SECRET not in caplog.text


def test_in_debug_mode_it_is_the_server_that_shows_the_failure(sqlite_url: str) -> None:
    app = create_app(Settings(database_url=sqlite_url, debug=True))
    failing(app)
    with pytest.raises(RuntimeError, match="nobody foresaw"):
        TestClient(app).get("/api/failing")


@pytest.mark.parametrize(
    "path",
    [f"/k/{SECRET}", f"/k/{SECRET}/", f"/nothing/{SECRET}", f"/api/docs?key={SECRET}"],
)
def test_the_access_log_names_the_page_and_never_the_address(
    client: TestClient, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    caplog.set_level(logging.DEBUG)
    client.get(path, headers={"Cookie": f"__Host-other={SECRET}"})
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("arbitro")]
    assert len(ours) == 1
    assert ours[0].startswith("GET ")
    assert SECRET not in "".join(ours)


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        (f"/k/{SECRET}?lang=en", "/k/…?lang=en"),
        (f"/i/{SECRET}", "/i/…"),
        (f"/reset/{SECRET}", "/reset/…"),
        (f"/feeds/{SECRET}.atom", "/feeds/…"),
        (f"/mail/{SECRET}/stop", "/mail/…"),
        (f"/s/{SECRET}", "/s/…"),
        (f"/api/v1/summaries/{SECRET}", "/api/v1/summaries/…"),
        (f"/login/oidc/callback?code={SECRET}&state={SECRET}", "/login/oidc/callback?…"),
    ],
)
def test_a_server_that_logs_whole_addresses_is_kept_from_the_secret_in_them(
    path: str, kept: str
) -> None:
    record = logging.LogRecord(
        "uvicorn.access",
        logging.INFO,
        __file__,
        1,
        '%s - "%s %s HTTP/%s" %d',
        ("127.0.0.1:1", "GET", path, "1.1", 200),
        None,
    )
    assert WithoutSecrets().filter(record)
    assert SECRET not in record.getMessage()
    assert kept in record.getMessage()


# ------------------------------------------------------------------- headers that cost nothing

HEADERS = {
    "boundary": {"Content-Type": 'multipart/form-data; boundary="' + "\\\\" * 4_000},
    "parameters": {"Content-Type": "application/json" + "; a=b" * 3_000},
    "ranges": {"Range": "bytes=" + ",".join(["0-0"] * 5_000)},
    "accept": {"Accept-Language": ",".join(["it;q=0.5"] * 3_000)},
    "cookies": {"Cookie": "; ".join(["a=b"] * 3_000)},
    "etags": {"If-None-Match": ",".join(['"x"'] * 5_000)},
}


@pytest.mark.parametrize("name", HEADERS)
@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/static/vendor/swagger-ui.css"), ("POST", CHECK)]
)
def test_no_header_keeps_the_service_busy(
    client: TestClient, method: str, path: str, name: str
) -> None:
    client.get("/static/nothing")  # the first call of all puts the routes together
    began = time.process_time()
    answer = client.request(method, path, headers=HEADERS[name], content=b"{}")
    assert answer.status_code < 500
    assert time.process_time() - began < 1.0  # ten times what is allowed (RELIABILITY 73)
