"""What of the rules came up in fights, so that the laws about them have something to say."""

from __future__ import annotations

import dataclasses
import enum
import typing
from collections import defaultdict
from typing import Final

from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.options import Options
from app.rulesets.guida.orders import Attack, Turn
from app.rulesets.guida.sheet import Effect
from app.rulesets.guida.state import Scene
from app.rulesets.guida.terms import Action, AreaForm, AttackKind, Bind, Curtain, Stack
from tests.property.many_fights import Played

QUESTIONS: Final = (
    *("annulled_for_all", "area_coverage", "blind_radius", "bound_technique", "bound_techniques"),
    *("claim_from_behind", "claim_object", "claim_surprise", "constraint_overlap", "defeat"),
    *("counter_goes_on", "hides", "improper_constraint", "manual", "place_behind"),
    "target_in_reach",
)
OUTCOMES: Final = (
    *("bond_begins", "liberation_won", "liberation_failed", "bound_annulled"),
    *("camouflaged", "masked", "perceived", "detected", "not_detected", "concealment_ends"),
    *("masking_holds", "masking_fails", "blind_fails", "blind_goes_on", "blind_beyond_range"),
    *("throw_waits", "reaction_failed", "area_formed", "area_ended", "generic_carried_out"),
    *("stacks_relieved", "stacks_applied", "joined", "out_of_fight", "turn_order_set"),
    *("suspended_confirmed", "suspended_annulled", "ally_sheltered", "power_comparison"),
    *("label_superseded", "independent_in_time", "independent_outpaced", "additional_due"),
)


class Met:
    """Everything of the chapters that came up in fights so far."""

    def __init__(self) -> None:
        self.seen: dict[str, set[object]] = defaultdict(set)

    def add(self, played: Played) -> None:
        """Note what comes up in a fight."""
        options = played.setup.options
        for field in dataclasses.fields(Options):
            self.seen[f"option {field.name}"].add(getattr(options, field.name))
        for one in played.steps:
            self.seen["order"].add(type(one.order))
            self.seen["finding"] |= {found.key for found in one.findings}
            self.seen["action"] |= {Action(die.action) for die in one.plan.asked}
            self.seen["question"] |= {asked.code for asked in one.after.questions}
            self.seen["curtain"] |= {area.curtain for area in one.after.areas}
            self.seen["area form"] |= {area.form for area in one.after.areas}
            for who in one.after.combatants:
                self.seen["stack"] |= {lot.stack for lot in who.lots}
                self.seen["bind"] |= {bind for bond in who.bonds for bind in bond.binds}
            if isinstance(one.order, Turn):
                self._post(one.before, one.order)

    def _post(self, scene: Scene, turn: Turn) -> None:
        used = [turn.perception, turn.camouflage, turn.masking]
        used += [turn.liberation.tool] if turn.liberation else []
        used += [one.tool for one in turn.independents]
        for defence in turn.defences:
            self.seen["action"].add(defence.action)
            used += [defence.tool, *defence.support]
        if turn.main is not None:
            self.seen["action"].add(Action(turn.main.kind))
            used += [getattr(turn.main, "tool", None), *turn.main.support]
        sheet = scene.who(turn.by).sheet
        for tool in sheet.tools_by_id(id for id in used if id is not None):
            self.seen["effect"] |= {type(effect) for effect in tool.effects}
        if isinstance(turn.main, Attack) and (own := sheet.tool(turn.main.tool)) is not None:
            self.seen["blind" if turn.main.blind else "attack"].add(own.attack_kind)
            self.seen["several" if turn.main.also else "attack"].add(own.attack_kind)

    def missing(self) -> dict[str, set[object]]:
        """Say what there is in the rules that has not come up."""
        wanted: dict[str, set[object]] = {
            "order": set(GUIDA.orders),
            "action": set(Action),
            "stack": set(Stack),
            "bind": set(Bind),
            "curtain": {None, *Curtain},
            "area form": set(AreaForm),
            "effect": set(typing.get_args(Effect)),
            "question": set(QUESTIONS),
            "attack": set(AttackKind),
            "several": set(AttackKind),
            "blind": set(AttackKind),
            "finding": set(OUTCOMES),
        }
        for field in dataclasses.fields(Options):
            if isinstance(field.default, bool):
                wanted[f"option {field.name}"] = {False, True}
            elif isinstance(field.default, enum.Enum):
                wanted[f"option {field.name}"] = set(type(field.default))
        left = {kind: things - self.seen[kind] for kind, things in wanted.items()}
        return {kind: things for kind, things in left.items() if things}
