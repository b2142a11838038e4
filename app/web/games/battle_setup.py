"""Opening a battle: two players, whose armies are mustered in secret or written down here."""

from __future__ import annotations

from typing import Final

from app.http.language import Language
from app.rulesets.battle_dice.state import Entrant
from app.web.forms import Json, Nested, at, lift, text_at
from app.web.games.battle_army import (
    FIRST_ROWS,
    ROWS,
    heroes_shown,
    kinds_shown,
    powers_shown,
    write_army,
)
from app.web.games.frame import Context, Form
from app.web.written import Written

SEATS: Final = ("p1", "p2")
OPEN: Final = "open"
SECRET: Final = "secret"
_UNDERWAY: Final = ("lost", "ignore", "carry_manoeuvre")


def first_setup() -> Form:
    """Fill a new form: two players who muster in secret."""
    return {"~armies": SECRET, "entrants": [{"id": seat} for seat in SEATS]}


def setup_context(_form: Form, language: Language) -> Context:
    """Give what the form offers."""
    return {
        "seats": SEATS,
        "kinds": kinds_shown(language),
        "heroes": heroes_shown(language),
        "powers": powers_shown(language),
        "first_rows": FIRST_ROWS,
        "all_rows": ROWS,
    }


def write_setup(form: Form) -> Written:
    """Make the set-up of a form; armies that are mustered in secret are none of it."""
    written = Written({})
    opened = text_at(form, "~armies") == OPEN
    written.order["entrants"] = [
        _entrant(form, index, seat, written, opened) for index, seat in enumerate(SEATS)
    ]
    if opened and (turns := text_at(form, "turns").strip()):
        written.order["turns"] = lift(int, turns)
    return written


def _entrant(form: Form, index: int, seat: str, written: Written, opened: bool) -> Json:
    path = f"entrants.{index}"
    tree: dict[str, Nested] = {"id": seat, "name": text_at(form, f"{path}.name").strip()}
    if opened:
        tree |= {name: part for name in _UNDERWAY if (part := at(form, f"{path}.{name}"))}
    read = lift(Entrant, tree)
    assert isinstance(read, dict)
    if opened:
        read["army"] = write_army(form, f"{path}.army", written)
    return read
