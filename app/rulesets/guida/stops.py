"""Bersagli Multipli (GC-13.3, GC-13.9): what one target's answer does to the others' attacks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from app.engine.findings import Finding, Question
from app.rulesets.guida.bonds import is_about_bonds
from app.rulesets.guida.clash import halve
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.landed import take_back
from app.rulesets.guida.readings import (
    HalvedScope,
    StopBy,
    StopScope,
)
from app.rulesets.guida.state import (
    Scene,
    ask,
    names_of,
)
from app.rulesets.guida.strike import power_of, spend, strike, weakened
from app.rulesets.guida.targets import leave_out, volley_of
from app.rulesets.guida.terms import Action, AttackKind
from app.rulesets.guida.underway import (
    Incoming,
    Landed,
)

# AMB-100: what meets the blow itself; whoever merely gets out of its way stops nothing.
INTERCEPTING: Final = (Action.PARRY, Action.COUNTERATTACK, Action.UNBALANCE)


def stop(scene: Scene, attack: Incoming, action: Action) -> tuple[Scene, list[Finding]]:
    """Let a defence that kept one target from harm stop the attack for the others (GC-13.3).

    ``action`` is what the defence works as. With all kinds but the targeted one it is for the
    Master to say each time (GC-13.9).
    """
    any_success = scene.options.multi_stop_by is StopBy.ANY_SUCCESS
    others = _others(scene, attack)
    if not others or not (any_success or action in INTERCEPTING):
        return scene, []
    names = names_of(scene, attack)
    if attack.tool.attack_kind is AttackKind.TARGETED:
        found = Finding("GC-13.3", "stopped_for_all", names, "AMB-100")
        return annul_volley(scene, attack.volley or ""), [found]
    question = Question(
        id=f"q-{attack.id}-for-all",
        rule="GC-13.9",
        code="annulled_for_all",
        choices=("annul", "spare"),
        about=attack.volley or "",
        by=attack.attacker,
        blocks=tuple(dict.fromkeys((*(one.target for one in others), attack.attacker))),
        details=tuple(names.items()),
    )
    asked = Finding("GC-13.9", "asked_annulled_for_all", names)
    return ask(scene, question), [asked]


def weaken(scene: Scene, attack: Incoming) -> tuple[Scene, list[Finding]]:
    """Let an attack that one target halved go on halved against the others too (AMB-101).

    A blow that strikes one after the other has lost its force for those later in the sequence;
    where the options say for all, those it struck before are struck with half of it as well.
    """
    scope = scene.options.multi_halved_scope
    one_blow = attack.tool.attack_kind is AttackKind.TARGETED
    everybody = scope is HalvedScope.ALL
    if not everybody and not (scope is HalvedScope.BY_KIND and one_blow):
        return scene, []
    others = _others(scene, attack)
    if not others:
        return scene, []
    findings = [Finding("GC-13.3", "halved_for_others", names_of(scene, attack), "AMB-101")]
    for other in scene.incoming:
        if other in others:
            scene, _ = weakened(
                scene, other, halve(scene.options, scene.regulation, power_of(other))
            )
    for landed in _landed(scene, attack) if everybody else ():
        scene, struck = _strike_again(scene, landed)
        findings += struck
    return scene, findings


def annul_volley(scene: Scene, volley: str) -> Scene:
    """Void an attack for all its targets, or for those still to answer it (AMB-100, GC-14.36)."""
    ids = {one.id for one in scene.incoming if one.volley == volley}
    for attack in scene.incoming:
        if attack.id in ids:
            scene = spend(scene, attack)
    kept = tuple(asked for asked in scene.questions if asked.about not in {volley, *ids})
    scene = replace(scene, questions=kept)
    if scene.options.multi_stop_scope is StopScope.ALL:
        for landed in reversed(scene.landed):
            if landed.attack.volley == volley:
                scene = _unbound(take_back(scene, landed), landed.attack.target)
    return tidy(scene)


def rule_on_targets(scene: Scene, question: Question, choice: str) -> Scene:
    """Carry out what the Master ruled about an attack on several targets, or for an ally."""
    match question.code, choice:
        case "target_in_reach", "deny":
            return leave_out(scene, question.about)
        case "counter_goes_on", "deny":
            return call_off(scene, question.about)
        case "annulled_for_all", "annul":
            return annul_volley(scene, question.about)
        case _:
            return tidy(scene)


def call_off(scene: Scene, id: str) -> Scene:
    """Take an attack back that never got going, with all that was launched as one with it."""
    attack = next((one for one in scene.incoming if one.id == id), None)
    for one in volley_of(scene, attack) if attack is not None else ():
        scene = spend(scene, one)
        kept = tuple(asked for asked in scene.questions if asked.about != one.id)
        scene = replace(scene, questions=kept)
    return scene


def tidy(scene: Scene) -> Scene:
    """Forget what attacks left whose targets have all answered them."""
    open_ = {one.volley for one in scene.incoming}
    open_ |= {one.about for one in scene.questions if one.code == "annulled_for_all"}
    kept = tuple(one for one in scene.landed if one.attack.volley in open_)
    return replace(scene, landed=kept) if kept != scene.landed else scene


def _unbound(scene: Scene, id: str) -> Scene:
    """Leave nothing of constraints where taking one back left none (GC-14.23, GC-14.36)."""
    bearer = scene.who(id)
    if bearer.bonds:
        return scene
    free = replace(bearer, bond_value=None, loosening=0, overlap=None, spared=())
    kept = tuple(asked for asked in scene.questions if not is_about_bonds(asked, id))
    return replace(scene, questions=kept).put(free)


def _others(scene: Scene, attack: Incoming) -> list[Incoming]:
    """List the attacks on the other targets: still on their way, then landed."""
    if attack.volley is None:
        return []
    pending = [one for one in scene.incoming if one.volley == attack.volley and one.id != attack.id]
    return [*pending, *(landed.attack for landed in _landed(scene, attack))]


def _landed(scene: Scene, attack: Incoming) -> Iterable[Landed]:
    return [
        one
        for one in scene.landed
        if one.attack.volley == attack.volley and one.attack.id != attack.id
    ]


def _strike_again(scene: Scene, landed: Landed) -> tuple[Scene, list[Finding]]:
    scene = take_back(scene, landed)
    less = halve(scene.options, scene.regulation, power_of(landed.attack))
    attack = replace(
        landed.attack,
        potential=less.potential,
        stat_bonus=less.stat_bonus,
        category=less.category,
        power=less.tally,
    )
    return strike(scene, attack, Hit(landed.hit), landed.halved_by)
