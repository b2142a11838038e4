"""The Missile and Combat steps (BD-60, BD-61): both sides' hits are counted, then both lose."""

from __future__ import annotations

from fractions import Fraction

from app.engine.findings import Facts, Finding
from app.engine.tally import Tally, Term
from app.rulesets.battle_dice.course import Course
from app.rulesets.battle_dice.field import Field
from app.rulesets.battle_dice.losses import absorb, destroy, lose
from app.rulesets.battle_dice.policies import SHOTS, casualties, due_in
from app.rulesets.battle_dice.terms import Step


def tally_hits(field: Field, place: int, step: Step) -> Tally:
    """Add up what a side destroys in a step: dice that score, and delayed losses (AMB-BD-16)."""
    host = field.hosts[place]
    rule = "BD-60" if step is Step.MISSILE else "BD-61"
    dice = Term(rule, "dice", Fraction(host.scoring(SHOTS[step])))
    due = due_in(field, host, step)
    return Tally((dice,)).plus(Term("AMB-BD-16", "due", Fraction(due)) if due else None)


def settle_shots(field: Field, course: Course, step: Step) -> Field:
    """Destroy dice on both sides at once, or on one side first (BD-12, BD-T6)."""
    first = [place for place in (0, 1) if step in field.hosts[place].first_in]
    if len(first) == 2:
        # AMB-BD-14: both first cancel each other.
        course.say(Finding("AMB-BD-14", "first_cancelled", {"step": step}, ruling="AMB-BD-14"))
    if len(first) == 1:
        for place in (first[0], 1 - first[0]):
            field = lose(field, course, 1 - place, _hits(field, course, place, step))
        return field
    hits = [_hits(field, course, place, step) for place in (0, 1)]
    left = [0, 0]
    for place in (0, 1):
        field, left[place] = absorb(field, course, place, hits[1 - place])
    choices = (casualties(field, place, left[place]) for place in (0, 1))
    for place, picked in enumerate(course.choose(field, *choices)):
        field = destroy(field, course, place, picked)
    return field


def _hits(field: Field, course: Course, place: int, step: Step) -> int:
    hits = tally_hits(field, place, step)
    rule = hits.terms[0].rule
    facts: Facts = {
        "side": field.hosts[place].name,
        "step": step,
        "hits": hits,
        "total": int(hits.total),
    }
    course.say(Finding(rule, "hits", facts))
    return int(hits.total)
