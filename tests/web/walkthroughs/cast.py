"""Those who fight in a walkthrough, with numbers round enough to be worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from app.rulesets.guida.sheet import Area, Knockback, Perception, Sheet, Stats, Tool
from app.rulesets.guida.terms import (
    AreaForm,
    AttackForm,
    AttackKind,
    Category,
    Curtain,
    Means,
)

BOW = Tool(
    id="bow",
    name="Arco",
    means=Means.WEAPON,
    attacks=True,
    guards=True,
    potential=Fraction(12),
    category=Category.D,
    stat_bonus=Fraction(7),
    attack_kind=AttackKind.MULTIPLE,
    volley_size=5,
    form=AttackForm.PROJECTILE,
    optimal_m=10,
    max_m=60,
    ep=5,
)
SMOKE = Tool(
    id="smoke",
    name="Fumogeno",
    generic=True,
    stat_bonus=Fraction(3),
    ep=10,
    effects=(Area(form=AreaForm.EXPANSIVE, saturation=5, curtain=Curtain.SMOKE),),
)
SPEAR = Tool(
    id="spear",
    name="Lancia",
    means=Means.WEAPON,
    attacks=True,
    guards=True,
    potential=Fraction(14),
    category=Category.B,
    stat_bonus=Fraction(8),
    potential_bonus=Fraction(4),
    form=AttackForm.MELEE,
    optimal_m=10,
    max_m=10,
    effects=(Knockback(),),
)
DOME = Tool(
    id="dome",
    name="Cupola",
    generic=True,
    potential=Fraction(20),
    category=Category.B,
    stat_bonus=Fraction(4),
    ep=15,
    effects=(Area(form=AreaForm.STATIC, radius_m=5),),
)
EYE = Tool(
    id="eye",
    name="Occhio",
    supports=True,
    stat_bonus=Fraction(2),
    ep=3,
    effects=(Perception(radius_m=60),),
)
WAVE = Tool(
    id="wave",
    name="Onda",
    attacks=True,
    potential=Fraction(16),
    category=Category.C,
    stat_bonus=Fraction(4),
    attack_kind=AttackKind.AREA,
    area_m=20,
    form=AttackForm.PROJECTILE,
    optimal_m=10,
    max_m=60,
    ep=8,
)
CLAWS = Tool(
    id="claws",
    name="Artigli",
    means=Means.WEAPON,
    attacks=True,
    guards=True,
    potential=Fraction(10),
    category=Category.D,
    stat_bonus=Fraction(4),
    form=AttackForm.MELEE,
    optimal_m=5,
    max_m=10,
)


def _fighter(name: str, hp: int, ep: int, levels: tuple[int, int, int], *tools: Tool) -> Sheet:
    strength, dexterity, constitution = levels
    stats = Stats(strength=strength, dexterity=dexterity, constitution=constitution)
    return Sheet(name=name, max_hp=hp, max_ep=ep, stats=stats, tools=tools)


RIN = _fighter("Rin", 100, 60, (5, 10, 4), BOW, SMOKE)
KAEDE = _fighter("Kaede", 120, 60, (10, 9, 6), SPEAR, DOME, EYE)
CHIEF = _fighter("Capo", 150, 80, (8, 8, 5), WAVE)
WOLF = _fighter("Lupo", 40, 10, (5, 6, 4), CLAWS)
