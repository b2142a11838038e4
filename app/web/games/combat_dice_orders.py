"""What a fighter decides, on the pages: sealed orders as a form, and answers over dice that lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final

from app.http.language import Language
from app.persistence.codec import encode
from app.rulesets.combat_dice.choices import CombatChoices
from app.rulesets.combat_dice.orders import ORDERS, ActionWish, CombatOrders, FinishFighter
from app.rulesets.combat_dice.readings import ManeuverUses
from app.rulesets.combat_dice.terms import (
    Action,
    Rethrow,
    Score,
    Specialty,
    Spell,
    Stay,
    TwoWeapon,
    Use,
    When,
)
from app.rulesets.combat_dice.view import CombatView
from app.web.forms import Json, Nested, lift, shown, text_at, ticks_at
from app.web.games.combat_dice_glance import dice_of, names
from app.web.games.combat_dice_words import Options, meaning_of, said, words_for
from app.web.games.frame import Context, Form
from app.web.games.orders import plain_order
from app.web.texts import marked, translated
from app.web.written import Written

# How the special actions of a turn are given.
NO_ACTION: Final = "none"
READY_MADE: Final = "ready_made"
ADVICE: Final = "advice"
LIST: Final = "list"
ASKED: Final = "ask"
PLANS: Final[Mapping[str, str]] = {
    NO_ACTION: marked("No special action"),
    READY_MADE: marked("The ready-made list: only what turns a blow, or softens it"),
    ADVICE: marked("The net fighter's plan for this turn, with the weapon that it takes"),
    LIST: marked("A list of my own"),
    ASKED: marked("Ask me when the dice lie"),
}
UNTIL: Final = "until_event"
WISHES: Final = 7  # rows of a list of one's own: as many as there are actions
MOST_TURNS: Final = 10
SUPPORT: Final = (Spell.AID, Spell.HEAL, Spell.SHIELD)  # the spells that may have a recipient
_DIE: Final = "die"  # what a specialty die may become
_SPELL: Final = "spell"


def order_context(offered: CombatChoices, view: CombatView, language: Language) -> Context:
    """Give what the forms of a seat offer."""
    own = view.own
    called = names(view)
    mine = next((one for one in view.table if one.fighter == offered.seat), None)
    plans = [one for one in PLANS if one != ADVICE or offered.advice is not None]
    return {
        "called": called,
        "means": {str(one): meaning_of(one, language) for one in (*Action, *TwoWeapon, *Spell)},
        "filled": filled(own) if own is not None else filled(CombatOrders()),
        "sent": own is not None,
        "in_use": next(
            (one.fighter.weapon for one in view.fighters if one.id == offered.seat), None
        ),
        "weapon_options": words_for(offered.weapons, language),
        "spell_options": words_for(offered.spells, language),
        "support": " ".join(SUPPORT),
        "adrenaline_options": tuple(
            (str(count), str(count)) for count in range(offered.adrenaline + 1)
        ),
        "specialty_options": words_for(Specialty, language),
        "rethrow_options": _rethrows(language),
        "score_options": words_for(Score, language),
        "plan_options": tuple((one, translated(language, PLANS[one])) for one in plans),
        "action_options": words_for(Action, language),
        "when_options": words_for(When, language),
        "wishes": tuple(range(WISHES)),
        "style_options": words_for(TwoWeapon, language),
        "use_options": words_for(Use, language)
        if view.options.maneuver_uses is ManeuverUses.SINGLE
        else (),
        "stay_options": words_for(Stay, language),
        "paces": _paces(language),
        "mine": () if mine is None else dice_of(mine.dice),
        "picks": (
            *((f"{_DIE}:{one}", said(one, language)) for one in offered.specialties),
            *((f"{_SPELL}:{one}", _as_spell(one, language)) for one in offered.spells),
        ),
        "advice": offered.advice,
        "ready_made": offered.ready_made,
    }


def filled(orders: CombatOrders) -> Form:
    """Fill the form of sealed orders with such orders."""
    texts = shown(encode(orders))
    form: dict[str, Nested] = dict(texts) if isinstance(texts, dict) else {}
    form["plan"] = ASKED if orders.ask_action else LIST if orders.actions else NO_ACTION
    form["wishes"] = form.pop("actions", [])
    form["pace"] = UNTIL if orders.until_event else str(orders.turns)
    return form


def write_order(form: Form, _seat: str, offered: CombatChoices) -> Written:
    """Make the order of whichever form was sent."""
    kind = text_at(form, "kind")
    if kind == CombatOrders.kind:
        return _sealed(form, offered)
    if kind == FinishFighter.kind:
        return _finished(form)
    return plain_order(form, ORDERS)


def _sealed(form: Form, offered: CombatChoices) -> Written:
    """Make sealed orders: the plan says what becomes of the actions, the pace for how long."""
    known = {field.name for field in fields(CombatOrders)}
    tree = {name: part for name, part in form.items() if name in known}
    if text_at(tree, "spell") not in SUPPORT:  # the fields are hidden then, and mean nothing
        tree.pop("target", None)
    if text_at(tree, "spell") != Spell.AID:
        tree.pop("aid_type", None)
    origins = {"ask_action": "plan", "turns": "pace", "until_event": "pace"}
    plan, pace = text_at(form, "plan"), text_at(form, "pace")
    wishes: tuple[ActionWish, ...] = ()
    if plan == READY_MADE:
        wishes = offered.ready_made
    elif plan == ADVICE and offered.advice is not None:
        wishes = offered.advice.actions
        tree["weapon"] = str(offered.advice.weapon)
    tree["actions"] = shown(encode(wishes))
    if plan == LIST:
        tree["actions"], origins = _listed(form, origins)
    elif wishes:
        origins["actions"] = "plan"
    tree["ask_action"] = "true" if plan == ASKED else ""
    tree["until_event"] = "true" if pace == UNTIL else ""
    tree["turns"] = "" if pace == UNTIL else pace
    read = lift(CombatOrders, tree)
    order: dict[str, Json] = read if isinstance(read, dict) else {}
    return Written({**order, "kind": CombatOrders.kind}, origins)


def _listed(form: Form, origins: dict[str, str]) -> tuple[Nested, dict[str, str]]:
    """Read the list of one's own; empty rows are left out."""
    rows: list[Nested] = []
    led = {**origins, "actions": "wishes"}
    for number in range(WISHES):
        action = text_at(form, f"wishes.{number}.action")
        if action:
            for part in ("action", "when"):
                led[f"actions.{len(rows)}.{part}"] = f"wishes.{number}.{part}"
            rows.append({"action": action, "when": text_at(form, f"wishes.{number}.when")})
    return rows, led


def _finished(form: Form) -> Written:
    """Make the choice of specialty dice, and of spells in the place of some (CD-68b)."""
    picked = [one.partition(":") for one in ticks_at(form, "picks") if one]
    return Written(
        {
            "kind": FinishFighter.kind,
            "by": text_at(form, "by"),
            "specialty": [code for what, _, code in picked if what == _DIE],
            "spells": [code for what, _, code in picked if what == _SPELL],
        },
        {"specialty": "picks", "spells": "picks"},
    )


def told(orders: Any, called: Mapping[str, str], language: Language) -> tuple[str, ...]:
    """Tell sealed orders line by line, for everybody once they have come to light."""
    if not isinstance(orders, CombatOrders):
        return ()
    return tuple(
        f"{translated(language, label)}: {value}"
        for label, value in _lines(orders, called, language)
        if value
    )


def _lines(
    orders: CombatOrders, called: Mapping[str, str], language: Language
) -> tuple[tuple[str, str], ...]:
    def word(code: str | None) -> str:
        return "" if code is None else said(code, language)

    wishes = "; ".join(
        f"{word(one.action)} ({said(one.when, language).lower()})" for one in orders.actions
    )
    spell = word(orders.spell)
    if orders.target:
        spell = f"{spell} → {called.get(orders.target, orders.target)}"
    if orders.aid_type:
        spell = f"{spell} ({word(orders.aid_type)})"
    pace = next((text for code, text in _paces(language) if code == filled(orders)["pace"]), "")
    return (
        (marked("Weapon"), word(orders.weapon)),
        (marked("Spell"), spell),
        (marked("Adrenaline dice"), str(orders.adrenaline or "")),
        (marked("Rethrow"), dict(_rethrows(language))[orders.rethrow]),
        (marked("Dice kept in a rethrow"), ", ".join(word(one) for one in orders.keep)),
        (marked("Special actions"), word(ASKED) if orders.ask_action else wishes),
        (marked("Two Weapon Style"), word(orders.two_weapon)),
        (marked("A Maneuver score of 2 first serves"), ", ".join(word(u) for u in orders.uses)),
        (marked("After the ranged turns"), word(orders.stay)),
        (marked("These orders stand for"), pace),
    )


def _rethrows(language: Language) -> Options:
    texts = {
        Rethrow.IF_NO_DAMAGE: marked("only if my roll would do no damage"),
        Rethrow.ALWAYS: marked("always, if I may"),
        Rethrow.NEVER: marked("never"),
        Rethrow.ASK: marked("ask me when the dice lie"),
    }
    return tuple((str(code), translated(language, text)) for code, text in texts.items())


def _paces(language: Language) -> Options:
    several = translated(language, marked("%s turns"))
    return (
        ("1", translated(language, marked("this turn"))),
        *((str(count), several % count) for count in range(2, MOST_TURNS + 1)),
        (UNTIL, translated(language, marked("until something happens (10 turns at most)"))),
    )


def _as_spell(spell: str, language: Language) -> str:
    return translated(language, marked("the spell %s")) % said(spell, language)
