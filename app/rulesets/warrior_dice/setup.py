"""How a duel begins, from the first die or midway, and what a sound set-up is (WD-1, WD-7)."""

from __future__ import annotations

from collections.abc import Iterator

from app.engine.findings import Facts, Obstacle, Violation
from app.engine.ruleset import GM, SPECTATOR
from app.rulesets.warrior_dice.campaign import value_of
from app.rulesets.warrior_dice.design import check_design, points_of
from app.rulesets.warrior_dice.printed import is_as_printed, sheet_of
from app.rulesets.warrior_dice.readings import DesignLimits
from app.rulesets.warrior_dice.sheet import FaceOption, Warrior
from app.rulesets.warrior_dice.state import Duel, Duellist, DuelSetup, Fighter
from app.rulesets.warrior_dice.terms import Kind, Special, Stage


def check_setup(setup: DuelSetup) -> tuple[Obstacle, ...]:
    """List everything that keeps a duel from being opened."""
    return tuple(_obstacles(setup))


def start(setup: DuelSetup) -> Duel:
    """Make the first state of a set-up that ``check_setup`` found nothing against."""
    shadow = is_shadow(setup)
    field = setup.options.battlefield if setup.battlefield is None else setup.battlefield
    rolls = setup.roll_battlefield
    if rolls is None:  # WD-A3: a Shadow duel rolls unless both agree otherwise
        rolls = shadow and field is None and setup.first is None
    opening = rolls or setup.first is None
    return Duel(
        options=setup.options,
        fighters=tuple(_enter(setup, one) for one in setup.entrants),
        next=setup.first or setup.entrants[0].id,
        shadow=shadow,
        battlefield=None if rolls else field,
        rolls_battlefield=rolls,
        rolls_first=setup.first is None,
        pace=setup.pace,
        turns_per_post=setup.turns_per_post,
        stage=Stage.OPENING if opening else Stage.FIGHT,
    )


def is_shadow(setup: DuelSetup) -> bool:
    """Say whether a duel is one of Shadow beings (WD-A3, AMB-WD-22)."""
    return setup.options.shadow if setup.shadow is None else setup.shadow


def _enter(setup: DuelSetup, one: Duellist) -> Fighter:
    warrior = sheet_of(one.sheet, gandalf_fix=setup.options.gandalf_fix)
    if warrior is None:
        raise ValueError(f"{one.sheet} is not printed; check_setup comes first")
    others = [sheet_of(other.sheet) for other in setup.entrants if other.id != one.id]
    alike = any(other is not None and other.name == warrior.name for other in others)
    return Fighter(
        id=one.id,
        name=f"{warrior.name} ({one.id})" if alike else warrior.name,  # WD-7
        warrior=warrior,
        start_hits=warrior.hits,
        hits=warrior.hits if one.hits is None else one.hits,
        points=value_of(setup.options, warrior),
        standing=one.standing,
        skip=one.skip,
        # WD-A6: a duel begins with Narsil unless Anduril persists.
        reforged=one.reforged or (warrior.reforged and setup.options.anduril_persists),
        used_reforge=one.used_reforge,
        unholy_used=one.unholy_used,
    )


def _obstacles(setup: DuelSetup) -> Iterator[Obstacle]:
    ids = tuple(one.id for one in setup.entrants)
    for place, one in enumerate(setup.entrants):
        at = f"entrants.{place}"
        if one.id in ids[:place] or one.id in (GM, SPECTATOR):
            yield Violation("WD-1", "id_taken", f"{at}.id", {"id": one.id})
        yield from _check_entrant(setup, one, at)
    if setup.first is not None and setup.first not in ids:
        yield Violation("WD-8", "unknown_duellist", "first", {"id": setup.first})


def _check_entrant(setup: DuelSetup, one: Duellist, at: str) -> Iterator[Violation]:
    warrior = sheet_of(one.sheet, gandalf_fix=setup.options.gandalf_fix)
    if warrior is None:
        facts: Facts = {"id": getattr(one.sheet, "warrior", "")}
        yield Violation("WD-7", "unknown_warrior", f"{at}.sheet", facts)
        return
    if one.hits is not None and one.hits > warrior.hits:
        facts = {"hits": one.hits, "most": warrior.hits}
        yield Violation("WD-28", "hits_above_start", f"{at}.hits", facts)
    if (one.reforged or one.used_reforge) and not warrior.reforges:
        yield Violation("WD-37", "nothing_to_reforge", f"{at}.reforged", {"name": warrior.name})
    yield from check_sheet(setup, one, warrior, f"{at}.sheet")


def check_sheet(setup: DuelSetup, one: Duellist, warrior: Warrior, at: str) -> Iterator[Violation]:
    """List what is wrong with a sheet: its rows, its price, the limits of design (WD-A1)."""
    options = setup.options
    for option in warrior.options:
        if problem := _problem(option):
            facts: Facts = {"option": option.name, "face": option.face}
            yield Violation("WD-4", "option_malformed", f"{at}.options", {**facts, "why": problem})
    total = points_of(warrior).total  # AMB-WD-23: it need not be the other's
    if options.max_points is not None and total > options.max_points:
        facts = {"name": warrior.name, "points": total, "most": options.max_points}
        yield Violation("WD-48", "too_many_points", at, facts)
    if is_as_printed(warrior):
        return  # WD-A1: printed warriors are always admitted
    if one.grown:
        return  # WD-A1: nor is a sheet checked again that has grown or withered since
    if warrior.reforges:
        yield Violation("WD-37", "reforging_not_for_sale", f"{at}.reforges", {"name": warrior.name})
    if warrior.declared is not None and warrior.declared != total:
        facts = {"name": warrior.name, "declared": warrior.declared, "points": total}
        yield Violation("WD-48", "points_differ", f"{at}.declared", facts)
    if options.design_limits is DesignLimits.PRINTED:
        yield from check_design(warrior, at)
    if is_shadow(setup) and len(warrior.traits) != 1:
        facts = {"name": warrior.name, "found": len(warrior.traits)}
        yield Violation("WD-58", "one_trait", f"{at}.options", facts)


def _problem(option: FaceOption) -> str:
    """Say in a word what no row of a table can be (WD-3, WD-4, WD-47)."""
    if option.kind in (Kind.ADDER, Kind.DOUBLER):
        bare = option.force is None and option.special is None and not option.trait
        return "" if bare else "leads_on"
    if (option.force is None) is (option.special is None):
        return "force_or_special"
    sided = {
        Special.NO_DAMAGE: Kind.ATTACK,
        Special.NEUTRALIZE_SELF: Kind.ATTACK,
        Special.REGAIN: Kind.DEFENCE,
    }
    wanted = sided.get(option.special, option.kind) if option.special else option.kind
    if wanted is not option.kind:
        return "wrong_side"
    return "typed" if option.untyped and option.special is None else ""
