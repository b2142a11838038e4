"""The turn form of the Guida: its fields, the order they make, and the way back for what is wrong.

One card for each incoming attack, named by the attack: how it is answered, with what, moving where;
then one attack at most. Distances and figures come prefilled, each with a hidden twin (``~was``)
that says with what, so that only a changed distance is a move, and a draft written for another
state of the scene never brings old numbers back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, unquote

from app.rulesets.guida.choices import AttackChoice, Choices
from app.rulesets.guida.orders import Attack, Defence, Figures, Move
from app.rulesets.guida.terms import Action, Aim
from app.rulesets.guida.view import SceneView
from app.web.forms import WAS, Json, Nested, at, form_name, lift, rows_at, text_at, ticks_at

WITH: Final = "with:"
NO_TOOL: Final = (Action.NULL_DEFENCE, Action.DODGE)


@dataclass(frozen=True, slots=True)
class Written:
    """An order as JSON, and which field of the form each part of it came from."""

    order: dict[str, Json]
    origins: dict[str, str] = field(default_factory=dict)

    def rename(self, path: str) -> str:
        """Lead from a path in the order to the field of the form that it came from."""
        path = form_name(path)
        parts = path.split(".")
        for length in range(len(parts), 0, -1):
            origin = self.origins.get(".".join(parts[:length]))
            if origin is not None:
                return origin
        return path


def pick(target: str, tool: str) -> str:
    """Name one way to attack in a form: whom, and with what."""
    return f"{quote(target, safe='')}/{quote(tool, safe='')}"


def write_turn(form: Nested, seat: str, offered: Choices) -> Written:
    """Make the order that a form describes."""
    written = Written({"kind": "turn", "by": seat})
    written.order["defences"] = _write_defences(form, offered, written.origins)
    main = _write_main(form, offered, written.origins)
    if main is not None:
        written.order["main"] = main
    figures = at(form, "figures")
    if figures is not None:
        typed: dict[str, Nested] = {name: text_at(form, f"figures.{name}") for name in ("hp", "ep")}
        written.order["figures"] = lift(Figures, typed)
    return written


def _write_defences(form: Nested, offered: Choices, origins: dict[str, str]) -> list[Json]:
    """Gather the answers into defences; attacks answered together make one."""
    defences: list[dict[str, Any]] = []
    by_attack: dict[str, dict[str, Any]] = {}
    for attack in _answered(form, offered):
        action = text_at(form, f"answers.{attack}.action")
        shared = by_attack.get(action.removeprefix(WITH)) if action.startswith(WITH) else None
        if shared is not None:
            shared["against"].append(attack)
            by_attack[attack] = shared
        elif action and not action.startswith(WITH):
            origin = f"answers.{attack}"
            defence = _write_defence(form, origin, action, f"defences.{len(defences)}", origins)
            defence["against"] = [attack]
            defences.append(defence)
            by_attack[attack] = defence
    return list(defences)


def _answered(form: Nested, offered: Choices) -> Iterator[str]:
    """Go through the attacks of the form: the incoming ones in their sequence, then any others."""
    answers = at(form, "answers")
    named = list(answers) if isinstance(answers, dict) else []
    known = [attack.id for attack in offered.incoming if attack.id in named]
    yield from known
    yield from (attack for attack in named if attack not in known)


def _write_defence(
    form: Nested, origin: str, action: str, path: str, origins: dict[str, str]
) -> dict[str, Any]:
    """Write one defence with what its action can take; the form hides the rest."""
    origins |= {path: f"{origin}.action", f"{path}.support": f"{origin}.support"}
    read: dict[str, Nested] = {"action": action}
    if action != Action.NULL_DEFENCE:
        read["support"] = list(ticks_at(form, f"{origin}.support"))
    if action not in NO_TOOL:
        origins[f"{path}.tool"] = f"{origin}.tool"
        read["tool"] = text_at(form, f"{origin}.tool")
    defence: Any = lift(Defence, read)
    if action != Action.NULL_DEFENCE:
        behind = ticks_at(form, f"{origin}.move.behind") if action != Action.DODGE else ()
        _write_move(form, f"{origin}.move", defence, f"{path}.move", origins, behind)
    return dict(defence)


def _write_main(form: Nested, offered: Choices, origins: dict[str, str]) -> dict[str, Any] | None:
    """Write the attack, if one is chosen."""
    chosen = text_at(form, "main.pick")
    if not chosen:
        return None
    target, _, tool = chosen.partition("/")
    origins |= {
        "main": "main.pick",
        "main.aim": "main.aim",
        "main.limb": "main.limb",
        "main.support": "main.support",
        "main.claims": "main.claims",
    }
    read: dict[str, Nested] = {
        "target": unquote(target),
        "tool": unquote(tool),
        "support": list(ticks_at(form, "main.support")),
        "claims": list(ticks_at(form, "main.claims")),
    }
    aim = text_at(form, "main.aim")
    if aim and can_aim(offered, chosen):
        read["aim"] = aim
        if aim == Aim.LIMBS:
            read["limb"] = text_at(form, "main.limb")
    main: Any = lift(Attack, read)
    behind = ticks_at(form, "main.move.behind")
    _write_move(form, "main.move", main, "main.move", origins, behind)
    return dict(main)


def can_aim(offered: Choices, chosen: str) -> bool:
    """Say whether the chosen way to attack may be aimed; of one not offered the rules say."""
    known = {pick(one.target, one.tool.id): one for one in offered.attacks}
    return chosen not in known or len(known[chosen].aims) > 1


def _write_move(
    form: Nested,
    origin: str,
    holder: dict[str, Any],
    path: str,
    origins: dict[str, str],
    behind: tuple[str, ...],
) -> None:
    """Add a move, if any distance was changed or somebody is to be got behind."""
    reaches: list[Nested] = []
    places: dict[str, str] = {}
    for index in rows_at(form, f"{origin}.distances"):
        row = f"{origin}.distances.{index}"
        to, metres = text_at(form, f"{row}.to"), text_at(form, f"{row}.metres").strip()
        if metres != text_at(form, f"{row}.metres{WAS}") or to in behind:
            places[f"{path}.distances.{len(reaches)}"] = f"{row}.metres"
            reaches.append({"to": to, "metres": metres})
    if reaches or behind:
        origins |= places
        origins |= {path: origin, f"{path}.behind": f"{origin}.behind"}
        holder["move"] = lift(Move, {"distances": reaches, "behind": list(behind)})


# ------------------------------------------------------------------------ what a form shows


def first_texts(offered: Choices, view: SceneView) -> dict[str, Nested]:
    """Fill a new form from the scene: nothing chosen yet, every number as it stands."""
    return {
        "figures": _twins({"hp": str(offered.hp), "ep": str(offered.ep)}),
        "main": {"move": {"distances": _distances(offered.seat, view)}, "aim": Aim.BODY.value},
        "answers": {
            attack.id: {"action": "", "move": {"distances": _distances(offered.seat, view)}}
            for attack in offered.incoming
        },
    }


def carried_over(form: Nested, offered: Choices, view: SceneView) -> dict[str, Nested]:
    """Bring what was typed for an older state into this one; untouched numbers start anew."""
    fresh = first_texts(offered, view)
    if not isinstance(form, dict):
        return fresh
    merged = _merged(fresh, form)
    here = {attack.id for attack in offered.incoming}
    answers = merged["answers"]
    if isinstance(answers, dict):  # what was answered to attacks that are gone goes with them
        merged["answers"] = {attack: card for attack, card in answers.items() if attack in here}
    return {**form, **merged}


def _merged(fresh: dict[str, Nested], typed: dict[str, Nested]) -> dict[str, Nested]:
    """Take what was typed for what is still there, except numbers that nobody touched."""
    merged: dict[str, Nested] = {}
    for name, old in fresh.items():
        new = typed.get(name)
        if name.endswith(WAS) or name == "to" or new is None:
            merged[name] = old
        elif isinstance(old, dict) and isinstance(new, dict):
            merged[name] = {**_rest(new, old), **_merged(old, new)}
        elif isinstance(old, list) and isinstance(new, list):
            merged[name] = [
                _merged(row, new[index])  # type: ignore[arg-type]  # rows are tables
                if index < len(new) and isinstance(new[index], dict)
                else row
                for index, row in enumerate(old)
            ]
        else:
            merged[name] = old if typed.get(f"{name}{WAS}") == new else new
    return merged


def _rest(new: dict[str, Nested], old: dict[str, Nested]) -> dict[str, Nested]:
    """Give what was typed besides, where a prefilled form has nothing."""
    return {name: part for name, part in new.items() if name not in old}


def _twins(row: dict[str, str]) -> dict[str, Nested]:
    """Give each prefilled text its hidden twin."""
    return {**row, **{f"{name}{WAS}": text for name, text in row.items()}}


def _distances(seat: str, view: SceneView) -> list[Nested]:
    """List the metres from a seat to everybody else."""
    metres: dict[str, int] = {}
    for distance in view.distances:
        if seat in (distance.a, distance.b):
            metres[distance.b if distance.a == seat else distance.a] = distance.metres
    return [
        {"to": one.id, **_twins({"metres": str(metres[one.id])})}
        for one in view.combatants
        if one.id in metres
    ]


@dataclass(frozen=True, slots=True)
class Target:
    """One opponent and the ways to attack it."""

    id: str
    name: str
    ways: tuple[AttackChoice, ...]


def targets(offered: Choices) -> tuple[Target, ...]:
    """Group the ways to attack by opponent."""
    ids = dict.fromkeys(choice.target for choice in offered.attacks)
    return tuple(
        Target(id=id, name=ways[0].target_name, ways=ways)
        for id in ids
        for ways in [tuple(choice for choice in offered.attacks if choice.target == id)]
    )
