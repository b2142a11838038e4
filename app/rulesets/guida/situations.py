"""What a question to the Master is about, told without names, so that precedents can be compared.

Whoever reads a precedent later was perhaps not allowed to know who took part (GC-9.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.engine.findings import Question
from app.engine.numbers import spelled
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.underway import (
    Incoming,
)

ATTACK: Final = ("attack_kind", "attack_form", "category", "means", "aim", "shots", "targets")
PLACES: Final = ("metres", "turn")
TOLD: Final = {
    "metres": "object_metres",
    "radius": "area_radius",
    "binds": "binds",
    "hp": "hp",
    "change": "change",
    "amount": "amount",
    "subject": "subject",
}
"""Details of a question that name nobody, and what they are called in a situation."""

KEYS: Final = (*ATTACK, *PLACES, *TOLD.values())


def situation(scene: Scene, question: Question) -> tuple[tuple[str, str], ...]:
    """Describe what a question is about: the attack, the distance, how far the fight has gone."""
    return tuple(pair for pair in _pairs(scene, question) if pair[1])


def _pairs(scene: Scene, question: Question) -> Iterator[tuple[str, str]]:
    attack = _attack(scene, question.about)
    one, other = question.by, question.about
    if attack is not None:
        yield from _of_attack(scene, attack)
        one, other = attack.attacker, attack.target
    if one != other and scene.has(one) and scene.has_place(other):
        yield "metres", spelled(scene.metres(one, other))
    if scene.has(question.by):
        yield "turn", str(scene.who(question.by).turn)
    for name, value in question.details:
        if name in TOLD:
            yield TOLD[name], _sorted(value) if name == "binds" else value


def _of_attack(scene: Scene, attack: Incoming) -> Iterator[tuple[str, str]]:
    tool = attack.tool
    yield "attack_kind", tool.attack_kind
    yield "attack_form", tool.form
    yield "category", attack.category
    yield "means", tool.means
    yield "aim", attack.aim
    yield "shots", str(tool.volley_size) if tool.volley_size > 1 else ""
    yield "targets", str(sum(_is_of(other, attack.volley or attack.id) for other in _all(scene)))


def _attack(scene: Scene, about: str) -> Incoming | None:
    return next((attack for attack in _all(scene) if _is_of(attack, about)), None)


def _is_of(attack: Incoming, about: str) -> bool:
    return about in (attack.id, attack.volley)


def _all(scene: Scene) -> Iterator[Incoming]:
    """Go through the attacks under way, and those that landed while others are to be ruled on."""
    yield from scene.incoming
    under_way = {attack.id for attack in scene.incoming}
    yield from (one.attack for one in scene.landed if one.attack.id not in under_way)


def _sorted(words: str) -> str:
    return ", ".join(sorted(words.split(", ")))
