"""What persistence refuses: each error has one stable code."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeAlias

MistakeFact: TypeAlias = "str | int | tuple[str, ...]"

MISTAKES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "missing": (),
        "nothing_marked": (),
        "mark_on_nothing": (),
        "unknown_field": (),
        "wrong_type": ("expected",),
        "not_a_number": (),
        "ambiguous_number": ("whole", "units", "decimals"),
        "out_of_range": ("least", "most"),
        "too_short": ("least",),
        "too_long": ("most",),
        "unknown_choice": ("choices",),
        "bad_text": (),
        "duplicate": (),
        "name_taken": ("other",),
        "being_name_taken": ("other",),
        "not_json": (),
        "too_deep": ("most",),
        "charset_unsupported": (),
        "form_unreadable": ("fields", "files"),
        "precedent_unknown": ("precedent",),
        "only_answers_kept": (),
        "no_beacon": (),
        "no_campaign": (),
        "dice_follow_dice": (),
        "not_hex": ("digits",),
        "salt_differs": (),
        "post_of_another": ("turn", "expected"),
        "die_missing": ("die",),
        "die_not_rolled": ("die",),
        "die_quoted": ("die", "line"),
        "die_ours": ("die", "line"),
        "die_unlabelled": ("die", "lines", "count"),
        "die_nameless": ("die", "sides", "shown", "awaited"),
        "die_twice": ("die", "lines", "count"),
        "die_several": ("die", "count"),
        "die_other_size": ("die", "shown", "sides"),
        "die_addends_differ": ("die", "shown", "thrown"),
        "die_face_impossible": ("die", "face", "sides"),
        "die_total_impossible": ("die", "total", "thrown", "least", "most"),
        "die_total_wrong": ("die", "total", "thrown", "face", "expected"),
        "sample_too_long": (),
        "sample_absent": (),
        "sample_overlapping": (),
        "sample_bad_die": (),
        "sample_bad_total": (),
        "sample_impossible_total": (),
        "sample_label_inside": (),
        "sample_too_far_apart": (),
        "sample_unreadable": (),
        "sample_natural": ("expected",),
        "same_words": (),
        "no_moment": (),
        "vacation_ends_first": (),
        "vacation_too_long": ("most",),
        "zone_unknown": (),
        "address_unusable": (),
        "webhook_unusable": (),
        "mail_not_sent_here": (),
        "die_place_unknown": ("number", "count"),
        "die_placed_twice": ("number",),
        "die_places_too_many": ("count",),
        "template_syntax": ("line",),
        "template_not_allowed": ("line", "what"),
        "template_unknown_slot": ("line", "slot"),
        "template_in_tag": ("line", "slot"),
        "template_open_tag": ("line", "tag"),
        "template_forbidden": ("line", "what"),
        "template_unbalanced": ("line", "tag"),
        "template_loop": ("line", "slot"),
        "template_line_twice": ("line", "slot"),
        "template_line_missing": ("line", "slot"),
        "template_slot_twice": ("line", "slot"),
        "template_slot_missing": ("slot",),
        "template_too_big": ("most",),
        "duel_too_large": (),
        "template_no_html": ("dialect",),
        "template_no_bbcode": ("line", "tag", "dialect"),
        "template_imitates": ("line", "said"),
        "template_slot_unread": ("slot",),
        "template_own_dice": (),
        "choice_before_odds": (),
        "too_long_to_play": (),
        "account_name_taken": (),
        "account_email_taken": (),
        "account_name_at": (),
        "email_malformed": (),
        "password_guessed": (),
        "password_wrong": (),
        "login_unknown": (),
        "invitation_needed": (),
        "piece_id_form": (),
        "piece_id_taken": ("other",),
        "piece_other_kind": ("other",),
        "piece_name_taken": ("other",),
        "piece_unknown": (),
        "part_unknown": (),
        "book_full": ("most",),
        "piece_not_approved": ("name",),
        "sheet_not_approved": ("name",),
        "table_unreadable": (),
        "column_unknown": ("columns",),
        "not_of_this_kind": (),
        "modifier_cell": (),
        "effect_cell": (),
        "oidc_not_vouched": (),
        "oidc_out_of_reach": (),
    }
)
"""Every code a mistake can have, with the names of its facts.

``expected`` is one of text, integer, number, boolean, list, object; ``choices`` are words. An
ambiguous number is either ``whole`` or, with so many decimals after the point, ``units``.
"""


class ArbitroError(Exception):
    """Something that Arbitro refuses or cannot do now; ``code`` is stable and documented."""

    code: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """One thing in the input that cannot be understood, by the path of its field."""

    field: str
    code: str
    facts: Mapping[str, MistakeFact] = dataclasses.field(default_factory=dict)


class Malformed(ArbitroError):
    """The input cannot be understood; every mistake in it is named."""

    code = "malformed"

    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__("; ".join(f"{one.field or '(all)'}: {one.code}" for one in mistakes))
        self.mistakes = mistakes


class Busy(ArbitroError):
    """The database is locked, full, read-only or out of reach; the same call may succeed later."""

    code = "busy"
