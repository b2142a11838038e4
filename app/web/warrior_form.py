"""The form of a warrior of one's own: two results for each of ten faces, and back to a sheet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from app.rulesets.warrior_dice.sheet import FACES, FaceOption, Warrior
from app.web.forms import Json, Nested, text_at
from app.web.texts import marked

WHATS: Final = (
    ("attack", marked("Attack")),
    ("defence", marked("Defence")),
    ("adder", marked("Adder")),
    ("doubler", marked("Doubler")),
    ("attack:all_out", marked("All Out (Attack)")),
    ("defence:all_out", marked("All Out (Defence)")),
    ("attack:neutralize", marked("Neutralize (Attack)")),
    ("defence:neutralize", marked("Neutralize (Defence)")),
    ("attack:neutralize_self", marked("Neutralize Self")),
    ("defence:regain", marked("Regain 10")),
    ("attack:no_damage", marked("No damage")),
)
PLACES: Final = ("a", "b")
_OPTION: Final = re.compile(r"(?:sheet\.)?options[.\[](\d+)\]?")


@dataclass(frozen=True, slots=True)
class Written:
    """A sheet as the form says it, and the field that each of its options came from."""

    sheet: Json
    fields: tuple[str, ...]

    def rename(self, path: str) -> str:
        """Lead from a path in the sheet to a field of the form."""
        found = _OPTION.match(path)
        if found and int(found[1]) < len(self.fields):
            last = path.rpartition(".")[2]
            part = last if last in ("force", "name") else "what"
            return f"{self.fields[int(found[1])]}.{part}"
        return path.removeprefix("sheet.").removeprefix("sheet")


def write_design(data: dict[str, Nested]) -> Written:
    """Put a sheet together from the texts of the form; an empty result is left out."""
    options: list[Json] = []
    fields: list[str] = []
    for face in range(1, FACES + 1):
        for place in PLACES:
            at = f"face{face}{place}"
            what = text_at(data, f"{at}.what")
            if not what:
                continue
            kind, _, special = what.partition(":")
            option: dict[str, Json] = {"face": face, "kind": kind}
            option["name"] = text_at(data, f"{at}.name").strip() or kind.capitalize()
            if special:
                option["special"] = special
            elif kind in ("attack", "defence"):
                option["force"] = _number(text_at(data, f"{at}.force"))
            options.append(option)
            fields.append(at)
    hits, name = _number(text_at(data, "hits")), text_at(data, "name").strip()
    sheet: Json = {"kind": "warrior", "name": name, "hits": hits, "options": options}
    return Written(sheet, tuple(fields))


def blank_design(sheet: Warrior) -> dict[str, Nested]:
    """Give the texts of a form that begins from a warrior, under a name still to be found."""
    data: dict[str, Nested] = {"name": "", "hits": str(sheet.hits)}
    for face in range(1, FACES + 1):
        for place, option in zip(PLACES, sheet.on(face), strict=False):
            data[f"face{face}{place}"] = design_of(option)
    return data


def design_of(option: FaceOption) -> dict[str, Nested]:
    """Give the texts of one result."""
    special = f":{option.special.value}" if option.special else ""
    force = "" if option.force is None else str(option.force)
    return {"what": option.kind.value + special, "name": option.name, "force": force}


def _number(text: str) -> Json:
    """Read a whole number; what is none stays a text, for the codec to name its field."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else text
