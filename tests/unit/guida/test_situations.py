"""Situations, each with the list of what is legal in it, written out by hand.

A list is in words: ``guard shield`` is a guard with the shield against the first attack,
``blade bo limbs`` an attack on Bo's limbs. Three things are held against each list: what the form
offers, what the rules accept of everything the words can say, and what secondary actions may go
with it. ``allowed`` and ``refused`` are whole posts, for what the words cannot say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from app.rulesets.guida.entrants import StackCount, Uses
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    ByCategory,
)
from app.rulesets.guida.orders import (
    Continuation,
    Defence,
    Generic,
    Independent,
    Movement,
    Preparation,
    Turn,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
)
from app.rulesets.guida.readings import (
    BeyondRange,
    StatBonus,
)
from app.rulesets.guida.rulings import (
    Adequacy,
    Close,
    Pause,
    Withdraw,
)
from app.rulesets.guida.sheet import (
    Area,
    Constraint,
    Heal,
    StackEffect,
    StatPoints,
    Upkeep,
)
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackForm,
    AttackKind,
    Bearer,
    Category,
    Claim,
    Limb,
    Secondary,
    Stack,
    Standing,
    Stat,
)
from tests.unit.guida.build import (
    behind,
    boost,
    by_master,
    codes,
    coming,
    counter,
    dodge,
    entrant,
    guard,
    hit,
    parry,
    post,
    reading,
    refusals,
    rule,
    scene,
    shield,
    suffer,
    supplied,
    to,
    tool,
    turn,
    unbalance,
)

UNARMED = ["null_defence", "guard", "dodge", "unbalance"]
COUNTERS = ("counterattack", "direct_counterattack")


def counters(*tools: str) -> list[str]:
    """List both counterattacks with each of these tools."""
    return [f"{action} {id}" for action in COUNTERS for id in tools]


BARE = [*UNARMED, *counters("blade")]
BLADE_ON_ADA = ["blade ada body", "blade ada limbs", "blade ada head"]
BLADE_ON_BO = ["blade bo body", "blade bo limbs", "blade bo head"]
SLOW = StatPoints(stat=Stat.DEXTERITY, points=-2, turns=2, on=Bearer.TARGET)
QUICK = StatPoints(stat=Stat.DEXTERITY, points=2, turns=2)


@dataclass(frozen=True, kw_only=True)
class Situation:
    """A scene, a seat, and what that seat may do in it."""

    title: str
    scene: Scene
    seat: str = "bo"
    closed: tuple[str, ...] = ()
    defences: list[str] | None = None
    attacks: list[str] | None = None
    beside_attack: tuple[str, ...] = ()
    beside_defence: tuple[str, ...] = ()
    allowed: tuple[Turn, ...] = ()
    refused: tuple[tuple[Turn, str], ...] = ()


def facing(*underway: Any, ada: Any = None, bo: Any = None, **more: Any) -> Scene:
    """Put Bo before attacks, at five metres."""
    fighters = (ada or entrant("ada"), bo or entrant("bo"))
    return scene(*fighters, **{"underway": underway, "first": "bo", **more})


def three(*underway: Any, **more: Any) -> Scene:
    """Put Bo before Ada and Cy."""
    fighters = (entrant("ada"), entrant("bo"), entrant("cy", team="ada"))
    return scene(*fighters, **{"underway": underway, "first": "bo", **more})


def after(*orders: Any, start: Scene) -> Scene:
    """Let the Master rule, or a fighter post without dice."""
    for order in orders:
        start = (post if isinstance(order, Turn) else rule)(start, order).state
    return start


def upkept(ep: int, cost: int, upkeep: int = 3) -> Scene:
    """Put Bo in a second turn with an aura to keep up: ``ep`` are left before it is paid."""
    bo = entrant("bo", tool(ep=cost), boost("aura", Upkeep(ep=upkeep), QUICK, ep=0), ep=ep + cost)
    start = scene(entrant("ada"), bo, first="bo")
    start = post(start, turn("bo", main=hit("ada", support=("aura",))), 6).state
    return post(start, turn("ada")).state


CLAIMED = post(scene(), turn("ada", main=hit(claims=(Claim.SURPRISE,))), 6).state
LEVELS = ByCategory(D=Fraction(5), C=Fraction(10), B=Fraction(15), A=Fraction(20), S=Fraction(25))

TABLE = [
    # ------------------------------------------------------------------- whether one may post
    Situation(
        title="the first post of a fight: nothing to answer, one opponent in reach",
        scene=scene(),
        seat="ada",
        attacks=BLADE_ON_BO,
        allowed=(turn("ada"),),
        refused=(
            (turn("ada", guard("a1")), "attack_not_incoming"),
            (turn("ada", main=hit("ada")), "target_not_opponent"),
            (turn("ada", main=hit("nobody")), "target_not_opponent"),
            (turn("ada", main=hit(tool="axe")), "tool_not_on_sheet"),
        ),
    ),
    Situation(title="it is somebody else's turn", scene=scene(), closed=("not_your_turn",)),
    Situation(
        title="the scene is paused",
        scene=after(by_master(Pause), start=scene()),
        seat="ada",
        closed=("scene_paused",),
    ),
    Situation(
        title="the scene is paused and it is somebody else's turn",
        scene=after(by_master(Pause), start=scene()),
        closed=("not_your_turn", "scene_paused"),
    ),
    Situation(
        title="the scene is closed",
        scene=after(by_master(Close), start=scene()),
        seat="ada",
        closed=("scene_ended",),
    ),
    Situation(
        title="a claim against one has not been judged yet",
        scene=CLAIMED,
        closed=("claim_surprise",),
    ),
    Situation(
        title="one's own claim has not been judged, but it is somebody else who waits",
        scene=CLAIMED,
        seat="ada",
        closed=("not_your_turn",),
    ),
    Situation(
        title="one's own defeat has not been decided",
        scene=after(
            turn("bo"), turn("ada"), start=scene(entrant("ada"), entrant("bo", hp=0), first="bo")
        ),
        closed=("defeat",),
    ),
    Situation(
        title="one has left a fight that goes on",
        scene=after(
            by_master(Withdraw, combatant="cy", standing=Standing.LEFT), start=three(first="ada")
        ),
        seat="cy",
        closed=("not_fighting",),
    ),
    # --------------------------------------------------------------- how many attacks come in
    Situation(
        title="one attack comes in",
        scene=facing(coming()),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo"), turn("bo", guard("a1"), main=hit("ada"))),
        refused=(
            (turn("bo", guard("a1"), dodge("a1")), "too_many_defences"),
            (turn("bo", guard("a2")), "attack_not_incoming"),
            (turn("bo", guard("a1", "a1")), "attack_answered_twice"),
        ),
    ),
    Situation(
        title="two attacks come in",
        scene=facing(coming(), coming()),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(
            turn("bo", guard("a1", "a2")),
            turn("bo", guard("a2", "a1")),
            turn("bo", dodge("a2")),
            turn("bo", guard("a1"), dodge("a2")),
            turn("bo", guard("a2"), suffer("a1"), main=hit("ada")),
        ),
        refused=(
            (turn("bo", guard("a1", "a2"), dodge("a2")), "attack_answered_twice"),
            (turn("bo", guard("a1"), dodge("a1")), "attack_answered_twice"),
            (turn("bo", guard("a1"), dodge("a2"), suffer("a1")), "too_many_defences"),
        ),
    ),
    Situation(
        title="an attack comes in for somebody else",
        scene=three(coming(by="bo", at="cy")),
        attacks=[*BLADE_ON_ADA, "blade cy body", "blade cy limbs", "blade cy head"],
        refused=((turn("bo", guard("a1")), "attack_not_incoming"),),
    ),
    Situation(
        title="a fight taken up with two attacks on their way and uses so far",
        scene=facing(
            coming(die=12), coming(die=1), bo=entrant("bo", uses=(Uses(tool="blade", count=9),))
        ),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", dodge("a1"), guard("a2")),),
    ),
    Situation(
        title="what was answered does not come in again",
        scene=after(turn("bo", suffer("a1")), turn("ada"), start=facing(coming())),
        attacks=BLADE_ON_ADA,
        refused=((turn("bo", suffer("a1")), "attack_not_incoming"),),
    ),
    # ---------------------------------------------------------------------------- energy
    Situation(
        title="energy for exactly one blow",
        scene=facing(bo=entrant("bo", tool(ep=7), ep=7)),
        attacks=BLADE_ON_ADA,
    ),
    Situation(
        title="one point of energy short of a blow",
        scene=facing(bo=entrant("bo", tool(ep=7), ep=6)),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "not_enough_energy"),),
    ),
    Situation(
        title="exactly enough energy once the upkeep is paid",
        scene=upkept(ep=10, cost=7),
        attacks=BLADE_ON_ADA,
        beside_attack=("aura",),
        allowed=(turn("bo", main=hit("ada", support=("aura",))),),
    ),
    Situation(
        title="one point of energy short once the upkeep is paid",
        scene=upkept(ep=9, cost=7),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "not_enough_energy"),),
    ),
    Situation(
        title="an upkeep that cannot be paid is not paid, and what there is may be spent",
        scene=upkept(ep=2, cost=2),
        attacks=BLADE_ON_ADA,
        beside_attack=("aura",),
    ),
    Situation(
        title="energy for the shield or for the blow, not for both",
        scene=facing(coming(), bo=entrant("bo", tool(ep=4), shield(ep=3), ep=6)),
        defences=[*BARE, "guard shield"],
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", guard("a1"), main=hit("ada")),),
        refused=((turn("bo", guard("a1", tool="shield"), main=hit("ada")), "not_enough_energy"),),
    ),
    Situation(
        title="one point of energy short of the shield and of what would go with it",
        scene=facing(
            coming(), bo=entrant("bo", tool(), shield(ep=5), boost("haste", QUICK, ep=5), ep=4)
        ),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        refused=(
            (turn("bo", guard("a1", tool="shield")), "not_enough_energy"),
            (turn("bo", guard("a1", support=("haste",))), "not_enough_energy"),
        ),
    ),
    Situation(
        title="energy for one of two secondary actions",
        scene=facing(
            bo=entrant("bo", tool(ep=2), boost("one", QUICK, ep=2), boost("two", QUICK, ep=2), ep=5)
        ),
        attacks=BLADE_ON_ADA,
        beside_attack=("one", "two"),
        refused=((turn("bo", main=hit("ada", support=("one", "two"))), "not_enough_energy"),),
    ),
    Situation(
        title="one guard with a shield against two attacks is paid once",
        scene=facing(coming(), coming(), bo=entrant("bo", shield(ep=5), ep=9)),
        defences=[*UNARMED, "guard shield"],
        attacks=[],
        allowed=(turn("bo", guard("a1", "a2", tool="shield")),),
        refused=(
            (
                turn("bo", guard("a1", tool="shield"), guard("a2", tool="shield")),
                "not_enough_energy",
            ),
        ),
    ),
    # ------------------------------------------------------------------------------ range
    Situation(
        title="at the very end of one's reach",
        scene=facing(bo=entrant("bo", tool(max_m=12)), metres=12),
        attacks=BLADE_ON_ADA,
        refused=((turn("bo", main=hit("ada", move=to(("ada", 13)))), "beyond_max_range"),),
    ),
    Situation(
        title="a metre out of reach",
        scene=facing(bo=entrant("bo", tool(max_m=12)), metres=13),
        attacks=[],
        allowed=(turn("bo", main=hit("ada", move=to(("ada", 12)))),),
        refused=((turn("bo", main=hit("ada")), "beyond_max_range"),),
    ),
    Situation(
        title="a metre out of reach where the board allows it",
        scene=facing(
            bo=entrant("bo", tool(max_m=12)),
            metres=13,
            **reading(beyond_max_range=BeyondRange.ALLOW),
        ),
        attacks=BLADE_ON_ADA,
    ),
    Situation(
        title="a weapon without a farthest range",
        scene=facing(metres=99_999),
        attacks=BLADE_ON_ADA,
    ),
    Situation(
        title="two opponents, one of them out of reach",
        scene=scene(
            entrant("ada"),
            entrant("bo", tool(max_m=8)),
            entrant("cy", team="ada"),
            first="bo",
            distances=(
                Distance(a="ada", b="bo", metres=8),
                Distance(a="cy", b="bo", metres=9),
                Distance(a="ada", b="cy", metres=1),
            ),
        ),
        attacks=BLADE_ON_ADA,
        refused=((turn("bo", main=hit("cy")), "beyond_max_range"),),
    ),
    # -------------------------------------------------------------------------------- aim
    Situation(
        title="an area cannot be aimed at limbs or head",
        scene=facing(bo=entrant("bo", tool("wave", attack_kind=AttackKind.AREA))),
        attacks=["wave ada body"],
        refused=((turn("bo", main=hit("ada", "wave", aim=Aim.HEAD)), "cannot_aim"),),
    ),
    Situation(
        title="nor can a total area",
        scene=facing(bo=entrant("bo", tool("wave", attack_kind=AttackKind.TOTAL_AREA))),
        attacks=["wave ada body"],
    ),
    Situation(
        title="a volley of five can",
        scene=facing(
            bo=entrant("bo", tool("darts", attack_kind=AttackKind.MULTIPLE, volley_size=5))
        ),
        attacks=["darts ada body", "darts ada limbs", "darts ada head"],
    ),
    Situation(
        title="a volley of six cannot",
        scene=facing(
            bo=entrant("bo", tool("darts", attack_kind=AttackKind.MULTIPLE, volley_size=6))
        ),
        attacks=["darts ada body"],
    ),
    Situation(
        title="an area can where the board lets it",
        scene=facing(
            bo=entrant("bo", tool("wave", attack_kind=AttackKind.AREA)),
            **reading(aimable_kinds=("targeted", "area")),
        ),
        attacks=["wave ada body", "wave ada limbs", "wave ada head"],
    ),
    Situation(
        title="an aim at the limbs names which, any other aim names none",
        scene=facing(),
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", main=hit("ada", aim=Aim.LIMBS, limb=Limb.LEGS)),),
        refused=(
            (turn("bo", main=hit("ada", aim=Aim.LIMBS)), "limb_missing"),
            (turn("bo", main=hit("ada", limb=Limb.ARMS)), "limb_without_aim"),
            (turn("bo", main=hit("ada", aim=Aim.HEAD, limb=Limb.ARMS)), "limb_without_aim"),
        ),
    ),
    # ---------------------------------------------------------------------- missing numbers
    Situation(
        title="a potential that nobody gives",
        scene=facing(bo=entrant("bo", tool(potential=None, category=Category.B))),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "potential_missing"),),
    ),
    Situation(
        title="a potential that the board's table gives",
        scene=facing(
            bo=entrant("bo", tool(potential=None, category=Category.B)),
            **supplied(potential_by_category=LEVELS),
        ),
        attacks=BLADE_ON_ADA,
    ),
    Situation(
        title="a table, but no letter to look up in it",
        scene=facing(
            bo=entrant("bo", tool(potential=None, category=None)),
            **supplied(potential_by_category=LEVELS),
        ),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "category_missing"),),
    ),
    Situation(
        title="a stat bonus that nobody gives",
        scene=facing(bo=entrant("bo", tool(stat_bonus=None, governing=Stat.STRENGTH))),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "stat_bonus_missing"),),
    ),
    Situation(
        title="a stat bonus that the board takes from the governing stat",
        scene=facing(
            bo=entrant("bo", tool(stat_bonus=None, governing=Stat.STRENGTH)),
            **supplied(stat_bonus_source=StatBonus.TOTAL_LEVEL),
        ),
        attacks=BLADE_ON_ADA,
    ),
    Situation(
        title="a stat bonus to be taken from a stat that the sheet does not name",
        scene=facing(
            bo=entrant("bo", tool(stat_bonus=None)),
            **supplied(stat_bonus_source=StatBonus.TOTAL_LEVEL),
        ),
        attacks=[],
        refused=((turn("bo", main=hit("ada")), "governing_stat_missing"),),
    ),
    Situation(
        title="a shield needs no potential, for a guard compares none",
        scene=facing(coming(), bo=entrant("bo", shield(potential=None, stat_bonus=None))),
        defences=[*UNARMED, "guard shield"],
        attacks=[],
    ),
    # ------------------------------------------------------------------- what things are for
    *(
        Situation(
            title=f"a technique that binds or freezes without a potential bonus: {effect.kind}",
            scene=facing(
                coming(),
                bo=entrant(
                    "bo",
                    tool(effects=(effect,)),
                    shield(effects=(effect,)),
                    boost("boost", effect),
                    tool("fist"),
                ),
            ),
            defences=[*UNARMED, "guard shield", *counters("fist")],
            attacks=["fist ada body", "fist ada limbs", "fist ada head"],
            refused=(
                (turn("bo", main=hit("ada")), "potential_bonus_missing"),
                (turn("bo", counter("a1")), "potential_bonus_missing"),
                (
                    turn("bo", main=hit("ada", "fist", support=("boost",))),
                    "potential_bonus_missing",
                ),
            ),
        )
        for effect in (Constraint(), StackEffect(stack=Stack.FREEZING, count=3))
    ),
    Situation(
        title="a technique whose area lacks its saturation",
        scene=facing(
            coming(),
            bo=entrant(
                "bo",
                tool(effects=(Area(),)),
                shield(effects=(Area(),)),
                boost("boost", Area()),
                tool("fist"),
            ),
        ),
        defences=[*UNARMED, *counters("fist")],
        attacks=["fist ada body", "fist ada limbs", "fist ada head"],
        refused=(
            (turn("bo", main=hit("ada")), "area_saturation_missing"),
            (turn("bo", guard("a1", tool="shield")), "area_saturation_missing"),
            (turn("bo", main=hit("ada", "fist", support=("boost",))), "area_saturation_missing"),
        ),
    ),
    Situation(
        title="each thing only for what it is for",
        scene=facing(coming(), bo=entrant("bo", tool(), shield(), boost("haste", QUICK))),
        defences=[*BARE, "guard shield"],
        attacks=BLADE_ON_ADA,
        beside_attack=("haste",),
        beside_defence=("haste",),
        refused=(
            (turn("bo", guard("a1", tool="blade")), "tool_not_for_guards"),
            (turn("bo", guard("a1", tool="axe")), "tool_not_on_sheet"),
            (turn("bo", main=hit("ada", "shield")), "tool_not_for_attacks"),
            (turn("bo", main=hit("ada", support=("shield",))), "tool_not_for_supports"),
            (turn("bo", main=hit("ada", support=("axe",))), "tool_not_on_sheet"),
        ),
    ),
    Situation(
        title="one technique for everything",
        scene=facing(coming(), bo=entrant("bo", tool("aegis", guards=True))),
        defences=[*UNARMED, "guard aegis", *counters("aegis")],
        attacks=["aegis ada body", "aegis ada limbs", "aegis ada head"],
        allowed=(turn("bo", guard("a1", tool="aegis"), main=hit("ada", "aegis")),),
    ),
    Situation(
        title="what settles on a target rides on attacks: a guard has none, a support needs one",
        scene=facing(
            coming(),
            bo=entrant(
                "bo",
                tool(),
                shield(effects=(SLOW,)),
                boost("curse", SLOW),
                boost("venom", StackEffect(stack=Stack.POISON, count=1)),
            ),
        ),
        defences=[*BARE, "guard shield"],
        attacks=BLADE_ON_ADA,
        beside_attack=("curse", "venom"),
        refused=((turn("bo", dodge("a1", support=("curse",))), "effect_needs_attack"),),
    ),
    Situation(
        title="a secondary action supports one action of the post",
        scene=facing(coming(), coming(), bo=entrant("bo", tool(), boost("haste", QUICK))),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        beside_attack=("haste",),
        beside_defence=("haste",),
        refused=(
            (turn("bo", main=hit("ada", support=("haste", "haste"))), "support_repeated"),
            (
                turn("bo", guard("a1", support=("haste",)), main=hit("ada", support=("haste",))),
                "support_repeated",
            ),
            (
                turn("bo", guard("a1", support=("haste",)), dodge("a2", support=("haste",))),
                "support_repeated",
            ),
        ),
    ),
    Situation(
        title="nothing on the sheet to act with",
        scene=facing(coming(), bo=entrant("bo", shield(guards=False))),
        defences=UNARMED,
        attacks=[],
    ),
    # ------------------------------------------------------------------------ defences, moves
    Situation(
        title="a null defence takes nothing and goes nowhere, a dodge takes no weapon",
        scene=facing(coming(), bo=entrant("bo", shield(), boost("haste", QUICK))),
        defences=[*UNARMED, "guard shield"],
        attacks=[],
        beside_defence=("haste",),
        refused=(
            (turn("bo", suffer("a1", move=to(("ada", 6)))), "null_defence_with_move"),
            (turn("bo", suffer("a1", tool="shield")), "null_defence_takes_nothing"),
            (turn("bo", suffer("a1", support=("haste",))), "null_defence_takes_nothing"),
            (turn("bo", dodge("a1", tool="shield")), "takes_no_tool"),
            (
                turn("bo", Defence(action=Action.UNBALANCE, against=("a1",), tool="shield")),
                "takes_no_tool",
            ),
        ),
    ),
    Situation(
        title="a dodge reaches as many metres as Dexterity",
        scene=facing(coming(), metres=20),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(
            turn("bo", dodge("a1", move=to(("ada", 30)))),
            turn("bo", dodge("a1", move=to(("ada", 10)))),
            turn("bo", guard("a1", move=to(("ada", 500)))),
        ),
        refused=(
            (turn("bo", dodge("a1", move=to(("ada", 31)))), "dodge_too_far"),
            (turn("bo", dodge("a1", move=to(("ada", 9)))), "dodge_too_far"),
        ),
    ),
    Situation(
        title="a dodge reaches half as many where the board says so",
        scene=facing(coming(), metres=20, **reading(dodge_metres_per_dexterity=Fraction(1, 2))),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", dodge("a1", move=to(("ada", 25)))),),
        refused=((turn("bo", dodge("a1", move=to(("ada", 26)))), "dodge_too_far"),),
    ),
    Situation(
        title="a maimed leg shortens a dodge",
        scene=facing(
            coming(),
            bo=entrant("bo", stacks=(StackCount(stack=Stack.MAIM_ARTICULAR, count=2),)),
            metres=20,
        ),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", dodge("a1", move=to(("ada", 24)))),),
        refused=((turn("bo", dodge("a1", move=to(("ada", 25)))), "dodge_too_far"),),
    ),
    Situation(
        title="a dodge does not end behind the opponent, a guard and an attack may",
        scene=facing(coming()),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(
            turn("bo", guard("a1", move=to(("ada", 5), behind=("ada",)))),
            turn("bo", main=hit("ada", move=to(("ada", 5), behind=("ada",)))),
        ),
        refused=((turn("bo", dodge("a1", move=to(("ada", 5), behind=("ada",)))), "dodge_behind"),),
    ),
    Situation(
        title="a move names others, each once, and stands behind those it names",
        scene=three(coming()),
        defences=BARE,
        attacks=[*BLADE_ON_ADA, "blade cy body", "blade cy limbs", "blade cy head"],
        allowed=(turn("bo", guard("a1", move=to(("ada", 6), ("cy", 4)))),),
        refused=(
            (turn("bo", guard("a1", move=to(("bo", 6)))), "move_unknown_combatant"),
            (turn("bo", guard("a1", move=to(("dan", 6)))), "move_unknown_combatant"),
            (turn("bo", guard("a1", move=to(("ada", 6), ("ada", 7)))), "move_repeated"),
            (turn("bo", main=hit("ada", move=to(("ada", 6), behind=("cy",)))), "behind_not_moved"),
        ),
    ),
    # ---------------------------------------------------------------------- targets, claims
    Situation(
        title="a defeated opponent is no target",
        scene=after(
            by_master(Withdraw, combatant="ada", standing=Standing.DEFEATED), start=three()
        ),
        attacks=["blade cy body", "blade cy limbs", "blade cy head"],
        refused=((turn("bo", main=hit("ada")), "target_not_opponent"),),
    ),
    Situation(
        title="what flew from one who left comes in no more",
        scene=after(
            by_master(Withdraw, combatant="ada", standing=Standing.LEFT), start=three(coming())
        ),
        attacks=["blade cy body", "blade cy limbs", "blade cy head"],
        refused=((turn("bo", guard("a1")), "attack_not_incoming"),),
    ),
    Situation(
        title="one's own side is no target",
        scene=three(first="cy"),
        seat="cy",
        attacks=BLADE_ON_BO,
        refused=((turn("cy", main=hit("ada")), "target_not_opponent"),),
    ),
    Situation(
        title="a claim is made once, and not about a place already held",
        scene=facing(**behind("bo", "ada")),
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", main=hit("ada", claims=(Claim.SURPRISE,))),),
        refused=(
            (
                turn("bo", main=hit("ada", claims=(Claim.SURPRISE, Claim.SURPRISE))),
                "claim_repeated",
            ),
            (turn("bo", main=hit("ada", claims=(Claim.FROM_BEHIND,))), "claim_already_counted"),
        ),
    ),
    Situation(
        title="the place behind is held by the other one, so it may be claimed",
        scene=facing(behind=(Behind(who="ada", whom="bo"),)),
        attacks=BLADE_ON_ADA,
        allowed=(
            turn("bo", main=hit("ada", claims=(Claim.FROM_BEHIND,))),
            turn("bo", main=hit("ada", claims=(Claim.SURPRISE, Claim.FROM_BEHIND))),
        ),
    ),
    # ------------------------------------------------------- parry, unbalance, counterattacks
    Situation(
        title="something to parry with, which may guard too and is no weapon",
        scene=facing(coming(), bo=entrant("bo", shield("buckler", parries=True))),
        defences=[*UNARMED, "guard buckler", "parry buckler"],
        attacks=[],
        allowed=(turn("bo", parry("a1", tool="buckler", move=to(("ada", 9)))),),
        refused=(
            (turn("bo", parry("a1")), "tool_needed"),
            (turn("bo", counter("a1", "buckler")), "tool_not_for_attacks"),
            (turn("bo", parry("a1", tool="buckler", then=Continuation())), "nothing_continues"),
        ),
    ),
    Situation(
        title="nothing compares powers without a letter",
        scene=facing(
            coming(), bo=entrant("bo", shield("buckler", guards=False, parries=True, category=None))
        ),
        defences=UNARMED,
        attacks=[],
        refused=((turn("bo", parry("a1", tool="buckler")), "category_missing"),),
    ),
    Situation(
        title="an arrow cannot be unbalanced",
        scene=facing(coming(), ada=entrant("ada", tool(form=AttackForm.PROJECTILE))),
        defences=[one for one in BARE if one != "unbalance"],
        attacks=BLADE_ON_ADA,
        refused=((turn("bo", unbalance("a1")), "unbalance_needs_melee"),),
    ),
    Situation(
        title="the Master ruled that there is no direct counterattack against it",
        scene=after(
            by_master(Adequacy, attack="a1", defence=Action.DIRECT_COUNTERATTACK, adequate=False),
            start=facing(coming()),
        ),
        defences=[*UNARMED, "counterattack blade"],
        attacks=BLADE_ON_ADA,
        refused=(
            (turn("bo", counter("a1", action=Action.DIRECT_COUNTERATTACK)), "direct_not_possible"),
        ),
    ),
    Situation(
        title="a counterattack is the main action, may meet several, and says where it goes on",
        scene=three(coming(), coming(by="cy")),
        defences=BARE,
        attacks=[*BLADE_ON_ADA, "blade cy body", "blade cy limbs", "blade cy head"],
        allowed=(
            turn("bo", counter("a1"), counter("a2")),
            turn("bo", counter("a1", "blade", "a2")),
            turn("bo", counter("a1", "blade", "a2", then=Continuation(toward="cy"))),
            turn("bo", counter("a1", then=Continuation(aim=Aim.HEAD, first=True))),
            turn("bo", counter("a1", then=Continuation(claims=(Claim.SURPRISE,)))),
        ),
        refused=(
            (turn("bo", counter("a1"), main=hit("ada")), "counter_is_main_action"),
            (turn("bo", counter("a1"), main=Preparation()), "counter_is_main_action"),
            (turn("bo", counter("a1", then=Continuation(toward="cy"))), "toward_not_met"),
            (turn("bo", counter("a1", then=Continuation(aim=Aim.LIMBS))), "limb_missing"),
            (turn("bo", counter("a1", then=Continuation(limb=Limb.ARMS))), "limb_without_aim"),
            (
                turn("bo", counter("a1", then=Continuation(claims=(Claim.SURPRISE,) * 2))),
                "claim_repeated",
            ),
            (
                turn(
                    "bo",
                    Defence(action=Action.GENERIC_COUNTERATTACK, against=("a1",), tool="blade"),
                ),
                "wrong_answer",
            ),
        ),
    ),
    Situation(
        title="a counterattack reaches as far as its attack",
        scene=facing(coming(), bo=entrant("bo", tool(max_m=8)), metres=8),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", counter("a1", move=to(("ada", 7)))),),
        refused=((turn("bo", counter("a1", move=to(("ada", 9)))), "beyond_max_range"),),
    ),
    Situation(
        title="the board frees the main action beside a counterattack",
        scene=facing(coming(), **reading(annulled_counter_frees_main_action=True)),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", counter("a1"), main=hit("ada")),),
    ),
    # ------------------------------------------------------- independents, generic actions
    Situation(
        title="an independent secondary action names an attack that comes in",
        scene=facing(coming(), bo=entrant("bo", tool(), boost("haste", QUICK))),
        defences=BARE,
        attacks=BLADE_ON_ADA,
        beside_attack=("haste",),
        beside_defence=("haste",),
        allowed=(
            turn("bo", independents=(Independent(tool="haste", against="a1"),)),
            turn("bo", guard("a1"), independents=(Independent(tool="haste", against="a1"),)),
        ),
        refused=(
            (
                turn("bo", independents=(Independent(tool="haste", against="a9"),)),
                "attack_not_incoming",
            ),
            (
                turn("bo", independents=(Independent(tool="blade", against="a1"),)),
                "tool_not_for_supports",
            ),
            (
                turn("bo", independents=(Independent(tool="haste", against="a1"),) * 2),
                "support_repeated",
            ),
            (
                turn(
                    "bo",
                    guard("a1", support=("haste",)),
                    independents=(Independent(tool="haste", against="a1"),),
                ),
                "support_repeated",
            ),
        ),
    ),
    Situation(
        title="a preparation goes with one quick thing or tonics, and as far as Dexterity",
        scene=facing(
            bo=entrant(
                "bo",
                boost("tonic", QUICK, secondary=Secondary.TONIC),
                boost("brew", QUICK, secondary=Secondary.TONIC),
                boost("trap", QUICK, secondary=Secondary.TRAP),
                boost("quick", QUICK),
                boost("surge", QUICK, secondary=Secondary.BOOST_TECHNIQUE),
            )
        ),
        attacks=[],
        allowed=(
            turn("bo", main=Preparation()),
            turn("bo", main=Preparation(support=("tonic", "brew"))),
            turn("bo", main=Preparation(support=("surge",), move=to(("ada", 15)))),
        ),
        refused=(
            (turn("bo", main=Preparation(support=("quick",))), "not_with_preparation"),
            (turn("bo", main=Preparation(support=("tonic", "surge"))), "one_with_preparation"),
            (turn("bo", main=Preparation(move=to(("ada", 16)))), "preparation_too_far"),
        ),
    ),
    Situation(
        title="a movement goes as far as it likes, or as the board says",
        scene=facing(**reading(movement_metres_per_dexterity=Fraction(2))),
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", main=Movement(move=to(("ada", 25)))),),
        refused=((turn("bo", main=Movement(move=to(("ada", 26)))), "movement_too_far"),),
    ),
    Situation(
        title="a main heal is no secondary action, and heals somebody who fights",
        scene=facing(
            bo=entrant(
                "bo", tool("balm", effects=(Heal(),), attacks=False, generic=True, supports=True)
            )
        ),
        attacks=[],
        allowed=(
            turn("bo", main=Generic(tool="balm")),
            turn("bo", main=Generic(tool="balm", beneficiary="ada")),
            turn("bo", loose=("balm",)),
        ),
        refused=(
            (turn("bo", main=Generic(tool="balm", beneficiary="cy")), "unknown_combatant"),
            (
                turn("bo", main=Movement(move=to(("ada", 9)), support=("balm",))),
                "heal_is_main_action",
            ),
        ),
    ),
    Situation(
        title="loose secondary actions take the place of a main action, not beside one",
        scene=facing(bo=entrant("bo", tool(), boost("one", QUICK), boost("two", QUICK))),
        attacks=BLADE_ON_ADA,
        beside_attack=("one", "two"),
        allowed=(turn("bo", loose=("one",)), turn("bo", loose=("one", "two"))),
        refused=(
            (turn("bo", loose=("one",), main=hit("ada")), "loose_beside_main"),
            (turn("bo", loose=("one", "one")), "support_repeated"),
            (turn("bo", loose=("blade",)), "tool_not_for_generic"),
        ),
    ),
    Situation(
        title="a generic action may be countered, and by nothing else",
        scene=post(scene(), turn("ada", main=Movement(move=to(("bo", 20)))), 6).state,
        defences=["generic_counterattack blade"],
        attacks=BLADE_ON_ADA,
        allowed=(turn("bo", counter("g1", action=Action.GENERIC_COUNTERATTACK)),),
        refused=(
            (turn("bo", guard("g1")), "wrong_answer"),
            (
                turn("bo", counter("g1", action=Action.GENERIC_COUNTERATTACK), main=hit("ada")),
                "counter_is_main_action",
            ),
        ),
    ),
    Situation(
        title="a generic action opens no Defensive Phase where the board says so",
        scene=post(
            scene(**reading(generic_action_opens_defensive_phase=False)),
            turn("ada", main=Movement(move=to(("bo", 20)))),
            6,
        ).state,
        attacks=BLADE_ON_ADA,
        refused=(
            (turn("bo", counter("g1", action=Action.GENERIC_COUNTERATTACK)), "attack_not_incoming"),
        ),
    ),
]


def sayable_defences(at: Situation) -> Iterator[tuple[str, Turn]]:
    """Go through all defences that words can say against the first attack (or one that is not)."""
    coming_in = at.scene.against(at.seat)
    countered = at.scene.counterable(at.seat)
    attack = coming_in[0].id if coming_in else countered[0].id if countered else "a1"
    tools = [None, *(tool.id for tool in at.scene.who(at.seat).sheet.tools)]
    for action, used in product(Action, tools):
        words = action.value if used is None else f"{action.value} {used}"
        yield words, turn(at.seat, Defence(action=action, against=(attack,), tool=used))


def sayable_attacks(at: Situation) -> Iterator[tuple[str, Turn]]:
    """Go through all attacks that words can say."""
    tools = [tool.id for tool in at.scene.who(at.seat).sheet.tools]
    fighters = [one.id for one in at.scene.combatants]
    for used, target, aim in product(tools, fighters, Aim):
        limb = Limb.ARMS if aim is Aim.LIMBS else None
        yield f"{used} {target} {aim}", turn(at.seat, main=hit(target, used, aim=aim, limb=limb))


def beside(at: Situation, what: str) -> Iterator[tuple[str, Turn]]:
    """Go through everything on the sheet, beside the first legal attack or a bare guard."""
    for used in at.scene.who(at.seat).sheet.tools:
        if what == "defence" and at.scene.against(at.seat):
            first = at.scene.against(at.seat)[0].id
            yield used.id, turn(at.seat, guard(first, support=(used.id,)))
        if what == "attack" and at.attacks:
            tool, target, _ = at.attacks[0].split()
            yield used.id, turn(at.seat, main=hit(target, tool, support=(used.id,)))


OPEN = [at for at in TABLE if not at.closed]
SHUT = [at for at in TABLE if at.closed]


def titles(situations: list[Situation]) -> list[str]:
    """Name situations by their titles."""
    return [at.title for at in situations]


def test_there_are_at_least_forty_situations_each_with_its_own_title() -> None:
    assert len(set(titles(TABLE))) == len(TABLE) >= 40


@pytest.mark.parametrize("at", SHUT, ids=titles(SHUT))
def test_a_closed_turn_offers_nothing_and_says_why(at: Situation) -> None:
    offered = GUIDA.choices(at.scene, at.seat)
    assert codes(offered.obstacles) == set(at.closed)
    assert (offered.defences, offered.attacks, offered.support) == ((), (), ())
    assert "turn" not in offered.orders
    assert set(at.closed) <= refusals(at.scene, turn(at.seat))
    assert at.seat not in GUIDA.awaits(at.scene).seats


@pytest.mark.parametrize("at", OPEN, ids=titles(OPEN))
def test_the_form_offers_exactly_what_is_legal(at: Situation) -> None:
    offered = GUIDA.choices(at.scene, at.seat)
    assert offered.obstacles == ()
    assert GUIDA.awaits(at.scene).seats == (at.seat,)
    assert offered.orders[0] == "turn"
    defences = {  # a counterattack is offered once for each opponent
        f"{choice.action} {used}" if used else choice.action.value
        for choice in offered.defences
        for used in (*([""] if choice.bare else []), *(tool.id for tool in choice.tools))
    }
    assert sorted(defences) == sorted(at.defences or [])
    attacks = [
        f"{choice.tool.id} {choice.target} {aim}"
        for choice in offered.attacks
        if choice.in_range
        for aim in choice.aims
    ]
    assert sorted(attacks) == sorted(at.attacks or [])


@pytest.mark.parametrize("at", OPEN, ids=titles(OPEN))
def test_the_rules_accept_of_all_that_can_be_said_exactly_what_is_legal(at: Situation) -> None:
    accepted = [
        words for words, order in sayable_defences(at) if GUIDA.check(at.scene, order) == ()
    ]
    assert sorted(accepted) == sorted(at.defences or [])
    accepted = [words for words, order in sayable_attacks(at) if GUIDA.check(at.scene, order) == ()]
    assert sorted(accepted) == sorted(at.attacks or [])


@pytest.mark.parametrize("at", OPEN, ids=titles(OPEN))
def test_secondary_actions_go_with_what_they_may_support(at: Situation) -> None:
    offered = GUIDA.choices(at.scene, at.seat)
    if at.attacks:
        legal = [
            words for words, order in beside(at, "attack") if refusals(at.scene, order) == set()
        ]
        assert sorted(legal) == sorted(at.beside_attack)
        assert sorted(tool.id for tool in offered.support) == sorted(at.beside_attack)
    legal = [words for words, order in beside(at, "defence") if refusals(at.scene, order) == set()]
    assert sorted(legal) == sorted(at.beside_defence)
    for choice in offered.defences:
        takes = () if choice.action is Action.NULL_DEFENCE else at.beside_defence
        assert sorted(tool.id for tool in choice.support) == sorted(takes)


@pytest.mark.parametrize("at", OPEN, ids=titles(OPEN))
def test_whole_posts_are_allowed_or_refused_for_the_reason_given(at: Situation) -> None:
    for order in at.allowed:
        assert refusals(at.scene, order) == set()
    for order, code in at.refused:
        assert code in refusals(at.scene, order)


def test_a_stranger_to_the_scene_may_post_nothing() -> None:
    assert refusals(scene(), turn("dan")) == {"unknown_combatant"}
    assert GUIDA.choices(scene(), "dan").orders == ()


def test_a_seat_that_is_none_may_give_no_order() -> None:
    assert GUIDA.choices(scene(), "spectator").orders == ()
    assert "master_only" in refusals(scene(), Pause(by="spectator", reason="why not"))


def test_the_master_is_offered_what_can_be_ruled_now() -> None:
    assert set(GUIDA.choices(scene(), "gm").orders) == {
        "place",
        "manual",
        "set_value",
        "impact",
        "join",
        "turn_order",
        "pause",
        "close",
        "withdraw",
        "replace_sheet",
    }
    assert {"answer", "adequacy"} <= set(GUIDA.choices(CLAIMED, "gm").orders)
    paused = rule(scene(), by_master(Pause)).state
    assert "resume" in GUIDA.choices(paused, "gm").orders
    assert "pause" not in GUIDA.choices(paused, "gm").orders
    assert GUIDA.choices(rule(scene(), by_master(Close)).state, "gm").orders == ()


def test_an_attack_is_no_defence() -> None:
    order = turn("bo", Defence(action=Action.ATTACK, against=("a1",)))
    assert refusals(facing(coming()), order) == {"not_a_defence"}


def test_a_technique_too_dear_for_now_is_told_and_not_hidden() -> None:
    # A form from which a technique silently vanishes looks broken: NotNow says why.
    poor = facing(bo=entrant("bo", tool(ep=7), ep=6))
    (told,) = GUIDA.choices(poor, "bo").not_now
    assert (told.id, codes(told.why)) == ("blade", {"not_enough_energy"})
