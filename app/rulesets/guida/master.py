"""What is decided outside a turn: the Master's rulings, register lines by hand, pauses and ends."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from app.engine.findings import Facts, Finding, Question
from app.engine.ruleset import GM, Resolution
from app.engine.tally import Term
from app.rulesets.guida.areas import remove_area
from app.rulesets.guida.arrivals import join, set_turn_order
from app.rulesets.guida.blind_launch import settle_radius
from app.rulesets.guida.bond_rulings import BOND_CODES, rule_on_bonds
from app.rulesets.guida.bonds import is_about_bonds
from app.rulesets.guida.combatants import (
    Line,
)
from app.rulesets.guida.generic import release
from app.rulesets.guida.moves import leave_place
from app.rulesets.guida.objections import Ruling
from app.rulesets.guida.orders import (
    Knock,
)
from app.rulesets.guida.places import (
    Behind,
)
from app.rulesets.guida.register import confirm_line, drop_line, write_line
from app.rulesets.guida.rulings import (
    Adequacy,
    Answer,
    Close,
    EndArea,
    Impact,
    Join,
    Manual,
    Pause,
    Place,
    ReplaceSheet,
    Resume,
    SetValue,
    TurnOrder,
    Withdraw,
)
from app.rulesets.guida.senses import forget_located, hide
from app.rulesets.guida.state import (
    Scene,
    add_line,
)
from app.rulesets.guida.stops import rule_on_targets, tidy
from app.rulesets.guida.success import description_terms
from app.rulesets.guida.terms import Change, Claim, Standing
from app.rulesets.guida.throws import hurt_by_surroundings
from app.rulesets.guida.turn import next_up
from app.rulesets.guida.underway import (
    Incoming,
    Ruled,
    Throw,
)


def resolve(scene: Scene, order: Ruling) -> Resolution[Scene]:
    """Decide an order that ``check`` found nothing against; no dice are involved."""
    match order:
        case Answer():
            return _answer(scene, order)
        case Place():
            return _place(scene, order)
        case Manual():
            return _manual(scene, order)
        case SetValue():
            return _set_value(scene, order)
        case Adequacy():
            return _adequacy(scene, order)
        case Impact():
            return _impact(scene, order)
        case EndArea():
            return _end_area(scene, order)
        case Pause() | Resume() | Close():
            return _halt(scene, order)
        case Join():
            return join(scene, order)
        case TurnOrder():
            return set_turn_order(scene, order)
        case Withdraw():
            return _withdraw(scene, order)
        case ReplaceSheet():
            return _replace_sheet(scene, order)
        case _:
            assert_never(order)


def _halt(scene: Scene, order: Pause | Resume | Close) -> Resolution[Scene]:
    match order:
        case Pause():
            return _note(replace(scene, paused=True), "scene_paused", order.reason)
        case Resume():
            return _note(replace(scene, paused=False), "scene_resumed", order.reason)
        case Close():
            return _note(replace(scene, ended=True), "scene_closed", order.reason)


def _note(scene: Scene, key: str, reason: str) -> Resolution[Scene]:
    return Resolution(scene, (Finding("GC-2.1", key, {"reason": reason}),))


def _answer(scene: Scene, order: Answer) -> Resolution[Scene]:
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
        case "claim_object", "deny":
            scene = _without_object(scene, question.about)
        case "area_coverage", "half":  # GC-12.14: its power was exceeded already
            scene = remove_area(scene, question.about)
        case "hides", "confirm":
            scene = hide(scene, question.by, question.about)
        case "blind_radius", radius:
            scene, settled = settle_radius(scene, question.about, radius)
            findings += settled
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
    return after, line.amount - _taken(scene, after, question.by)


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


def _without_object(scene: Scene, attack: str) -> Scene:
    """Let a knockback meet nothing on its way (GC-10.2)."""

    def without(incoming: Incoming) -> Incoming:
        if incoming.id != attack or incoming.knock is None:
            return incoming
        return replace(incoming, knock=replace(incoming.knock, object_m=None))

    return replace(scene, incoming=tuple(without(incoming) for incoming in scene.incoming))


def _place(scene: Scene, order: Place) -> Resolution[Scene]:
    findings = [
        Finding(
            "GC-4.8",
            "placed",
            {
                "who": scene.name_of(distance.a),
                "other": scene.name_of(distance.b),
                "before": scene.metres(distance.a, distance.b),
                "metres": distance.metres,
                "reason": order.reason,
            },
        )
        for distance in order.distances
    ]
    behind = scene.behind if order.behind is None else frozenset(order.behind)
    if behind != scene.behind:
        names = tuple(
            f"{scene.who(b.who).sheet.name} > {scene.who(b.whom).sheet.name}"
            for b in sorted(behind, key=lambda b: (b.who, b.whom))
        )
        findings.append(
            Finding("GC-4.30", "placed_behind", {"behind": names, "reason": order.reason})
        )
    hidden = scene.hidden if order.hidden is None else frozenset(order.hidden)
    if order.hidden is not None:
        pairs = tuple(
            f"{scene.who(one.who).sheet.name} > {scene.who(one.observer).sheet.name}"
            for one in sorted(hidden, key=lambda one: (one.who, one.observer))
        )
        findings.append(
            Finding("GC-9.1", "placed_hidden", {"hidden": pairs, "reason": order.reason})
        )
    scene = replace(scene.placed(order.distances, behind), hidden=hidden)
    return Resolution(forget_located(scene), tuple(findings))


def _end_area(scene: Scene, order: EndArea) -> Resolution[Scene]:
    facts: Facts = {"name": scene.name_of(order.area), "reason": order.reason}
    found = Finding("GC-12.1", "area_ended", facts)
    return Resolution(remove_area(scene, order.area), (found,))


def _manual(scene: Scene, order: Manual) -> Resolution[Scene]:
    confirmed = order.by == GM
    line = Line(
        id=0,
        change=order.change,
        amount=order.amount,
        rule="GC-1.4",
        key="by_hand",
        stat=order.stat if order.change is Change.POINTS else None,
        stack=order.stack if order.change is Change.STACKS else None,
        reason=order.reason,
        by_hand=_name(scene, order.by),
        confirmed=confirmed,
    )
    bearer = scene.who(order.combatant).sheet.name
    facts: Facts = {
        "bearer": bearer,
        "change": order.change,
        "amount": Fraction(order.amount),
        "subject": line.stat or line.stack or line.subject,
        "reason": order.reason,
        "by": line.by_hand,
    }
    if confirmed:
        after = write_line(scene, order.combatant, line)
        taken = _taken(scene, after, order.combatant)
        counts: Facts = {
            **facts,
            "amount": Fraction(taken),
            "over": Fraction(order.amount - taken),
        }
        return Resolution(after, (Finding("GC-1.4", "line_by_master", counts),))
    scene = replace(scene, proposals=scene.proposals + 1)
    proposal = f"m{scene.proposals}"
    scene = add_line(scene, order.combatant, replace(line, proposal=proposal))
    question = Question(
        id=f"q-{proposal}",
        rule="GC-1.4",
        code="manual",
        choices=("confirm", "deny"),
        about=proposal,
        by=order.combatant,
        details=(
            ("bearer", bearer),
            ("change", order.change),
            ("amount", str(order.amount)),
            ("subject", str(facts["subject"])),
            ("why", order.reason),
        ),
    )
    scene = replace(scene, questions=(*scene.questions, question))
    return Resolution(scene, (Finding("GC-1.4", "line_proposed", facts),))


def _taken(before: Scene, after: Scene, id: str) -> int:
    """Give the amount a line was written with: of stacks a cap may have kept some out (GC-11.2)."""
    return next(line.amount for line in after.who(id).lines if line.id == before.serial + 1)


def _set_value(scene: Scene, order: SetValue) -> Resolution[Scene]:
    who = scene.who(order.combatant)
    now = who.hp_now if order.change is Change.HP else who.ep_now
    facts: Facts = {
        "bearer": who.sheet.name,
        "change": order.change,
        "before": now,
        "value": order.value,
        "reason": order.reason,
    }
    found = Finding("GC-2.4", "value_set", facts)
    if order.value == now:
        return Resolution(scene, (found,))
    line = Line(
        id=0,
        change=order.change,
        amount=order.value - now,
        rule="GC-1.4",
        key="by_hand",
        reason=order.reason,
        by_hand=_name(scene, GM),
    )
    return Resolution(write_line(scene, order.combatant, line), (found,))


def _adequacy(scene: Scene, order: Adequacy) -> Resolution[Scene]:
    ruling = Ruled(attack=order.attack, defence=order.defence, adequate=order.adequate)
    others = tuple(
        old for old in scene.ruled if (old.attack, old.defence) != (order.attack, order.defence)
    )
    attack = next(attack for attack in scene.incoming if attack.id == order.attack)
    facts: Facts = {
        "attacker": scene.who(attack.attacker).sheet.name,
        "target": scene.who(attack.target).sheet.name,
        "name": attack.tool.name,
        "action": order.defence,
        "adequate": order.adequate,
        "reason": order.reason,
    }
    found = Finding("GC-14.5", "adequacy_ruled", facts, "AMB-34")
    return Resolution(replace(scene, ruled=(*others, ruling)), (found,))


def _impact(scene: Scene, order: Impact) -> Resolution[Scene]:
    """Enter environmental damage; it counts toward the one additional damage of a turn (AMB-55)."""
    throw = Throw(
        thrower=order.attacker,
        thrown=order.target,
        name="",
        die=order.die,
        category=order.category,
        potential_bonus=Term("GC-8.5", "potential_bonus", Fraction(0)),
        stat_bonus=order.stat_bonus,
        knock=Knock(),
        by_defence=order.by_defence,
        guarded=order.guarded,
    )
    scene, found = hurt_by_surroundings(scene, throw, reason=order.reason)
    return Resolution(scene, tuple(found))


def _withdraw(scene: Scene, order: Withdraw) -> Resolution[Scene]:
    scene, findings = take_out(scene, order.combatant, order.standing)
    told = replace(findings[0], facts={**findings[0].facts, "reason": order.reason})
    return Resolution(scene, (told, *findings[1:]))


def take_out(scene: Scene, id: str, standing: Standing) -> tuple[Scene, list[Finding]]:
    """Take a combatant out of the fight; what flew at it or from it hits nobody any more."""
    who = scene.who(id)
    scene = leave_place(scene.put(replace(who, standing=standing)), id)
    gone = {one.id for one in scene.incoming if id in (one.attacker, one.target)}
    scene = replace(
        scene,
        incoming=tuple(one for one in scene.incoming if one.id not in gone),
        pending=tuple(one for one in scene.pending if one.actor != id),
        ruled=tuple(one for one in scene.ruled if one.attack not in gone),
        questions=tuple(asked for asked in scene.questions if not _is_moot(asked, id, gone)),
    )
    scene = tidy(scene)
    if scene.next == id:
        scene = replace(scene, next=next_up(scene, id))
    scene, freed = release(scene, id)
    facts: Facts = {"bearer": who.sheet.name, "standing": standing, "reason": ""}
    findings = [Finding("GC-2.1", "out_of_fight", facts)]
    teams = {one.team for one in scene.combatants if one.active}
    if len(teams) <= 1:
        scene = replace(scene, ended=True)
        names = tuple(one.sheet.name for one in scene.combatants if one.active)
        findings.append(Finding("GC-2.1", "fight_over", {"standing": names}))
    return scene, [*findings, *freed]


def _is_moot(asked: Question, out: str, gone: set[str]) -> bool:
    """Say whether a question has lost its object with a combatant who is out."""
    if asked.code == "defeat":
        return asked.about == out
    if asked.code in ("place_behind", "hides"):
        return out in (asked.by, asked.about)
    if is_about_bonds(asked, out):
        return True
    if asked.code == "annulled_for_all":  # what landed is still to be ruled on
        return out == asked.by
    return asked.about in gone


def _replace_sheet(scene: Scene, order: ReplaceSheet) -> Resolution[Scene]:
    """Put a new sheet under a combatant; before its first turn the vitals follow the new maxima."""
    who = scene.who(order.combatant)
    changed = replace(who, sheet=order.sheet)
    if who.turn == 0 and (who.hp, who.ep) == (who.sheet.max_hp, who.sheet.max_ep):
        changed = replace(changed, hp=order.sheet.max_hp, ep=order.sheet.max_ep)
    facts: Facts = {"bearer": order.sheet.name, "reason": order.reason}
    return Resolution(scene.put(changed), (Finding("GC-1.1", "sheet_replaced", facts),))


def _name(scene: Scene, by: str) -> str:
    return GM if by == GM else scene.who(by).sheet.name
