"""Chapter 2: whole Defensive Phases, their gates, and the shape of turns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.engine.findings import Violation
from app.engine.ruleset import GM
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    Post,
    Scored,
    arriving,
    duel,
    fighter,
    post,
    read_rules,
    reply,
    scored,
    tool,
)
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Adequacy, Attack, Defence, Turn
from app.rulesets.guida.state import Scene
from app.rulesets.guida.terms import Action, Phase

# What a blow comes to, in the words of the cases: a guarded one and a tied one do half damage.
ARRIVED = {Hit.FULL: "full", Hit.GUARDED: "halved", Hit.TIED: "halved"}
FAILED = ("speed_attacker_wins", "defence_inadequate", "not_annulled_is_failure")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    """A defence of a case: its name there, what it comes to, the attacks it is held against."""

    id: str
    made: Scored
    against: tuple[str, ...]
    adequate: bool


def phase_flow(given: Given) -> dict[str, object]:
    """Play a Defensive Phase; the defender then attacks, if it still can."""
    blows = {part.text("id"): _blow_score(part) for part in given.parts("incoming")}
    declared = [_declare(part) for part in given.parts("defences")]
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, *map(tool, blows)),
        fighter(DEFENDER, *(one.made.effort for one in declared)),
        underway=[arriving(id, score) for id, score in blows.items()],
        first=DEFENDER,
    )
    ids = {attack.tool.id: attack.id for attack in scene.incoming}
    defences = tuple(one.made.against(*(ids.get(id, id) for id in one.against)) for one in declared)
    turn = reply(*defences)
    if codes := [one.code for one in GUIDA.check(scene, turn) if isinstance(one, Violation)]:
        return {"legal": False, "violations": codes}
    for one in declared:
        if not one.adequate:
            scene = _rule_inadequate(scene, [ids[id] for id in one.against], one.made.action)
    faces = [face for one in declared for face in one.made.faces]
    made = post(scene, turn, [*faces, 6])
    return {
        "legal": True,
        "defensive_phase": "held" if blows else "skipped",
        "attack_results": {id: _arrived(made, id) for id in blows},
        "defence_results": {one.id: _fared(made, one.against) for one in declared},
        "offensive_phase": offensive_phase(made),
    }


def turn_shape(given: Given) -> dict[str, object]:
    """Hold the phases of a post against those that the turn engine holds in that turn (GC-2.2)."""
    legal = []
    for part in given.parts("turns"):
        phases, recap = _held(part.whole("number"), part.whole("incoming_attacks"))
        legal.append((part.items("phases"), part.flag("recap")) == (phases, recap))
    return {"legal": legal}


def damage_due(given: Given) -> dict[str, object]:
    """Let an attack end in each of these ways, and see whether its damage is due (GC-6.1)."""
    due = []
    for case in given.items("cases"):
        if not isinstance(case, str) or case not in _ENDS:
            raise CaseError(f"this edition has no {case!r}")
        action, score, adequate = _ENDS[case]
        made = scored(action, score)
        scene = duel(
            read_rules(given),
            fighter(ATTACKER, tool("blow")),
            fighter(DEFENDER, made.effort),
            underway=[arriving("blow", 10)],
            first=DEFENDER,
        )
        attack = scene.incoming[0].id
        if not adequate:
            scene = _rule_inadequate(scene, [attack], action)
        defences = () if case == "undeclared" else (made.against(attack),)
        faces = () if case == "undeclared" else made.faces
        played = post(scene, Turn(by=DEFENDER, defences=defences), faces)
        due.append(played.has("damage_due"))
    return {"due": due}


# How a defence against a hit score of 10 ends: what it is, its score, whether it suits.
_ENDS: Mapping[str, tuple[Action, int, bool]] = {
    "defence_too_slow": (Action.DODGE, 9, True),
    "half_damage_tie": (Action.DODGE, 10, True),
    "dodge_won": (Action.DODGE, 11, True),
    "guard_won": (Action.GUARD, 11, True),
    "defence_inadequate": (Action.DODGE, 11, False),
    "null_defence": (Action.NULL_DEFENCE, 0, True),
    "undeclared": (Action.NULL_DEFENCE, 0, True),
}


def damage_timeline(given: Given) -> dict[str, object]:
    """Play rounds with one attack, and tell in whose post and phase each step shows (GC-6.8)."""
    attacker, defender = given.text("attacker"), given.text("defender")
    launched = given.whole("attack_turn")
    order = [str(id) for id in given.items("order")]
    guard = scored(Action.GUARD, 0)
    entrants = {
        attacker: fighter(attacker, tool("blow")),
        defender: fighter(defender, guard.effort),
    }
    scene = duel(read_rules(given), *(entrants[id] for id in order), first=order[0])
    told: dict[str, list[object]] = {}
    steps = {
        "attack_declared": ("attack_launched",),
        "defence": ("speed_attacker_wins", "speed_tie", "speed_defender_wins"),
        "damage_calculation": ("posted_hp",),
        "hp_updated": ("line_damage",),
    }
    for turn in range(1, launched + 3):
        for id in order:
            attack = Attack(target=defender, tool="blow")
            main = attack if (id, turn) == (attacker, launched) else None
            incoming = scene.against(id)
            defences = tuple(guard.against(one.id) for one in incoming)
            made = post(
                scene,
                Turn(by=id, defences=defences, main=main),
                [1] * len(incoming) + [6] * bool(main),
            )
            scene = made.after
            for step, keys in steps.items():
                if step not in told and made.has(*keys):
                    told[step] = [id, turn, _phase_of(made, keys)]
    return dict(told)


def offensive_phase(made: Post) -> str:
    """Say whether the Offensive Phase of a post was held, in the words of the cases."""
    return "blocked" if made.has("offensive_annulled", "offensive_lost") else "allowed"


def _phase_of(made: Post, keys: tuple[str, ...]) -> str:
    """Give the phase of a finding: settled before the dice, or in the phase of its die."""
    if any(finding.key in keys for finding in made.plan.findings):
        return Phase.INITIAL
    attacked = "attack_launched" in keys
    return next(
        asked.phase for asked in made.plan.asked if (asked.action == Action.ATTACK) == attacked
    )


def _blow_score(part: Given) -> int:
    if part.text("type", "attack") != "attack":
        raise CaseError(f"this edition has no {part.text('type')}")
    return part.whole("hit_score")


def _declare(part: Given) -> _Declared:
    id, action = part.text("id"), part.word(Action, "action")
    score = 0 if action is Action.NULL_DEFENCE else part.whole("score")
    return _Declared(
        id=id,
        made=scored(action, score, f"effort-{id}"),
        against=tuple(str(attack) for attack in part.items("against")),
        adequate=part.flag("adequate", True),
    )


def _rule_inadequate(scene: Scene, attacks: list[str], action: Action) -> Scene:
    for attack in attacks:
        order = Adequacy(
            by=GM, attack=attack, defence=action, adequate=False, reason="It does not suit."
        )
        scene = post(scene, order).after
    return scene


def _arrived(made: Post, blow: str) -> str | None:
    for facts in made.facts("damage_due", "attack_avoided"):
        if facts["name"] == blow:
            return ARRIVED[Hit(str(facts["hit"]))] if facts["key"] == "damage_due" else "none"
    return None


def _fared(made: Post, blows: tuple[str, ...]) -> str:
    keys = {
        facts["key"]
        for facts in made.facts(*FAILED, "defence_auto_failed")
        if facts["name"] in blows
    }
    if keys & set(FAILED):
        return "failure"
    return "auto_failure" if keys else "success"


def _held(number: int, incoming: int) -> tuple[list[object], bool]:
    """Play up to a turn, and give its phases in order and whether it had anything to settle."""
    others = [ATTACKER, *(f"{ATTACKER}{index}" for index in range(1, incoming))]
    scene = duel(
        read_rules(Given({})),
        *(fighter(id, tool("blow")) for id in others),
        fighter(DEFENDER),
    )
    for turn in range(1, number + 1):
        for index, id in enumerate(others):
            attacks = turn == number and index < incoming
            main = Attack(target=DEFENDER, tool="blow") if attacks else None
            scene = post(scene, Turn(by=id, main=main), [6] if main else []).after
        if turn < number:
            scene = post(scene, reply(), [6]).after
    guards = (Defence(action=Action.GUARD, against=(one.id,)) for one in scene.against(DEFENDER))
    plan = GUIDA.plan(scene, reply(*guards))
    settled = any(one.key.startswith(("line_", "posted_")) for one in plan.findings)
    phases: list[object] = [str(Phase.INITIAL)] if plan.findings else []
    return phases + list(dict.fromkeys(asked.phase for asked in plan.asked)), settled
