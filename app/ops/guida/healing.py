"""Chapter 7: main heals and regeneration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from app.ops.given import CaseError, Given
from app.ops.guida.damage import read_armour
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    REPLY,
    Rules,
    duel,
    fighter,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Turn,
)
from app.rulesets.guida.sheet import Heal, Regeneration, Stats, Tool
from app.rulesets.guida.terms import Action, Category, Stat


def heal(given: Given) -> dict[str, object]:
    """Let a fighter heal itself unhindered; ``healing`` is what it could give (GC-7.5, AMB-4)."""
    deed = tool(
        "deed",
        given.number("potential"),
        stat_bonus=given.number("stat_bonus"),
        effects=(Heal(),),
    )
    hurt = fighter(
        ATTACKER,
        deed,
        stats=Stats(constitution=given.whole("constitution")),
        armour=read_armour(given.part("armour")),
        hp=given.whole("hp"),
        max_hp=given.whole("max_hp"),
    )
    scene = duel(read_rules(given), hurt, fighter(DEFENDER))
    scene = post(scene, Turn(by=ATTACKER, main=Generic(tool=deed.id)), [LAUNCH]).after
    played = post(scene, Turn(by=DEFENDER))
    (working,) = [one.facts["working"] for one in played.findings if one.key == "healed"]
    register = post(played.after, Turn(by=ATTACKER)).facts("vitals")[0]
    terms = getattr(working, "terms", ())
    return {
        "healing": sum(term.value for term in terms if term.key != "up_to_maximum"),
        "hp_after": register["hp"],
    }


def regeneration(given: Given) -> dict[str, object]:
    """Let a technique of each category regenerate its user (GC-7.9)."""
    rules, level = read_rules(given), given.whole("stat_level")
    stats = {level: Stat.CONSTITUTION}
    return {
        "healing": [
            _second_turn(
                rules, [_Spring.of(letter, Category(str(letter)), Stat.CONSTITUTION)], stats
            )
            for letter in given.items("categories")
        ]
    }


def regeneration_turn(given: Given) -> dict[str, object]:
    """Play a turn in which several regenerations are in force: each alone, then all (GC-7.8)."""
    rules = read_rules(given)
    parts = given.parts("regenerations")
    levels = dict.fromkeys(part.whole("stat_level") for part in parts)
    if len(levels) > len(Stat):
        raise CaseError("a fighter has four stats only")
    stats = dict(zip(levels, Stat, strict=False))
    springs = [
        _Spring.of(
            place,
            part.word(Category, "category"),
            stats[part.whole("stat_level")],
            tied=part.flag("main_succeeds", True) if part.flag("tied_to_main", False) else None,
        )
        for place, part in enumerate(parts)
    ]
    return {
        "amounts": [_second_turn(rules, [one], stats) for one in springs],
        "applied": _second_turn(rules, springs, stats),
    }


@dataclass(frozen=True, slots=True)
class _Spring:
    """A technique that regenerates; ``tied`` says how the main action it is tied to goes."""

    tool: Tool
    tied: bool | None

    @classmethod
    def of(cls, name: object, category: Category, stat: Stat, tied: bool | None = None) -> _Spring:
        """Make one that lasts two turns."""
        effect = Regeneration(category=category, stat=stat, turns=2)
        return cls(tool(f"spring-{name}", effects=(effect,)), tied)


def _second_turn(rules: Rules, springs: list[_Spring], stats: dict[int, Stat]) -> int:
    """Play two turns of a wounded fighter, and give what the second one regenerates.

    A regeneration that is not tied began in the first turn; one that is supports a dodge in the
    second. The dodge that wins comes first, since the one that fails closes the phase (GC-2.11).
    """
    levels: dict[str, Any] = {stat: level for level, stat in stats.items()}
    dodges = {won: scored(Action.DODGE, 20 if won else 0, f"dodge-{won}") for won in (True, False)}
    bearer = fighter(
        DEFENDER,
        *(one.tool for one in springs),
        *(used for made in dodges.values() for used in made.tools),
        stats=Stats(**levels),
        hp=1,
        max_hp=1000,
    )
    authors = {f"{ATTACKER}{won}": fighter(f"{ATTACKER}{won}", tool("blow", 0)) for won in dodges}
    allied = (replace(one, team=ATTACKER) for one in authors.values())
    scene = duel(rules, bearer, *allied, first=DEFENDER)
    loose = tuple(one.tool.id for one in springs if one.tied is None)
    start = Attack(target=f"{ATTACKER}{True}", tool=REPLY, support=loose)
    scene = post(scene, Turn(by=DEFENDER, main=start), [LAUNCH]).after
    for author in authors:
        attack = Attack(target=DEFENDER, tool="blow")
        scene = post(scene, Turn(by=author, main=attack), [LAUNCH]).after
    defences = [
        made.against(
            next(one.id for one in scene.incoming if one.attacker == f"{ATTACKER}{won}"),
            also=tuple(one.tool.id for one in springs if one.tied is won),
        )
        for won, made in dodges.items()
    ]
    played = post(scene, Turn(by=DEFENDER, defences=tuple(defences)), [1, 1])
    regained = played.facts("regenerated")
    return int(str(regained[0]["amount"])) if regained else 0
