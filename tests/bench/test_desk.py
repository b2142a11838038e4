"""P14, P17 and P18: the Master's desk with a thousand turns on it and with a hundred thousand."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.config import Settings
from app.main import create_app
from app.persistence.database import Database
from app.persistence.schema import upgrade
from app.persistence.tables import FIRST_BOARD
from app.services import desk
from app.services.boards import owner_link
from app.web.pages import environment
from tests.bench.ratios import compare
from tests.support.counting import counted
from tests.support.full_desk import fill_desk
from tests.support.table import Table, set_table
from tests.support.world import FixedWorld

FEW, MANY = 1_000, 100_000
BASE = "https://arbitro.example"
PAGES = 10
DESK = "/boards/board/desk"


@pytest.fixture(params=["sqlite", "postgresql"])
def two_desks(request: pytest.FixtureRequest) -> Iterator[tuple[str, Table, Table]]:
    """Fill a small desk and a large one, on one kind of database."""
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
    kind: str = request.param
    tables: list[Table] = []
    for turns in (FEW, MANY):
        url = f"sqlite:///{folder / f'{turns}.sqlite3'}"
        if kind == "postgresql":
            server = request.getfixturevalue("postgres_server")
            server.psql(f"CREATE DATABASE desk_{turns};")
            url = server.get_uri(database=f"desk_{turns}", driver="psycopg")
        db = Database(url)
        upgrade(db)
        table = set_table(db, FixedWorld())
        fill_desk(db, table, turns)
        tables.append(table)
    yield kind, tables[0], tables[1]
    for table in tables:
        table.db.close()
    shutil.rmtree(folder)


def often(work: Callable[[], object]) -> Callable[[], None]:
    """Read a page as often as is needed to time it."""

    def repeated() -> None:
        for _ in range(PAGES):
            work()

    return repeated


def page_of(table: Table) -> Any:
    """Read the first page of the owner's desk."""
    return desk.read_desk(table.db, table.owner, FIRST_BOARD, desk.DeskFilter())


@contextmanager
def served(table: Table) -> Iterator[Callable[[], str]]:
    """Serve a desk's application where it is asked, as one process does; give what asks it.

    A client in a thread of its own would be timed with it: each wakes the other up.
    """
    url = table.db.url.render_as_string(hide_password=False)
    app = create_app(Settings(database_url=url, base_url=BASE), table.world)
    secret = owner_link(table.db, table.world, FIRST_BOARD)
    with asyncio.Runner() as runner:
        life = app.router.lifespan_context(app)
        runner.run(life.__aenter__())
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=BASE)
        runner.run(client.post(f"/k/{secret}", headers={"Sec-Fetch-Site": "same-origin"}))
        yield lambda: runner.run(client.get(DESK)).text
        runner.run(client.aclose())
        runner.run(life.__aexit__(None, None, None))


@pytest.mark.slow
def test_the_desk_with_many_turns_is_as_fast_as_with_few(
    two_desks: tuple[str, Table, Table],
) -> None:
    """The same statements and about the same time, in process and over HTTP; rows are printed."""
    kind, few, many = two_desks
    costs = []
    for table in (few, many):
        with counted(table.db) as count:
            assert len(page_of(table).turns) == desk.A_PAGE
        costs.append([one for one in count.statements if not one.startswith("BEGIN")])
    assert costs[0] == costs[1]
    assert len(costs[0]) <= 3
    print()
    print(f"P14 statements a page of the desk, {kind}: {len(costs[0])} at {FEW} and at {MANY}")
    ours, other = often(lambda: page_of(many)), often(lambda: page_of(few))
    print(
        compare(f"P17 a page of the desk in process, {kind}: {MANY} / {FEW}", ours, other, "≤ 1.1")
    )
    with served(few) as ask_few, served(many) as ask_many:
        for ask in (ask_few, ask_many):
            assert ask().count("data-desk-row") == desk.A_PAGE
        ours, other = often(ask_many), often(ask_few)
        print(compare(f"P17 over HTTP, {kind}: {MANY} / {FEW}", ours, other, "≤ 1.2"))
        print(
            compare(
                f"P18 a page of the desk over HTTP, {kind} / Jinja2 rendering its rows",
                ours,
                often(rendering(many)),
                "≤ 2",
            )
        )


def rendering(table: Table) -> Callable[[], object]:
    """Give what renders the rows of a page and nothing else, with what it needs at hand."""
    read = page_of(table)
    template = environment("it", "guida").get_template("desk/_queue.html")
    context: dict[str, Any] = {
        "desk": "/boards/board/desk",
        "read": read,
        "asking": (),
        "state": "open",
        "mark": "",
        "here": "",
        "is_all": True,
        "without": lambda *_names: "",
        "word_in": lambda _ruleset, word: word,
        "age": lambda _at: ("m", 1),
        "new_key": lambda: "key",
    }
    return lambda: template.render(context)
