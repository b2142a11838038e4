"""Every option and every number of a regulation, each in a scene that comes out differently.

A row plays one small scene twice, with the default and with another setting, and says what each
comes to, worked out by hand. A field without a row fails a test of its own.
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import Any

import pytest

from app.engine.dice import RecordedDice, Roll, Tagged
from app.engine.numbers import Rounding, Stage
from app.rulesets.guida.conditions import held
from app.rulesets.guida.entrants import Entrant, StackCount, Uses
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    ByCategory,
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Generic,
    Independent,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.readings import (
    ArmourDown,
    ArmourStacking,
    BeyondRange,
    CategoryAfter,
    Cover,
    Doubling,
    ExtraStats,
    GuardHalves,
    HalvingOf,
    HealArmour,
    HealCap,
    HpFloor,
    Measured,
    ModifierMode,
    MovementCounter,
    PowerCarried,
    PreparationScope,
    Scope,
    SemiPureArmour,
    StatBonus,
    StunScale,
    TagMismatch,
    TieDamage,
    TieGoesTo,
    Undeclared,
)
from app.rulesets.guida.rulings import (
    Impact,
    Manual,
)
from app.rulesets.guida.setup import check_setup
from app.rulesets.guida.sheet import (
    AdditionalDamage,
    Armour,
    ArmourEffect,
    Constraint,
    ExtraStat,
    Heal,
    Regeneration,
    StackEffect,
    StatPoints,
    Stats,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    Category,
    Change,
    Claim,
    DamageType,
    Stack,
    Stat,
)
from tests.unit.guida import rows_areas, rows_bonds, rows_stealth, rows_targets, rows_throws
from tests.unit.guida.build import (
    behind,
    boost,
    by_master,
    codes,
    coming,
    counter,
    dodge,
    due,
    entrant,
    found,
    guard,
    hit,
    keys,
    parry,
    post,
    post_any,
    refusals,
    rule,
    scene,
    setup,
    shield,
    suffer,
    to,
    tool,
    turn,
)
from tests.unit.guida.rows import Row

BLOCKING = Armour(name="Mail", potential=6, blocks_pure=True)
DIRECT = Action.DIRECT_COUNTERATTACK
GENERIC = Action.GENERIC_COUNTERATTACK
LEVELS = ByCategory(D=Fraction(5), C=Fraction(10), B=Fraction(15), A=Fraction(20), S=Fraction(25))
VENOM = StackEffect(stack=Stack.POISON, count=2)
SECOND = AdditionalDamage(potential=Fraction(20), stat_bonus=Fraction(6))
GUARDED = turn("bo", guard("a1"))


def facing(
    under: dict[str, Any], *underway: Any, ada: Any = None, bo: Any = None, **more: Any
) -> Scene:
    """Put Bo before attacks, under options or a regulation."""
    fighters = (ada or entrant("ada"), bo or entrant("bo"))
    return scene(*fighters, **{"underway": underway, "first": "bo", **under, **more})


def lost(under: dict[str, Any], answer: Turn, *faces: int, attack: Any = None, **more: Any) -> int:
    """Give the hit points Bo loses by an answer to one attack."""
    start = facing(under, attack or coming(), **more)
    return -sum(due(post_any(start, answer, *faces).state, "bo"))


def launched(start: Scene, answer: Turn, *faces: int) -> bool:
    """Say whether a post ends in an attack."""
    return "attack_launched" in keys(post_any(start, answer, *faces).findings)


def label(start: Scene, order: Turn, place: int = 0) -> Any:
    """Give the modifier of one of a post's dice."""
    return GUIDA.plan(start, order).asked[place].tally.total


def hp_after(under: dict[str, Any]) -> int:
    """Let Bo, with ten hit points, suffer twenty and write the register."""
    start = facing(under, coming(), bo=entrant("bo", hp=10))
    start = post(start, turn("bo", suffer("a1"))).state
    start = post(start, turn("ada")).state
    done = GUIDA.plan(start, turn("bo"))
    return found(done.findings, "vitals")[0]["hp"]


def discrepancy(under: dict[str, Any]) -> Any:
    """Let Ada record five hit points won."""
    start = rule(
        scene(entrant("ada", hp=50), entrant("bo"), **under),
        by_master(Manual, combatant="ada", change=Change.HP, amount=5),
    ).state
    return found(post(start, turn("ada")).findings, "balance")[0]["discrepancy"]


def two(under: dict[str, Any], answer: Turn, *faces: int, **more: Any) -> list[int]:
    """Let Bo answer a hard attack, hit score 32, and then one of 10."""
    start = facing(under, coming(die=11, modifier=21), coming(), **more)
    return due(post_any(start, answer, *faces).state, "bo")


def carried(under: dict[str, Any]) -> list[int]:
    """Parry two attacks of the same power with one parry."""
    bo = entrant("bo", shield("buckler", parries=True))
    start = facing(under, coming(), coming(), bo=bo)
    return due(post(start, turn("bo", parry("a1", "a2", tool="buckler")), 18).state, "bo")


def independent(under: dict[str, Any]) -> bool:
    """Let one attack through with a failed guard, then try an independent action."""
    bo = entrant("bo", tool(), boost("haste", StatPoints(stat=Stat.STRENGTH, points=1)))
    start = facing(under, coming(die=12, modifier=40), coming(), bo=bo)
    order = turn("bo", guard("a1"), independents=(Independent(tool="haste", against="a2"),))
    return "independent_in_time" in keys(post(start, order, 1, 18).findings)


def moving(under: dict[str, Any], face: int = 5, **more: Any) -> Scene:
    """Let Ada launch a movement from five metres to ten: success score 12 with the die."""
    start = scene(entrant("ada", **more), entrant("bo"), **under)
    return post(start, turn("ada", main=Movement(move=to(("bo", 10)))), face).state


def stunned_mover(under: dict[str, Any]) -> int:
    """Let Ada be stunned in the turn in which she moves: the stacks act from the next one."""
    dazing = tool(effects=(StackEffect(stack=Stack.STUN, count=2),))
    blow = coming(at="ada", by="bo")
    start = scene(entrant("ada"), entrant("bo", dazing), underway=(blow,), **under)
    start = post(start, turn("ada", suffer("a1"), main=Movement(move=to(("bo", 10)))), 6).state
    return held(post(start, turn("bo")).state.who("ada"), Stack.STUN)


def counter_generic(under: dict[str, Any], face: int) -> tuple[Any, ...]:
    """Counter Ada's movement."""
    start = moving(under)
    done = post_any(start, turn("bo", counter("g1", action=GENERIC)), face, 6)
    here = done.state
    return here.metres("ada", "bo"), len(here.pending), len(here.incoming)


def tied_dodge(under: dict[str, Any], **more: Any) -> Any:
    """Dodge with a move and tie: hit score 16 against 6 + 10."""
    start = facing(under, coming(die=6, modifier=10), **more)
    return post_any(start, turn("bo", dodge("a1", move=to(("ada", 9))), main=hit("ada")), 6, 6)


def overcome(under: dict[str, Any]) -> Any:
    """Parry 30 with a power of 20: the attack goes on intact."""
    bo = entrant("bo", tool(), shield("buckler", parries=True, potential=10))
    start = facing(under, coming(), bo=bo)
    return post_any(start, turn("bo", parry("a1", tool="buckler"), main=hit("ada")), 18, 6)


def weakened(under: dict[str, Any]) -> int:
    """Parry 20 + 10 with 26: the attack goes on halved."""
    bo = entrant("bo", shield("buckler", parries=True, potential=16))
    return -sum(
        due(
            post(facing(under, coming(), bo=bo), turn("bo", parry("a1", tool="buckler")), 18).state,
            "bo",
        )
    )


def halved_letter(under: dict[str, Any]) -> Category:
    """Counter 26 with 30: the counter goes on with half its potential."""
    ada = entrant("ada", tool(potential=16))
    start = facing(under, coming(), ada=ada)
    return post(start, turn("bo", counter("a1")), 18, 6).state.incoming[0].category


def halfway_of(under: dict[str, Any], face: int) -> Any:
    """Counter an attack that came from five metres to ten."""
    start = post(scene(**under), turn("ada", main=hit(move=to(("bo", 10)))), 6).state
    return post_any(start, turn("bo", counter("a1")), face, 6).state.metres("ada", "bo")


def prepared(under: dict[str, Any]) -> list[Any]:
    """Guard twice after a preparation."""
    fighters = (entrant("ada"), entrant("bo"), entrant("cy", team="ada"))
    start = post(scene(*fighters, first="bo", **under), turn("bo", main=Preparation())).state
    for id in ("cy", "ada"):
        start = post(start, turn(id, main=hit()), 6).state
    first, second = start.against("bo")
    asked = GUIDA.plan(start, turn("bo", guard(first.id), guard(second.id))).asked
    return [one.tally.total for one in asked]


def wearing(entrant: Entrant, worn: Armour) -> Entrant:
    """Give an entrant an armour."""
    return dataclasses.replace(entrant, sheet=dataclasses.replace(entrant.sheet, armour=worn))


def healed(under: dict[str, Any], hp: int = 50, worn: Armour | None = None) -> int:
    """Let Ada heal herself with 20 + 10, and give what it comes to."""
    balm = tool("balm", attacks=False, generic=True, effects=(Heal(),))
    ada = entrant("ada", balm, hp=hp)
    start = scene(wearing(ada, worn) if worn else ada, entrant("bo"), **under)
    start = post(start, turn("ada", main=Generic(tool="balm")), 6).state
    return sum(due(post(start, turn("bo")).state, "ada"))


def regenerated(under: dict[str, Any]) -> int:
    """Regenerate at Strength 10 by category B, in an armour that blocks pure damage."""
    moss = boost("moss", Regeneration(category=Category.B, stat=Stat.STRENGTH, turns=2))
    ada = wearing(entrant("ada", tool(), moss, hp=50), BLOCKING)
    start = scene(ada, entrant("bo"), **under)
    return sum(due(post(start, turn("ada", main=hit(support=("moss",))), 6).state, "ada"))


def thrown(under: dict[str, Any], **more: Any) -> list[int]:
    """Let Bo be thrown against a wall: half of (12/2 + 30 − 10)."""
    bo = entrant("bo", armour=6)
    start = facing(under, coming(), ada=entrant("ada", tool(effects=(SECOND,))), bo=bo)
    if more.get("second"):
        start = post(start, turn("bo", suffer("a1"))).state
    impact = by_master(
        Impact, attacker="ada", target="bo", die=12, category=Category.B, stat_bonus=Fraction(30)
    )
    return due(rule(start, impact).state, "bo")


def stacked(under: dict[str, Any]) -> int:
    """Wear six and be granted eight: the power of 30 is above both."""
    bo = entrant("bo", tool(), boost("ward", ArmourEffect(potential=8, turns=3)), armour=6)
    start = facing(under, bo=bo)
    start = post(start, turn("bo", main=hit("ada", support=("ward",))), 6).state
    start = post(start, turn("ada", suffer("a1"), main=hit()), 6).state
    return -sum(due(post(start, turn("bo", suffer("a2"))).state, "bo"))


def maimed(under: dict[str, Any]) -> int | None:
    """Be maimed once more at the cap, a turn after the first three."""
    cut = tool(effects=(StackEffect(stack=Stack.MAIM_DEBILITATING, count=1),))
    bo = entrant("bo", stacks=(StackCount(stack=Stack.MAIM_DEBILITATING, count=3),))
    start = facing(under, coming(), ada=entrant("ada", cut), bo=bo)
    return max(lot.until or 0 for lot in post(start, turn("bo", suffer("a1"))).state.who("bo").lots)


def scoped(under: dict[str, Any]) -> Any:
    """Guard against the fourth use of a technique whose first three were not against Bo."""
    ada = entrant("ada", uses=(Uses(tool="blade", count=3),))
    start = post(scene(ada, entrant("bo"), **under), turn("ada", main=hit()), 6).state
    return label(start, GUARDED)


def unbalanced_power(under: dict[str, Any]) -> Any:
    """Attack with two stacks of off-balance."""
    ada = entrant("ada", stacks=(StackCount(stack=Stack.OFF_BALANCE, count=2),))
    done = post(scene(ada, entrant("bo"), **under), turn("ada", main=hit()), 6)
    return found(done.findings, "attack_launched")[0]["power"].total


def stunned(under: dict[str, Any]) -> Any:
    """Attack with two stacks of off-balance: stun is what costs hit score."""
    ada = entrant("ada", stacks=(StackCount(stack=Stack.OFF_BALANCE, count=2),))
    return label(scene(ada, entrant("bo"), **under), turn("ada", main=hit()))


def more_stats(under: dict[str, Any]) -> set[str]:
    """Open a scene with a fifth stat on a sheet."""
    ada = entrant("ada", stats=Stats(extra=(ExtraStat(name="Reiryoku", level=9),)))
    return codes(check_setup(dataclasses.replace(setup(ada, entrant("bo")), **under)))


def mistagged(under: dict[str, Any]) -> Any:
    """Attack with a tag that has three less than the twelve its factors make."""
    start, order = scene(**under), turn("ada", main=hit())
    (asked,) = GUIDA.plan(start, order).asked
    roll = Roll(asked.address, asked.sides, 6, Tagged(Fraction(9), Fraction(12)))
    done = GUIDA.resolve(start, order, RecordedDice((roll,)))
    return done.state.incoming[0].hit_score


ROWS = (
    Row(
        "rounding_mode",
        Rounding.CEIL,
        lambda u: lost(u, GUARDED, 24, ada=entrant("ada", tool(potential=21))),
        10,
        11,
    ),
    Row(
        "rounding_stage",
        Stage.EACH_STEP,
        lambda u: lost(
            u,
            turn("bo", suffer("a1")),
            ada=entrant("ada", tool(potential=21, damage=DamageType.SEMI_PURE)),
        ),
        22,
        21,
    ),
    Row("extra_stats", ExtraStats.REJECT, more_stats, set(), {"extra_stat"}),
    Row("dice_tag_mismatch", TagMismatch.WARN_USE_MODIFIER, mistagged, 18, 15),
    Row("hp_floor", HpFloor.ZERO, hp_after, -10, 0),
    Row("register_counts_gains", False, discrepancy, 0, 5),
    Row(
        "undeclared_defence",
        Undeclared.FAILURE,
        lambda u: launched(facing(u, coming()), turn("bo", main=hit("ada")), 6),
        True,
        False,
    ),
    Row(
        "multi_cover_resolution",
        Cover.EACH_INDEPENDENT,
        lambda u: two(u, turn("bo", guard("a1", "a2")), 5),
        [-20, -20],
        [-20, -10],
    ),
    Row("covering_defence_power", PowerCarried.FULL, carried, [-20], []),
    Row("independent_secondary_survives_failure", False, independent, True, False),
    Row(
        "generic_action_opens_defensive_phase",
        False,
        lambda u: [one.action for one in GUIDA.choices(moving(u), "bo").defences],
        [GENERIC],
        [],
    ),
    Row(
        "guard_success_counts_as_success",
        False,
        lambda u: launched(facing(u, coming()), turn("bo", guard("a1"), main=hit("ada")), 24, 6),
        True,
        False,
    ),
    Row(
        "half_damage_tie_counts_as_success",
        False,
        lambda u: "attack_launched" in keys(tied_dodge(u).findings),
        True,
        False,
    ),
    Row(
        "tie_half_damage_mode",
        TieDamage.ALONGSIDE_WIN,
        lambda u: tied_dodge(u).state.metres("ada", "bo"),
        5,
        9,
    ),
    Row(
        "overpowered_defence_blocks_offensive",
        False,
        lambda u: "attack_launched" in keys(overcome(u).findings),
        False,
        True,
    ),
    Row(
        "failed_generic_counter_blocks_offensive",
        True,
        lambda u: launched(moving(u), turn("bo", counter("g1", action=GENERIC)), 1, 6),
        True,
        False,
    ),
    Row(
        "failed_direct_counter_is_launched",
        True,
        lambda u: launched(
            facing(u, coming(modifier=30)), turn("bo", counter("a1", action=DIRECT)), 1, 6
        ),
        False,
        True,
    ),
    Row(
        "annulled_counter_frees_main_action",
        True,
        lambda u: refusals(facing(u, coming()), turn("bo", counter("a1"), main=hit("ada"))),
        {"counter_is_main_action"},
        set(),
    ),
    Row(
        "unactivated_defence_costs_ep",
        True,
        lambda u: due(
            post(
                facing(u, coming(modifier=40), bo=entrant("bo", shield(ep=3))),
                turn("bo", guard("a1", tool="shield")),
                1,
            ).state,
            "bo",
            Change.EP,
        ),
        [],
        [-3],
    ),
    # The movement's 5 + 2 - 1 + 10 against 6 + 10 ends in a tie of which no rule speaks.
    Row("missing_tie_rule", TieGoesTo.ATTACKER, lambda u: counter_generic(u, 6)[2], 1, 0),
    Row(
        "clamp_distance_factor",
        False,
        lambda u: label(scene(metres=300, **u), turn("ada", main=hit())),
        4,
        0,
    ),
    Row(
        "beyond_max_range",
        BeyondRange.ALLOW,
        lambda u: refusals(
            scene(entrant("ada", tool(max_m=5)), entrant("bo"), metres=6, **u),
            turn("ada", main=hit()),
        ),
        {"beyond_max_range"},
        set(),
    ),
    # One range covered costs 2, and ten metres are one range off: 2 less in distance.
    Row(
        "distance_measured",
        Measured.BEFORE_MOVE,
        lambda u: label(scene(**u), turn("ada", main=hit(move=to(("bo", 10))))),
        8,
        10,
    ),
    Row(
        "dodge_metres_per_dexterity",
        Fraction(1, 2),
        lambda u: refusals(facing(u, coming()), turn("bo", dodge("a1", move=to(("ada", 11))))),
        set(),
        {"dodge_too_far"},
    ),
    Row(
        "aimable_kinds",
        (),
        lambda u: refusals(scene(**u), turn("ada", main=hit(aim=Aim.HEAD))),
        set(),
        {"cannot_aim"},
    ),
    Row(
        "defend_modifiers_apply_to_counterattacks",
        True,
        lambda u: label(
            facing(
                u,
                coming(),
                bo=entrant("bo", stacks=(StackCount(stack=Stack.OFF_BALANCE, count=2),)),
            ),
            turn("bo", counter("a1")),
        ),
        10,
        8,
    ),
    # Hit score 6 + 2 - 2 - 2 + 10 = 14 against 1 + 10.
    Row("half_move_requires_successful_counter", False, lambda u: halfway_of(u, 1), 10, 7),
    Row("round_distances", False, lambda u: halfway_of(u, 18), 7, Fraction(15, 2)),
    Row(
        "movement_metres_per_dexterity",
        Fraction(1),
        lambda u: refusals(scene(**u), turn("ada", main=Movement(move=to(("bo", 16))))),
        set(),
        {"movement_too_far"},
    ),
    Row(
        "movement_clears_type1",
        True,
        stunned_mover,
        2,
        0,
    ),
    Row(
        "movement_counter_mode",
        MovementCounter.SUSPENDED_ACTION,
        lambda u: counter_generic(u, 18)[:2],
        (7, 0),
        (5, 1),
    ),
    Row(
        "generic_action_die",
        20,
        lambda u: (
            GUIDA.plan(
                scene(
                    entrant("ada", tool("aura", attacks=False, generic=True)), entrant("bo"), **u
                ),
                turn("ada", main=Generic(tool="aura")),
            )
            .asked[0]
            .sides
        ),
        12,
        20,
    ),
    Row(
        "description_bonuses_stack",
        False,
        lambda u: label(
            scene(**behind("ada", "bo"), **u), turn("ada", main=hit(claims=(Claim.SURPRISE,)))
        ),
        15,
        14,
    ),
    Row(
        "predictability_counts_current_use",
        False,
        lambda u: label(
            post(
                scene(entrant("ada", uses=(Uses(tool="blade", count=3),)), entrant("bo"), **u),
                turn("ada", main=hit()),
                6,
            ).state,
            GUARDED,
        ),
        13,
        12,
    ),
    Row("predictability_scope", Scope.OPPONENT, scoped, 13, 12),
    Row(
        "guard_riders",
        False,
        lambda u: held(
            post(
                facing(u, coming(), ada=entrant("ada", tool(effects=(VENOM,)))), GUARDED, 24
            ).state.who("bo"),
            Stack.POISON,
        ),
        2,
        0,
    ),
    Row("guard_criticals", False, lambda u: lost(u, GUARDED, 24, attack=coming(die=12)), 20, 10),
    Row(
        "riders_on_tie",
        True,
        lambda u: held(
            tied_dodge(u, ada=entrant("ada", tool(effects=(VENOM,)))).state.who("bo"), Stack.POISON
        ),
        0,
        2,
    ),
    Row(
        "critical_multiplies",
        Doubling.POWER,
        lambda u: lost(u, turn("bo", suffer("a1")), attack=coming(die=12)),
        40,
        50,
    ),
    # The second damage is half of 26 - 10, and a guard halves it once more.
    Row(
        "guard_halves",
        GuardHalves.ATTACK_ONLY,
        lambda u: lost(u, GUARDED, 24, ada=entrant("ada", tool(effects=(SECOND,)))),
        14,
        18,
    ),
    Row(
        "additional_can_be_critical",
        True,
        lambda u: lost(
            u,
            turn("bo", suffer("a1")),
            attack=coming(die=12),
            ada=entrant("ada", tool(effects=(SECOND,))),
        ),
        48,
        56,
    ),
    # The wall's 13 outdoes the second damage of 8, or comes on top of it.
    Row(
        "environmental_counts_as_additional",
        False,
        lambda u: sorted(thrown(u, second=True)),
        [-17, -13],
        [-17, -13, -8],
    ),
    Row("environmental_uses_armour", True, thrown, [-13], [-11]),
    # 20 + 10 / 5 = 22, halved.
    Row("main_heal_halved", False, healed, 11, 22),
    Row("heal_armour_subtraction", HealArmour.OUTSIDE, lambda u: healed(u, worn=BLOCKING), 9, 8),
    Row("heal_cap", HealCap.NONE, lambda u: healed(u, hp=95), 5, 11),
    Row("regeneration_affected_by_armour", True, regenerated, 2, 0),
    # (20 / 2 + 10) - 10, or (20 / 2 + 10 / 2) - 10.
    Row("halving_applies_to", HalvingOf.POWER, weakened, 10, 5),
    Row(
        "category_after_reduction",
        CategoryAfter.RECOMPUTED,
        halved_letter,
        Category.B,
        Category.C,
        Regulation(potential_by_category=LEVELS),
    ),
    Row("stun_scales_with", StunScale.OFF_BALANCE, stunned, 12, 10),
    Row(
        "armour_down_until",
        ArmourDown.CURRENT_TURN_END,
        lambda u: (
            post(facing(u, coming(), bo=entrant("bo", armour=6)), turn("bo", suffer("a1")))
            .state.who("bo")
            .armour_down
        ),
        True,
        False,
    ),
    Row("armour_stacking", ArmourStacking.SUM, stacked, 16, 13),
    Row(
        "semi_pure_armour",
        SemiPureArmour.NONE,
        lambda u: lost(
            u,
            turn("bo", suffer("a1")),
            ada=entrant("ada", tool(damage=DamageType.SEMI_PURE)),
            bo=entrant("bo", armour=6),
        ),
        19,
        21,
    ),
    Row("maim_restart_at_cap", False, maimed, 4, 3),
    Row(
        "potential_modifier_mode",
        ModifierMode.CATEGORY_STEP,
        unbalanced_power,
        28,
        20,
        Regulation(potential_by_category=LEVELS),
    ),
    Row("potential_points_per_modifier", Fraction(3), unbalanced_power, 28, 24),
    Row("preparation_bonus_scope", PreparationScope.FIRST_DEFENCE, prepared, [14, 14], [14, 12]),
    *rows_areas.ROWS,
    *rows_targets.ROWS,
    *rows_stealth.ROWS,
    *rows_throws.ROWS,
    *rows_bonds.ROWS,
)


@pytest.mark.parametrize("row", ROWS, ids=[row.field for row in ROWS])
def test_an_option_changes_how_a_scene_comes_out(row: Row) -> None:
    more = {} if row.regulation is None else {"regulation": row.regulation}
    assert getattr(Options(), row.field) != row.value
    usual = row.played({"options": Options(), **more})
    other = row.played(
        {"options": dataclasses.replace(Options(), **{row.field: row.value}), **more}
    )
    assert (usual, other) == (row.usual, row.other)
    assert usual != other


def played_under(under: dict[str, Any], order: Turn) -> Any:
    """Give the label of an attack under a regulation."""
    bare = tool(stat_bonus=None, governing=Stat.STRENGTH, potential=None, effects=(Constraint(),))
    ada = entrant("ada", bare)
    return refusals(scene(ada, entrant("bo"), **under), order)


NUMBERS = {"potential_missing", "stat_bonus_missing", "potential_bonus_missing"}
REGULATIONS: tuple[tuple[str, Regulation, set[str], set[str]], ...] = (
    (
        "potential_by_category",
        Regulation(potential_by_category=LEVELS),
        NUMBERS,
        NUMBERS - {"potential_missing"},
    ),
    (
        "potential_bonus_by_category",
        Regulation(potential_bonus_by_category=LEVELS),
        NUMBERS,
        NUMBERS - {"potential_bonus_missing"},
    ),
    (
        "stat_bonus_source",
        Regulation(stat_bonus_source=StatBonus.TOTAL_LEVEL),
        NUMBERS,
        NUMBERS - {"stat_bonus_missing"},
    ),
)


@pytest.mark.parametrize(("field", "other", "usual", "with_it"), REGULATIONS)
def test_a_regulation_supplies_what_the_sheet_lacks(
    field: str, other: Regulation, usual: set[str], with_it: set[str]
) -> None:
    order = turn("ada", main=hit())
    assert getattr(Regulation(), field) != getattr(other, field)
    assert played_under({"regulation": Regulation()}, order) == usual
    assert played_under({"regulation": other}, order) == with_it


def test_the_range_ladder_says_where_a_distance_lies() -> None:
    # Nine metres are one range off the optimal five, or in the same one.
    order = turn("ada", main=hit())
    assert label(scene(metres=9), order) == 10
    assert label(scene(metres=9, regulation=Regulation(range_ladder_m=(10, 20))), order) == 12


def test_every_field_of_options_and_regulation_has_its_scene() -> None:
    assert {row.field for row in ROWS} == {field.name for field in dataclasses.fields(Options)}
    supplied = {field for field, *_ in REGULATIONS} | {"range_ladder_m"}
    assert supplied == {field.name for field in dataclasses.fields(Regulation)}
