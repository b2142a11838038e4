"""The set-up of Combat Dice on the pages: two fighters, printed or of one's own (CD-1 to CD-7)."""

from __future__ import annotations

from typing import Final

from app.http.language import Language
from app.rulesets.combat_dice.sheet import FighterSheet
from app.rulesets.combat_dice.tables import ITEMS
from app.rulesets.combat_dice.terms import Gladiator, Skill, Spell, Training, Weapon
from app.web.forms import Json, Nested, lift, text_at
from app.web.games.combat_dice_words import (
    ARMORS,
    SHIELDS,
    UNLISTED,
    options_of,
    said,
    words_for,
)
from app.web.games.frame import Context, Form
from app.web.texts import marked, translated
from app.web.written import Written

SEATS: Final = ("a", "b")
STANDARD: Final = "standard"
OWN: Final = "own"
ADVANCED: Final = "advanced"
KITS: Final = {
    STANDARD: marked("Basic fighter: sword, medium shield, light armor"),
    OWN: marked("A fighter of one's own"),
    ADVANCED: marked("An advanced fighter of one's own"),
}
# What the form holds of a fighter of one's own beside its name, and its wounds.
EQUIPMENT: Final = ("weapons", "armor", "shield", "skills", "spells", "forgone", "charms")
FIRST: Final = (("Secutor", Gladiator.SECUTOR), ("Retiarius", Gladiator.RETIARIUS))


def first_setup() -> Form:
    """Fill a new form with the pair that fought each other in the arena."""
    return {"entrants": [_row(name, kit) for name, kit in FIRST]}


def _row(name: str, kit: str) -> Nested:
    own: Nested = {
        "name": name,
        "weapons": [str(Weapon.SWORD)],
        "armor": "light",
        "shield": "medium",
        "forgone": "0",
        "charms": "0",
    }
    return {"~who": kit, "sheet": own}


def setup_context(_form: Form, language: Language) -> Context:
    """Give what the form offers."""
    gladiator = translated(language, marked("Gladiator: %s"))
    gladiators = tuple((str(kit), gladiator % said(kit, language)) for kit in Gladiator)
    standard, *own = options_of(KITS, language)
    return {
        "seats": SEATS,
        "kits": (standard, *gladiators, *own),
        "own_kits": f"{OWN} {ADVANCED}",
        "weapons": words_for((one for one in Weapon if one is not Weapon.UNARMED), language),
        "items": ITEMS,
        "armors": options_of(ARMORS, language),
        "shields": options_of(SHIELDS, language),
        "skills": words_for(Skill, language),
        "spells": words_for(Spell, language),
    }


def write_setup(form: Form) -> Written:
    """Make the set-up of a form: only what belongs to the chosen kind of fighter counts."""
    entrants: list[Json] = []
    origins: dict[str, str] = {}
    for place, seat in enumerate(SEATS):
        at = f"entrants.{place}"
        entrants.append({"id": seat, "sheet": _sheet(form, at)})
        for field in ("gladiator", "training"):
            origins[f"{at}.sheet.{field}"] = f"{at}.~who"
    return Written({"entrants": entrants}, origins)


def _sheet(form: Form, at: str) -> Json:
    kit = text_at(form, f"{at}.~who", STANDARD)
    given = _fields(form, at)
    sheet: dict[str, Nested] = {"name": text_at(given, "name")}
    if "wounds" in given:
        sheet["wounds"] = given["wounds"]
    if kit in (OWN, ADVANCED):
        sheet |= {name: given[name] for name in EQUIPMENT if name in given}
        # What is not ticked or chosen is meant to be left out, where the type has a default.
        sheet["weapons"] = given.get("weapons", "")
        sheet["training"] = str(Training.BASIC if kit == OWN else Training.ADVANCED)
    elif kit != STANDARD:
        sheet["gladiator"] = kit
    read = lift(FighterSheet, sheet)
    if not isinstance(read, dict):
        return read
    if read.get("shield") == UNLISTED:
        read["shield"] = None
    if kit in (OWN, ADVANCED):
        read.setdefault("weapons", [])
    return read


def _fields(form: Form, at: str) -> dict[str, Nested]:
    place: Nested = form
    for part in (*at.split("."), "sheet"):
        if isinstance(place, dict):
            place = place.get(part, {})
        elif isinstance(place, list) and part.isdecimal() and int(part) < len(place):
            place = place[int(part)]
        else:
            return {}
    return place if isinstance(place, dict) else {}
