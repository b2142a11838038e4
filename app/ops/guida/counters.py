"""Chapter 4, counterattacks: both halves, suspended actions, movements that are caught."""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.ruleset import GM
from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    REPLY,
    Post,
    Rules,
    Scored,
    arriving,
    bonus_of,
    choose,
    duel,
    fighter,
    ids_of,
    post,
    read_rules,
    reply,
    scored,
    tool,
)
from app.ops.guida.turns import BLOW, offensive_phase, weapon_leaving
from app.rulesets.guida.damage import Hit
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Generic,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
    Reach,
)
from app.rulesets.guida.rulings import (
    Adequacy,
)
from app.rulesets.guida.sheet import Heal, Modifier, Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action, Category, Fate, Score

BOUGHT = "counter_won", "counter_lost"  # what a defensive half adds to the offensive one
FAR = 5000  # metres
SCORE = 10  # of a generic action, where a case gives none


def counter_flow(given: Given) -> dict[str, object]:
    """Let a counterattack meet an attack, and follow both of its halves (GC-4.63 to GC-4.74)."""
    rules = read_rules(given)
    attack, counter = given.part("attack"), given.part("counter")
    variant = given.word(Action, "variant")
    made = scored(variant, counter.whole("score"), weapon=_weapon("counter", counter))
    scene = duel(
        rules,
        fighter(ATTACKER, _weapon("blow", attack)),
        fighter(DEFENDER, *made.tools),
        underway=[arriving("blow", attack.whole("hit_score"))],
        first=DEFENDER,
    )
    incoming = scene.incoming[0]
    if not given.flag("possible", True):
        barred = Adequacy(
            by=GM, attack=incoming.id, defence=variant, adequate=False, reason="Out of reach."
        )
        scene = post(scene, barred).after
    turn = reply(made.against(incoming.id))
    if GUIDA.check(scene, turn):
        return {"legal": False}
    played = post(scene, turn, made.faces)
    compared = next(iter(played.facts("power_comparison")), None)
    launched = next(iter(played.facts("attack_launched")), None)
    struck = played.facts("damage_due")
    blocked = offensive_phase(played, turn) == "blocked"
    survived = compared is not None and compared["attack_after"] != Fate.ANNULLED
    return {
        "legal": True,
        "defence": "failure" if blocked else "success",
        "attack_after": compared["attack_after"] if compared else Fate.INTACT,
        "attack_power": compared["remaining"] if compared and survived else incoming.power.total,
        "counter_after": _counter_after(played, compared),
        "counter_power": played.after.incoming[-1].power.total if launched else None,
        "offensive_half": launched is not None,
        "offensive_hit_bonus": _bonus(played),
        "damage_suffered": "full" if struck else "none",
        "offensive_phase": offensive_phase(played, turn),
    }


def generic_counter(given: Given) -> dict[str, object]:
    """Let a counterattack meet a generic action (GC-4.75 to GC-4.79)."""
    rules = read_rules(given)
    scene = _generic(
        rules, given.whole("generic_score"), tool("deed"), given.whole("counter_score")
    )
    played = _countered(scene, given.whole("counter_score"))
    return {
        "counter_succeeds": played.has("generic_countered"),
        "generic_action": "suspended" if played.after.suspended(ATTACKER) else _carried(played),
        "counter_launched": played.has("attack_launched"),
        "offensive_hit_bonus": _bonus(played),
        "offensive_phase": "counter_continuation" if played.has("attack_launched") else "blocked",
    }


def suspended_action(given: Given) -> dict[str, object]:
    """Let the owner of a suspended action confirm or annul it, and play its turn (GC-4.80)."""
    confirm = _confirms(given)
    scene = _countered(_generic(read_rules(given), SCORE, tool("deed"), SCORE), SCORE).after
    offered = GUIDA.choices(scene, ATTACKER)
    then = offered.if_confirmed if confirm else offered
    turn = Turn(
        by=ATTACKER,
        suspended=choose(scene, ATTACKER, confirm=confirm),
        main=Attack(target=DEFENDER, tool=REPLY),
    )
    played = post(scene, turn, [LAUNCH])
    keys = [one.key for one in played.findings]
    struck = played.facts("damage_due")[0]
    done = "generic_carried_out" in keys
    after = done and keys.index("generic_carried_out") > keys.index("damage_due")
    return {
        "defence": "free_choice" if then.defences else Action.NULL_DEFENCE,
        "damage_suffered": "full" if struck["hit"] == Hit.FULL else "halved",
        "generic_action": "used_after_attack" if after else ("used" if done else "annulled"),
        "offensive_phase": offensive_phase(played, turn),
    }


def heal_exposure(given: Given) -> dict[str, object]:
    """Let a main heal be countered, and its owner choose (GC-7.6)."""
    rules = read_rules(given)
    score, counter = given.whole("generic_score"), given.whole("counter_score")
    scene = _generic(rules, score, tool("deed", effects=(Heal(),)), counter)
    played = _countered(scene, counter)
    given.raw("choice")
    healed = played.has("healed")
    if played.after.suspended(ATTACKER):
        chosen = choose(played.after, ATTACKER, confirm=_confirms(given))
        healed = post(played.after, Turn(by=ATTACKER, suspended=chosen)).has("healed")
    return {"heal_applied": healed}


def movement_vs_counter(given: Given) -> dict[str, object]:
    """Let a counterattack meet a movement (GC-4.43, GC-4.44)."""
    rules, planned = read_rules(given), given.whole("planned_m")
    made = scored(Action.GENERIC_COUNTERATTACK, given.whole("counter_score"))
    score = given.whole("movement_score")
    scene = _moving(rules, made, planned, 0)
    turn = _movement(planned)
    (die,) = GUIDA.plan(scene, turn).asked
    scene = _moving(rules, made, planned, score - LAUNCH - int(die.tally.total))
    scene = post(scene, turn, [LAUNCH]).after
    (moving,) = scene.pending
    played = post(scene, reply(made.against(moving.id)), made.faces)
    return {
        "counter_succeeds": played.has("generic_countered"),
        "moved_m": FAR - played.after.metres(ATTACKER, DEFENDER),
        "mover_must_defend": bool(played.after.against(ATTACKER)),
        "counter_hits_nothing": played.has("hits_nothing"),
    }


def offensive_after(given: Given) -> dict[str, object]:
    """Let a defence end like this, and see what is left to do in the Offensive Phase (GC-4.54)."""
    rules = read_rules(given)
    return {"offensive_phase": [_offensive_after(rules, part) for part in given.parts("cases")]}


def _offensive_after(rules: Rules, part: Given) -> str:
    action = part.word(Action, "defence")
    fate = part.word(Fate, "attack_after")
    goes_on = part.word(Fate, "counter_after", Fate.ANNULLED) if fate is Fate.ANNULLED else None
    stronger = tool("weapon", BLOW + 100)
    weapon = stronger if goes_on is Fate.INTACT else weapon_leaving(fate, "weapon")
    made = scored(action, 100, weapon=weapon)
    scene = duel(
        rules,
        fighter(ATTACKER, tool("blow", BLOW)),
        fighter(DEFENDER, *made.tools),
        underway=[arriving("blow", 10)],
        first=DEFENDER,
    )
    turn = reply(made.against(scene.incoming[0].id))
    played = post(scene, turn, [*made.faces, *([LAUNCH] if turn.main else [])])
    phase = offensive_phase(played, turn)
    return "free_main_action" if phase == "allowed" else phase


def _generic(rules: Rules, score: int, deed: Tool, counter: int) -> Scene:
    """Let the attacker launch a generic action; the defender has what counters it."""
    points = Modifier(name="deed", score=Score.SUCCESS, points=score - LAUNCH)
    made = scored(Action.GENERIC_COUNTERATTACK, counter)
    actor = fighter(ATTACKER, _with(deed, points))
    scene = duel(rules, actor, fighter(DEFENDER, *made.tools))
    return post(scene, Turn(by=ATTACKER, main=Generic(tool=deed.id)), [LAUNCH]).after


def _countered(scene: Scene, score: int) -> Post:
    made = scored(Action.GENERIC_COUNTERATTACK, score)
    (pending,) = ids_of(scene).values()
    return post(scene, reply(made.against(pending)), made.faces)


def _moving(rules: Rules, made: Scored, planned: int, points: int) -> Scene:
    haste = Modifier(name="haste", score=Score.SUCCESS, points=points)
    mover = fighter(ATTACKER, modifiers=(haste,))
    if planned >= FAR:
        raise CaseError(f"there is no room to move {planned} m")
    return duel(rules, mover, fighter(DEFENDER, *made.tools), metres=FAR)


def _movement(planned: int) -> Turn:
    move = Move(distances=(Reach(to=DEFENDER, metres=FAR - planned),))
    return Turn(by=ATTACKER, main=Movement(move=move))


def _carried(played: Post) -> str:
    return "succeeds" if played.has("generic_carried_out") else "pending"


def _bonus(played: Post) -> object:
    """Give what the defensive half added to the offensive one, as its label lists it."""
    launched = played.after.incoming if played.has("attack_launched") else ()
    mine = [one for one in launched if one.attacker == DEFENDER]
    return bonus_of(mine[0].hit, *BOUGHT) if mine else None


def _counter_after(played: Post, compared: Mapping[str, object] | None) -> object:
    if compared is not None:
        return compared["defence_after"]
    return Fate.INTACT if played.has("attack_launched") else "never_activated"


def _weapon(id: str, part: Given) -> Tool:
    return tool(
        id,
        part.number("potential"),
        category=part.word(Category, "category"),
        stat_bonus=part.number("stat_bonus"),
    )


def _with(deed: Tool, modifier: Modifier) -> Tool:
    return tool(deed.id, effects=deed.effects, modifiers=(modifier,))


def _confirms(given: Given) -> bool:
    choice = given.text("choice")
    if choice not in ("confirm", "annul"):
        raise CaseError(f"a suspended action is confirmed or annulled, not {choice!r}")
    return choice == "confirm"
