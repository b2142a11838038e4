"""The turn form of the Guida: its fields, the order they make, and the way back for what is wrong.

One card for each incoming action, named by its id: how it is answered, with what, moving where, and
how a counterattack goes on; then one main action, of one kind, at most. Distances and figures come
prefilled, each with a hidden twin (``~was``) that says with what, so that only a changed distance
is a move, and a draft written for another state of the scene never brings old numbers back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import quote, unquote

from app.rulesets.guida.legality import MADE_WITH
from app.rulesets.guida.offers import Choices
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Figures,
    Generic,
    Independent,
    Move,
    Movement,
    Preparation,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action, Aim
from app.web.forms import WAS, Json, Nested, at, form_name, lift, rows_at, text_at, ticks_at
from app.web.turn_cards import incoming

WITH: Final = "with:"
CONFIRM: Final = "confirm"
LOOSE: Final = "loose"
NOTHING: Final = "nothing"
QUIET: Final[dict[str, type]] = {kind.kind: kind for kind in (Preparation, Movement, Generic)}


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
    written.order["suspended"] = _write_suspended(form, offered, written.origins)
    written.order["defences"] = _write_defences(form, offered, written.origins)
    written.order["independents"] = _write_independents(form, written.origins)
    kind = text_at(form, "main.kind") or (Attack.kind if text_at(form, "main.pick") else NOTHING)
    if kind == LOOSE:
        written.order["loose"] = _write_loose(form, written.origins)
    elif kind != NOTHING:
        written.order["main"] = _write_main(form, kind, offered, written.origins)
    figures = at(form, "figures")
    if figures is not None:
        typed: dict[str, Nested] = {name: text_at(form, f"figures.{name}") for name in ("hp", "ep")}
        written.order["figures"] = lift(Figures, typed)
    return written


def _write_suspended(form: Nested, offered: Choices, origins: dict[str, str]) -> list[Json]:
    """Say what becomes of each suspended action for which that was chosen."""
    decided: list[Json] = []
    for one in reversed(offered.suspended):
        origins["suspended"] = f"suspended.{one.id}"
    for one in offered.suspended:
        chosen = text_at(form, f"suspended.{one.id}")
        if chosen:
            origins[f"suspended.{len(decided)}"] = f"suspended.{one.id}"
            decided.append({"action": one.id, "confirm": chosen == CONFIRM})
        else:
            origins["suspended"] = f"suspended.{one.id}"
    return decided


def _write_defences(form: Nested, offered: Choices, origins: dict[str, str]) -> list[Json]:
    """Gather the answers into defences; actions answered together make one."""
    defences: list[dict[str, Any]] = []
    by_action: dict[str, dict[str, Any]] = {}
    for id in _answered(form, offered):
        action = text_at(form, f"answers.{id}.action")
        shared = by_action.get(action.removeprefix(WITH)) if action.startswith(WITH) else None
        if shared is not None:
            shared["against"].append(id)
            by_action[id] = shared
        elif action and not action.startswith(WITH):
            path = f"defences.{len(defences)}"
            defence = _write_defence(form, f"answers.{id}", action, path, origins, offered)
            defence["against"] = [id]
            defences.append(defence)
            by_action[id] = defence
    return list(defences)


def _answered(form: Nested, offered: Choices) -> Iterator[str]:
    """Go through the cards of the form: what is incoming in its sequence, then anything else."""
    answers = at(form, "answers")
    named = list(answers) if isinstance(answers, dict) else []
    known = [one.id for one in incoming(offered) if one.id in named]
    yield from known
    yield from (id for id in named if id not in known)


def _write_defence(
    form: Nested, origin: str, action: str, path: str, origins: dict[str, str], offered: Choices
) -> dict[str, Any]:
    """Write one defence with what its action can take; the form hides the rest."""
    origins |= {path: f"{origin}.action", f"{path}.support": f"{origin}.support"}
    read: dict[str, Nested] = {"action": action}
    if action != Action.NULL_DEFENCE:
        read["support"] = list(ticks_at(form, f"{origin}.support"))
    use = MADE_WITH.get(Action(action)) if action in set(Action) else None
    if use is not None:
        origins[f"{path}.tool"] = f"{origin}.with.{use}"
        read["tool"] = unquote(text_at(form, f"{origin}.with.{use}"))
    defence: Any = lift(Defence, read)
    if action in COUNTERS:
        tool = str(read.get("tool", ""))
        defence["then"] = _write_then(form, origin, tool, path, origins, offered)
    if action != Action.NULL_DEFENCE:
        behind = ticks_at(form, f"{origin}.move.behind") if action != Action.DODGE else ()
        _write_move(form, f"{origin}.move", defence, f"{path}.move", origins, behind)
    return dict(defence)


def _write_then(
    form: Nested, origin: str, tool: str, path: str, origins: dict[str, str], offered: Choices
) -> Json:
    """Write how a counterattack goes on; an aim only where its tool can take one."""
    for name in ("aim", "limb", "claims", "first"):
        origins[f"{path}.then.{name}"] = f"{origin}.then.{name}"
    read: dict[str, Nested] = {
        "claims": list(ticks_at(form, f"{origin}.then.claims")),
        "first": text_at(form, f"{origin}.then.first"),
    }
    counters = [choice for choice in offered.defences if choice.continues]
    known = {one.id: one for choice in counters for one in choice.tools}
    known |= {one.tool.id: one.tool for choice in counters for one in choice.after_move}
    if tool not in known or len(known[tool].aims) > 1:
        read |= _aimed(form, f"{origin}.then")
    return lift(Continuation, read)


def _aimed(form: Nested, origin: str) -> dict[str, Nested]:
    """Read an aim, and the limb if it is at the limbs."""
    aim = text_at(form, f"{origin}.aim")
    if aim == Aim.LIMBS:
        return {"aim": aim, "limb": text_at(form, f"{origin}.limb")}
    return {"aim": aim} if aim else {}


def _write_independents(form: Nested, origins: dict[str, str]) -> list[Json]:
    """Write the independent secondary actions that are ticked."""
    written: list[Json] = []
    for index in rows_at(form, "independents"):
        row = f"independents.{index}"
        tool = text_at(form, f"{row}.tool")
        if tool:
            path = f"independents.{len(written)}"
            origins |= {path: f"{row}.tool", f"{path}.against": f"{row}.against"}
            typed: dict[str, Nested] = {"tool": tool, "against": text_at(form, f"{row}.against")}
            written.append(lift(Independent, typed))
    return written


def _write_loose(form: Nested, origins: dict[str, str]) -> list[Json]:
    """Write secondary actions alone, the one that becomes the main action first (GC-2.21)."""
    first = text_at(form, "loose.first")
    also = [tool for tool in ticks_at(form, "loose.also") if tool != first]
    origins |= {"loose": "loose.also", "loose.0": "loose.first"}
    origins |= {"main": "loose.first", "main.support": "loose.also"}
    return [first, *also]


def _write_main(
    form: Nested, kind: str, offered: Choices, origins: dict[str, str]
) -> dict[str, Any]:
    """Write the main action of the kind that is chosen."""
    origins |= {"main": "main.kind"}
    if kind == Attack.kind:
        return _write_attack(form, offered, origins)
    origin = f"main.{kind}"
    origins["main.support"] = f"{origin}.support"
    read: dict[str, Nested] = {"kind": kind, "support": list(ticks_at(form, f"{origin}.support"))}
    if kind == Generic.kind:
        for name in ("tool", "beneficiary"):
            origins[f"main.{name}"] = f"{origin}.{name}"
            read[name] = text_at(form, f"{origin}.{name}")
    if kind == Movement.kind:
        origins["main.move"] = f"{origin}.move"
    main: Any = lift(QUIET.get(kind, Preparation), read)
    behind = ticks_at(form, f"{origin}.move.behind")
    _write_move(form, f"{origin}.move", main, "main.move", origins, behind)
    return dict(main)


def _write_attack(form: Nested, offered: Choices, origins: dict[str, str]) -> dict[str, Any]:
    """Write the attack."""
    chosen = text_at(form, "main.pick")
    target, _, tool = chosen.partition("/")
    for name in ("aim", "limb", "support", "claims"):
        origins[f"main.{name}"] = f"main.{name}"
    origins |= {"main.target": "main.pick", "main.tool": "main.pick"}
    read: dict[str, Nested] = {
        "kind": Attack.kind,
        "target": unquote(target),
        "tool": unquote(tool),
        "support": list(ticks_at(form, "main.support")),
        "claims": list(ticks_at(form, "main.claims")),
    }
    if can_aim(offered, chosen):
        read |= _aimed(form, "main")
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
