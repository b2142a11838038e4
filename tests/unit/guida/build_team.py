"""Ada against a team: Bo, Cy and Dan, each with a blade that attacks, parries and guards.

Ada's blow on several comes with die + 2 (distance) − 2 (several targets) + 10: a die of 6 makes 16.
"""

from __future__ import annotations

from typing import Any

from app.engine.ruleset import GM
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.orders import (
    Defence,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.sheet import Tool
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.terms import Action
from tests.unit.guida.build import entrant, hit, post, rule, scene, to, tool, turn


def fit(id: str = "blade", **more: Any) -> Tool:
    """Make a blade that serves for everything."""
    return tool(id, **{"parries": True, "guards": True, **more})


def mate(id: str, *tools: Tool, **more: Any) -> Entrant:
    """Make one of the team."""
    return entrant(id, *(tools or (fit(),)), team="day", **more)


def team(*others: Entrant, blow: Tool | None = None, **more: Any) -> Scene:
    """Put Ada before Bo and Cy, or before those who are named; she posts first."""
    mates = others or (mate("bo"), mate("cy"))
    return scene(entrant("ada", blow or fit()), *mates, **{"first": "ada", **more})


def swing(start: Scene, *targets: str, die: int = 6, sure: bool = True, **more: Any) -> Scene:
    """Attack several at once; the Master finds that one action reaches them all."""
    order = turn("ada", main=hit(targets[0], also=targets[1:], **more))
    after = post(start, order, die).state
    return answered(after, "target_in_reach", "confirm") if sure else after


def answered(start: Scene, code: str, choice: str) -> Scene:
    """Let the Master answer every question of one kind alike."""
    for asked in start.questions:
        if asked.code == code and asked in start.questions:
            order = Answer(by=GM, question=asked.id, choice=choice, reason="so ruled")
            start = rule(start, order).state
    return start


def asked(start: Scene) -> list[str]:
    """List the kinds of questions that wait for the Master."""
    return [one.code for one in start.questions]


def blow_at(start: Scene, id: str) -> str:
    """Give the id of the only attack on its way to somebody."""
    (attack,) = start.against(id)
    return attack.id


def protect(action: Action, *attacks: str, move: Move | None = None, **more: Any) -> Defence:
    """Meet what comes at an ally, beside whom one steps."""
    return Defence(action=action, against=attacks, move=move, **more)


def beside(ally: str, metres: int = 5) -> Move:
    """Step so near an ally."""
    return to((ally, metres))


def lost(start: Scene, id: str) -> int:
    """Give the hit points that somebody is to lose."""
    who = start.who(id)
    return who.hp - who.hp_now
