"""The `arbitro` command. Each part is imported where it is used, so that none waits for another."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from app import books_cli
from app.jobs import command as jobs_command
from app.terminal import language, open_database

HOST: Final = "127.0.0.1"
PORT: Final = 8000

# What this command says, in Italian and English; what has a code is said by the phrases.
TEXTS: Final = {
    "arbitro": (
        "Arbitra i combattimenti giocati sul forum.",
        "Adjudicate combat played by forum post.",
    ),
    "serve": ("Avvia il servizio.", "Start the service."),
    "demo": (
        "Prepara una scena d'esempio e avvia il servizio.",
        "Prepare an example scene and start the service.",
    ),
    "owner_link": (
        "Crea un nuovo collegamento per il proprietario; quello di prima non vale più.",
        "Make a new link for the owner; the one before is revoked.",
    ),
    "owner_link_board": (
        "L'id della bacheca; senza, è la prima.",
        "The id of the board; without one, the first.",
    ),
    "migrate": (
        "Porta il database alla versione di questo programma.",
        "Bring the database to the version of this program.",
    ),
    "key": (
        "Crea una chiave dei dadi: mettila davanti alle altre, che restano.",
        "Make a dice key: put it before the others, which stay.",
    ),
    "replay": (
        "Rigioca le scene e confrontale con ciò che è salvato.",
        "Replay the scenes and compare them with what is stored.",
    ),
    "replay_check": (
        "Controlla soltanto; esce con 1 se una scena è diversa.",
        "Only check; the exit status is 1 if a scene differs.",
    ),
    "replay_needs_check": ("Scrivi: arbitro replay --check", "Write: arbitro replay --check"),
    "tag": (
        "Controlla i tag del dado di un post; esce con 1 se c'è un errore.",
        "Check the dice tags of a post; the exit status is 1 if one is wrong.",
    ),
    "tag_text": ("Il tag o il post da controllare.", "The tag or post to check."),
    "verify": (
        "Controlla il verbale di una scena con l'impronta pubblicata nel forum; esce con 1 se "
        "qualcosa non torna, con 2 se il file non si può leggere.",
        "Check the ledger of a scene against the head posted in the forum; the exit status is 1 "
        "if something does not fit, 2 if the file cannot be read.",
    ),
    "verify_ledger": ("Il verbale, come è stato scaricato.", "The ledger as it was downloaded."),
    "verify_head": (
        "L'impronta dell'ultimo post, 64 cifre esadecimali.",
        "The head of the last post, 64 hexadecimal digits.",
    ),
    "cases": ("Esegui i casi di file e cartelle.", "Run the cases of files and folders."),
    "cases_paths": ("File o cartelle di casi.", "Files or folders of cases."),
    "cases_chapter": ("Solo questi capitoli, come 3-6.", "Only these chapters, like 3-6."),
    "cases_op": (
        "Solo questa operazione; si può ripetere.",
        "Only this operation; may be given more than once.",
    ),
    "case_schema": (
        "Scrivi lo schema JSON dei file di casi.",
        "Write the JSON Schema of case files.",
    ),
    "duel": (
        "Calcola un duello fra due guerrieri stampati.",
        "Work out a duel between two printed warriors.",
    ),
    "duel_who": ("L'id di un guerriero, come guerriero.", "The id of a warrior, like guerriero."),
    "duel_unknown": ("Non c'è un guerriero con questo id.", "There is no warrior of this id."),
    "duel_wins": ("vince", "wins"),
    "duel_draw": ("pari", "draw"),
    "duel_turns": ("turni in media", "turns on average"),
    "duel_matrix": (
        "Calcola la matrice dei 51 guerrieri e scrivila in JSON (un minuto o due).",
        "Work out the matrix of the 51 warriors and write it as JSON (a minute or two).",
    ),
    "lint_rules": (
        "Cerca vuoti e sovrapposizioni nelle tabelle delle regole. "
        "Esce con 0 se ci sono solo difetti noti, ciascuno con chi lo risolve; con 1 se ce n'è "
        "uno che nessuno conosce, o se uno noto non c'è più.",
        "Look for gaps and overlaps in the tables of the rules. "
        "The exit status is 0 if all faults are known, each with what settles it; 1 if one is "
        "known to nobody, or a known one is gone.",
    ),
    "lint_paths": (
        "File di tabelle; senza, quelli delle regole di Arbitro.",
        "Files of tables; without any, those of Arbitro's own rules.",
    ),
    "host": ("L'indirizzo su cui ascoltare.", "The address to listen on."),
    "port": ("La porta su cui ascoltare.", "The port to listen on."),
    "migrated": ("Il database è pronto.", "The database is ready."),
    "owner": ("Proprietario", "Owner"),
    "gm": ("Master", "Game master"),
    "keep": (
        "Chi ha un collegamento può agire: ogni avvio della demo ne crea di nuovi.",
        "Whoever has a link may act; each start of the demo makes new ones.",
    ),
    "equal": ("scene uguali a ciò che è salvato", "scenes equal to what is stored"),
    "different": ("scene diverse", "scenes that differ"),
    "other_edition": ("scene di un'altra edizione", "scenes of another edition"),
    "tag_is_right": ("Il tag è giusto.", "The tag is right."),
    "wrong_revision": (
        "Il database non è della versione di questo programma: esegui «arbitro migrate».",
        "The database is not of this program's version: run `arbitro migrate`.",
    ),
    "busy": (
        "Il database non risponde: è bloccato, pieno, di sola lettura o irraggiungibile.",
        "The database does not answer: it is locked, full, read-only or out of reach.",
    ),
}


def text(key: str) -> str:
    """Give what the command says, in the language of the terminal."""
    return TEXTS[key][language() == "en"]


app = typer.Typer(
    name="arbitro",
    help=text("arbitro"),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(jobs_command.jobs, name="jobs", help=jobs_command.text("jobs"))

Host = Annotated[str, typer.Option(help=text("host"), envvar="ARBITRO_HOST")]
Port = Annotated[
    int, typer.Option(help=text("port"), envvar=["ARBITRO_PORT", "PORT"], min=1, max=65535)
]


app.add_typer(books_cli.commands(), name="books")


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

    _say_where(host, port)
    uvicorn.run("app.main:create_app", factory=True, host=host, port=port, access_log=False)


@app.command(help=text("demo"))
def demo(host: Host = HOST, port: Port = PORT) -> None:
    """Migrate, seed the example, print its links and serve."""
    from app.config import Settings
    from app.persistence.schema import upgrade
    from app.services.demo import seed
    from app.services.world import SystemWorld

    _say_where(host, port)
    with open_database() as database:
        upgrade(database)
        seeded = seed(database, SystemWorld(Settings()))
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
    from app.services.world import SystemWorld

    with open_database() as database:
        ensure_board(database)
        secret = make(database, SystemWorld(Settings()), board)
    typer.echo(_link(secret))


@app.command(help=text("migrate"))
def migrate() -> None:
    """Bring the database to the newest revision."""
    from app.persistence.schema import upgrade

    with open_database() as database:
        upgrade(database)
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
    with open_database() as database:
        ensure_board(database)
        report = check_scenes(database)
    typer.echo(f"{len(report.equal)} {text('equal')}")
    for key, scenes in (("different", report.different), ("other_edition", report.other_edition)):
        typer.echo("\n".join((f"{len(scenes)} {text(key)}", *(f"  {one}" for one in scenes))))
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
    typer.echo(f"{found.first_name} {text('duel_wins')}: {float(found.first):.6%}")
    typer.echo(f"{found.second_name} {text('duel_wins')}: {float(found.second):.6%}")
    typer.echo(f"{text('duel_draw')}: {float(found.draw):.6%}")
    typer.echo(f"{float(found.length):.2f} {text('duel_turns')}")


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
        typer.echo(text(error.code) if error.code in TEXTS else str(error), err=True)
        sys.exit(1)


def _say_where(host: str, port: int) -> None:
    """Let links and the check of a form's origin follow the address, unless one is configured."""
    shown = "localhost" if host in ("0.0.0.0", "::") else host  # noqa: S104  # only compared
    os.environ.setdefault("ARBITRO_BASE_URL", f"http://{shown}:{port}")


def _link(secret: str) -> str:
    from app.config import Settings

    return f"{Settings().base_url}/k/{secret}"


if __name__ == "__main__":
    main()
