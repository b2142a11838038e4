"""A warrior of one's own on a form: ten faces with their options, hits, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.rulesets.warrior_dice.sheet import FACES, FaceOption, Warrior
from app.rulesets.warrior_dice.terms import Kind, Special
from app.web.forms import TICKED, Json, Nested, is_index, lift, rows_at, text_at
from app.web.rows import Row, Rows

# What an option may be, as one choice: its side, and the special that it is.
WHATS: Final[Mapping[str, tuple[Kind, Special | None, bool]]] = {
    "attack": (Kind.ATTACK, None, False),
    "defence": (Kind.DEFENCE, None, False),
    "adder": (Kind.ADDER, None, False),
    "doubler": (Kind.DOUBLER, None, False),
    "all_out": (Kind.ATTACK, Special.ALL_OUT, False),
    "all_out_defence": (Kind.DEFENCE, Special.ALL_OUT, False),
    "neutralize": (Kind.ATTACK, Special.NEUTRALIZE, False),
    "neutralize_defence": (Kind.DEFENCE, Special.NEUTRALIZE, False),
    "neutralize_self": (Kind.ATTACK, Special.NEUTRALIZE_SELF, False),
    "regain": (Kind.DEFENCE, Special.REGAIN, False),
    "regain_untyped": (Kind.DEFENCE, Special.REGAIN, True),
    "no_damage": (Kind.ATTACK, Special.NO_DAMAGE, False),
}
LEADING: Final = {"adder": "Adder", "doubler": "Doubler"}  # what such a face is called by itself
NUMERIC: Final = ("attack", "defence")
MOST_OPTIONS: Final = 6
OPTION_ROWS: Final = Rows(MOST_OPTIONS, lambda *_: {"name": "", "what": "attack", "force": "10"})


def shown_sheet(warrior: Warrior) -> Row:
    """Fill the fields of a sheet from a warrior."""
    return {
        "name": warrior.name,
        "hits": str(warrior.hits),
        "faces": [
            {"face": str(face), "options": [_shown(one) for one in warrior.on(face)]}
            for face in range(1, FACES + 1)
        ],
    }


def write_sheet(form: Nested, at: str, path: str, origins: dict[str, str]) -> dict[str, Json]:
    """Make the sheet of the fields at a place; ``path`` is where it stands in the set-up."""
    options: list[Json] = []
    for face in range(FACES):
        for place in rows_at(form, f"{at}.faces.{face}.options"):
            row = f"{at}.faces.{face}.options.{place}"
            what = text_at(form, f"{row}.what")
            kind, special, untyped = WHATS.get(what, (what, None, False))
            typed: Row = {
                "face": str(face + 1),
                "name": text_at(form, f"{row}.name") or LEADING.get(what, ""),
                "kind": str(kind),
                "special": special or "",
                "untyped": TICKED if untyped else "",
                "trait": text_at(form, f"{row}.trait"),
            }
            if what in NUMERIC:
                typed["force"] = text_at(form, f"{row}.force")
            here = f"{path}.options.{len(options)}"
            origins |= {f"{here}.name": f"{row}.name", f"{here}.force": f"{row}.force"}
            origins[here] = f"{row}.what"
            options.append(lift(FaceOption, typed))
    bare: Row = {name: text_at(form, f"{at}.{name}") for name in ("name", "hits", "xp")}
    sheet: Any = lift(Warrior, bare)
    return {
        "kind": Warrior.kind,
        **{name: part for name, part in sheet.items() if name in bare},
        "options": options,
    }


def sheet_in(form: Nested, at: str) -> Warrior:
    """Read a sheet as far as it is filled in, to reckon its price while it is being written."""
    options: list[FaceOption] = []
    for face in range(FACES):
        for place in rows_at(form, f"{at}.faces.{face}.options"):
            row = f"{at}.faces.{face}.options.{place}"
            what = text_at(form, f"{row}.what")
            kind, special, untyped = WHATS.get(what, WHATS["attack"])
            options.append(
                FaceOption(
                    face=face + 1,
                    name=text_at(form, f"{row}.name") or LEADING.get(what, "?"),
                    kind=kind,
                    force=_number(text_at(form, f"{row}.force")) if what in NUMERIC else None,
                    special=special,
                    untyped=untyped,
                    trait=text_at(form, f"{row}.trait") == TICKED,
                )
            )
    return Warrior(
        name=text_at(form, f"{at}.name"),
        hits=_number(text_at(form, f"{at}.hits")),
        options=tuple(options),
    )


def _shown(option: FaceOption) -> Row:
    read = (option.kind, option.special, option.untyped)
    loose = (option.kind, option.special, False)
    what = next((code for code, one in WHATS.items() if one in (read, loose)), "attack")
    exact = next((code for code, one in WHATS.items() if one == read), what)
    return {
        "name": option.name,
        "what": exact,
        "force": "" if option.force is None else str(option.force),
        "trait": TICKED if option.trait else "",
    }


def _number(text: str) -> int:
    return int(text.strip()) if is_index(text.strip()) else 0
