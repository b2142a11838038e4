"""The address to listen on, before anybody is sent there."""

from __future__ import annotations

import errno
import socket

import typer

from app.cli.texts import text

TAKEN = 3


def check_free(host: str, port: int) -> None:
    """End the command, saying what to do, if somebody else listens there already.

    What else is wrong with an address the server itself says.
    """
    try:
        (family, kind, proto, _, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )
        with socket.socket(family, kind, proto) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            typer.echo(text("port_taken").format(port=port), err=True)
            raise typer.Exit(TAKEN) from None
