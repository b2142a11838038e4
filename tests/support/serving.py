"""An application served for real, in a thread of the test's own process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI


def a_door() -> socket.socket:
    """Open a port that is nobody's yet; whoever needs to know it beforehand asks the socket."""
    return socket.create_server(("127.0.0.1", 0))


def address_of(door: socket.socket) -> str:
    """Spell the address that a port is reached by."""
    return f"http://127.0.0.1:{door.getsockname()[1]}"


@contextmanager
def serving(app: FastAPI, door: socket.socket) -> Iterator[str]:
    """Serve an application behind a door until the test is over; give its address."""
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    assert server.started, "the service did not start"
    yield address_of(door)
    server.should_exit = True
    thread.join(timeout=10)
