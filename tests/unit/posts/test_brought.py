"""Dice are known by their labels in what a forum shows, held three ways, or refused by name."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from app.posts.bbcode import JOINER
from app.posts.blocks import Die
from app.posts.brought import REMARKS, Brought, bring
from app.posts.calibration import calibrate, mark
from app.posts.dialects import DIALECTS, WITH_TAGS, render
from app.posts.matching import Wanted
from app.posts.names import safe_name
from app.posts.phrases import LANGUAGES, SERVICE, say
from app.posts.read import read_post
from app.posts.shows import Shows, shows_of
from tests.unit.posts.forums import SHOWS, UNLABELLED, Rolled
from tests.unit.posts.hostile import HOSTILE
from tests.unit.posts.pages import page

STRIKE = "Attacco [Artigli, Sonìdo] (Hollow vs Quincy): (+2 [Raggio 0–5 m], +4 [Destrezza])"
DODGE = "Schivata (Hollow vs Quincy): (+1 [Destrezza])"
MYBB = shows_of("mybb_feathertail")


def wanted(label: str, sides: int = 12, modifier: int = 6) -> Wanted:
    """Await a die."""
    return Wanted(sides=sides, modifier=Fraction(modifier), labels=(label,))


STRIKE_AND_DODGE = (wanted(STRIKE), wanted(DODGE, 20, 1))


def shown(label: str, face: int, sides: int = 12, modifier: int = 6) -> str:
    """Show a die as MyBB does."""
    return SHOWS["mybb_feathertail"](Rolled(label, sides, (face,), modifier))


def faces(brought: Brought) -> list[int | None]:
    """List the faces that were found."""
    return [None if die is None else die.face for die in brought.dice]


def codes(brought: Brought) -> list[str]:
    """List what is wrong."""
    return [one.code for one in brought.wrong]


def remarks(brought: Brought) -> list[str]:
    """List what was noticed."""
    return [one.code for one in brought.remarks]


# ----------------------------------------------------------------------- which die is which


@pytest.mark.parametrize("dialect", sorted(set(SHOWS) - UNLABELLED))
def test_each_known_forum_gives_the_dice_back_in_any_order(dialect: str) -> None:
    strike = SHOWS[dialect](Rolled(STRIKE, 12, (8,), 6))
    dodge = SHOWS[dialect](Rolled(DODGE, 20, (13,), 1))
    for text in (f"{strike}\n\nE poi.\n\n{dodge}", f"{dodge}\n\nE poi.\n\n{strike}"):
        brought = bring(text, STRIKE_AND_DODGE, shows_of(dialect))
        assert (faces(brought), codes(brought)) == ([8, 13], [])
    assert [one.total for one in brought.dice if one] == [14, 14]


def test_dice_of_one_label_are_met_in_their_order() -> None:
    both = (wanted(DODGE, 20, 1), wanted(DODGE, 20, 1))
    text = f"{shown(DODGE, 3, 20, 1)}\n{shown(STRIKE, 8)}\n{shown(DODGE, 17, 20, 1)}"
    assert faces(bring(text, both, MYBB)) == [3, 17]


def test_a_die_that_is_there_more_often_than_it_was_asked_for_is_refused() -> None:
    text = f"{shown(STRIKE, 2)}\nNo, di nuovo:\n{shown(STRIKE, 12)}"
    brought = bring(text, (wanted(STRIKE),), MYBB)
    assert (faces(brought), codes(brought)) == ([None], ["die_twice"])
    assert brought.wrong[0].facts["lines"] == "1, 3"


def test_a_die_without_a_label_is_known_only_by_what_nothing_else_throws() -> None:
    bare = SHOWS["mybb_feathertail"](Rolled("", 12, (8,), 6))
    alone = bring(bare, (wanted(STRIKE),), MYBB)
    assert (faces(alone), remarks(alone)) == ([8], ["without_label"])
    twice = bring(f"{bare}\n{bare}", (wanted(STRIKE), wanted(DODGE)), MYBB)
    assert codes(twice) == ["die_unlabelled", "die_unlabelled"]
    other = bring(bare, (wanted(STRIKE, modifier=7),), MYBB)
    assert codes(other) == ["die_unlabelled"]


@pytest.mark.parametrize("dialect", ["forumotion", "xenforo", "phpbb_rolls", "guida"])
@pytest.mark.parametrize(
    "bare",
    ["1d12: 8", "'1d12' : 8", "1d12 => 8", "1d12 = 8", "Il membro “Rin” ha tirato\n\n'D12' : 8"],
)
def test_a_bare_die_is_known_by_its_size_and_gets_its_modifier_here(
    dialect: str, bare: str
) -> None:
    nameless = DIALECTS[dialect].tag is None
    brought = bring(bare, STRIKE_AND_DODGE[:1], shows_of(dialect), nameless=nameless)
    (die,) = brought.dice
    assert die is not None
    assert (die.face, die.modifier, die.total) == (8, 6, 14)
    assert "other_modifier" not in remarks(brought)
    assert "without_label" in remarks(brought)
    both = bring(f"{bare}\n1d20: 13", STRIKE_AND_DODGE, shows_of(dialect), nameless=nameless)
    assert faces(both) == [8, 13]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("dialect", ["forumotion", "xenforo"])
def test_what_a_menu_is_to_throw_can_be_thrown_by_it_and_is_no_result(
    dialect: str, language: str
) -> None:
    die = Die(sides=12, modifier=Fraction(6), label=STRIKE, live=True)
    post = render([die], language, dialect)
    assert " 1d12 (" in post
    assert "1d12+" not in post
    found = [
        bring(f"{post}{more}", (wanted(STRIKE),), shows_of(dialect), nameless=True)
        for more in ("", "\n\n1d12: 8")
    ]
    assert [codes(one) for one in found] == [["die_missing"], []]
    assert faces(found[1]) == [8]


def test_bare_dice_of_one_size_are_met_in_their_order_where_no_forum_says_more() -> None:
    both = (wanted(STRIKE), wanted(DODGE, modifier=0))
    shows = shows_of("forumotion")
    text = "#1 'd12' : 8\n#2 'd12' : 3"
    brought = bring(text, both, shows, nameless=True)
    assert (faces(brought), remarks(brought)[:2]) == ([8, 3], ["by_order", "by_order"])
    assert [die.total for die in brought.dice if die] == [14, 3]
    for shown_text, many in ((text.splitlines()[0], 1), (f"{text}\n#3 'd12' : 5", 3)):
        wrong = bring(shown_text, both, shows, nameless=True).wrong
        assert [one.code for one in wrong] == ["die_nameless", "die_nameless"]
        assert (wrong[0].facts["shown"], wrong[0].facts["awaited"]) == (many, 2)
    labels_are_known_there = bring("1d12: 8\n1d12: 3", (wanted(STRIKE), wanted(DODGE)), MYBB)
    assert codes(labels_are_known_there) == ["die_unlabelled", "die_unlabelled"]


def test_a_bare_die_that_no_such_die_can_show_is_refused() -> None:
    brought = bring("1d12: 13", (wanted(STRIKE),), shows_of("xenforo"), nameless=True)
    assert (faces(brought), codes(brought)) == ([None], ["die_total_impossible"])


NAMES = (
    "Kai [Boss]",
    "Kai {x}",
    "Kai (Boss",
    "A vs B",
    "vs",
    "Kai, detto [il] vs",
    "B",
    "A=1",
    "“K” «a» ‹i›",
)


@pytest.mark.parametrize("joined", [True, False])
@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - {"nodebb"}))
def test_names_that_look_like_grammar_match_on_every_forum(dialect: str, joined: bool) -> None:
    for name in NAMES:
        for one, two, three in ((name, "Rin", "Kai"), ("Arco", name, "Kai"), ("Arco", "Rin", name)):
            label = (
                f"Attacco [{safe_name(one)}] ({safe_name(two)} vs {safe_name(three)}): (+6 [Forza])"
            )
            die = Die(sides=12, modifier=Fraction(6), label=label, live=True)
            text, _ = page(dialect, render([die], "it", dialect), random.Random(1))
            if dialect not in WITH_TAGS:
                text = f"{label}: 1d12+6: [8]+6 = 14"
            text = text if joined else text.replace(JOINER, "")
            brought = bring(text, (wanted(label), wanted(DODGE, 20, 1)), shows_of(dialect))
            assert codes(brought) == ["die_missing"], text
            assert brought.dice[0] is not None, text


def test_a_name_with_a_versus_tells_its_die_from_another() -> None:
    one = "Attacco [Katana v\u2060s Scudo] (Rin vs Kai): (+6 [Forza])"
    two = "Attacco [Katana] (Rin vs Kai): (+6 [Forza])"
    text = f"{shown(two, 3)}\n{shown(one, 8)}".replace("\u2060", "")
    assert faces(bring(text, (wanted(one), wanted(two)), MYBB)) == [8, 3]
    untold = bring(f"[dice=1d12+6]{one}[/dice]".replace("\u2060", ""), (wanted(one),), MYBB)
    assert codes(untold) == ["die_not_rolled"]


def test_dice_of_other_turns_are_left_alone_and_named() -> None:
    theirs = "Attacco [Arco] (Quincy vs Hollow): (+3 [Destrezza])"
    text = f"{shown(theirs, 4, 12, 3)}\n{shown(STRIKE, 8)}"
    brought = bring(text, (wanted(STRIKE),), MYBB)
    assert (faces(brought), remarks(brought)) == ([8], ["other_die"])
    assert brought.remarks[0].facts == {"label": theirs, "line": 1}


def test_names_survive_what_forums_make_of_them() -> None:
    label = "Attacco [𝕬rtigli] (O'Hara \u2060vs K\u2060ai): (+6 [Destrezza])"
    plain = "attacco (Artigli) (O’Hara vs Kai): (+6 [Destrezza])"
    assert faces(bring(shown(plain, 8), (wanted(label),), MYBB)) == [8]


# -------------------------------------------------------------------------- three ways to hold


@pytest.mark.parametrize(
    ("text", "code", "facts"),
    [
        (f"1d12+6 → 19 (13 + 6) — {STRIKE}", "die_total_impossible", {"least": "7", "most": "18"}),
        (f"1d12+6 → 14 (13 + 6) — {STRIKE}", "die_face_impossible", {"face": 13, "sides": 12}),
        (f"1d12+6 → 15 (8 + 6) — {STRIKE}", "die_total_wrong", {"total": "15", "expected": "14"}),
        (f"1d12+6 → 17 (8 + 9) — {STRIKE}", "die_addends_differ", {"shown": "+9", "thrown": "+6"}),
        (f"1d20+6 → 14 (8 + 6) — {STRIKE}", "die_other_size", {"shown": 20, "sides": 12}),
        (f"2d12+6 → 14 (4 + 4 + 6) — {STRIKE}", "die_several", {"count": 2}),
    ],
)
def test_what_no_such_die_can_show_is_refused_by_name(
    text: str, code: str, facts: dict[str, object]
) -> None:
    brought = bring(text, (wanted(STRIKE),), MYBB)
    assert (faces(brought), codes(brought)) == ([None], [code])
    told = brought.wrong[0].facts
    assert told["die"] == "Attacco [Artigli, Sonìdo] (Hollow vs Quincy)"
    assert {name: told[name] for name in facts} == facts


@pytest.mark.parametrize(("total", "face"), [(7, 1), (18, 12), (6, None), (19, None)])
def test_where_only_a_total_is_shown_the_natural_die_is_recovered(
    total: int, face: int | None
) -> None:
    brought = bring(f"{STRIKE} 1d12+6 = {total}", (wanted(STRIKE),), shows_of())
    assert faces(brought) == [face]
    assert codes(brought) == ([] if face else ["die_total_impossible"])


@pytest.mark.parametrize("dialect", ["mybb_feathertail", "guida", ""])
@pytest.mark.parametrize(
    ("total", "code"),
    [
        ("14 (7.5 + 6)", "die_missing"),
        ("14 (7.5 + 6.5)", "die_missing"),
        ("13.5 (7.5 + 6)", "die_missing"),
        ("14 (8.0 + 6)", ""),
        ("14 (8 + 4 + 2)", ""),
        ("14 (8 + 6) + 3", "die_addends_differ"),
        ("17 (8 + 6) + 3", "die_addends_differ"),
        ("14 (8 + 6) - 3 = 11", "die_addends_differ"),
        ("14 (8 + 6)+3", "die_addends_differ"),
        ("14 (8 + 9 - 3)", ""),
    ],
)
def test_no_face_is_a_fraction_and_no_term_is_left_over(
    dialect: str, total: str, code: str
) -> None:
    for text in (f"1d12+6 → {total} — {STRIKE}", f"{STRIKE}: 1d12+6 → {total}"):
        brought = bring(text, (wanted(STRIKE),), shows_of(dialect))
        assert faces(brought) == [None if code else 8], text
        assert codes(brought) == ([code] if code else [])


@pytest.mark.parametrize(
    ("dialect", "shown_die", "code"),
    [
        ("phpbb_rolls", "1d12+6: [8.5]+6 = 14", "die_missing"),
        ("phpbb_rolls", "1d12+6: [8]+6 = 14 + 3", "die_addends_differ"),
        ("smf_rolls", "1d12+6 : 7.5 + 6, total 14", "die_missing"),
        ("smf_rpg", "1d12 + 6 => (7.5) + 6 = 14", "die_missing"),
        ("paizo", "1d12 + 6 ⇒ (7.5) + 6 = 14", "die_missing"),
        ("paizo", "1d12 + 6 ⇒ (8) + 6 = 14 + 2", "die_addends_differ"),
        ("discourse_roller", "1d12+6: 7.5 + 6 = 14", "die_missing"),
        ("discourse_roller", "1d12+6: 8 + 6 = 14 + 1", "die_addends_differ"),
        ("guida", "1d12+6 => 7.5 => 14", "die_missing"),
        ("guida", "1d12+6 (7,5) = 14", "die_addends_differ"),
        ("guida", "1d12+6 = 13.5", "die_missing"),
        ("guida", "1d12+6: 14 + 3", "die_addends_differ"),
    ],
)
def test_a_fraction_or_a_term_left_over_is_refused_however_a_forum_shows_it(
    dialect: str, shown_die: str, code: str
) -> None:
    brought = bring(f"{STRIKE}: {shown_die}", (wanted(STRIKE),), shows_of(dialect))
    assert (faces(brought), codes(brought)) == ([None], [code])


@pytest.mark.parametrize("more", [" – 3 ferite", ", +3 PE", " - 3 PE", ". 2 a 1", " +1d6 → 4"])
def test_a_sentence_behind_a_roll_is_no_term_of_it(more: str) -> None:
    text = f"{STRIKE}: 1d12+6 → 14 (8 + 6){more}"
    assert faces(bring(text, (wanted(STRIKE),), MYBB)) == [8]


def test_another_modifier_than_the_labels_is_taken_and_told() -> None:
    brought = bring(shown(STRIKE, 8, modifier=9), (wanted(STRIKE),), MYBB)
    (die,) = brought.dice
    assert die is not None
    assert (die.face, die.modifier) == (8, 9)
    assert remarks(brought) == ["other_modifier"]


def test_a_label_that_somebody_changed_is_told() -> None:
    changed = STRIKE.replace("+4", "+7")
    brought = bring(shown(changed, 8, modifier=9), (wanted(STRIKE),), MYBB)
    assert remarks(brought) == ["label_sum", "other_modifier"]
    assert brought.remarks[0].facts["shown"] == "+9"


def test_a_total_that_touches_the_next_roll_is_cut_where_it_ends() -> None:
    text = f"{STRIKE}: 1d12 + 6 ⇒ (10) + 6 = 161d20 + 1 ⇒ (5) + 1 = 6"
    brought = bring(text, (wanted(STRIKE),), shows_of("paizo"))
    assert faces(brought) == [10]


# --------------------------------------------------------------------- what is no fallen die


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Nulla.", "die_missing"),
        (f"[dice=1d12+6] — {STRIKE}", "die_not_rolled"),
        (f"[dice=1d12+6]{STRIKE}[/dice]", "die_not_rolled"),
        ("[quote]{}[/quote]", "die_quoted"),
        ("[quote=Kai]{}[/quote]\nRispondo.", "die_quoted"),
        ("Guardate:\n[code]{}[/code]", "die_quoted"),
        (f"[quote][dice=1d12+6]{STRIKE}[/dice][/quote]\nRispondo.", "die_quoted"),
        ("Racconto.\nCITAZIONE\n{}\n\nRispondo.", "die_quoted"),
        (f"[b]1d12+6: (8)+6 = 14[/b] — {STRIKE}", "die_ours"),
        (f"1d12+6: [8]+6 = 14 — {STRIKE}", "die_ours"),
    ],
)
def test_a_die_that_is_not_to_be_taken_says_why(text: str, code: str) -> None:
    brought = bring(text.replace("{}", shown(STRIKE, 8)), (wanted(STRIKE),), MYBB)
    assert (faces(brought), codes(brought)) == ([None], [code])


def test_a_quoted_die_does_not_stand_in_the_way_of_the_real_one() -> None:
    text = f"[quote]{shown(STRIKE, 12)}[/quote]\n{shown(STRIKE, 8)}"
    brought = bring(text, (wanted(STRIKE),), MYBB)
    assert (faces(brought), codes(brought)) == ([8], [])


def test_what_imitates_our_own_block_is_never_a_roll_of_the_forum() -> None:
    forged = f"**1d12+6: [12]+6 = 18** — {STRIKE}"
    assert codes(bring(forged, (wanted(STRIKE),), MYBB)) == ["die_ours"]
    brought = bring(f"{forged}\n{shown(STRIKE, 8)}", (wanted(STRIKE),), MYBB)
    assert (faces(brought), codes(brought)) == ([8], [])


def test_an_edited_post_is_taken_with_a_remark() -> None:
    text = f"{shown(STRIKE, 8)}\nEdited by Kai - 3/5/2024, 21:10"
    brought = bring(text, (wanted(STRIKE),), MYBB)
    assert (faces(brought), remarks(brought)) == ([8], ["edited"])
    assert brought.remarks[0].facts == {"who": "Kai", "when": "3/5/2024, 21:10"}


@pytest.mark.parametrize("digits", ["１d12+6", "1d１2+6", "²d12+6", "٣d12+6"])
def test_digits_of_other_scripts_are_no_dice(digits: str) -> None:
    text = f"{digits} → 14 (8 + 6) — {STRIKE}"
    assert faces(bring(text, (wanted(STRIKE),), MYBB)) == [None]


@pytest.mark.parametrize("unseen", ["\u200b", "\u2060", "\u00ad", "\ufeff"])
def test_what_is_not_seen_inside_a_die_changes_nothing(unseen: str) -> None:
    text = f"1d1{unseen}2+6 → 14 (8 + 6) — {STRIKE}"
    assert faces(bring(text, (wanted(STRIKE),), MYBB)) == [8]
    smaller = wanted(STRIKE, sides=2)
    assert [one is None for one in bring(text, (smaller,), MYBB).dice] == [True]


def test_a_minus_of_word_processors_is_a_minus() -> None:
    label = "Attacco (Rin vs Kai): (-3 [Mirato])"
    for minus in "-−–":
        text = f"1d12{minus}3 → 5 (8 {minus} 3) — {label}"
        assert faces(bring(text, (wanted(label, modifier=-3),), MYBB)) == [8]
        plus = f"1d12{minus}3 → 11 (8 + 3) — {label}"
        assert codes(bring(plus, (wanted(label, modifier=-3),), MYBB)) == ["die_addends_differ"]


# ------------------------------------------------------------------------------ how it is read


def learnt() -> Shows:
    """Learn a way that nobody has described."""
    sample = "✦ Punch ✦ 1d12+6 » 8 + 6 » 14 ✦"
    return shows_of("guida", calibrate(sample, mark(sample, "Punch", "1d12+6", "14")))


def test_a_learnt_pattern_reads_the_posts_of_its_board_and_says_so() -> None:
    text = f"Prima.\n✦ {STRIKE} ✦ 1d12+6 » 3 + 6 » 9 ✦\n✦ {DODGE} ✦ 1d20+1 » 20 + 1 » 21 ✦"
    brought = bring(text, STRIKE_AND_DODGE, learnt())
    assert (faces(brought), remarks(brought)) == ([3, 20], ["how_learnt"])
    wrong = bring(text.replace("» 9", "» 10"), STRIKE_AND_DODGE, learnt())
    assert codes(wrong) == ["die_total_wrong"]


def test_what_no_pattern_knows_is_read_in_general_and_says_so() -> None:
    text = f"{STRIKE}: 1d12+6: (8)+6 = 14"
    brought = bring(text, (wanted(STRIKE),), shows_of("guida"))
    assert (faces(brought), remarks(brought)) == ([8], ["how_general"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_remark_can_be_said(language: str) -> None:
    facts = {
        **dict.fromkeys(("die", "label", "who", "when"), "X"),
        **dict.fromkeys(("line", "shown", "listed", "thrown"), "+1"),
    }
    said = {say(language, SERVICE, "post_remarks", code, facts) for code in REMARKS}
    assert len(said) == len(REMARKS)


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_upsets_the_search(text: str) -> None:
    for shows in (MYBB, learnt(), shows_of()):
        brought = bring(text[:5_000] + shown(STRIKE, 8), (wanted(STRIKE),), shows)
        assert len(brought.dice) == 1


def test_a_long_name_is_cut_between_words_and_says_so() -> None:
    label = f"Attacco [{'Lama bilanciata ' * 12}] (Kai vs Rin): (+6 [Forza])"
    title = wanted(label).title
    assert len(title) <= 160
    assert title.endswith((" bilanciata…", " Lama…"))
    assert wanted("Attacco [X] (Kai vs Rin)").title == "Attacco [X] (Kai vs Rin)"
    (claim,) = [one for one in read_post(shown(label, 8)).claims if one.kind == "roll"]
    assert str(claim.facts["label"]).endswith(("bilanciata…", "Lama…"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ["die_unlabelled", "die_twice"])
def test_one_line_is_not_several(language: str, code: str) -> None:
    one, more = (
        say(language, SERVICE, "mistakes", code, {"die": "X", "lines": lines, "count": count})
        for lines, count in (("7", 1), ("7, 9", 2))
    )
    assert not {"righe", "lines", "those", "quelli"} & set(one.replace(",", " ").split())
    assert {"righe", "lines"} & set(more.split())


def test_rolls_on_one_line_are_of_one_line() -> None:
    bare = shown(STRIKE, 2).partition(" —")[0]
    (twice,) = bring(f"{bare} {bare}", (wanted(STRIKE),), MYBB).wrong
    assert (twice.code, twice.facts["lines"], twice.facts["count"]) == ("die_unlabelled", "1", 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_no_factor_is_listed_nobody_is_told_what_they_make(language: str) -> None:
    said = say(language, SERVICE, "tag_issues", "modifier_mismatch", {"declared": 6, "listed": 0})
    assert "+0" not in said
    assert "tag" not in said.split()
