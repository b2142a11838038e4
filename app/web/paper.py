"""A sheet to read and to print: everything on it in words, and nothing to fill in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.http.language import Language
from app.rulesets.guida.sheet import Sheet, Tool
from app.rulesets.guida.terms import AttackKind
from app.services.errors import NotFound
from app.services.run import run
from app.services.scenes import read_scene
from app.services.sheets import read_sheet
from app.web.games import PAGES
from app.web.numbers import shown
from app.web.pages import page, word
from app.web.sheet_form import EffectKind, effect_kinds
from app.web.texts import marked, translated
from app.web.visit import Here, Id, SeatId, Visit

router = APIRouter()


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A technique or weapon as it is read: what it may be used for, its numbers, its effects."""

    tool: Tool
    uses: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    effects: tuple[str, ...]


@router.get("/sheets/{sheet_id}/paper")
async def stored(here: Here, sheet_id: Id) -> Response:
    """Show a stored sheet to those who keep it."""
    found = await run(here.db, read_sheet, here.principal, sheet_id)
    if not isinstance(found.sheet, Sheet):
        raise NotFound
    return _paper(here, found.sheet, f"/sheets/{sheet_id}")


@router.get("/scenes/{scene_id}/sheet/{seat}/paper")
async def in_scene(here: Here, scene_id: Id, seat: SeatId) -> Response:
    """Show the sheet that a combatant has in a scene to whoever sees that combatant."""
    scene = await run(here.db, read_scene, here.principal, scene_id)
    if scene.view is None or scene.ruleset in PAGES:
        raise NotFound
    for one in scene.view.combatants:
        if one.id == seat:
            return _paper(here, one.sheet, f"/scenes/{scene_id}")
    raise NotFound


def _paper(here: Visit, sheet: Sheet, back: str) -> Response:
    tools = on_paper(sheet, here.language)
    return page(here, "sheets/paper.html", sheet=sheet, tools=tools, back=back)


def on_paper(sheet: Sheet, language: Language) -> tuple[OnPaper, ...]:
    """Tell the techniques and weapons of a sheet in words."""
    kinds = effect_kinds(language)
    return tuple(_on_paper(tool, kinds, language) for tool in sheet.tools)


def _on_paper(tool: Tool, kinds: dict[str, EffectKind], language: Language) -> OnPaper:
    uses = (
        (tool.attacks, marked("to attack or counterattack")),
        (tool.guards, marked("in a guard")),
        (tool.parries, marked("to parry")),
        (tool.supports, marked("as a secondary action")),
        (tool.generic, marked("as a generic action")),
    )
    return OnPaper(
        tool=tool,
        uses=tuple(translated(language, text) for may, text in uses if may),
        facts=tuple(_facts(tool, language)),
        effects=tuple(_effect(one, kinds[one.kind], language) for one in tool.effects),
    )


def _facts(tool: Tool, language: Language) -> Iterator[tuple[str, str]]:
    """Go through the numbers that a tool has; what the board's tables supply is not on it."""

    def said(value: str | None) -> str:
        return "" if value is None else word(language, value)

    rows = (
        (marked("Energy cost"), str(tool.ep or "")),
        (marked("Potential"), _number(language, tool.potential)),
        (marked("Category"), said(tool.category)),
        (marked("Governing stat"), said(tool.governing)),
        (marked("Stat bonus"), _number(language, tool.stat_bonus, sign=True)),
        (marked("Potential bonus"), _number(language, tool.potential_bonus, sign=True)),
        (marked("Kind of secondary action"), said(tool.secondary if tool.supports else None)),
        (marked("Faces of its own die, as a generic action"), _number(language, tool.die)),
        *(_attack(tool, language) if tool.attacks else ()),
        (marked("Best at, up to (metres)"), str(tool.optimal_m)),
        (marked("Reaches at most (metres)"), _number(language, tool.max_m)),
    )
    yield from ((translated(language, label), value) for label, value in rows if value)
    for one in tool.modifiers:
        yield one.name, f"{shown(language, one.points, sign=True)} {word(language, one.score)}"


def _attack(tool: Tool, language: Language) -> Iterator[tuple[str, str]]:
    spreads = tool.attack_kind is not AttackKind.TARGETED
    yield marked("How it arrives"), word(language, tool.form)
    yield marked("Damage"), word(language, tool.damage)
    yield marked("How it spreads"), word(language, tool.attack_kind) if spreads else ""
    yield marked("Shots in a volley"), str(tool.volley_size) if tool.volley_size > 1 else ""
    yield marked("Targets at most"), _number(language, tool.max_targets)
    yield marked("Radius of its area (metres)"), _number(language, tool.area_m)


def _number(language: Language, value: Fraction | int | None, *, sign: bool = False) -> str:
    return "" if value is None else shown(language, value, sign=sign)


def _effect(effect: Any, kind: EffectKind, language: Language) -> str:
    """Write an effect in a line: what it is, and each of its fields that is not left open."""
    named = kind.title or word(language, kind.kind)
    told = []
    for field in kind.fields:
        value = getattr(effect, field.name)
        if value is None or value is False or value == ():
            continue
        said = _value(value, dict(field.named), language)
        told.append(f"{field.label}: {said}" if said else field.label)
    return f"{named[:1].upper()}{named[1:]}" + (f" ({'; '.join(told)})" if told else "")


def _value(value: Any, named: dict[str, str], language: Language) -> str:
    if value is True:
        return ""
    if isinstance(value, tuple):
        return ", ".join(word(language, one) for one in value)
    if isinstance(value, int | Fraction):
        return shown(language, value)
    return named.get(value) or word(language, value)
