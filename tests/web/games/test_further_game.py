"""A game that came as one package is opened, played, told, looked up and proved like the others."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from starlette.testclient import TestClient
from typer.testing import CliRunner

from app import cli
from app.config import Settings
from app.games import UnfitGame, register_all
from app.main import create_app
from app.ops.case_schema import case_schema
from app.ops.runner import run_paths
from app.persistence.tables import FIRST_BOARD
from app.posts.dialects import DIALECTS
from app.services.boards import owner_link
from tests.support import toy
from tests.support.further import registered
from tests.support.world import FixedWorld
from tests.web.conftest import Client, Site
from tests.web.games.test_frame import defaults_in

BASE = "https://arbitro.example"
NAME = "tests.support.toy"


@pytest.fixture
def client(empty_database: Path, tmp_path: Path) -> Iterator[Client]:
    """Run an application that was told of the package by its settings alone."""
    path = tmp_path / "arbitro.sqlite3"
    path.write_bytes(empty_database.read_bytes())
    world = FixedWorld()
    settings = Settings(
        database_url=f"sqlite:///{path}", base_url=BASE, games=f" {NAME},", debug=True
    )
    with registered():
        app = create_app(settings, world)
        with TestClient(app, base_url=BASE) as http:
            site = Site(BASE, app, world, owner_link(app.state.shared.database, world, FIRST_BOARD))
            http.headers["Accept-Language"] = "it"
            found = Client(site, http)
            found.enter(site.owner)
            yield found


def text_of(page: str) -> str:
    """Read a page without its tags."""
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page)))


def get(client: Client, address: str) -> str:
    """Read a page that is there."""
    answer = client.http.get(address)
    assert answer.status_code == 200, (address, answer.text)
    return text_of(answer.text)


def open_by_form(client: Client, **changes: str) -> str:
    """Open a scene of two cups by the form; give its address."""
    form = client.http.get("/boards/board/scenes/new/toy").text
    named = {"entrants.0.sheet.name": "Bea", "entrants.1.sheet.name": "Ugo", "seal_hours": "0"}
    sent = {**defaults_in(form), **named, "title": "Prova", "do": "open", **changes}
    opened = client.post("/boards/board/scenes/new/toy", sent)
    assert opened.status_code == 201, opened.text
    found = re.search(r'href="(/scenes/[^"/]+)/gm"', opened.text)
    assert found is not None
    for link in re.findall(r'value="[^"]*(/k/[^"]+)"', opened.text):
        client.post(link)
    return found[1]


def throw(client: Client, scene: str, seat: str, **said: str) -> str:
    """Throw by the form of a seat; give the address of the entry."""
    address = f"{scene}/turn/{seat}"
    shown = client.http.get(address)
    assert shown.status_code == 200
    hidden = defaults_in(shown.text)
    sent = client.post(address, {**hidden, "do": "send", **said}, follow_redirects=False)
    assert sent.status_code == 303, sent.text
    return str(sent.headers["location"])


# ------------------------------------------------------------------------------------ the pages


def test_it_is_offered_and_a_row_of_its_form_comes_and_goes(client: Client) -> None:
    assert "Toy" in get(client, "/boards/board/scenes/new")
    form = client.http.get("/boards/board/scenes/new/toy").text
    more = client.post(
        "/boards/board/scenes/new/toy", {**defaults_in(form), "do": "add:entrants"}
    ).text
    assert form.count("sheet.name") < more.count("sheet.name")
    assert 'value="t3"' in more


def test_it_is_played_on_its_pages_from_the_first_throw_to_the_end(client: Client) -> None:
    client.site.world.throw([3, 2, 4])
    scene = open_by_form(client)
    assert "Bea : 0" in get(client, scene)
    for seat in ("t1", "t2"):
        throw(client, scene, seat, times="1")
    last = throw(client, scene, "t1", times="1", **{"narration.offensive": "Lancia piano."})
    told = get(client, last)
    for said in ("Tiro di Bea", "Lancia piano.", "Bea arriva a 7.", "Bea ha vinto.", "TOY-3"):
        assert said in told, said
    shown = get(client, scene)
    assert "Bea : 7" in shown
    assert "Finita" in shown
    for more in ("gm", "dice", "luck", "ledger", "links"):
        assert client.http.get(f"{scene}/{more}").status_code in (200, 404, 405), more
    assert get(client, f"{scene}/gm")


def test_what_it_refuses_is_said_at_the_field_in_its_own_words(client: Client) -> None:
    scene = open_by_form(client)
    address = f"{scene}/turn/t1"
    sent = {**defaults_in(client.http.get(address).text), "do": "send"}
    answer = client.post(address, {**sent, "times": "7"})
    assert answer.status_code == 422
    assert 'href="#f-throw-times"' in answer.text
    asked = client.post(address, {**sent, "times": "3"})
    assert asked.status_code == 409
    assert "Tre dadi insieme?" in text_of(asked.text)


def test_the_master_ends_it(client: Client) -> None:
    scene = open_by_form(client)
    form = client.http.get(f"{scene}/gm").text
    assert "Chiudi la scena" in form
    sent = {**defaults_in(form), "kind": "close", "within": "close-", "reason": "È tardi."}
    del sent["seat"]  # of the forms for links
    assert client.post(f"{scene}/orders", sent).status_code == 200
    assert "Il Master chiude la partita." in get(client, f"{scene}/entries/1")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_its_post_is_written_for_every_forum(client: Client, dialect: str) -> None:
    scene = open_by_form(client, dialect=dialect)
    entry = client.http.get(throw(client, scene, "t1", times="1")).text
    post = re.search(r'<textarea id="post-text"[^>]*>\n(.*?)</textarea>', entry, re.DOTALL)
    assert post is not None
    assert "Tiro di Bea" in html.unescape(post[1])
    assert "Bea arriva a 6" in re.sub(r"\\|\[[^\]]*\]|&lt;[^&]*&gt;", "", html.unescape(post[1]))


# --------------------------------------------------------------------------------- what is known


def test_its_rules_words_and_doubts_can_be_looked_up(client: Client) -> None:
    index = client.http.get("/rules").text
    assert 'href="/rules?game=toy#c2"' in index
    assert "La rincorsa" in get(client, "/rules?game=toy")
    assert "Toy TOY-6 La rincorsa" in get(client, "/rules?q=rincorsa")
    assert "TOY-6" in get(client, "/rules?q=toy%206&game=toy")
    assert "Bersaglio" in get(client, "/rules/AMB-TOY-1")
    rule = get(client, "/rules/TOY-2")
    assert "1 · Il tiro" in rule
    assert "TOY-C1" in rule
    assert "Si vince con questa somma." in get(client, "/boards/board/options?game=toy")


def test_its_cases_are_listed_and_pass(client: Client) -> None:
    for case in ("TOY-C1", "TOY-C2"):
        page = get(client, f"/cases/{case}")
        assert "✓ passa" in page
        assert "Gioco Toy" in page


def test_the_owner_sets_its_options(client: Client) -> None:
    assert 'href="/boards/board/games/toy"' in client.http.get("/boards/board/settings").text
    form = client.http.get("/boards/board/games/toy").text
    wrong = client.post("/boards/board/games/toy", {**defaults_in(form), "options.target": "many"})
    assert wrong.status_code == 422
    assert 'href="#f-options.target"' in wrong.text
    saved = client.post("/boards/board/games/toy", {**defaults_in(form), "options.target": "9"})
    assert "Salvato" in text_of(saved.text)
    client.site.world.throw([6])
    scene = open_by_form(client)
    throw(client, scene, "t1", times="1")
    assert "Finita" not in get(client, scene)  # six was the target before


def test_its_codes_are_among_all_the_others(client: Client) -> None:
    page = client.http.get("/docs/errors").text
    assert 'id="target_too_high"' in page
    assert "Nobody can reach the target: lower it." in page


# --------------------------------------------------------------------------------------- the API


def test_it_is_played_through_the_api(client: Client) -> None:
    client.site.world.throw([6])
    entrants = [{"id": id, "sheet": {"name": name}} for id, name in (("a", "Bea"), ("b", "Ugo"))]
    body = {"title": "Due", "ruleset": "toy", "setup": {"entrants": entrants}, "seal_hours": 0}
    opened = call(client, "POST", "/boards/board/scenes", client.site.owner, body)
    seat = opened["seats"]["a"]["secret"]
    scene = f"/scenes/{opened['scene_id']}"
    choices = call(client, "GET", f"{scene}/choices/a", seat)
    assert choices["choices"] == {"orders": ["throw", "chase"]}
    order = {"order": {"kind": "throw", "by": "a"}}
    preview = call(client, "POST", f"{scene}/preview", seat, order)
    assert preview["obstacles"] == []
    version = call(client, "GET", scene, seat)["version"]
    call(client, "POST", f"{scene}/orders", seat, order, version)
    told = call(client, "GET", f"{scene}/entries/1", seat)
    assert told["texts"] == ["Bea arriva a 6.", "Bea ha vinto."]
    assert set(told["posts"]) == {"guida", "plain"}
    assert call(client, "GET", scene, seat)["view"]["winner"] == "a"


def call(
    client: Client, method: str, path: str, secret: str, body: Any = None, version: int = 0
) -> Any:
    """Call the API as a plugin does."""
    headers = {"Authorization": f"Bearer {secret}"}
    if method == "POST":
        headers |= {"Idempotency-Key": client.site.world.token(), "If-Match": f'"{version}"'}
    answer = client.http.request(method, f"/api/v1{path}", json=body, headers=headers)
    assert answer.status_code < 300, answer.text
    return answer.json()


def test_the_api_knows_its_rules_and_its_types(client: Client) -> None:
    rules = client.http.get("/api/v1/rules?game=toy").json()
    assert [one["id"] for one in rules["rules"]] == [f"TOY-{number}" for number in range(1, 7)]
    document = client.http.get("/api/v1/openapi.json").json()
    assert "Throw" in document["components"]["schemas"]


# ------------------------------------------------------------------------------ how it is brought


def test_its_cases_are_run_by_the_runner() -> None:
    cases = Path(toy.__file__).parent / "cases"
    out = io.StringIO()
    with registered(toy.GAME):
        assert run_paths([cases], out=out) == 0
    assert out.getvalue().splitlines()[-1] == "2 passed, 0 failed"
    assert run_paths([cases], out=io.StringIO()) == 1  # nobody knows the game any more


def test_its_cases_fit_the_schema_of_case_files() -> None:
    with registered(toy.GAME):
        judge = jsonschema_rs.validator_for(case_schema())
    for file in (Path(toy.__file__).parent / "cases").glob("*.json"):
        cases = json.loads(file.read_text(encoding="utf-8"))
        assert [str(wrong) for wrong in judge.iter_errors(cases)] == []


def test_the_command_knows_it_by_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = str(Path(toy.__file__).parent / "cases")
    with registered():
        monkeypatch.setenv("ARBITRO_GAMES", NAME)
        done = CliRunner().invoke(cli.app, ["cases", cases])
        assert (done.exit_code, done.output.splitlines()[-1]) == (0, "2 passed, 0 failed")
    with registered():
        monkeypatch.setenv("ARBITRO_GAMES", "nowhere.to.be.found")
        done = CliRunner().invoke(cli.app, ["cases", cases])
        assert done.exit_code == 1
        assert "ARBITRO_GAMES: there is no package nowhere" in done.output


@pytest.mark.parametrize("name", ["json", "tests.support.no_such_game"])
def test_what_is_no_game_is_refused(name: str) -> None:
    with registered(), pytest.raises(UnfitGame):
        register_all([name])
