"""Warriors, options and duels as the cases of this game write them."""

from __future__ import annotations

import dataclasses
from typing import Final

from app.engine.findings import Obstacle
from app.ops.given import CaseError, Given, InputRefused
from app.persistence.codec import Malformed, decode
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.options import DuelOptions
from app.rulesets.warrior_dice.orders import StandingOrders
from app.rulesets.warrior_dice.printed import PRINTED
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior, Warrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Keep, Kind, Special, YieldOrder

SEATS: Final = ("p1", "p2")
KINDS: Final = {"adder": Kind.ADDER, "doubler": Kind.DOUBLER}
SIDES: Final = {"A": Kind.ATTACK, "D": Kind.DEFENCE}
ALIASES: Final = {"basic": False, "shadow": True}  # of the option `shadow`, under `ruleset`


def read_options(given: Given) -> DuelOptions:
    """Read ``options``; an unknown one, or an impossible value, is refused."""
    data = given.raw("options")
    if not isinstance(data, dict | None):
        raise CaseError("given.options is not an object")
    data = dict(data or {})
    if (alias := data.pop("ruleset", None)) is not None:
        data["shadow"] = ALIASES.get(str(alias), alias)
    if unknown := sorted(set(data) - {one.name for one in dataclasses.fields(DuelOptions)}):
        raise InputRefused("unknown_option", *unknown)
    try:
        return decode(DuelOptions, data)
    except Malformed as wrong:
        raise InputRefused(*(f"{one.field}: {one.code}" for one in wrong.mistakes)) from None


def begin(given: Given, first: str) -> Duel:
    """Begin a duel where a case does; a set-up that the rules refuse is refused."""
    options = read_options(given)
    setup = DuelSetup(
        entrants=tuple(_entrant(seat, given.part(seat), options.shadow) for seat in SEATS),
        options=options,
        roll_battlefield=False,
        first=first,
    )
    refuse(WARRIOR_DICE.check_setup(setup))
    return WARRIOR_DICE.start(setup)


def refuse(obstacles: tuple[Obstacle, ...]) -> None:
    """Raise InputRefused with the codes of all obstacles, if there are any."""
    if obstacles:
        raise InputRefused(*(one.code for one in obstacles))


def read_warrior(given: Given, key: str = "warrior", *, shadow: bool = False) -> Warrior:
    """Read a printed warrior by its id, or a sheet as the printed tables are written."""
    data = given.raw(key)
    if isinstance(data, str):
        if data not in PRINTED:
            raise InputRefused("unknown_warrior")
        return PRINTED[data].sheet
    sheet = _sheet(given.part(key), shadow)
    printed = PRINTED.get(sheet.printed)
    # A printed table that a case writes out is that table, in capitals or not.
    return printed.sheet if printed and _rows(printed.sheet) == _rows(sheet) else sheet


def _rows(warrior: Warrior) -> list[object]:
    rows = ((one.face, one.kind, one.force, one.special, one.untyped) for one in warrior.options)
    return [warrior.hits, *rows]


def _entrant(seat: str, given: Given, shadow: bool) -> Duellist:
    data = given.raw("warrior")
    extra = tuple(_option(one, one.whole("face")) for one in given.parts("extra_options"))
    changed = bool(extra) or given.has("start_hits")
    sheet: Warrior | PrintedWarrior
    if isinstance(data, str) and not changed:
        sheet = PrintedWarrior(warrior=data)
    else:
        warrior = read_warrior(given, shadow=shadow)
        hits = given.whole("start_hits", warrior.hits)
        sheet = dataclasses.replace(warrior, hits=hits, options=(*warrior.options, *extra))
    return Duellist(
        id=seat,
        sheet=sheet,
        grown=changed,
        standing=StandingOrders(
            doubler=given.word(Keep, "doubler", Keep.BEST), surrender=YieldOrder.NEVER
        ),
        hits=given.whole("hits") if given.has("hits") else None,
        skip=given.whole("skip", 0),
        reforged=given.flag("reforged", False),
        used_reforge=given.flag("used_reforge", False),
        unholy_used=given.flag("unholy_used", False),
    )


def _sheet(given: Given, shadow: bool) -> Warrior:
    traits = [str(one) for one in given.items("supernatural_traits")]
    options = tuple(
        dataclasses.replace(option, trait=option.name in traits)
        for face in given.parts("faces")
        for option in _face(face)
    )
    if shadow and not traits:  # such a sheet names none, but a Shadow being has one (WD-58)
        place = next((at for at, one in enumerate(options) if one.kind is Kind.ATTACK), 0)
        marked = dataclasses.replace(options[place], trait=True)
        options = (*options[:place], marked, *options[place + 1 :])
    for about in ("id", "name", "name_fixed", "name_en", "expansion", "hits_declared", "notes"):
        given.raw(about)
    for about in ("points_value", "seed_line", "counts", "cost", "traits_source"):
        given.raw(about)
    declared = given.raw("points_declared")
    return Warrior(
        name=given.text("name", given.text("id", "?")),
        hits=given.whole("hits"),
        options=options,
        declared=declared if isinstance(declared, int) else None,
        reforges=bool(given.items("special_rules")),
        printed=given.text("id", "") if given.text("id", "") in PRINTED else "",
    )


def _face(given: Given) -> list[FaceOption]:
    given.raw("label")
    return [_option(one, given.whole("face")) for one in given.parts("options")]


def _option(given: Given, face: int) -> FaceOption:
    for about in ("key", "type_raw", "note", "line", "name_fixed", "phase_effective"):
        given.raw(about)
    kind, printed = given.text("kind"), given.raw("type")
    special = given.word(Special, "special") if given.has("special") else None
    side = given.text("side", str(printed or _side(kind, special)))
    return FaceOption(
        face=face,
        name=given.text("name", kind),
        kind=KINDS.get(kind) or SIDES[side],
        force=given.whole("force") if given.has("force") else None,
        special=special,
        untyped=kind == "none",
    )


def _side(kind: str, special: Special | None) -> str:
    """Say on which side an option counts that names none (AMB-WD-13)."""
    if kind in ("attack", "defence"):
        return "A" if kind == "attack" else "D"
    return "D" if special is Special.REGAIN else "A"
