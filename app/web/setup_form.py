"""The form that opens a scene: who fights, where they stand, and a fight half fought."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations, permutations
from typing import Any, Final
from urllib.parse import unquote

from app.rulesets.guida.entrants import Entrant, Held, PointsNow, StackCount, Uses
from app.rulesets.guida.places import (
    Behind,
    Distance,
    Unseen,
)
from app.rulesets.guida.sheet import Sheet
from app.rulesets.guida.state import (
    Underway,
)
from app.rulesets.guida.terms import Stack, Stat
from app.web.forms import Json, Nested, at, is_token, lift, rows_at, text_at, ticks_at
from app.web.order_form import copies_at, pair
from app.web.rows import Row, Rows, blank, unused_id
from app.web.sheet_form import ROWS
from app.web.written import Written

USUAL_METRES: Final = "10"
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,5}", re.ASCII)
STORED: Final = "stored"
TEAMS: Final = "ABCDEFGHIJKL"


def _new_entrant(_: Row, rows: list[Nested]) -> Row:
    id = unused_id(rows, "p")
    return {
        "id": id,
        "team": TEAMS[len(rows) % len(TEAMS)],
        "~from": STORED,
        "sheet": dict(blank(Sheet)),
    }


SETUP_ROWS: Final[Mapping[str, Rows]] = {
    **ROWS,
    "entrants": Rows(12, _new_entrant),
    "uses": Rows(60, lambda *_: {"~name": "", "count": "1"}),
    "by": Rows(6, lambda *_: blank(Held)),
    "underway": Rows(40, lambda *_: blank(Underway)),
}


def first_texts(key: str) -> Row:
    """Fill a new form: two combatants, ten metres apart."""
    rows: list[Nested] = []
    for _ in range(2):
        rows.append(_new_entrant({}, rows))
    return {"key": key, "entrants": rows}


def ids_in(form: Nested) -> list[str]:
    """List the ids of the combatants in a form."""
    return [text_at(form, f"entrants.{index}.id") for index in rows_at(form, "entrants")]


def label_of(form: Nested, index: int, stored: Mapping[str, str], usual: str) -> str:
    """Name a combatant while its form is being filled in."""
    row = f"entrants.{index}"
    if text_at(form, f"{row}.~from") == STORED:
        return stored.get(text_at(form, f"{row}.~sheet"), f"{usual} {index + 1}")
    return text_at(form, f"{row}.sheet.name") or f"{usual} {index + 1}"


def write_setup(form: Nested, tools: Mapping[str, Mapping[str, str]], since: str) -> Written:
    """Make the set-up that a form describes; bonus points that last already are called ``since``.

    ``tools`` gives, for each stored sheet, the id of a technique or weapon by its name, which is
    how people name the uses and the attacks of a fight that is under way.
    """
    written = Written({})
    ids = ids_in(form)
    named = {id: _tools_of(form, index, tools) for index, id in enumerate(ids)}
    written.order["entrants"] = [
        _write_entrant(form, index, named[id], written.origins, since)
        for index, id in enumerate(ids)
    ]
    distances: list[Json] = []
    packs = [(id, id) for index, id in enumerate(ids) if copies_in(form, index) != 1]
    for one, other in (*combinations(ids, 2), *packs):
        name = f"metres.{one}.{other}"
        typed: Row = {"a": one, "b": other, "metres": _metres(form, one, other)}
        written.origins[f"distances.{len(distances)}"] = name
        distances.append(lift(Distance, typed))
    written.order["distances"] = distances
    written.order["behind"] = [
        lift(Behind, {"who": unquote(who), "whom": unquote(whom)})
        for who, _, whom in (tick.partition("/") for tick in ticks_at(form, "behind"))
    ]
    written.order["hidden"] = [
        lift(Unseen, {"who": unquote(who), "observer": unquote(observer)})
        for who, _, observer in (tick.partition("/") for tick in ticks_at(form, "hidden"))
    ]
    written.order["underway"] = [
        _write_underway(form, index, named, written.origins) for index in rows_at(form, "underway")
    ]
    if text_at(form, "first"):
        written.order["first"] = text_at(form, "first")
    return written


def copies_in(form: Nested, index: int) -> Json:
    """Read how many a row stands for; a text that is no number stays for the service to refuse."""
    return copies_at(form, f"entrants.{index}.copies")


def _metres(form: Nested, one: str, other: str) -> str:
    """Give the distance written for two; else that of their places on a line, or the usual one.

    What is then still empty is missing, and its field says so.
    """
    typed = text_at(form, f"metres.{one}.{other}").strip()
    places = [text_at(form, f"line.{id}").strip().replace("\u2212", "-") for id in (one, other)]
    if typed or one == other or not all(_WHOLE.fullmatch(place) for place in places):
        return typed or text_at(form, "~metres", USUAL_METRES)
    return str(abs(int(places[0]) - int(places[1])))


def behind_pairs(ids: list[str]) -> list[tuple[str, str, str]]:
    """List everybody behind everybody else, as the form names it."""
    return [(pair(who, whom), who, whom) for who, whom in permutations(ids, 2)]


def hidden_pairs(form: Nested) -> list[tuple[str, str, str]]:
    """List everybody hidden from every opponent, as the form names it."""
    teams = {
        text_at(form, f"entrants.{index}.id"): text_at(form, f"entrants.{index}.team")
        for index in rows_at(form, "entrants")
    }
    return [one for one in behind_pairs(list(teams)) if teams[one[1]] != teams[one[2]]]


def _write_entrant(
    form: Nested, index: int, tools: Mapping[str, str], origins: dict[str, str], since: str
) -> Json:
    """Write one combatant; a stored sheet goes by its id, ``since`` names points it comes with."""
    row = f"entrants.{index}"
    typed = at(form, row)
    known: Row = dict(typed) if isinstance(typed, dict) else {}
    stored = text_at(form, f"{row}.~from") == STORED
    if stored:
        known.pop("sheet", None)
        origins[f"{row}.sheet"] = f"{row}.~sheet"
    stacks: list[Nested] = []
    for stack in Stack:
        count = text_at(form, f"{row}.~stacks.{stack}")
        if count.strip():
            origins[f"{row}.stacks.{len(stacks)}"] = f"{row}.~stacks.{stack}"
            stacks.append({"stack": stack.value, "count": count})
    points: list[Json] = []
    for stat in Stat:
        given = text_at(form, f"{row}.~points.{stat}")
        if given.strip() not in ("", "0", "+0"):
            at_form = f"{row}.~points.{stat}"
            origins[f"{row}.points.{len(points)}.points"] = at_form
            origins[f"{row}.points.{len(points)}.turns"] = f"{row}.~turns.{stat}"
            origins[f"{row}.points.{len(points)}.name"] = at_form
            held: Row = {"stat": stat.value, "points": given, "name": since}
            held["turns"] = text_at(form, f"{row}.~turns.{stat}")
            points.append(lift(PointsNow, held))
    uses: list[Json] = []
    for place in rows_at(form, f"{row}.uses"):
        name = text_at(form, f"{row}.uses.{place}.~name")
        origins[f"{row}.uses.{place}.tool"] = f"{row}.uses.{place}.~name"
        count = text_at(form, f"{row}.uses.{place}.count")
        uses.append(lift(Uses, {"tool": _tool(tools, name), "count": count}))
    known.pop("uses", None)
    known.pop("copies", None)
    entrant: Any = lift(Entrant, known)
    entrant["stacks"] = [lift(StackCount, one) for one in stacks]
    entrant["points"] = points
    entrant["uses"] = uses
    copies = copies_in(form, index)
    if copies != 1:
        entrant["copies"] = copies
    if stored:
        sheet = text_at(form, f"{row}.~sheet")
        entrant["sheet"] = sheet if is_token(sheet) else ""
    return dict(entrant)


def _write_underway(
    form: Nested,
    index: int,
    named: Mapping[str, Mapping[str, str]],
    origins: dict[str, str],
) -> Json:
    """Write one attack that is on its way already."""
    row = f"underway.{index}"
    typed = at(form, row)
    known: Row = dict(typed) if isinstance(typed, dict) else {}
    tools = named.get(text_at(form, f"{row}.attacker"), {})
    known["tool"] = _tool(tools, text_at(form, f"{row}.~name"))
    origins[f"{row}.tool"] = f"{row}.~name"
    return lift(Underway, known)


def _tools_of(
    form: Nested, index: int, tools: Mapping[str, Mapping[str, str]]
) -> Mapping[str, str]:
    """Give the ids of a combatant's techniques and weapons by name."""
    row = f"entrants.{index}"
    if text_at(form, f"{row}.~from") == STORED:
        return tools.get(text_at(form, f"{row}.~sheet"), {})
    rows = [f"{row}.sheet.tools.{place}" for place in rows_at(form, f"{row}.sheet.tools")]
    return {
        text_at(form, f"{tool}.name").strip().casefold(): text_at(form, f"{tool}.id")
        for tool in rows
    }


def _tool(tools: Mapping[str, str], name: str) -> str:
    """Find a technique by the name somebody wrote; what is not found stays as it was written."""
    return tools.get(name.strip().casefold(), name)
