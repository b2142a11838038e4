"""The `arbitro` command. Each part is imported where it is used, so that none waits for another."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Final

import typer

from app.cli import books, people
from app.cli.ports import check_free
from app.cli.texts import TEXTS, database, language, number, text
from app.jobs import command as jobs_command

HOST: Final = "127.0.0.1"
PORT: Final = 8000

app = typer.Typer(
    name="arbitro",
    help=text("arbitro"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

app.add_typer(people.users)
app.add_typer(people.boards)
app.add_typer(jobs_command.jobs, name="jobs", help=jobs_command.text("jobs"))
app.add_typer(books.commands(), name="books")

Host = Annotated[str, typer.Option(help=text("host"), envvar="ARBITRO_HOST")]
Port = Annotated[
    int, typer.Option(help=text("port"), envvar=["ARBITRO_PORT", "PORT"], min=1, max=65535)
]


@app.callback()
def further_games() -> None:
    """Let the games of other packages be played too, whatever is done next."""
    from app.config import Settings

    if names := Settings().further_games:
        from app.games import UnfitGame, register_all

        try:
            register_all(names)
        except UnfitGame as unfit:
            typer.echo(f"ARBITRO_GAMES: {unfit}", err=True)
            raise typer.Exit(1) from None


@app.command(help=text("serve"))
def serve(host: Host = HOST, port: Port = PORT) -> None:
    """Serve on one address until told to stop."""
    import uvicorn

    check_free(host, port)
    _say_where(host, port)
    uvicorn.run("app.main:create_app", factory=True, host=host, port=port, access_log=False)


@app.command(help=text("demo"))
def demo(host: Host = HOST, port: Port = PORT) -> None:
    """Migrate, seed the example, print its links and serve."""
    from app.config import Settings
    from app.persistence.schema import upgrade
    from app.services.demo import seed
    from app.services.world import SystemWorld

    check_free(host, port)  # before there are links that lead to another's service
    _say_where(host, port)
    with database() as db:
        upgrade(db)
        seeded = seed(db, SystemWorld(Settings()))
    links = {text("owner"): seeded.owner_secret, text("gm"): seeded.gm_secret}
    links |= {seat.capitalize(): secret for seat, secret in seeded.seat_secrets.items()}
    width = max(map(len, links)) + 2
    for name, secret in links.items():
        typer.echo(f"{name + ':':{width}}{_link(secret)}")
    typer.echo(text("keep"))
    sys.stdout.flush()
    serve(host, port)


@app.command("owner-link", help=text("owner_link"))
def owner_link(
    board: Annotated[str, typer.Argument(help=text("owner_link_board"))] = "board",
) -> None:
    """Print a new owner's link."""
    from app.config import Settings
    from app.services.boards import ensure_board
    from app.services.boards import owner_link as make
    from app.services.errors import NotFound
    from app.services.world import SystemWorld

    with database() as db:
        ensure_board(db)
        try:
            secret = make(db, SystemWorld(Settings()), board)
        except NotFound:
            typer.echo(text("boards_unknown"), err=True)
            raise typer.Exit(1) from None
    typer.echo(_link(secret))


@app.command(help=text("migrate"))
def migrate() -> None:
    """Bring the database to the newest revision."""
    from app.persistence.schema import upgrade

    with database() as db:
        upgrade(db)
    typer.echo(text("migrated"))


@app.command(help=text("key"))
def key() -> None:
    """Print a new dice key; nothing is stored."""
    from datetime import UTC, datetime

    from app.services.keyring import new_line

    typer.echo(new_line(datetime.now(UTC)))


@app.command(help=text("replay"))
def replay(
    check: Annotated[bool, typer.Option("--check", help=text("replay_check"))] = False,
) -> None:
    """Compare every scene with its decisions."""
    from app.services.boards import ensure_board
    from app.services.replay import check_scenes

    if not check:
        typer.echo(text("replay_needs_check"), err=True)
        raise typer.Exit(2)
    with database() as db:
        ensure_board(db)
        report = check_scenes(db)
    typer.echo(f"{len(report.equal)} {text('equal')}")
    for key, scenes in (("different", report.different), ("other_edition", report.other_edition)):
        typer.echo(f"{len(scenes)} {text(key)}")
        for scene in scenes:
            typer.echo(f"  {scene}")
    raise typer.Exit(1 if report.different else 0)


@app.command(help=text("tag"))
def tag(post: Annotated[str, typer.Argument(metavar="TEXT", help=text("tag_text"))]) -> None:
    """Hold each dice tag against its label."""
    from app.posts.dice_tag import check_post, read_tag
    from app.posts.phrases import SERVICE, say

    wrong = False
    for found in [one.tag for one in check_post(post)] or [read_tag(post)]:
        facts = {"declared": found.declared_modifier, "listed": found.listed_modifier}
        for issue in found.issues:
            wrong = True
            typer.echo(say(language(), SERVICE, "tag_issues", issue, facts))
    if not wrong:
        typer.echo(text("tag_is_right"))
    raise typer.Exit(1 if wrong else 0)


@app.command(help=text("verify"))
def verify(
    ledger: Annotated[Path, typer.Argument(help=text("verify_ledger"))],
    head: Annotated[str | None, typer.Argument(help=text("verify_head"))] = None,
) -> None:
    """Check a ledger without any database."""
    from app.posts.phrases import SERVICE, say
    from app.services.ledger_check import check_ledger

    try:
        data = ledger.read_bytes()
    except OSError:
        typer.echo(say(language(), SERVICE, "ledger", "unread", {"name": str(ledger)}), err=True)
        raise typer.Exit(2) from None
    report = check_ledger(data, head)
    for fault in report.faults:
        said = say(language(), SERVICE, "ledger_faults", fault.code, fault.facts)
        if fault.line is not None:
            at = {"line": fault.line, "fault": said}
            said = say(language(), SERVICE, "ledger", "at_line", at)
        typer.echo(said)
    typer.echo(say(language(), SERVICE, "ledger", "sound" if report.ok else "unsound"))
    typer.echo(say(language(), SERVICE, "ledger", "counts", report.counts))
    raise typer.Exit(0 if report.ok else 1)


@app.command(help=text("cases"))
def cases(
    paths: Annotated[list[Path], typer.Argument(help=text("cases_paths"))],
    chapter: Annotated[
        str | None, typer.Option("--chapter", metavar="A-B", help=text("cases_chapter"))
    ] = None,
    op: Annotated[
        list[str] | None, typer.Option("--op", metavar="NAME", help=text("cases_op"))
    ] = None,
) -> None:
    """Run worked examples against the rules."""
    from app.ops.casebook import casebook
    from app.ops.runner import run_paths

    went: dict[str, bool] = {}
    status = run_paths(paths, chapter, ops=op or (), went=went)
    casebook().keep(went)
    raise typer.Exit(status)


@app.command("case-schema", help=text("case_schema"))
def case_schema() -> None:
    """Write the schema that static/schemas/cases.json is a copy of."""
    import json

    from app.ops.case_schema import case_schema as describe

    typer.echo(json.dumps(describe(), ensure_ascii=False, indent=1))


@app.command(help=text("duel"))
def duel(
    first: Annotated[str, typer.Argument(help=text("duel_who"))],
    second: Annotated[str, typer.Argument(help=text("duel_who"))],
) -> None:
    from app.services.duels import printed_odds
    from app.services.errors import Refused

    try:
        found = printed_odds(first, second)
    except Refused:
        typer.echo(text("duel_unknown"), err=True)
        raise typer.Exit(2) from None
    typer.echo(f"{found.first_name} {text('duel_wins')}: {number(f'{float(found.first):.6%}')}")
    typer.echo(f"{found.second_name} {text('duel_wins')}: {number(f'{float(found.second):.6%}')}")
    typer.echo(f"{text('duel_draw')}: {number(f'{float(found.draw):.6%}')}")
    typer.echo(f"{number(f'{float(found.length):.2f}')} {text('duel_turns')}")


@app.command("duel-matrix", help=text("duel_matrix"))
def duel_matrix() -> None:
    from app.persistence.codec import encode, write_json
    from app.services.duels import solve_matrix

    typer.echo(write_json(encode(solve_matrix())), nl=False)


@app.command("lint-rules", help=text("lint_rules"))
def lint_rules(
    paths: Annotated[list[Path] | None, typer.Argument(help=text("lint_paths"))] = None,
) -> None:
    """Hold the tables of the rules against themselves."""
    from app.ops.lint import lint_paths

    raise typer.Exit(lint_paths(paths or ()))


def main() -> None:
    """Run the command; what cannot be done now is said in one line."""
    from app.persistence.errors import ArbitroError

    try:
        app()
    except ArbitroError as error:
        typer.echo(text(error.code) if error.code in TEXTS else str(error) or error.code, err=True)
        sys.exit(1)


def _say_where(host: str, port: int) -> None:
    """Let links and the check of a form's origin follow the address, unless one is configured."""
    shown = host
    with suppress(ValueError):  # a name is shown as it is
        shown = "localhost" if ip_address(host).is_unspecified else host
    os.environ.setdefault("ARBITRO_BASE_URL", f"http://{shown}:{port}")


def _link(secret: str) -> str:
    from app.config import Settings

    return f"{Settings().base_url}/k/{secret}"
