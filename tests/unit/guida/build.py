"""Two fighters and a scene for them, in as few words as a test can do with.

Every number has a round default: blade 20 + 10 against Constitution 10 does 20 damage, Dexterity is
10 on both sides, and 5 metres are the optimal range of everything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from app.engine.dice import Address, RecordedDice, Roll, ScriptedDice
from app.engine.findings import Finding, Obstacle, Violation
from app.engine.ruleset import GM, Resolution
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.entrants import Entrant
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.orders import (
    Attack,
    Defence,
    Main,
    Order,
    Turn,
)
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Move,
    Reach,
)
from app.rulesets.guida.plan import MAIN_PLACE
from app.rulesets.guida.setup import check_setup, start
from app.rulesets.guida.sheet import Armour, Sheet, Stats, Tool
from app.rulesets.guida.state import (
    Scene,
    Setup,
    Underway,
)
from app.rulesets.guida.terms import Action, Category, Change

SIDES = {Action.GUARD: 24, Action.DODGE: 12}


def tool(id: str = "blade", **more: Any) -> Tool:
    """Make a weapon or technique: an attack of power 20 + 10 for nothing, unless told otherwise."""
    given = {
        "name": id.title(),
        "category": Category.B,
        "potential": 20,
        "stat_bonus": 10,
        "attacks": True,
        **more,
    }
    return Tool(id=id, **given)


def shield(id: str = "shield", **more: Any) -> Tool:
    """Make something that only guards."""
    return tool(id, **{"attacks": False, "guards": True, **more})


def boost(id: str = "boost", *effects: Any, **more: Any) -> Tool:
    """Make a secondary action with these effects."""
    return tool(id, **{"attacks": False, "supports": True, "effects": tuple(effects), **more})


def sheet(name: str, *tools: Tool, armour: int | None = None, **more: Any) -> Sheet:
    """Make a sheet: 100 hp, 50 ep, every stat 10."""
    stats = Stats(strength=10, dexterity=10, constitution=10, intelligence=10)
    worn = None if armour is None else Armour(name="Mail", potential=armour)
    given = {"max_hp": 100, "max_ep": 50, "stats": stats, "armour": worn, **more}
    return Sheet(name=name, tools=tools, **given)


def entrant(id: str, *tools: Tool, **more: Any) -> Entrant:
    """Make an entrant; what a sheet has goes to the sheet, the rest to the entrant."""
    own = {"hp", "ep", "stacks", "uses", "armour_down", "team"}
    kept = {key: value for key, value in more.items() if key in own}
    written = {key: value for key, value in more.items() if key not in own}
    return Entrant(
        id=id, **{"team": id, "sheet": sheet(id.title(), *(tools or (tool(),)), **written), **kept}
    )


def setup(*entrants: Entrant, metres: int = 5, **more: Any) -> Setup:
    """Put entrants at the same distance from one another."""
    ids = [one.id for one in entrants]
    pairs = [(a, b) for place, a in enumerate(ids) for b in ids[place + 1 :]]
    distances = tuple(Distance(a=a, b=b, metres=metres) for a, b in pairs)
    made = Setup(**{"entrants": entrants, "distances": distances, **more})
    assert check_setup(made) == ()
    return made


def scene(*entrants: Entrant, metres: int = 5, **more: Any) -> Scene:
    """Start a scene of Ada and Bo, or of those who are named."""
    return start(setup(*(entrants or (entrant("ada"), entrant("bo"))), metres=metres, **more))


def coming(
    die: int = 6, modifier: int = 4, at: str = "bo", by: str = "ada", **more: Any
) -> Underway:
    """Have an attack on its way: hit score 10 with the blade, against Bo."""
    return Underway(attacker=by, target=at, die=die, modifier=modifier, **{"tool": "blade", **more})


def reading(**options: Any) -> dict[str, Any]:
    """Give options as a scene takes them."""
    return {"options": Options(**options)}


def supplied(**regulation: Any) -> dict[str, Any]:
    """Give a board's regulation as a scene takes it."""
    return {"regulation": Regulation(**regulation)}


def behind(who: str, whom: str) -> dict[str, Any]:
    """Put one behind another as a scene takes it."""
    return {"behind": (Behind(who=who, whom=whom),)}


def to(*reaches: tuple[str, int], behind: tuple[str, ...] = ()) -> Move:
    """Make a move by the distances it ends at."""
    return Move(
        distances=tuple(Reach(to=id, metres=metres) for id, metres in reaches), behind=behind
    )


def hit(target: str = "bo", tool: str = "blade", **more: Any) -> Attack:
    """Attack with the blade, aimed at the body."""
    return Attack(target=target, tool=tool, **more)


def guard(*against: str, **more: Any) -> Defence:
    """Guard against attacks."""
    return Defence(action=Action.GUARD, against=against, **more)


def dodge(*against: str, **more: Any) -> Defence:
    """Dodge attacks."""
    return Defence(action=Action.DODGE, against=against, **more)


def suffer(*against: str, **more: Any) -> Defence:
    """Suffer attacks with a null defence."""
    return Defence(action=Action.NULL_DEFENCE, against=against, **more)


def parry(*against: str, **more: Any) -> Defence:
    """Parry attacks; what with is told by name."""
    return Defence(action=Action.PARRY, against=against, **more)


def unbalance(*against: str, **more: Any) -> Defence:
    """Unbalance the attacker."""
    return Defence(action=Action.UNBALANCE, against=against, **more)


def counter(
    attack: str, tool: str = "blade", *also: str, action: Action = Action.COUNTERATTACK, **more: Any
) -> Defence:
    """Counterattack with the blade, unless told otherwise."""
    return Defence(action=action, against=(attack, *also), tool=tool, **more)


def turn(by: str, *defences: Defence, main: Main | None = None, **more: Any) -> Turn:
    """Write a post."""
    return Turn(by=by, defences=defences, main=main, **more)


def refusals(scene: Scene, order: Order) -> set[str]:
    """Give the codes of everything that stands in the way."""
    return codes(GUIDA.check(scene, order))


def codes(obstacles: Iterable[Obstacle]) -> set[str]:
    """Give the codes of obstacles, each of which names an existing rule."""
    assert all(isinstance(one, Violation) or one.choices for one in obstacles)
    return {one.code for one in obstacles}


def post(scene: Scene, order: Turn, *faces: int) -> Resolution[Scene]:
    """Post a legal turn; the faces are those of its dice in their order, all of them needed."""
    assert GUIDA.check(scene, order) == ()
    asked = GUIDA.plan(scene, order).asked
    assert len(faces) == len(asked), [one.action for one in asked]
    rolls = (Roll(one.address, one.sides, face) for one, face in zip(asked, faces, strict=True))
    dice = ScriptedDice({roll.address: roll for roll in rolls})
    done = GUIDA.resolve(scene, order, dice)
    assert dice.leftovers() == ()
    return done


def post_any(scene: Scene, order: Turn, *faces: int) -> Resolution[Scene]:
    """Post a legal turn some of whose dice may be of actions that are never carried out."""
    assert GUIDA.check(scene, order) == ()
    rolls = tuple(
        Roll(one.address, one.sides, face)
        for one, face in zip(GUIDA.plan(scene, order).asked, faces, strict=True)
    )
    return GUIDA.resolve(scene, order, RecordedDice(rolls))


def rule(scene: Scene, order: Order) -> Resolution[Scene]:
    """Give a legal order that is no turn."""
    assert GUIDA.check(scene, order) == ()
    return GUIDA.resolve(scene, order, RecordedDice(()))


def found(findings: Iterable[Finding], key: str) -> list[Mapping[str, Any]]:
    """List the facts of the findings of one key."""
    return [finding.facts for finding in findings if finding.key == key]


def one(findings: Iterable[Finding], key: str) -> Mapping[str, Any]:
    """Give the facts of the only finding of a key."""
    (facts,) = found(findings, key)
    return facts


def keys(findings: Iterable[Finding]) -> set[str]:
    """Give the keys found."""
    return {finding.key for finding in findings}


def due(scene: Scene, id: str, change: Change = Change.HP) -> list[int]:
    """List the amounts of one kind that a combatant has yet to record."""
    return [line.amount for line in lines(scene, id) if line.change is change]


def lines(scene: Scene, id: str) -> tuple[Line, ...]:
    """List what a combatant has yet to record."""
    return scene.who(id).lines


def with_options(scene: Scene, **options: Any) -> Scene:
    """Change the readings of a scene."""
    return replace(scene, options=replace(scene.options, **options))


def by_master(order: type[Any], **more: Any) -> Any:
    """Write an order of the Master, with a reason."""
    return order(by=GM, **{"reason": "so ruled", **more})


def main_roll(face: int) -> Roll:
    """Give the die of a main action."""
    return Roll(Address(MAIN_PLACE), 12, face)
