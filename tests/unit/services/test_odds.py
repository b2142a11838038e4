"""The odds of a set-up, and what is warned of beforehand (CD-A13)."""

from __future__ import annotations

from typing import Any

import pytest

from app.engine.odds import Method
from app.posts.phrases import LANGUAGES, say
from app.rulesets import RULESETS
from app.rulesets.combat_dice.game import COMBAT_DICE
from app.services.errors import Malformed, Refused
from app.services.games import Game
from app.services.odds import OddsAsked, games_with_odds, odds_of, warn_of
from app.services.setups import sound_setup


def combat(one: dict[str, Any], two: dict[str, Any], **options: str) -> dict[str, Any]:
    """Write a combat as a client would."""
    return {
        "entrants": [
            {"id": "ann", "sheet": {"name": "Ann", **one}},
            {"id": "ben", "sheet": {"name": "Ben", **two}},
        ],
        "options": options,
    }


SAMNITE = {"gladiator": "samnites"}
# Whoever has twenty wounds in the arm deals no damage any more.
HARMLESS = {"wounds": {"hurt_arm": 20}}
ENDLESS = combat(HARMLESS, HARMLESS, damage_dice="off", wounds_persist=True)


def ask(setup: object, ruleset: str = "combat_dice", **more: int) -> OddsAsked:
    """Ask for the odds of a set-up."""
    return OddsAsked(ruleset=ruleset, setup=setup, **more)


def mistakes(asked: OddsAsked) -> list[tuple[str, str]]:
    """Ask for odds that cannot be told; give what is wrong."""
    with pytest.raises(Malformed) as refused:
        odds_of(asked)
    return [(one.field, one.code) for one in refused.value.mistakes]


def test_odds_say_whether_they_are_exact() -> None:
    exact = odds_of(ask(combat({}, {}, damage_dice="off")))
    assert (exact.method, exact.runs) == (Method.EXACT, 0)
    assert all(one.wins.error is None for one in exact.seats)
    shares = [*(one.wins.value for one in exact.seats), exact.draws.value]
    assert float(sum(shares)) == pytest.approx(1, abs=1e-5)
    played = odds_of(ask(combat(SAMNITE, {}), runs=5))
    assert (played.method, played.runs) == (Method.SIMULATED, 5)
    assert all(one.wins.error for one in played.seats)


def test_equal_questions_have_equal_answers_at_once() -> None:
    asked = ask(combat({"gladiator": "murmillo"}, {}), runs=5, seed=3)
    first = odds_of(asked)
    assert odds_of(asked) == first
    assert odds_of(ask(asked.setup, runs=5, seed=4)) != first


def test_from_one_game_in_four_on_the_turn_cap_is_warned_of() -> None:
    (notice,) = odds_of(ask(ENDLESS)).notices
    assert notice.facts == {"share": 100, "cap": 150, "remedy": "stalemate"}
    assert notice.offers == {"stalemate": "escalate"}
    assert odds_of(ask(combat({}, {}, damage_dice="off"))).notices == ()
    for language in LANGUAGES:
        said = say(language, "combat_dice", "notices", notice.code, notice.facts)
        assert "100" in said
        assert "150" in said
        assert "stalemate: escalate" in said


def test_a_warning_offers_nothing_that_is_chosen_already() -> None:
    short = combat({}, {}, stalemate="escalate", turn_cap=20)
    (notice,) = warn_of(COMBAT_DICE, sound_setup(COMBAT_DICE, short, "setup"))
    assert notice.offers == {}
    assert 25 <= int(str(notice.facts["share"])) < 100
    for language in LANGUAGES:
        assert "stalemate" not in say(language, "combat_dice", "notices", notice.code, notice.facts)


def test_a_set_up_page_warns_where_it_can_and_is_silent_elsewhere() -> None:
    endless = sound_setup(COMBAT_DICE, ENDLESS, "setup")
    assert [one.code for one in warn_of(COMBAT_DICE, endless)] == ["turn_cap_likely"]
    quick = sound_setup(COMBAT_DICE, combat({"gladiator": "thracian"}, {}), "setup")
    assert warn_of(COMBAT_DICE, quick) == []
    unmade = sound_setup(COMBAT_DICE, combat({"training": "advanced"}, {}), "setup")
    assert warn_of(COMBAT_DICE, unmade) == []
    guida: Game = RULESETS["guida"]
    assert warn_of(guida, object()) == []


def test_what_cannot_be_played_by_itself_is_refused_with_its_field() -> None:
    assert games_with_odds() == ("warrior_dice", "combat_dice", "battle_dice")
    assert mistakes(ask({}, "guida")) == [("ruleset", "unknown_choice")]
    assert mistakes(ask({}, "chess")) == [("ruleset", "unknown_choice")]
    advanced = combat({"training": "advanced"}, {})
    assert mistakes(ask(advanced)) == [("setup.entrants", "choice_before_odds")]
    assert ("setup.entrants", "missing") in mistakes(ask({}))
    armies = {"entrants": [{"id": "ada"}, {"id": "bo"}]}
    assert mistakes(ask(armies, "battle_dice")) == [("setup.entrants", "choice_before_odds")]
    with pytest.raises(Refused) as refused:
        odds_of(ask(combat({"charms": 3}, {})))
    assert refused.value.obstacles


def test_a_game_too_long_to_be_played_is_refused() -> None:
    asked = ask(combat(SAMNITE, SAMNITE), runs=1)
    with pytest.raises(Malformed) as refused:
        odds_of(asked, work=100)
    assert [one.code for one in refused.value.mistakes] == ["too_long_to_play"]
