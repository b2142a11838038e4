"""Parts of the turn form that several actions share: a move, an aim, a knockback, a blow's extras.

Each reads what the form holds under one name and notes which field every part came from. What
the form hides, because it may not be declared with what was chosen, is left out.
"""

from __future__ import annotations

from typing import Any

from app.rulesets.guida.offers import AttackChoice, Choices
from app.rulesets.guida.orders import (
    AreaPlan,
    Knock,
    LiberationAttempt,
)
from app.rulesets.guida.places import (
    Move,
)
from app.rulesets.guida.terms import Aim
from app.web.forms import TICKED, WAS, Json, Nested, lift, rows_at, text_at, ticks_at

SENSES = ("perception", "camouflage", "masking")


def aimed(form: Nested, origin: str) -> dict[str, Nested]:
    """Read an aim, and the limb if it is at the limbs."""
    aim = text_at(form, f"{origin}.aim")
    if aim == Aim.LIMBS:
        return {"aim": aim, "limb": text_at(form, f"{origin}.limb")}
    return {"aim": aim} if aim else {}


def read_blow(
    form: Nested, origin: str, way: AttackChoice | None, path: str, origins: dict[str, str]
) -> dict[str, Nested]:
    """Read what is declared of a blow; ``way`` is how it is struck, None if nobody offered that."""
    names = ("aim", "limb", "claims", "also", "binds", "prefers", "destroys")
    origins |= {f"{path}.{name}": f"{origin}.{name}" for name in names}
    read: dict[str, Nested] = {
        "claims": list(ticks_at(form, f"{origin}.claims")),
        "also": [id for id in ticks_at(form, f"{origin}.also") if way is None or id in way.also],
        "binds": [
            bind
            for bind in ticks_at(form, f"{origin}.binds")
            if way is None or bind in way.tool.binds
        ],
        "destroys": text_at(form, f"{origin}.destroys"),
    }
    first = text_at(form, f"{origin}.prefers")
    if first and (way is None or len(way.tool.transient) > 1):
        read["prefers"] = [first]
    if way is None or len(way.aims) > 1:
        read |= aimed(form, origin)
    return read


def write_knock(
    form: Nested,
    origin: str,
    holder: dict[str, Any],
    path: str,
    origins: dict[str, str],
    *,
    possible: bool,
) -> None:
    """Add the intention to knock back, if it is ticked."""
    if not (possible and text_at(form, f"{origin}.on") == TICKED):
        return
    names = ("metres", "object_m")
    origins |= {path: f"{origin}.on"} | {f"{path}.{name}": f"{origin}.{name}" for name in names}
    typed: dict[str, Nested] = {name: text_at(form, f"{origin}.{name}") for name in names}
    holder["knock"] = lift(Knock, typed)


def write_move(
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


def write_attempt(form: Nested, defences: Json, order: list[str]) -> Json:
    """Write the attempt to break free, after the defences that come before it (GC-14.22).

    The form says after the answer to which action; ``order`` is that of the actions.
    """
    tool, after = text_at(form, "liberation.tool"), text_at(form, "liberation.after")
    if not tool:
        return None
    upto = order[: order.index(after) + 1] if after in order else []
    declared = defences if isinstance(defences, list) else []
    before = [one for one in declared if isinstance(one, dict) and _starts_in(one, upto)]
    return lift(LiberationAttempt, {"tool": tool, "after": str(len(before))})


def _starts_in(defence: dict[str, Json], ids: list[str]) -> bool:
    against = defence.get("against")
    return isinstance(against, list) and bool(against) and against[0] in ids


def write_plans(form: Nested, used: set[str], origins: dict[str, str]) -> list[Json]:
    """Write where the areas of the techniques that are used are to form (GC-12.10)."""
    written: list[Json] = []
    for index in rows_at(form, "plans"):
        row = f"plans.{index}"
        tool, feeds = text_at(form, f"{row}.tool"), text_at(form, f"{row}.feeds")
        path = f"areas.{len(written)}"
        read: dict[str, Nested] = {"tool": tool}
        places: dict[str, str] = {}
        if feeds:
            read["feeds"] = feeds
        else:
            read["around"] = text_at(form, f"{row}.around")
            reaches: list[Nested] = []
            for place in rows_at(form, f"{row}.distances"):
                at = f"{row}.distances.{place}"
                metres = text_at(form, f"{at}.metres").strip()
                if metres:
                    places[f"{path}.distances.{len(reaches)}"] = f"{at}.metres"
                    reaches.append({"to": text_at(form, f"{at}.to"), "metres": metres})
            read["distances"] = reaches
        if tool in used and any(read.get(name) for name in ("feeds", "around", "distances")):
            names = ("tool", "feeds", "around")
            origins |= {path: f"{row}.around"} | {f"{path}.{one}": f"{row}.{one}" for one in names}
            origins |= places
            written.append(lift(AreaPlan, read))
    return written


def write_senses(form: Nested, offered: Choices) -> dict[str, Json]:
    """Write the secondary actions of perceiving and concealing, and a recovery (GC-9.4)."""
    read: dict[str, Json] = {name: text_at(form, name) or None for name in SENSES}
    if offered.recovers or text_at(form, "reacts"):
        read["reacts"] = text_at(form, "reacts") == TICKED
    return {name: value for name, value in read.items() if value}
