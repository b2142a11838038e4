"""Fights of three to five: whoever is offered several targets or an ally to protect may have them.

Each post is picked from what its author is offered, the Master answers as the dice fall, and what
must hold of every post is held to it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.engine.dice import RecordedDice, Roll
from app.engine.findings import Finding, Violation
from app.engine.ruleset import GM
from app.persistence.codec import load, store
from app.posts.phrases import LANGUAGES, say
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.offers import AttackChoice, Choices, DefenceChoice
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
    Move,
    Reach,
)
from app.rulesets.guida.readings import (
    AllyDodge,
    AllyGuardDamage,
    AllyNullDamage,
    HalvedScope,
    Scope,
    StopBy,
    StopScope,
    Undeclared,
    VolleyLoss,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.setup import start
from app.rulesets.guida.sheet import StackEffect
from app.rulesets.guida.state import (
    Scene,
    Setup,
)
from app.rulesets.guida.tables import ALLY_DEFENCES
from app.rulesets.guida.terms import Action, AttackForm, AttackKind, Change, Stack
from tests.property.strategies import examples
from tests.unit.guida.build import entrant, tool

TEAMS = {"ada": "night", "eve": "night", "bo": "day", "cy": "day", "dan": "day"}
# What no single offer can know: how far two of the further targets are from each other, and that
# two techniques together cost more than there is.
APART = {"targets_apart", "not_enough_energy"}


def played(pick: Random, posts: int) -> None:
    """Play a fight, and hold each post to what must be so."""
    scene = begin(pick)
    for _ in range(posts):
        scene = ruled(pick, scene)
        awaited = GUIDA.awaits(scene)
        if scene.ended or not awaited.seats:
            return
        scene = posted(pick, scene, awaited.seats[0])


def begin(pick: Random) -> Scene:
    """Open a fight of two against one, or against up to three."""
    ids = [*list(TEAMS)[:2], *list(TEAMS)[2 : pick.randint(3, 5)]]
    entrants = [entrant(id, *_tools(pick), team=TEAMS[id], hp=400, max_hp=400) for id in ids]
    distances = tuple(
        Distance(a=one, b=other, metres=Fraction(pick.choice((0, 3, 5, 8))))
        for place, one in enumerate(ids)
        for other in ids[place + 1 :]
    )
    setup = Setup(entrants=tuple(entrants), distances=distances, options=_options(pick))
    return start(setup)


def _tools(pick: Random) -> list[Any]:
    kind = pick.choice(list(AttackKind))
    effects = (StackEffect(stack=Stack.STUN, count=1),) if pick.randint(0, 1) else ()
    spread = tool(
        "spread",
        attack_kind=kind,
        volley_size=pick.randint(1, 4),
        area_m=pick.choice((None, 2, 4)),
        max_m=pick.choice((None, 5)),
        form=pick.choice(list(AttackForm)),
        effects=effects,
        ep=pick.randint(0, 2),
    )
    return [spread, tool("arm", parries=True, guards=True, potential=pick.randint(14, 28))]


def _options(pick: Random) -> Options:
    if pick.randint(0, 1):
        return Options()
    return Options(
        multi_stop_by=pick.choice(list(StopBy)),
        multi_stop_scope=pick.choice(list(StopScope)),
        multi_halved_scope=pick.choice(list(HalvedScope)),
        volley_power_reduction=pick.choice(list(VolleyLoss)),
        ally_move_step_malus=bool(pick.randint(0, 1)),
        ally_null_damage=pick.choice(list(AllyNullDamage)),
        ally_guard_damage_to=pick.choice(list(AllyGuardDamage)),
        ally_dodge_model=pick.choice(list(AllyDodge)),
        ally_dodge_die=pick.choice((12, 18)),
        predictability_scope=pick.choice(list(Scope)),
        undeclared_defence=pick.choice(list(Undeclared)),
    )


def ruled(pick: Random, scene: Scene) -> Scene:
    """Let the Master answer whatever is open."""
    while scene.questions:
        asked = scene.questions[0]
        choice = "fights_on" if asked.code == "defeat" else pick.choice(asked.choices)
        order = Answer(by=GM, question=asked.id, choice=choice, reason="so ruled")
        assert GUIDA.check(scene, order) == ()
        done = GUIDA.resolve(scene, order, RecordedDice(()))
        assert asked not in done.state.questions
        told(done.findings)
        scene = done.state
    return scene


def posted(pick: Random, scene: Scene, seat: str) -> Scene:
    """Post what is offered; give the scene after it."""
    offered = GUIDA.choices(scene, seat)
    defences = tuple(_defences(pick, scene, offered))
    main = _attack(pick, offered) if not any(one.then for one in defences) else None
    if any(one.action in _COUNTERS for one in defences):
        main = None
    order = Turn(by=seat, defences=defences, main=main)
    codes = {one.code for one in GUIDA.check(scene, order) if isinstance(one, Violation)}
    assert codes <= APART, (codes, order)
    if codes:
        order = Turn(by=seat)
        assert GUIDA.check(scene, order) == ()
    odds = replace(order, main=None) if pick.randint(0, 3) == 0 else Turn(by=seat)
    laws = GUIDA.forecast(scene, odds).laws
    assert all(sum(chance.probability for chance in law.chances) == 1 for law in laws)
    plan = GUIDA.plan(scene, order)
    rolls = tuple(
        Roll(asked.address, asked.sides, pick.randint(1, asked.sides)) for asked in plan.asked
    )
    done = GUIDA.resolve(scene, order, RecordedDice(rolls))
    held(scene, order, done.state, done.findings)
    return done.state


_COUNTERS = (Action.COUNTERATTACK, Action.DIRECT_COUNTERATTACK, Action.ALLY_COUNTERATTACK)


def held(before: Scene, order: Turn, after: Scene, findings: tuple[Finding, ...]) -> None:
    """Say what must be so after every post."""
    told(findings)
    assert load(Scene, store(after, Scene)) == after
    assert after.against(order.by) == ()  # whatever came has been answered
    volleys = {one.volley for one in after.incoming} | {one.about for one in after.questions}
    assert {one.attack.volley for one in after.landed} <= volleys
    assert all(one.attack.volley is not None for one in after.landed)
    assert {one.attack.attacker for one in after.landed}.isdisjoint({order.by})
    gone = {one.id for one in before.incoming} - {one.id for one in after.incoming}
    for one in before.incoming:
        if one.id in gone and one.target != order.by:
            # Somebody else's: a protector met it, or it was stopped for all.
            met = any(one.id in defence.against for defence in order.defences)
            assert met or one.volley is not None
    ids = [one.id for one in after.incoming]
    assert len(ids) == len(set(ids))
    for who in after.combatants:
        waiting = [line for line in who.lines if line.change is Change.HP]
        assert all(line.amount <= 0 for line in waiting)
        assert len({line.id for line in who.lines}) == len(who.lines)


def told(findings: tuple[Finding, ...]) -> None:
    """Say every finding in every language."""
    for one in findings:
        for language in LANGUAGES:
            assert say(language, "guida", "findings", one.key, one.facts)


def _attack(pick: Random, offered: Choices) -> Attack | None:
    ready = [one for one in offered.attacks if one.in_range]
    if not ready or pick.randint(0, 5) == 0:
        return None
    choice: AttackChoice = pick.choice(ready)
    most = len(choice.also) if choice.most_targets is None else choice.most_targets - 1
    also = [id for id in choice.also if pick.randint(0, 2)][: max(0, most)]
    return Attack(
        target=choice.target,
        tool=choice.tool.id,
        also=tuple(also),
        claims=choice.claims[:1] if pick.randint(0, 4) == 0 else (),
    )


def _defences(pick: Random, scene: Scene, offered: Choices) -> list[Defence]:
    made: list[Defence] = []
    left = [one.id for one in offered.incoming] + [one.attack.id for one in offered.at_allies]
    authors = {one.id: one.attacker for one in scene.incoming}
    pick.shuffle(left)
    while left:
        first = left.pop()
        fitting = [one for one in offered.defences if first in one.against]
        if not fitting or pick.randint(0, 3) == 0:
            continue
        choice = pick.choice(fitting)
        if not (choice.tools or choice.bare):
            continue
        covered = [first]
        for other in list(left):
            carries = choice.action is Action.ALLY_DODGE
            same = not choice.continues or authors[other] == authors[first]
            if other in choice.against and same and not carries and pick.randint(0, 1):
                left.remove(other)
                covered.append(other)
        made.append(_defence(pick, scene, offered.seat, choice, covered))
    return made


def _defence(
    pick: Random, scene: Scene, seat: str, choice: DefenceChoice, covered: list[str]
) -> Defence:
    held_in_hand = [*([None] if choice.bare else []), *choice.tools]
    one = pick.choice(held_in_hand)
    move = None
    if choice.must_move and not (set(covered) <= set(choice.still) and pick.randint(0, 1)):
        move = _between(scene, seat, choice, covered)
    return Defence(
        action=choice.action,
        against=tuple(covered),
        tool=one.id if one else None,
        move=move,
    )


def _between(scene: Scene, seat: str, choice: DefenceChoice, covered: list[str]) -> Move:
    """Step onto the attacker and the ally: nobody is more between them."""
    met = [one for one in scene.incoming if one.id in covered]
    if choice.reach_m is not None:  # with an ally, not away from anybody
        here = scene.metres(seat, met[0].attacker)
        return Move(distances=(Reach(to=met[0].attacker, metres=int(here)),))
    places = dict.fromkeys(place for one in met for place in (one.attacker, one.target))
    return Move(distances=tuple(Reach(to=place, metres=0) for place in places))


@given(st.randoms(use_true_random=False))
@examples(40)
def test_fights_of_several_go_on_from_post_to_post(pick: Random) -> None:
    played(pick, 14)


def test_allies_are_offered_what_protects_them() -> None:
    pick = Random(3)
    seen: set[Action] = set()
    for _ in range(20):
        scene = begin(pick)
        for _ in range(8):
            scene = ruled(pick, scene)
            seats = GUIDA.awaits(scene).seats
            if not seats:
                break
            offered = GUIDA.choices(scene, seats[0])
            seen |= {one.action for one in offered.defences if one.action in ALLY_DEFENCES}
            scene = posted(pick, scene, seats[0])
    assert seen == set(ALLY_DEFENCES)
