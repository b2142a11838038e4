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
    if is_beyond(attack.tool, metres):
        found = Finding("GC-9.15", "blind_beyond_range", _names(scene, attack))
        return spend(scene, attack), [found]
    if kind not in BLIND_FAILURE:
        return scene, []
    if radius_m is not None:
        return _settle(scene, attack, kind, band(scene.options, radius_m))
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
    asked = Finding("GC-14.28", "asked_blind_radius", _public(scene, attack))
    return ask(scene, question), [asked]


def settle_radius(scene: Scene, id: str, choice: str) -> tuple[Scene, list[Finding]]:
    """Settle a blind attack by the area the Master ruled."""
    attack = next((one for one in scene.incoming if one.id == id), None)
    if attack is None:
        return scene, []
    kind = kind_of(scene.options, attack.tool)
    if kind is None:
        raise ValueError(f"{attack.tool.name} is of no known class; check comes first")
    return _settle(scene, attack, kind, BANDS.index(choice))


def _settle(
    scene: Scene, attack: Incoming, kind: AttackKind, row: int
) -> tuple[Scene, list[Finding]]:
    worst = fails_up_to(kind, row)
    facts: Facts = {
        **_public(scene, attack),
        "attack_kind": kind,
        "radius": BANDS[row],
        "die": attack.die,
        "worst": worst,
    }
    if attack.die <= worst:
        rest = tuple(asked for asked in scene.questions if asked.about != attack.id)
        scene = spend(replace(scene, questions=rest), attack)
        return scene, [Finding("GC-9.14", "blind_fails", facts, "AMB-71")]
    return scene, [Finding("GC-9.14", "blind_goes_on", facts, "AMB-73")]


def _public(scene: Scene, attack: Incoming) -> dict[str, str]:
    """Name the attack without its target, which is hidden."""
    return {"attacker": scene.who(attack.attacker).sheet.name, "name": attack.tool.name}


def _names(scene: Scene, attack: Incoming) -> dict[str, str]:
    return {**_public(scene, attack), "target": scene.who(attack.target).sheet.name}
