"""A ledger checked in the browser: the vectors, the same findings as the service, and the page."""

from __future__ import annotations

import base64
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.services.ledger_check import check_ledger
from tests.support import vectors
from tests.support.ledgers import D20, SALTS, Ledger, forum, long, short
from tests.support.spoilt import garbled, spoilt
from tests.support.tampering import ATTACKS
from tests.web.conftest import Client, Visitor

VECTORS = json.loads(vectors.PATH.read_text(encoding="utf-8"))
# Works every vector out again, and gives what came out in the shape of the file.
RECKON = """async (given) => {
  const pbf1 = await import("/static/js/pbf1.js");
  const { hexOf, fromHex } = pbf1;
  const again = (name, work) =>
    Promise.all(given[name].map(async (row) => ({ ...row, ...(await work(row)) })));
  const { match, links, top } = given.chain;
  let seed = fromHex(top);
  const seeds = [seed];
  for (let number = links; number > 0; number -= 1) {
    seed = await pbf1.seedBefore(match, number, seed);
    seeds.unshift(seed);
  }
  const thrown = async (key, dice) => {
    const face = await pbf1.diceOf(key);
    const shown = ({ place, sides, faces }) =>
      Promise.all(faces.map((_, die) => face(place, die, sides)));
    return Promise.all(dice.map(async (one) => ({ ...one, faces: await shown(one) })));
  };
  return {
    ...given,
    chain: { ...given.chain, seeds: seeds.slice(0, 3).map(hexOf) },
    encode: await again("encode", ({ parts }) => ({ bytes: hexOf(pbf1.encode(...parts)) })),
    digest: await again("digest", async ({ parts }) => ({
      digest: hexOf(await pbf1.digest(...parts)),
    })),
    mac: await again("mac", async ({ key, parts }) => ({
      mac: hexOf(await pbf1.mac(fromHex(key), ...parts)),
    })),
    faces: await again("faces", async ({ key, place, index, sides }) => ({
      face: await (await pbf1.diceOf(fromHex(key)))(place, index, sides),
    })),
    mix: await again("mix", ({ salts }) => ({ mix: hexOf(pbf1.mixOf(Object.entries(salts))) })),
    rolls: await again("rolls", async (row) => {
      const mix = pbf1.mixOf(Object.entries(row.salts));
      const key = await pbf1.rollKey(fromHex(row.seed), row.match, row.r, mix, row.beacon);
      return { key: hexOf(key), dice: await thrown(key, row.dice) };
    }),
    seal: await again("seal", async (row) => ({
      seal: await pbf1.sealOf(row.match, row.seat, row.salt),
    })),
    turn: await again("turn", async (row) => ({
      turn: await pbf1.turnDigest(row.match, row.entry, row.request),
    })),
    sealed: await again("sealed", async (row) => ({
      sealed: await pbf1.sealedDigest(row.match, fromHex(row.nonce), row.payload),
    })),
    hidden: await again("hidden", async (row) => ({
      commitment: await pbf1.hiddenCommitment(row.match, row.q, fromHex(row.secret)),
    })),
    head: await again("head", async (row) => ({
      head: await pbf1.nextHead(row.before, row.line),
    })),
  };
}"""
CHECK = """async (ledgers) => {
  const { checkLedger } = await import("/static/js/ledger.js");
  const found = [];
  for (const [data, head] of ledgers) {
    const bytes = Uint8Array.from(atob(data), (one) => one.charCodeAt(0));
    const { ok, counts, heads, faults } = await checkLedger(bytes, head);
    found.push({ ok, counts, heads, faults });
  }
  return found;
}"""


def ledgers() -> Iterator[tuple[str, bytes, str | None]]:
    """Give sound ledgers, attacked ones, spoilt ones and garbled ones, each with a head."""
    for ledger in (short(), long(), forum()):
        yield "sound", ledger.data, ledger.head
        yield "without a head", ledger.data, None
    for name, attack in ATTACKS.items():
        yield name, attack(short()).data, short().head
        yield name, attack(short()).data, None
    for one in spoilt():
        yield one.code, one.data, one.head
    for seed in range(200):
        ledger = garbled(random.Random(seed))
        yield f"garbled {seed}", ledger.data, ledger.head


def found_in(data: bytes, head: str | None) -> dict[str, Any]:
    """Say what the service finds, as the browser says it."""
    report = check_ledger(data, head)
    faults = [{"line": one.line, "code": one.code, "facts": one.facts} for one in report.faults]
    return {
        "ok": report.ok,
        "counts": report.counts,
        "heads": list(report.heads),
        "faults": faults,
    }


@pytest.fixture
def page(visitor: Visitor) -> Page:
    """Open the page as somebody who has no link."""
    page = visitor()
    page.goto("/verify")
    return page


def _without_results(given: Any) -> Any:
    """Blank every result, so that none can come out because it went in."""
    results = {
        "bytes",
        "digest",
        "mac",
        "face",
        "mix",
        "seal",
        "turn",
        "sealed",
        "commitment",
        "head",
    }
    if isinstance(given, list):
        return [_without_results(one) for one in given]
    if not isinstance(given, dict) or "lines" in given:
        return given
    blank = {name: None for name in results & set(given) if not isinstance(given[name], list)}
    return {name: _without_results(one) for name, one in given.items()} | blank


def check(page: Page, data: bytes, head: str) -> None:
    """Choose a file, type a head and press the button."""
    file = {"name": "ledger.jsonl", "mimeType": "application/jsonl", "buffer": data}
    page.locator("#ledger").set_input_files([file])
    page.locator("#head").fill(head)
    page.locator("[data-verify] button").click()


# ----------------------------------------------------------------------------- the modules


def test_the_vectors_come_out_in_the_browser_the_rejected_word_included(page: Page) -> None:
    assert any(row["place"] == 187_065 and row["face"] == 4_563 for row in VECTORS["faces"])
    assert page.evaluate(RECKON, _without_results(VECTORS)) == VECTORS


def test_the_ledgers_of_the_vectors_pass_in_the_browser(page: Page) -> None:
    given = [("\n".join([*one["lines"], ""]).encode(), one["head"]) for one in VECTORS["ledgers"]]
    found = page.evaluate(CHECK, [(base64.b64encode(data).decode(), head) for data, head in given])
    assert [one["ok"] for one in found] == [True, True]


def test_the_browser_finds_in_any_ledger_what_the_service_finds(page: Page) -> None:
    given = list(ledgers())
    sent = [(base64.b64encode(data).decode(), head) for _, data, head in given]
    found = page.evaluate(CHECK, sent)
    assert len(found) > 300
    differing = [
        name
        for (name, data, head), one in zip(given, found, strict=True)
        if one != found_in(data, head)
    ]
    assert differing == []
    assert [one["ok"] for one in found[:4]] == [True, False, True, False]


# -------------------------------------------------------------------------------- the page


@pytest.mark.parametrize(
    ("locale", "verdict", "roll"),
    [("it", "Tutto torna.", "Tiro 1"), ("en", "Everything fits.", "Roll 1")],
)
def test_an_untampered_ledger_passes_in_both_languages(
    visitor: Visitor, locale: str, verdict: str, roll: str
) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    ledger = short()
    check(page, ledger.data, ledger.head)
    expect(page.get_by_role("status").filter(has_text=verdict)).to_be_visible()
    row = page.get_by_role("row").filter(
        has=page.get_by_role("rowheader", name=re.compile(f"^{roll} "))
    )
    expect(row).to_have_count(1)
    expect(row).to_contain_text("Attacco 1d20 → ")
    expect(row).to_contain_text("fuoco» 🎲 3d6 → ")
    expect(page.get_by_role("row")).to_have_count(6)
    expect(page.get_by_text(ledger.salts["hollow"])).to_be_visible()
    expect(page.locator("[data-slot=heads] li")).to_have_count(12)


@pytest.mark.parametrize(
    ("locale", "sentence"),
    [
        ("it", "Riga 7: Al posto 0 si legge"),
        ("en", "Line 7: Place 0 says"),
    ],
)
def test_a_tampered_ledger_is_caught_and_the_line_is_named(
    visitor: Visitor, locale: str, sentence: str
) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    tampered = ATTACKS["better_face"](short())
    check(page, tampered.data, short().head)
    verdict = page.locator("[data-verify-verdict]")
    expect(verdict).to_contain_text(sentence)
    expect(verdict).to_contain_text(tampered.head)
    expect(page.locator(".pill--bad")).to_have_count(2)  # the next roll quoted another head


@pytest.mark.parametrize("locale", ["it", "en"])
def test_every_fault_can_be_said_by_the_page(visitor: Visitor, locale: str) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    verdict = page.locator("[data-verify-verdict]")
    for one in {one.code: one for one in spoilt()}.values():
        page.locator("#head").evaluate("(field) => field.removeAttribute('required')")
        check(page, one.data, one.head)
        expect(verdict.locator(".notice--bad li").first).to_be_visible()
        assert "{" not in verdict.inner_text(), one.code
        assert "undefined" not in verdict.inner_text(), one.code


def test_nothing_is_sent_while_a_ledger_is_checked(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    seen: list[str] = []
    page.on("request", lambda request: seen.append(request.url))
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    ledger = long()
    check(page, ledger.data, ledger.head)
    expect(page.get_by_text("Tutto torna.")).to_be_visible()
    assert seen == []
    assert wrong == []
    assert page.url.endswith("/verify")


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("it", "Fase Offensiva · Attacco · Kaede > Rin +9"),
        ("en", "Offensive Phase · Attack · Kaede > Rin +9"),
    ],
)
def test_a_roll_is_labelled_in_the_words_of_the_page(
    visitor: Visitor, locale: str, said: str
) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    ledger = Ledger()
    ledger.open(seats=["kaede"])
    ledger.salt("kaede", "", missing="limit")
    ledger.roll(
        {"label": "offensive attack Kaede > Rin +9", "count": 1, "sides": 20},
        {"label": "offensive plans", "count": 1, "sides": 6},
    )
    check(page, ledger.data, ledger.head)
    expect(page.get_by_text(said)).to_be_visible()
    expect(page.get_by_text("offensive plans")).to_be_visible()


def test_names_in_a_ledger_are_text_and_not_markup(page: Page) -> None:
    ledger = Ledger()
    ledger.open(seats=["<b>hollow</b>"])
    ledger.salt("<b>hollow</b>", "", missing="limit")
    ledger.roll({"label": "<img src=x>", "count": 1, "sides": 6})
    check(page, ledger.data, ledger.head)
    expect(page.get_by_text("<b>hollow</b>")).to_be_visible()
    expect(page.get_by_text("<img src=x>")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "where"),
    [
        ("it", "sta nel post del primo tiro"),
        ("en", "stands in the post of the first roll"),
    ],
)
def test_a_new_beginning_shows_both_anchors_and_where_each_belongs(
    visitor: Visitor, locale: str, where: str
) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    check(page, long().data, long().head)
    lines = [json.loads(line) for line in long().lines]
    first, (redo,) = lines[0]["anchor"], [one for one in lines if one["kind"] == "redo"]
    expect(page.locator("[data-slot=anchor]")).to_have_text(first)
    expect(page.locator("[data-slot=redo]")).to_have_text(redo["anchor"])
    expect(page.locator("[data-slot=redo-where]")).to_contain_text(where)
    expect(page.locator("[data-slot=redo-where]")).to_contain_text(f" {lines.index(redo)}, ")


def without_salts() -> Ledger:
    """Write a ledger of seats that all came without a salt."""
    ledger = Ledger()
    ledger.open()
    for seat in SALTS:
        ledger.salt(seat, "", missing="waived")
    ledger.roll(D20)
    return ledger


@pytest.mark.parametrize(
    ("locale", "fits", "trust", "whose"),
    [
        ("it", "Tutto torna.", "soltanto la fiducia", "Senza un sale proprio: quincy."),
        ("en", "Everything fits.", "nothing but trust", "without a salt of their own: quincy."),
    ],
)
def test_what_empty_salts_mean_is_said_beside_them(
    visitor: Visitor, locale: str, fits: str, trust: str, whose: str
) -> None:
    page = visitor(locale=locale)
    page.goto("/verify")
    note = page.locator("[data-slot=unsalted]")
    for ledger, said in ((long(), whose), (without_salts(), trust)):
        check(page, ledger.data, ledger.head)
        expect(note).to_contain_text(said)
        expect(page.locator("[data-verify-verdict]")).to_contain_text(fits)
    check(page, short().data, short().head)
    expect(page.locator("[data-slot=heads] li")).to_have_count(12)
    expect(note).to_be_hidden()
    expect(page.locator("[data-slot=redo]")).to_be_hidden()


def test_where_the_browser_has_no_cryptography_the_page_says_so(visitor: Visitor) -> None:
    page = visitor()
    page.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined });")
    page.goto("/verify")
    expect(page.get_by_text("qui il controllo non può girare")).to_be_visible()
    expect(page.locator("[data-verify]")).to_be_hidden()


def test_without_scripts_the_page_points_to_the_program(visitor: Visitor) -> None:
    page = visitor(java_script_enabled=False)
    page.goto("/verify")
    expect(page.locator("[data-verify]")).to_be_hidden()
    # The browser under test keeps this to itself: it is told not to run scripts, not built so.
    inside = page.locator("noscript").text_content() or ""
    assert "che il tuo browser non esegue" in inside
    assert "pbf1_verify.py" in inside


def test_the_script_and_the_vectors_can_be_downloaded(client: Client) -> None:
    page = client.http.get("/verify").text
    for name in ("pbf1_verify.py", "pbf1-vectors.json"):
        assert f'href="/static/verify/{name}"' in page
        answer = client.http.get(f"/static/verify/{name}")
        assert answer.status_code == 200
        assert "pbf1" in answer.text


def test_every_page_leads_to_the_check(client: Client) -> None:
    assert 'href="/verify"' in client.http.get("/").text


def test_the_page_says_what_is_promised_and_what_is_not(client: Client) -> None:
    for language, promised, foresee in (
        ("it", "Che cosa non è promesso", "può prevedere i dadi"),
        ("en", "What is not promised", "can foresee the dice"),
    ):
        page = client.http.get(f"/verify?lang={language}").text
        assert promised in page
        assert foresee in page
