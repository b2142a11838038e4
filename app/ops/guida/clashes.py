"""Chapter 5: power against power."""

from __future__ import annotations

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    Coming,
    Rules,
    duel,
    fighter,
    ids_of,
    launched,
    opened,
    post,
    read_rules,
    reply,
    scored,
    tool,
)
from app.rulesets.guida.clash import after, fate_of_stronger, settle_comparison
from app.rulesets.guida.orders import (
    Independent,
)
from app.rulesets.guida.power import Power, tally_power
from app.rulesets.guida.terms import Action, Category, Fate, Stack

# What is left of X, in the words of the cases.
_OUTCOME = {
    Fate.ANNULLED: "both_annulled",
    Fate.HALVED: "x_halved",
    Fate.INTACT: "x_intact",
}


def power_outcome(given: Given) -> dict[str, object]:
    """Read the thresholds of the weaker action's category (GC-5.4 to GC-5.8)."""
    category = given.word(Category, "y_category")
    differences = given.numbers("differences")
    return {"outcomes": [_OUTCOME[fate_of_stronger(category, one)] for one in differences]}


def power_comparison(given: Given) -> dict[str, object]:
    """Compare the powers of two actions, and tell what goes on (GC-5.3, GC-5.9)."""
    rules = read_rules(given)
    names = ("action_1", "action_2")
    first, second = (_power(rules, given.part(name)) for name in names)
    result = settle_comparison(first, second)
    left = [
        after(rules.options, rules.regulation, power, fate)
        for power, fate in ((first, result.first), (second, result.second))
    ]
    going_on = next((power for power in left if power is not None), None)
    return {
        "power_1": first.total,
        "power_2": second.total,
        "difference": result.difference,
        "y": names[result.weaker - 1] if result.weaker else None,
        "y_category": result.category,
        "action_1": result.first,
        "action_2": result.second,
        "remaining_power": going_on.total if going_on else None,
    }


def comparison_scope(given: Given) -> dict[str, object]:
    """Let each of these answers be in time, and see whether powers are compared (GC-5.2)."""
    rules = read_rules(given)
    actions = [Action(str(word)) for word in given.items("actions")]
    return {"compares": [_compares(rules, action) for action in actions]}


def _power(rules: Rules, given: Given) -> Power:
    given.raw("name")  # whoever is named first, the comparison is the same
    used = tool(
        "used",
        given.number("potential"),
        category=given.word(Category, "category"),
        stat_bonus=given.number("stat_bonus"),
    )
    off_balance = given.whole("off_balance", 0)
    stacks = {Stack.OFF_BALANCE: off_balance} if off_balance else {}
    user = fighter(ATTACKER, used, stacks=stacks)
    who = opened(duel(rules, user, fighter(DEFENDER)), ATTACKER)
    return tally_power(rules.options, rules.regulation, who, used)


def _compares(rules: Rules, action: Action) -> bool:
    made = scored(action, 100)
    coming = Coming(id="blow", score=10, generic=action is Action.GENERIC_COUNTERATTACK)
    scene = launched(rules, [coming], fighter(DEFENDER, *made.tools))
    (incoming,) = ids_of(scene).values()
    if action is Action.INDEPENDENT_SECONDARY:
        aside = (Independent(tool=made.effort.id, against=incoming),)
        turn = reply(independents=aside)
    else:
        turn = reply(made.against(incoming))
    return post(scene, turn, [*made.faces, *([LAUNCH] if turn.main else [])]).has(
        "power_comparison"
    )
