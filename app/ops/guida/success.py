"""Chapter 4, the scores: every factor of hit and defend scores, aim, dice."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from app.engine.dice import Address, Roll
from app.engine.tally import Tally, Term
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Rules,
    bonus_of,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.allies import ally_terms, charged_steps
from app.rulesets.guida.attack import (
    Blow,
    costs_of,
)
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Knock,
    Turn,
)
from app.rulesets.guida.sheet import Knockback, Modifier, Stats
from app.rulesets.guida.state import (
    Underway,
)
from app.rulesets.guida.success import die_of, tally_counter, tally_defend, tally_hit
from app.rulesets.guida.tables import ACTION_DIE, COUNTER_BONUS, COUNTER_LOST, COUNTERS
from app.rulesets.guida.terms import Action, Aim, AttackKind, Bind, Claim, Limb, Phase, Score, Stack


def hit_score(given: Given) -> dict[str, object]:
    """Add up a hit score (GC-4.1); a counterattack's in its defensive or its offensive half."""
    rules = read_rules(given)
    action = given.word(Action, "action")
    if action is not Action.ATTACK and action not in COUNTERS:
        raise CaseError(f"{action} has no hit score")
    phase = given.word(Phase, "phase", Phase.OFFENSIVE)
    if (action, phase) == (Action.ATTACK, Phase.DEFENSIVE):
        raise CaseError("an attack is launched in the Offensive Phase")
    defensive = phase is Phase.DEFENSIVE
    tally = _defensive_half(given, rules) if defensive else _launch(given, rules, action)
    return {
        "die_faces": ACTION_DIE[action] if defensive else ACTION_DIE[Action.ATTACK],
        "distance_factor": _term(tally, "distance"),
        "aim_factor": sum(term.value for term in tally.terms if term.key.startswith("aim_")),
        "modifier": tally.total,
        "hit_score": given.whole("die") + tally.total,
    }


def _launch(given: Given, rules: Rules, action: Action) -> Tally:
    """Add up an attack, or the offensive half of a counterattack with its bonus (GC-4.69)."""
    bonuses: tuple[Term, ...] = ()
    if action in COUNTERS:
        won = given.flag("counter_succeeded", True)
        if not won and action is not Action.GENERIC_COUNTERATTACK:
            raise CaseError("a counterattack that failed has no offensive half")
        rule, value = COUNTER_BONUS[action] if won else ("GC-4.79", COUNTER_LOST)
        bonuses = (Term(rule, "counter_won" if won else "counter_lost", Fraction(value)),)
    return tally_hit(
        rules.options,
        rules.regulation,
        _actor(given, rules, ATTACKER, Score.HIT),
        tool("used"),
        (),
        metres=Fraction(metres_off(rules, given.whole("range_steps", 0))),
        moved_steps=given.whole("move_range_steps", 0),
        aim=given.word(Aim, "aim", Aim.BODY),
        claims=[Claim(str(claim)) for claim in given.items("description")],
        bonuses=(*bonuses, *_costs(given)),
    )


def _costs(given: Given) -> Iterator[Term]:
    """Give what declared intentions cost the hit score, as an attack is launched with them."""
    effects = (Knockback(),) if given.flag("knockback_is_effect", False) else ()
    kind = given.word(AttackKind, "multi_target_kind", AttackKind.TARGETED)
    blow = Blow(
        target=DEFENDER,
        also=tuple(f"{DEFENDER}{place}" for place in range(1, given.whole("targets", 1))),
        tool=tool("used", effects=effects, attack_kind=kind),
        support=(),
        aim=Aim.BODY,
        limb=None,
        move=None,
        claims=(),
        knock=Knock() if given.flag("knockback_declared", False) else None,
        binds=(Bind.ARM_BLOCK,) if given.flag("improper_constraint", False) else (),
    )
    return costs_of(blow)


def _defensive_half(given: Given, rules: Rules) -> Tally:
    """Add up the defensive half of a counterattack, in which distance and aim do not count."""
    for idle in ("range_steps", "aim", "description"):
        given.raw(idle)  # GC-4.64: they weigh on the offensive half
    return tally_counter(
        rules.options,
        _actor(given, rules, ATTACKER, Score.HIT),
        tool("used"),
        (),
        moved_steps=_charged(given, rules),
        enemy_use=given.whole("enemy_technique_uses", 0),
        own_use=given.whole("own_technique_uses", 0),
        prepared=None,
    ).plus(*_for_ally(given, rules, ATTACKER, Score.HIT))


def _charged(given: Given, rules: Rules) -> int:
    steps = given.whole("move_range_steps", 0)
    return charged_steps(rules.options, given.word(Action, "action"), steps)


def _for_ally(given: Given, rules: Rules, id: str, score: Score) -> Iterator[Term]:
    """Give what protecting an ally adds to a score; nothing else adds it (GC-13.11)."""
    farther = given.flag("farther_than_attacker", False)
    who = _actor(given, rules, id, score)
    return ally_terms(who, given.word(Action, "action"), farther=farther)


def defend_score(given: Given) -> dict[str, object]:
    """Add up a defend score (GC-4.2)."""
    rules = read_rules(given)
    action = given.word(Action, "action")
    tally = tally_defend(
        rules.options,
        _actor(given, rules, DEFENDER, Score.DEFEND),
        action,
        None,
        (),
        moved_steps=_charged(given, rules),
        enemy_use=given.whole("enemy_technique_uses", 0),
        own_use=given.whole("own_technique_uses", 0),
    ).plus(*_for_ally(given, rules, DEFENDER, Score.DEFEND))
    die = given.whole("die")
    return {
        "die_faces": die_of(rules.options, action),
        # GC-13.13: a null defence for an ally has one by Dexterity besides
        "action_bonus": bonus_of(tally, f"{action}_bonus", "dexterity_bonus") or 0,
        "modifier": tally.total,
        "defend_score": die + tally.total,
    }


def range_steps(given: Given) -> dict[str, object]:
    """Count ranges from the optimal one (GC-4.7)."""
    regulation = read_rules(given).regulation
    optimal = given.whole("optimal_m")
    return {
        "range_steps": [regulation.steps(metres, optimal) for metres in given.wholes("distances_m")]
    }


def predictability(given: Given) -> dict[str, object]:
    """Give what repeating a technique is worth, and in which score it shows (GC-4.31, GC-4.32)."""
    attack = given.text("kind") == "attack"
    rules = read_rules(given)
    who = opened(duel(rules, fighter(ATTACKER), fighter(DEFENDER)), DEFENDER)
    values = []
    for uses in given.wholes("uses"):
        tally = tally_defend(
            rules.options,
            who,
            Action.DODGE,
            None,
            (),
            moved_steps=0,
            enemy_use=uses if attack else 0,
            own_use=0 if attack else uses,
        )
        values.append(_term(tally, "predictable_attack" if attack else "predictable_defence"))
    return {
        "applies_to": "opponent_defend_score" if attack else "own_defend_score",
        "modifier": values,
    }


def aim_legality(given: Given) -> dict[str, object]:
    """Ask the turn engine whether an attack of this kind may be aimed so (GC-4.19)."""
    rules = read_rules(given)
    legal = []
    for part in given.parts("cases"):
        used = tool(
            "used",
            attack_kind=part.word(AttackKind, "attack_kind"),
            volley_size=part.whole("volley_size", 1),
        )
        aim = part.word(Aim, "aim", Aim.BODY)
        limb = Limb.ARMS if aim is Aim.LIMBS else None
        scene = duel(rules, fighter(ATTACKER, used), fighter(DEFENDER))
        attack = Attack(target=DEFENDER, tool=used.id, aim=aim, limb=limb)
        codes = {one.code for one in GUIDA.check(scene, Turn(by=ATTACKER, main=attack))}
        legal.append("cannot_aim" not in codes)
    return {"legal": legal}


def aim_effects(given: Given) -> dict[str, object]:
    """Let blows of ten points meet no defence, or a dodge that wins (GC-4.21 to GC-4.27)."""
    rules = read_rules(given)
    aim = given.word(Aim, "aim", Aim.BODY)
    limb = given.word(Limb, "limb") if given.has("limb") else None
    defence = scored(Action.NULL_DEFENCE if given.flag("landed") else Action.DODGE, 100)
    multipliers, stacks = [], []
    for die in given.wholes("dice"):
        blow = Underway(
            attacker=ATTACKER,
            target=DEFENDER,
            tool="blow",
            die=die,
            modifier=0,
            aim=aim,
            limb=limb,
        )
        scene = duel(
            rules,
            fighter(ATTACKER, tool("blow", 10)),
            fighter(DEFENDER, *defence.tools),
            underway=[blow],
            first=DEFENDER,
        )
        turn = Turn(by=DEFENDER, defences=(defence.against(scene.incoming[0].id),))
        after = post(scene, turn, defence.faces).after.who(DEFENDER)
        multipliers.append((after.hp - after.hp_now) // 10)
        stacks.append(stacks_of(after))
    return {"damage_multiplier": multipliers, "stacks": stacks}


def die_validity(given: Given) -> dict[str, object]:
    """Say whether a natural die is one that its action can show (GC-4.34)."""
    valid = []
    for pair in given.items("cases"):
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] not in set(Action):
            raise CaseError(f"this edition has no action with a die like {pair}")
        sides = ACTION_DIE[Action(pair[0])]
        valid.append(pair[1] is None if sides is None else _shows(sides, pair[1]))
    return {"valid": valid}


def stacks_of(who: Combatant) -> dict[str, int]:
    """Count the stacks a fighter bears, those not yet acting included."""
    return {str(stack): held(who, stack) for stack in Stack if held(who, stack)}


def metres_off(rules: Rules, steps: int) -> int:
    """Give a distance that lies so many ranges off the nearest one, which is the optimal one."""
    ladder = rules.regulation.range_ladder_m
    if steps > len(ladder):
        raise CaseError(f"there are no {steps} ranges")
    return ladder[steps] if steps < len(ladder) else ladder[-1] + 1


def _actor(given: Given, rules: Rules, id: str, score: Score) -> Combatant:
    """Make the one who rolls, with the Dexterity, the modifiers and the stacks of the case."""
    modifiers = tuple(
        Modifier(name=part.text("source"), score=score, points=part.whole("value"))
        for part in given.parts("other_modifiers")
    )
    stacks = {stack: given.whole(stack, 0) for stack in (Stack.OFF_BALANCE, Stack.STUN)}
    actor = fighter(
        id,
        stats=Stats(dexterity=given.whole("dexterity"), strength=given.whole("strength", 0)),
        modifiers=modifiers,
        stacks={stack: count for stack, count in stacks.items() if count},
    )
    other = fighter(DEFENDER if id == ATTACKER else ATTACKER)
    return opened(duel(rules, actor, other, first=id), id)


def _term(tally: Tally, key: str) -> object:
    return sum(term.value for term in tally.terms if term.key == key)


def _shows(sides: int, face: object) -> bool:
    if not isinstance(face, int) or isinstance(face, bool):
        return False
    try:
        Roll(Address(0), sides, face)
    except ValueError:
        return False
    return True
