"""What an attack leaves to the Master before its target answers (GC-4.28, GC-10.2, GC-13.16)."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Finding, Question
from app.engine.tally import Tally
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.knockback import settle_flight, tally_distance
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.state import (
    Scene,
    ask,
    names_of,
)
from app.rulesets.guida.strike import throw_of
from app.rulesets.guida.terms import Claim, Stat
from app.rulesets.guida.underway import (
    Incoming,
    Throw,
)


def ask_continuation(scene: Scene, incoming: Incoming) -> tuple[Scene, Finding]:
    """Ask whether a counter for an ally, made from afar, reaches the attacker (GC-13.16)."""
    names = names_of(scene, incoming)
    question = Question(
        id=f"q-{incoming.id}-goes-on",
        rule="GC-13.16",
        code="counter_goes_on",
        choices=("confirm", "deny"),
        about=incoming.id,
        by=incoming.attacker,
        blocks=(incoming.target,),
        details=tuple(names.items()),
    )
    scene = ask(scene, question)
    return scene, Finding("GC-13.16", "asked_counter_goes_on", names)


def ask_claims(scene: Scene, incoming: Incoming) -> tuple[Scene, list[Finding]]:
    """Leave it to the Master whether an advantage that is claimed is there (GC-4.28)."""
    findings: list[Finding] = []
    for claim in incoming.claims:
        names = names_of(scene, incoming)
        rule = {Claim.SURPRISE: "GC-4.29", Claim.FROM_BEHIND: "GC-4.30"}[claim]
        # A suspended action's owner may confirm it and suffer the counter, so the claim binds both.
        question = Question(
            id=f"q-{incoming.id}-{claim}",
            rule=rule,
            code=f"claim_{claim}",
            choices=("confirm", "deny"),
            about=incoming.id,
            by=incoming.attacker,
            blocks=(incoming.target,),
            details=tuple(names.items()),
        )
        scene = ask(scene, question)
        findings.append(Finding("GC-4.28", f"asked_{claim}", names, "AMB-31"))
    if incoming.knock is not None and incoming.knock.object_m is not None:
        if _may_hit_object(scene, incoming, incoming.knock):
            throw = throw_of(scene, incoming, incoming.knock, Hit.FULL)
            scene, found = ask_object(scene, throw, incoming.id)
            findings.append(found)
        else:  # nothing that nobody ruled on may hurt, should the target be weaker by then
            scene = without_object(scene, incoming.id)
    return scene, findings


def ask_thrown(scene: Scene, throw: Throw) -> tuple[Scene, Throw, list[Finding]]:
    """Leave it to the Master what a defence throws an attacker against (GC-10.2, AMB-74).

    An object that the throw does not reach is dropped, as that of an attack is.
    """
    if throw.knock.object_m is None:
        return scene, throw, []
    if not _reaches(scene, throw, total_level(scene.who(throw.thrown), Stat.STRENGTH)):
        return scene, clear(throw), []
    scene, found = ask_object(scene, throw, throw.id)
    return scene, throw, [found]


def _may_hit_object(scene: Scene, incoming: Incoming, knock: Knock) -> bool:
    """Say whether a throw gets as far as the object, with the Strength of now (GC-10.3, GC-10.4).

    Of somebody unseen one does not know how strong they are (GC-9.1): their throw may get there.
    """
    target = scene.who(incoming.target)
    strength = Tally() if incoming.blind else total_level(target, Stat.STRENGTH)
    return _reaches(scene, throw_of(scene, incoming, knock, Hit.FULL), strength)


def _reaches(scene: Scene, throw: Throw, strength: Tally) -> bool:
    greatest = tally_distance(scene.options, throw, strength).total
    return settle_flight(scene.options, greatest, throw, broken=False).crashes


def clear(throw: Throw) -> Throw:
    """Let a throw meet nothing on its way (GC-10.2)."""
    return replace(throw, knock=replace(throw.knock, object_m=None))


def without_object(scene: Scene, about: str) -> Scene:
    """Let the knockback of an attack, or a throw that waits, meet nothing (GC-10.2)."""

    def without(incoming: Incoming) -> Incoming:
        if incoming.id != about or incoming.knock is None:
            return incoming
        return replace(incoming, knock=replace(incoming.knock, object_m=None))

    return replace(
        scene,
        incoming=tuple(without(incoming) for incoming in scene.incoming),
        throws=tuple(clear(one) if one.id == about else one for one in scene.throws),
    )


def ask_object(scene: Scene, throw: Throw, about: str) -> tuple[Scene, Finding]:
    """Leave it to the Master whether something stands where somebody is thrown (GC-10.2)."""
    names = {
        "attacker": scene.who(throw.thrower).sheet.name,
        "target": scene.who(throw.thrown).sheet.name,
        "name": throw.name,
        "metres": str(throw.knock.object_m),
    }
    question = Question(
        id=f"q-{about}-object",
        rule="GC-10.2",
        code="claim_object",
        choices=("confirm", "deny"),
        about=about,
        by=throw.thrower,
        blocks=(throw.thrown,),
        details=tuple(names.items()),
    )
    scene = ask(scene, question)
    return scene, Finding("GC-10.2", "asked_object", names)
