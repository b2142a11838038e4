"""What a player decides in a battle: an army, a turn's orders, standing orders, answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from app.http.language import Language
from app.posts.layouts.battle_names import RULESET, die_name
from app.posts.phrases import say
from app.rulesets.battle_dice.orders import ORDERS, Policy
from app.rulesets.battle_dice.policies import EXPENDABLE, PRECIOUS, SHOTS, TO_ONE
from app.rulesets.battle_dice.state import Decision, Pick
from app.rulesets.battle_dice.tables import CHOSEN_ROW
from app.rulesets.battle_dice.terms import Ask, Kind, Manoeuvre
from app.rulesets.battle_dice.view import Choices, SideView, View
from app.web.forms import Nested, at, text_at
from app.web.games.battle_army import (
    FIRST_ROWS,
    ROWS,
    heroes_shown,
    kinds_shown,
    powers_shown,
    write_army,
)
from app.web.games.battle_odds import odds_shown
from app.web.games.frame import Context, Form
from app.web.games.orders import plain_order
from app.web.texts import marked, translated
from app.web.written import Written

LISTS: Final = {  # each list of kinds with its default order (BD-A1)
    "casualties": EXPENDABLE,
    "target": PRECIOUS,
    "control": PRECIOUS,
    "set_to_one": (*TO_ONE, Kind.D20),
    "restore": PRECIOUS,
}
_YES_NO: Final = {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class PickShown:
    """One thing that may be picked: a die with its size, or a word and its rule."""

    pick: Pick
    label: str
    sides: int
    rule: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """A choice that a player is asked for."""

    decision: Decision
    within: str
    question: str
    picks: tuple[PickShown, ...]


def order_context(offered: Choices, view: View, language: Language) -> Context:
    """Give what the forms offer."""
    mine = next((side for side in view.sides if side.own is not None), None)
    own = mine.own if mine is not None else None
    return {
        "mine": mine,
        "own": own,
        "lists": tuple(LISTS),
        "standing": None if own is None else standing_shown(own.standing, language),
        "asking": tuple(
            _asking(one, mine, language) for one in offered.decisions if mine is not None
        ),
        "kinds": kinds_shown(language),
        "heroes": heroes_shown(language),
        "powers": powers_shown(language),
        "first_rows": FIRST_ROWS,
        "all_rows": ROWS,
        "rows_to_choose": tuple((row, _row_name(row, language)) for row in offered.rows),
        "steps": tuple((step, say(language, RULESET, "words", step)) for step in SHOTS),
        "odds": odds_shown(view, language),
    }


def standing_shown(policy: Policy, language: Language) -> dict[str, str]:
    """Say what a policy comes to, default orders included (BD-A1)."""
    shown = {
        name: " · ".join(kind.upper() for kind in dict.fromkeys((*getattr(policy, name), *default)))
        for name, default in LISTS.items()
    }
    spares = policy.spare_pending is not False
    step = policy.initiative_step
    return {
        **shown,
        "spare_pending": say(language, RULESET, "words", "yes" if spares else "no"),
        "summon": die_name(language, policy.summon or Kind.D6),
        "free_choice": _row_name(policy.free_choice or Manoeuvre.CHARGE, language),
        "initiative_step": say(language, RULESET, "words", step)
        if step
        else translated(language, marked("where I have more hits")),
    }


def write_order(form: Form, _seat: str, _offered: Choices) -> Written:
    """Make the order of a form."""
    written = plain_order(form, ORDERS)
    kind = text_at(form, "kind")
    if kind == "muster":
        kept = {name: part for name, part in written.order.items() if name != "army"}
        written = Written({**kept})
        written.order["army"] = write_army(form, "army", written)
    policy = written.order.get("policy")
    if isinstance(policy, dict):
        _write_policy(policy, form, written)
    return written


def _write_policy(policy: dict[str, Any], form: Form, written: Written) -> None:
    spares = text_at(form, "policy.spare_pending")
    policy.pop("spare_pending", None)
    if spares:
        policy["spare_pending"] = _YES_NO.get(spares, spares)
    for name in LISTS:  # the fields that were left empty are none of a list
        filled = [index for index, text in enumerate(_texts(form, f"policy.{name}")) if text]
        for number, index in enumerate(filled):
            written.origins[f"policy.{name}.{number}"] = f"policy.{name}.{index}"


def _texts(form: Form, path: str) -> list[Nested]:
    found = at(form, path)
    return found if isinstance(found, list) else []


def _asking(decision: Decision, side: SideView, language: Language) -> Asking:
    facts = {"side": side.name, "count": decision.count}
    return Asking(
        decision=decision,
        within=f"choose-{decision.id}-",
        question=say(language, RULESET, "asks", decision.ask, facts),
        picks=tuple(_pick(pick, decision, language) for pick in decision.picks),
    )


def _pick(pick: Pick, decision: Decision, language: Language) -> PickShown:
    chosen = pick.id in decision.default
    if decision.ask is Ask.SUMMON:
        kind = Kind(pick.id)
        return PickShown(pick, die_name(language, kind), kind.sides, "", chosen)
    if decision.ask is Ask.FREE_CHOICE:
        row = Manoeuvre(pick.id)
        return PickShown(pick, _row_name(row, language), 0, CHOSEN_ROW[row].rule, chosen)
    if pick.kind is None:
        return PickShown(pick, say(language, RULESET, "words", pick.id), 0, "", chosen)
    return PickShown(pick, die_name(language, pick.kind), pick.kind.sides, "", chosen)


def _row_name(row: Manoeuvre, language: Language) -> str:
    return say(language, RULESET, "words", CHOSEN_ROW[row].key)
