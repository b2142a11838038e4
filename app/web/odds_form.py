"""The forms that ask for odds: two fighters or two armies, written into the address."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.rulesets.battle_dice.orders import Counts
from app.rulesets.battle_dice.terms import Hero, Kind
from app.rulesets.combat_dice.readings import DamageDice, Floor, Stalemate
from app.rulesets.combat_dice.terms import Armor, Gladiator, Shield, Weapon
from app.web.forms import Json, Nested, at, lift, plain, text_at
from app.web.texts import marked

SEATS: Final = ("A", "B")
FLOORS: Final = {
    Floor.COMBAT3: marked("Armor may fall below 0"),
    Floor.COMBAT4: marked("Armor stops at 0 too"),
    Floor.ALL: marked("All scores stop at 0"),
    Floor.NONE: marked("No score stops at 0"),
}
DAMAGE: Final = {
    DamageDice.ON_DAMAGE: marked("Wounds from the damage table"),
    DamageDice.OFF: marked("The basic game: hit points only"),
}
STALEMATES: Final = {
    Stalemate.CAP: marked("Decided at the turn cap"),
    Stalemate.ESCALATE: marked("Damage grows after 30 turns"),
}
# Two armies of the usual twenty dice to begin with (BD-15, AMB-BD-26).
ARMIES: Final = (
    {Kind.D4: 2, Kind.D6: 4, Kind.D8: 4, Kind.D10: 4, Kind.D12: 2, Kind.D20: 4},
    {Kind.D4: 1, Kind.D6: 5, Kind.D8: 6, Kind.D10: 0, Kind.D12: 6, Kind.D20: 2},
)
HEROES: Final = (Hero.DRAGON, Hero.ARCHMAGE)
CHOICES: Final[Mapping[str, Mapping[str, Any]]] = {
    "combat_dice": {
        "gladiators": tuple(Gladiator),
        "weapons": tuple(Weapon),
        "armors": tuple(Armor),
        "shields": tuple(Shield),
        "damage": DAMAGE,
        "floors": FLOORS,
        "stalemates": STALEMATES,
    },
    "battle_dice": {"kinds": tuple(Kind), "heroes": tuple(Hero)},
}
"""What the form of each game chooses from; a game without one has no page of odds here."""


def write_setup(game: str, form: Nested) -> dict[str, Json]:
    """Make the set-up that a form describes."""
    if game == "combat_dice":
        return {
            "entrants": [_fighter(form, place) for place in (0, 1)],
            "options": _filled(at(form, "options")),
        }
    return {"entrants": [_army(form, place) for place in (0, 1)]}


def first_texts(game: str) -> dict[str, Nested]:
    """Fill a form that nobody has filled in yet."""
    if game == "combat_dice":
        return {}
    entrants: list[Nested] = [
        {
            "army": {
                "units": {kind.value: str(count) for kind, count in army.items()},
                "heroes": hero.value,
            }
        }
        for army, hero in zip(ARMIES, HEROES, strict=True)
    ]
    return {"entrants": entrants}


def _filled(options: Nested | None) -> Json:
    """Give the options that were chosen; what no form shows stays as the game has it."""
    given = options if isinstance(options, dict) else {}
    return {name: plain(text) for name, text in given.items() if text != ""}


def _fighter(form: Nested, place: int) -> Json:
    row = f"entrants.{place}.sheet"
    sheet: dict[str, Json] = {"name": SEATS[place]}
    gladiator = text_at(form, f"{row}.gladiator")
    if gladiator:
        return {"id": SEATS[place], "sheet": {**sheet, "gladiator": gladiator}}
    weapon = text_at(form, f"{row}.weapons", Weapon.SWORD)
    sheet["weapons"] = [] if weapon == Weapon.UNARMED else [weapon]
    sheet["armor"] = text_at(form, f"{row}.armor", Armor.LIGHT)
    sheet["shield"] = text_at(form, f"{row}.shield", Shield.MEDIUM)
    return {"id": SEATS[place], "sheet": sheet}


def _army(form: Nested, place: int) -> Json:
    row = f"entrants.{place}.army"
    hero = text_at(form, f"{row}.heroes")
    return {
        "id": SEATS[place],
        "name": SEATS[place],
        "army": {
            "units": lift(Counts, at(form, f"{row}.units") or {}),
            "heroes": [hero] if hero else [],
        },
    }
