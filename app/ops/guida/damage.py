"""Chapter 6: what a blow does, by every kind of damage."""

from __future__ import annotations

from fractions import Fraction

from app.engine.ruleset import GM
from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Rules,
    Scored,
    arriving,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    read_stacks,
    scored,
    tool,
)
from app.ops.guida.success import stacks_of
from app.rulesets.guida.damage import environmental_potential as potential_of
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import (
    Attack,
    Turn,
)
from app.rulesets.guida.rulings import (
    Impact,
)
from app.rulesets.guida.sheet import AdditionalDamage, Armour, StackEffect, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import COMPARISON_MARGINS
from app.rulesets.guida.terms import Action, Aim, Category, DamageType, Stat


def damage(given: Given) -> dict[str, object]:
    """Let an attack strike, in full or through a guard, and read its damage (chapter 6).

    An armour given as down was beaten earlier in the same turn, by a blow equal to its value; a
    halved potential was halved by a parry, which the attack overcame.
    """
    rules = read_rules(given)
    blow = tool(
        "blow",
        given.number("potential"),
        stat_bonus=given.number("stat_bonus"),
        damage=given.word(DamageType, "damage_type"),
    )
    worn = given.part("armour")
    armour = read_armour(worn)
    answer = _answer(given, blow)
    bearer = fighter(
        DEFENDER,
        *answer.tools,
        stats=Stats(constitution=given.whole("constitution")),
        armour=armour,
        stacks=read_stacks(given.part("target_stacks")),
    )
    who = opened(duel(rules, fighter(ATTACKER), bearer, first=DEFENDER), DEFENDER)
    resistance = total_level(who, Stat.CONSTITUTION).total
    down = armour is not None and not worn.flag("active", True)
    breaker = tool(
        "breaker",
        (armour.potential if armour else 0) + resistance,
        damage=DamageType.NORMAL,
    )
    die = 12 if given.flag("critical", False) else 1
    scene = duel(
        rules,
        fighter(ATTACKER, breaker, blow),
        bearer,
        underway=[*([arriving("breaker", 1)] * down), arriving("blow", 20, die)],
        first=DEFENDER,
    )
    attack = scene.incoming[-1]
    played = post(scene, Turn(by=DEFENDER, defences=(answer.against(attack.id),)), answer.faces)
    struck = played.facts("damage_due")[-1]
    compared = played.facts("power_comparison")
    found = {
        "power": compared[0]["remaining"] if compared else attack.power.total,
        "resistance": resistance,
        "damage": struck["amount"],
    }
    if armour is not None:
        found["armour_value"] = struck["armour_value"]
        found["armour_active_after"] = not played.has("armour_down")
    return found


def additional_damage(given: Given) -> dict[str, object]:
    """Let secondary attacks strike with a main one, each alone and then all (GC-6.14 to 6.16)."""
    rules = read_rules(given)
    bases = given.numbers("base_damages")
    stacks = tuple(
        StackEffect(stack=stack, count=count)
        for stack, count in read_stacks(given.part("stacks")).items()
    )
    strongest = bases.index(max(bases))
    added = [
        tool(
            f"added-{place}",
            effects=(
                AdditionalDamage(potential=base, stat_bonus=Fraction(0), damage=DamageType.PURE),
                *(stacks if place == strongest else ()),
            ),
        )
        for place, base in enumerate(bases)
    ]
    both = _struck(rules, added)
    return {
        "each": [_hurt(_struck(rules, [one])) for one in added],
        "applied": _hurt(both),
        "stacks_applied": stacks_of(both.who(DEFENDER)),
    }


def environmental_potential(given: Given) -> dict[str, object]:
    """Give the environmental potential of a die for each category (GC-6.19, GC-6.20)."""
    options, die = read_rules(given).options, given.whole("die")
    by_defence = given.flag("caused_by_defence", False)
    categories = [Category(str(letter)) for letter in given.items("categories")]
    return {
        "environmental_potential": [
            potential_of(options, die, category, by_defence=by_defence) for category in categories
        ]
    }


def environmental_damage(given: Given) -> dict[str, object]:
    """Let the Master enter that a fighter was thrown against something (GC-6.17 to GC-6.21)."""
    rules = read_rules(given)
    given.word(Aim, "aim", Aim.BODY)  # GC-6.21: wherever the blow was aimed, nothing is doubled
    die, category = given.whole("die"), given.word(Category, "category")
    by_defence = given.flag("caused_by_defence", False)
    thrown = fighter(
        DEFENDER,
        stats=Stats(constitution=given.whole("constitution")),
        armour=read_armour(given.part("armour")),
    )
    impact = Impact(
        by=GM,
        attacker=ATTACKER,
        target=DEFENDER,
        die=die,
        category=category,
        stat_bonus=given.number("stat_bonus"),
        by_defence=by_defence,
        guarded=given.flag("guarded", False),
        reason="Against a wall.",
    )
    after = post(duel(rules, fighter(ATTACKER), thrown), impact).after
    return {
        "environmental_potential": potential_of(
            rules.options, die, category, by_defence=by_defence
        ),
        "damage": _hurt(after),
    }


def read_armour(worn: Given) -> Armour | None:
    """Read a worn armour, if there is one."""
    if not worn.names():
        return None
    blocks = worn.flag("blocks_pure", False)
    return Armour(name="armour", potential=worn.number("potential"), blocks_pure=blocks)


def _answer(given: Given, blow: Tool) -> Scored:
    """Answer a blow with a guard, a null defence, or a parry that just halves its potential."""
    if given.flag("potential_halved", False):
        margin = COMPARISON_MARGINS[Category.D].halved
        power = (blow.potential or 0) + (blow.stat_bonus or 0) - margin
        weapon = tool("weapon", max(power, Fraction(0)), category=Category.D)
        return scored(Action.PARRY, 100, weapon=weapon)
    guarded = given.flag("guarded", False)
    return scored(Action.GUARD if guarded else Action.NULL_DEFENCE, 100)


def _struck(rules: Rules, added: list[Tool]) -> Scene:
    """Let a blow that does nothing by itself strike together with these."""
    blow = tool("blow", 0)
    scene = duel(rules, fighter(ATTACKER, blow, *added), fighter(DEFENDER))
    attack = Attack(target=DEFENDER, tool=blow.id, support=tuple(one.id for one in added))
    scene = post(scene, Turn(by=ATTACKER, main=attack), [1]).after
    return post(scene, Turn(by=DEFENDER)).after


def _hurt(scene: Scene) -> int:
    who = scene.who(DEFENDER)
    return who.hp - who.hp_now
