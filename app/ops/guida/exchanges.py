"""One attack against one defence: all that comes of it, at once or post by post."""

from __future__ import annotations

from fractions import Fraction

from app.engine.findings import Fact
from app.ops.given import Given
from app.ops.guida.damage import read_armour
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    LAUNCH,
    Post,
    arriving,
    bonus_of,
    duel,
    fighter,
    opened,
    post,
    read_rules,
    reply,
    scored,
    tool,
)
from app.ops.guida.success import metres_off, stacks_of
from app.ops.guida.turns import offensive_phase
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Turn,
)
from app.rulesets.guida.power import tally_power
from app.rulesets.guida.sheet import Armour, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
    Underway,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action, Aim, AttackForm, Category, DamageType, Limb, Stack


def defence_result(given: Given) -> dict[str, object]:
    """Let one attack of pure damage meet one defence, and tell all that comes of it.

    Where a power comparison decides, defence and damage hang on powers that are not given.
    """
    attack = given.part("attack")
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
        fighter(ATTACKER, tool("blow", given.number("base_damage"), form=_form(attack))),
        fighter(DEFENDER, *made.tools),
        underway=[blow],
        first=DEFENDER,
    )
    offered = {one.action: one for one in GUIDA.choices(scene, DEFENDER).defences}
    turn = reply(made.against(scene.incoming[0].id))
    if GUIDA.check(scene, turn):
        return {"legal": False}
    played = post(scene, turn, [*made.faces, *([LAUNCH] if turn.main else [])])
    bearer = played.after.who(DEFENDER)
    compares = played.has("power_comparison")
    failed = offensive_phase(played, turn) == "blocked"
    return {
        "legal": True,
        "outcome": played.outcome(),
        "defence": "pending" if compares else ("failure" if failed else "success"),
        "damage": None if compares else bearer.hp - bearer.hp_now,
        "power_comparison": compares,
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
    worn = defence.part("armour")
    armour = read_armour(worn)
    weapon, breaker = _weapon(answer), _breaker(worn, armour, defence)
    scene = duel(
        rules,
        _attacker(offence, *([breaker] if breaker else [])),
        _defender(defence, weapon, armour),
        metres=steps,
        underway=[arriving(breaker.id, 1)] if breaker else [],
    )
    launch = post(scene, Turn(by=ATTACKER, main=attack), [offence.whole("die")])
    incoming = launch.after.incoming[-1]
    action = answer.word(Action, "action")
    answered = Defence(
        action=action, against=(incoming.id,), tool=weapon.id if weapon is not None else None
    )
    turn = reply(answered)
    dice = [answer.whole("die")] if answer.has("die") else []
    dice += [LAUNCH] * (turn.main is not None or action in COUNTERS)
    played = post(launch.after, turn, dice)
    counted = post(played.after, Turn(by=ATTACKER))
    register = post(counted.after, Turn(by=DEFENDER))
    launched = launch.facts("attack_launched")[0]
    checked = next(
        (one.facts for one in played.findings if one.key.startswith("speed_")), dict[str, Fact]()
    )
    return {
        "hit_score": launched["hit_score"],
        "power_attack": incoming.power.total,
        "defend_score": checked.get("defend_score"),
        "speed": played.outcome(),
        **_compared(played),
        "damage": sum(int(str(facts["amount"])) for facts in played.facts("damage_due")),
        "defender_offensive_phase": offensive_phase(played, turn),
        "stacks_on_defender": stacks_of(played.after.who(DEFENDER)),
        "stacks_on_attacker": stacks_of(played.after.who(ATTACKER)),
        "defender_hp_next_turn": register.facts("vitals")[0]["hp"],
        **_next_turn_of_attacker(played.after, incoming.tool),
    }


def _compared(played: Post) -> dict[str, object]:
    found = played.facts("power_comparison")
    if not found:
        return {}
    return {
        "power_defence": found[0]["defence_power"],
        "attack_after": found[0]["attack_after"],
        "defence_after": found[0]["defence_after"],
        "remaining_power": found[0]["remaining"],
    }


def _next_turn_of_attacker(scene: Scene, used: Tool) -> dict[str, object]:
    """Tell what stacks will weigh on the attacker: on a defence of its next turn, on its power."""
    incoming = scene.against(ATTACKER)
    modifier = None
    if incoming:
        guard = Defence(action=Action.GUARD, against=(incoming[0].id,))
        (die,) = GUIDA.plan(scene, Turn(by=ATTACKER, defences=(guard,))).asked
        modifier = bonus_of(die.tally, *Stack) or Fraction(0)
    power = tally_power(scene.options, scene.regulation, opened(scene, ATTACKER), used)
    return {
        "attacker_next_defend_modifier": modifier,
        "attacker_next_potential": power.potential,
    }


def _form(given: Given) -> AttackForm:
    melee = given.flag("direct_physical", True)
    return AttackForm.MELEE if melee else AttackForm.PROJECTILE


def _weapon(answer: Given) -> Tool | None:
    """Make what a parry is made with; other defences bring nothing."""
    if not answer.has("potential"):
        return None
    return tool(
        "weapon",
        answer.number("potential"),
        category=answer.word(Category, "category"),
        stat_bonus=answer.number("stat_bonus"),
    )


def _attacker(given: Given, *tools: Tool) -> Entrant:
    used = given.part("technique")
    blow = tool(
        "blow",
        used.number("potential"),
        category=used.word(Category, "category", Category.B),
        stat_bonus=used.number("stat_bonus"),
        damage=used.word(DamageType, "damage_type", DamageType.NORMAL),
        form=_form(given),
    )
    return fighter(ATTACKER, blow, *tools, stats=Stats(dexterity=given.whole("dexterity")))


def _defender(given: Given, weapon: Tool | None, armour: Armour | None) -> Entrant:
    stats = Stats(dexterity=given.whole("dexterity"), constitution=given.whole("constitution"))
    tools = () if weapon is None else (weapon,)
    return fighter(DEFENDER, *tools, stats=stats, hp=given.whole("hp"), armour=armour)


def _breaker(worn: Given, armour: Armour | None, defender: Given) -> Tool | None:
    """Make a blow that beats an armour given as down, and does nothing else (GC-6.6)."""
    if armour is None or worn.flag("active", True):
        return None
    power = armour.potential + defender.number("constitution")
    return tool("breaker", power, damage=DamageType.NORMAL)
