"""The turn form of the Guida: its fields, the order they make, and the way back for what is wrong.

One card for each incoming action, named by its id: how it is answered, with what, moving where, and
how a counterattack goes on; then one main action, of one kind, at most. Distances and figures come
prefilled, each with a hidden twin (``~was``) that says with what, so that only a changed distance
is a move, and a draft written for another state of the scene never brings old numbers back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote

from app.rulesets.guida.offers import AttackChoice, Choices
from app.rulesets.guida.orders import (
    Attack,
    Continuation,
    Defence,
    Figures,
    Generic,
    Independent,
    Movement,
    Preparation,
)
from app.rulesets.guida.tables import COUNTERS
from app.rulesets.guida.terms import Action
from app.web.forms import TICKED, Json, Nested, at, lift, rows_at, text_at, ticks_at
from app.web.turn_blow import way_picked, way_toward
from app.web.turn_cards import incoming, use_in
from app.web.turn_parts import (
    read_blow,
    write_attempt,
    write_knock,
    write_move,
    write_plans,
    write_senses,
)
from app.web.written import Written

WITH: Final = "with:"
CONFIRM: Final = "confirm"
LOOSE: Final = "loose"
NOTHING: Final = "nothing"
QUIET: Final[dict[str, type]] = {kind.kind: kind for kind in (Preparation, Movement, Generic)}


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
    written.order.update(write_senses(form, offered))
    order = list(_answered(form, offered))
    attempt = write_attempt(form, written.order["defences"], order)
    if attempt is not None:
        written.order["liberation"] = attempt
    planned = write_plans(form, _used(written.order), written.origins)
    if planned:
        written.order["areas"] = planned
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
            defence = _write_defence(form, id, action, path, origins, offered)
            defence["against"] = [id]
            defences.append(defence)
            by_action[id] = defence
        # One recovers from the blow that throws, whichever of those that a defence meets.
        if id in by_action and text_at(form, f"answers.{id}.reacts") == TICKED:
            place = defences.index(by_action[id])
            origins[f"defences.{place}.reacts"] = f"answers.{id}.reacts"
            by_action[id]["reacts"] = True
    return list(defences)


def _answered(form: Nested, offered: Choices) -> Iterator[str]:
    """Go through the cards of the form: what is incoming in its sequence, then anything else."""
    answers = at(form, "answers")
    named = list(answers) if isinstance(answers, dict) else []
    known = [one.id for one in incoming(offered) if one.id in named]
    yield from known
    yield from (id for id in named if id not in known)


def _write_defence(
    form: Nested, id: str, action: str, path: str, origins: dict[str, str], offered: Choices
) -> dict[str, Any]:
    """Write one defence with what its action can take; the form hides the rest."""
    origin = f"answers.{id}"
    origins |= {path: f"{origin}.action"}
    origins |= {f"{path}.{name}": f"{origin}.{name}" for name in ("support", "move")}
    read: dict[str, Nested] = {"action": action}
    if action != Action.NULL_DEFENCE:
        read["support"] = list(ticks_at(form, f"{origin}.support"))
    use = use_in(offered, action)
    tool = ""
    if use is not None:
        origins[f"{path}.tool"] = f"{origin}.with.{use}"
        origins[f"{path}.frees"] = f"{origin}.frees.{use}"
        tool = unquote(text_at(form, f"{origin}.with.{use}"))
        read |= {"tool": tool, "frees": text_at(form, f"{origin}.frees.{use}") if tool else ""}
    defence: Any = lift(Defence, read)
    if use is not None:
        knock = f"{origin}.knock.{use}"
        write_knock(form, knock, defence, f"{path}.knock", origins, possible=bool(tool))
    if action in COUNTERS:
        toward = text_at(form, f"{origin}.then.toward") or _author(offered, id)
        way = way_toward(offered, toward, tool)
        defence["then"] = _write_then(form, origin, way, path, origins)
    if action != Action.NULL_DEFENCE:
        stays_in_front = action in (Action.DODGE, Action.ALLY_DODGE)  # GC-4.14
        behind = () if stays_in_front else ticks_at(form, f"{origin}.move.behind")
        write_move(form, f"{origin}.move", defence, f"{path}.move", origins, behind)
    return dict(defence)


def _author(offered: Choices, id: str) -> str:
    """Say who did what a card is about."""
    authors = {one.id: one.attacker for one in offered.incoming}
    authors |= {one.attack.id: one.attack.attacker for one in offered.at_allies}
    authors |= {one.id: one.actor for one in offered.pending}
    return authors.get(id, "")


def _write_then(
    form: Nested, origin: str, way: AttackChoice | None, path: str, origins: dict[str, str]
) -> Json:
    """Write how a counterattack goes on; nothing that its tool cannot take."""
    origin, path = f"{origin}.then", f"{path}.then"
    names = ("first", "toward")
    origins |= {f"{path}.{name}": f"{origin}.{name}" for name in names}
    read = read_blow(form, origin, way, path, origins)
    read |= {name: text_at(form, f"{origin}.{name}") for name in names}
    then: Any = lift(Continuation, read)
    possible = way is None or way.tool.knocks
    write_knock(form, f"{origin}.knock", then, f"{path}.knock", origins, possible=possible)
    return dict(then)


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
        for name in ("tool", "beneficiary", "destroys"):
            origins[f"main.{name}"] = f"{origin}.{name}"
            read[name] = text_at(form, f"{origin}.{name}")
    if kind == Movement.kind:
        origins |= {f"main.{name}": f"{origin}.{name}" for name in ("move", "hides")}
        read["hides"] = list(ticks_at(form, f"{origin}.hides"))
    main: Any = lift(QUIET.get(kind, Preparation), read)
    behind = ticks_at(form, f"{origin}.move.behind")
    write_move(form, f"{origin}.move", main, "main.move", origins, behind)
    return dict(main)


def _write_attack(form: Nested, offered: Choices, origins: dict[str, str]) -> dict[str, Any]:
    """Write the attack; one on somebody hidden is blind, as the form says (GC-9.13)."""
    chosen = text_at(form, "main.pick")
    target, _, tool = chosen.partition("/")
    way = way_picked(offered, chosen)
    origins |= {f"main.{name}": f"main.{name}" for name in ("support", "frees")}
    origins |= {f"main.{name}": "main.pick" for name in ("target", "tool", "blind")}
    read: dict[str, Nested] = {
        "kind": Attack.kind,
        "target": unquote(target),
        "tool": unquote(tool),
        "support": list(ticks_at(form, "main.support")),
        **read_blow(form, "main", way, "main", origins),
        "frees": text_at(form, "main.frees") if way is None or way.tool.frees else "",
        "blind": TICKED if way is not None and way.blind else "",
    }
    main: Any = lift(Attack, read)
    possible = way is None or way.tool.knocks
    write_knock(form, "main.knock", main, "main.knock", origins, possible=possible)
    write_move(form, "main.move", main, "main.move", origins, ticks_at(form, "main.move.behind"))
    return dict(main)


def _used(order: dict[str, Any]) -> set[str]:
    """List everything that an order uses."""
    actions = [*order.get("defences", ()), *order.get("independents", ())]
    actions += [order["main"]] if "main" in order else []
    used = {one.get("tool") for one in actions}
    used |= {id for one in actions for id in one.get("support", ())}
    return {str(id) for id in (*used, *order.get("loose", ())) if id}
