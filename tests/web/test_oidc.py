"""Logging in by another service: who it vouches for, and everything that is refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc.jwk import OctKey, RSAKey
from sqlalchemy import text

from app.integrations.oidc import Provider
from tests.support.provider import CLIENT, ISSUER, SECRET, FakeProvider
from tests.web.conftest import Client
from tests.web.test_accounts import elsewhere, log_in, sign_up

CALLBACK = "https://arbitro.example/login/oidc/callback"


@pytest.fixture
def fake(client: Client) -> FakeProvider:
    """Let the service know a provider that is in this process."""
    fake = FakeProvider()
    provider = Provider(ISSUER, CLIENT, SECRET, CALLBACK)
    provider.transport = fake.transport()
    state = client.site.app.state
    settings = state.shared.settings.model_copy(
        update={"oidc_issuer": ISSUER, "oidc_name": "Il Forum"}
    )
    state.shared = replace(state.shared, oidc=provider, settings=settings)
    return fake


def sent(client: Client, fake: FakeProvider, back: str = "") -> dict[str, str]:
    """Go to the provider, say yes there; give what it sends back."""
    params = {"next": back} if back else {}
    answer = client.http.get("/login/oidc", params=params, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    assert parse_qs(urlsplit(answer.headers["location"]).query)["redirect_uri"] == [CALLBACK]
    return fake.authorize(answer.headers["location"])


def come_back(client: Client, given: dict[str, str]) -> Any:
    """Come back from the provider."""
    return client.http.get("/login/oidc/callback", params=given, follow_redirects=False)


def count(client: Client) -> tuple[int, int]:
    """Count accounts and sessions."""
    with client.site.db.read() as connection:
        return tuple(
            connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name in ("people", "sessions")
        )


def test_a_person_is_made_once_and_known_again(client: Client, fake: FakeProvider) -> None:
    assert "Accedi con Il Forum" in client.http.get("/login").text
    answer = come_back(client, sent(client, fake, "/boards/new"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/boards/new")
    assert "Rin" in client.http.get("/me").text
    other = elsewhere(client)
    fake.claims = {"preferred_username": "Un altro nome"}
    assert come_back(other, sent(other, fake)).headers["location"] == "/"
    assert "Rin" in other.http.get("/me").text
    assert count(client) == (1, 2)
    assert all(address.startswith(ISSUER) for address in fake.seen)


def test_a_name_that_somebody_has_gets_a_number(client: Client, fake: FakeProvider) -> None:
    sign_up(elsewhere(client), "Rin", email="rin@example.org")
    fake.claims = {"preferred_username": "Rin", "email": "rin@example.org"}
    come_back(client, sent(client, fake))
    page = client.http.get("/me").text
    assert "Rin 2" in page  # an address is not what an account is found by
    assert "rin@example.org" not in page


@pytest.mark.parametrize("name", ["", "@", "rin@example.org", "a" * 300, "\u202eniR\0", None])
def test_any_name_makes_an_account(client: Client, fake: FakeProvider, name: str | None) -> None:
    fake.claims = {"preferred_username": name}
    assert come_back(client, sent(client, fake)).status_code == 303
    assert client.http.get("/me").url.path == "/me"


def test_who_is_logged_in_links_the_identity(client: Client, fake: FakeProvider) -> None:
    sign_up(client, "Sol")
    come_back(client, sent(client, fake))
    other = elsewhere(client)
    come_back(other, sent(other, fake))
    assert "Sol" in other.http.get("/me").text
    assert count(client)[0] == 1


def test_the_cookie_changes_and_that_of_the_way_is_gone(client: Client, fake: FakeProvider) -> None:
    sign_up(client, "Sol")
    before = client.http.cookies["__Host-arbitro"]
    given = sent(client, fake)
    assert client.http.cookies["__Host-arbitro-oidc"]
    come_back(client, given)
    assert client.http.cookies["__Host-arbitro"] != before
    assert "__Host-arbitro-oidc" not in client.http.cookies
    assert come_back(client, given).status_code == 422  # the same answer once more


def wrong_key(fake: FakeProvider) -> None:
    """Sign with a key that is not the published one."""
    fake.key = RSAKey.generate_key(2048, {"kid": "one"})


def symmetric(fake: FakeProvider) -> None:
    """Sign with the secret that the client knows too."""
    fake.key, fake.algorithm = OctKey.import_key(SECRET * 3), "HS256"


LIES: dict[str, Callable[[FakeProvider], object]] = {
    "nonce": lambda fake: fake.lies.update(nonce="another"),
    "no nonce": lambda fake: fake.lies.update(nonce=None),
    "audience": lambda fake: fake.lies.update(aud="somebody-else"),
    "audiences without ours": lambda fake: fake.lies.update(aud=["x", "y"]),
    "authorised party": lambda fake: fake.lies.update(aud=[CLIENT, "x"], azp="x"),
    "issuer": lambda fake: fake.lies.update(iss="https://evil.example"),
    "expired": lambda fake: fake.lies.update(exp=int(time.time()) - 3600),
    "no expiry": lambda fake: fake.lies.update(exp=None),
    "no subject": lambda fake: fake.lies.update(sub=None),
    "empty subject": lambda fake: fake.lies.update(sub=""),
    "signature": wrong_key,
    "no signature": lambda fake: setattr(fake, "algorithm", "none"),
    "symmetric": symmetric,
}


@pytest.mark.parametrize("lie", LIES)
def test_what_is_not_vouched_for_is_refused(client: Client, fake: FakeProvider, lie: str) -> None:
    LIES[lie](fake)
    answer = come_back(client, sent(client, fake))
    assert answer.status_code == 422, lie
    assert "non ha confermato chi sei" in answer.text
    assert count(client) == (0, 0)


def test_an_answer_for_another_browser_is_refused(client: Client, fake: FakeProvider) -> None:
    given = sent(client, fake)
    victim = elsewhere(client)
    assert come_back(victim, given).status_code == 422  # nobody sent this browser
    sent(victim, fake)
    assert come_back(victim, given).status_code == 422
    for spoilt in ({"state": "x"}, {"code": "stolen"}, {"iss": "https://evil.example"}):
        assert come_back(client, {**sent(client, fake), **spoilt}).status_code == 422
    refused = {"error": "access_denied", "state": sent(client, fake)["state"]}
    assert come_back(client, refused).status_code == 422
    assert count(client) == (0, 0)


@pytest.mark.parametrize(
    "spoil",
    [
        lambda fake: setattr(fake, "down", True),
        lambda fake: fake.metadata.update(issuer="https://evil.example"),
        lambda fake: fake.metadata.update(token_endpoint=None),
    ],
    ids=["down", "another issuer", "incomplete"],
)
def test_a_provider_that_fails_is_said_so(
    client: Client, fake: FakeProvider, spoil: Callable[[FakeProvider], object]
) -> None:
    spoil(fake)
    answer = client.http.get("/login/oidc", follow_redirects=False)
    assert answer.status_code == 422
    assert "non risponde come dovrebbe" in answer.text
    sign_up(client)
    assert log_in(elsewhere(client)).status_code == 200  # passwords still do


def test_a_closed_service_makes_no_account_for_whom_a_provider_vouches(
    client: Client, fake: FakeProvider
) -> None:
    state = client.site.app.state
    closed = state.shared.settings.model_copy(update={"sign_up": "invitation"})
    state.shared = replace(state.shared, settings=closed)
    answer = come_back(client, sent(client, fake))
    assert answer.status_code == 422
    assert "solo con un invito" in answer.text
    assert count(client) == (0, 0)


def test_without_a_provider_there_is_no_such_page(client: Client) -> None:
    assert "Accedi con" not in client.http.get("/login").text
    for path in ("/login/oidc", "/login/oidc/callback"):
        assert client.http.get(path).status_code == 404
