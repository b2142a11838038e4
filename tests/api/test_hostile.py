"""Whatever bytes are sent, the answer says what is wrong with them; none of them is a failure."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from app.api.openapi import examples_of
from tests.api.conftest import V1, Api
from tests.api.test_examples import OPERATIONS, WITH_BODY

WITH_ACCOUNT = ("give_up_key", "join_board")
PLACES = {
    "board_id": "board",
    "scene_id": "scene-0000000000000000",
    "sheet_id": "sheet",
    "being_id": "being",
    "piece_id": "piece",
    "person_id": "person",
    "invitation_id": "invitation",
    "key_id": "key",
    "number": 1,
    "line": 1,
    "first": 1,
    "last": 1,
    "precedent": 1,
    "case_id": "A-1-1",
    "seat": "hollow",
    "warrior_id": "guerriero",
    "rule_id": "GC-5.3",
}


def bodies() -> dict[str, bytes]:
    """Collect what others were sent, in our own words: syntax, encodings, numbers, texts, size."""
    sound = b'{"order":{"kind":"turn"}}'
    found: dict[str, bytes] = {
        "empty": b"",
        "blanks": b" \t\r\n",
        "nul byte": b"\0",
        "one brace": b"{",
        "cut short": sound[:-1],
        "cut in a text": b'{"title":"Il pon',
        "cut in an escape": b'{"title":"\\u00',
        "two documents": sound + sound,
        "trailing comma": b'{"title":"x",}',
        "comment": b'{/* */"title":"x"}',
        "single quotes": b"{'title':'x'}",
        "bare word": b"turn",
        "null": b"null",
        "true": b"true",
        "a number": b"17",
        "a text": b'"turn"',
        "an empty list": b"[]",
        "an empty object": b"{}",
        "a list of lists": b"[[[]]]",
        "utf-16": '{"title":"x"}'.encode("utf-16"),
        "utf-16 without a mark": '{"title":"x"}'.encode("utf-16-le"),
        "utf-32": '{"title":"x"}'.encode("utf-32"),
        "utf-8 with a mark": b"\xef\xbb\xbf" + sound,
        "latin-1": '{"title":"però"}'.encode("latin-1"),
        "overlong utf-8": b'{"title":"\xc0\xaf"}',
        "surrogate in utf-8": b'{"title":"\xed\xa0\x80"}',
        "gzip": gzip.compress(sound),
        "gzip bomb": gzip.compress(b" " * 10_000_000),
        "form": b"title=x&order=y",
        "multipart": b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--',
        "xml": b"<?xml version='1.0'?><a/>",
        "ten megabytes": b'{"title":"' + b"x" * 10_000_000 + b'"}',
        "just short enough": b'{"title":"' + b"x" * 262_000 + b'"}',
        "many brackets": b"[" * 100_000,
        "many braces": b'{"a":' * 40_000,
        "closed brackets": b"[" * 50_000 + b"]" * 50_000,
        "deeper than allowed": b"[" * 41 + b"]" * 41,
        "many keys": b"{" + b",".join(b'"k%d":0' % n for n in range(20_000)) + b"}",
        "many members": b"[" + b"0," * 100_000 + b"0]",
        "duplicate keys": b'{"title":"a","title":"b"}',
        "escaped duplicate": b'{"title":"a","\\u0074itle":"b"}',
        "empty key": b'{"":1}',
        "nul in a key": b'{"a\\u0000b":1}',
        "surrogate in a key": b'{"\\ud800":1}',
        "dunder key": b'{"__class__":"x","__dict__":{}}',
    }
    values = {
        "NaN": b"NaN",
        "Infinity": b"Infinity",
        "-Infinity": b"-Infinity",
        "2**31": b"2147483648",
        "2**63": b"9223372036854775808",
        "-2**63-1": b"-9223372036854775809",
        "five thousand digits": b"9" * 5_000,
        "five thousand decimals": b"0." + b"3" * 5_000,
        "a great exponent": b"1e400",
        "an enormous exponent": b"1e999999999",
        "a tiny exponent": b"1e-999999999",
        "minus zero": b"-0",
        "a fraction": b"0.5",
        "a leading zero": b"007",
        "a plus": b"+1",
        "hexadecimal": b"0x10",
        "full-width digits": '"７"'.encode(),
        "a zero denominator": b'"1/0"',
        "true": b"true",
        "null": b"null",
        "an object": b'{"a":1}',
        "a nested list": b"[[[[1]]]]",
        "nul in a text": b'"a\\u0000b"',
        "a lone surrogate": b'"\\ud800"',
        "a reversed pair": b'"\\udc00\\ud800"',
        "right to left": b'"Kai\\u202enimdA"',
        "isolates": b'"\\u2066x\\u2069"',
        "line separator": b'"a\\u2028b"',
        "a trailing newline": b'"Kaito\\n"',
        "escape": b'"\\u001b[2J"',
        "ten thousand characters": b'"' + b"x" * 10_000 + b'"',
        "two hundred and fifty-five emoji": b'"' + "🐉".encode() * 255 + b'"',
        "markup": b'"[/b][dice=1d20]x[/dice]<script>"',
        "sql": b'"\'; DROP TABLE scenes; --"',
        "template": b'"{{7*7}}${7*7}{0.__class__}%s%n"',
        "empty": b'""',
    }
    shapes = {
        "as the whole": b"%s",
        "as the title": b'{"title":%s,"name":%s,"setup":%s,"text":%s,"reason":%s,"faces":%s}',
        "in the faces": b'{"faces":[%s],"sheet":{"name":%s,"max_hp":%s},"steps":[%s]}',
        "in the order": b'{"order":{"kind":%s,"by":%s,"defences":[%s]},"narration":{"initial":%s}}',
    }
    for shape_name, shape in shapes.items():
        for name, value in values.items():
            found[f"{name} {shape_name}"] = shape.replace(b"%s", value)
    return found


BODIES = bodies()
HANGING = 2.5  # seconds of work: ten times what an answer may take, and none that others took


def test_the_corpus_is_large_enough() -> None:
    assert len(set(BODIES.values())) >= 100


@pytest.mark.parametrize("name", WITH_BODY)
def test_no_body_makes_an_operation_fail(api: Api, name: str) -> None:
    method, path, _ = OPERATIONS[name]
    table = api.open_scene()
    path = path.format(**{**PLACES, "scene_id": table.id})
    for title, body in BODIES.items():
        began = time.process_time()
        answer = api(method, path, body, secret=api.owner, version=0)
        assert answer.status_code < 500, (title, answer.text)
        assert time.process_time() - began < HANGING, title
        if answer.status_code >= 400:
            told(answer, title)


def told(answer: Any, title: str) -> None:
    """Ask of a refusal that it says what is wrong, in words, and where."""
    assert answer.headers["content-type"] == "application/problem+json", title
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["detail"] == problem["messages"]["it"] != problem["messages"]["en"]
    if problem["code"] == "malformed":
        assert problem["errors"], title
        for wrong in problem["errors"]:
            assert wrong["message"], title
    assert len(answer.content) < 200_000, title


@pytest.mark.parametrize("name", WITH_BODY)
def test_a_field_that_is_not_asked_for_is_refused_and_never_ignored(api: Api, name: str) -> None:
    method, path, _ = OPERATIONS[name]
    table = api.open_scene()
    path = path.format(**{**PLACES, "scene_id": table.id})
    body = {**next(iter(examples_of(name).values())), "is_admin": True}
    answer = api(method, path, body, secret=api.owner, version=0)
    assert answer.status_code == 422
    assert ("is_admin", "unknown_field") in [
        (wrong["field"], wrong["code"]) for wrong in answer.json()["errors"]
    ]


TEXTS = {
    "nul": "a\0b",
    "a lone surrogate": "\ud800",
    "right to left": "Kai\u202enimdA",
    "a trailing newline": "Kaito\n",
    "emoji": "🐉" * 255,
    "long": "x" * 100_000,
    "markup": "[/b][dice=1d20]x[/dice][url=javascript:alert(1)]y[/url]<img src=x onerror=alert(1)>",
    "template": "{{ 7*7 }}{% for x in dadi %}{{ x.__class__ }}{% endfor %}",
}


# In a run of every day each place gets some of the texts, and each text some of the places.
SHARE = 1 if settings.default.max_examples > 100 else 3
UNKEPT = ("nul", "a lone surrogate", "right to left")


def with_text(value: Any, text: str) -> Iterator[Any]:
    """Put a text in the place of each text of an example, one at a time."""
    if isinstance(value, str):
        yield text
    elif isinstance(value, dict):
        for name, part in value.items():
            yield from ({**value, name: new} for new in with_text(part, text))
    elif isinstance(value, list):
        for place, part in enumerate(value[:2]):  # the others are of the same shape
            rest = value[place + 1 :]
            yield from ([*value[:place], new, *rest] for new in with_text(part, text))


@pytest.mark.parametrize("name", WITH_BODY)
def test_no_text_in_any_place_of_a_body_makes_an_operation_fail(api: Api, name: str) -> None:
    method, path, _ = OPERATIONS[name]
    table = api.open_scene()
    path = path.format(**{**PLACES, "scene_id": table.id})
    example = next(iter(examples_of(name).values()))
    for shift, (title, text) in enumerate(TEXTS.items()):
        for place, body in enumerate(with_text(example, text)):
            if (place + shift) % SHARE:
                continue
            sent = json.dumps(body).encode()
            answer = api(method, path, sent, secret=api.owner, version=0)
            assert answer.status_code < 500, (title, answer.text)
            if title in UNKEPT:
                assert answer.status_code >= 400, (title, sent[:200])
            if answer.status_code >= 400:
                told(answer, title)


CONTENT_TYPES = {
    "application/json": True,
    "application/json; charset=utf-8": True,
    'application/json; charset="UTF-8"': True,
    "Application/JSON;charset=UTF8": True,
    "application/json; charset=utf-16": False,
    "application/json; charset=latin-1": False,
    "text/plain": False,
    "text/json": False,
    "application/x-www-form-urlencoded": False,
    "multipart/form-data; boundary=x": False,
    'multipart/form-data; boundary="\\\\' * 40: False,
    ";" * 10_000: False,
    "application/json;" * 1_000: True,
    "": False,
}


@pytest.mark.parametrize(("content_type", "read"), CONTENT_TYPES.items())
def test_only_what_calls_itself_json_in_utf_8_is_read(
    api: Api, content_type: str, read: bool
) -> None:
    answer = api("POST", "/tags/check", b'{"text":""}', Content_Type=content_type)
    assert answer.status_code == (200 if read else 415), answer.text


PARTS = [
    "%00",
    "a%00b",
    "%ff%fe",
    "%ED%A0%80",
    "..%2f..%2fetc%2fpasswd",
    "'%20OR%201=1",
    "9" * 5_000,
    "9223372036854775808",
    "-1",
    "0",
    "1.5",
    "%EF%BC%97",
    "x" * 5_000,
    "%0a",
    "{scene_id}",
    "%E2%80%AE",
]


@pytest.mark.parametrize("name", [name for name, (_, path, _) in OPERATIONS.items() if "{" in path])
def test_no_address_makes_an_operation_fail_and_all_are_equally_unknown(
    api: Api, name: str
) -> None:
    method, path, _ = OPERATIONS[name]
    example = next(iter(examples_of(name).values()), None)
    unknown = api("GET", "/scenes/nothing").content
    for parameter in PLACES:
        for part in PARTS if f"{{{parameter}}}" in path else ():
            address = path.format(**{**PLACES, parameter: part})
            answer = api(method, address, example, secret=api.owner, version=0)
            if name in WITH_ACCOUNT and answer.status_code == 401:
                continue  # a link is no account, whatever it asks for
            assert answer.status_code in (404, 405), (address, answer.text)
            if answer.status_code == 404:
                assert answer.content == unknown, address


@pytest.mark.parametrize("path", ["/scenes", "/scenes/{}", "/scenes/{}/entries", "/rules"])
def test_no_query_makes_an_operation_fail(api: Api, path: str) -> None:
    table = api.open_scene()
    for name in ("after", "limit", "seat", "lang", "nothing"):
        for part in PARTS:
            answer = api("GET", f"{path.format(table.id)}?{name}={part}", secret=api.owner)
            assert answer.status_code < 500, (name, part)
            if answer.status_code >= 400:
                told(answer, f"{name}={part}")


HEADERS = ["", " ", "\x00", "é", "x" * 10_000, '"', '""', '"1', "1", '"01"', '"-1"', "*", 'W/"1"']


@pytest.mark.parametrize("value", [*HEADERS, '"9999999999"', '"1","2"', '"٣"', "%00"])
@pytest.mark.parametrize("header", ["If-Match", "Idempotency-Key", "Accept-Language"])
def test_no_header_makes_an_operation_fail(api: Api, header: str, value: str) -> None:
    table = api.open_scene()
    sent = {
        "Idempotency-Key": "key-00000000",
        "If-Match": '"0"',
        "Content-Type": "application/json",
    }
    raw = {**sent, header: value}
    answer = api.client.post(
        f"{V1}/scenes/{table.id}/orders",
        content=json.dumps(next(iter(examples_of("submit_order").values()))),
        headers=[
            (b"authorization", f"Bearer {table.gm}".encode()),
            *((name.encode(), text.encode("utf-8")) for name, text in raw.items()),
        ],
    )
    assert answer.status_code < 500, answer.text
    if header == "If-Match":
        assert answer.json()["code"] in {"version_missing", "version_malformed", "stale"}


SECRETS = [
    "Bearer",
    "Bearer ",
    "Bearer x",
    "Bearer " + "x" * 43,
    "Bearer " + "x" * 100_000,
    "Bearer \x00" + "x" * 42,
    "Bearer é" + "x" * 42,
    "Basic eDp5",
    "Digest a=b",
    "bearer",
    "",
    ",",
]


@pytest.mark.parametrize("value", SECRETS)
def test_a_secret_that_is_none_is_refused_everywhere(api: Api, value: str) -> None:
    answer = api.client.get(
        f"{V1}/boards/board", headers=[(b"authorization", value.encode("utf-8"))]
    )
    assert (answer.status_code, answer.json()["code"]) == (401, "secret_unknown")
    assert answer.headers["www-authenticate"] == "Bearer"
