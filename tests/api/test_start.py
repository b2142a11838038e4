"""How the application starts, says how it is, and answers while its database does not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import ValidationError
from starlette.testclient import TestClient

from app.config import Settings
from app.main import create_app
from app.persistence.database import Database
from app.persistence.revision import WrongRevision
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.services.boards import owner_link
from app.services.errors import Busy
from tests.api.conftest import BASE, Api, FixedWorld
from tests.api.test_examples import OPERATIONS
from tests.api.test_plugin import POSTS, play


def test_an_empty_database_is_refused_with_what_to_do(sqlite_url: str) -> None:
    app = create_app(Settings(database_url=sqlite_url))
    with pytest.raises(WrongRevision, match="arbitro migrate"), TestClient(app):
        pass


def test_it_says_that_it_is_well(api: Api) -> None:
    answer = api.client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


def test_while_the_database_does_not_answer_the_call_may_be_repeated(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = api.open_scene()

    @contextmanager
    def out_of_reach(self: Database) -> Iterator[None]:
        raise Busy("locked")
        yield

    monkeypatch.setattr(Database, "read", out_of_reach)
    monkeypatch.setattr(Database, "write", out_of_reach)
    answers = [api.client.get("/healthz"), api("GET", f"/scenes/{table.id}", secret=table.gm)]
    for answer in answers:
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert int(answer.headers["retry-after"]) > 0


@pytest.mark.parametrize(
    "base_url",
    ["", "arbitro.example", "ftp://x", "https://", "https://x/?a", "https://u:p@x", "javascript:"],
)
def test_a_base_address_that_is_none_is_refused(base_url: str) -> None:
    with pytest.raises(ValidationError, match="base_url"):
        Settings(base_url=base_url)


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().beacon_file is None
    monkeypatch.setenv("ARBITRO_BASE_URL", "https://Arbitro.example/gioco/")
    monkeypatch.setenv("ARBITRO_BEACON_FILE", "/srv/arbitro/beacon.json")
    settings = Settings()
    assert settings.base_url == "https://Arbitro.example/gioco"
    assert settings.origin == "https://arbitro.example"
    assert settings.secure
    assert settings.beacon_file == Path("/srv/arbitro/beacon.json")


def test_six_posts_on_postgresql(postgres_url: str) -> None:
    database = Database(postgres_url)
    upgrade(database)
    world = FixedWorld()
    secret = owner_link(database, world, FIRST_BOARD)
    database.close()
    app = create_app(Settings(database_url=postgres_url, base_url=BASE), world)
    with TestClient(app, base_url=BASE, raise_server_exceptions=False) as client:
        api = Api(client, secret, FixedWorld())
        assert len(play(api.open_scene(dice="forum"))) == POSTS
        for method, path, _ in OPERATIONS.values():
            hostile = path.replace("{number}", "999999999")
            for name in re.findall(r"{(\w+)}", hostile):
                hostile = hostile.replace(f"{{{name}}}", "a%00b")
            assert api(method, hostile, {}, secret=secret, version=0).status_code < 500, path
