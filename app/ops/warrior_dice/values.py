"""Single numbers: who begins, what a warrior costs, what a duel earns and what a death costs."""

from __future__ import annotations

from app.ops.drawn import QueueDice
from app.ops.given import Given, InputRefused
from app.ops.warrior_dice.sheets import SEATS, read_options, read_warrior
from app.rulesets.warrior_dice.campaign import (
    earned,
    is_banished,
    may_cut_force,
    may_cut_hits,
    may_yield,
    purchases_in,
    reformed_value,
)
from app.rulesets.warrior_dice.design import points_of
from app.rulesets.warrior_dice.game import WARRIOR_DICE
from app.rulesets.warrior_dice.orders import ReadyForDuel
from app.rulesets.warrior_dice.printed import PRINTED, sheet_of
from app.rulesets.warrior_dice.sheet import FaceOption, PrintedWarrior
from app.rulesets.warrior_dice.state import Duellist, DuelSetup
from app.rulesets.warrior_dice.terms import Kind


def first_player(given: Given) -> dict[str, object]:
    """Let both accept a duel; the starting dice fall, and one of them begins."""
    dice = QueueDice.read(given)
    sheet = PrintedWarrior(warrior="guerriero")
    setup = DuelSetup(entrants=tuple(Duellist(id=seat, sheet=sheet) for seat in SEATS))
    duel = WARRIOR_DICE.start(setup)
    for seat in SEATS:
        duel = WARRIOR_DICE.resolve(duel, ReadyForDuel(by=seat), dice).state
    dice.finish()
    return {"first": duel.next}


def cost(given: Given) -> dict[str, object]:
    """Work out a points value in its three parts."""
    fixed = read_options(given).gandalf_fix
    warrior = read_warrior(given)
    if fixed and warrior.printed:
        warrior = sheet_of(PrintedWarrior(warrior=warrior.printed), gandalf_fix=True) or warrior
    points = points_of(warrior)
    return {
        "hits": points.hits,
        "attack": points.attack,
        "defence": points.defence,
        "total": points.total,
    }


def xp(given: Given) -> dict[str, object]:
    """Say what a victory earns, and what can be bought then."""
    winner = given.whole("winner_points")
    gained = earned(winner, given.whole("loser_points"))
    total = given.whole("winner_xp", 0) + gained
    purchases = purchases_in(total)
    return {
        "earned": gained,
        "xp": total,
        "purchases": purchases,
        "points_after_all": winner + 10 * purchases,
        "xp_left": total - 10 * purchases,
    }


def reform(given: Given) -> dict[str, object]:
    """Say what reforming leaves; below a floor, or at two costs, it is refused."""
    options = read_options(given)
    points = reformed_value(given.whole("points"))
    told: dict[str, object] = {"points": points, "banished": is_banished(options, points)}
    force, hits = given.has("force"), given.has("start_hits")
    if force and hits:
        raise InputRefused("one_cost_only")
    if force:
        if not may_cut_force(given.whole("force")):
            raise InputRefused("force_at_floor")
        told["force"] = given.whole("force") - 10
    if hits:
        if not may_cut_hits(given.whole("start_hits")):
            raise InputRefused("hits_at_floor")
        told["start_hits"] = given.whole("start_hits") - 10
    return told


def yield_(given: Given) -> dict[str, object]:
    """Say whether a being may yield."""
    return {"may_yield": may_yield(given.whole("hits"), given.whole("start_hits"))}


def table(given: Given) -> dict[str, object]:
    """Tell a printed warrior row by row, as its table is printed."""
    found = PRINTED.get(given.text("warrior"))
    if found is None:
        raise InputRefused("unknown_warrior")
    points = points_of(found.sheet)
    return {
        "rule": found.rule,
        "name": found.sheet.name,
        "english": found.english,
        "hits": points.hits,
        "attack": points.attack,
        "defence": points.defence,
        "total": points.total,
        "declared": found.sheet.declared,
        "traits": found.sheet.traits,
        "faces": {
            str(face % 10): [_row(option) for option in found.sheet.on(face)]
            for face in range(1, 11)
        },
    }


def _row(option: FaceOption) -> str:
    if option.kind in (Kind.ADDER, Kind.DOUBLER):
        return option.name
    side = option.kind.value[0].upper()
    value = option.force if option.special is None else option.special
    return f"{option.name} {'-' if option.untyped else side} {value}"
