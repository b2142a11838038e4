"""What the worked cases of the toy ask: to play throws with dice that are given."""

from __future__ import annotations

from collections.abc import Mapping

from app.engine.dice import RecordedDice, Roll
from app.ops.given import Given, InputRefused
from tests.support.toy.game import TOY, Throw, toy_setup


def throws(given: Given) -> Mapping[str, object]:
    """Play throw after throw; each list of ``faces`` is one throw of whoever is next."""
    names = [str(one) for one in given.items("throwers")]
    state = TOY.start(toy_setup(*names, target=given.whole("target", 6)))
    for one in given.parts("throws"):
        faces = one.wholes("faces")
        order = Throw(by=state.throwers[state.next].id, times=len(faces))
        if obstacles := TOY.check(state, order):
            raise InputRefused(*(obstacle.code for obstacle in obstacles))
        asked = TOY.plan(state, order).asked
        rolls = (Roll(die.address, die.sides, face) for die, face in zip(asked, faces, strict=True))
        state = TOY.resolve(state, order, RecordedDice(tuple(rolls))).state
    return {"sums": list(state.sums), "winner": state.winner}


TOY_OPS = {"throws": throws}
