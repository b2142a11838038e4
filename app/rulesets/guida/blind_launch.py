"""A blind attack on its way (GC-14.28): it fails by itself at once, or its target answers it."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Question
from app.rulesets.guida.blind import BANDS, band, fails_up_to, is_beyond, kind_of
from app.rulesets.guida.state import (
    Scene,
    ask,
)
from app.rulesets.guida.strike import spend
from app.rulesets.guida.tables import BLIND_FAILURE
from app.rulesets.guida.terms import AttackKind
from app.rulesets.guida.underway import (
    Incoming,
)


def settle_launch(
    scene: Scene, attack: Incoming, metres: Fraction, radius_m: int | None
) -> tuple[Scene, list[Finding]]:
    """Settle a blind attack at its launch, or ask the Master how large the area is (GC-14.28).

    ``radius_m`` is that of the curtain that hid the target, before the attack wore it (GC-14.33).
    """
    kind = kind_of(scene.options, attack.tool)
    # What the die says comes first: how far the target is would only tell where it is (GC-9.1).
    if radius_m is None and kind is not None and attack.die <= fails_up_to(kind, 0):
        said: Facts = {**_public(scene, attack), "die": attack.die}
        return spend(scene, attack), [Finding("GC-9.14", "blind_fails_anywhere", said)]
    beyond = is_beyond(attack.tool, metres)
    findings: list[Finding] = []
    if kind in BLIND_FAILURE and radius_m is not None:
        row = band(scene.options, radius_m)
        findings.append(_by_die(_public(scene, attack), kind, row, attack.die))
        if attack.die <= fails_up_to(kind, row):
            return _drop(scene, attack), findings
    elif kind in BLIND_FAILURE:
        scene = _ask_radius(scene, attack, kind, beyond=beyond)
        findings.append(Finding("GC-14.28", "asked_blind_radius", _public(scene, attack)))
    if beyond:  # GC-9.15; whoever does not see the target is told what it would be told otherwise
        findings.append(Finding("GC-9.15", "blind_beyond_range", _names(scene, attack)))
        scene = spend(scene, attack)
    return scene, findings


def _ask_radius(scene: Scene, attack: Incoming, kind: AttackKind, *, beyond: bool) -> Scene:
    """Ask how large the area is; out of range too, since nothing but the answer may differ."""
    names = _names(scene, attack)
    question = Question(
        id=f"q-{attack.id}-blind",
        rule="GC-14.28",
        code="blind_radius",
        choices=("within_25", "within_60", "within_100", "beyond_100"),
        about=attack.id,
        by=attack.attacker,
        blocks=(attack.target,),
        details=tuple(names.items()),
    )
    if not beyond:
        return ask(scene, question)
    said = {**names, "kind": kind, "die": str(attack.die)}  # the attack itself is gone
    fallen_short = Question(
        id=question.id,
        rule="GC-14.28",
        code="blind_radius_beyond",
        choices=("within_25", "within_60", "within_100", "beyond_100"),
        about=attack.id,
        by=attack.attacker,
        blocks=(attack.target,),
        details=tuple(said.items()),
    )
    return ask(scene, fallen_short)


def settle_radius(scene: Scene, id: str, choice: str) -> tuple[Scene, list[Finding]]:
    """Settle a blind attack by the area the Master ruled."""
    attack = next((one for one in scene.incoming if one.id == id), None)
    if attack is None:
        return scene, []
    kind = kind_of(scene.options, attack.tool)
    if kind is None:
        raise ValueError(f"{attack.tool.name} is of no known class; check comes first")
    row = BANDS.index(choice)
    found = _by_die(_public(scene, attack), kind, row, attack.die)
    fails = attack.die <= fails_up_to(kind, row)
    return _drop(scene, attack) if fails else scene, [found]


def tell_radius(question: Question, choice: str) -> Finding:
    """Tell of an attack that fell short what the Master's area makes of its die."""
    said = dict(question.details)
    public: Facts = {"attacker": said["attacker"], "name": said["name"]}
    return _by_die(public, AttackKind(said["kind"]), BANDS.index(choice), int(said["die"]))


def _by_die(public: Facts, kind: AttackKind, row: int, die: int) -> Finding:
    """Say whether a blind attack fails by its die in an area of this size (GC-9.14)."""
    worst = fails_up_to(kind, row)
    more: Facts = {"attack_kind": kind, "radius": BANDS[row], "die": die, "worst": worst}
    if die <= worst:
        return Finding("GC-9.14", "blind_fails", {**public, **more}, "AMB-71")
    return Finding("GC-9.14", "blind_goes_on", {**public, **more}, "AMB-73")


def _drop(scene: Scene, attack: Incoming) -> Scene:
    rest = tuple(asked for asked in scene.questions if asked.about != attack.id)
    return spend(replace(scene, questions=rest), attack)


def _public(scene: Scene, attack: Incoming) -> dict[str, str]:
    """Name the attack without its target, which is hidden."""
    return {"attacker": scene.who(attack.attacker).sheet.name, "name": attack.tool.name}


def _names(scene: Scene, attack: Incoming) -> dict[str, str]:
    return {**_public(scene, attack), "target": scene.who(attack.target).sheet.name}
