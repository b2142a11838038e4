"""What holds of every battle, whatever the dice, the orders and the readings."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from app.engine.findings import Finding
from app.engine.ruleset import GM, SPECTATOR, Said
from app.persistence.codec import encode, load, store
from app.posts.phrases import languages_of, say
from app.rulesets.battle_dice.game import BATTLE_DICE
from app.rulesets.battle_dice.options import CasualtyChoice, Options
from app.rulesets.battle_dice.orders import (
    Army,
    Counts,
    Deadline,
    Muster,
    Policy,
    SetTroop,
    Stand,
    Turn,
)
from app.rulesets.battle_dice.state import Battle
from app.rulesets.battle_dice.terms import Hero, Kind
from tests.support.whole_games import hold_to_record, steps_of
from tests.unit.battle_dice.games import SEATS, Step, battle_of, begin, play

PLAYED = 300
BATTLES = [battle_of(seed) for seed in range(40)]


def held(battle: Battle) -> tuple[int, ...]:
    """Count the dice of both armies and those they have lost."""
    return tuple(
        sum(troop.count for troop in troops)
        for side in battle.sides
        for troops in (side.troops, side.lost)
    )


def check_caps(steps: list[Step]) -> None:
    """Hold a battle to what no battle exceeds."""
    last = steps[-1].after
    assert last.ended is not None
    assert last.turn - 1 <= last.options.turn_cap
    for step in steps:
        assert all(troop.count > 0 for side in step.after.sides for troop in side.troops)
        assert all(side.ignore >= 0 and side.carry >= 0 for side in step.after.sides)
        for found in step.findings:
            if found.key == "dice_lost":
                assert found.facts["count"] == len(found.facts["dice"])


def test_every_battle_ends_within_its_caps() -> None:
    for seed in range(PLAYED):
        check_caps(battle_of(seed))


def test_a_battle_in_which_the_master_sets_troops_keeps_the_laws() -> None:
    corrections = 0
    for seed in range(60):
        steps = battle_of(seed, corrected=True)
        check_caps(steps)
        check_secrets(steps)
        hold_to_record(BATTLE_DICE, *steps_of(steps))
        corrections += sum(isinstance(step.order, SetTroop) for step in steps)
    assert corrections > 20


@pytest.mark.slow
@pytest.mark.parametrize("first", range(PLAYED, PLAYED + 1000, 100))
def test_a_thousand_battles_end_and_keep_the_laws(first: int) -> None:
    for seed in range(first, first + 100):
        steps = battle_of(seed)
        check_caps(steps)
        check_secrets(steps)
        hold_to_record(BATTLE_DICE, *steps_of(steps))


def test_dice_change_sides_or_join_but_none_is_lost_twice() -> None:
    for steps in BATTLES:
        for step in steps:
            if step.before.turn == step.after.turn:
                continue
            joined = sum(
                int(str(found.facts.get("count", 1)))
                for found in _turn_of(steps, step)
                if found.key in ("dice_summoned", "vampire_gained")
            )
            assert sum(held(step.after)) == sum(held(step.before)) + joined


def _turn_of(steps: list[Step], last: Step) -> list[Finding]:
    """Gather what was told of the turn that a step has ended, pauses included."""
    turn = last.before.turn
    return [
        found
        for step in steps
        if step.before.turn == turn and step.before.mustered
        for found in step.findings
    ]


def test_a_battle_is_played_again_from_its_orders_and_dice() -> None:
    for steps in BATTLES:
        hold_to_record(BATTLE_DICE, *steps_of(steps))


ABOUT_ASKING = ("choice_asked", "deadline_passed", "turn_resumed")


def test_a_turn_that_pauses_tells_and_comes_to_the_same_as_one_that_does_not() -> None:
    """Answer every question as the orders would: nothing but the questions differs."""
    for seed in range(30):
        told = []
        for choice in CasualtyChoice:
            army = Army(units=Counts(d4=2, d6=4, d8=4, d10=4, d12=2, d20=4), heroes=(Hero.ROGUE,))
            options = Options(casualty_choice=choice)
            battle = begin(options, ada=army, bo=army)
            dice = random.Random(seed)
            found = []
            for seat in SEATS:
                step = play(battle, Turn(by=seat), dice)
                battle = step.after
                found += step.findings
            while battle.paused is not None:
                step = play(battle, Deadline(by=GM), dice)
                battle = step.after
                found += step.findings
            told.append(
                (
                    [one for one in found if one.key not in ABOUT_ASKING],
                    battle.sides,
                    battle.ended,
                )
            )
        assert told[0] == told[1]


def test_what_is_sealed_is_seen_by_nobody_else() -> None:
    secret = Policy(summon=Kind.D12)
    army = Army(units=Counts(d6=19, d20=1), heroes=(Hero.UNICORN,))
    open_battle = begin(Options(), ada=army, bo=army)
    for battle, order in (
        (begin(Options()), Muster(by="ada", army=army)),
        (open_battle, Turn(by="ada", policy=secret)),
        (open_battle, Turn(by="ada", policy=secret, keep=True)),
        (open_battle, Stand(by="ada", policy=secret)),
    ):
        step = play(battle, order, random.Random(1))
        for seat in ("bo", GM, SPECTATOR):
            seen = BATTLE_DICE.view(step.after, seat)
            unseen = BATTLE_DICE.view(battle, seat)
            assert [side.own for side in seen.sides if side.id == "ada"] == [None]
            hidden = [side.troops for side in seen.sides]
            assert hidden == [side.troops for side in unseen.sides]
            assert "d12" not in str(encode(seen.sides[0]))
        veils = BATTLE_DICE.veils(step.before, step.after, "ada", Said((), step.findings))
        assert {veil.seat for veil in veils if veil.story} == {"bo", GM, SPECTATOR}
        assert BATTLE_DICE.view(step.after, "ada").sides[0].own is not None


def check_secrets(steps: list[Step]) -> None:
    """Hold every view to what its seat may know: nothing that another has laid down in secret."""
    for step in steps:
        bare = without_secrets(step.after)
        for seat in (*SEATS, GM, SPECTATOR):
            view = BATTLE_DICE.view(step.after, seat)
            assert all(side.own is None for side in view.sides if side.id != seat)
            assert all(one.seat == seat for one in view.decisions)
            if seat not in SEATS:
                assert view == BATTLE_DICE.view(bare, seat)


def without_secrets(battle: Battle) -> Battle:
    """Give the battle as it is, whatever else its players may have laid down in secret."""
    other = Policy(summon=Kind.D4)
    for place, side in enumerate(battle.sides):
        posted = None if side.posted is None else other
        battle = battle.put(place, replace(side, posted=posted, standing=other))
    return battle


def test_no_view_shows_another_players_secrets_in_any_battle() -> None:
    for steps in BATTLES:
        check_secrets(steps)


def test_states_are_stored_and_read_again() -> None:
    for steps in BATTLES:
        for step in steps:
            assert load(Battle, store(step.after)) == step.after


def test_whatever_is_told_can_be_said_in_all_its_languages() -> None:
    assert languages_of("battle_dice") == ("it", "en", "pt")
    for steps in BATTLES[:10]:
        for step in steps:
            for found in step.findings:
                for language in languages_of("battle_dice"):
                    assert say(language, "battle_dice", "findings", found.key, found.facts)


def test_the_odds_of_a_roll_are_laws() -> None:
    army = Army(units=Counts(d4=2, d6=4, d8=4, d10=4, d12=2, d20=4), heroes=(Hero.DRAGON,))
    battle = begin(Options(), ada=army, bo=army)
    laws = BATTLE_DICE.forecast(battle, Turn(by="ada")).laws
    assert len(laws) == 12
    for law in laws:
        assert sum(chance.probability for chance in law.chances) == 1
    assert BATTLE_DICE.forecast(battle, Stand(by="ada", policy=Policy())).laws == ()
