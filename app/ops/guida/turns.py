"""Chapter 2: whole Defensive Phases, their gates, and the shape of turns."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Final

from app.engine.findings import Violation
from app.engine.ruleset import GM
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    Coming,
    Post,
    Scored,
    arriving,
    duel,
    fighter,
    ids_of,
    launched,
    move_between,
    post,
    read_rules,
    reply,
    scored,
    tool,
)
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Independent,
    Turn,
)
from app.rulesets.guida.rulings import (
    Adequacy,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.tables import ALLY_DEFENCES
from app.rulesets.guida.terms import Action, Category, Fate, Phase

# What a blow comes to, in the words of the cases: a guarded one and a tied one do half damage.
ARRIVED: Final = {Hit.FULL: "full", Hit.GUARDED: "halved", Hit.TIED: "halved"}
FAILED: Final = (
    *("speed_attacker_wins", "defence_inadequate", "not_annulled_is_failure", "defence_overcome"),
    *("generic_not_countered", "independent_outpaced"),
)
AUTO_FAILED: Final = ("defence_auto_failed", "counter_auto_failed", "ally_auto_failed")
# A weapon of category D against a blow of power 20: what is left of the blow (GC-5.4).
WEAPON_LEAVING: Final = {Fate.ANNULLED: 20, Fate.HALVED: 18, Fate.INTACT: 16}
BLOW: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class _Declared:
    """A defence of a case: its name there, what it comes to, what it is held against."""

    id: str
    made: Scored
    against: tuple[str, ...]
    adequate: bool
    recovers: bool | None = None

    @property
    def independent(self) -> bool:
        """Say whether it is no main defence."""
        return self.made.action is Action.INDEPENDENT_SECONDARY


def phase_flow(given: Given) -> dict[str, object]:
    """Play a Defensive Phase; the defender then attacks, if it still can."""
    declared = [_declare(part) for part in given.parts("defences")]
    thrown = {id for one in declared if one.recovers is not None for id in one.against}
    coming = [_read_coming(part, thrown) for part in given.parts("incoming")]
    scene = launched(
        read_rules(given),
        coming,
        fighter(DEFENDER, *(used for one in declared for used in one.made.tools)),
    )
    ids = ids_of(scene)
    main = [one for one in declared if not one.independent]
    turn = reply(
        *(_played(scene, one, *(ids.get(id, id) for id in one.against)) for one in main),
        independents=tuple(
            Independent(tool=one.made.effort.id, against=ids.get(id, id))
            for one in declared
            if one.independent
            for id in one.against
        ),
    )
    if codes := [one.code for one in GUIDA.check(scene, turn) if isinstance(one, Violation)]:
        return {"legal": False, "violations": codes}
    for one in declared:
        if not one.adequate:
            scene = rule_inadequate(scene, [ids[id] for id in one.against], one.made.action)
    faces = [face for one in main for face in (*one.made.faces, *_recovery(one))]
    faces += [face for one in declared if one.independent for face in one.made.faces]
    made = post(scene, turn, [*faces, *([LAUNCH] if turn.main else [])])
    answered = any(die.phase == Phase.DEFENSIVE for die in made.plan.asked)
    return {
        "legal": True,
        "defensive_phase": "held" if scene.against(DEFENDER) or answered else "skipped",
        "attack_results": {one.id: _arrived(made, one.id) for one in coming if not one.generic},
        "defence_results": {one.id: _fared(made, one) for one in declared},
        "offensive_phase": offensive_phase(made, turn),
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
        action, score, weapon, adequate = _ENDS[case]
        made = scored(action, score, weapon=tool("weapon", weapon, category=Category.D))
        scene = duel(
            read_rules(given),
            fighter(ATTACKER, tool("blow", BLOW)),
            fighter(DEFENDER, *made.tools),
            underway=[arriving("blow", 10)],
            first=DEFENDER,
        )
        attack = scene.incoming[0].id
        if not adequate:
            scene = rule_inadequate(scene, [attack], action)
        defences = () if case == "undeclared" else (made.against(attack),)
        faces = () if case == "undeclared" else made.faces
        played = post(scene, Turn(by=DEFENDER, defences=defences), faces)
        due.append(played.has("damage_due"))
    return {"due": due}


# How a defence against a hit score of 10 and a power of 20 ends: what it is, its score, the
# power of its weapon, whether it suits.
_ENDS: Final = {
    "defence_too_slow": (Action.DODGE, 9, 0, True),
    "half_damage_tie": (Action.DODGE, 10, 0, True),
    "dodge_won": (Action.DODGE, 11, 0, True),
    "guard_won": (Action.GUARD, 11, 0, True),
    "defence_inadequate": (Action.DODGE, 11, 0, False),
    "null_defence": (Action.NULL_DEFENCE, 0, 0, True),
    "undeclared": (Action.NULL_DEFENCE, 0, 0, True),
    "defence_overcome": (Action.PARRY, 11, WEAPON_LEAVING[Fate.HALVED], True),
    "both_annulled": (Action.PARRY, 11, WEAPON_LEAVING[Fate.ANNULLED], True),
    "unbalance_won": (Action.UNBALANCE, 11, 0, True),
    "direct_counter_won": (Action.DIRECT_COUNTERATTACK, 11, 0, True),
}


def damage_timeline(given: Given) -> dict[str, object]:
    """Play rounds with one attack, and tell in whose post and phase each step shows (GC-6.8)."""
    attacker, defender = given.text("attacker"), given.text("defender")
    thrown = given.whole("attack_turn")
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
    for turn in range(1, thrown + 3):
        for id in order:
            attack = Attack(target=defender, tool="blow")
            main = attack if (id, turn) == (attacker, thrown) else None
            incoming = scene.against(id)
            defences = tuple(guard.against(one.id) for one in incoming)
            made = post(
                scene,
                Turn(by=id, defences=defences, main=main),
                [1] * len(incoming) + [LAUNCH] * bool(main),
            )
            scene = made.after
            for step, keys in steps.items():
                if step not in told and made.has(*keys):
                    told[step] = [id, turn, _phase_of(made, keys)]
    return dict(told)


def offensive_phase(made: Post, turn: Turn) -> str:
    """Say what became of the Offensive Phase of a post, in the words of the cases."""
    if made.has("offensive_annulled", "offensive_lost"):
        return "blocked"
    if made.has("no_main_action"):
        return "no_main_action"
    return "allowed" if turn.main is not None else "counter_continuation"


def blow_fate(made: Post) -> Fate | None:
    """Say what the first power comparison left of the attack; None where there was none."""
    compared = made.facts("power_comparison")
    return Fate(str(compared[0]["attack_after"])) if compared else None


def weapon_leaving(fate: Fate, id: str) -> Tool:
    """Make what a parry or counterattack needs to leave this of a blow of power 20."""
    return tool(id, WEAPON_LEAVING[fate], category=Category.D)


def rule_inadequate(scene: Scene, attacks: list[str], action: Action) -> Scene:
    """Let the Master rule that a kind of defence does not suit these attacks (GC-4.5)."""
    for attack in attacks:
        order = Adequacy(
            by=GM, attack=attack, defence=action, adequate=False, reason="It does not suit."
        )
        scene = post(scene, order).after
    return scene


def _phase_of(made: Post, keys: tuple[str, ...]) -> str:
    """Give the phase of a finding: settled before the dice, or in the phase of its die."""
    if any(finding.key in keys for finding in made.plan.findings):
        return Phase.INITIAL
    attacked = "attack_launched" in keys
    return next(
        asked.phase for asked in made.plan.asked if (asked.action == Action.ATTACK) == attacked
    )


def _played(scene: Scene, one: _Declared, *attacks: str) -> Defence:
    protects = one.made.action in ALLY_DEFENCES
    move = move_between(scene, one.made.action) if protects else None
    declared = one.made.against(*attacks, move=move)
    return dataclasses.replace(declared, reacts=one.recovers is not None)


def _recovery(one: _Declared) -> tuple[int, ...]:
    """Give the die of a reaction to a throw of value 8 (GC-10.7): one that works, or fails."""
    return () if one.recovers is None else (12,) if one.recovers else (1,)


def _read_coming(part: Given, thrown: set[str]) -> Coming:
    kind = part.text("type", "attack")
    if kind not in ("attack", "generic_action"):
        raise CaseError(f"this edition has no {kind}")
    target = part.text("target", "")
    if target not in ("", "ally"):
        raise CaseError(f"this edition has no target {target!r}")
    return Coming(
        id=part.text("id"),
        at_ally=target == "ally",
        score=part.whole("hit_score"),
        generic=kind == "generic_action",
        potential=BLOW,
        knocks=part.text("id") in thrown,
    )


def _declare(part: Given) -> _Declared:
    id, action = part.text("id"), part.word(Action, "action")
    fate = part.word(Fate, "attack_after", Fate.ANNULLED)
    return _Declared(
        id=id,
        made=scored(
            action,
            0 if action is Action.NULL_DEFENCE else part.whole("score"),
            f"effort-{id}",
            weapon=weapon_leaving(fate, f"weapon-{id}"),
        ),
        against=tuple(str(attack) for attack in part.items("against")),
        adequate=part.flag("adequate", True),
        recovers=part.part("reaction").flag("succeeds") if part.has("reaction") else None,
    )


def _arrived(made: Post, blow: str) -> str | None:
    for facts in made.facts("damage_due", "attack_avoided", "ally_not_reached"):
        if facts["name"] == blow and facts["key"] == "ally_not_reached":
            return "still_incoming"
        if facts["name"] == blow:
            if facts["key"] == "attack_avoided":
                return "none"
            halved = [
                one
                for one in made.facts("power_comparison")
                if (one["name"], one["attack_after"]) == (blow, Fate.HALVED)
            ]
            return "reduced" if halved else ARRIVED[Hit(str(facts["hit"]))]
    return None


def _fared(made: Post, declared: _Declared) -> str:
    keys = {
        facts["key"]
        for facts in made.facts(*FAILED, *AUTO_FAILED)
        if facts["name"] in declared.against
        and ("secondary" in facts) == declared.independent
        and facts.get("secondary", declared.made.effort.id) == declared.made.effort.id
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
            scene = post(scene, Turn(by=id, main=main), [LAUNCH] if main else []).after
        if turn < number:
            scene = post(scene, reply(), [LAUNCH]).after
    guards = (Defence(action=Action.GUARD, against=(one.id,)) for one in scene.against(DEFENDER))
    plan = GUIDA.plan(scene, reply(*guards))
    settled = any(one.key.startswith(("line_", "posted_")) for one in plan.findings)
    phases: list[object] = [str(Phase.INITIAL)] if plan.findings else []
    return phases + list(dict.fromkeys(asked.phase for asked in plan.asked)), settled
