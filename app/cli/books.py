"""`arbitro books`: the book of the board, exported, imported and described at the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from app.cli.texts import database as open_database
from app.cli.texts import language

if TYPE_CHECKING:
    from app.services.errors import Mistake

# What these commands say, in Italian and English; what has a code is said by the phrases.
TEXTS: Final = {
    "books": (
        "Il libro della board: esportalo, importalo, leggine lo schema.",
        "The book of the board: export it, import it, read its schema.",
    ),
    "export": ("Scrivi ciò che il libro ha in uso.", "Write what the book has in use."),
    "import": (
        "Importa un pacchetto, JSON o CSV: tutto o niente. Esce con 1 se c'è qualcosa da "
        "correggere, con 2 se il file non si legge.",
        "Import a pack, JSON or CSV: all of it or nothing. The exit status is 1 if anything is to "
        "mend, 2 if the file cannot be read.",
    ),
    "schema": ("Scrivi lo schema JSON dei pacchetti.", "Write the JSON Schema of packs."),
    "format": ("json, oppure csv.", "json, or csv."),
    "sheets": ("Aggiungi tutte le schede.", "Add all the sheets."),
    "file": ("Il pacchetto.", "The pack."),
    "dry_run": ("Mostra soltanto che cosa farebbe.", "Only show what it would do."),
    "propose": ("Proponi, senza approvare.", "Propose, without approving."),
    "unread": ("Il file non si può leggere:", "The file cannot be read:"),
    "line": ("riga", "line"),
    "added": ("nuovo", "new"),
    "changed": ("versione nuova", "new version"),
    "unchanged": ("già così", "as it is already"),
    "refused": ("da correggere", "to mend"),
    "kept": ("È nel libro.", "It is in the book."),
    "not_kept": ("Non è rimasto nulla.", "Nothing was kept."),
}


def text(key: str) -> str:
    """Give what the command says, in the language of the terminal."""
    italian, english = TEXTS[key]
    return english if language() == "en" else italian


def commands() -> typer.Typer:
    """Make the group of commands; its texts follow the terminal of this moment."""
    books = typer.Typer(no_args_is_help=True, help=text("books"))
    books.command("export", help=text("export"))(export)
    books.command("import", help=text("import"))(bring)
    books.command("schema", help=text("schema"))(schema)
    return books


def export(
    kind: Annotated[str, typer.Option("--format", help=text("format"))] = "json",
    sheets: Annotated[bool, typer.Option("--sheets", help=text("sheets"))] = False,
) -> None:
    """Write the pieces in use to the standard output."""
    from app.persistence.tables import FIRST_BOARD
    from app.services.boards import ensure_board
    from app.services.book_csv import write_table
    from app.services.book_import import export_all, pack_text
    from app.services.book_packs import CSV, FORMATS, write_pack

    if kind not in FORMATS:
        raise typer.BadParameter(text("format"), param_hint="--format")
    with open_database() as database:
        ensure_board(database)
        pieces = export_all(database, FIRST_BOARD, sheets=sheets and kind != CSV)
    told = write_table(pieces, language()) if kind == CSV else pack_text(write_pack(pieces))
    sys.stdout.write(told)


def bring(
    file: Annotated[Path, typer.Argument(help=text("file"))],
    dry_run: Annotated[bool, typer.Option("--dry-run", help=text("dry_run"))] = False,
    propose: Annotated[bool, typer.Option("--propose", help=text("propose"))] = False,
) -> None:
    """Take a pack into the book, or show what it would do."""
    from app.config import Settings
    from app.persistence.tables import FIRST_BOARD
    from app.services.boards import ensure_board
    from app.services.book_import import operate
    from app.services.book_packs import format_of
    from app.services.errors import Malformed
    from app.services.world import SystemWorld

    try:
        pack = file.read_bytes()
    except OSError:
        typer.echo(f"{text('unread')} {file}", err=True)
        raise typer.Exit(2) from None
    with open_database() as database:
        ensure_board(database)
        world = SystemWorld(Settings())
        try:
            found, mistakes = operate(
                database,
                world,
                FIRST_BOARD,
                pack,
                format_of(pack),
                dry=dry_run,
                approve=not propose,
            )
        except Malformed as error:
            _say(error.mistakes)
            typer.echo(text("not_kept"))
            raise typer.Exit(1) from None
    for line in found.lines:
        number = f" ({line.version})" if line.version and line.action != "unchanged" else ""
        typer.echo(f"{text('line')} {line.line}: {line.name} – {text(line.action)}{number}")
    _say(mistakes)
    typer.echo(text("kept" if found.kept else "not_kept"))
    raise typer.Exit(1 if mistakes else 0)


def schema() -> None:
    """Write the JSON Schema of packs to the standard output."""
    import json

    from app.services.book_packs import pack_schema

    typer.echo(json.dumps(pack_schema(), ensure_ascii=False, indent=1))


def _say(mistakes: tuple[Mistake, ...]) -> None:
    """Say each mistake with its line, its field and its code."""
    from app.posts.phrases import SERVICE, say

    for one in mistakes:
        said = say(language(), SERVICE, "mistakes", one.code, one.facts)
        where, _, field = one.field.removeprefix("lines[").partition("].")
        typer.echo(f"{text('line')} {where.rstrip(']')}: {field} [{one.code}] {said}", err=True)
