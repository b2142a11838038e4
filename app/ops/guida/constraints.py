"""Chapter 8: how strongly one is bound, what it hampers, and attempts to break free."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from fractions import Fraction

from app.engine.ruleset import GM
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    REPLY,
    Post,
    Rules,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    tool,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import Bound, Entrant, Held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import bonus_points
from app.rulesets.guida.liberation import size_category
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    LiberationAttempt,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import Constraint, Gigantism, Liberation, Modifier, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Bind, Change, Score, Secondary, Stack, Stat

HOLD = "hold"
ATTEMPTS = ("liberation_won", "liberation_failed")
SURE = 100  # what makes a defence come in time whatever it rolls


def constraint_apply(given: Given) -> dict[str, object]:
    """Launch an attack that binds, let it land, and read the value (GC-8.2 to GC-8.4, GC-8.15)."""
    rules = read_rules(given)
    improper = given.flag("improper", False)
    declared = given.flag("declared_on_launch", True)
    compatible = given.flag("compatible", True)
    used = tool(
        HOLD,
        potential_bonus=given.number("potential_bonus"),
        stat_bonus=given.number("stat_bonus"),
        effects=() if improper else (Constraint(binds=(Bind.MOVEMENT_LIMITATION,)),),
    )
    target = fighter(DEFENDER)
    if given.has("current_value"):
        target = _bound(target, given.number("current_value"))
    scene = duel(rules, fighter(ATTACKER, used), target)
    binds = (Bind.MOVEMENT_LIMITATION,) if improper and declared else ()
    attack = Turn(by=ATTACKER, main=Attack(target=DEFENDER, tool=HOLD, binds=binds))
    dice, apart = [given.whole("die")], given.whole("constraint_die", 1)
    asked = [die.action for die in GUIDA.plan(scene, attack).asked]
    if Action.CONSTRAINT in asked:
        dice.insert(asked.index(Action.CONSTRAINT), apart)
    scene = post(scene, attack, dice).after
    scene = _answer_all(scene, "compatible" if compatible else "incompatible")
    suffers = Defence(action=Action.NULL_DEFENCE, against=(scene.incoming[0].id,))
    after = post(scene, Turn(by=DEFENDER, defences=(suffers,))).after.who(DEFENDER)
    issues = [] if declared or not improper else ["not_declared"]
    return {
        "constraint_value": after.bond_value.total if after.bond_value else None,
        "damage_inflicted": after.due(Change.HP) < 0,
        "issues": issues if compatible else [*issues, "not_compatible"],
    }


def constraint_effects(given: Given) -> dict[str, object]:
    """Say what sets of effects take from Dexterity, and whether one may still move (GC-8.12)."""
    rules = read_rules(given)
    malus, moves = [], []
    for case in given.items("cases"):
        if not isinstance(case, list):
            raise CaseError(f"{case!r} is not a list of effects")
        bound = _bound(fighter(DEFENDER), Fraction(1), *(_bind(one) for one in case))
        scene = duel(rules, fighter(ATTACKER), bound, first=DEFENDER)
        malus.append(bonus_points(opened(scene, DEFENDER), Stat.DEXTERITY).total)
        moves.append("move_bound" not in _refusals(scene, _away(6)))
    return {"dexterity": malus, "can_change_position": moves}


def distance_limit(given: Given) -> dict[str, object]:
    """Ask the turn engine how far from the user the target may go (GC-8.6)."""
    rules = read_rules(given)
    limit = given.whole("max_range_m")
    bound = _bound(fighter(DEFENDER), Fraction(1), Bind.DISTANCE_LIMIT, metres=limit)
    scene = duel(rules, fighter(ATTACKER), bound, first=DEFENDER)
    legal = [
        "beyond_distance_limit" not in _refusals(scene, _away(metres))
        for metres in given.wholes("destinations_m")
    ]
    return {"legal": legal}


def liberation_track(given: Given) -> dict[str, object]:
    """Play attempts over several turns (GC-8.18, GC-8.21, GC-8.22)."""
    rules = read_rules(given)
    parts = given.parts("attempts")
    efforts = [_effort(part, f"try{place}") for place, part in enumerate(parts)]
    turns = [(part.whole("turn"), part.whole("die")) for part in parts]
    binds = [Bind.MOVEMENT_LIMITATION] * given.whole("constraints")
    bound = _bound(fighter(DEFENDER, *efforts), given.number("constraint_value"), *binds)
    scene = duel(rules, fighter(ATTACKER), bound, first=DEFENDER)
    values, freed = [], []
    for (number, die), effort in zip(turns, efforts, strict=True):
        while scene.who(DEFENDER).turn < number - 1:
            scene = post(scene, Turn(by=scene.next)).after
        if scene.next != DEFENDER:
            scene = post(scene, Turn(by=scene.next)).after
        order = Turn(by=DEFENDER, liberation=LiberationAttempt(tool=effort.id))
        made = post(scene, order, [die])
        scene = made.after
        (tried,) = made.facts(*ATTEMPTS)
        values.append(tried["value"])
        freed.append(tried["key"] == "liberation_won")
    after = scene.who(DEFENDER)
    return {
        "values": values,
        "freed": freed,
        "constraints_after": len(after.bonds),
        "loosening_after": after.loosening,
    }


def liberation_limit(given: Given) -> dict[str, object]:
    """Declare several attempts in one post (GC-8.17, GC-8.23)."""
    rules = read_rules(given)
    kinds = [str(kind) for kind in given.items("attempts_this_turn")]
    if unknown := sorted(set(kinds) - {"secondary", "improper"}):
        raise CaseError(f"no attempt is called {', '.join(unknown)}")
    wrench = _wrench(Fraction(1), Fraction(1))
    sword = tool("sword", potential_bonus=Fraction(1))
    bound = _bound(fighter(DEFENDER, wrench, sword), Fraction(1))
    scene = duel(rules, fighter(ATTACKER), bound)
    scene = post(scene, Turn(by=ATTACKER, main=Attack(target=DEFENDER, tool=REPLY)), [1]).after
    improper = kinds.count("improper")
    parry = Defence(
        action=Action.PARRY,
        against=(scene.incoming[0].id,),
        tool="sword",
        frees=improper > 1,
    )
    order = Turn(
        by=DEFENDER,
        defences=(parry,),
        liberation=LiberationAttempt(tool=wrench.id) if "secondary" in kinds else None,
        main=Attack(target=ATTACKER, tool="sword", frees=improper > 0),
    )
    # A post has no room for two secondary attempts, nor for a third improper one.
    fits = kinds.count("secondary") <= 1 and improper <= 2
    return {"legal": fits and "liberation_repeated" not in _refusals(scene, order)}


def liberation(given: Given) -> dict[str, object]:
    """Make one attempt: in an action, besides a defence, by a change of form (GC-8.18 to 8.28)."""
    rules = read_rules(given)
    kind = given.text("kind")
    if kind == "gigantism":
        return _by_form(given, rules)
    if kind not in ("improper", "part_of_main"):
        raise CaseError(f"no attempt is called {kind!r}")
    effects = (Liberation(),) if kind == "part_of_main" else ()
    used = tool(
        "used",
        potential_bonus=given.number("potential_bonus"),
        stat_bonus=given.number("stat_bonus"),
        effects=effects,
        modifiers=(Modifier(name="sure", score=Score.DEFEND, points=SURE),),
    )
    loosening = given.whole("loosening", 0)
    value = given.number("constraint_value")
    bound = _bound(fighter(DEFENDER, used), value, loosening=loosening)
    defensive = given.flag("defensive", False)
    scene = duel(rules, fighter(ATTACKER), bound, first=ATTACKER if defensive else DEFENDER)
    if defensive:
        blow = Turn(by=ATTACKER, main=Attack(target=DEFENDER, tool=REPLY))
        scene = post(scene, blow, [LAUNCH]).after
    orders = [_with_attempt(scene, defensive=defensive, frees=frees) for frees in (False, True)]
    plain, freeing = (GUIDA.plan(scene, order).asked for order in orders)
    scores = [
        next(die.tally.total for die in asked if die.action != Action.LIBERATION)
        for asked in (plain, freeing)
    ]
    declared = given.flag("declared_in_roll", True)
    faces = {True: given.whole("liberation_die"), False: given.whole("main_die", LAUNCH)}
    dice = freeing if declared else plain
    made = post(scene, orders[declared], [faces[die.action == Action.LIBERATION] for die in dice])
    return {**_tried(made), "action_malus": scores[1] - scores[0]}


def condition_interrupt(given: Given) -> dict[str, object]:
    """Break the constraint that Type-4 stacks belong to (GC-11.19)."""
    rules = read_rules(given)
    if given.text("interrupted_by") != "liberation":
        raise CaseError("a condition is interrupted by liberation")
    stacks = {given.word(Stack, "condition"): given.whole("stacks")}
    bound = _bound(
        fighter(DEFENDER, _wrench(Fraction(0), Fraction(0)), stacks=stacks),
        Fraction(1),
        stacked=True,
    )
    scene = duel(rules, fighter(ATTACKER), bound, first=DEFENDER)
    order = Turn(by=DEFENDER, liberation=LiberationAttempt(tool="wrench"))
    after = post(scene, order, [LAUNCH]).after.who(DEFENDER)
    return {"stacks_after": held(after, next(iter(stacks)))}


def _by_form(given: Given, rules: Rules) -> dict[str, object]:
    size = given.whole("size_difference")
    form = tool(
        "form",
        effects=(Gigantism(size=size),),
        stat_bonus=given.number("stat_bonus"),
        secondary=Secondary.RELEASE,
    )
    bound = _bound(
        fighter(DEFENDER, form),
        given.number("constraint_value"),
        loosening=given.whole("loosening", 0),
    )
    scene = duel(rules, fighter(ATTACKER), bound, first=DEFENDER)
    order = Turn(by=DEFENDER, main=Preparation(support=(form.id,)))
    made = post(scene, order, [given.whole("liberation_die")])
    grown = any(one.tool == form.id for one in made.after.who(DEFENDER).effects)
    return {
        **_tried(made),
        "bonus_category": size_category(size),
        "transformation": "happens" if grown else "annulled",
    }


def _tried(made: Post) -> dict[str, object]:
    tried = made.facts(*ATTEMPTS)
    return {
        "liberation_value": tried[0]["value"] if tried else None,
        "freed": bool(tried) and tried[0]["key"] == "liberation_won",
    }


def _with_attempt(scene: Scene, *, defensive: bool, frees: bool) -> Turn:
    """Parry or attack with the technique at hand, as an attempt or not."""
    if not defensive:
        return Turn(by=DEFENDER, main=Attack(target=ATTACKER, tool="used", frees=frees))
    parry = Defence(action=Action.PARRY, against=(scene.incoming[0].id,), tool="used", frees=frees)
    return Turn(by=DEFENDER, defences=(parry,))


def _bound(
    entrant: Entrant,
    value: Fraction,
    *binds: Bind,
    metres: int = 10,
    loosening: int = 0,
    stacked: bool = False,
) -> Entrant:
    """Bind a fighter with one constraint for each effect, or one without any."""
    effects: Iterable[tuple[Bind, ...]] = [(bind,) for bind in binds] or [()]
    by = tuple(
        Held(user=ATTACKER, name=HOLD, binds=one, max_range_m=metres, stacked=stacked)
        for one in effects
    )
    return dataclasses.replace(entrant, bound=Bound(value=value, by=by, loosening=loosening))


def _bind(name: object) -> Bind:
    if name not in set(Bind):
        raise CaseError(f"this edition has no effect {name!r}")
    return Bind(str(name))


def _wrench(bonus: Fraction, stat_bonus: Fraction, id: str = "wrench") -> Tool:
    return tool(id, potential_bonus=bonus, stat_bonus=stat_bonus, effects=(Liberation(),))


def _effort(part: Given, id: str) -> Tool:
    return _wrench(part.number("potential_bonus"), part.number("stat_bonus"), id)


def _away(metres: int) -> Turn:
    """Move until so many metres lie between the two."""
    there = Move(distances=(Reach(to=ATTACKER, metres=metres),))
    return Turn(by=DEFENDER, main=Movement(move=there))


def _refusals(scene: Scene, order: Turn) -> set[str]:
    return {obstacle.code for obstacle in GUIDA.check(scene, order)}


def _answer_all(scene: Scene, choice: str) -> Scene:
    for asked in scene.questions:
        answer = Answer(by=GM, question=asked.id, choice=choice, reason="so the case says")
        scene = post(scene, answer).after
    return scene
