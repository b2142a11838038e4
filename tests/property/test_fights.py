"""Laws that every fight keeps: random fights of two, driven through the ruleset's own record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given

from app.catalogue import rules, rulings
from app.engine.findings import Finding
from app.engine.history import Decision, replay
from app.engine.ruleset import GM, SPECTATOR
from app.engine.tally import Tally, Term
from app.rulesets.guida.combatants import (
    Combatant,
    Lot,
    Running,
)
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.levels import bonus_points, stacks_in_force
from app.rulesets.guida.orders import (
    Order,
    Suspended,
    Turn,
)
from app.rulesets.guida.sheet import StatPoints
from app.rulesets.guida.tables import TYPE_1, TYPE_1_CAP, TYPE_2, TYPE_2_CAP, TYPE_4
from app.rulesets.guida.terms import Change, Stack, Stat
from tests.property.strategies import IDS, Fight, examples, fights, play_on
from tests.property.strategies import step as play
from tests.unit.guida.build import entrant, hit, setup, turn


def lines_of(findings: tuple[Finding, ...], bearer: str) -> Iterator[Finding]:
    """Go through the register lines of one fighter: those in the header that names it."""
    name = bearer.title()
    whose = ""
    for finding in findings:
        if finding.key == "vitals":
            whose = str(finding.facts["bearer"])
        if finding.key.startswith("line_") and whose == name and "change" in finding.facts:
            yield finding


def recorded(findings: tuple[Finding, ...], bearer: str, change: Change) -> list[Fraction]:
    """List what the register of one fighter says of one kind."""
    told = [one.facts for one in lines_of(findings, bearer) if one.facts["change"] is change]
    return [Fraction(facts["amount"]) for facts in told]


def registers(fight: Fight) -> tuple[Finding, ...]:
    """Give the findings of posts only: the header is theirs."""
    posts = [step.findings for step in fight.steps if isinstance(step.order, Turn)]
    return tuple(finding for findings in posts for finding in findings)


def _amount(line: Finding) -> Fraction:
    return Fraction(line.facts["amount"])


# --------------------------------------------------------------------------------- the laws


def registers_conserve(fight: Fight) -> None:
    """What there was, and all that was recorded, is what there is: for each post and in all."""
    start = GUIDA.start(fight.setup)
    for id in IDS:
        first, last = start.who(id), fight.end.who(id)
        told = registers(fight)
        assert last.hp == first.hp + sum(recorded(told, id, Change.HP))
        assert last.ep == first.ep + sum(recorded(told, id, Change.EP))
    for step in fight.steps:
        for facts in (one.facts for one in step.findings if one.key == "balance"):
            balance: dict[str, Any] = dict(facts)
            over = balance["now"] + balance["losses"] - balance["before"]
            assert over == balance["gains"]
            counted = fight.setup.options.register_counts_gains
            assert balance["discrepancy"] == (0 if counted else balance["gains"])


def every_damage_is_recorded_once(fight: Fight) -> None:
    """Every damage due is in its target's register exactly once, or still waits to be."""
    end, more = play_on(fight.end, 6) if not fight.end.ended else (fight.end, ())
    told = (*registers(fight), *more)
    for id in IDS:
        due = Counter(
            (one.facts["name"], one.facts["amount"])
            for one in (*fight.findings, *more)
            if one.key == "damage_due" and one.facts["target"] == id.title() and one.facts["amount"]
        )
        done = Counter(
            (one.facts["name"], -Fraction(one.facts["amount"]))
            for one in lines_of(told, id)
            if one.key == "line_damage"
        )
        waits = Counter(
            (line.name, Fraction(-line.amount))
            for line in end.who(id).lines
            if line.key == "damage" and line.amount
        )
        assert due == done + waits
        posters = {line.attack for line in end.who(id).lines if line.key == "damage"}
        assert end.ended or len(posters) <= 1  # at most what the last two posts have not told yet


def damage_is_never_negative(fight: Fight) -> None:
    """Damage is a whole number from 0 up, and what its working makes."""
    for one in fight.findings:
        if one.key == "damage_due":
            amount, working = one.facts["amount"], one.facts["working"]
            assert isinstance(working, Tally)
            assert working.total == amount
            assert amount >= 0
            assert working.total.denominator == 1


def energy_is_never_owed(fight: Fight) -> None:
    """Nobody spends energy that is not there."""
    for scene in fight.states:
        for one in scene.combatants:
            assert one.ep >= 0
            assert one.ep_now >= 0


def replaying_gives_the_same(fight: Fight) -> None:
    """The log folds to the state, and taking the last decision back gives the one before."""
    log: list[Decision[Order]] = [
        Decision(number=number, order=step.order, rolls=step.rolls)
        for number, step in enumerate(fight.steps, 1)
    ]
    again = replay(GUIDA, fight.setup, log)
    assert again.state == fight.end
    if fight.steps:
        assert again.findings == fight.steps[-1].findings
        void: Decision[Order] = Decision(number=len(log) + 1, order=None, voids=len(log))
        assert replay(GUIDA, fight.setup, (*log, void)).state == fight.steps[-1].before


KNOWN = {*rules(), *rulings()}


def tallies(value: object) -> Iterator[Tally]:
    """Go through every tally in a value, nested ones too."""
    if isinstance(value, Tally):
        yield value
        for term in value.terms:
            yield from tallies(term.parts)


def tallies_add_up_and_cite(fight: Fight) -> None:
    """Every tally is the sum of its terms, every term of its parts; every citation exists."""
    asked = [one.tally for step in fight.steps for one in step.plan.asked]
    found = [
        tally for one in fight.findings for fact in one.facts.values() for tally in tallies(fact)
    ]
    for tally in (*(nested for one in asked for nested in tallies(one)), *found):
        assert tally.total == sum(term.value for term in tally.terms)
        for term in tally.terms:
            assert isinstance(term, Term)
            assert term.parts is None or term.parts.total == term.value
            assert term.rule in KNOWN
    for one in fight.findings:
        assert one.rule in KNOWN
        assert one.ruling is None or one.ruling in rulings()


def scores_are_die_and_tally(fight: Fight) -> None:
    """A score is the natural die and the sum of its factors, and decides as the book says."""
    for one in fight.findings:
        facts: dict[str, Any] = dict(one.facts)
        if one.key == "attack_launched":
            assert facts["hit_score"] == facts["hit_die"] + facts["hit"].total
        if one.key.startswith("speed_"):
            assert facts["hit_score"] == facts["hit_die"] + facts["hit"].total
            assert facts["defend_score"] == facts["defend_die"] + facts["defend"].total
            margin = facts["defend_score"] - facts["hit_score"]
            assert facts["margin"] == margin
            outcome = "attacker_wins" if margin < 0 else "defender_wins" if margin else "tie"
            assert one.key == f"speed_{outcome}"


def caps_hold(fight: Fight) -> None:
    """Four Type-1 stacks for one turn, three of each Type 2, and never fewer than none."""
    for scene in fight.states:
        for one in scene.combatants:
            assert all(lot.count > 0 for lot in one.lots)
            for since in {lot.since for lot in one.lots if lot.stack in TYPE_1}:
                at_once = [lot for lot in one.lots if lot.stack in TYPE_1 and lot.since == since]
                assert sum(lot.count for lot in at_once) <= TYPE_1_CAP
            for stack in TYPE_2:
                assert held(one, stack) <= TYPE_2_CAP
                assert len({lot.until for lot in one.lots if lot.stack is stack}) <= 1


def what_is_timed_ends(fight: Fight) -> None:
    """Nothing outlives its last turn, and in time everything with an end has ended."""
    for step in fight.steps:
        if isinstance(step.order, Turn):
            who = step.after.who(step.order.by)
            lasting: list[Running | Lot] = [*who.effects, *who.lots]
            for thing in lasting:
                assert thing.until is None or thing.until > who.turn
                assert thing.until is None or thing.since <= thing.until
                assert thing.since <= who.turn + 1
    if fight.end.ended:
        return
    end, _ = play_on(fight.end, 10)
    for who in end.combatants:
        if not who.active:
            continue  # whoever is out has no turns any more in which anything could end
        assert [running.until for running in who.effects if running.until is not None] == []
        # Type 3 stays until it is taken away, Type 4 as long as its condition (GC-11.14, GC-11.18).
        lasting_on = {Stack.POISON, Stack.BURN, *TYPE_4}
        assert {lot.stack for lot in who.lots} <= lasting_on


def points_are_what_the_register_says(fight: Fight) -> None:
    """Points begun less points ended, recorded or due, are the points of what still runs."""
    told = registers(fight)
    for id in IDS:
        who = fight.end.who(id)
        for stat in Stat:
            begun = sum(
                _amount(one)
                for one in lines_of(told, id)
                if one.facts["change"] is Change.POINTS and one.facts["subject"] is stat
            )
            due = sum(
                line.amount
                for line in who.lines
                if line.change is Change.POINTS and line.stat is stat and line.confirmed
            )
            runs = sum(
                running.effect.points
                for running in who.effects
                if isinstance(running.effect, StatPoints) and running.effect.stat is stat
            )
            assert begun + due == runs


def stacks_are_what_the_register_says(fight: Fight) -> None:
    """Stacks applied less stacks gone, recorded or due, are the stacks held."""
    start, told = GUIDA.start(fight.setup), registers(fight)
    for id in IDS:
        who = fight.end.who(id)
        for stack in Stack:
            told_of = sum(
                _amount(one)
                for one in lines_of(told, id)
                if one.facts["change"] is Change.STACKS and one.facts["subject"] is stack
            )
            due = sum(
                line.amount
                for line in who.lines
                if line.change is Change.STACKS and line.stack is stack and line.confirmed
            )
            assert held(start.who(id), stack) + told_of + due == held(who, stack)


def every_attack_is_answered(fight: Fight) -> None:
    """After a post nothing comes at its author any more, and it launched one attack at most."""
    for step in fight.steps:
        if isinstance(step.order, Turn):
            assert step.after.against(step.order.by) == ()
            launched = [one for one in step.findings if one.key == "attack_launched"]
            assert len(launched) <= 1
            assert len(step.after.incoming) <= len(step.before.incoming) + len(launched)


def views_never_fail(fight: Fight) -> None:
    """Everyone may look at any moment, and sees what is so."""
    for scene in fight.states:
        for seat in (*IDS, GM, SPECTATOR, "nobody", ""):
            seen = GUIDA.view(scene, seat)
            assert (seen.seat, seen.ended, seen.paused) == (seat, scene.ended, scene.paused)
            for one in seen.combatants:
                _seen_as_it_is(scene.who(one.id), one)
            assert [attack.hit_score for attack in seen.incoming] == [
                attack.hit_score for attack in scene.incoming
            ]


def _seen_as_it_is(who: Combatant, seen: Any) -> None:
    assert (seen.hp, seen.hp_now, seen.ep, seen.ep_now) == (who.hp, who.hp_now, who.ep, who.ep_now)
    for stat in seen.stats:
        assert stat.points == bonus_points(who, stat.stat)
    for stack in seen.stacks:
        assert stack.count == held(who, stack.stack) >= stacks_in_force(who, stack.stack)


def whoever_is_awaited_may_post(fight: Fight) -> None:
    """The seats that are awaited are those to which a turn is open, and an empty post will do."""
    for scene in fight.states:
        awaited = GUIDA.awaits(scene)
        for seat in IDS:
            offered = GUIDA.choices(scene, seat)
            assert (seat in awaited.seats) == (offered.obstacles == ())
            assert (seat in awaited.seats) == ("turn" in offered.orders)
            annulled = tuple(Suspended(action=one.id, confirm=False) for one in offered.suspended)
            empty = Turn(by=seat, suspended=annulled)
            assert (seat in awaited.seats) == (GUIDA.check(scene, empty) == ())
        assert awaited.ended == scene.ended
        if not (awaited.seats or awaited.ended or awaited.paused):
            assert awaited.questions


LAWS: tuple[Callable[[Fight], None], ...] = (
    registers_conserve,
    every_damage_is_recorded_once,
    damage_is_never_negative,
    energy_is_never_owed,
    replaying_gives_the_same,
    tallies_add_up_and_cite,
    scores_are_die_and_tally,
    caps_hold,
    what_is_timed_ends,
    points_are_what_the_register_says,
    stacks_are_what_the_register_says,
    every_attack_is_answered,
    views_never_fail,
    whoever_is_awaited_may_post,
)


@examples(30)
@given(fights())
def test_every_law_holds_in_every_fight(fight: Fight) -> None:
    for law in LAWS:
        law(fight)


def test_the_laws_object_to_a_fight_that_was_tampered_with() -> None:
    made = setup(entrant("ada"), entrant("bo"))
    first = play(GUIDA.start(made), turn("ada", main=hit()), Random(3))
    robbed = replace(first.after.who("bo"), hp=99, ep=-1)
    fight = Fight(made, (replace(first, after=first.after.put(robbed)),))
    for law in (registers_conserve, replaying_gives_the_same, energy_is_never_owed):
        with pytest.raises(AssertionError):
            law(fight)
