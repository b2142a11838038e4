"""Chapter 11: stacks land, are capped, act, last and go."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from app.ops.given import CaseError, Given
from app.ops.guida.areas import decay_of_areas, poison_of_curtains
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    REPLY,
    arriving,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    read_stacks,
    scored,
    tool,
)
from app.ops.guida.success import stacks_of
from app.rulesets.guida.conditions import held
from app.rulesets.guida.levels import bonus_points, stacks_in_force
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.sheet import StackEffect, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.success import tally_defend, tally_hit
from app.rulesets.guida.terms import Action, Aim, Stack, Stat


def stacks_apply(given: Given) -> dict[str, object]:
    """Let one blow leave the current stacks, and a second one, in the same turn, the incoming."""
    first = _leaving("first", 1, read_stacks(given.part("current")))
    second = _leaving("second", given.whole("damage"), read_stacks(given.part("incoming")))
    chosen = tuple(Stack(str(stack)) for stack in given.items("attacker_choice"))
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, first, second),
        fighter(DEFENDER),
        underway=[
            arriving(first.id, 20),
            dataclasses.replace(arriving(second.id, 20), prefers=chosen),
        ],
        first=DEFENDER,
    )
    after = post(scene, Turn(by=DEFENDER)).after.who(DEFENDER)
    return {"after": stacks_of(after)}


def type1_timeline(given: Given) -> dict[str, object]:
    """Play turns with a stunning blow in one of them, and see which rolls the stun weighs on."""
    landed = given.whole("applied_after_bearer_turn")
    asked_for = [_pair(pair) for pair in given.items("phases")]
    stunning = _leaving("stunning", 1, {Stack.STUN: 1})
    plain = tool("plain", 0)
    guard = scored(Action.GUARD, 100)
    scene = duel(
        read_rules(given), fighter(ATTACKER, stunning, plain), fighter(DEFENDER, guard.effort)
    )
    active: dict[tuple[int, str], bool] = {}
    for turn in range(1, max(turn for turn, _ in asked_for) + 1):
        blow = stunning if turn == landed else plain
        scene = post(
            scene, Turn(by=ATTACKER, main=Attack(target=DEFENDER, tool=blow.id)), [6]
        ).after
        incoming = scene.against(DEFENDER)[0].id
        null = turn == landed
        defence = (
            Defence(action=Action.NULL_DEFENCE, against=(incoming,))
            if null
            else guard.against(incoming)
        )
        answer = Turn(by=DEFENDER, defences=(defence,), main=Attack(target=ATTACKER, tool=REPLY))
        made = post(scene, answer, [6] if null else [*guard.faces, 6])
        scene = made.after
        for die in made.plan.asked:
            active[turn, die.phase] = any(term.key == Stack.STUN for term in die.tally.terms)
    return {"active": [active.get(key) for key in asked_for]}


def type2_timeline(given: Given) -> dict[str, object]:
    """Play turns with maiming blows in some of them, and count the stacks that act in each."""
    maims = {
        part.whole("after_bearer_turn"): part.whole("stacks")
        for part in given.parts("applications")
    }
    turns = given.wholes("turns")
    stack = Stack.MAIM_ARTICULAR
    blows = [_leaving(f"blow-{turn}", 1, {stack: count}) for turn, count in maims.items()]
    scene = duel(read_rules(given), fighter(ATTACKER, *blows), fighter(DEFENDER))
    acting: dict[int, int] = {}
    for turn in range(1, max(turns) + 1):
        main = Attack(target=DEFENDER, tool=f"blow-{turn}") if turn in maims else None
        scene = post(scene, Turn(by=ATTACKER, main=main), [6] if main else []).after
        acting[turn] = stacks_in_force(opened(scene, DEFENDER), stack)
        scene = post(scene, Turn(by=DEFENDER)).after
    return {"stacks": [acting[turn] for turn in turns]}


def stack_effects(given: Given) -> dict[str, object]:
    """Give what stacks take from the scores and from the potential (GC-11.5 to GC-11.7)."""
    rules = read_rules(given)
    used = tool("used", given.number("potential"))
    bearer = fighter(ATTACKER, used, stacks=read_stacks(given.part("stacks")))
    who = opened(duel(rules, bearer, fighter(DEFENDER)), ATTACKER)
    hit = tally_hit(
        rules.options,
        rules.regulation,
        who,
        used,
        (),
        metres=Fraction(5),
        moved_steps=0,
        aim=Aim.BODY,
        claims=(),
    )
    defend = tally_defend(
        rules.options, who, Action.DODGE, None, (), moved_steps=0, enemy_use=0, own_use=0
    )
    taken = {
        name: sum(term.value for term in tally.terms if term.key in set(Stack))
        for name, tally in (("hit_score", hit), ("defend_score", defend))
    }
    made = tally_power(rules.options, rules.regulation, who, used)
    return {**taken, "potential": made.potential}


def stat_malus(given: Given) -> dict[str, object]:
    """Give what stacks take from each stat (GC-11.11 to GC-11.13, GC-11.16)."""
    bearer = fighter(DEFENDER, stacks=read_stacks(given.part("stacks")))
    who = opened(duel(read_rules(given), fighter(ATTACKER), bearer, first=DEFENDER), DEFENDER)
    return {str(stat): bonus_points(who, stat).total for stat in Stat}


def step_table(given: Given) -> dict[str, object]:
    """Read a staircase table off a bearer of so many stacks."""
    table = given.text("table")
    if table == "poison_curtain_stacks":
        return {"values": poison_of_curtains(given)}
    if table in _HURTS:
        return {
            "values": [_tick(given, _HURTS[table], count)[0] for count in given.wholes("stacks")]
        }
    if table not in _MALUS:
        raise CaseError(f"this edition has no table {table!r}")
    stack, stat = _MALUS[table]
    values = []
    for count in given.wholes("stacks"):
        bearer = fighter(DEFENDER, stacks={stack: count})
        scene = duel(read_rules(given), fighter(ATTACKER), bearer, first=DEFENDER)
        values.append(bonus_points(opened(scene, DEFENDER), stat).total)
    return {"values": values}


# The staircases that weigh on a stat: by which stack, on which stat.
_MALUS = {
    "burn_constitution_malus": (Stack.BURN, Stat.CONSTITUTION),
    "freezing_dexterity_malus": (Stack.FREEZING, Stat.DEXTERITY),
}


_HURTS = {"ablaze_damage": Stack.ABLAZE, "freezing_damage": Stack.FREEZING}
_DECAYS = {"ablaze_decay": Stack.ABLAZE, "freezing_decay": Stack.FREEZING}


def _tick(given: Given, stack: Stack, count: int, turns: int = 1) -> tuple[int, int]:
    """Let a bearer of so many stacks live through its turns: the last damage, and what is left."""
    bearer = fighter(DEFENDER, stacks={stack: count} if count else {})
    scene = duel(read_rules(given), fighter(ATTACKER), bearer, first=DEFENDER)
    lost = 0
    for _ in range(turns):
        before = scene.who(DEFENDER).hp_now
        scene = post(scene, Turn(by=DEFENDER)).after
        lost = before - scene.who(DEFENDER).hp_now
        scene = post(scene, Turn(by=ATTACKER)).after
    return lost, held(scene.who(DEFENDER), stack)


def decay_table(given: Given) -> dict[str, object]:
    """Read off a bearer how many stacks go, and in how many turns (GC-11.22, GC-11.25)."""
    table = given.text("table")
    if table == "saturation_decay":
        loss, every = decay_of_areas(given)
        return {"loss": loss, "every_turns": every}
    if table not in _DECAYS:
        raise CaseError(f"this edition has no table {table!r}")
    loss, every = [], []
    for count in given.wholes("stacks"):
        left = count
        turns = 0
        while left == count:
            turns += 1
            _, left = _tick(given, _DECAYS[table], count, turns)
        loss.append(count - left)
        every.append(turns)
    return {"loss": loss, "every_turns": every}


def condition_ticks(given: Given) -> dict[str, object]:
    """Let turns pass, and see what a condition costs and how many stacks remain."""
    condition = given.word(Stack, "condition")
    bearer = fighter(DEFENDER, stacks={condition: given.whole("stacks")})
    scene: Scene = duel(read_rules(given), fighter(ATTACKER), bearer, first=DEFENDER)
    stacks, damage = [], []
    for _ in range(given.whole("ticks")):
        before = scene.who(DEFENDER).hp_now
        scene = post(scene, Turn(by=DEFENDER)).after
        stacks.append(held(scene.who(DEFENDER), condition))
        damage.append(before - scene.who(DEFENDER).hp_now)
        scene = post(scene, Turn(by=ATTACKER)).after
    ended = {"condition_ended_at_tick": stacks.index(0) + 1} if 0 in stacks else {}
    return {"stacks_after": stacks, "damage": damage, **ended}


def _leaving(id: str, damage: int, stacks: dict[Stack, int]) -> Tool:
    """Make an attack that does this damage and leaves these stacks."""
    effects = tuple(StackEffect(stack=stack, count=count) for stack, count in stacks.items())
    return tool(id, damage, effects=effects)


def _pair(value: object) -> tuple[int, str]:
    match value:
        case [int(turn), str(phase)]:
            return turn, phase
        case _:
            raise CaseError(f"{value!r} is not a turn and a phase")
