"""A real server process that can be killed without warning and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

import httpx

from tests.support.world import KEYS_TEXT

ROOT = Path(__file__).parents[2]
PATIENCE = 120.0  # a shared machine has slow moments


class Server:
    """Arbitro under uvicorn on a port of its own."""

    def __init__(self, database_url: str, log: Path) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._log = log
        self._environment = {
            **os.environ,
            "ARBITRO_DATABASE_URL": database_url,
            "ARBITRO_BASE_URL": self.address,
            "ARBITRO_MASTER_KEYS": KEYS_TEXT,
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._written: IO[bytes] | None = None

    def start(self) -> None:
        """Start, and wait until it serves."""
        self._written = self._log.open("ab")
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-m", "uvicorn", "app.main:create_app", "--factory"),
                *("--host", "127.0.0.1", "--port", str(self.port), "--no-access-log"),
            ],
            cwd=ROOT,
            env=self._environment,
            stdout=self._written,
            stderr=subprocess.STDOUT,
        )
        self.wait_until_it_serves(self._process)

    def wait_until_it_serves(self, started: subprocess.Popen[bytes] | None = None) -> None:
        """Wait until it answers; fail if the process that was started ends instead."""
        limit = time.monotonic() + PATIENCE
        while time.monotonic() < limit:
            if started is not None and started.poll() is not None:
                raise AssertionError(self._log.read_text(encoding="utf-8", errors="replace"))
            try:
                if httpx.get(f"{self.address}/healthz", timeout=1).is_success:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server does not serve")

    def kill(self) -> None:
        """Kill it as a power cut of the process would: no handler runs."""
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        if self._written is not None:
            self._written.close()


def free_port() -> int:
    """Find a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
