"""Danno Aggiuntivo (GC-6.15, GC-14.20): the strongest of an attacker's turn, on whomever."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.terms import Change
from app.rulesets.guida.underway import (
    Second,
)

SAID: Final = {"additional": "additional_damage", "environmental": "impact"}  # words for people


def note_turn(scene: Scene, attacker: str, post: int) -> Scene:
    """Begin anew once something of a later turn of the attacker's lands: each turn has its own."""
    kept = tuple(one for one in scene.seconds if one.attacker != attacker or one.post >= post)
    if any((one.attacker, one.post) == (attacker, post) for one in kept):
        return replace(scene, seconds=kept)
    return replace(scene, seconds=(*kept, Second(attacker=attacker, post=post)))


def latest_post(scene: Scene, attacker: str) -> int:
    """Give the post of the attacker's that something landed of last, else the last post."""
    return max((one.post for one in scene.seconds if one.attacker == attacker), default=scene.posts)


def write_second(
    scene: Scene, attacker: str, post: int, target: str, line: Line
) -> tuple[Scene, list[Finding], bool]:
    """Write a second damage, unless the turn it belongs to has one at least as strong.

    The one it takes the place of is told, and put right where it is on record already.
    """
    scene = note_turn(scene, attacker, post)
    old = next(one for one in scene.seconds if (one.attacker, one.post) == (attacker, post))
    if old.target is not None and old.amount >= -line.amount:
        return scene, [], False
    scene, told = _withdraw(scene, old)
    scene = add_line(scene, target, line)
    new = replace(
        old, target=target, amount=-line.amount, line=scene.serial, key=line.key, name=line.name
    )
    seconds = tuple(new if one == old else one for one in scene.seconds)
    return replace(scene, seconds=seconds), told, True


def _withdraw(scene: Scene, old: Second) -> tuple[Scene, list[Finding]]:
    """Take a second damage back that a stronger one has overtaken."""
    if old.target is None:
        return scene, []
    bearer = scene.who(old.target)
    kept = tuple(line for line in bearer.lines if line.id != old.line)
    recorded = kept == bearer.lines
    facts: Facts = {
        "attacker": scene.who(old.attacker).sheet.name,
        "target": bearer.sheet.name,
        "name": old.name,
        "second": SAID[old.key],
        "amount": Fraction(old.amount),
        "recorded": recorded,
    }
    found = Finding("GC-6.15", "second_superseded", facts)
    if not old.amount:
        return scene.put(replace(bearer, lines=kept)), []
    if not recorded:
        return scene.put(replace(bearer, lines=kept)), [found]
    line = Line(
        id=0,
        change=Change.HP,
        amount=old.amount,
        rule="GC-6.15",
        key="second_withdrawn",
        name=old.name,
    )
    return add_line(scene, bearer.id, line), [found]
