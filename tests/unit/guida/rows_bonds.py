"""The options of constraints and of breaking free (GC-8), each in a scene that it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

from app.rulesets.guida.entrants import Bound, Held
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.readings import (
    ConstraintDie,
    ConstraintStart,
    LiberationDie,
    Overlap,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import Constraint, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Bind, Stat
from tests.unit.guida.build import (
    by_master,
    dodge,
    entrant,
    found,
    hit,
    parry,
    post,
    post_any,
    refusals,
    rule,
    scene,
    suffer,
    tool,
    turn,
)
from tests.unit.guida.rows import Row


def rope(*binds: Bind) -> Tool:
    """Make a constraint technique: potential bonus 4, stat bonus 7."""
    effect = Constraint(binds=binds)
    return tool("rope", stat_bonus=7, potential_bonus=4, effects=(effect,))


def held(under: Mapping[str, Any], *binds: Bind, value: int = 20) -> Scene:
    """Put Bo under one constraint for each effect; Bo is to post."""
    by = tuple(Held(user="ada", name="Rope", binds=(bind,)) for bind in binds)
    sword = tool("sword", parries=True, potential_bonus=5, stat_bonus=7)
    bo = entrant("bo", sword)
    bo = replace(bo, bound=Bound(value=Fraction(value), by=by))
    return replace(scene(entrant("ada"), bo, first="bo", **under), questions=())


def worth(under: Mapping[str, Any]) -> Fraction:
    """Let a rope land with a 9 on the attack, and a 3 on a die apart if there is one."""
    made = scene(entrant("ada", rope(Bind.MOVEMENT_LIMITATION)), entrant("bo"), **under)
    attack = turn("ada", main=hit("bo", "rope"))
    apart = made.options.constraint_die is ConstraintDie.SEPARATE_D12
    made = post(made, attack, *((3, 9) if apart else (9,))).state
    bo = post(made, turn("bo", suffer("a1"))).state.who("bo")
    assert bo.bond_value is not None
    return bo.bond_value.total


def added(under: Mapping[str, Any]) -> Fraction:
    """Pin down with a sword somebody who is bound already."""
    made = replace(held(under, Bind.MOVEMENT_LIMITATION), next="ada")
    ada = made.who("ada")
    sword = tool("sword", potential_bonus=4)
    made = made.put(replace(ada, sheet=replace(ada.sheet, tools=(sword,))))
    pins = hit("bo", "sword", binds=(Bind.MOVEMENT_LIMITATION,))
    made = post(made, turn("ada", main=pins), 9).state
    (asked,) = made.questions
    made = rule(made, by_master(Answer, question=asked.id, choice="compatible")).state
    bo = post(made, turn("bo", suffer("a1"))).state.who("bo")
    assert bo.bond_value is not None
    return bo.bond_value.total


def hampered_at_once(under: Mapping[str, Any]) -> int:
    """Attack in the very turn in which a limitation lands, and read the hit modifier."""
    made = scene(entrant("ada", rope(Bind.MOVEMENT_LIMITATION)), entrant("bo"), **under)
    made = post(made, turn("ada", main=hit("bo", "rope")), 9).state
    done = post(made, turn("bo", suffer("a1"), main=hit("ada")), 6)
    (launched,) = found(done.findings, "attack_launched")
    return int(launched["hit"].total)


def dexterity(under: Mapping[str, Any]) -> int:
    """Read Dexterity 10 under blocks of the arms, twice, and of the legs."""
    made = held(under, Bind.ARM_BLOCK, Bind.ARM_BLOCK, Bind.LEG_BLOCK)
    return int(total_level(made.who("bo"), Stat.DEXTERITY).total)


def dodging(under: Mapping[str, Any]) -> set[str]:
    """Dodge while one cannot change place."""
    made = replace(held(under, Bind.MOVEMENT_BLOCK), next="ada")
    made = post(made, turn("ada", main=hit("bo")), 6).state
    return refusals(made, turn("bo", dodge("a1")))


def parrying(under: Mapping[str, Any]) -> Fraction:
    """Parry with an 18, which doubles as an attempt with a 10 on a die apart if there is one."""
    made = replace(held(under, Bind.MOVEMENT_BLOCK), next="ada")
    made = post(made, turn("ada", main=hit("bo")), 6).state
    apart = made.options.improper_liberation_die is LiberationDie.SEPARATE_D12
    order = turn("bo", parry("a1", tool="sword", frees=True))
    done = post_any(made, order, *((18, 10) if apart else (18,)))
    (tried,) = found(done.findings, "liberation_failed")
    value: Fraction = tried["value"]
    return value


ROWS = (
    # 9 + 4 + 7, or 3 + 4 + 7.
    Row("constraint_die", ConstraintDie.SEPARATE_D12, worth, 20, 14),
    # A quarter of 4, or half of it.
    Row("improper_increment_halves_twice", False, added, 21, 22),
    Row("constraint_start", ConstraintStart.NEXT_TURN, hampered_at_once, 11, 12),
    # 10 - 1 - 2, or 10 - 1 - 1 - 2.
    Row("constraint_overlap", Overlap.SUM, dexterity, 7, 6),
    Row("blocked_position_forbids_dodge", False, dodging, {"defence_bound"}, set()),
    # 10 / 2 + 5 / 2 + 7, or 18 / 2 + 5 / 2 + 7.
    Row(
        "improper_liberation_die",
        LiberationDie.ACTION_DIE,
        parrying,
        Fraction(29, 2),
        Fraction(37, 2),
    ),
)
