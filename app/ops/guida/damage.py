"""Chapter 6, and the whole of one attack against one defence."""

from __future__ import annotations

from dataclasses import replace

from app.engine.findings import Fact
from app.ops.given import Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    arriving,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    read_stacks,
    reply,
    scored,
    tool,
)
from app.ops.guida.success import metres_off, stacks_of
from app.ops.guida.turns import offensive_phase
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import total_level
from app.rulesets.guida.orders import Attack, Defence, Turn
from app.rulesets.guida.sheet import Armour, Stats
from app.rulesets.guida.state import Entrant, Underway
from app.rulesets.guida.terms import Action, Aim, Category, DamageType, Limb, Stat


def damage(given: Given) -> dict[str, object]:
    """Let an attack strike, in full or through a guard, and read its damage (chapter 6).

    An armour given as down was beaten earlier in the same turn, by a blow equal to its value.
    """
    rules = read_rules(given)
    blow = tool(
        "blow",
        given.number("potential"),
        stat_bonus=given.number("stat_bonus"),
        damage=given.word(DamageType, "damage_type"),
    )
    worn = given.part("armour")
    armour = Armour(name="armour", potential=worn.number("potential")) if worn.names() else None
    guard = scored(Action.GUARD if given.flag("guarded", False) else Action.NULL_DEFENCE, 100)
    bearer = fighter(
        DEFENDER,
        guard.effort,
        stats=Stats(constitution=given.whole("constitution")),
        armour=armour,
        stacks=read_stacks(given.part("target_stacks")),
    )
    who = opened(duel(rules, fighter(ATTACKER), bearer, first=DEFENDER), DEFENDER)
    resistance = total_level(who, Stat.CONSTITUTION).total
    down = armour is not None and not worn.flag("active")
    breaker = tool(
        "breaker",
        (armour.potential if armour else 0) + resistance,
        damage=DamageType.NORMAL,
    )
    die = 12 if given.flag("critical", False) else 1
    scene = duel(
        rules,
        fighter(ATTACKER, breaker, blow),
        bearer,
        underway=[*([arriving("breaker", 1)] * down), arriving("blow", 20, die)],
        first=DEFENDER,
    )
    attack = scene.incoming[-1]
    turn = Turn(by=DEFENDER, defences=(guard.against(attack.id),))
    played = post(scene, turn, guard.faces)
    struck = played.facts("damage_due")[-1]
    found = {
        "power": attack.power.total,
        "resistance": resistance,
        "damage": struck["amount"],
    }
    if armour is not None:
        found["armour_value"] = struck["armour_value"]
        found["armour_active_after"] = not played.has("armour_down")
    return found


def defence_result(given: Given) -> dict[str, object]:
    """Let one attack of pure damage meet one defence, and tell all that comes of it."""
    attack = given.part("attack")
    attack.raw("direct_physical")  # guard and dodge answer any attack
    made = scored(given.word(Action, "action"), given.whole("defend_score"))
    die = attack.whole("die")
    blow = Underway(
        attacker=ATTACKER,
        target=DEFENDER,
        tool="blow",
        die=die,
        modifier=given.whole("hit_score") - die,
        aim=attack.word(Aim, "aim", Aim.BODY),
        limb=attack.word(Limb, "limb") if attack.has("limb") else None,
    )
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, tool("blow", given.number("base_damage"))),
        fighter(DEFENDER, made.effort),
        underway=[blow],
        first=DEFENDER,
    )
    offered = {one.action: one for one in GUIDA.choices(scene, DEFENDER).defences}
    played = post(scene, reply(made.against(scene.incoming[0].id)), [*made.faces, 6])
    bearer = played.after.who(DEFENDER)
    return {
        "outcome": played.outcome(),
        "defence": "failure" if offensive_phase(played) == "blocked" else "success",
        "damage": bearer.hp - bearer.hp_now,
        "power_comparison": any(one.rule.startswith("GC-5.") for one in played.findings),
        "stacks_on_defender": stacks_of(bearer),
        "stacks_on_attacker": stacks_of(played.after.who(ATTACKER)),
        "ep_cost": bearer.ep - bearer.ep_now,
        "may_reposition": offered[made.action].moves,
    }


def exchange(given: Given) -> dict[str, object]:
    """Play an attack, its answer, the calculation and the next register, all in posts."""
    offence, defence = given.part("attacker"), given.part("defender")
    answer = defence.part("defence")
    attack = Attack(
        target=DEFENDER,
        tool="blow",
        aim=offence.word(Aim, "aim", Aim.BODY),
        limb=offence.word(Limb, "limb") if offence.has("limb") else None,
    )
    rules = read_rules(given)
    steps = metres_off(rules, offence.whole("range_steps", 0))
    scene = duel(rules, _attacker(offence), _defender(defence), metres=steps)
    launch = post(scene, Turn(by=ATTACKER, main=attack), [offence.whole("die")])
    action = answer.word(Action, "action")
    answered = Defence(action=action, against=(launch.after.incoming[0].id,))
    dice = [answer.whole("die")] if answer.has("die") else []
    played = post(launch.after, reply(answered), [*dice, 6])
    counted = post(played.after, Turn(by=ATTACKER))
    register = post(counted.after, Turn(by=DEFENDER))
    launched = launch.facts("attack_launched")[0]
    checked = next(
        (one.facts for one in played.findings if one.key.startswith("speed_")), dict[str, Fact]()
    )
    return {
        "hit_score": launched["hit_score"],
        "power_attack": launch.after.incoming[0].power.total,
        "defend_score": checked.get("defend_score"),
        "speed": played.outcome(),
        "damage": sum(int(str(facts["amount"])) for facts in played.facts("damage_due")),
        "defender_offensive_phase": offensive_phase(played),
        "stacks_on_defender": stacks_of(played.after.who(DEFENDER)),
        "stacks_on_attacker": stacks_of(played.after.who(ATTACKER)),
        "defender_hp_next_turn": register.facts("vitals")[0]["hp"],
    }


def _attacker(given: Given) -> Entrant:
    used = given.part("technique")
    blow = tool(
        "blow",
        used.number("potential"),
        category=used.word(Category, "category") if used.has("category") else None,
        stat_bonus=used.number("stat_bonus"),
        damage=used.word(DamageType, "damage_type", DamageType.NORMAL),
    )
    return fighter(ATTACKER, blow, stats=Stats(dexterity=given.whole("dexterity")))


def _defender(given: Given) -> Entrant:
    worn = given.part("armour")
    armour = Armour(name="armour", potential=worn.number("potential")) if worn.names() else None
    stats = Stats(dexterity=given.whole("dexterity"), constitution=given.whole("constitution"))
    entrant = fighter(DEFENDER, stats=stats, hp=given.whole("hp"), armour=armour)
    return replace(entrant, armour_down=armour is not None and not worn.flag("active"))
