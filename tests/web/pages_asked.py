"""Every route of the pages, its address in the town, and the least that its form needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta

from fastapi.routing import iter_route_contexts

from app.config import Settings
from app.main import create_app
from app.web.forms import TICKED
from tests.web.town import Quarter, Town


def _routes() -> Iterator[str]:
    app = create_app(Settings(database_url="sqlite:///unused.db"))
    for route in iter_route_contexts(app.routes):
        path = getattr(route, "path_format", "")
        if path and not path.startswith(("/api", "/healthz", "/static")):
            yield from (f"{method} {path}" for method in sorted(route.methods or ()))


ROUTES = sorted(set(_routes()))
KEY = {"key": "key-of-a-form"}
CLOCK = {"remind_hours": "6", "grace_hours": "2"}
AWAY = datetime(2025, 4, 10, 12, 0)  # noqa: DTZ001  # as a field of a form has it
FORMS: dict[str, Callable[[Town], dict[str, str]]] = {
    "POST /boards/{board_id}/members": lambda town: {"person": town.member, "role": "spectator"},
    "POST /boards/{board_id}/invitations": lambda _: {"role": "player", "uses": "1", "days": "1"},
    "POST /boards/{board_id}/invitations/revoke": lambda town: {"invitation": town.here.invitation},
    "POST /boards/new": lambda _: {"name": "Mia", "language": "it", **KEY},
    "POST /me/keys/give-up": lambda town: {"key": town.kept},
    "POST /scenes/{scene_id}/claims/revoke": lambda town: {"key": town.kept},
    "POST /boards/{board_id}/beings/duel": lambda town: {
        **dict.fromkeys(("first", "second"), town.here.being),
        "title": "Il vicolo",
        **KEY,
    },
    "POST /boards/{board_id}/precedents/{number}/retire": lambda _: {"reason": "Vecchio.", **KEY},
    "POST /scenes/{scene_id}/dice/beacon": lambda _: {"reason": "Non arriva."},
    "POST /scenes/{scene_id}/dice/throw": lambda _: {
        "label": "Chi lo nota?",
        "count": "1",
        "sides": "20",
        **KEY,
    },
    "POST /scenes/{scene_id}/dice/seal": lambda _: {
        "seat": "gm",
        "text": "Una trappola.",
        **KEY,
    },
    "POST /scenes/{scene_id}/dice/tell": lambda town: {"line": str(town.here.sealed), **KEY},
    "POST /scenes/{scene_id}/entries/{number}/compare": lambda _: {"text": "PV: 190/200"},
    "POST /scenes/{scene_id}/entries/{number}/dice": lambda _: {
        "faces.0": "7",
        "version": "2",
        **KEY,
    },
    "POST /scenes/{scene_id}/entries/{number}/dice/post": lambda _: {
        "text": "1d12+3: 4",
        "version": "2",
        **KEY,
    },
    "POST /scenes/{scene_id}/entries/{number}/withdraw": lambda _: {
        "reason": "Un errore.",
        "version": "2",
        **KEY,
    },
    "POST /scenes/{scene_id}/entries/{number}/story": lambda _: {
        "narration.offensive": "Si lancia avanti.",
        "wording": "1",
        **KEY,
    },
    "POST /scenes/{scene_id}/salt": lambda _: {"seat": "hollow", "salt": "0" * 32},
    "POST /scenes/{scene_id}/seal": lambda _: {"seat": "hollow", "seal": "0" * 64},
    "POST /scenes/{scene_id}/waive": lambda _: {"seat": "hollow"},
    "POST /scenes/{scene_id}/several": lambda _: {"count": "1", "version": "2", **KEY},
    "POST /boards/{board_id}/books/settings": lambda _: {"takes": "pieces"},
    "POST /boards/{board_id}/books/pieces/{piece_id}/{what}": lambda _: {"version": "1"},
    "POST /boards/{board_id}/desk/note": lambda town: {
        "scene": town.here.scene.scene_id,
        "text": "Da vedere.",
    },
    "POST /boards/{board_id}/desk/{scene_id}/{number}": lambda _: {
        "do": "approve",
        "version": "0",
        **KEY,
    },
    "POST /boards/{board_id}/desk/{scene_id}/{number}/seen": lambda _: {"seen": TICKED},
    "POST /boards/{board_id}/settings": lambda _: {"name": "Karakura"},
    "POST /boards/{board_id}/time": lambda _: {**CLOCK, "zone": "Europe/Rome"},
    "POST /inbox/mail": lambda _: {"address": ""},
    "POST /scenes/{scene_id}/clock": lambda _: CLOCK,
    "POST /scenes/{scene_id}/clock/stop": lambda _: {"reason": "Ferie."},
    "POST /scenes/{scene_id}/share": lambda _: {"do": "make", **KEY},
    "POST /scenes/{scene_id}/vacations": lambda _: {
        "seat": "hollow",
        "begins": AWAY.isoformat(timespec="minutes"),
        "ends": (AWAY + timedelta(days=3)).isoformat(timespec="minutes"),
    },
    "POST /zone": lambda _: {"zone": "Europe/Rome"},
    "POST /scenes/{scene_id}/links": lambda _: {"seat": "quincy", "do": "reissue"},
}


def places_of(town: Town, quarter: Quarter) -> dict[str, str]:
    """Say what can stand in an address about a board."""
    return {
        **quarter.places(),
        "token": town.token,
        "seat": "hollow",
        "number": "1",
        "kind": "json",
        "what": "approve",
        "first": "1",
        "last": "1",
        "game": "combat_dice",
        "rule_id": "GC-5.3",
        "case_id": "A-5-1",
        "warrior_id": "guerriero",
    }


def address(town: Town, route: str, places: Mapping[str, str] | None = None) -> str:
    """Fill in the address of a route, with what is on the first board unless said otherwise."""
    path = route.split(" ", 1)[1]
    filled = {**places_of(town, town.here), **(places or {})}
    if path == "/k/{secret}":
        filled["secret"] = town.here.other_scene.seat_secrets["quincy"]
    tokens = {"feeds": town.here.feed, "mail": town.mail, "s": town.here.summary}
    filled["token"] = tokens.get(path.split("/")[1], town.token)
    return path.format(**filled)
