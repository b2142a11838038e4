"""One line for each event that an investigation would ask for, beside the line of the request.

What was done to which scene, seat or line stands in the trail of the database (``note_deed``), with
its author and its time. These lines are for what no table keeps: attempts, refusals, and from where
they came. None says what was typed: people type passwords where a name belongs.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Scope

from app.http.rate import client_address
from app.services.access import Principal

LOG: Final = logging.getLogger("arbitro.security")
_WHO: Final = "arbitro.who"
_BOARD: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ADDRESS: Final = re.compile(r"[0-9A-Za-z.:/%_-]{1,64}")
_REFUSED: Final = frozenset({401, 403, 404, 412, 413, 415, 429})

EVENTS: Final[Mapping[str, str]] = {
    "POST /login": "log_in",
    "GET /login/oidc/callback": "log_in_by_provider",
    "POST /signup": "sign_up",
    "POST /i/{secret}": "invitation_accepted",
    "POST /api/v1/invitations/accept": "invitation_accepted",
    "POST /k/{secret}": "link_opened",
    "POST /logout": "log_out",
    "POST /me/log-out": "log_out_everywhere",
    "POST /me": "account_changed",
    "POST /me/password": "password_changed",
    "POST /reset/{token}": "password_reset",
    "POST /me/keys": "key_kept",
    "POST /api/v1/me/keys": "key_kept",
    "POST /me/keys/give-up": "key_given_up",
    "DELETE /api/v1/me/keys/{key_id}": "key_given_up",
    "POST /boards/new": "board_made",
    "POST /api/v1/boards": "board_made",
    "POST /boards/{board_id}/members": "role_changed",
    "PUT /api/v1/boards/{board_id}/members/{person_id}": "role_changed",
    "DELETE /api/v1/boards/{board_id}/members/{person_id}": "role_changed",
    "POST /boards/{board_id}/join": "board_joined",
    "POST /api/v1/boards/{board_id}/join": "board_joined",
    "POST /boards/{board_id}/leave": "board_left",
    "POST /boards/{board_id}/invitations": "invitation_made",
    "POST /api/v1/boards/{board_id}/invitations": "invitation_made",
    "POST /boards/{board_id}/invitations/revoke": "invitation_revoked",
    "DELETE /api/v1/boards/{board_id}/invitations/{invitation_id}": "invitation_revoked",
    "POST /scenes/{scene_id}/links": "link_changed",
    "POST /api/v1/scenes/{scene_id}/links/gm": "link_made",
    "POST /api/v1/scenes/{scene_id}/links/seat/{seat}": "link_made",
    "DELETE /api/v1/scenes/{scene_id}/links/gm": "link_revoked",
    "DELETE /api/v1/scenes/{scene_id}/links/seat/{seat}": "link_revoked",
    "POST /beings/{being_id}/link": "link_made",
    "POST /api/v1/beings/{being_id}/link": "link_made",
    "POST /scenes/{scene_id}/claims/revoke": "key_revoked",
    "DELETE /api/v1/scenes/{scene_id}/claims/{key_id}": "key_revoked",
    "POST /inbox/feed": "feed_changed",
    "POST /api/v1/notices/feed": "feed_changed",
    "DELETE /api/v1/notices/feed": "feed_changed",
    "POST /boards/{board_id}/time/feed": "feed_changed",
    "POST /api/v1/boards/{board_id}/feed": "feed_changed",
    "DELETE /api/v1/boards/{board_id}/feed": "feed_changed",
    "POST /scenes/{scene_id}/share": "summary_shared",
    "POST /api/v1/scenes/{scene_id}/summary": "summary_shared",
    "DELETE /api/v1/scenes/{scene_id}/summary": "summary_revoked",
}
"""What an answered address is called, by its method and pattern."""


def note_who(request: HTTPConnection, principal: Principal) -> None:
    """Remember who asks: the account, and the keys they come with, by their ids."""
    keys = (grant.secret_id for grant in principal.grants)
    person = () if principal.person is None else (f"person:{principal.person.id}",)
    named = (*person, *dict.fromkeys(f"key:{one}" for one in keys))
    request.scope[_WHO] = ",".join(named[:3])


def note_person(request: HTTPConnection, person: str) -> None:
    """Remember who has just come in."""
    request.scope[_WHO] = f"person:{person}"


def note_event(scope: Scope, method: str, pattern: str, status: int) -> None:
    """Log what an answered request was to security, if it was anything.

    A page that refuses shows its form once more (422), so that whatever is 400 or above has failed.
    """
    event = EVENTS.get(f"{method} {pattern}")
    has_failed = status >= 400 or not status
    if event is None and (status not in _REFUSED or (status == 404 and pattern == "-")):
        return
    # Of what is refused the address may say anything, also a secret in the wrong place.
    board = "" if has_failed else str(scope.get("path_params", {}).get("board_id", ""))
    address = client_address(HTTPConnection(scope))
    LOG.log(
        logging.WARNING if has_failed else logging.INFO,
        "%s %s who=%s from=%s board=%s %s %s %s",
        event or "access",
        ("refused" if status in _REFUSED else "failed") if has_failed else "done",
        scope.get(_WHO) or "-",
        address if _ADDRESS.fullmatch(address) else "-",
        board if _BOARD.fullmatch(board) else "-",
        method,
        pattern,
        status or "unanswered",
    )
