"""`arbitro users` and `arbitro boards`: for whoever runs the service."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

from app.cli.texts import database, language, text

if TYPE_CHECKING:
    from app.services.errors import Malformed

users: Final = typer.Typer(name="users", help=text("users"), no_args_is_help=True)
boards: Final = typer.Typer(name="boards", help=text("boards"), no_args_is_help=True)
Name = Annotated[str, typer.Argument(metavar="NAME", help=text("users_name"))]


@users.command("add", help=text("users_add"))
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help=text("users_new_name"))],
    email: Annotated[str, typer.Option("--email", help=text("users_email"))] = "",
    admin: Annotated[bool, typer.Option("--admin", help=text("users_is_admin"))] = False,
) -> None:
    """Make an account; a password is never an argument, which others on the machine can read."""
    from app.config import Settings
    from app.services.errors import Malformed
    from app.services.links import forget
    from app.services.people import sign_up
    from app.services.people_shapes import NewAccount
    from app.services.world import SystemWorld

    secret = _new_password()
    new = NewAccount(name=name, password=secret, email=email)
    with database() as db:
        try:
            done = sign_up(db, SystemWorld(Settings()), new, is_admin=admin)
        except Malformed as error:
            _refuse(error)
        forget(db, done.cookie)  # nobody is at a browser
    typer.echo(text("users_done"))


@users.command("list", help=text("users_list"))
def list_users() -> None:
    """Print everybody by name."""
    from app.services.people import list_people

    with database() as db:
        for one in list_people(db):
            marks = f"  ({text('users_of_service')})" if one.is_admin else ""
            email = f" <{one.email}>" if one.email else ""
            typer.echo(f"{one.created_at:%Y-%m-%d}  {one.name}{email}{marks}")


@users.command("admin", help=text("users_admin"))
def admin(
    name: Name, no: Annotated[bool, typer.Option("--no", help=text("users_no"))] = False
) -> None:
    """Let somebody look after the service, or no longer."""
    from app.services.errors import NotFound
    from app.services.people import set_admin

    with database() as db:
        try:
            set_admin(db, name, not no)
        except NotFound:
            _unknown()
    typer.echo(text("users_done"))


@users.command("reset-link", help=text("users_reset"))
def reset(name: Name) -> None:
    """Print a link that sets a new password once."""
    from app.config import Settings
    from app.services.errors import NotFound
    from app.services.people import reset_link
    from app.services.world import SystemWorld

    settings = Settings()
    with database() as db:
        try:
            token = reset_link(db, SystemWorld(settings), name)
        except NotFound:
            _unknown()
    typer.echo(f"{settings.base_url}/reset/{token}")


@boards.command("list", help=text("boards_list"))
def list_boards() -> None:
    """Print every board: its id and its name."""
    from app.services.boards import all_boards

    with database() as db:
        for id, name in all_boards(db):
            typer.echo(f"{id}  {name}")


@boards.command("add", help=text("boards_add"))
def add_board(
    name: Annotated[str, typer.Argument(metavar="NAME", help=text("boards_name"))],
) -> None:
    """Make a board without any member, and print the link of its owner."""
    from app.config import Settings
    from app.services.boards import owner_link
    from app.services.errors import Malformed
    from app.services.members import add_board
    from app.services.people_shapes import NewBoard
    from app.services.world import SystemWorld

    settings = Settings()
    world = SystemWorld(settings)
    with database() as db:
        try:
            board = add_board(db, world, NewBoard(name=name))
        except Malformed as error:
            _refuse(error)
        secret = owner_link(db, world, board)
    typer.echo(f"{settings.base_url}/k/{secret}")


def _new_password() -> str:
    """Ask twice, in the language of the terminal, until both are the same."""
    while True:
        secret: str = typer.prompt(text("users_password"), hide_input=True)
        if secret == typer.prompt(text("users_password_again"), hide_input=True):
            return secret
        typer.echo(text("users_password_differs"), err=True)


def _refuse(error: Malformed) -> NoReturn:
    from app.posts.phrases import SERVICE, say

    for one in error.mistakes:
        said = say(language(), SERVICE, "mistakes", one.code, one.facts)
        typer.echo(f"{one.field}: {said}", err=True)
    sys.exit(1)


def _unknown() -> NoReturn:
    typer.echo(text("users_unknown"), err=True)
    sys.exit(1)
