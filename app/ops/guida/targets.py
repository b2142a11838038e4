"""Chapter 13: one attack on several targets, and defences for an ally, played by three or more."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from app.engine.findings import Violation
from app.engine.ruleset import GM
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ALLY,
    ATTACKER,
    DEFENDER,
    LAUNCH,
    Post,
    Rules,
    Scored,
    duel,
    fighter,
    move_between,
    post,
    read_rules,
    scored,
    tool,
)
from app.rulesets.guida.allies import carrying_malus
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.places import (
    Distance,
)
from app.rulesets.guida.rulings import (
    Answer,
    Place,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
    Underway,
)
from app.rulesets.guida.tables import DISTANCE_BEST
from app.rulesets.guida.targets import several_targets
from app.rulesets.guida.terms import Action, AttackForm, AttackKind

BLOW: Final = "blow"
POWER: Final = 20
FAST, SLOW = 100, 1
ARRIVED: Final = {Hit.FULL: "full", Hit.GUARDED: "halved", Hit.TIED: "halved"}


def multi_target_stop(given: Given) -> dict[str, object]:
    """Let one target after the other answer, and list who is hit in the end (GC-13.3)."""
    rules = read_rules(given)
    kind = given.word(AttackKind, "attack_kind")
    hit = []
    for case in given.items("cases"):
        several = several_targets(kind, len(case) if isinstance(case, list) else 0)
        score = LAUNCH + DISTANCE_BEST + int(several.value if several else 0)
        answers = [_answer_of(one, score) for one in case] if isinstance(case, list) else []
        scene = _launched(rules, kind, answers)
        scene = _rule(scene, "target_in_reach", given.flag("targets_close", True))
        hit.append(_hit(_answered(scene, answers), (id for id, _ in answers)))
    return {"hit": hit}


def multi_target_legality(given: Given) -> dict[str, object]:
    """Ask the turn engine, and where it leaves it to him the Master, about a list of targets."""
    rules = read_rules(given)
    legal = []
    for part in given.parts("cases"):
        kind = part.word(AttackKind, "attack_kind")
        blow = tool(
            BLOW,
            attack_kind=kind,
            volley_size=part.whole("volley_size", 2),
            max_targets=part.whole("max_targets") if part.has("max_targets") else None,
            area_m=5,
            max_m=5,
        )
        ids = [f"t{place}" for place in range(1, part.whole("targets", 2) + 1)]
        scene = _group(rules, blow, [(id, None) for id in ids])
        inside = part.flag("all_inside_area", True)
        scene = _apart(scene, ids[0], ids[-1], 5 if inside else 11)
        near = part.flag("all_within_max_range", True)
        scene = _apart(scene, ATTACKER, ids[-1], 5 if near else 6)
        order = _attack(ids)
        if any(isinstance(one, Violation) for one in GUIDA.check(scene, order)):
            legal.append(False)
            continue
        scene = post(scene, order, [LAUNCH]).after
        scene = _rule(scene, "target_in_reach", part.flag("targets_close", True))
        legal.append(len(scene.incoming) == len(ids))
    return {"legal": legal}


def volley_power(given: Given) -> dict[str, object]:
    """Send a volley at so many targets; give its power against the first, and against each."""
    rules = read_rules(given)
    each = []
    for count in given.wholes("targets"):
        ids = [f"t{place}" for place in range(1, count + 1)]
        blow = tool(BLOW, given.number("power"), attack_kind=AttackKind.MULTIPLE, volley_size=count)
        scene = _group(rules, blow, [(id, None) for id in ids])
        scene = post(scene, _attack(ids), [LAUNCH]).after
        each.append([one.power.total for one in scene.incoming])
    return {"power": [powers[0] for powers in each], "each": each}


def multi_target_gm(given: Given) -> dict[str, object]:
    """Let one target stop an attack, and the Master say for whom (GC-13.9)."""
    rules = read_rules(given)
    kind = given.word(AttackKind, "attack_kind")
    stopper = given.text("stopped_by")
    hit = []
    for part in given.parts("cases"):
        ids = [str(id) for id in given.items("targets")]
        answers = [
            (id, scored(Action.PARRY, FAST, weapon=_equal()) if id == stopper else None)
            for id in ids
        ]
        scene = _rule(_launched(rules, kind, answers), "target_in_reach", True)
        for id, made in answers:
            scene = _answered(scene, [(id, made)])
            scene = _rule(scene, "annulled_for_all", part.flag("annulled_for_all"))
        hit.append(_hit(scene, ids))
    return {"hit": hit}


def ally_result(given: Given) -> dict[str, object]:
    """Let a protector meet an attack in time or too late; tell who suffers what (GC-14.38)."""
    rules = read_rules(given)
    told: dict[str, list[object]] = {"protector": [], "ally": [], "defence": []}
    for part in given.parts("cases"):
        success = part.flag("success")
        action = part.word(Action, "action")
        made = protected(rules, scored(action, FAST if success else SLOW), FAST - 1)
        hits = {facts["target"]: Hit(str(facts["hit"])) for facts in made.facts("damage_due")}
        for name, id in (("protector", DEFENDER), ("ally", ALLY)):
            told[name].append(ARRIVED[hits[id]] if id in hits else "none")
        if made.after.against(ALLY):
            told["ally"][-1] = "still_incoming"
        told["defence"].append("failure" if made.has("ally_not_reached") else "success")
    return dict(told)


def ally_counter(given: Given) -> dict[str, object]:
    """Counterattack for an ally, from where one stands or in front of it (GC-13.15, GC-13.16)."""
    rules = read_rules(given)
    results: list[dict[str, object]] = []
    for part in given.parts("cases"):
        form = part.word(AttackForm, "attack_form")
        made = scored(Action.ALLY_COUNTERATTACK, FAST, weapon=tool("weapon", 2 * POWER))
        scene = _attacked(rules, made, form)
        order = _protect(scene, made, moves=part.flag("moves"))
        if any(GUIDA.check(scene, order)):
            results.append({"legal": False})
            continue
        played = post(scene, order, made.faces)
        asked = any(one.code == "counter_goes_on" for one in played.after.questions)
        goes_on = any(one.attacker == DEFENDER for one in played.after.incoming)
        results.append(
            {
                "legal": True,
                "dice": [die.sides for die in played.plan.asked],
                "continuation": "gm_decides" if asked else "as_counterattack" if goes_on else "no",
            }
        )
    return {"results": results}


def ally_dodge_malus(given: Given) -> dict[str, object]:
    """Give what carrying an ally takes from Dexterity, by Strength (GC-13.20)."""
    return {"dexterity": [carrying_malus(level) for level in given.numbers("strength")]}


def ally_dodge_legality(given: Given) -> dict[str, object]:
    """Ask the turn engine whether an ally of this size may be carried (GC-13.19)."""
    rules = read_rules(given)
    legal = []
    for part in given.parts("cases"):
        made = scored(Action.ALLY_DODGE, FAST)
        sizes = {DEFENDER: part.whole("own_size"), ALLY: part.whole("ally_size")}
        scene = _attacked(rules, made, AttackForm.MELEE, sizes)
        legal.append(not any(GUIDA.check(scene, _protect(scene, made))))
    return {"legal": legal}


def _answer_of(one: object, hit_score: int) -> tuple[str, Scored | None]:
    if not isinstance(one, list) or len(one) != 3 or not isinstance(one[0], str):
        raise CaseError(f"{one!r} is no answer of a target")
    id, action, result = one
    scores = {"success": FAST, "tie": hit_score, "failure": SLOW, None: SLOW}
    if result not in scores:
        raise CaseError(f"this edition has no result {result!r}")
    if action == "none":
        return id, None
    if action not in set(Action):
        raise CaseError(f"this edition has no action {action!r}")
    return id, scored(Action(action), scores[result], weapon=_equal())


def _equal() -> Tool:
    """Make a weapon that meets the blow with a power like its own: either annuls the other."""
    return tool("weapon", POWER)


def _group(
    rules: Rules,
    blow: Tool,
    answers: Iterable[tuple[str, Scored | None]],
) -> Scene:
    """Put an attacker before a team, each with what it answers with."""
    targets = [
        dataclasses.replace(fighter(id, *(made.tools if made else ())), team=DEFENDER)
        for id, made in answers
    ]
    return duel(rules, fighter(ATTACKER, blow), *targets)


def _launched(rules: Rules, kind: AttackKind, answers: list[tuple[str, Scored | None]]) -> Scene:
    blow = tool(BLOW, POWER, attack_kind=kind, volley_size=len(answers))
    order = _attack([id for id, _ in answers])
    return post(_group(rules, blow, answers), order, [LAUNCH]).after


def _attack(ids: list[str]) -> Turn:
    return Turn(by=ATTACKER, main=Attack(target=ids[0], also=tuple(ids[1:]), tool=BLOW))


def _answered(scene: Scene, answers: Iterable[tuple[str, Scored | None]]) -> Scene:
    """Let each target post, in the order of the scene; nothing is left of a stopped attack."""
    for id, made in answers:
        coming = tuple(one.id for one in scene.against(id))
        defences = (made.against(*coming),) if made and coming else ()
        scene = post(
            scene, Turn(by=id, defences=defences), made.faces if made and coming else ()
        ).after
    return scene


def _rule(scene: Scene, code: str, yes: bool) -> Scene:
    """Let the Master answer the questions of one kind: yes is always the first choice."""
    for question in scene.questions:
        if question.code == code and question in scene.questions:
            choice = question.choices[0 if yes else 1]
            order = Answer(by=GM, question=question.id, choice=choice, reason="As the case says.")
            scene = post(scene, order).after
    return scene


def _hit(scene: Scene, ids: Iterable[str]) -> list[str]:
    return [id for id in ids if scene.who(id).hp_now < scene.who(id).hp]


def _apart(scene: Scene, one: str, other: str, metres: int) -> Scene:
    if one == other:
        return scene
    place = Distance(a=one, b=other, metres=Fraction(metres))
    return post(scene, Place(by=GM, distances=(place,), reason="As the case says.")).after


def protected(rules: Rules, made: Scored, hit_score: int) -> Post:
    """Let a protector meet an attack on an ally that comes with this score."""
    coming = Underway(
        attacker=ATTACKER, target=ALLY, tool=BLOW, die=LAUNCH, modifier=hit_score - LAUNCH
    )
    protector, ally = _side(made)
    attacker = fighter(ATTACKER, tool(BLOW, POWER))
    scene = duel(rules, attacker, protector, ally, underway=[coming], first=DEFENDER)
    scene = _apart(scene, DEFENDER, ALLY, 0)
    return post(scene, _protect(scene, made), made.faces)


def _attacked(
    rules: Rules, made: Scored, form: AttackForm, sizes: dict[str, int] | None = None
) -> Scene:
    """Let an attack fly at an ally, who stands beside the protector and posts after it."""
    blow = tool(BLOW, POWER, form=form)
    side = [_sized(one, sizes or {}) for one in _side(made)]
    scene = duel(rules, fighter(ATTACKER, blow), *side)
    scene = post(scene, Turn(by=ATTACKER, main=Attack(target=ALLY, tool=BLOW)), [LAUNCH]).after
    return _apart(scene, DEFENDER, ALLY, 0)


def _protect(scene: Scene, made: Scored, *, moves: bool = True) -> Turn:
    return Turn(by=DEFENDER, defences=(_protecting(scene, made, moves=moves),))


def _protecting(scene: Scene, made: Scored, *, moves: bool = True) -> Defence:
    """Declare a defence against whatever comes at the ally, in front of it if it moves at all."""
    coming = tuple(one.id for one in scene.against(ALLY))
    return made.against(*coming, move=move_between(scene, made.action) if moves else None)


def _side(made: Scored) -> tuple[Entrant, Entrant]:
    """Make the protector and the ally, who posts after it."""
    return fighter(DEFENDER, *made.tools), dataclasses.replace(fighter(ALLY), team=DEFENDER)


def _sized(one: Entrant, sizes: dict[str, int]) -> Entrant:
    size = sizes.get(one.id, 0)
    return dataclasses.replace(one, sheet=dataclasses.replace(one.sheet, size=size))
