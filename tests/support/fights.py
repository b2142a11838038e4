"""Sheets, scenes and orders of the Guida that tests begin with."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.sheet import Armour, Modifier, Sheet, Stats, Tool
from app.rulesets.guida.state import (
    Setup,
)
from app.rulesets.guida.terms import (
    Action,
    AttackForm,
    Category,
    DamageType,
    Means,
    Score,
    Stat,
)

CLAWS = Tool(
    id="claws",
    name="Artigli Affilati",
    means=Means.WEAPON,
    attacks=True,
    guards=True,
    potential=Fraction(10),
    category=Category.D,
    governing=Stat.STRENGTH,
    stat_bonus=Fraction(4),
    form=AttackForm.MELEE,
    optimal_m=5,
    max_m=10,
    modifiers=(Modifier(name="Bonus Arma", score=Score.HIT, points=2),),
)
BOW = Tool(
    id="bow",
    name="Arco Spirituale",
    means=Means.WEAPON,
    attacks=True,
    guards=True,
    potential=Fraction(12),
    category=Category.D,
    governing=Stat.DEXTERITY,
    stat_bonus=Fraction(5),
    form=AttackForm.PROJECTILE,
    optimal_m=25,
    max_m=100,
    ep=5,
)
FLAME = Tool(
    id="flame",
    name="Fiamma Pura",
    attacks=True,
    potential=Fraction(8),
    category=Category.D,
    governing=Stat.INTELLIGENCE,
    stat_bonus=Fraction(3),
    form=AttackForm.PROJECTILE,
    damage=DamageType.PURE,
    optimal_m=10,
    max_m=60,
    ep=10,
)

HOLLOW = Sheet(
    name="Hollow",
    link="https://forum.example/?t=1",
    max_hp=200,
    max_ep=100,
    stats=Stats(strength=8, dexterity=6, constitution=5, intelligence=2),
    tools=(CLAWS, FLAME),
)
QUINCY = Sheet(
    name="Quincy",
    link="https://forum.example/?t=2",
    max_hp=180,
    max_ep=120,
    stats=Stats(strength=4, dexterity=9, constitution=4, intelligence=6),
    tools=(BOW,),
    armour=Armour(name="Uniforme", potential=Fraction(2)),
)


def duel(metres: int = 5, **changes: Any) -> Setup:
    """Set up a fight of the Hollow against the Quincy; the Hollow begins."""
    return Setup(
        **{
            "entrants": (
                Entrant(id="hollow", team="night", sheet=HOLLOW),
                Entrant(id="quincy", team="day", sheet=QUINCY),
            ),
            "distances": (Distance(a="hollow", b="quincy", metres=metres),),
            "first": "hollow",
            **changes,
        }
    )


def attack(target: str = "quincy", tool: str = "claws", by: str = "", **more: Any) -> Turn:
    """Attack, without anything to defend against."""
    return Turn(by=by, main=Attack(target=target, tool=tool, **more))


def defend(
    *against: str, action: Action = Action.DODGE, by: str = "", main: Attack | None = None
) -> Turn:
    """Defend against attacks by their ids, and perhaps strike back."""
    defences = (Defence(action=action, against=against),) if against else ()
    return Turn(by=by, defences=defences, main=main)
