"""In which language a request is answered."""

import pytest
from starlette.requests import Request

from app.http.language import accepted, language_of


def request(query: str = "", cookie: str = "", header: str = "") -> Request:
    """Make the request of a reader."""
    headers = [(b"cookie", cookie.encode()), (b"accept-language", header.encode())]
    return Request({"type": "http", "query_string": query.encode(), "headers": headers})


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "it"),
        ("en", "en"),
        ("EN-gb", "en"),
        ("fr, de;q=0.9", "it"),
        ("fr, en;q=0.2", "en"),
        ("en;q=0.5, it;q=0.9", "it"),
        ("en;q=0, it;q=0", "it"),
        ("*", "it"),
        ("en;q=2", "it"),
        ("en" * 100_000, "it"),
        ("en;q=" + "9" * 5_000, "it"),
        ("\x00, en", "en"),
    ],
)
def test_the_header_chooses_among_our_languages_and_italian_is_the_default(
    header: str, language: str
) -> None:
    assert accepted(header) == language


def test_the_address_comes_before_the_cookie_and_the_cookie_before_the_header() -> None:
    assert language_of(request("lang=en", "lang=it", "it")) == "en"
    assert language_of(request("", "lang=en", "it")) == "en"
    assert language_of(request("lang=xx", "lang=yy", "en")) == "en"
