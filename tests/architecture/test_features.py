"""Every row of the list of features that this project promises to check has tests that exist.

The number is that of the row; what it asks for is said in a few words of our own.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[2] / "tests"
ROWS: Final[dict[int, tuple[str, tuple[str, ...]]]] = {
    11: (
        "what a Master changes is a line of its own, with its label",
        (
            "web/test_desk.py::test_an_override_is_an_entry_of_its_own_with_a_public_reason",
            "unit/guida/test_master.py::test_setting_a_value_makes_the_difference_a_line",
            "integration/test_ledger.py::test_every_decision_has_a_line_of_its_own_kind",
        ),
    ),
    31: (
        "nothing is taken out of the log, and what was taken back can be read",
        (
            "integration/test_ledger.py::test_nothing_in_a_ledger_is_changed_or_taken_away",
            "integration/test_turns.py::test_what_is_taken_back_stays_on_record_and_counts_no_more",
            "web/test_seeing.py::test_the_log_has_stories_rules_and_what_was_taken_back",
        ),
    ),
    32: (
        "once dice fell, only a Master takes back, with a reason, and no die falls again",
        (
            "integration/test_turns.py::test_a_player_cannot_take_back_or_amend",
            "integration/test_turns.py::test_a_turn_taken_back_and_made_again_has_other_dice",
            "integration/test_withdrawn.py::"
            "test_once_every_salt_is_there_the_dice_have_fallen_and_stay",
        ),
    ),
    33: (
        "taking back restores everything",
        ("property/test_scenes_of_many.py::taking_back_restores_everything",),
    ),
    34: (
        "a state is what the log alone leads to",
        (
            "integration/test_replay.py::"
            "test_a_scene_with_voids_and_amendments_replays_to_its_snapshot",
            "integration/test_replay.py::test_a_snapshot_that_was_touched_is_found",
        ),
    ),
    35: (
        "an old fight comes out as it did, under the edition that it began with",
        (
            "integration/test_old_fights.py::test_an_old_fight_comes_out_as_it_did",
            "integration/test_turns.py::test_a_scene_of_another_edition_is_read_but_does_not_go_on",
        ),
    ),
    36: (
        "a turn is amended and all after it played again with the same dice",
        (
            "integration/test_amendments.py::"
            "test_any_decision_in_effect_can_be_amended_and_all_after_it_is_played_anew",
            "integration/test_amendments.py::"
            "test_exactly_the_approvals_of_turns_that_change_are_collected_anew",
            "web/test_desk.py::test_an_amendment_shows_what_it_changes_before_it_is_done",
        ),
    ),
    38: (
        "turns wait for review: approved, returned with marks, or amended",
        (
            "web/test_desk_browser.py::test_thirty_turns_are_reviewed_by_keyboard_alone",
            "web/test_desk.py::test_a_returned_turn_tells_its_player_which_numbers_are_wrong",
        ),
    ),
    39: (
        "what a Master overrides has a reason, and everybody reads it",
        (
            "property/test_reasons.py::test_an_order_with_an_empty_reason_is_refused_at_its_field",
            "web/test_desk.py::test_an_override_is_an_entry_of_its_own_with_a_public_reason",
        ),
    ),
    40: (
        "what the book leaves to the Master is a question that stops what depends on it",
        (
            "unit/guida/test_master.py::"
            "test_a_claim_counts_until_it_is_denied_and_blocks_the_target_only",
            "integration/test_fifth_game.py::test_a_question_stands_in_the_way_like_a_violation",
        ),
    ),
    41: (
        "what was ruled is numbered, suggested and cited",
        (
            "integration/test_precedents.py::test_a_like_question_is_answered_by_the_number_alone",
            "integration/test_precedents.py::test_the_most_alike_comes_first_with_why",
            "web/test_precedents.py::"
            "test_one_click_answers_as_a_precedent_did_and_the_entry_cites_it",
        ),
    ),
    42: (
        "deadlines remind, wait a little longer, and then decide by the default",
        (
            "integration/test_clock.py::test_reminder_then_grace_then_the_default_all_by_themselves",
            "integration/test_clock.py::test_nobody_is_timed_out_by_our_own_downtime",
            "integration/test_clock.py::test_48_hours_are_48_hours_across_the_change_of_the_clocks",
        ),
    ),
    43: (
        "nobody learns what they may not know, from any answer",
        (
            "api/test_two_worlds.py::test_nobody_else_can_tell_two_worlds_apart",
            "api/test_two_worlds.py::test_nobody_with_an_account_can_tell_two_worlds_apart",
            "web/test_hidden.py::test_no_page_tells_of_whoever_is_hidden",
        ),
    ),
    52: (
        "techniques and weapons of a board: by schema, in versions, and nothing half wrong",
        (
            "integration/test_book_packs.py::"
            "test_a_single_mistake_keeps_everything_out_unless_it_is_to_be_skipped",
            "integration/test_book_packs.py::test_the_schema_describes_what_is_exported",
            "integration/test_technique_books.py::"
            "test_no_version_and_no_line_of_the_trail_is_ever_changed",
        ),
    ),
}


@cache
def names_of(path: str) -> frozenset[str]:
    """List what a file of tests defines."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(one.name for one in tree.body if isinstance(one, ast.FunctionDef))


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_checked_by_tests_that_exist(row: int) -> None:
    promised, tests = ROWS[row]
    assert promised
    missing = [one for one in tests if one.split("::")[1] not in names_of(one.split("::")[0])]
    assert missing == []
