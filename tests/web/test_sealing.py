"""A browser seals a salt for each of its seats and shows it when told, and nobody notices.

The scripts are ours; the server is a small stand-in that counts what it is told, because what these
tests are about is what leaves the browser, and when.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from app.config import STATIC
from app.engine.seal import seal_of
from app.http.headers import CONTENT_POLICY

SECURE = "https://arbitro.example"
PLAIN = "http://arbitro.lan"
"""A page from here has neither Web Crypto nor locks, as on a home network."""

MATCH = "Xy_z-0123456789abcdefg"
FIRST, SECOND = "a1" * 32, "b2" * 32
LOUD = {"error", "warning", "assert"}
KEPT = "Object.fromEntries(Object.entries(localStorage))"
PAGE = f"""<!doctype html><html lang="it"><head><meta charset="utf-8"><title>Scena</title>
<link rel="icon" href="data:,"><script src="/static/js/main.js" type="module"></script></head><body>
<div hidden data-seal data-match="{MATCH}" data-dice="/scenes/{MATCH}/seals.json"
 data-seal-url="/scenes/{MATCH}/seal" data-salt-url="/scenes/{MATCH}/salt"></div>
<time data-local datetime="2026-12-01T12:00Z">2026-12-01 12:00 UTC</time>
<section hidden><h2>Sali</h2><dl data-own-salts data-match="{MATCH}"></dl></section>
</body></html>"""


@dataclass
class Chair:
    """What the stand-in knows of a seat."""

    seal: str = ""
    salt: str | None = None


@dataclass
class Server:
    """A scene before its first roll, and everything that browsers told about it."""

    mine: tuple[str, ...] = ("quincy",)
    chairs: dict[str, Chair] = field(default_factory=lambda: {"hollow": Chair(), "quincy": Chair()})
    anchor: str = FIRST
    open: bool = True
    waited: bool = False
    asked: int = 0
    told: list[tuple[str, str, str]] = field(default_factory=list)
    status: int = 200
    failed: bool = False
    """Whether an answer failed, which Chromium notes in the console by itself."""
    held: list[Route] | None = None

    @property
    def state(self) -> dict[str, Any]:
        """Give what a browser is told."""
        if not self.open:
            return {"open": False}
        seats = [
            {"seat": seat, "mine": seat in self.mine, "seal": one.seal, "salt": one.salt}
            for seat, one in self.chairs.items()
        ]
        reveal = self.waited or all(one.seal for one in self.chairs.values())
        return {"open": True, "anchor": self.anchor, "seats": seats, "reveal": reveal}

    @property
    def told_seals(self) -> list[str]:
        """Give the seals in the order in which they came."""
        return [value for kind, _, value in self.told if kind == "seal"]

    @property
    def told_salts(self) -> list[str]:
        """Give the salts in the order in which they came."""
        return [value for kind, _, value in self.told if kind == "salt"]

    def answer(self, route: Route) -> None:
        """Answer one request, or hold it."""
        path = route.request.url.split("/", 3)[3]
        if path.startswith("static/"):
            route.fulfill(path=STATIC / path.removeprefix("static/"))
        elif path == f"scenes/{MATCH}":
            policy = {"Content-Security-Policy": CONTENT_POLICY}
            route.fulfill(body=PAGE, content_type="text/html; charset=utf-8", headers=policy)
        elif self.held is not None:
            self.held.append(route)
        else:
            self.decide(route)

    def decide(self, route: Route) -> None:
        """Take in what a browser says, and answer the state."""
        if self.status != 200:
            self.fail(route)
            return
        kind = route.request.url.rsplit("/", 1)[1]
        if kind == "seals.json":
            self.asked += 1
        else:
            assert route.request.method == "POST"
            assert route.request.headers["content-type"].startswith(
                "application/x-www-form-urlencoded"
            )
            form = parse_qs(route.request.post_data or "", strict_parsing=True)
            (seat,), (value,) = form["seat"], form[kind]
            self.told.append((kind, seat, value))
            setattr(self.chairs[seat], kind, value)
        route.fulfill(body=json.dumps(self.state), content_type="application/json")

    def fail(self, route: Route) -> None:
        """Refuse a request, or do not answer it at all."""
        self.failed = True
        if self.status in {0, 200}:
            route.abort()
        else:
            route.fulfill(status=self.status, body="")

    def release(self) -> None:
        """Answer all that was held, in the order in which it came."""
        held, self.held = self.held or [], None
        for route in held:
            self.decide(route)

    def others_seal(self) -> None:
        """Let the other seat seal and show, and nobody has to be waited for."""
        self.chairs["hollow"] = Chair("c3" * 32, "d4" * 16)

    def begin_anew(self) -> None:
        """Start a redo: a new chain, and no seals."""
        self.anchor = SECOND
        self.chairs = {seat: Chair() for seat in self.chairs}


Browse = Callable[..., BrowserContext]


@pytest.fixture
def server() -> Server:
    """Open a scene."""
    return Server()


@pytest.fixture
def browse(
    server: Server, browser: Browser, browser_context_args: dict[str, Any]
) -> Iterator[Browse]:
    """Give browsers of their own, and hold that none ever complains."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def start() -> BrowserContext:
        context = browser.new_context(**{**browser_context_args, "timezone_id": "UTC"})
        contexts.append(context)
        context.route("**/*", server.answer)
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.on(
            "console",
            lambda said: (
                complaints.append(said.text) if said.type in {"error", "warning"} else None
            ),
        )
        return context

    yield start
    for context in contexts:
        context.close()
    if server.failed:
        complaints = [one for one in complaints if not one.startswith("Failed to load resource")]
    assert complaints == []


def visit(context: BrowserContext, base: str = SECURE, *, clock: bool = False) -> Page:
    """Open the scene in a new tab."""
    page = context.new_page()
    page.set_default_timeout(10_000)
    if clock:
        page.clock.install()
    page.goto(f"{base}/scenes/{MATCH}")
    return page


def until(page: Page, met: Callable[[], object], *, hurried: bool = False) -> None:
    """Wait for something that the stand-in is told.

    hurried: the page's clock goes on meanwhile, a second at a time. One step of half a minute would
    miss a pause that the page begins only after it, when the answer before was slow to arrive.
    """
    for _ in range(400):
        if met():
            return
        if hurried:
            page.clock.run_for(1_000)
        page.wait_for_timeout(25)
    raise AssertionError("it never came")


def asked_again(page: Page, server: Server, more: int = 1) -> None:
    """Let time go by until the question that follows."""
    for _ in range(more):
        before = server.asked
        until(page, lambda before=before: server.asked > before, hurried=True)
        settled(page)


def settled(page: Page) -> None:
    """Wait until nothing is on its way: a lock that comes free is behind all that went before."""
    page.evaluate(f"navigator.locks.request('arbitro:salt:{MATCH}', () => null)")


def kept(page: Page) -> dict[str, str]:
    """Give the salts that a browser keeps, by anchor and seat, each under its own seal."""
    start = f"arbitro:salt:{MATCH}:"
    found: dict[str, str] = {}
    for key, salt in page.evaluate(KEPT).items():
        name, _, seal = key.removeprefix(start).rpartition(":")
        assert key.startswith(start)
        assert seal == seal_of(MATCH, name.partition(":")[2], salt)
        assert name not in found
        found[name] = salt
    return found


# ------------------------------------------------------------------------------------- sealing


@pytest.mark.parametrize("base", [SECURE, PLAIN])
def test_a_seat_is_sealed_unnoticed_with_a_salt_that_only_this_browser_has(
    server: Server, browse: Browse, base: str
) -> None:
    page = visit(browse(), base)
    until(page, lambda: server.told)
    assert page.evaluate("Boolean(crypto.subtle && navigator.locks)") is (base == SECURE)
    salts = kept(page)
    assert list(salts) == [f"{FIRST}:quincy"]
    (salt,) = salts.values()
    assert re.fullmatch(r"[0-9a-f]{32}", salt)
    assert server.told == [("seal", "quincy", seal_of(MATCH, "quincy", salt))]


def test_a_page_seen_again_does_not_seal_again(server: Server, browse: Browse) -> None:
    page = visit(browse())
    until(page, lambda: server.told)
    for number in range(2, 4):
        page.reload()
        until(page, lambda number=number: server.asked == number)
        settled(page)
    assert len(server.told) == 1


def test_each_of_several_own_seats_has_a_salt_of_its_own(server: Server, browse: Browse) -> None:
    server.mine = ("hollow", "quincy")
    page = visit(browse())
    until(page, lambda: len(server.told_salts) == 2)
    assert len(set(server.told_salts)) == 2
    assert server.told_seals == [
        seal_of(MATCH, seat, salt)
        for seat, salt in zip(("hollow", "quincy"), server.told_salts, strict=True)
    ]


@pytest.mark.parametrize("mine", [(), ("nobody",)])
def test_who_has_no_seat_keeps_and_says_nothing(
    server: Server, browse: Browse, mine: tuple[str, ...]
) -> None:
    server.mine = mine
    page = visit(browse(), clock=True)
    until(page, lambda: server.asked)
    settled(page)
    page.clock.run_for(120_000)
    settled(page)
    assert (server.asked, server.told, kept(page)) == (1, [], {})


def test_once_the_first_die_has_fallen_there_is_nothing_to_do(
    server: Server, browse: Browse
) -> None:
    server.open = False
    page = visit(browse(), clock=True)
    until(page, lambda: server.asked)
    settled(page)
    page.clock.run_for(120_000)
    settled(page)
    assert (server.asked, server.told, kept(page)) == (1, [], {})


def test_a_seal_whose_way_was_cut_is_sent_again_and_is_the_same(
    server: Server, browse: Browse
) -> None:
    """The salt was kept before it was sealed, so a seal that arrived unheard is no other."""
    server.held = []
    page = visit(browse(), clock=True)
    until(page, lambda: server.held)
    server.release()
    server.held = []
    until(page, lambda: server.held)
    (first,) = kept(page).values()
    (route,) = server.held or ()
    assert seal_of(MATCH, "quincy", first) in (route.request.post_data or "")
    server.fail(route)
    server.held = None
    settled(page)
    asked_again(page, server)
    until(page, lambda: server.told)
    assert server.told_seals == [seal_of(MATCH, "quincy", first)]


# ----------------------------------------------------------------------------------- revealing


@pytest.mark.parametrize("base", [SECURE, PLAIN])
def test_the_salt_is_shown_when_all_have_sealed_and_not_before(
    server: Server, browse: Browse, base: str
) -> None:
    page = visit(browse(), base, clock=True)
    until(page, lambda: server.told_seals)
    until(page, lambda: server.asked == 2, hurried=True)
    assert server.told_salts == []
    server.others_seal()
    until(page, lambda: server.told_salts, hurried=True)
    assert server.told_salts == list(kept(page).values())
    assert len(server.told) == 2


def test_the_last_to_seal_shows_at_once(server: Server, browse: Browse) -> None:
    server.others_seal()
    page = visit(browse())
    until(page, lambda: server.told_salts)
    assert [kind for kind, _, _ in server.told] == ["seal", "salt"]


def test_the_salt_is_shown_when_the_others_were_waited_for_long_enough(
    server: Server, browse: Browse
) -> None:
    server.waited = True
    page = visit(browse())
    until(page, lambda: server.told_salts)
    assert server.told_salts == list(kept(page).values())


def test_a_seat_that_was_waited_for_in_vain_is_left_with_its_empty_salt(
    server: Server, browse: Browse
) -> None:
    server.waited = True
    server.chairs["quincy"].salt = ""
    page = visit(browse(), clock=True)
    until(page, lambda: server.asked)
    settled(page)
    page.clock.run_for(120_000)
    settled(page)
    assert (server.asked, server.told, kept(page)) == (1, [], {})


def test_a_salt_that_is_shown_ends_the_matter(server: Server, browse: Browse) -> None:
    server.others_seal()
    page = visit(browse(), clock=True)
    until(page, lambda: server.told_salts)
    settled(page)
    page.clock.run_for(120_000)
    settled(page)
    assert (server.asked, len(server.told)) == (1, 2)
    page.reload()
    until(page, lambda: server.asked == 2)
    settled(page)
    assert len(server.told) == 2


def test_a_page_that_comes_into_view_looks_at_once(server: Server, browse: Browse) -> None:
    page = visit(browse(), clock=True)
    until(page, lambda: server.told_seals)
    settled(page)
    server.others_seal()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, lambda: server.told_salts)


def test_a_kept_salt_that_does_not_fit_the_seal_is_never_shown(
    server: Server, browse: Browse
) -> None:
    page = visit(browse(), clock=True)
    until(page, lambda: server.told_seals)
    settled(page)
    server.others_seal()
    server.chairs["quincy"].seal = seal_of(MATCH, "quincy", "00" * 16)
    asked_again(page, server, 3)
    assert server.told_salts == []


def test_a_salt_sealed_for_another_seat_does_not_fit(server: Server, browse: Browse) -> None:
    """The seat stands inside the seal, so that nobody seals with a neighbour's."""
    page = visit(browse(), clock=True)
    until(page, lambda: server.told_seals)
    settled(page)
    (salt,) = kept(page).values()
    server.others_seal()
    server.chairs["quincy"].seal = seal_of(MATCH, "hollow", salt)
    asked_again(page, server)
    assert server.told_salts == []
    server.chairs["quincy"].seal = seal_of(MATCH, "quincy", salt)
    asked_again(page, server)
    assert server.told_salts == [salt]


# ------------------------------------------------------------------- other devices, tabs, chains


def test_another_device_seals_anew_and_its_salt_is_the_one_shown(
    server: Server, browse: Browse
) -> None:
    one = visit(browse(), clock=True)
    until(one, lambda: len(server.told) == 1)
    settled(one)
    other = visit(browse())
    until(other, lambda: len(server.told) == 2)
    assert len(set(server.told_seals)) == 2
    server.others_seal()
    asked_again(one, server)
    assert server.told_salts == []
    other.reload()
    until(other, lambda: server.told_salts)
    assert server.told_salts == list(kept(other).values()) != list(kept(one).values())


def test_two_devices_left_open_do_not_take_the_seat_from_each_other(
    server: Server, browse: Browse
) -> None:
    pages = [visit(browse(), clock=True)]
    until(pages[0], lambda: len(server.told) == 1)
    pages.append(visit(browse(), clock=True))
    until(pages[1], lambda: len(server.told) == 2)
    for page in pages * 3:
        settled(page)
        asked_again(page, server)
    assert len(server.told) == 2
    pages[0].evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(pages[0], lambda: len(server.told) == 3)
    assert server.told_seals[2] == server.told_seals[0] != server.told_seals[1]


def test_a_redo_makes_new_salts_and_leaves_the_old_ones_unshown(
    server: Server, browse: Browse
) -> None:
    page = visit(browse(), clock=True)
    until(page, lambda: server.told)
    settled(page)
    server.begin_anew()
    asked_again(page, server)
    until(page, lambda: len(server.told) == 2)
    server.others_seal()
    asked_again(page, server)
    until(page, lambda: server.told_salts)
    salts = kept(page)
    assert sorted(salts) == [f"{FIRST}:quincy", f"{SECOND}:quincy"]
    assert len(set(salts.values())) == 2
    assert server.told_salts == [salts[f"{SECOND}:quincy"]]
    assert server.told_seals == [seal_of(MATCH, "quincy", one) for _, one in sorted(salts.items())]


def test_of_two_tabs_the_second_waits_and_finds_nothing_to_do(
    server: Server, browse: Browse
) -> None:
    server.held = []
    context = browse()
    one = visit(context)
    until(one, lambda: len(server.held or ()) == 1)
    other = visit(context)
    waiting = "navigator.locks.query().then(({pending}) => pending.length)"
    until(other, lambda: other.evaluate(waiting) == 1)
    assert len(server.held) == 1
    server.release()
    until(other, lambda: server.asked == 2)
    settled(other)
    assert len(server.told) == 1
    assert len(kept(other)) == 1


def test_two_tabs_without_locks_may_both_seal_and_the_seal_that_counts_is_opened(
    server: Server, browse: Browse
) -> None:
    """Two processes of Chromium see each other's storage only after a moment."""
    server.held = []
    context = browse()
    pages = [visit(context, PLAIN), visit(context, PLAIN)]
    until(pages[0], lambda: len(server.held or ()) == 2)
    server.release()  # both are told that nothing is sealed
    until(pages[0], lambda: len(server.told) == 2)
    server.others_seal()
    for page in pages:
        page.reload()
        until(page, lambda: server.told_salts)
    assert len(server.told) == 3
    assert seal_of(MATCH, "quincy", server.told_salts[0]) == server.told_seals[-1]


# ----------------------------------------------------------------------- where it cannot be done


BLOCKED = """Object.defineProperty(window, "localStorage", {
  get() { throw new DOMException("no", "SecurityError"); },
});"""
FULL = """Storage.prototype.setItem = () => {
  throw new DOMException("no", "QuotaExceededError");
};"""
FORGETFUL = "Storage.prototype.setItem = () => {};"


@pytest.mark.parametrize("storage", [BLOCKED, FULL, FORGETFUL])
def test_a_browser_that_keeps_nothing_says_nothing_and_the_page_works(
    server: Server, browse: Browse, storage: str
) -> None:
    server.waited = True
    context = browse()
    context.add_init_script(storage)
    page = visit(context, clock=True)
    page.wait_for_load_state("networkidle")
    page.clock.run_for(90_000)
    settled(page)
    assert server.told == []
    assert page.locator("[data-own-salts]").text_content() == ""
    expect(page.locator("time")).to_have_text("1 dicembre 2026 alle ore 12:00")


@pytest.mark.parametrize("status", [0, 500, 503])
def test_a_server_that_is_away_is_asked_again(server: Server, browse: Browse, status: int) -> None:
    server.status = status
    page = visit(browse(), clock=True)
    page.wait_for_load_state("networkidle")
    settled(page)
    server.status = 200
    asked_again(page, server)
    until(page, lambda: server.told)


def test_a_server_that_refuses_is_left_in_peace(server: Server, browse: Browse) -> None:
    server.status = 404
    page = visit(browse(), clock=True)
    page.wait_for_load_state("networkidle")
    settled(page)
    server.status = 200
    page.clock.run_for(120_000)
    settled(page)
    assert server.asked == 0
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    until(page, lambda: server.told)


# ------------------------------------------------------------------------------- what was kept


def test_a_player_sees_the_kept_salts_as_text(server: Server, browse: Browse) -> None:
    hostile = "<img src=x onerror=alert(1)>: & é"
    server.mine = ("quincy", hostile)
    server.chairs[hostile] = Chair()
    page = visit(browse())
    until(page, lambda: len(server.told) == 2)
    expect(page.get_by_role("heading", name="Sali")).to_be_visible()
    shown = page.locator("[data-own-salts]")
    expect(shown.locator("dt")).to_have_text([hostile, "quincy"])
    expect(shown.locator("dd")).to_have_text(
        [kept(page)[f"{FIRST}:{seat}"] for seat in (hostile, "quincy")]
    )
    assert {seat: seal for _, seat, seal in server.told} == {
        seat: seal_of(MATCH, seat, kept(page)[f"{FIRST}:{seat}"]) for seat in server.mine
    }


def test_after_a_redo_the_salts_are_told_apart_by_their_anchor(
    server: Server, browse: Browse
) -> None:
    page = visit(browse())
    until(page, lambda: server.told)
    server.begin_anew()
    page.reload()
    until(page, lambda: len(server.told) == 2)
    terms = page.locator("[data-own-salts] dt")
    expect(terms).to_have_text(["quincy (a1a1a1a1…)", "quincy (b2b2b2b2…)"])


def test_without_kept_salts_the_place_for_them_stays_hidden(server: Server, browse: Browse) -> None:
    server.mine = ()
    page = visit(browse())
    until(page, lambda: server.asked)
    settled(page)
    expect(page.get_by_role("heading", name="Sali")).to_be_hidden()


# ---------------------------------------------------------------------------------- the functions


LENGTHS = (0, 1, 3, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 1_000, 100_000)
PUBLISHED = {
    "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq": (
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
}
DIGESTS = """async (texts) => {
  const { hex, plainSha256, sha256 } = await import("/static/js/sha256.js");
  const bytes = texts.map((text) => new TextEncoder().encode(text));
  const given = await Promise.all(bytes.map(sha256));
  return [bytes.map(plainSha256).map(hex), given.map(hex)];
}"""
SEALS = """async (rows) => {
  const { sealOf } = await import("/static/js/seal.js");
  return Promise.all(rows.map((row) => sealOf(...row)));
}"""


@pytest.mark.parametrize("base", [SECURE, PLAIN])
def test_sha256_gives_the_published_digests_with_and_without_web_crypto(
    server: Server, browse: Browse, base: str
) -> None:
    server.open = False
    page = visit(browse(), base)
    texts = [*PUBLISHED, *("".join(chr(33 + i * i % 90) for i in range(n)) for n in LENGTHS)]
    digests = [hashlib.sha256(text.encode()).hexdigest() for text in texts]
    assert digests[: len(PUBLISHED)] == list(PUBLISHED.values())
    assert page.evaluate(DIGESTS, texts) == [digests, digests]


@pytest.mark.parametrize("base", [SECURE, PLAIN])
def test_the_seal_of_the_browser_is_the_seal_of_the_engine(
    server: Server, browse: Browse, base: str
) -> None:
    server.open = False
    page = visit(browse(), base)
    rows = [
        ["m-0001", "A", "00112233445566778899aabbccddeeff"],
        ["m-0001", "B", "ffeeddccbbaa99887766554433221100"],
        [MATCH, "quincy", ""],
        [MATCH, "Èlia 🐉 d'Aosta", "ab" * 16],
        ["m-0001A", "", "00" * 16],
    ]
    assert page.evaluate(SEALS, rows) == [seal_of(*row) for row in rows]
