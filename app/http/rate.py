"""How often somebody may try to log in, to sign up or to set a password anew."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
import math
import time
from typing import Final

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from starlette.requests import HTTPConnection

from app.engine.alike import folded
from app.services.errors import TooMany

LOG: Final = logging.getLogger("arbitro.rate")
PER_ACCOUNT: Final = RateLimitItemPerMinute(10, 15)
PER_ADDRESS: Final = RateLimitItemPerMinute(40, 15)
SIGN_UPS: Final = RateLimitItemPerHour(20, 1)
_SITE_OF_IPV6: Final = 64  # bits: whoever has one address of a network has them all


class Attempts:
    """What was tried lately, in the memory of this process; a new start forgets it."""

    def __init__(self) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    def note(self, request: HTTPConnection, what: str, account: str | None = None) -> None:
        """Count one attempt from an address, and for an account; raise TooMany beyond the limit.

        The address is the one that the connection has: what a header says of it anybody can write.
        It comes first, since whoever is refused by it must not lock anybody out of an account.
        """
        of_address = SIGN_UPS if what == "sign_up" else PER_ADDRESS
        kinds: list[tuple[RateLimitItem, str, str]] = [
            (of_address, "address", client_address(request))
        ]
        if account is not None:
            kinds.append((PER_ACCOUNT, "account", _unreadable(account)))
        for limit, kind, name in kinds:
            if not self._limiter.hit(limit, what, kind, name):
                again = self._limiter.get_window_stats(limit, what, kind, name).reset_time
                seconds = max(1, math.ceil(again - time.time()))
                LOG.warning("too many attempts: %s, by %s", what, kind)
                raise TooMany(seconds)

    def forgive(self, what: str, account: str) -> None:
        """Forget the attempts for an account whose owner has come in."""
        self._limiter.clear(PER_ACCOUNT, what, "account", _unreadable(account))


def client_address(request: HTTPConnection) -> str:
    """Give the address that a request comes from, or its network where that is one household's."""
    host = "" if request.client is None else request.client.host
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return host
    return str(ipaddress.ip_network((host.partition("%")[0], _SITE_OF_IPV6), strict=False))


def _unreadable(account: str) -> str:
    """Name an account as it is compared, and short, whatever was typed."""
    return hashlib.sha256(folded(account).encode("utf-8", "surrogatepass")).hexdigest()
