"""The options of several targets and of allies (GC-13), each in a scene that it changes."""

from __future__ import annotations

from typing import Any

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.readings import (
    AllyDodge,
    AllyGuardDamage,
    AllyNullDamage,
    HalvedScope,
    StopBy,
    StopScope,
    VolleyLoss,
)
from app.rulesets.guida.terms import Action, AttackKind
from tests.unit.guida.build import (
    dodge,
    found,
    hit,
    parry,
    post,
    post_any,
    refusals,
    to,
    turn,
)
from tests.unit.guida.build_team import beside, fit, lost, mate, protect, swing, team
from tests.unit.guida.rows import Row


def dodged(under: dict[str, Any]) -> int:
    """Let Bo dodge a swing at two: how many attacks are left?"""
    done = swing(team(**under), "bo", "cy")
    return len(post(done, turn("bo", dodge("a1")), 12).state.incoming)


def stopped_later(under: dict[str, Any]) -> int:
    """Let Cy parry a swing that has struck Bo: what does Bo lose?"""
    done = post(swing(team(**under), "bo", "cy"), turn("bo")).state
    done = post(done, turn("cy", parry("a1b", tool="blade")), 18).state
    return lost(done, "bo")


def weakened(under: dict[str, Any]) -> int:
    """Let Bo halve a swing: with what power does it go on against Cy?"""
    start = team(mate("bo", fit(potential=17)), mate("cy"), **under)
    done = post(swing(start, "bo", "cy"), turn("bo", parry("a1", tool="blade")), 18).state
    return int(done.incoming[0].power.total)


def volley(under: dict[str, Any]) -> int:
    """Send a volley at two: what is left of its 30 against the first?"""
    blow = fit(attack_kind=AttackKind.MULTIPLE, volley_size=2)
    return int(swing(team(blow=blow, **under), "bo", "cy").incoming[0].power.total)


def attacked(under: dict[str, Any], metres: int = 5) -> Any:
    """Let Ada attack Cy; Bo posts next."""
    return post(team(metres=metres, **under), turn("ada", main=hit("cy")), 6).state


def step(under: dict[str, Any]) -> int:
    """Parry for an ally one range off: what does Bo come to with a die of one?"""
    order = turn("bo", protect(Action.ALLY_PARRY, "a1", move=beside("cy"), tool="blade"))
    done = post(attacked(under, 10), order, 1)
    return int(found(done.findings, "speed_attacker_wins")[0]["defend_score"])


def endured(under: dict[str, Any]) -> int:
    """Take a blow of twenty for an ally."""
    order = turn("bo", protect(Action.ALLY_NULL_DEFENCE, "a1", move=beside("cy")))
    return lost(post(attacked(under), order, 24).state, "bo")


def guarded(under: dict[str, Any]) -> list[int]:
    """Guard an ally: what do the two lose?"""
    order = turn("bo", protect(Action.ALLY_GUARD, "a1", move=beside("cy")))
    done = post(attacked(under), order, 24).state
    return [lost(done, id) for id in ("bo", "cy")]


def carried(under: dict[str, Any]) -> set[str]:
    """Dodge with an ally without anything to parry with."""
    order = turn("bo", protect(Action.ALLY_DODGE, "a1", move=to(("ada", 5))))
    return refusals(attacked(under), order)


def die(under: dict[str, Any]) -> int:
    """Dodge with an ally: on how many faces?"""
    order = turn("bo", protect(Action.ALLY_DODGE, "a1", move=to(("ada", 5))))
    start = attacked(under)
    post_any(start, order, 12)
    return GUIDA.plan(start, order).asked[0].sides


ROWS = (
    Row("multi_stop_by", StopBy.ANY_SUCCESS, dodged, 1, 0),
    Row("multi_stop_scope", StopScope.LATER_ONLY, stopped_later, 0, 20),
    Row("multi_halved_scope", HalvedScope.ONLY_THAT_TARGET, weakened, 20, 30),
    Row("volley_power_reduction", VolleyLoss.PROGRESSIVE, volley, 29, 30),
    Row("ally_move_step_malus", False, step, 9, 11),
    Row("ally_null_damage", AllyNullDamage.HALVED, endured, 20, 10),
    Row("ally_guard_damage_to", AllyGuardDamage.ALLY, guarded, [10, 0], [0, 10]),
    Row("ally_dodge_model", AllyDodge.PARRY, carried, set(), {"tool_needed"}),
    Row("ally_dodge_die", 12, die, 18, 12),
)
