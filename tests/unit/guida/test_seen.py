"""What a view leaves out of those in sight: who is behind what they bear (GC-9.1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.findings import Question
from app.engine.ruleset import GM, SPECTATOR
from app.rulesets.guida.bonds import end_bond
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Generic
from app.rulesets.guida.sheet import Constraint, Heal, StatPoints
from app.rulesets.guida.state import Scene
from app.rulesets.guida.terms import Bearer, Bind, Stat
from tests.unit.guida.build import entrant, hit, post, scene, suffer, tool, turn
from tests.unit.guida.build_stealth import hiding

NET = Constraint(binds=(Bind.ARM_BLOCK,), max_range_m=30, deals_damage=True)
VENOM = StatPoints(stat=Stat.STRENGTH, points=-2, turns=3, on=Bearer.TARGET)


def struck_from_hiding() -> Scene:
    """Let Bo strike and bind Cy, who answers, and be hidden from everybody after that."""
    blow = tool("net", potential_bonus=4, effects=(NET, VENOM))
    bo = entrant("bo", blow)
    made = scene(entrant("ada", tool()), bo, entrant("cy", tool()), first="bo")
    made = post(made, turn("bo", main=hit("cy", "net")), 6).state
    made = post(replace(made, next="cy"), turn("cy", suffer("a1"))).state
    return hiding(made, ("bo", "ada"), ("bo", "cy"))


@pytest.mark.parametrize("seat", ["ada", SPECTATOR])
def test_who_struck_or_bound_another_is_not_told_while_it_is_hidden(seat: str) -> None:
    made = struck_from_hiding()
    (cy,) = (one for one in GUIDA.view(made, seat).combatants if one.id == "cy")
    (real,) = (one for one in GUIDA.view(made, GM).combatants if one.id == "cy")
    (bond,), (effect,) = cy.bonds, cy.effects
    assert (bond.user, bond.binds, bond.max_range_m) == ("", (Bind.ARM_BLOCK,), None)
    assert (effect.user, effect.tool, effect.effect) == ("", "", VENOM)
    assert cy.bond_value is None
    assert real.bond_value is not None
    assert {line.poster for line in real.lines} == {"bo"}
    for line, whole in zip(cy.lines, real.lines, strict=True):
        assert (line.poster, line.working, line.attack) == (None, None, None)
        kept = (line.id, line.change, line.amount, line.name, line.posted)
        assert kept == (whole.id, whole.change, whole.amount, whole.name, whole.posted)
    assert cy.hp_now == real.hp_now


def test_whoever_was_struck_by_somebody_hidden_knows_what_it_suffers() -> None:
    made = struck_from_hiding()
    (cy,) = (one for one in GUIDA.view(made, "cy").combatants if one.id == "cy")
    (real,) = (one for one in GUIDA.view(made, GM).combatants if one.id == "cy")
    assert cy.bond_value == real.bond_value
    assert cy.bonds == (replace(real.bonds[0], user=""),)
    assert cy.lines == tuple(replace(line, poster=None) for line in real.lines)


def test_who_ended_a_bond_or_healed_is_not_told_by_the_sum() -> None:
    made = struck_from_hiding()
    made = end_bond(made, "cy", made.who("cy").bonds[0].id)[0]
    for seat, told in (("ada", False), ("cy", True), (GM, True)):
        (cy,) = (one for one in GUIDA.view(made, seat).combatants if one.id == "cy")
        (line,) = (one for one in cy.lines if one.key == "bond_ends")
        assert (line.working is not None) is told


def test_whom_a_generic_action_is_for_is_not_told_of_somebody_hidden() -> None:
    balm = tool("balm", attacks=False, generic=True, effects=(Heal(),))
    bo, cy = entrant("bo", balm), entrant("cy", tool(), team="bo")
    made = scene(entrant("ada", tool()), bo, cy, first="bo")
    made = post(made, turn("bo", main=Generic(tool="balm", beneficiary="cy")), 6).state
    made = hiding(made, ("cy", "ada"))
    for seat, whom in (("ada", ""), ("bo", "cy"), (GM, "cy")):
        (pending,) = GUIDA.view(made, seat).pending
        assert pending.action.beneficiary == whom


def test_whom_a_question_keeps_waiting_is_not_told_of_somebody_hidden() -> None:
    made = scene(entrant("ada", tool()), entrant("bo", tool()), entrant("cy", tool()))
    made = hiding(made, ("cy", "ada"))
    asked = Question("q", "GC-4.28", "target_in_reach", ("yes", "no"), by="bo", blocks=("bo", "cy"))
    made = replace(made, questions=(asked,))
    for seat, blocks in (("ada", ("bo",)), ("bo", ("bo", "cy"))):
        (told,) = GUIDA.view(made, seat).questions
        assert told.blocks == blocks
