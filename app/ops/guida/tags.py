"""Chapter 4, dice in the post: what a tag says, and which rolls a post needs."""

from __future__ import annotations

from app.ops.given import CaseError, Given
from app.ops.guida.scenes import (
    ATTACKER,
    DEFENDER,
    REPLY,
    arriving,
    duel,
    fighter,
    read_rules,
    refuse,
    tool,
)
from app.posts.dice_tag import read_tag
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Attack, Defence, Turn
from app.rulesets.guida.terms import Action


def dice_tag(given: Given) -> dict[str, object]:
    """Read one dice tag and hold it against its label (GC-4.85 to GC-4.87)."""
    tag = read_tag(given.text("tag"))
    return {
        "count": tag.count,
        "faces": tag.faces,
        "declared_modifier": tag.declared_modifier,
        "action_name": tag.action_name,
        "items": tag.items,
        "actor": tag.actor,
        "targets": tag.targets,
        "factors": [{"value": one.value, "source": one.source} for one in tag.factors],
        "listed_modifier": tag.listed_modifier,
        "issues": tag.issues,
    }


def roll_count(given: Given) -> dict[str, object]:
    """Ask the turn engine which actions of a post need a die (GC-4.83)."""
    names: dict[str, list[str]] = {}
    blows, defences, main = [], [], None
    for part in given.parts("actions"):
        id, action = part.text("id"), part.word(Action, "action")
        names.setdefault(action, []).append(id)
        if action is Action.ATTACK:
            if main is not None:
                raise CaseError("a turn has one main action")
            main = Attack(target=ATTACKER, tool=REPLY)
        else:
            blows.append(tool(f"against-{id}"))
            defences.append(Defence(action=action, against=(f"a{len(blows)}",)))
    scene = duel(
        read_rules(given),
        fighter(ATTACKER, *blows),
        fighter(DEFENDER),
        underway=[arriving(blow.id, 10) for blow in blows],
        first=DEFENDER,
    )
    turn = Turn(by=DEFENDER, defences=tuple(defences), main=main)
    refuse(GUIDA.check(scene, turn))
    # Dice are asked for in the order of the actions, so each takes the next action of its name.
    needed = [names[asked.action].pop(0) for asked in GUIDA.plan(scene, turn).asked]
    missing = [id for id in needed if id not in given.items("rolls")]
    return {"valid": not missing, "missing_rolls": missing}
