"""The words of the cases, and the values of the rules that they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from app.engine.findings import Obstacle, Violation
from app.ops.given import CaseError, Given, InputRefused
from app.persistence.codec import Malformed, decode
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.options import Options
from app.rulesets.battle_dice.orders import Army, Counts, Order, Policy
from app.rulesets.battle_dice.state import Battle, Entrant, Setup
from app.rulesets.battle_dice.tables import CHOSEN_ROW

Value = TypeVar("Value")

SEATS: Final = ("p1", "p2")
ALIASES: Final = {"casualties": "casualty_choice"}
ROW_NUMBERS: Final = {row.low: word for word, row in CHOSEN_ROW.items()}
LISTS: Final = ("casualties", "target", "control", "set_to_one", "restore")
WORDS: Final = ("summon", "initiative_step")


def read_options(given: Given, **others: object) -> Options:
    """Read option overrides; raise CaseError for one that there is not."""
    part = given.part("options")
    named = {ALIASES.get(name, name): part.raw(name) for name in part.names()}
    return read(Options, {**others, **named}, "options")


def read_entrant(part: Given, seat: str) -> Entrant:
    """Read one side in the middle of a battle."""
    army: dict[str, object] = {"units": part.raw("units") or {}}
    if part.has("hero"):
        army["heroes"] = [part.raw("hero")]
    if part.has("custom"):
        army["custom"] = part.raw("custom")
    return Entrant(
        id=seat,
        name=seat,
        army=read(Army, army, seat),
        lost=read(Counts, part.raw("lost") or {}, "lost"),
        ignore=part.whole("ignore", 0),
        carry_manoeuvre=part.whole("carry_manoeuvre", 0),
    )


def read_policy(part: Given) -> Policy:
    """Read the orders of a turn; a free choice is the number of its row, or its name."""
    data = {name: part.raw(name) for name in (*LISTS, *WORDS, "spare_pending") if part.has(name)}
    if part.has("free_choice"):
        row = part.raw("free_choice")
        numbered = ROW_NUMBERS.get(row) if isinstance(row, int) else None
        data["free_choice"] = row if numbered is None else numbered
    return read(Policy, data, "orders")


def begun(setup: Setup) -> Battle:
    """Begin a battle; raise InputRefused where anything stands in its way."""
    refuse(BATTLE_DICE.check_setup(setup))
    return BATTLE_DICE.start(setup)


def allowed(battle: Battle, order: Order) -> Order:
    """Give an order; raise InputRefused where anything stands in its way."""
    refuse(BATTLE_DICE.check(battle, order))
    return order


def refuse(obstacles: Iterable[Obstacle]) -> None:
    """Raise InputRefused if there are obstacles."""
    codes = dict.fromkeys(one.code for one in obstacles if isinstance(one, Violation))
    if codes:
        raise InputRefused(*codes)


def read(wanted: type[Value], data: object, at: str) -> Value:
    """Read a value by the codec; raise CaseError with what is wrong."""
    try:
        return decode(wanted, data, at)
    except Malformed as wrong:
        raise CaseError(str(wrong)) from None
