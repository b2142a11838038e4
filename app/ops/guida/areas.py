"""Chapter 12: areas are created, wear off, are destroyed, left and filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    Rules,
    duel,
    fighter,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.area_life import settle_destruction
from app.rulesets.guida.areas import potential_of, power_of, radius_of
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Defence,
    Generic,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
    Move,
    Reach,
)
from app.rulesets.guida.senses import is_blinded
from app.rulesets.guida.sheet import Area, Modifier, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    Action,
    AreaForm,
    AttackKind,
    Category,
    Curtain,
    Score,
    Stack,
)
from app.rulesets.guida.underway import (
    ControlArea,
)

CLOUD = "cloud"  # the technique that creates areas here
FORMED = "area0"  # the id of an area that is there from the start
RADIUS = 60  # of areas whose size is not what matters
LONG_AGO = -9  # the turn in which such an area was created
AREA = ControlArea(
    id=FORMED, creator=ATTACKER, tool=CLOUD, name=CLOUD, form=AreaForm.EXPANSIVE, fed=LONG_AGO
)


def static_area(given: Given) -> dict[str, object]:
    """Let static areas form, and read their potential; None where one is refused (GC-12.3)."""
    potential = given.number("technique_potential")
    results = []
    for radius in given.wholes("radii_m"):
        effect = Area(form=AreaForm.STATIC, radius_m=radius)
        area = _created(read_rules(given), effect, potential)
        results.append(potential_of(area) if area else None)
    return {"area_potential": results}


def expansive_area(given: Given) -> dict[str, object]:
    """Let expansive areas form, and read how large and how strong they are (GC-12.5, GC-12.6)."""
    areas = [
        _created(read_rules(given), Area(form=AreaForm.EXPANSIVE, saturation=count), Fraction(0))
        for count in given.wholes("saturation")
    ]
    return {
        "radius_m": [radius_of(area) if area else None for area in areas],
        "area_potential": [potential_of(area) if area else None for area in areas],
    }


def area_ticks(given: Given) -> dict[str, object]:
    """Let turns of its creator pass over an area, and read its saturation (GC-12.7, GC-12.8)."""
    after = list(_saturations(read_rules(given), given.whole("saturation"), given.whole("ticks")))
    result: dict[str, object] = {"saturation_after": after}
    if 0 in after:
        result["disappears_at_tick"] = after.index(0) + 1
    return result


def area_removal(given: Given) -> dict[str, object]:
    """Launch attacks inside an area one by one, each at the same saturation (GC-12.9)."""
    full = 20
    left = [_worn(read_rules(given), full, [part]) for part in given.parts("attacks")]
    return {"removed": [full - saturation for saturation in left]}


def area_removal_total(given: Given) -> dict[str, object]:
    """Launch attacks inside an area one after the other (GC-12.7, GC-12.9)."""
    left = _worn(read_rules(given), given.whole("saturation"), given.parts("attacks"))
    return {"saturation_after": left, "exists": left > 0}


def area_creation_die(given: Given) -> dict[str, object]:
    """Create areas by a main action or beside an attack, and see which die they use (GC-12.11)."""
    return {"results": [_creation_die(read_rules(given), case) for case in given.parts("cases")]}


def area_creation_countered(given: Given) -> dict[str, object]:
    """Counter the creation of an area (GC-12.13, GC-14.18)."""
    counter = scored(Action.GENERIC_COUNTERATTACK, given.whole("counter_score"))
    scene = _creating(read_rules(given), given.whole("creation_score"), *counter.tools)
    made = post(scene, Turn(by=DEFENDER, defences=(counter.against("g1"),)), counter.faces)
    return {
        "area_created": bool(made.after.areas),
        "opponent_must_defend": bool(made.after.against(ATTACKER)),
    }


def area_destroy(given: Given) -> dict[str, object]:
    """Meet a formed area with techniques of so much power that cover so much of it (GC-12.14)."""
    rules, about = read_rules(given), given.part("area")
    area = ControlArea(
        id=FORMED,
        creator=ATTACKER,
        tool=CLOUD,
        name=CLOUD,
        form=AreaForm.STATIC,
        potential=about.number("area_potential"),
        stat_bonus=about.number("stat_bonus"),
    )
    return {
        "area_power": power_of(rules.options, area),
        "destroyed": [
            settle_destruction(
                rules.options, area, coverage=case.number("coverage"), power=case.number("power")
            )
            for case in given.parts("cases")
        ],
    }


def area_escape_creation(given: Given) -> dict[str, object]:
    """Dodge the creation of an area as far as Dexterity reaches (GC-12.15)."""
    outside = []
    for case in given.parts("cases"):
        reach, border = case.whole("dodge_reach_m"), case.whole("distance_to_border_m")
        dodge = scored(Action.DODGE, case.whole("dodge_score") - reach)
        scene = _creating(
            read_rules(given),
            case.whole("creation_score"),
            *dodge.tools,
            dexterity=reach,
            metres=RADIUS - border,
        )
        move = Move(distances=(Reach(to="area1", metres=RADIUS - border + reach),))
        made = post(
            scene, Turn(by=DEFENDER, defences=(dodge.against("g1", move=move),)), dodge.faces
        )
        outside.append(not _inside(made.after, "area1", DEFENDER))
    return {"outside": outside}


def area_escape_formed(given: Given) -> dict[str, object]:
    """Try to leave a formed area in several ways (GC-12.16 to GC-12.18)."""
    return {"outside": [_escapes(read_rules(given), case) for case in given.parts("cases")]}


def smoke(given: Given) -> dict[str, object]:
    """Say who is blinded against whom, inside and outside a smoke curtain (GC-12.20, GC-12.21)."""
    blinded = []
    for case in given.parts("cases"):
        scene = duel(
            read_rules(given),
            fighter(ATTACKER),
            fighter(DEFENDER),
            metres=case.whole("distance_m"),
        )
        outside = 2 * RADIUS
        places = {
            ATTACKER: 0 if case.flag("observer_inside") else outside,
            DEFENDER: 0 if case.flag("target_inside") else outside,
        }
        smoke = replace(AREA, saturation=10, curtain=Curtain.SMOKE)
        scene = _with_area(scene, smoke, places)
        blinded.append(is_blinded(scene, ATTACKER, DEFENDER))
    return {"blinded": blinded}


def poison_of_curtains(given: Given) -> list[int]:
    """Let a turn pass in poison curtains of so much saturation, and count the stacks (GC-12.23)."""
    counts = []
    for saturation in given.wholes("stacks"):
        scene = duel(read_rules(given), fighter(ATTACKER), fighter(DEFENDER), first=DEFENDER)
        if saturation:
            scene = _with_area(scene, replace(AREA, saturation=saturation, curtain=Curtain.POISON))
        after = post(scene, Turn(by=DEFENDER)).after
        counts.append(held(after.who(DEFENDER), Stack.POISON))
    return counts


def decay_of_areas(given: Given) -> tuple[list[int], list[int]]:
    """Read off areas of so much saturation what they lose, and in how many turns (GC-12.8)."""
    loss, every = [], []
    for count in given.wholes("stacks"):
        after = list(_saturations(read_rules(given), count, 2))
        at = next(index for index, left in enumerate(after) if left != count)
        loss.append(count - after[at])
        every.append(at + 1)
    return loss, every


def _created(rules: Rules, effect: Area, potential: Fraction) -> ControlArea | None:
    made = tool(CLOUD, potential, attacks=False, effects=(effect,))
    scene = duel(rules, fighter(ATTACKER, made), fighter(DEFENDER))
    turn = Turn(by=ATTACKER, main=Generic(tool=CLOUD))
    if {obstacle.code for obstacle in GUIDA.check(scene, turn)} == {"area_too_large"}:
        return None
    scene = post(scene, turn, [LAUNCH]).after
    return post(scene, Turn(by=DEFENDER)).after.areas[0]


def _creating(rules: Rules, score: int, *tools: Tool, dexterity: int = 0, metres: int = 0) -> Scene:
    """Have an area begin to form around the defender, so far from its centre."""
    made = tool(
        CLOUD,
        attacks=False,
        effects=(Area(form=AreaForm.STATIC, radius_m=RADIUS),),
        modifiers=(Modifier(name=CLOUD, score=Score.SUCCESS, points=score - LAUNCH),),
    )
    defender = fighter(DEFENDER, *tools, stats=Stats(dexterity=dexterity))
    scene = duel(rules, fighter(ATTACKER, made), defender)
    plan = AreaPlan(tool=CLOUD, distances=(Reach(to=DEFENDER, metres=metres),))
    turn = Turn(by=ATTACKER, main=Generic(tool=CLOUD), areas=(plan,))
    return post(scene, turn, [LAUNCH]).after


def _with_area(scene: Scene, area: ControlArea, metres: Mapping[str, int] | None = None) -> Scene:
    """Put an area around everybody, but for those who are so far from its centre."""
    far = metres or {}
    places = [
        Distance(a=area.id, b=one.id, metres=Fraction(far.get(one.id, 0)))
        for one in scene.combatants
    ]
    return replace(scene.placed(places, scene.behind), areas=(area,))


def _saturations(rules: Rules, saturation: int, ticks: int) -> Iterator[int]:
    scene = duel(rules, fighter(ATTACKER), fighter(DEFENDER))
    scene = _with_area(scene, replace(AREA, saturation=saturation))
    for _ in range(ticks):
        scene = post(scene, Turn(by=ATTACKER)).after
        scene = post(scene, Turn(by=DEFENDER)).after
        yield scene.areas[0].saturation or 0 if scene.areas else 0


def _worn(rules: Rules, saturation: int, attacks: list[Given]) -> int:
    """Let one after the other attack the defender inside an area, and read what is left of it."""
    blows = [
        tool(
            f"blow{place}",
            category=part.word(Category, "category"),
            attack_kind=part.word(AttackKind, "attack_kind"),
            volley_size=part.whole("volley_size", 1),
        )
        for place, part in enumerate(attacks)
    ]
    authors = [f"{ATTACKER}{place}" for place, _ in enumerate(blows)]
    scene = duel(
        rules,
        *(
            replace(fighter(id, blow), team=ATTACKER)
            for id, blow in zip(authors, blows, strict=True)
        ),
        fighter(ATTACKER),
        fighter(DEFENDER),
        first=authors[0],
    )
    scene = replace(
        scene,
        combatants=tuple(
            replace(one, team=ATTACKER) if one.id != DEFENDER else one for one in scene.combatants
        ),
    )
    scene = _with_area(scene, replace(AREA, saturation=saturation))
    for id, blow in zip(authors, blows, strict=True):
        turn = Turn(by=id, main=Attack(target=DEFENDER, tool=blow.id))
        scene = post(scene, turn, [LAUNCH]).after
    return scene.areas[0].saturation or 0 if scene.areas else 0


def _creation_die(rules: Rules, case: Given) -> dict[str, object]:
    by_main = case.text("by") == "main"
    effects = (
        (Area(form=AreaForm.STATIC, radius_m=RADIUS),) if case.flag("source_creates_area") else ()
    )
    made = tool(CLOUD, attacks=False, effects=effects)
    scene = duel(rules, fighter(ATTACKER, made, tool("blow")), fighter(DEFENDER))
    main = (
        Generic(tool=CLOUD) if by_main else Attack(target=DEFENDER, tool="blow", support=(CLOUD,))
    )
    turn = Turn(by=ATTACKER, main=main, areas=(AreaPlan(tool=CLOUD),))
    die = case.whole("own_die" if by_main else "main_die")
    if GUIDA.check(scene, turn):
        return {"legal": False}
    scene = post(scene, turn, [die]).after
    asked = GUIDA.plan(scene, turn).asked
    return {
        "legal": True,
        "roll_required": any(one.action is Action.GENERIC_ACTION for one in asked),
        "die": next(one.die for one in scene.pending if one.creates),
    }


def _escapes(rules: Rules, case: Given) -> bool:
    """Let the attacker try to leave an area around it, in one of the ways of a case."""
    way = case.text("by")
    out = Move(distances=(Reach(to=FORMED, metres=RADIUS + 1),))
    counter = scored(
        Action.GENERIC_COUNTERATTACK, 300 if case.flag("countered_successfully", False) else 0
    )
    scene = duel(
        rules,
        fighter(ATTACKER, tool("blow"), stats=Stats(dexterity=2 * RADIUS)),
        fighter(DEFENDER, *counter.tools, tool("blow")),
        first=DEFENDER,
    )
    scene = _with_area(scene, replace(AREA, form=AreaForm.STATIC, radius_m=RADIUS))
    attacks = Attack(target=ATTACKER, tool="blow") if way in ("dodge", "in_defence_move") else None
    scene = post(scene, Turn(by=DEFENDER, main=attacks), [LAUNCH] if attacks else []).after
    turn = {
        "movement": Turn(by=ATTACKER, main=Movement(move=out)),
        "in_attack_move": Turn(by=ATTACKER, main=Attack(target=DEFENDER, tool="blow", move=out)),
        "dodge": _defending(Action.DODGE, out),
        "in_defence_move": _defending(Action.GUARD, out),
    }[way]
    if {obstacle.code for obstacle in GUIDA.check(scene, turn)} == {"cannot_leave_area"}:
        return False
    scene = post(scene, turn, [LAUNCH]).after
    if way == "movement":
        answer = Turn(by=DEFENDER, defences=(counter.against("g2"),))
        scene = post(scene, answer, counter.faces).after
    return not _inside(scene, FORMED, ATTACKER)


def _defending(action: Action, move: Move) -> Turn:
    return Turn(by=ATTACKER, defences=(Defence(action=action, against=("a1",), move=move),))


def _inside(scene: Scene, area: str, who: str) -> bool:
    return any(one.id == area and scene.metres(area, who) <= radius_of(one) for one in scene.areas)
