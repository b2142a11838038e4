"""Chapter 4, the scores: every factor of hit and defend scores, aim, dice."""

from __future__ import annotations

from fractions import Fraction

from app.engine.dice import Address, Roll
from app.engine.tally import Tally
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Rules,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.sheet import Modifier, Stats
from app.rulesets.guida.state import Combatant, Underway
from app.rulesets.guida.success import tally_defend, tally_hit
from app.rulesets.guida.tables import ACTION_DIE
from app.rulesets.guida.terms import Action, Aim, AttackKind, Claim, Limb, Score, Stack


def hit_score(given: Given) -> dict[str, object]:
    """Add up a hit score (GC-4.1)."""
    rules = read_rules(given)
    action = given.word(Action, "action")
    if action is not Action.ATTACK:
        raise CaseError(f"{action} has no hit score")
    if given.text("phase", "offensive") != "offensive":
        raise CaseError("an attack is launched in the Offensive Phase")
    used = tool("used")
    tally = tally_hit(
        rules.options,
        rules.regulation,
        _actor(given, rules, ATTACKER, Score.HIT),
        used,
        (),
        metres=Fraction(metres_off(rules, given.whole("range_steps", 0))),
        moved_steps=given.whole("move_range_steps", 0),
        aim=given.word(Aim, "aim", Aim.BODY),
        claims=[Claim(str(claim)) for claim in given.items("description")],
    )
    die = given.whole("die")
    return {
        "die_faces": ACTION_DIE[action],
        "distance_factor": _term(tally, "distance"),
        "aim_factor": sum(term.value for term in tally.terms if term.key.startswith("aim_")),
        "modifier": tally.total,
        "hit_score": die + tally.total,
    }


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
        moved_steps=given.whole("move_range_steps", 0),
        enemy_use=given.whole("enemy_technique_uses", 0),
        own_use=given.whole("own_technique_uses", 0),
    )
    die = given.whole("die")
    return {
        "die_faces": ACTION_DIE[action],
        "action_bonus": _term(tally, f"{action}_bonus"),
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
            fighter(DEFENDER, defence.effort),
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
        stats=Stats(dexterity=given.whole("dexterity")),
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
