"""Schema Post (GC-1) and Fase Iniziale: what a turn opens with, and the register it publishes."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Final

from app.engine.findings import Facts, Finding, Question
from app.rulesets.guida.combatants import (
    Combatant,
    Line,
)
from app.rulesets.guida.levels import bonus_points
from app.rulesets.guida.options import (
    Options,
)
from app.rulesets.guida.orders import (
    Figures,
)
from app.rulesets.guida.readings import (
    ArmourDown,
    HpFloor,
)
from app.rulesets.guida.senses import SOMEBODY, can_hide, is_hidden
from app.rulesets.guida.state import (
    Scene,
    ask,
)
from app.rulesets.guida.terms import Change, Stat

# Second damages, which a post tells by their own name (GC-6.14, GC-6.17).
SECONDS: Final = ("additional", "environmental")


def is_recordable(scene: Scene, line: Line) -> bool:
    """Say whether a line may be recorded: its calculation is posted, or nobody will (GC-6.8)."""
    poster_gone = line.poster is not None and not scene.who(line.poster).active
    return line.confirmed and (line.posted or poster_gone)


def record_register(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Bring vitals and register up to date with everything due (GC-1.4, GC-1.6, GC-2.4).

    What is shown is the state in which the turn begins (GC-1.5). The findings are the post's
    header: vitals, stats, one line for each change, the balance.
    """
    bearer = scene.who(id)
    before = bearer
    due = tuple(line for line in bearer.lines if is_recordable(scene, line))
    hp = bearer.hp + sum(line.amount for line in due if line.change is Change.HP)
    if scene.options.hp_floor is HpFloor.ZERO and hp < 0:  # AMB-4
        due = (*due, Line(id=0, change=Change.HP, amount=-hp, rule="AMB-4", key="hp_floor"))
        hp = 0
    ep = bearer.ep + sum(line.amount for line in due if line.change is Change.EP)
    waiting = tuple(line for line in bearer.lines if line not in due)
    bearer = replace(bearer, hp=hp, ep=ep, lines=waiting)
    scene = scene.put(bearer)
    findings = [_vitals(bearer), *(_stat(bearer, stat) for stat in Stat)]
    findings += [_register_line(line) for line in due if line.amount or line.figure]
    findings += _balance(scene.options, before, bearer, due)
    if hp <= 0:
        scene, asked = _ask_defeat(scene, bearer)
        findings += asked
    return scene, findings


def post_calculations(scene: Scene, id: str) -> tuple[Scene, list[Finding]]:
    """Publish the calculations of own attacks that were answered since (GC-6.8, GC-6.9).

    Of whoever the poster does not see it knows what it did, but neither name nor sum (GC-9.1).
    """
    poster = scene.who(id).sheet.name
    findings: list[Finding] = []
    for target in scene.combatants:
        lines: list[Line] = []
        for line in target.lines:
            if line.poster == id and not line.posted:
                if can_hide(scene) and is_hidden(scene, target.id, id):
                    unseen = replace(line, working=None)
                    findings.append(_calculation(poster, SOMEBODY, unseen))
                else:
                    findings.append(_calculation(poster, target.sheet.name, line))
                line = replace(line, posted=True)
            lines.append(line)
        scene = scene.put(replace(target, lines=tuple(lines)))
    return scene, findings


def compare_figures(bearer: Combatant, figures: Figures | None) -> list[Finding]:
    """Hold the vitals a player wrote against the computed ones (GC-2.5, GC-2.6)."""
    if figures is None or (figures.hp, figures.ep) == (bearer.hp, bearer.ep):
        return []
    facts: Facts = {
        "bearer": bearer.sheet.name,
        "hp_claimed": figures.hp,
        "hp": bearer.hp,
        "hp_difference": figures.hp - bearer.hp,
        "ep_claimed": figures.ep,
        "ep": bearer.ep,
        "ep_difference": figures.ep - bearer.ep,
    }
    return [Finding("GC-2.5", "figures_differ", facts)]


def raise_armour(scene: Scene, id: str, *moments: ArmourDown) -> Scene:
    """Let a beaten armour protect again, at the moment the options name (GC-6.6, AMB-50)."""
    bearer = scene.who(id)
    if bearer.armour_down and scene.options.armour_down_until in moments:
        return scene.put(replace(bearer, armour_down=False))
    return scene


def settle_balance(options: Options, before: int, now: int, losses: int, gains: int) -> int:
    """Give what is over in ``now + losses − gains = before``; 0 is balanced (GC-2.5)."""
    counted = gains if options.register_counts_gains else 0  # AMB-12
    return now + losses - counted - before


def _vitals(bearer: Combatant) -> Finding:
    facts: Facts = {
        "bearer": bearer.sheet.name,
        "link": bearer.sheet.link,
        "hp": bearer.hp,
        "max_hp": bearer.sheet.max_hp,
        "ep": bearer.ep,
        "max_ep": bearer.sheet.max_ep,
        "turn": bearer.turn,
    }
    return Finding("GC-1.2", "vitals", facts)


def _stat(bearer: Combatant, stat: Stat) -> Finding:
    points = bonus_points(bearer, stat)
    facts: Facts = {
        "stat": stat,
        "base": bearer.sheet.stats.of(stat),
        "points": int(points.total),
        "working": points,
    }
    return Finding("GC-1.3", "stat", facts)


def _register_line(line: Line) -> Finding:
    facts: Facts = {
        "change": line.change,
        "amount": Fraction(line.amount) if line.figure is None else line.figure,
        "name": line.name,
        "subject": line.stat or line.stack or line.subject,
        "working": line.working,
        "reason": line.reason,
        "by_hand": line.by_hand,
    }
    return Finding(line.rule, f"line_{line.key}", facts)


def _balance(
    options: Options, before: Combatant, now: Combatant, due: tuple[Line, ...]
) -> list[Finding]:
    findings = []
    for rule, change, start, end in (
        ("GC-2.5", Change.HP, before.hp, now.hp),
        ("GC-2.6", Change.EP, before.ep, now.ep),
    ):
        amounts = [line.amount for line in due if line.change is change]
        losses = -sum(amount for amount in amounts if amount < 0)
        gains = sum(amount for amount in amounts if amount > 0)
        facts: Facts = {
            "what": change,
            "before": start,
            "now": end,
            "losses": losses,
            "gains": gains,
            "discrepancy": settle_balance(options, start, end, losses, gains),
            "counted": options.register_counts_gains or not gains,
        }
        findings.append(Finding(rule, "balance", facts, "AMB-12" if gains else None))
    return findings


def _calculation(poster: str, target: str, line: Line) -> Finding:
    facts: Facts = {
        "attacker": poster,
        "target": target,
        "name": line.name,
        "amount": abs(line.amount) if line.figure is None else line.figure,
        "subject": line.stat or line.stack or line.subject,
        "working": line.working,
        "change": line.change,
    }
    if line.key in SECONDS:
        return Finding("GC-6.9", f"posted_{line.key}", facts)
    return Finding("GC-6.9", f"posted_{line.change}", facts)


def _ask_defeat(scene: Scene, bearer: Combatant) -> tuple[Scene, list[Finding]]:
    if any(asked.code == "defeat" and asked.about == bearer.id for asked in scene.questions):
        return scene, []
    question = Question(
        id=f"q-defeat-{bearer.id}",
        rule="AMB-4",
        code="defeat",
        choices=("defeated", "fights_on"),
        about=bearer.id,
        by=bearer.id,
        blocks=(bearer.id,),
        details=(("bearer", bearer.sheet.name), ("hp", str(bearer.hp))),
    )
    facts: Facts = {"bearer": bearer.sheet.name, "hp": bearer.hp}
    asked = Finding("AMB-4", "asked_defeat", facts, "AMB-4")
    return ask(scene, question), [asked]
