"""The form that opens a duel: two warriors, their orders, where and how fast they fight."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from app.engine.findings import Violation
from app.engine.ruleset import GM, SPECTATOR
from app.http.language import Language
from app.rulesets.warrior_dice.design import Points, check_design, points_of
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.printed import PRINTED, PrintedTable
from app.rulesets.warrior_dice.sheet import PrintedWarrior, Warrior
from app.rulesets.warrior_dice.state import Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import (
    Battlefield,
    FaceOrder,
    Keep,
    Pace,
    ReforgeOrder,
    TradeOrder,
    YieldOrder,
)
from app.rulesets.warrior_dice.warriors import CORE, RINGS, SHADOW, SLAYER, WARHAMMER
from app.web.forms import Nested, at, lift, rows_at, shown, text_at
from app.web.games.frame import Context, Form
from app.web.games.warrior_sheet import OPTION_ROWS, WHATS, sheet_in, shown_sheet, write_sheet
from app.web.rows import Row
from app.web.texts import marked
from app.web.written import Written

OWN: Final = "own"
ROLLED: Final = "roll"
UNROLLED: Final = "none"
SEATS: Final = ("one", "two")
FIRST: Final = ("guerriero", "cavaliere")
SETUP_ROWS: Final = {"options": OPTION_ROWS}
SETS: Final = (
    (marked("Core warriors"), CORE),
    (marked("The Lord of the Rings"), RINGS),
    (marked("Warhammer Fantasy"), WARHAMMER),
    (marked("Slayer Dice"), SLAYER),
    (marked("Shadow Warriors"), SHADOW),
)
POLICIES: Final[dict[str, tuple[str, ...]]] = {
    "doubler": tuple(Keep),
    "faces": tuple(FaceOrder),
    "reforge": tuple(ReforgeOrder),
    "surrender": tuple(YieldOrder),
    "trade": tuple(TradeOrder),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A warrior while it is chosen or written: its faces, its price, and what its design breaks."""

    warrior: Warrior
    points: Points
    rule: str = ""
    broken: tuple[Violation, ...] = ()


def first_setup() -> Form:
    """Fill a new form with two printed warriors and the usual standing orders."""
    return {
        "entrants": [
            {"~from": "printed", "~warrior": warrior, "standing": _usual()} for warrior in FIRST
        ],
        "pace": Pace.COUNTED.value,
        "turns_per_post": "1",
    }


def press_setup(form: Form, what: str) -> None:
    """Turn the choice of a printed warrior into a sheet of one's own to start from, or back."""
    verb, _, path = what.partition(":")
    row = at(form, path)
    if not isinstance(row, dict):
        return
    if verb == OWN:
        chosen = PRINTED.get(text_at(row, "~warrior")) or PRINTED[FIRST[0]]
        kept = text_at(row, "sheet.xp")
        row |= {"~from": OWN, "sheet": {**shown_sheet(chosen.sheet), "xp": kept}}
    elif verb == "printed":
        row |= {"~from": "printed", "sheet": {"xp": text_at(row, "sheet.xp")}}


def write_setup(form: Form) -> Written:
    """Make the set-up of a form."""
    written = Written({})
    origins = written.origins
    seats = _seats(form)
    written.order["entrants"] = [
        _write_entrant(form, place, seat, origins) for place, seat in enumerate(seats)
    ]
    names = ("pace", "turns_per_post")
    read: Any = lift(DuelSetup, {name: text_at(form, name) for name in names})
    written.order.update({name: part for name, part in read.items() if name in names})
    if first := text_at(form, "first"):
        written.order["first"] = dict(zip(SEATS, seats, strict=False)).get(first, first)
    if shadow := text_at(form, "shadow"):
        written.order["shadow"] = {"yes": True, "no": False}.get(shadow, shadow)
    field = text_at(form, "~field")
    origins.update({"battlefield": "~field", "roll_battlefield": "~field"})
    if field in (ROLLED, UNROLLED):
        written.order["roll_battlefield"] = field == ROLLED
    elif field:
        written.order["battlefield"] = lift(int, field)
        written.order["roll_battlefield"] = False
    return written


def setup_context(form: Form, _language: Language) -> Context:
    """Give what the form offers, and both warriors as they are chosen now."""
    return {
        "sets": tuple((name, tuple(_tables(text))) for name, text in SETS),
        "warriors": [_shown(form, f"entrants.{place}") for place in rows_at(form, "entrants")],
        "whats": WHATS,
        "policies": POLICIES,
        "paces": tuple(Pace),
        "fields": tuple(Battlefield),
    }


def _usual() -> Row:
    usual = StandingOrders()
    return {name: shown(getattr(usual, name)) for name in (*POLICIES, "reforge_at")}


def _tables(text: str) -> Iterable[PrintedTable]:
    ids = [line.split(" | ")[1] for line in text.splitlines() if line.startswith("WD-T")]
    return (PRINTED[id] for id in ids)


def _shown(form: Nested, row: str) -> Shown | None:
    if text_at(form, f"{row}.~from") == OWN:
        own = sheet_in(form, f"{row}.sheet")
        return Shown(warrior=own, points=points_of(own), broken=tuple(check_design(own, "")))
    table = PRINTED.get(text_at(form, f"{row}.~warrior"))
    if table is None:
        return None
    return Shown(warrior=table.sheet, points=points_of(table.sheet), rule=table.rule)


def _seats(form: Nested) -> list[str]:
    """Call each seat after its warrior, as ledger and addresses show it."""
    seats: list[str] = []
    for place in rows_at(form, "entrants"):
        row = f"entrants.{place}"
        own = text_at(form, f"{row}.~from") == OWN
        name = text_at(form, f"{row}.sheet.name" if own else f"{row}.~warrior")
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        seat = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")[:30] or "warrior"
        taken = seat in (*seats, GM, SPECTATOR)
        seats.append(f"{seat}_{place + 1}" if taken else seat)
    return seats


def _write_entrant(form: Nested, place: int, seat: str, origins: dict[str, str]) -> Any:
    """Write one of the two: its sheet, its standing orders, and where it stands in mid-duel."""
    row = f"entrants.{place}"
    typed = at(form, row)
    known: Row = dict(typed) if isinstance(typed, dict) else {}
    known.pop("sheet", None)
    read: Any = lift(Duellist, {**known, "id": seat})
    if text_at(form, f"{row}.~from") == OWN:
        read["sheet"] = write_sheet(form, f"{row}.sheet", f"{row}.sheet", origins)
        origins[f"{row}.sheet.options"] = f"{row}.sheet.options"
    else:
        names = {"warrior": f"{row}.~warrior", "xp": f"{row}.sheet.xp"}
        chosen: Any = lift(PrintedWarrior, {name: text_at(form, at) for name, at in names.items()})
        read["sheet"] = {"kind": PrintedWarrior.kind, **chosen}
        origins[f"{row}.sheet"] = f"{row}.~warrior"
        origins[f"{row}.sheet.xp"] = f"{row}.sheet.xp"
    return read
