"""The form by which a being enters: a printed warrior, or ten faces of one's own."""

from __future__ import annotations

from typing import Any, Final

from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.sheet import FACES
from app.rulesets.warrior_dice.terms import Kind, Special
from app.web.forms import Nested, text_at
from app.web.written import Written

# What a face may show: how it is written, and on which side it counts (WD-47).
RESULTS: Final[dict[str, tuple[Kind, Special | None]]] = {
    "attack": (Kind.ATTACK, None),
    "defence": (Kind.DEFENCE, None),
    "adder": (Kind.ADDER, None),
    "doubler": (Kind.DOUBLER, None),
    "all_out": (Kind.ATTACK, Special.ALL_OUT),
    "neutralize": (Kind.ATTACK, Special.NEUTRALIZE),
    "neutralize_self": (Kind.ATTACK, Special.NEUTRALIZE_SELF),
    "no_damage": (Kind.ATTACK, Special.NO_DAMAGE),
    "regain": (Kind.DEFENCE, Special.REGAIN),
}
FORCED: Final = ("attack", "defence")
FACE_NUMBERS: Final = tuple(range(1, FACES + 1))
WARRIORS: Final = tuple((id, table.sheet.name) for id, table in PRINTED.items())


def first_texts(key: str) -> dict[str, Nested]:
    """Fill a new form: an Adder and a Doubler, and room for 100 points on either side (WD-40)."""
    kinds = ("adder", "doubler", *("attack",) * 4, *("defence",) * 4)
    forces = ("", "", "40", "30", "20", "10", "40", "30", "20", "10")
    faces: list[Nested] = [
        {"what": what, "force": force, "name": what.capitalize() if not force else ""}
        for what, force in zip(kinds, forces, strict=True)
    ]
    return {"key": key, "~from": "printed", "hits": "100", "~faces": faces, "trait": "3"}


def write_sheet(form: dict[str, Nested]) -> Written:
    """Make the sheet of a form; what is wrong with a face is shown at that face."""
    if text_at(form, "~from") != "own":
        return Written({"kind": "printed", "warrior": text_at(form, "warrior")})
    written = Written({"kind": "warrior", "name": text_at(form, "name")})
    written.order["hits"] = _number(text_at(form, "hits"))
    options: list[Any] = []
    for place, face in enumerate(FACE_NUMBERS):
        row = f"~faces.{place}"
        what = text_at(form, f"{row}.what")
        kind, special = RESULTS.get(what, RESULTS["attack"])
        option: dict[str, Any] = {
            "face": face,
            "name": text_at(form, f"{row}.name"),
            "kind": kind.value,
            "special": None if special is None else special.value,
            "trait": text_at(form, "trait") == str(face),
        }
        if what in FORCED:
            option["force"] = _number(text_at(form, f"{row}.force"))
        options.append(option)
        for name in ("name", "force"):
            written.origins[f"options.{place}.{name}"] = f"{row}.{name}"
    written.order["options"] = options
    return written


def name_in(form: dict[str, Nested]) -> str | None:
    """Read the name that a printed warrior is to have; one of one's own has it on its sheet."""
    name = text_at(form, "name").strip()
    return name if name and text_at(form, "~from") != "own" else None


def _number(text: str) -> Any:
    """Read a whole number; what is none is left for the codec to refuse by its field."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else text or None
