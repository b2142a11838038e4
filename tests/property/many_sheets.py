"""Set-ups of two to five for fights by seed: every kind of technique, option and regulation.

Values are picked by kind, so that each thing the rules know turns up often enough to meet others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import Final

from app.rulesets.guida.entrants import Bound, Entrant, Held, StackCount, Uses
from app.rulesets.guida.places import Behind, Distance, Unseen
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Area,
    Armour,
    ArmourEffect,
    Blinding,
    Camouflage,
    Constraint,
    Effect,
    Gigantism,
    Heal,
    Knockback,
    Liberation,
    Masking,
    Modifier,
    Perception,
    Regeneration,
    ScorePoints,
    Sheet,
    StackEffect,
    StackRemoval,
    StatPoints,
    Stats,
    Tool,
    Upkeep,
)
from app.rulesets.guida.state import Setup, Underway
from app.rulesets.guida.terms import (
    AreaForm,
    AttackForm,
    AttackKind,
    Bearer,
    Bind,
    Category,
    Curtain,
    DamageType,
    Means,
    Score,
    Secondary,
    Stack,
    Stat,
    Talent,
)
from tests.property.many_options import a_regulation, some_options

IDS: Final = ("ada", "bo", "cy", "dan", "eve")
TEAMS: Final = {  # how many sides there are, and of whom
    2: (("ada", "bo"),),
    3: (("ada", "bo", "bo"), ("ada", "bo", "ada"), ("ada", "bo", "cy")),
    4: (("ada", "bo", "ada", "bo"), ("ada", "bo", "bo", "bo"), ("ada", "bo", "cy", "cy")),
    5: (("ada", "bo", "bo", "ada", "bo"), ("ada", "bo", "cy", "ada", "bo")),
}
WORDS: Final = ("Artiglio", "Vento [2]", "Scudo", "Sonìdo", "Catena", "Bruma")


def some_turns(pick: Random) -> int | None:
    """Pick how long an effect lasts."""
    return pick.choice((1, 2, 3, None))


def amount(pick: Random, most: int = 20) -> Fraction:
    """Pick a number that need not be whole."""
    return Fraction(pick.randint(0, most), pick.choice((1, 1, 2, 3)))


# ----------------------------------------------------------------------------- techniques


def rider(pick: Random) -> Effect:
    """Pick an effect that a landed attack leaves on its target."""
    on = Bearer.TARGET
    return pick.choice(
        (
            StackEffect(stack=pick.choice(tuple(Stack)), count=pick.choice((1, 2, 3, 7))),
            StackEffect(stack=pick.choice(tuple(Stack)), count=pick.choice((1, 2, 5))),
            Blinding(turns=some_turns(pick)),
            AdditionalDamage(
                potential=amount(pick),
                stat_bonus=amount(pick),
                damage=pick.choice(tuple(DamageType)),
            ),
            StatPoints(stat=pick.choice(tuple(Stat)), points=-3, turns=some_turns(pick), on=on),
            ScorePoints(score=pick.choice(tuple(Score)), points=-1, turns=some_turns(pick), on=on),
            ArmourEffect(potential=amount(pick), turns=some_turns(pick), on=on),
            a_constraint(pick),
            Knockback(),
        )
    )


def boon(pick: Random) -> Effect:
    """Pick an effect that settles on its user."""
    turns = some_turns(pick)
    return pick.choice(
        (
            StatPoints(stat=pick.choice(tuple(Stat)), points=pick.randint(-3, 4), turns=turns),
            ScorePoints(score=pick.choice(tuple(Score)), points=pick.randint(-2, 3), turns=turns),
            ArmourEffect(potential=amount(pick), turns=turns, blocks_pure=bool(pick.randint(0, 1))),
            Upkeep(ep=pick.randint(1, 3), turns=turns),
            Regeneration(
                category=pick.choice(tuple(Category)),
                stat=pick.choice(tuple(Stat)),
                turns=pick.randint(1, 3),
            ),
            StackRemoval(stack=pick.choice(tuple(Stack)), count=pick.randint(1, 6)),
        )
    )


def a_constraint(pick: Random) -> Constraint:
    """Pick a constraint of up to three kinds."""
    return Constraint(
        binds=tuple(pick.sample(tuple(Bind), pick.randint(0, 3))),
        max_range_m=pick.choice((None, 6, 20)),
        deals_damage=bool(pick.randint(0, 1)),
    )


def an_area(pick: Random) -> Area:
    """Pick a control area: static, expansive, or a curtain."""
    if pick.randint(0, 3) == 0:
        return Area(
            form=AreaForm.STATIC,
            radius_m=pick.choice((5, 20, 60)),
            saturation=pick.choice((None, 4, 12)),
        )
    return Area(saturation=pick.choice((1, 6, 14, 40)), curtain=pick.choice((None, *Curtain)))


STRIKES: Final = {"attacks": True}
KINDS: Final[dict[str, dict[str, bool]]] = {  # what each kind of technique may be used for
    "spread": STRIKES,
    "strike": STRIKES,
    "rope": STRIKES,
    "frost": STRIKES,
    "venom": STRIKES,
    "flash": STRIKES,
    "shove": {"attacks": True, "guards": True, "parries": True},
    "wrench": {"supports": True},
    "giant": {"supports": True, "generic": True},
    "eyes": {},
    "cloak": {},
    "mask": {},
    "dome": {"generic": True, "supports": True},
    "cloud": {"generic": True, "supports": True},
    "burst": {"attacks": True, "generic": True},
    "tonic": {"supports": True, "generic": True},
    "cure": {"generic": True},
    "boost": {"supports": True, "generic": True},
    "trick": {"supports": True},
}


EFFECTS: Final[dict[str, Callable[[Random], Effect]]] = {  # of kinds that have one effect
    "rope": lambda pick: a_constraint(pick),
    "frost": lambda pick: StackEffect(stack=pick.choice((Stack.FREEZING, Stack.ABLAZE)), count=4),
    "venom": lambda pick: StackEffect(stack=pick.choice((Stack.POISON, Stack.BURN)), count=5),
    "flash": lambda pick: Blinding(turns=some_turns(pick)),
    "shove": lambda _: Knockback(),
    "wrench": lambda _: Liberation(),
    "giant": lambda pick: Gigantism(size=pick.choice((-1, 1, 2, 3)), turns=some_turns(pick)),
    "eyes": lambda pick: Perception(
        radius_m=pick.choice((10, 60)), passive=pick.randint(0, 3) == 0
    ),
    "cloak": lambda pick: Camouflage(turns=some_turns(pick), passive=pick.randint(0, 3) == 0),
    "mask": lambda pick: Masking(turns=some_turns(pick)),
    "dome": lambda pick: an_area(pick),
    "cloud": lambda pick: an_area(pick),
    "burst": lambda pick: an_area(pick),
    "tonic": lambda pick: StackRemoval(stack=pick.choice(tuple(Stack)), count=pick.randint(1, 6)),
    "cure": lambda _: Heal(),
    "trick": lambda pick: rider(pick),
}


def effects_of(pick: Random, kind: str) -> tuple[Effect, ...]:
    """Pick what a kind of technique does."""
    if kind in EFFECTS:
        return (EFFECTS[kind](pick),)
    if kind in ("spread", "strike"):
        return tuple(rider(pick) for _ in range(pick.choice((0, 1, 2))))
    return tuple(boon(pick) for _ in range(pick.choice((1, 2))))


def a_tool(pick: Random, kind: str) -> Tool:
    """Pick a technique or weapon of a kind; now and then a number is left to the regulation."""

    def silent() -> bool:
        return pick.randint(1, 8) == 1

    optimal = pick.choice((5, 10, 25))
    attack_kind = AttackKind.TARGETED
    if kind in ("spread", "burst", "rope", "flash"):
        attack_kind = pick.choice(tuple(AttackKind))
    return Tool(
        id=kind,
        name=f"{pick.choice(WORDS)} {kind}",
        means=pick.choice((Means.TECHNIQUE, Means.TECHNIQUE, Means.WEAPON)),
        secondary=Secondary.TONIC if kind == "tonic" else pick.choice(tuple(Secondary)),
        die=pick.choice((None, None, 6, 20)),
        potential=None if silent() else Fraction(pick.randint(5, 26)),
        potential_bonus=None if silent() else Fraction(pick.randint(0, 9)),
        category=pick.choice(tuple(Category)),
        governing=pick.choice((None, *Stat)),
        stat_bonus=None if silent() else Fraction(pick.randint(0, 14)),
        attack_kind=attack_kind,
        volley_size=pick.choice((1, 2, 4, 6, 12, 30)),
        max_targets=pick.choice((None, None, 2)),
        area_m=pick.choice((None, 3, 12)),
        form=pick.choice(tuple(AttackForm)),
        optimal_m=optimal,
        max_m=pick.choice((None, None, optimal, 60)) if optimal < 60 else None,
        damage=pick.choice(tuple(DamageType)),
        ep=pick.choice((0, 0, 1, 4)),
        modifiers=(Modifier(name="Mira", score=pick.choice(tuple(Score)), points=1),)
        if pick.randint(0, 4) == 0
        else (),
        effects=effects_of(pick, kind),
        **KINDS[kind],
    )


def a_sheet(pick: Random, name: str) -> Sheet:
    """Pick a sheet: a blade for everything, and seven other things."""
    blade = Tool(
        id="blade",
        name="Lama",
        means=Means.WEAPON,
        attacks=True,
        guards=True,
        parries=True,
        potential=Fraction(pick.randint(10, 24)),
        potential_bonus=Fraction(pick.randint(0, 6)),
        category=pick.choice(tuple(Category)),
        stat_bonus=Fraction(pick.randint(0, 12)),
    )
    kinds = pick.sample(tuple(KINDS), 7)
    worn = Armour(name="Corazza", potential=amount(pick, 12), blocks_pure=bool(pick.randint(0, 1)))
    return Sheet(
        name=name,
        max_hp=pick.choice((60, 300)),
        max_ep=pick.choice((6, 80)),
        stats=Stats(**{stat: pick.randint(0, 15) for stat in Stat}),
        tools=(blade, *(a_tool(pick, kind) for kind in kinds)),
        armour=pick.choice((None, worn)),
        size=pick.choice((0, 0, 0, 1, -1)),
        talents=(Talent.ALTERNATIVE_SENSES_TO_SIGHT,) if pick.randint(0, 6) == 0 else (),
    )


# -------------------------------------------------------------------------------- set-ups


def an_entrant(pick: Random, id: str, team: str, ids: tuple[str, ...]) -> Entrant:
    """Pick one fighter, fresh or from the middle of a fight."""
    sheet = a_sheet(pick, id.title())
    made = Entrant(id=id, team=team, sheet=sheet, npc=pick.randint(0, 4) == 0)
    if pick.randint(0, 4):
        return made
    stacks = tuple(
        StackCount(stack=stack, count=pick.randint(1, 4))
        for stack in pick.sample(tuple(Stack), pick.randint(0, 3))
    )
    user = pick.choice([other for other in ids if other != id])
    held = Held(
        user=user,
        name="Catena",
        binds=tuple(pick.sample(tuple(Bind), pick.randint(0, 3))),
        max_range_m=30,
        stacked=bool(pick.randint(0, 1)),
    )
    bound = Bound(value=amount(pick, 40), by=(held,), loosening=pick.choice((0, 4)))
    return replace(
        made,
        hp=pick.randint(1, sheet.max_hp),
        ep=pick.randint(0, sheet.max_ep),
        stacks=stacks,
        uses=(Uses(tool="blade", count=pick.randint(0, 9)),),
        armour_down=bool(pick.randint(0, 1)),
        bound=pick.choice((None, bound)),
    )


def a_setup(pick: Random) -> Setup:
    """Pick two to five fighters of two sides or more, somebody's subordinate perhaps among them."""
    count = pick.choice((2, 3, 3, 4, 5))
    ids = IDS[:count]
    teams = dict(zip(ids, pick.choice(TEAMS[count]), strict=True))
    entrants = [an_entrant(pick, id, teams[id], ids) for id in ids]
    if entrants[-1].team in ids[:-1] and pick.randint(0, 2) == 0:
        entrants[-1] = replace(entrants[-1], master=entrants[-1].team)
    foes = [(a, b) for a in ids for b in ids if teams[a] != teams[b]]
    setup = Setup(
        entrants=tuple(entrants),
        distances=tuple(
            Distance(a=a, b=b, metres=Fraction(pick.choice((0, 2, 5, 8, 20, 40))))
            for a, b in combinations(ids, 2)
        ),
        behind=(Behind(who="ada", whom="bo"),) if pick.randint(0, 5) == 0 else (),
        hidden=tuple(Unseen(who=a, observer=b) for a, b in foes if pick.randint(0, 9) == 0),
        underway=tuple(_flying(pick, *pick.choice(foes)) for _ in range(pick.choice((0, 0, 1, 2)))),
        first=pick.choice((None, *ids)),
        options=some_options(pick),
        regulation=a_regulation(pick),
    )
    found = check_setup(setup)
    assert found == (), found
    return setup


def _flying(pick: Random, attacker: str, target: str) -> Underway:
    return Underway(
        attacker=attacker,
        target=target,
        tool="blade",
        die=pick.randint(1, 12),
        modifier=pick.randint(4, 22),
    )
