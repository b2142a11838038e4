"""The board's form: how doubtful points are read, and numbers that the Guida does not give."""

from __future__ import annotations

import typing
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final

from app import catalogue
from app.http.language import Language
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.readings import (
    StatBonus,
)
from app.rulesets.guida.terms import AttackKind
from app.web.forms import Json, Nested, lift, text_at, ticks_at
from app.web.texts import marked, translated

AIMABLE: Final = (AttackKind.TARGETED, "multiple_1_5", AttackKind.AREA, AttackKind.MULTIPLE)
TABLES: Final = ("potential_by_category",)
LABELS: Final = {
    "rounding_mode": marked("Fractions are rounded"),
    "rounding_stage": marked("When they are rounded"),
    "extra_stats": marked("Stats beyond the four on a sheet"),
    "hp_floor": marked("Hit points do not fall below"),
    "register_counts_gains": marked("What is regained counts in the balance of the register"),
    "undeclared_defence": marked("An attack that nobody answers"),
    "multi_cover_resolution": marked("One defence against several attacks"),
    "guard_success_counts_as_success": marked("A guard that halves the damage has succeeded"),
    "half_damage_tie_counts_as_success": marked("A tie that halves the damage is a success"),
    "unactivated_defence_costs_ep": marked("A defence that came too late costs energy"),
    "clamp_distance_factor": marked("The distance factor never goes below −6"),
    "beyond_max_range": marked("An attack beyond its maximum range"),
    "distance_measured": marked("The distance of an attack with a move is taken"),
    "dodge_metres_per_dexterity": marked("Metres of a dodge for each level of Dexterity"),
    "aimable_kinds": marked("What may be aimed at a part of the body"),
    "description_bonuses_stack": marked("Surprise and from behind add up"),
    "predictability_counts_current_use": marked("The use under way counts among the uses"),
    "predictability_scope": marked("The uses of a technique are counted"),
    "guard_riders": marked("A guard lets stacks and effects through"),
    "guard_criticals": marked("A guard lets criticals through"),
    "riders_on_tie": marked("A tie lets stacks and effects through"),
    "critical_multiplies": marked("A critical doubles"),
    "armour_down_until": marked("A beaten armour stays down"),
    "armour_stacking": marked("Several armours at once"),
    "semi_pure_armour": marked("Armour acts on semi-pure damage"),
    "maim_restart_at_cap": marked("At the limit a new maim starts its turns anew"),
    "covering_defence_power": marked("A defence that covers several attacks meets the next with"),
    "independent_secondary_survives_failure": marked(
        "An independent secondary action goes on after a failed defence"
    ),
    "generic_action_opens_defensive_phase": marked(
        "A generic action of an opponent opens the Defensive Phase"
    ),
    "tie_half_damage_mode": marked("Half damage on a tie"),
    "overpowered_defence_blocks_offensive": marked(
        "A defence beaten in power closes the Offensive Phase"
    ),
    "failed_generic_counter_blocks_offensive": marked(
        "A lost counterattack on a generic action closes the Offensive Phase"
    ),
    "failed_direct_counter_is_launched": marked("A direct counterattack that failed goes on"),
    "annulled_counter_frees_main_action": marked(
        "A counterattack that comes to nothing leaves the main action free"
    ),
    "missing_tie_rule": marked("A tie that no rule speaks of goes to"),
    "defend_modifiers_apply_to_counterattacks": marked(
        "Modifiers of the defend score help counterattacks too"
    ),
    "half_move_requires_successful_counter": marked(
        "Only a counterattack in time stops a move half way"
    ),
    "round_distances": marked("Distances are rounded to whole metres"),
    "movement_metres_per_dexterity": marked("Metres of a movement for each level of Dexterity"),
    "movement_clears_type1": marked("A movement clears off-balance and stun"),
    "movement_counter_mode": marked("A counterattack that stops a movement"),
    "generic_action_die": marked("Faces of the die of a generic action"),
    "preparation_bonus_scope": marked("A preparation helps"),
    "guard_halves": marked("A guard halves"),
    "additional_can_be_critical": marked("Additional damage can be critical"),
    "environmental_counts_as_additional": marked(
        "Environmental damage counts as the one additional damage"
    ),
    "environmental_uses_armour": marked("Armour acts on environmental damage"),
    "main_heal_halved": marked("A main heal is halved"),
    "heal_armour_subtraction": marked("Armour is taken from a heal"),
    "regeneration_affected_by_armour": marked("Armour acts on regeneration"),
    "heal_cap": marked("Healing stops at"),
    "dice_tag_mismatch": marked("A dice tag whose modifier is not the sum of its factors"),
    "halving_applies_to": marked("A comparison halves"),
    "category_after_reduction": marked("A reduced potential has the letter"),
    "stun_scales_with": marked("The penalty of stun counts the stacks of"),
    "potential_modifier_mode": marked("A modifier of potential is"),
    "potential_points_per_modifier": marked("Points of potential in one modifier"),
}
WORDS: Final = {
    "floor": marked("downwards"),
    "ceil": marked("upwards"),
    "half_up": marked("to the nearest, halves upwards"),
    "half_even": marked("to the nearest, halves to the even one"),
    "final": marked("once, at the end"),
    "each_step": marked("at every division"),
    "none": marked("no limit"),
    "0": marked("zero"),
    "null_defence": marked("counts as a null defence"),
    "failure": marked("counts as a failed defence"),
    "first_failure_stops": marked("the first failure stops it"),
    "each_independent": marked("each attack stands alone"),
    "reject": marked("it is refused"),
    "allow": marked("it is allowed"),
    "ignore": marked("are kept, and count for nothing"),
    "warn_use_factors": marked("the factors hold, with a warning"),
    "warn_use_modifier": marked("the modifier holds, with a warning"),
    "after_move": marked("after the move"),
    "before_move": marked("before the move"),
    "scene": marked("over the whole scene"),
    "opponent": marked("for each opponent"),
    "final_damage": marked("the final damage"),
    "power": marked("the power"),
    "owner_next_turn": marked("until its owner's next turn"),
    "current_turn_end": marked("until the end of the turn"),
    "same_action": marked("for the same action only"),
    "strongest": marked("the strongest counts"),
    "sum": marked("they add up"),
    "carried": marked("what the last comparison left of its power"),
    "full": marked("its whole power"),
    "replaces_win": marked("takes the place of a success"),
    "alongside_win": marked("comes together with a success"),
    "potential": marked("the potential"),
    "printed": marked("printed on the sheet"),
    "recomputed": marked("that its points now have"),
    "points": marked("a number of points"),
    "category_step": marked("one category"),
    "defender": marked("the defender"),
    "attacker": marked("the attacker"),
    "all_defences": marked("all defences of the turn"),
    "first_defence": marked("the first defence only"),
    "specific": marked("ends it half way"),
    "suspended_action": marked("suspends it, like any generic action"),
    "attack_and_additional": marked("the attack and its additional damage"),
    "all": marked("these and environmental damage"),
    "attack_only": marked("the attack alone"),
    "inside": marked("before it is halved"),
    "outside": marked("after it is halved"),
    "max_hp": marked("the maximum of hit points"),
    "stun": marked("stun"),
    "off_balance": marked("off-balance"),
    "normal_half": marked("on the normal half"),
    "input": marked("from the sheet only"),
    "total_level": marked("else the total level of the governing stat"),
    "targeted": marked("targeted attacks"),
    "multiple_1_5": marked("volleys of up to five"),
    "area": marked("area attacks"),
    "multiple": marked("volleys of any size"),
}
OF_FIELD: Final = {
    ("semi_pure_armour", "none"): marked("on no half"),
    ("extra_stats", "reject"): marked("are refused when a scene is opened"),
    ("dice_tag_mismatch", "reject"): marked("the dice are refused"),
}


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option as the form shows it: its ruling says what it is about."""

    name: str
    ruling: str
    title: str
    statement: str
    kind: str
    choices: tuple[tuple[str, str], ...]


def option_fields(language: Language) -> tuple[OptionField, ...]:
    """List the options, each under the ruling that it settles otherwise."""
    hints = typing.get_type_hints(Options)
    by_option = {name: one for one in catalogue.rulings().values() for name in one.options}
    found = []
    for field in fields(Options):
        ruling = by_option.get(field.name)
        kind, values = _shape(hints[field.name])
        found.append(
            OptionField(
                name=field.name,
                ruling=ruling.id if ruling else "",
                title=translated(language, LABELS.get(field.name, field.name)),
                statement=ruling.statement[language] if ruling else "",
                kind=kind,
                choices=tuple((value, word(language, field.name, value)) for value in values),
            )
        )
    return tuple(found)


def word(language: Language, field: str, value: str) -> str:
    """Say a value of an option."""
    text = OF_FIELD.get((field, value)) or WORDS.get(value, value)
    return translated(language, text)


def stat_bonus_choices(language: Language) -> list[tuple[str, str]]:
    """List where a stat bonus may come from."""
    return [(value, word(language, "stat_bonus_source", value)) for value in StatBonus]


def write_options(form: Nested) -> Json:
    """Read the options of the form."""
    typed = form.get("options") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    tree["aimable_kinds"] = list(ticks_at(form, "options.aimable_kinds"))
    return lift(Options, tree)


def write_regulation(form: Nested) -> Json:
    """Read the regulation of the form; a table left empty is taken away."""
    typed = form.get("regulation") if isinstance(form, dict) else None
    tree: dict[str, Nested] = dict(typed) if isinstance(typed, dict) else {}
    read: Any = lift(Regulation, tree)
    return {**dict.fromkeys(TABLES), **read}


def rename(path: str) -> str:
    """Lead from a path in the changes to the field of the form."""
    return path.replace("[", ".").replace("]", "").replace(".guida.", ".")


def shown_regulation(texts: Nested) -> Nested:
    """Write the ladder of ranges in one line, as the form has it."""
    if not isinstance(texts, dict):
        return texts
    ladder = texts.get("range_ladder_m")
    steps = [one for one in ladder if isinstance(one, str)] if isinstance(ladder, list) else []
    return {**texts, "range_ladder_m": ", ".join(steps) or text_at(texts, "range_ladder_m")}


def _shape(hint: Any) -> tuple[str, tuple[str, ...]]:
    """Tell how a field of a type is filled in, and among which values."""
    if hint is bool:
        return "tick", ()
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return "choice", tuple(hint)
    if hint in (int, Fraction, Fraction | None):
        return "number", ()
    return "ticks", tuple(str(kind) for kind in AIMABLE)
