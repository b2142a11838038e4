"""Messages to an address that somebody typed: by TLS, to a public machine, and to no other.

A name is resolved once. If any of its addresses is not public, nothing is sent; otherwise the very
address that was looked at is connected to, so that a name which answers differently the second time
gains nothing. Redirections are not followed.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPSConnection
from typing import Final, TypeAlias
from urllib.parse import urlsplit

PATIENCE: Final = 8.0  # seconds
LONGEST: Final = 500  # characters of an address
LONGEST_NAME: Final = 253  # characters of a host
HTTPS: Final = 443
_MOST_READ: Final = 4096

Resolve: TypeAlias = Callable[[str, int], "tuple[str, ...]"]
Connect: TypeAlias = Callable[[str, int, float], socket.socket]
Secure: TypeAlias = Callable[[socket.socket, str], socket.socket]


class HookFault(Exception):
    """A message was not delivered; the text says why, and never holds the address."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where an address leads, taken apart."""

    host: str
    port: int
    path: str


def target_of(address: str) -> Target:
    """Take an address apart; raise HookFault for one that nothing is ever sent to."""
    if len(address) > LONGEST or not address.isascii() or not address.isprintable():
        raise HookFault("it is no address of the web")
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise HookFault("it is no address of the web") from error
    if parts.scheme != "https" or not parts.hostname or " " in address:
        raise HookFault("it does not begin with https:// and a host")
    if parts.username is not None or parts.password is not None:
        raise HookFault("it has a user's name in it")
    if port not in (None, HTTPS):
        raise HookFault("it names another port than that of https")
    _check_host(parts.hostname)
    path = parts.path or "/"
    return Target(parts.hostname, HTTPS, f"{path}?{parts.query}" if parts.query else path)


def _check_host(host: str) -> None:
    """Raise HookFault for what is no name of a machine, and for the number of one of our own."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        if len(host) > LONGEST_NAME or _NAME.fullmatch(host) is None:
            raise HookFault("it names no host") from None
        return
    if not is_public(host):
        raise HookFault("the host is not a public one")


def is_public(text: str) -> bool:
    """Say whether an address is of a machine that everybody on the internet can reach."""
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, ipaddress.IPv6Address):
        hidden = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if hidden is not None:
            return is_public(str(hidden))
        if address in _NAT64:
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local or any(address in one for one in _TRANSLATED):
            return False
    return address.is_global and not address.is_multicast


_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
# Ways to spell an address of IPv4 that lead wherever the network that we are in likes.
_TRANSLATED: Final = (
    ipaddress.IPv6Network("64:ff9b:1::/48"),
    ipaddress.IPv6Network("::/96"),
    ipaddress.IPv6Network("::ffff:0:0:0/96"),
)
_NAME: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})\.?",
    re.IGNORECASE,
)


def resolve(host: str, port: int) -> tuple[str, ...]:
    """List the addresses of a host."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(one[4][0]) for one in found))


def connect(address: str, port: int, patience: float) -> socket.socket:
    """Connect to an address."""
    return socket.create_connection((address, port), timeout=patience)


def secure(raw: socket.socket, host: str) -> socket.socket:
    """Speak TLS with whoever can prove to be the host."""
    return ssl.create_default_context().wrap_socket(raw, server_hostname=host)


@dataclass(frozen=True, slots=True)
class HookPoster:
    """Sends JSON to an address; how names are resolved and machines reached is its argument."""

    resolve: Resolve = field(default=resolve)
    connect: Connect = field(default=connect)
    secure: Secure = field(default=secure)

    def post(self, address: str, body: bytes) -> None:
        """Send a body; raise HookFault unless it was accepted."""
        target = target_of(address)
        try:
            found = self.resolve(target.host, target.port)
        except (OSError, UnicodeError) as error:
            raise HookFault("the host has no address") from error
        if not found or not all(is_public(one) for one in found):
            raise HookFault("the host is not a public one")
        try:
            status = self._exchange(target, found[0], body)
        except (OSError, HTTPException) as error:
            raise HookFault(f"the host does not answer ({type(error).__name__})") from error
        if not 200 <= status < 300:  # a redirection is an answer like any other: not followed
            raise HookFault(f"the host answered {status}")

    def _exchange(self, target: Target, address: str, body: bytes) -> int:
        raw = self.connect(address, target.port, PATIENCE)
        with raw, self.secure(raw, target.host) as line:
            line.settimeout(PATIENCE)
            connection = HTTPSConnection(target.host, target.port)
            connection.sock = line  # connected already, to the address that was looked at
            headers = {"Content-Type": "application/json", "User-Agent": "Arbitro"}
            connection.request("POST", target.path, body, headers)
            answer = connection.getresponse()
            answer.read(_MOST_READ)
            return answer.status
