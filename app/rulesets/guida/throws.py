"""Sbalzo (GC-10): somebody is thrown, perhaps recovers, and perhaps hits something (GC-14.25)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from app.engine.findings import Fact, Facts, Finding
from app.rulesets.guida.areas import crossed
from app.rulesets.guida.binds import bonds_in_force
from app.rulesets.guida.bonds import clamp_to_limit
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.damage import armour_of, settle_environmental
from app.rulesets.guida.knockback import (
    Flight,
    Recovery,
    facts_of,
    fly,
    settle_flight,
    settle_recovery,
    tally_distance,
)
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.moves import leave_place
from app.rulesets.guida.seconds import latest_post, write_second
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.terms import Change, Stat
from app.rulesets.guida.underway import (
    Shift,
    Throw,
)


def throw_back(
    scene: Scene, throw: Throw, reaction: int | None
) -> tuple[Scene, list[Finding], bool]:
    """Throw somebody back, with the totals of this moment; say whether a reaction failed.

    ``reaction`` is its natural die, None where none is tried: then the Offensive Phase is kept
    (AMB-77). A distance of nothing is no knockback, and leaves nothing to react to (GC-14.25).
    """
    who = scene.who(throw.thrown)
    greatest = tally_distance(scene.options, throw, total_level(who, Stat.STRENGTH))
    names: Facts = {**facts_of(scene, throw), "working": greatest}
    if greatest.total <= 0 or throw.knock.metres == 0:
        return scene, [Finding("GC-14.25", "not_thrown", names)], False
    findings: list[Finding] = []
    recovery = None
    if reaction is not None:
        recovery = settle_recovery(scene.options, throw, who, reaction)
        findings.append(_reacted(names, recovery))
    broken = recovery is not None and recovery.succeeds
    flight = settle_flight(scene.options, greatest.total, throw, broken=broken)
    held = _held(scene, throw, flight.metres)
    if held < flight.metres:
        flight = Flight(metres=held, crashes=False)
        findings.append(Finding("GC-14.26", "throw_held", {**names, "metres": held}))
    scene, flown = _land(scene, throw, flight, names)
    findings += flown
    if flight.crashes:
        scene, hurt = hurt_by_surroundings(scene, throw, reason="")
        findings += hurt
    return scene, findings, recovery is not None and not recovery.succeeds


def may_recover(scene: Scene, id: str) -> bool:
    """Say whether somebody may try to recover from a throw that waits (GC-10.8, AMB-79)."""
    thrown = any(throw.thrown == id for throw in scene.throws)
    return thrown and scene.options.reaction_to_defence_knockback


def hurt_by_surroundings(scene: Scene, throw: Throw, *, reason: str) -> tuple[Scene, list[Finding]]:
    """Write environmental damage; it counts toward the one additional damage of a turn (AMB-55)."""
    target = scene.who(throw.thrown)
    working = settle_environmental(
        scene.options,
        die=throw.die,
        category=throw.category,
        stat_bonus=throw.stat_bonus,
        resistance=total_level(target, Stat.CONSTITUTION),
        armour=armour_of(scene.options, target),
        by_defence=throw.by_defence,
        guarded=throw.guarded,
    )
    facts: Facts = {
        "attacker": scene.who(throw.thrower).sheet.name,
        "target": target.sheet.name,
        "amount": working.total,
        "working": working,
        "reason": reason,
    }
    line = Line(
        id=0,
        change=Change.HP,
        amount=-int(working.total),
        rule="GC-6.17",
        key="environmental",
        name=throw.name,
        poster=throw.thrower,
        posted=False,
        working=working,
        attack=throw.attack,
        reason=reason,
    )
    found = Finding("GC-6.18", "impact", facts, "AMB-55")
    if not scene.options.environmental_counts_as_additional:
        return add_line(scene, target.id, line), [found]
    post = throw.post if throw.post is not None else latest_post(scene, throw.thrower)
    scene, told, counts = write_second(scene, throw.thrower, post, target.id, line)
    if not counts:
        return scene, [Finding("GC-6.15", "impact_not_strongest", facts, "AMB-55")]
    return scene, [found, *told]


def _held(scene: Scene, throw: Throw, metres: Fraction) -> Fraction:
    """Shorten a flight to what constraints let their target go from their users (GC-14.26)."""
    users = {bond.user for bond in bonds_in_force(scene.who(throw.thrown))}

    def fits(far: Fraction) -> bool:
        landed = {id: one.metres for one in fly(scene, throw, far) for id in (one.a, one.b)}
        return all(
            landed[id] <= clamp_to_limit(scene, throw.thrown, id, landed[id])
            for id in users & landed.keys()
        )

    while metres > 0 and not fits(metres):
        metres = max(Fraction(0), metres - 1)
    return metres


def _land(
    scene: Scene, throw: Throw, flight: Flight, names: Mapping[str, Fact]
) -> tuple[Scene, list[Finding]]:
    before = scene.metres(throw.thrower, throw.thrown)
    places = fly(scene, throw, flight.metres)
    shifts = [
        Shift(other=other, before=scene.metres(throw.thrown, other), after=one.metres)
        for one in places
        for other in (one.a, one.b)
        if other != throw.thrown
    ]
    scene = leave_place(scene, throw.thrown).placed(places, scene.behind)
    facts: Facts = {
        **names,
        "metres": flight.metres,
        "before": before,
        "after": scene.metres(throw.thrower, throw.thrown),
    }
    return scene, [
        Finding("GC-10.3", "thrown", facts, "AMB-2"),
        *crossed(scene, throw.thrown, shifts),
    ]


def _reacted(names: Mapping[str, Fact], recovery: Recovery) -> Finding:
    key = "reaction_succeeded" if recovery.succeeds else "reaction_failed"
    facts: Facts = {
        **{key: value for key, value in names.items() if key != "working"},
        "reaction_die": recovery.die,
        "reaction": recovery.tally,
        "reaction_value": Fraction(recovery.value),
        "knockback_value": recovery.against.total,
        "knockback": recovery.against,
    }
    return Finding("GC-10.10" if recovery.succeeds else "GC-10.12", key, facts)
