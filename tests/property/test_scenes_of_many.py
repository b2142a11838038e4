"""Laws of fights of two to five with everything the chapters know, under options of every kind.

A failure names its seed: ``fight(seed)`` of ``many_fights`` plays it again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any, Final

import pytest

from app.engine.dice import Roll
from app.engine.findings import Finding, Violation
from app.engine.history import Decision, replay
from app.engine.ruleset import GM, SPECTATOR
from app.persistence.codec import load, store
from app.posts.dialects import render
from app.posts.phrases import LANGUAGES, say
from app.posts.write import PostSource, write_blocks
from app.rulesets.guida.areas import radius_of
from app.rulesets.guida.combatants import Combatant
from app.rulesets.guida.conditions import held
from app.rulesets.guida.game import GUIDA
from app.rulesets.guida.orders import Answer, Attack, Order, Suspended, Turn
from app.rulesets.guida.senses import is_hidden, unseen_by
from app.rulesets.guida.state import Scene
from app.rulesets.guida.tables import TYPE_1, TYPE_1_CAP, TYPE_2, TYPE_2_CAP, TYPE_4
from app.rulesets.guida.terms import (
    Change,
)
from tests.property.many_fights import AT_LEAST, Played, fight, put_right, wrong_orders
from tests.property.many_met import Met
from tests.property.many_moves import stands
from tests.property.many_offers import is_offered, sayable, singles
from tests.property.strategies import Step, step
from tests.property.test_every_action import tallies_of
from tests.property.test_fights import KNOWN, lines_of
from tests.property.test_hidden import another
from tests.property.traces import traces

FEW: Final = 16
MANY: Final = 2_000
WAITING: Final = 60  # turns in which nobody does anything

# ------------------------------------------------------------------------ what was said


def registers_balance(played: Played) -> None:
    """A register says what there was, what changed and what there is, and the sum is right."""
    told: list[Finding] = []
    first: dict[str, Combatant] = {}
    for scene in played.states:
        first = {one.id: one for one in scene.combatants} | first
    for one in played.steps:
        for found in one.findings:
            if found.key == "balance":
                facts: dict[str, Any] = dict(found.facts)
                assert facts["now"] + facts["losses"] - facts["before"] == facts["gains"]
                counted = played.setup.options.register_counts_gains
                assert facts["discrepancy"] == (0 if counted else facts["gains"])
        if isinstance(one.order, Turn):
            told += one.findings
    for who in played.steps[-1].after.combatants:
        for change, before, now in (
            (Change.HP, _before(first[who.id].hp, who, Change.HP, played), who.hp),
            (Change.EP, _before(first[who.id].ep, who, Change.EP, played), who.ep),
        ):
            amounts = [
                Fraction(found.facts["amount"])
                for found in lines_of(tuple(told), who.id)
                if found.facts["change"] is change
            ]
            assert before + sum(amounts) == now, (who.id, change)


def _before(value: int, who: Combatant, change: Change, played: Played) -> int:
    """Give what a combatant came in with: a sheet written anew before its first turn counts."""
    for one in played.steps:
        if getattr(one.order, "kind", "") == "replace_sheet" and one.order.combatant == who.id:
            before, after = one.before.who(who.id), one.after.who(who.id)
            value += (after.hp - before.hp) if change is Change.HP else (after.ep - before.ep)
    return value


def tallies_add_up_and_cite(played: Played) -> None:
    """Every tally is the sum of its terms, and everything cites what exists."""
    for one in played.steps:
        facts = [fact for found in one.findings for fact in found.facts.values()]
        for tally in tallies_of((*facts, *(asked.tally for asked in one.plan.asked))):
            assert tally.total == sum(term.value for term in tally.terms)
            for term in tally.terms:
                assert term.parts is None or term.parts.total == term.value
                assert term.rule in KNOWN, term.rule
        for found in one.findings:
            assert found.rule in KNOWN, found.rule
            assert found.ruling is None or found.ruling in KNOWN, found.ruling


def dice_have_an_address_each(played: Played) -> None:
    """No two dice of a post are one, and each score is its die and its tally."""
    for one in played.steps:
        places = [die.address for die in one.plan.asked]
        assert len(set(places)) == len(places)
        for found in one.findings:
            facts: dict[str, Any] = dict(found.facts)
            for name in ("hit", "defend", "counter", "success"):
                if {f"{name}_score", f"{name}_die", name} <= facts.keys():
                    assert facts[f"{name}_score"] == facts[f"{name}_die"] + facts[name].total


def posts_are_written_in_both_languages(played: Played) -> None:
    """No phrase is missing: not in a post, nor in a finding, nor in a question."""
    for one in played.steps:
        for language in LANGUAGES:
            if isinstance(one.order, Turn):
                _post(one, language, one.rolls, one.findings)
                _post(one, language, None, one.plan.findings)
            else:
                for found in one.findings:
                    assert say(language, "guida", "findings", found.key, found.facts)
            for asked in one.after.questions:
                details = dict(asked.details)
                assert say(language, "guida", "questions", asked.code, details)
                for choice in asked.choices:
                    assert say(language, "guida", "choices", choice, {})


def _post(
    one: Step, language: str, rolls: tuple[Roll, ...] | None, findings: tuple[Finding, ...]
) -> None:
    source = PostSource(
        ruleset="guida",
        language=language,
        findings=findings,
        asked=one.plan.asked,
        rolls=rolls,
        provenance="forum" if rolls is None else "service",
    )
    text = render(write_blocks(source), language, "guida")
    assert text
    assert "{" not in text.replace("{2}", "")  # a name with brackets, in a label


# ------------------------------------------------------------------------ what is the case


def caps_and_energy_hold(played: Played) -> None:
    """No cap is broken, no energy owed, nothing stands without what it hangs on."""
    for scene in played.states:
        for who in scene.combatants:
            assert who.ep >= 0
            assert who.ep_now >= 0
            assert all(lot.count > 0 for lot in who.lots)
            at_once: Counter[int] = Counter()
            for lot in who.lots:
                if lot.stack in TYPE_1:
                    at_once[lot.since] += lot.count
            assert all(count <= TYPE_1_CAP for count in at_once.values())
            assert all(held(who, stack) <= TYPE_2_CAP for stack in TYPE_2)
            assert bool(who.bonds) is (who.bond_value is not None)
            assert who.bonds or (who.loosening, who.spared) == (0, ())
            bonds = {bond.id for bond in who.bonds}
            fires = {lot.condition for lot in who.lots if lot.stack in TYPE_4 and lot.condition}
            assert fires <= bonds
            assert len({line.id for line in who.lines}) == len(who.lines)
        for area in scene.areas:
            assert area.saturation is None or area.saturation > 0
            assert 0 <= radius_of(area) <= 1000
            assert all(scene.metres(area.id, who.id) >= 0 for who in scene.combatants)
        ids = [one.id for one in (*scene.incoming, *scene.pending, *scene.areas)]
        assert len(set(ids)) == len(ids)
        assert all(one.metres >= 0 for one in scene.distances)
        asked = [one.id for one in scene.questions]
        assert len(set(asked)) == len(asked)


def nothing_outlives_its_last_turn(played: Played) -> None:
    """After a post nothing of its author's lasts longer than it was to."""
    for one in played.steps:
        if isinstance(one.order, Turn):
            author = one.after.who(one.order.by)
            for thing in (*author.effects, *author.lots):
                assert thing.until is None or thing.until > author.turn
                assert thing.since <= author.turn + 1


def what_came_in_is_answered(played: Played) -> None:
    """After a post nothing comes at its author any more, and nothing of before is pending."""
    for one in played.steps:
        if isinstance(one.order, Turn):
            assert one.after.against(one.order.by) == ()
            own = {two.id for two in one.before.pending if two.actor == one.order.by}
            assert own.isdisjoint(two.id for two in one.after.pending)
        volleys = {two.volley for two in one.after.incoming}
        volleys |= {two.about for two in one.after.questions}
        assert {two.attack.volley for two in one.after.landed} <= volleys


def replaying_gives_the_same(played: Played) -> None:
    """The log folds to the same state, and each state is what it is stored as."""
    log: list[Decision[Order]] = [
        Decision(number=number, order=one.order, rolls=one.rolls)
        for number, one in enumerate(played.steps, 1)
    ]
    assert replay(GUIDA, played.setup, log).state == played.steps[-1].after
    for scene in played.states[::3]:
        assert load(Scene, store(scene, Scene)) == scene
    for one in played.steps[::3]:
        assert load(type(one.order), store(one.order, type(one.order))) == one.order


def taking_back_restores_everything(played: Played) -> None:
    """Taken back from the last to the first, each decision leaves the scene as it was before."""
    log: list[Decision[Order]] = [
        Decision(number=number, order=one.order, rolls=one.rolls)
        for number, one in enumerate(played.steps, 1)
    ]
    states = played.states
    for taken in range(1, len(played.steps) + 1):
        left = len(played.steps) - taken
        log.append(Decision(number=len(log) + 1, order=None, voids=left + 1))
        # Each replay is as long as what is left: all of the last, then fewer and fewer.
        if taken <= 2 or not left or left % 5 == 0:
            assert replay(GUIDA, played.setup, log).state == states[left]


def nobody_is_locked_out(played: Played) -> None:
    """Everybody may look, and somebody may always do something."""
    for one in played.steps[::4]:
        for seat in (*(who.id for who in one.after.combatants), GM, SPECTATOR):
            GUIDA.view(one.after, seat)
            GUIDA.choices(one.after, seat)
            GUIDA.awaits_for(one.after, seat)
    for scene in played.states:
        awaited = GUIDA.awaits(scene)
        assert awaited.seats or awaited.ended or awaited.paused or awaited.questions


# ------------------------------------------------------------------------- what may be done


def what_is_offered_is_legal_and_what_is_legal_is_offered(played: Played) -> None:
    """Each offered part is legal alone; each part found legal by trying is on offer."""
    pick = Random(played.seed)
    for one in played.steps[::4]:
        if not isinstance(one.order, Turn):
            continue
        offered = GUIDA.choices(one.before, one.order.by)
        for stand in stands(pick, one.before, offered):
            for turn, perhaps in singles(stand):
                codes = {found.code for found in GUIDA.check(one.before, turn)}
                assert codes <= perhaps, (codes, turn)
            for turn in sayable(stand):
                if not GUIDA.check(one.before, turn):
                    assert is_offered(stand, turn), turn


def wrong_orders_are_refused_or_carried_out(played: Played) -> None:
    """Whatever its types allow: an order gets words that can be said, or it can be resolved."""
    pick = Random(played.seed)
    for one in played.steps[::2]:
        for order in wrong_orders(pick, one.before, one.order, 3):
            found = GUIDA.check(one.before, order)
            for obstacle in found:
                if isinstance(obstacle, Violation):
                    for language in LANGUAGES:
                        assert say(language, "guida", "violations", obstacle.code, obstacle.facts)
            if not found:
                done = step(one.before, order, pick)
                assert all(who.ep_now >= 0 for who in done.after.combatants)


def nobody_sees_what_is_hidden(played: Played) -> None:
    """Another world in which only somebody hidden is another looks equal to whom it is hidden from.

    Nothing of what it did before and is still to be seen is changed; the scene says the same of
    what may be done, and asks for the same dice.
    """
    pick = Random(played.seed)
    for scene in played.states[1::4]:
        pairs = sorted(
            (one.who, one.observer)
            for one in scene.hidden  # smoke might not hide it elsewhere
            if scene.who(one.observer).active and is_hidden(scene, one.who, one.observer)
        )
        if scene.ended or not pairs:
            continue
        hider, observer = pick.choice(pairs)
        world = another(pick, scene, hider, observer)
        for seat in (observer, SPECTATOR):
            # Elsewhere, or with other senses, smoke may hide others from it, or not it any more.
            if unseen_by(scene, seat) != unseen_by(world, seat):
                continue
            assert GUIDA.view(scene, seat) == GUIDA.view(world, seat), seat
            assert GUIDA.awaits_for(scene, seat) == GUIDA.awaits_for(world, seat), seat
            assert GUIDA.choices(scene, seat) == GUIDA.choices(world, seat), seat
        for main in (None, Attack(target=hider, tool="blade"), _blindly(hider)):
            turn = Turn(by=observer, main=main)
            if unseen_by(scene, observer) != unseen_by(world, observer):
                continue
            found = GUIDA.check(scene, turn)
            assert found == GUIDA.check(world, turn), main
            if not found:
                assert GUIDA.plan(scene, turn).asked == GUIDA.plan(world, turn).asked, main


def no_view_names_anybody_hidden(played: Played) -> None:
    """Nothing that a seat sees says who somebody hidden is, or what it did (GC-9.1)."""
    for scene in played.states[1::2]:
        for seat in (*(one.id for one in scene.combatants), SPECTATOR):
            assert traces(scene, seat) == [], seat


def _blindly(hider: str) -> Attack:
    return Attack(target=hider, tool="blade", blind=True)


def odds_sum_to_one(played: Played) -> None:
    """Of a few posts the chances of each law add up: odds take long to work out."""
    if played.seed % 4:
        return
    for one in played.steps[:: len(played.steps) // 2 or 1]:
        if isinstance(one.order, Turn) and len(one.plan.asked) <= 3:
            for law in GUIDA.forecast(one.before, one.order).laws:
                assert sum(chance.probability for chance in law.chances) == 1


def what_is_timed_ends(played: Played) -> None:
    """If everybody only waits, whatever has an end ends, and nothing stays pending."""
    scene, pick = played.steps[-1].after, Random(played.seed)
    for _ in range(WAITING):
        if scene.ended or not (left := _left(scene)):
            return
        scene = step(scene, _waiting(scene), pick).after
    raise AssertionError(left)


def _left(scene: Scene) -> list[Any]:
    """List what is pending or has an end; a passive concealment comes back by itself."""
    left: list[Any] = [*scene.incoming, *scene.pending, *scene.throws, *scene.landed]
    for who in scene.combatants:
        if who.active:
            timed: tuple[Any, ...] = (*who.effects, *who.lots, who.camouflage, who.masking)
            ending = [one for one in timed if one is not None and one.until is not None]
            left += [one for one in ending if not _is_passive(who, one)]
    return left


def _is_passive(who: Combatant, one: Any) -> bool:
    """Say whether a concealment comes back by itself (GC-9.4)."""
    tool = who.sheet.tool(getattr(one, "tool", ""))
    return tool is not None and any(getattr(effect, "passive", False) for effect in tool.effects)


def _waiting(scene: Scene) -> Order:
    awaited = GUIDA.awaits(scene)
    if scene.questions and not awaited.seats:
        asked = scene.questions[0]
        choice = "fights_on" if asked.code == "defeat" else asked.choices[-1]
        return Answer(by=GM, question=asked.id, choice=choice, reason="go on")
    (seat,) = awaited.seats
    held_up = scene.suspended(seat)
    suspended = tuple(Suspended(action=one.id, confirm=False) for one in held_up)
    turn = Turn(by=seat, suspended=suspended)
    return put_right(scene, seat) if GUIDA.check(scene, turn) else turn


LAWS: Final = (
    registers_balance,
    tallies_add_up_and_cite,
    dice_have_an_address_each,
    posts_are_written_in_both_languages,
    caps_and_energy_hold,
    nothing_outlives_its_last_turn,
    what_came_in_is_answered,
    replaying_gives_the_same,
    taking_back_restores_everything,
    nobody_is_locked_out,
    what_is_offered_is_legal_and_what_is_legal_is_offered,
    wrong_orders_are_refused_or_carried_out,
    nobody_sees_what_is_hidden,
    no_view_names_anybody_hidden,
    odds_sum_to_one,
    what_is_timed_ends,
)


@pytest.fixture(scope="module")
def usual() -> tuple[Played, ...]:
    """Play the fights of the normal run."""
    return tuple(fight(seed) for seed in range(FEW))


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_law_holds_in_scenes_of_many(
    law: Callable[[Played], None], usual: tuple[Played, ...]
) -> None:
    for played in usual:
        assert played.posts >= AT_LEAST, played.seed
        held_to(law, played)


@pytest.mark.slow
def test_every_law_holds_in_thousands_of_scenes_which_know_everything() -> None:
    met = Met()
    for seed in range(FEW, FEW + MANY):
        played = fight(seed)
        assert played.posts >= AT_LEAST, seed
        for law in LAWS:
            held_to(law, played)
        met.add(played)
    assert met.missing() == {}


def held_to(law: Callable[[Played], None], played: Played) -> None:
    """Hold a fight to a law; a failure names its seed."""
    try:
        law(played)
    except Exception as failure:
        failure.add_note(f"seed {played.seed}")
        raise


def test_a_fight_is_the_same_for_the_same_seed() -> None:
    assert fight(3) == fight(3)


def test_the_usual_scenes_know_most_of_what_the_laws_are_about(usual: tuple[Played, ...]) -> None:
    """Without this, a change of the driver could leave the laws with nothing to say."""
    met = Met()
    for played in usual:
        met.add(played)
    left = met.missing()
    assert len(left.get("action", ())) <= 2, left["action"]
    assert len(left.get("effect", ())) <= 2, left["effect"]
    assert len(left.get("question", ())) <= 4, left["question"]
    assert len(left.get("finding", ())) <= 10, left["finding"]
    assert not left.get("stack")
    assert not left.get("bind")
