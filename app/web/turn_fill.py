"""What the turn form is filled with: fresh figures, a draft carried over, a turn written before."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from urllib.parse import quote

from app.rulesets.guida.offers import Choices
from app.rulesets.guida.orders import (
    AreaPlan,
    Attack,
    Continuation,
    Defence,
    Generic,
    Knock,
    Main,
    Movement,
    Turn,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.terms import Aim
from app.rulesets.guida.view import SceneView
from app.web.forms import TICKED, WAS, Nested
from app.web.turn_blow import pick
from app.web.turn_cards import incoming, plans, use_in
from app.web.turn_form import CONFIRM, LOOSE, QUIET, WITH
from app.web.turn_parts import SENSES


def first_texts(offered: Choices, view: SceneView) -> dict[str, Nested]:
    """Fill a new form from the scene: nothing chosen yet, every number as it stands."""

    def move() -> dict[str, Nested]:
        return {"distances": _distances(offered, view)}

    main: dict[str, Nested] = {"move": move(), "aim": Aim.BODY.value}
    answers: dict[str, Nested] = {
        one.id: {"action": "", "move": move(), "then": {"aim": Aim.BODY.value}}
        for one in incoming(offered)
    }
    placed: list[Nested] = [
        {
            "tool": plan.tool,
            "feeds": "",
            "around": "",
            "distances": [{"to": one.id, "metres": ""} for one in view.combatants],
        }
        for plan in plans(offered)
    ]
    return {
        "figures": _twins({"hp": str(offered.hp), "ep": str(offered.ep)}),
        "main": {**main, **{kind: {"move": move()} for kind in QUIET}},
        "answers": answers,
        "plans": placed,
    }


def carried_over(form: Nested, offered: Choices, view: SceneView) -> dict[str, Nested]:
    """Bring what was typed for an older state into this one; untouched numbers start anew."""
    fresh = first_texts(offered, view)
    if not isinstance(form, dict):
        return fresh
    merged = _merged(fresh, form)
    here = {one.id for one in incoming(offered)}
    answers = merged["answers"]
    if isinstance(answers, dict):  # what was answered to actions that are gone goes with them
        merged["answers"] = {id: card for id, card in answers.items() if id in here}
    return {**form, **merged}


def shown_turn(turn: Turn, offered: Choices, view: SceneView) -> dict[str, Nested]:
    """Fill the form with a turn that is written already: the way back from the order."""
    data: Any = first_texts(offered, view)
    if turn.figures is not None:
        data["figures"] |= {"hp": str(turn.figures.hp), "ep": str(turn.figures.ep)}
    data["suspended"] = {one.action: CONFIRM if one.confirm else "annul" for one in turn.suspended}
    for defence in turn.defences:
        _show_defence(data, defence, offered, view)
    rows: list[Nested] = [{"tool": one.tool, "against": one.against} for one in turn.independents]
    if rows:
        data["independents"] = rows
    data |= {name: getattr(turn, name) or "" for name in SENSES}
    data["reacts"] = TICKED if turn.reacts else ""
    if turn.liberation is not None:
        before = turn.defences[: turn.liberation.after]
        after = before[-1].against[0] if before else ""
        data["liberation"] = {"tool": turn.liberation.tool, "after": after}
    for area in turn.areas:
        _show_plan(data["plans"], area)
    if turn.loose:
        data["main"]["kind"] = LOOSE
        data["loose"] = {"first": turn.loose[0], "also": list(turn.loose[1:])}
    if turn.main is not None:
        _show_main(data["main"], turn.main)
    return dict(data)


def _show_defence(data: Any, defence: Defence, offered: Choices, view: SceneView) -> None:
    first, *others = defence.against
    fresh: Any = {"move": {"distances": _distances(offered, view)}}
    card = data["answers"].setdefault(first, fresh)
    card |= {"action": defence.action.value, "support": list(defence.support)}
    use = use_in(offered, defence.action)
    if use is not None:
        card["with"] = {use: quote(defence.tool or "")}
        card["frees"] = {use: TICKED if defence.frees else ""}
        card["knock"] = {use: _knock(defence.knock)}
    if defence.then is not None:
        then = defence.then
        goes = {"first": TICKED if then.first else "", "toward": then.toward or ""}
        card["then"] = {**_blow(then), **goes}
    _show_move(card["move"], defence.move)
    for id in others:
        data["answers"].setdefault(id, {})["action"] = f"{WITH}{first}"
    if defence.reacts:
        throwing = {one.id for one in incoming(offered) if getattr(one, "knock", None) is not None}
        struck = next((id for id in defence.against if id in throwing), first)
        data["answers"][struck]["reacts"] = TICKED


def _blow(blow: Attack | Continuation) -> dict[str, Nested]:
    return {
        "aim": blow.aim.value,
        "limb": blow.limb or "",
        "claims": list(blow.claims),
        "also": list(blow.also),
        "binds": list(blow.binds),
        "prefers": blow.prefers[0] if blow.prefers else "",
        "destroys": blow.destroys or "",
        "knock": _knock(blow.knock),
    }


def _knock(knock: Knock | None) -> Nested:
    if knock is None:
        return {}
    metres = {"metres": knock.metres, "object_m": knock.object_m}
    texts = {name: "" if one is None else str(one) for name, one in metres.items()}
    return {"on": TICKED, **texts}


def _show_plan(rows: list[Any], area: AreaPlan) -> None:
    metres = {reach.to: str(reach.metres) for reach in area.distances}
    for row in rows:
        if row["tool"] == area.tool:
            row |= {"feeds": area.feeds or "", "around": area.around or ""}
            for place in row["distances"]:
                place["metres"] = metres.get(place["to"], "")


def _show_main(fields: Any, main: Main) -> None:
    fields["kind"] = main.kind
    holder = fields if isinstance(main, Attack) else fields[main.kind]
    holder["support"] = list(main.support)
    if isinstance(main, Attack):
        fields |= {
            "pick": pick(main.target, main.tool),
            **_blow(main),
            "frees": TICKED if main.frees else "",
        }
    if isinstance(main, Movement):
        holder["hides"] = list(main.hides)
    if isinstance(main, Generic):
        holder |= {
            "tool": main.tool,
            "beneficiary": main.beneficiary or "",
            "destroys": main.destroys or "",
        }
    _show_move(holder["move"], main.move)


def _show_move(fields: Any, move: Move | None) -> None:
    if move is None:
        return
    metres = {reach.to: str(reach.metres) for reach in move.distances}
    for row in fields["distances"]:
        if row["to"] in metres:
            row["metres"] = metres[row["to"]]
    fields["behind"] = list(move.behind)


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


def _distances(offered: Choices, view: SceneView) -> list[Nested]:
    """List the metres from a seat to everybody else, and to the centre of each control area."""
    seat = offered.seat
    metres: dict[str, Fraction] = {}
    for distance in view.distances:
        if seat in (distance.a, distance.b):
            metres[distance.b if distance.a == seat else distance.a] = distance.metres
    places = {one.id: metres[one.id] for one in view.combatants if one.id in metres}
    places |= {area.id: area.metres for area in offered.areas}
    return [{"to": id, **_twins({"metres": str(far)})} for id, far in places.items()]
