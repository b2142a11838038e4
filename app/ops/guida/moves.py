"""Chapter 4, moves: inside an attack, inside a defence, and how far a dodge goes."""

from __future__ import annotations

from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Rules,
    Scored,
    arriving,
    duel,
    fighter,
    post,
    read_rules,
    scored,
    tool,
)
from app.ops.guida.success import metres_off
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.sheet import Stats
from app.rulesets.guida.terms import Action

FAR = 5000  # metres, and a Dexterity that lets a dodge go anywhere
SURE = 9000  # a score that nothing in these scenes comes near


def in_attack_move(given: Given) -> dict[str, object]:
    """Let an attack with a move hit or miss, and measure how far it went (GC-4.16)."""
    rules, moved = read_rules(given), []
    for part in given.parts("cases"):
        answer = _answer(part)
        scene = duel(
            rules, fighter(ATTACKER, tool("blow")), fighter(DEFENDER, *answer.tools), metres=FAR
        )
        move = Move(distances=(Reach(to=DEFENDER, metres=FAR - part.whole("planned_m")),))
        attack = Attack(target=DEFENDER, tool="blow", move=move)
        scene = post(scene, Turn(by=ATTACKER, main=attack), [6]).after
        turn = Turn(by=DEFENDER, defences=(answer.against(scene.incoming[0].id),))
        scene = post(scene, turn, answer.faces).after
        moved.append(FAR - scene.metres(ATTACKER, DEFENDER))
    return {"moved_m": moved}


def in_defence_move(given: Given) -> dict[str, object]:
    """Let a defence with a move win or lose: its malus, and whether the move was made."""
    rules = read_rules(given)
    return {"results": [_in_defence(rules, part) for part in given.parts("cases")]}


def dodge_reach(given: Given) -> dict[str, object]:
    """Ask the turn engine whether a dodge may go so far (GC-4.13)."""
    rules, dexterity = read_rules(given), given.whole("dexterity")
    legal = []
    for metres in given.wholes("distances_m"):
        scene = duel(
            rules,
            fighter(ATTACKER, tool("blow")),
            fighter(DEFENDER, stats=Stats(dexterity=dexterity)),
            underway=[arriving("blow", 10)],
            first=DEFENDER,
        )
        move = Move(distances=(Reach(to=ATTACKER, metres=5 + metres),))
        dodge = Defence(action=Action.DODGE, against=(scene.incoming[0].id,), move=move)
        legal.append(not GUIDA.check(scene, Turn(by=DEFENDER, defences=(dodge,))))
    return {"legal": legal}


def _answer(part: Given) -> Scored:
    """Answer an attack with a counterattack that wins or loses, or with a dodge that does."""
    if not part.has("counter"):
        part.raw("counter_succeeded")
        return scored(Action.DODGE, -SURE if part.flag("attack_succeeds") else SURE)
    part.raw("attack_succeeds")
    wins = part.flag("counter_succeeded")
    return scored(part.word(Action, "counter"), SURE if wins else -SURE)


def _in_defence(rules: Rules, part: Given) -> dict[str, object]:
    action, steps = part.word(Action, "action"), part.whole("range_steps", 0)
    made = scored(action, 0)
    scene = duel(
        rules,
        fighter(ATTACKER, tool("blow")),
        fighter(DEFENDER, *made.tools, stats=Stats(dexterity=FAR)),
        underway=[arriving("blow", 0 if part.flag("defence_succeeds", True) else SURE)],
        first=DEFENDER,
    )
    target = metres_off(rules, steps)
    behind = (ATTACKER,) if part.flag("behind_opponent", False) else ()
    move = Move(distances=(Reach(to=ATTACKER, metres=target),), behind=behind)
    turn = Turn(by=DEFENDER, defences=(made.against(scene.incoming[0].id, move=move),))
    if GUIDA.check(scene, turn):
        return {"legal": False}
    played = post(scene, turn, made.faces)
    terms = played.plan.asked[0].tally.terms
    return {
        "legal": True,
        "modifier": sum(term.value for term in terms if term.key == "move"),
        "moved": played.after.metres(ATTACKER, DEFENDER) == target,
    }
