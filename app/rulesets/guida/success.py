"""Successo e Fallimento delle Azioni (GC-4): the scores of attacks and defences, term by term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
)
from app.rulesets.guida.levels import in_force, stacks_in_force, total_level
from app.rulesets.guida.options import (
    Options,
    Regulation,
)
from app.rulesets.guida.readings import (
    StunScale,
    TieGoesTo,
)
from app.rulesets.guida.sheet import ScorePoints, Tool
from app.rulesets.guida.tables import (
    ACTION_BONUS,
    ACTION_DIE,
    AIM_FACTOR,
    DISTANCE_BEST,
    DISTANCE_PER_STEP,
    DISTANCE_WORST,
    FROM_BEHIND,
    MOVE_PER_STEP,
    MOVEMENT_PER_STEP,
    PREDICTABLE,
    SURPRISE,
    TIE_RULE,
)
from app.rulesets.guida.terms import (
    Action,
    Aim,
    AttackKind,
    Claim,
    Means,
    Outcome,
    Score,
    Stack,
    Stat,
)


def die_of(options: Options, action: Action) -> int | None:
    """Give the die of an action as printed, but for a dodge with an ally (GC-4.34, AMB-107)."""
    return options.ally_dodge_die if action is Action.ALLY_DODGE else ACTION_DIE[action]


def settle_speed(hit_score: Fraction, defend_score: Fraction) -> Outcome:
    """Compare the two scores: only a strictly greater hit score lands first (GC-3.3, GC-3.4).

    Power has no part in it (GC-3.8).
    """
    if hit_score > defend_score:
        return Outcome.ATTACKER_WINS
    return Outcome.TIE if hit_score == defend_score else Outcome.DEFENDER_WINS


def is_in_time(options: Options, action: Action | None, outcome: Outcome) -> bool:
    """Say whether a defence is in time: a tie is settled by its own rule, else by AMB-24 (GC-3.4).

    Every tie that the book prints a rule for is the defender's; None stands for an action without.
    """
    if outcome is Outcome.TIE and action not in TIE_RULE:
        return options.missing_tie_rule is TieGoesTo.DEFENDER
    return outcome is not Outcome.ATTACKER_WINS


def distance_factor(options: Options, steps: int) -> Term:
    """Give the distance factor for so many ranges off the optimal one (GC-4.6, GC-4.7)."""
    value = DISTANCE_BEST + DISTANCE_PER_STEP * steps
    if options.clamp_distance_factor:
        value = max(value, DISTANCE_WORST)  # GC-4.3, AMB-25
    return Term("GC-4.7" if steps else "GC-4.6", "distance", Fraction(value))


def can_aim(options: Options, tool: Tool) -> bool:
    """Say whether an attack of this kind may choose limbs or head (GC-4.19, AMB-30)."""
    few = tool.attack_kind is AttackKind.MULTIPLE and tool.volley_size <= 5
    return tool.attack_kind in options.aimable_kinds or (
        few and "multiple_1_5" in options.aimable_kinds
    )


def description_terms(options: Options, claims: Iterable[Claim]) -> tuple[Term, ...]:
    """Give the description bonuses of an attack (GC-4.29, GC-4.30), or the larger only (AMB-31)."""
    terms = {
        Claim.SURPRISE: Term("GC-4.29", "surprise", Fraction(SURPRISE)),
        Claim.FROM_BEHIND: Term("GC-4.30", "from_behind", Fraction(FROM_BEHIND)),
    }
    claimed = [terms[claim] for claim in Claim if claim in set(claims)]
    return tuple(claimed if options.description_bonuses_stack else claimed[:1])


def predictability(uses: int) -> int:
    """Give 0 to 3 for the number of uses of the same technique (GC-4.31, GC-4.32)."""
    return PREDICTABLE.at(uses)


def counted_use(options: Options, tool: Tool | None, before: int) -> int:
    """Count which use this one is; plain weapons are not counted (AMB-32)."""
    if tool is None or tool.means is not Means.TECHNIQUE:
        return 0
    return before + 1 if options.predictability_counts_current_use else before


def tally_hit(
    options: Options,
    regulation: Regulation,
    attacker: Combatant,
    tool: Tool,
    support: tuple[Tool, ...],
    *,
    metres: Fraction,
    moved_steps: int,
    aim: Aim,
    claims: Iterable[Claim],
    bonuses: tuple[Term, ...] = (),
) -> Tally:
    """Add up everything but the die of a hit score (GC-4.1).

    ``bonuses`` are those of a counter's offensive half and of a preparation.
    """
    distance = distance_factor(options, regulation.steps(metres, tool.optimal_m))
    rule, factor = AIM_FACTOR[aim]
    return Tally((_named(distance, _range(regulation, metres)),)).plus(
        Term("GC-4.15", "move", Fraction(MOVE_PER_STEP * moved_steps)) if moved_steps else None,
        Term(rule, f"aim_{aim}", Fraction(factor)) if factor else None,
        *_modifiers(attacker, (tool, *support), Score.HIT),
        *description_terms(options, claims),
        *_conditions(options, attacker, Score.HIT),
        *bonuses,
        _dexterity(attacker),
    )


def tally_defend(
    options: Options,
    defender: Combatant,
    action: Action,
    tool: Tool | None,
    support: tuple[Tool, ...],
    *,
    moved_steps: int,
    enemy_use: int,
    own_use: int,
    prepared: Term | None = None,
) -> Tally:
    """Add up everything but the die of a defend score: never distance nor aim (GC-4.2)."""
    bonus = ACTION_BONUS[action]
    tools = (tool, *support) if tool else support
    # GC-4.12: the move of a dodge costs nothing.
    steps = 0 if action is Action.DODGE else moved_steps
    return Tally().plus(
        Term(bonus[0], f"{action}_bonus", Fraction(bonus[1])) if bonus else None,
        Term("GC-4.9", "move", Fraction(MOVE_PER_STEP * steps)) if steps else None,
        *_modifiers(defender, tools, Score.DEFEND),
        *_predictability(enemy_use, own_use),
        *_conditions(options, defender, Score.DEFEND),
        prepared,
        _dexterity(defender),
    )


def tally_counter(
    options: Options,
    who: Combatant,
    tool: Tool,
    support: tuple[Tool, ...],
    *,
    moved_steps: int,
    enemy_use: int,
    own_use: int,
    prepared: Term | None,
) -> Tally:
    """Add up the defensive half of a counterattack: a hit score without distance and aim (GC-4.64).

    Modifiers of the defend score stay out (AMB-33) unless the options let them in; a move inside
    the counter is charged here in any case (GC-14.14).
    """
    tally = Tally().plus(
        Term("GC-14.14", "move", Fraction(MOVE_PER_STEP * moved_steps)) if moved_steps else None,
        *_modifiers(who, (tool, *support), Score.HIT),
    )
    if options.defend_modifiers_apply_to_counterattacks:
        tally = tally.plus(
            *_predictability(enemy_use, own_use), *_conditions(options, who, Score.DEFEND)
        )
    else:
        tally = tally.plus(*_conditions(options, who, Score.HIT))
    return tally.plus(prepared, _dexterity(who))


def tally_success(
    options: Options,
    who: Combatant,
    action: Action,
    tool: Tool | None,
    support: tuple[Tool, ...],
    *,
    moved_steps: int,
) -> Tally:
    """Add up everything but the die of a generic action's success score (GC-4.42, GC-14.17)."""
    bonus = ACTION_BONUS[action]
    tools = (tool, *support) if tool else support
    per_step = MOVEMENT_PER_STEP if action is Action.MOVEMENT else MOVE_PER_STEP
    rule = "GC-4.42" if action is Action.MOVEMENT else "GC-4.15"
    return Tally().plus(
        Term(bonus[0], f"{action}_bonus", Fraction(bonus[1])) if bonus else None,
        Term(rule, "move", Fraction(per_step * moved_steps)) if moved_steps else None,
        *_modifiers(who, tools, Score.SUCCESS),
        *_conditions(options, who, Score.SUCCESS),
        _dexterity(who),
    )


def _named(term: Term, name: str) -> Term:
    return Term(term.rule, term.key, term.value, name=name)


def _range(regulation: Regulation, metres: Fraction) -> str:
    """Name a range by its bounds in metres, since the Guida names only one (AMB-26)."""
    band = regulation.band(metres)
    ladder = regulation.range_ladder_m
    if band == len(ladder):
        return f"> {ladder[-1]} m"
    return f"{ladder[band - 1] + 1 if band else 0}–{ladder[band]} m"


def _dexterity(combatant: Combatant) -> Term:
    level = total_level(combatant, Stat.DEXTERITY)
    return Term("GC-4.33", "dexterity", level.total, parts=level)


def _modifiers(combatant: Combatant, tools: Iterable[Tool], score: Score) -> Iterator[Term]:
    """Give passive bonuses of sheet and tools, then timed ones, that change this score (GC-4.4)."""
    asked = (score, Score.SUCCESS)
    for modifier in combatant.sheet.modifiers:
        if modifier.score in asked:
            yield Term("GC-4.4", "modifier", Fraction(modifier.points), name=modifier.name)
    for tool in tools:
        for modifier in tool.modifiers:
            if modifier.score in asked:
                yield Term("GC-4.4", "modifier", Fraction(modifier.points), name=modifier.name)
    for running in in_force(combatant):
        if isinstance(running.effect, ScorePoints) and running.effect.score in asked:
            yield Term("GC-4.4", "modifier", Fraction(running.effect.points), name=running.name)


def _predictability(enemy_use: int, own_use: int) -> Iterator[Term]:
    predicted, repeated = predictability(enemy_use), predictability(own_use)
    if predicted:
        yield Term("GC-4.31", "predictable_attack", Fraction(predicted))
    if repeated:
        yield Term("GC-4.32", "predictable_defence", Fraction(-repeated))


def _conditions(options: Options, combatant: Combatant, score: Score) -> Iterator[Term]:
    scale = Stack.STUN if options.stun_scales_with is StunScale.STUN else Stack.OFF_BALANCE
    stun = stacks_in_force(combatant, scale)  # AMB-80
    if stun:  # GC-11.7: both scores
        yield Term("GC-11.7", Stack.STUN, Fraction(-stun))
    unbalanced = stacks_in_force(combatant, Stack.OFF_BALANCE)
    if unbalanced and score is Score.DEFEND:
        yield Term("GC-11.5", Stack.OFF_BALANCE, Fraction(-unbalanced))
