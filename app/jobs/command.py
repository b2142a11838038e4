"""``arbitro jobs``: what the service does by itself, to look at and to do now."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from app.persistence.queries_jobs import JobNow

TEXTS: Final = {
    "jobs": ("Ciò che il servizio fa da sé.", "What the service does by itself."),
    "list": ("Elenca ciò che è in programma.", "List what is planned."),
    "done": ("Anche ciò che è già fatto.", "What was done already as well."),
    "run": (
        "Fa una volta ciò che è ora di fare. Se il servizio è fermo, nessuna scadenza scatta.",
        "Do once what is due. While the service is down no deadline is acted on.",
    ),
    "none": ("Niente in programma.", "Nothing is planned."),
    "count": ("eseguiti o tentati", "done or tried"),
    "waits": ("attende", "waits"),
    "is_done": ("fatto", "done"),
    "dead": ("abbandonato", "given up"),
    "leased": ("in corso", "being done"),
}

jobs = typer.Typer(no_args_is_help=True)


def text(key: str) -> str:
    """Give what the command says, in the language of the terminal."""
    spoken = next((os.environ[name] for name in ("LC_ALL", "LANG") if os.environ.get(name)), "")
    italian, english = TEXTS[key]
    return english if spoken.lower().startswith("en") else italian


@jobs.command("list", help=text("list"))
def list_all(done: Annotated[bool, typer.Option("--done", help=text("done"))] = False) -> None:
    """Print a line for each job."""
    from app.config import Settings
    from app.persistence.database import Database
    from app.services.boards import ensure_board
    from app.services.jobs import list_jobs

    database = Database(Settings().database_url)
    try:
        ensure_board(database)
        found = list_jobs(database, done=done)
    finally:
        database.close()
    for job in found:
        typer.echo(_line(job))
    if not found:
        typer.echo(text("none"))


@jobs.command("run", help=text("run"))
def run_once() -> None:
    """Do what is due, once."""
    import asyncio
    import secrets

    from app.config import Settings
    from app.jobs.work import Worker, look_once
    from app.persistence.database import Database
    from app.services.boards import ensure_board
    from app.services.sending import couriers_of
    from app.services.world import SystemWorld

    settings = Settings()
    database = Database(settings.database_url)
    try:
        ensure_board(database)
        name = secrets.token_hex(8)
        worker = Worker(database, SystemWorld(settings), couriers_of(settings), name)
        count = asyncio.run(look_once(worker))
    finally:
        database.close()
    typer.echo(f"{count} {text('count')}")


def _line(job: JobNow) -> str:
    state = "dead" if job.dead_at else "is_done" if job.done_at else "waits"
    if state == "waits" and job.leased_by and job.leased_until:
        state = "leased"
    parts = [f"{job.run_at:%Y-%m-%d %H:%M} UTC", text(state), job.kind, job.subject]
    if job.last_error:
        parts.append(f"({job.attempts}) {job.last_error}")
    return "  ".join(parts)
