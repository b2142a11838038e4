"""Posts put together from what `Choices` offers: every part of chapters 1 to 13, moves included.

`a_turn` picks one, of as much of what was picked as goes together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import AttackChoice, Choices, DefenceChoice, ToolChoice
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Continuation,
    Defence,
    Generic,
    Independent,
    Knock,
    LiberationAttempt,
    Main,
    Move,
    Movement,
    Preparation,
    Reach,
    Turn,
)
from app.rulesets.guida.state import Scene
from app.rulesets.guida.tables import ACTION_DIE, COUNTERS
from app.rulesets.guida.terms import Action, Aim, Claim, Stack
from tests.property.many_moves import Stand, a_move, between, stands

CONTINUE: Final = (*COUNTERS, Action.ALLY_COUNTERATTACK)
# What no single offer can know: what two parts cost together, where both want one technique, that
# one moves away from or out of sight of what the other is for, or that one change of form or one
# attempt is enough.
TOGETHER: Final = frozenset(
    {
        "not_with_preparation",
        "not_enough_energy",
        "support_repeated",
        "targets_apart",
        "beyond_max_range",
        "target_out_of_range",
        "liberation_repeated",
        "target_hidden",
        "move_unknown_combatant",
        "preparation_too_far",
        "movement_too_far",
        "beyond_distance_limit",
        "cannot_leave_area",
        "move_bound",
        "claim_already_counted",
        "area_unknown",
        "unknown_combatant",
        "area_cannot_be_fed",
        "carries_one_ally",
        "ally_not_between",
        "dodge_too_far",
        "hides_not_opponent",
        "already_hidden",
    }
)


def a_turn(pick: Random, scene: Scene, offered: Choices) -> Turn:
    """Pick a legal post, of as much of what was picked as goes together."""
    stand = pick.choice(stands(pick, scene, offered))
    whole = _whole(stand)
    codes = {one.code for one in GUIDA.check(scene, whole)}
    assert codes <= TOGETHER, (codes - TOGETHER, whole)
    bare = Turn(by=offered.seat, suspended=stand.suspended)
    for turn in (whole, *_less(whole), bare):
        if not GUIDA.check(scene, turn):
            return turn
    raise AssertionError(GUIDA.check(scene, bare))


def _less(turn: Turn) -> Iterator[Turn]:
    """Leave out of a post what may be too much, the smallest things first."""
    plain = replace(turn, perception=None, camouflage=None, masking=None, areas=(), independents=())
    yield plain
    yield replace(plain, defences=tuple(replace(one, support=()) for one in plain.defences))
    yield replace(plain, main=None, loose=())
    yield replace(plain, defences=(), liberation=None)
    yield replace(plain, defences=(), main=None, loose=())
    yield replace(turn, defences=(), liberation=None, independents=(), main=None, areas=())


def _whole(stand: Stand) -> Turn:
    pick, offered = stand.pick, stand.offered
    liberation = None
    if offered.liberations and stand.often(4):
        liberation = LiberationAttempt(tool=pick.choice(offered.liberations).id)
    defences = _defences(stand.freed() if liberation else stand, may_free=liberation is None)
    tried = liberation is not None or any(one.frees for one in defences)
    after = stand.freed() if tried else stand
    independents = tuple(
        Independent(tool=tool.id, against=pick.choice(offered.incoming).id)
        for tool in stand.some(offered.independents, 1)
        if offered.incoming
    )
    free = offered.counter_leaves_main or not any(one.action in CONTINUE for one in defences)
    main = _main(after, may_free=not tried) if free else None
    loose: tuple[str, ...] = ()
    if free and main is None and offered.generics and not offered.stays and stand.often(2):
        loose = _loose(stand)
    turn = Turn(
        by=stand.seat,
        suspended=stand.suspended,
        liberation=liberation,
        defences=defences,
        independents=independents,
        main=main,
        loose=loose,
        reacts=offered.recovers and stand.often(6),
        perception=_sense(stand, offered.perceptions),
        camouflage=_sense(stand, offered.camouflages),
        masking=_sense(stand, offered.maskings),
    )
    return replace(turn, areas=_plans(stand, turn))


def _sense(stand: Stand, tools: tuple[ToolChoice, ...]) -> str | None:
    return stand.pick.choice(tools).id if tools and stand.often(4) else None


def _loose(stand: Stand) -> tuple[str, ...]:
    first = stand.pick.choice(stand.offered.generics)
    others = [one.id for one in stand.offered.quiet_support if one.id != first.id]
    return (first.id, *stand.some(others, 1))


# ------------------------------------------------------------------------------- defences


def _defences(stand: Stand, *, may_free: bool) -> tuple[Defence, ...]:
    left = [one.id for one in stand.offered.incoming]
    left += [one.attack.id for one in stand.offered.at_allies]
    left += [one.id for one in stand.offered.pending]
    stand.pick.shuffle(left)
    made: list[Defence] = []
    while left:
        first = left.pop()
        fitting = [one for one in stand.offered.defences if first in one.against]
        if not fitting or stand.often(1):
            continue
        choice = stand.pick.choice(fitting)
        covered = [first]
        for other in list(left):
            apart = choice.action is Action.ALLY_DODGE
            if other in (*choice.against, *choice.beside) and not apart and stand.often(3):
                left.remove(other)
                covered.append(other)
        one = a_defence(stand, choice, covered, may_free=may_free)
        made.append(one)
        if one.frees:
            stand, may_free = stand.freed(), False
    return tuple(made)


def a_defence(
    stand: Stand, choice: DefenceChoice, covered: Sequence[str], *, may_free: bool
) -> Defence:
    """Declare a defence that is offered, with whatever may come with it."""
    tool = stand.pick.choice([*([None] if choice.bare else []), *choice.tools] or [None])
    move: Move | None = None
    if choice.must_move:
        still = set(covered) <= set(choice.still)
        if not (still and (stand.offered.stays or stand.often(5))):
            move = between(stand, choice, covered)
    elif choice.moves and stand.often(3):
        move = a_move(stand, choice.reach_m)
        if move is not None and choice.reach_m is not None:
            move = replace(move, behind=())
    far = None
    if tool is None and not choice.bare:  # only what a move brings within range is left
        (far, *_) = choice.after_move
        tool = far.tool
        near = Move(distances=(Reach(to=choice.toward, metres=0),))
        move = between(stand, choice, covered) if choice.must_move else near
    elif (
        choice.continues and move is not None and not choice.must_move
    ):  # a move may as well lead out of range
        keep = tuple(one for one in move.distances if one.to != choice.toward)
        move = replace(move, distances=keep, behind=()) if keep else None
    then = None
    if choice.continues and tool is not None and stand.often(7):
        then = _continuation(stand, choice, tool, alone=set(covered) <= set(choice.against))
    frees = may_free and tool is not None and tool.frees and ACTION_DIE[choice.action] is not None
    return Defence(
        action=choice.action,
        against=tuple(covered),
        tool=tool.id if tool else None,
        support=stand.some([one.id for one in choice.support if tool is None or one.id != tool.id]),
        move=move,
        then=then,
        frees=frees and stand.often(3),
        knock=a_knock(stand) if tool is not None and tool.knocks and stand.often(4) else None,
        reacts=bool(set(covered) & set(choice.recovers)) and stand.often(6),
    )


def _continuation(
    stand: Stand, choice: DefenceChoice, tool: ToolChoice, *, alone: bool
) -> Continuation:
    aim = stand.pick.choice(tool.aims)
    attack = next(
        (
            one
            for one in stand.offered.attacks
            if (one.target, one.tool.id) == (choice.toward, tool.id)
        ),
        None,
    )
    return Continuation(
        aim=aim,
        limb=stand.pick.choice(tool.limbs) if aim is Aim.LIMBS else None,
        claims=(Claim.SURPRISE,) if stand.often(1) else (),
        destroys=_target_area(stand, tool),
        prefers=_prefers(stand, tool),
        knock=a_knock(stand) if _can_knock(stand, tool) else None,
        first=stand.often(2),
        toward=choice.toward if stand.often(3) or not alone else None,
        also=_also(stand, attack) if attack is not None and not attack.blind else (),
        binds=(stand.pick.choice(tool.binds),) if tool.binds and stand.often(3) else (),
    )


def _can_knock(stand: Stand, tool: ToolChoice) -> bool:
    """Say whether the attack that a counter is may knock back; the offer speaks of the defence."""
    same = [one.tool.knocks for one in stand.offered.attacks if one.tool.id == tool.id]
    return any(same) and stand.often(3)


def a_knock(stand: Stand) -> Knock:
    """Declare a knockback."""
    pick = stand.pick
    return Knock(metres=pick.choice((None, 1, 4, 30)), object_m=pick.choice((None, 0, 2, 10)))


def _prefers(stand: Stand, tool: ToolChoice) -> tuple[Stack, ...]:
    return tool.transient[::-1] if stand.often(3) else ()


def _also(stand: Stand, attack: AttackChoice) -> tuple[str, ...]:
    most = len(attack.also) if attack.most_targets is None else attack.most_targets - 1
    chosen = [id for id in attack.also if stand.often(6)]
    return tuple(chosen[: max(0, most)])


def _target_area(stand: Stand, tool: ToolChoice) -> str | None:
    formed = [one.id for one in stand.offered.areas if not one.forming and tool.destroys]
    return stand.pick.choice(formed) if formed and stand.often(3) else None


# ---------------------------------------------------------------------------------- main


def _main(stand: Stand, *, may_free: bool) -> Main | None:
    offered = stand.offered
    quiet = [one.id for one in offered.quiet_support]
    kind = stand.pick.choice(
        ("attack",) * 6 + ("generic",) * 3 + ("movement", "movement", "preparation", "none")
    )
    ready = [one for one in offered.attacks if one.in_range]
    if kind == "attack" and ready:
        return an_attack(stand, stand.pick.choice(ready), may_free=may_free)
    if kind == "generic" and offered.generics:
        tool = stand.pick.choice(offered.generics)
        near = [one.id for one in offered.beneficiaries if one.id not in tool.too_far]
        whom = stand.pick.choice([None, *near])
        return Generic(
            tool=tool.id,
            beneficiary=whom,
            support=stand.some([id for id in quiet if id != tool.id], 1),
            move=a_move(stand) if whom is None and stand.often(2) else None,
            destroys=_target_area(stand, tool),
        )
    if kind == "movement" and (move := a_move(stand, 15, leaves=True)) is not None:
        hides = tuple(one.id for one in offered.hides_from if stand.often(4))
        return Movement(move=move, support=stand.some(quiet, 1), hides=hides)
    if kind == "preparation":
        move = a_move(stand, offered.preparation_reach_m) if stand.often(4) else None
        return Preparation(
            move=move, support=stand.some([one.id for one in offered.preparation], 1)
        )
    return None


def an_attack(stand: Stand, choice: AttackChoice, *, may_free: bool) -> Attack:
    """Declare an attack that is offered, with whatever may come with it."""
    tool, pick = choice.tool, stand.pick
    aim = pick.choice(choice.aims)
    move = a_move(stand) if choice.max_m is None and stand.often(2) else None
    claims = tuple(claim for claim in choice.claims if stand.often(1))
    return Attack(
        target=choice.target,
        tool=tool.id,
        aim=aim,
        limb=pick.choice(choice.limbs) if aim is Aim.LIMBS else None,
        support=stand.some([one.id for one in stand.offered.support if one.id != tool.id], 1),
        move=move,
        claims=claims,
        destroys=_target_area(stand, tool) if not choice.blind else None,
        also=_also(stand, choice) if not choice.blind else (),
        binds=(pick.choice(tool.binds),) if tool.binds and stand.often(3) else (),
        frees=may_free and tool.frees and stand.often(3),
        prefers=_prefers(stand, tool),
        knock=a_knock(stand) if tool.knocks and stand.often(4) else None,
        blind=choice.blind,
    )


# --------------------------------------------------------------------------------- areas


def _plans(stand: Stand, turn: Turn) -> tuple[AreaPlan, ...]:
    """Say of some areas that the post creates where they are to be, or what they feed."""
    used = [one.tool for one in turn.defences] + [id for one in turn.defences for id in one.support]
    used += [one.tool for one in turn.independents]
    main = turn.main
    if main is not None:
        used += [getattr(main, "tool", None), *main.support]
    scene = stand.scene
    sheet = scene.who(stand.seat).sheet
    seen = {one.id for one in stand.offered.beneficiaries}
    plans = []
    for tool in sheet.tools_by_id(dict.fromkeys(id for id in used if id is not None)):
        if not any(effect.kind == "area" for effect in tool.effects) or stand.often(4):
            continue
        fed = [one.id for one in stand.offered.areas if tool.id in one.fed_with]
        if fed and stand.often(5):
            plans.append(AreaPlan(tool=tool.id, feeds=stand.pick.choice(fed)))
            continue
        near = [
            one.id
            for one in scene.combatants
            if one.id == stand.seat
            or (
                one.id in seen
                and (tool.max_m is None or scene.metres(stand.seat, one.id) <= tool.max_m)
            )
        ]
        plans.append(AreaPlan(tool=tool.id, around=stand.pick.choice(near)))
    return tuple(plans)
