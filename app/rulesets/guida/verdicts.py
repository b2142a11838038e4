"""What follows from the Master's answers to the questions that are left to them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from app.engine.findings import Facts, Finding, Question
from app.engine.ruleset import Resolution
from app.rulesets.guida.areas import remove_area
from app.rulesets.guida.asking import without_object
from app.rulesets.guida.blind_launch import settle_radius, tell_radius
from app.rulesets.guida.bond_rulings import BOND_CODES, rule_on_bonds
from app.rulesets.guida.leaving import take_out
from app.rulesets.guida.places import (
    Behind,
)
from app.rulesets.guida.register import (
    above_maximum,
    amount_written,
    confirm_line,
    drop_line,
)
from app.rulesets.guida.rulings import (
    Answer,
)
from app.rulesets.guida.senses import hide
from app.rulesets.guida.state import (
    Scene,
)
from app.rulesets.guida.stops import rule_on_targets
from app.rulesets.guida.success import description_terms
from app.rulesets.guida.terms import Change, Claim, Standing
from app.rulesets.guida.underway import (
    Incoming,
)


def answer(scene: Scene, order: Answer) -> Resolution[Scene]:
    """Decide what the Master answered, and follow what hangs on it (GC-14.5)."""
    question = next(asked for asked in scene.questions if asked.id == order.question)
    rest = tuple(asked for asked in scene.questions if asked.id != order.question)
    scene = replace(scene, questions=rest)
    details = dict(question.details)
    facts: Facts = {**details, "choice": order.choice, "reason": order.reason}
    findings = [Finding(question.rule, f"answered_{question.code}", facts)]
    if order.precedent is not None:  # with the names, so that whoever may not know them sees none
        cited: Facts = {**details, "precedent": f"P{order.precedent}"}
        findings.append(Finding(question.rule, "by_precedent", cited))
    match question.code, order.choice:
        case ("claim_surprise" | "claim_from_behind") as code, "deny":
            scene = _deny(scene, question.about, Claim(code.removeprefix("claim_")))
        case "manual", choice:
            scene, over = _rule_on_line(scene, question, confirmed=choice == "confirm")
            findings = [replace(findings[0], facts={**facts, "over": Fraction(over)})]
            if choice == "confirm" and int(details["amount"]) > 0:
                findings += above_maximum(scene, question.by, Change(details["change"]))
        case "claim_object", "deny":
            scene = without_object(scene, question.about)
        case "area_coverage", "half":  # GC-12.14: its power was exceeded already
            scene = remove_area(scene, question.about)
        case "hides", "confirm":
            scene = hide(scene, question.by, question.about)
        case "blind_radius", radius:
            scene, settled = settle_radius(scene, question.about, radius)
            findings += settled
        case "blind_radius_beyond", radius:
            findings.append(tell_radius(question, radius))
        case (("target_in_reach" | "counter_goes_on" | "annulled_for_all"), _):
            scene = rule_on_targets(scene, question, order.choice)
        case "place_behind", "confirm":
            won = Behind(who=question.by, whom=question.about)
            scene = replace(scene, behind=scene.behind | {won})
        case code, choice if code in BOND_CODES:
            scene = rule_on_bonds(scene, question, choice)
        case "defeat", "defeated":
            scene, out = take_out(scene, question.about, Standing.DEFEATED)
            findings += out
        case _:
            pass
    return Resolution(scene, tuple(findings))


def _rule_on_line(scene: Scene, question: Question, *, confirmed: bool) -> tuple[Scene, int]:
    """Let a proposed line count or drop it; say how much of it found no room (GC-1.4)."""
    if not confirmed:
        return drop_line(scene, question.by, question.about), 0
    (line,) = (one for one in scene.who(question.by).lines if one.proposal == question.about)
    after = confirm_line(scene, question.by, question.about)
    return after, line.amount - amount_written(scene, after, question.by)


def _deny(scene: Scene, attack: str, claim: Claim) -> Scene:
    """Take a denied bonus out of a score that was fixed with it (GC-4.28)."""

    def without(incoming: Incoming) -> Incoming:
        counted = set(incoming.claims) - {claim}
        if incoming.behind:  # a place the attacker held is nobody's claim
            counted.add(Claim.FROM_BEHIND)
        kept = incoming.hit.without(Claim.SURPRISE).without(Claim.FROM_BEHIND)
        hit = kept.plus(*description_terms(scene.options, counted))
        claims = tuple(one for one in incoming.claims if one is not claim)
        return replace(incoming, hit=hit, claims=claims)

    return replace(
        scene,
        incoming=tuple(
            without(incoming) if incoming.id == attack else incoming for incoming in scene.incoming
        ),
    )
