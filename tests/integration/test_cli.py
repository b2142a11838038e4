"""The command: what it prints, what it leaves behind, and its exit status."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner, Result

from app import cli
from app.config import Settings
from app.persistence.database import Database
from app.persistence.tables import FIRST_BOARD
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.terms import Action
from app.services import links, scenes, turns
from app.services.access import Principal
from app.services.entry_shapes import (
    Submission,
)
from app.services.keyring import keyring_of
from tests.support.server import free_port
from tests.support.table import known
from tests.support.world import KEYS_TEXT, system_world

WRONG = (
    "[dice=1d12+6]Attacco [Artigli Affilati, Sonìdo] (Hollow vs Quincy): "
    "(+2 [Raggio Corto], +2 [Bonus Arma] -1 [Mirato Arti] +6 [Destrezza])[/dice]"
)
RIGHT = WRONG.replace("+6]", "+9]", 1)
LINK = re.compile(r"http://127\.0\.0\.1:[0-9]+/k/(\S+)")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Let the command find a database of its own, and an Italian terminal."""
    path = tmp_path / "arbitro.sqlite3"
    monkeypatch.setenv("ARBITRO_DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.setenv("ARBITRO_MASTER_KEYS", KEYS_TEXT)
    monkeypatch.setenv("ARBITRO_PORT", str(free_port()))
    for name in ("ARBITRO_BASE_URL", "LC_ALL", "LANG"):
        monkeypatch.delenv(name, raising=False)
    yield path
    os.environ.pop("ARBITRO_BASE_URL", None)  # the command sets it for the server it starts


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Do not serve, but remember how it would have been."""
    calls: list[dict[str, Any]] = []
    monkeypatch.setattr("uvicorn.run", lambda app, **how: calls.append({"app": app, **how}))
    return calls


def arbitro(*words: str) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(cli.app, list(words))


def principals(output: str) -> dict[str, Principal]:
    """Open the links that a start of the demo printed."""
    database = Database(os.environ["ARBITRO_DATABASE_URL"])
    found = {
        line.split(":")[0]: known(
            links.principal_of_secret(database, system_world(), LINK.findall(line)[0])
        )
        for line in output.splitlines()
        if LINK.search(line)
    }
    database.close()
    return found


# ------------------------------------------------------------------------------------- the demo


def test_the_demo_serves_a_scene_and_prints_its_links(
    here: Path, served: list[dict[str, Any]]
) -> None:
    port = free_port()
    done = arbitro("demo", "--port", str(port))
    assert done.exit_code == 0, done.output
    assert served == [
        {
            "app": "app.main:create_app",
            "factory": True,
            "host": "127.0.0.1",
            "port": port,
            "access_log": False,
        }
    ]
    assert os.environ["ARBITRO_BASE_URL"] == f"http://127.0.0.1:{port}"
    found = principals(done.output)
    assert list(found) == ["Proprietario", "Master", "Akane", "Tetsuo"]
    assert found["Proprietario"].is_owner
    (scene,) = found["Master"].scene_ids()
    assert found["Akane"].seats(scene) == ("akane",)


def test_the_demo_started_again_keeps_its_scene_and_renews_its_links(
    here: Path, served: list[dict[str, Any]]
) -> None:
    first = arbitro("demo").output
    ids = {one.scene_ids() for name, one in principals(first).items() if name != "Proprietario"}
    second = arbitro("demo").output
    again = principals(second)
    assert {one.scene_ids() for name, one in again.items() if name != "Proprietario"} == ids
    assert set(LINK.findall(first)).isdisjoint(LINK.findall(second))
    database = Database(os.environ["ARBITRO_DATABASE_URL"])
    assert len(scenes.list_scenes(database, again["Proprietario"], FIRST_BOARD)) == 1
    for secret in LINK.findall(first):
        assert links.principal_of_secret(database, system_world(), secret) is None
    database.close()


def test_the_example_can_be_played_at_once(here: Path, served: list[dict[str, Any]]) -> None:
    found = principals(arbitro("demo").output)
    database = Database(os.environ["ARBITRO_DATABASE_URL"])
    (scene_id,) = found["Master"].scene_ids()
    for seat, other in (("akane", "tetsuo"), ("tetsuo", "akane")) * 3:
        scene = scenes.read_scene(database, found[seat.capitalize()], scene_id)
        assert scene.awaited.seats == (seat,)
        (fighter,) = [one for one in scene.view.combatants if one.id == seat]
        coming = tuple(one.id for one in scene.view.incoming if one.target == seat)
        defences = (Defence(action=Action.DODGE, against=coming),) if coming else ()
        attacks = [
            Turn(by=seat, defences=defences, main=Attack(target=other, tool=tool.id))
            for tool in fighter.sheet.tools
            if tool.attacks
        ]
        player = found[seat.capitalize()]
        met = [turns.preview(database, player, scene_id, order).obstacles for order in attacks]
        assert met == [()] * len(attacks) != []
        submission = Submission(
            order=attacks[scene.version % len(attacks)],
            version=scene.version,
            key=f"demo-{scene.version:08}",
        )
        turns.decide(database, system_world(), player, scene_id, submission)
    database.close()


def test_make_demo_serves_its_pages_for_real(here: Path) -> None:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "app.cli", "demo", "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        text=True,
    )
    try:
        _wait_for(port)
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(4)]
        secret = LINK.findall(lines[1])[0]
        page = httpx.get(f"http://127.0.0.1:{port}/k/{secret}")
        assert page.status_code == 200
        entered = httpx.post(
            f"http://127.0.0.1:{port}/k/{secret}", headers={"Origin": f"http://127.0.0.1:{port}"}
        )
        assert entered.is_redirect
        assert "HttpOnly" in entered.headers["set-cookie"]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def _wait_for(port: int) -> None:
    limit = time.monotonic() + 60
    while time.monotonic() < limit:
        try:
            if httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=1).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError("the demo does not serve")


# ------------------------------------------------------------------------------------ the others


def test_serve_takes_its_port_from_the_environment(
    here: Path, served: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARBITRO_PORT", "9001")
    assert arbitro("serve").exit_code == 0
    assert (served[0]["host"], served[0]["port"]) == ("127.0.0.1", 9001)
    assert os.environ["ARBITRO_BASE_URL"] == "http://127.0.0.1:9001"


def test_a_base_address_that_is_configured_stays(
    here: Path, served: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARBITRO_BASE_URL", "https://arbitro.example")
    assert "https://arbitro.example/k/arb_" in arbitro("demo").output


def test_an_owner_link_needs_a_migrated_database(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["arbitro", "owner-link"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert "arbitro migrate" in capsys.readouterr().err
    assert arbitro("migrate").exit_code == 0
    done = arbitro("owner-link")
    assert (done.exit_code, done.output.count("/k/arb_")) == (0, 1)


def test_a_new_dice_key_is_printed_and_nothing_is_left_behind(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(here.parent)
    done = arbitro("key")
    assert (done.exit_code, list(here.parent.iterdir())) == (0, [])
    (line,) = done.output.splitlines()
    id, key = keyring_of(Settings(master_keys=line)).current_key()
    assert f"{id}:{key.hex()}" == line
    assert arbitro("key").output != done.output


def test_migrate_says_where_it_could_not_go(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ARBITRO_DATABASE_URL", "sqlite:////nowhere/at/all.sqlite3")
    monkeypatch.setattr(sys, "argv", ["arbitro", "migrate"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 1
    assert capsys.readouterr().err.startswith("Il database non risponde")


@pytest.mark.parametrize(("tag", "status"), [(WRONG, 1), (RIGHT, 0), ("no tag", 1)])
def test_a_tag_is_checked_by_the_exit_status(here: Path, tag: str, status: int) -> None:
    done = arbitro("tag", tag)
    assert done.exit_code == status
    assert done.output


def test_what_is_wrong_with_a_tag_is_said_with_both_sums(here: Path) -> None:
    assert "+6" in arbitro("tag", WRONG).output
    assert "+9" in arbitro("tag", WRONG).output


def test_every_tag_of_a_post_is_checked(here: Path) -> None:
    assert arbitro("tag", f"Prima {RIGHT} e poi {WRONG}").exit_code == 1


def test_the_command_speaks_english_to_an_english_terminal(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    italian = arbitro("tag", WRONG).output
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    assert arbitro("tag", WRONG).output != italian
    assert arbitro("tag", RIGHT).output == "The tag is right.\n"


def test_every_text_of_the_command_has_both_languages() -> None:
    assert all(italian and english for italian, english in cli.TEXTS.values())
    assert all(italian != english for italian, english in cli.TEXTS.values())


def test_cases_pass_their_paths_chapters_and_status_on(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[Any] = []

    def run_paths(paths: Any, chapters: Any = None, *, ops: Any = (), went: Any = None) -> int:
        assert went == {}
        called.append((paths, chapters, ops))
        return 1

    monkeypatch.setattr("app.ops.runner.run_paths", run_paths)
    assert arbitro("cases", "a", "b", "--chapter", "3-6").exit_code == 1
    assert arbitro("cases", "a", "--op", "power", "--op", "heal").exit_code == 1
    assert called == [
        ([Path("a"), Path("b")], "3-6", ()),
        ([Path("a")], None, ["power", "heal"]),
    ]


def test_the_tables_of_the_rules_have_only_faults_that_are_settled(here: Path) -> None:
    done = arbitro("lint-rules")
    assert done.exit_code == 0
    assert "GC-9.14 blind_area: overlap 60 m" in done.output
    assert done.output.rstrip().endswith(" 0 to mend")


def test_a_table_with_a_fault_that_nobody_settles_fails(here: Path, tmp_path: Path) -> None:
    table = tmp_path / "bands.toml"
    table.write_text(
        '[tables.one]\nrule = "GC-9.9"\nlines = ""\nkind = "bands"\ntitle = {it = "A", en = "B"}\n'
        'from = 1\nwhole = true\nrows = [["1-3", 1], ["5+", 2]]\n',
        encoding="utf-8",
    )
    done = arbitro("lint-rules", str(table))
    assert done.exit_code == 1
    assert "FAILED GC-9.9 one: gap 4" in done.output


def test_the_schema_of_case_files_is_written(here: Path) -> None:
    done = arbitro("case-schema")
    assert done.exit_code == 0
    assert json.loads(done.output)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


@pytest.mark.parametrize("words", [("fly",), ("serve", "--port", "0"), ("tag",), ("cases",)])
def test_a_command_that_is_not_understood(here: Path, words: tuple[str, ...]) -> None:
    assert arbitro(*words).exit_code == 2


# ------------------------------------------------------------------------------ people and boards


def test_people_are_added_listed_and_given_a_reset_link(here: Path) -> None:
    assert arbitro("migrate").exit_code == 0
    password = "quattro parole qualunque"
    typed = f"{password}\n{password}\n"
    made = CliRunner().invoke(cli.app, ["users", "add", "Rin", "--admin"], input=typed)
    assert made.exit_code == 0, made.output
    assert password not in made.output
    twice = CliRunner().invoke(cli.app, ["users", "add", "rin"], input=typed)
    assert twice.exit_code == 1
    assert "Qualcuno ha già questo nome" in twice.output
    assert "Rin  (gestisce il servizio)" in arbitro("users", "list").output
    assert arbitro("users", "admin", "rin", "--no").exit_code == 0
    assert "gestisce" not in arbitro("users", "list").output
    link = arbitro("users", "reset-link", "Rin").output.strip()
    assert re.fullmatch(r"http://localhost:8000/reset/[\w-]{43}", link)
    for words in (("admin", "Nessuno"), ("reset-link", "Nessuno")):
        unknown = arbitro("users", *words)
        assert unknown.exit_code == 1
        assert "Non c'è un account" in unknown.output


def test_an_account_is_asked_for_in_one_language_until_both_passwords_agree(here: Path) -> None:
    assert arbitro("migrate").exit_code == 0
    typed = "quattro parole\naltre parole\n" + "quattro parole qualunque\n" * 2
    made = CliRunner().invoke(cli.app, ["users", "add", "Rin"], input=typed)
    assert made.exit_code == 0, made.output
    assert made.output.count("Ancora una volta") == 2
    assert "Le due password sono diverse" in made.output
    assert "Repeat" not in made.output


def test_a_board_that_is_not_there_has_no_owner_and_is_named(here: Path) -> None:
    assert arbitro("migrate").exit_code == 0
    done = arbitro("owner-link", "nope")
    assert done.exit_code == 1
    assert "Non c'è una board con questo id" in done.output


def test_a_duel_is_told_in_the_language_of_the_terminal() -> None:
    told = arbitro("duel", "guerriero", "guerriero").output
    assert "Guerriero (1) vince: 50,000000%" in told
    assert "Guerriero (2) vince: 50,000000%" in told


def test_no_password_is_an_argument(here: Path) -> None:
    assert arbitro("users", "add", "Rin", "quattro parole qualunque").exit_code == 2


def test_boards_are_added_with_a_link_for_their_owner(here: Path) -> None:
    assert arbitro("migrate").exit_code == 0
    made = arbitro("boards", "add", "Seireitei")
    secret = made.output.strip().rpartition("/k/")[2]
    (line,) = [one for one in arbitro("boards", "list").output.splitlines() if "Seireitei" in one]
    database = Database(os.environ["ARBITRO_DATABASE_URL"])
    owner = known(links.principal_of_secret(database, system_world(), secret))
    database.close()
    assert owner.is_owner(line.split()[0])
    assert not owner.is_owner(FIRST_BOARD)
    assert arbitro("boards", "add", "").exit_code == 1


def test_a_port_that_is_taken_is_told_before_any_link(
    here: Path, served: list[dict[str, Any]]
) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        for command in ("demo", "serve"):
            done = arbitro(command, "--port", port)
            assert done.exit_code == 3
            assert port in done.output
            assert "make demo PORT=" in done.output
            assert "/k/" not in done.output
        assert not here.exists()
    assert arbitro("demo", "--port", port).exit_code == 0
    assert [one["port"] for one in served] == [int(port)]
