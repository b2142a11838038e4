"""A fight of four in which somebody has something of every chapter to declare."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from app.rulesets.guida.entrants import Bound, Entrant, Held
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.sheet import (
    Area,
    Camouflage,
    Knockback,
    Liberation,
    Masking,
    Perception,
    Sheet,
    StackEffect,
    Tool,
)
from app.rulesets.guida.state import (
    Setup,
    Underway,
)
from app.rulesets.guida.terms import AreaForm, AttackKind, Bind, Stack
from tests.support.fights import BOW, CLAWS, HOLLOW, QUINCY

STRONG_CLAWS = replace(CLAWS, potential_bonus=Fraction(3))
STRONG_BOW = replace(BOW, parries=True, potential_bonus=Fraction(4))
SHIELD = replace(
    CLAWS, id="shield", name="Scudo", potential_bonus=Fraction(2), effects=(Knockback(),)
)
DAZE = replace(
    CLAWS,
    id="daze",
    name="Stordimento",
    max_m=100,
    effects=(
        StackEffect(stack=Stack.STUN, count=2),
        StackEffect(stack=Stack.OFF_BALANCE, count=2),
    ),
)
WAVE = replace(
    BOW, id="wave", name="Onda", attack_kind=AttackKind.AREA, area_m=20, potential_bonus=None
)
DOME = Tool(
    id="dome of ash",
    name="Cupola",
    generic=True,
    supports=True,
    stat_bonus=Fraction(3),
    effects=(Area(form=AreaForm.EXPANSIVE, saturation=6),),
)
WRENCH = Tool(
    id="wrench",
    name="Strappo",
    supports=True,
    stat_bonus=Fraction(3),
    potential_bonus=Fraction(2),
    effects=(Liberation(),),
)
EYE = Tool(
    id="eye",
    name="Occhio",
    supports=True,
    stat_bonus=Fraction(2),
    effects=(Perception(radius_m=50),),
)
HAZE = replace(EYE, id="haze", name="Foschia", effects=(Camouflage(turns=2),))
VEIL = replace(EYE, id="veil", name="Velo", effects=(Masking(turns=2),))
FULL: Sheet = replace(QUINCY, tools=(STRONG_BOW, SHIELD, DAZE, WAVE, DOME, WRENCH, EYE, HAZE, VEIL))
BEAST: Sheet = replace(HOLLOW, name="Bestia", tools=(STRONG_CLAWS,))
MATE: Sheet = replace(QUINCY, name="Compagno")


def melee(*, bound: bool = False, **changes: Any) -> Setup:
    """Set up two against two: something comes at the Quincy from either side, and at its mate."""
    held = Bound(
        value=Fraction(14), by=(Held(user="hollow", name="Rete", binds=(Bind.ARM_BLOCK,)),)
    )
    quincy = Entrant(id="quincy", team="day", sheet=FULL, bound=held if bound else None)
    people = (
        Entrant(id="hollow", team="night", sheet=replace(HOLLOW, tools=(STRONG_CLAWS,))),
        quincy,
        Entrant(id="beast", team="night", sheet=BEAST),
        Entrant(id="mate", team="day", sheet=MATE),
    )
    ids = [one.id for one in people]
    coming = (("hollow", "quincy"), ("beast", "quincy"), ("beast", "mate"))
    return Setup(
        **{
            "entrants": people,
            "distances": tuple(Distance(a=a, b=b, metres=5) for a, b in combinations(ids, 2)),
            "underway": tuple(
                Underway(attacker=one, target=other, tool="claws", die=5, modifier=4)
                for one, other in coming
            ),
            "first": "quincy",
            **changes,
        }
    )
